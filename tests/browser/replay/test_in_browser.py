"""The viewer as people use it: a link to a move, a thumb, the arrow keys, no script at all."""

import re
from pathlib import Path

import pytest
from club import at_width, box_of, visit
from playwright.sync_api import Page, expect

from ledger.keep.recorder import Recorder
from ledger.record.record import Record
from ledger.stores.store import SqliteStore

GAME = "ziggurat.ending-single-place"
BROKEN = "build-up.cover-tile-broken"


def at(page: Page) -> int:
    """The seq of the step that is shown."""
    return int(page.locator("#now .no").inner_text())


def until(page: Page, condition: str) -> None:
    """Waits until an expression is true on the page, whose policy forbids waiting there."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {condition}")


@pytest.fixture
def game(page: Page, address: str, quiet: list[str]) -> Page:
    """A whole game, opened at its seventh event."""
    visit(page, f"{address}/g/{GAME}#7")
    assert quiet == []
    return page


@at_width("phone")
def test_a_deep_link_shows_its_step_and_follows_the_stepping(game: Page) -> None:
    assert at(game) == 7
    game.locator("[data-go='1']").click()
    assert at(game) == 8
    expect(game).to_have_url(re.compile(r"#8$"))
    game.evaluate("location.hash = '#12'")
    expect(game.locator("#now .no")).to_have_text("12")
    game.go_back()


@at_width("wide")
def test_every_key_does_what_the_list_says(game: Page) -> None:
    last = int(game.locator("#slider").get_attribute("max") or 0)
    for key, seq in (("ArrowRight", 8), ("j", 9), ("ArrowLeft", 8), ("k", 7), ("End", last), ("Home", 0)):
        game.keyboard.press(key)
        assert at(game) == seq, key
    game.keyboard.press("]")
    assert at(game) > 0
    game.keyboard.press("[")
    assert at(game) == 0
    for key in ("Control+ArrowRight", "Alt+j", "ArrowUp", "ArrowDown"):
        if key != "Alt+j":
            game.keyboard.press(key)
    assert at(game) == 0
    game.keyboard.press("?")
    expect(game.locator("dialog#keys")).to_be_visible()
    game.keyboard.press("Escape")
    expect(game.locator("dialog#keys")).to_be_hidden()


@at_width("phone")
def test_it_plays_and_pauses_and_begins_anew_at_the_end(game: Page) -> None:
    game.locator("[popovertarget=settings]").click()
    game.locator("#speed").select_option("300")
    game.keyboard.press("Escape")
    game.locator("#play").click()
    expect(game.locator("#play")).to_have_attribute("aria-label", "Pause")
    until(game, "Number(document.querySelector('#now .no').textContent) > 8")
    game.locator("#play").click()
    seq = at(game)
    game.wait_for_timeout(700)
    assert at(game) == seq
    game.locator("[data-go='last']").click()
    last = at(game)
    game.locator("#speed").evaluate("list => { list.value = '1600'; list.dispatchEvent(new Event('change')); }")
    game.locator("#play").click()
    assert at(game) < last
    game.locator("#play").click()


def test_the_slider_and_the_chart_lead_to_a_step(game: Page) -> None:
    game.locator("#slider").fill("4")
    assert at(game) == 4
    box = box_of(game.locator("#chart"))
    game.locator("#chart").scroll_into_view_if_needed()
    game.locator("#chart").click(position={"x": box["width"] * 0.1 + 1, "y": box["height"] / 2})
    assert at(game) == 0
    game.locator("#chart").click(position={"x": box["width"] * 0.95, "y": box["height"] / 2})
    assert at(game) == int(game.locator("#slider").get_attribute("max") or 0)


def test_a_hand_with_a_contract_has_its_own_chart_that_leads_to_its_steps(
    page: Page, address: str, quiet: list[str]
) -> None:
    visit(page, f"{address}/g/zigzag.ending-target#0")
    chart = page.locator("#charts > .plot:visible")
    expect(chart.locator("h2")).to_contain_text("Score")
    hand = page.locator("#charts > .plot").nth(1)
    first, last = (int(hand.get_attribute(f"data-{end}") or "") for end in ("first", "last"))
    page.locator("#slider").fill(str(first))
    expect(chart.locator("h2")).to_contain_text("Taken")
    box = box_of(chart.locator(".chart"))
    chart.locator(".chart").scroll_into_view_if_needed()
    chart.locator(".chart").click(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
    assert at(page) == last
    chart.locator(".chart").click(position={"x": box["width"] * 0.05, "y": box["height"] / 2})
    assert at(page) == first
    page.locator("#slider").fill(str(last))
    page.keyboard.press("ArrowRight")  # to the next step: a claim may belong to the last one
    expect(chart.locator("h2")).to_contain_text("Score")
    assert quiet == []


@at_width("wide")
def test_findings_are_reached_by_key_and_listed_alone(page: Page, address: str, quiet: list[str]) -> None:
    visit(page, f"{address}/g/{BROKEN}#0")
    page.keyboard.press("n")
    seq = at(page)
    line = page.locator(f"#p{seq}")
    expect(line.locator(".why")).to_contain_text(page.locator("#finding > span").inner_text())
    page.locator("#finding").click()
    expect(page.locator("dialog#rule")).to_contain_text("build-up.cover.tile")
    page.keyboard.press("Escape")
    expect(page.locator("dialog#rule")).to_be_hidden()
    before = page.locator("#rows li:visible").count()
    page.locator("#only").click()
    assert 0 < page.locator("#rows li:visible").count() < before
    page.keyboard.press("p")
    assert at(page) == seq
    assert quiet == []


@at_width("wide")
def test_a_key_comes_after_the_address_that_was_entered_before_it(game: Page) -> None:
    # The browser tells of a new address a moment later: a key may overtake that event.
    game.evaluate("""() => {
      location.hash = '#9';
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    }""")
    expect(game).to_have_url(re.compile(r"#11$"))
    assert at(game) == 11
    game.go_back()
    expect(game.locator("#now .no")).to_have_text("7")


@at_width("phone")
def test_what_is_shared_is_of_this_step(game: Page, address: str) -> None:
    game.keyboard.press("Home")
    game.evaluate("location.hash = '#9'")
    game.keyboard.press("ArrowRight")
    game.keyboard.press("ArrowLeft")
    expect(game.locator("[data-at]").first).to_have_attribute("href", re.compile("ply=9"))
    for link in game.locator("#share a").all():
        href = str(link.get_attribute("href"))
        if href.startswith("bgstats:"):  # for another app
            continue
        answer = game.request.get(href if href.startswith("http") else address + href)
        assert answer.ok, href
    assert "/embed/" in game.locator("#embed").input_value()


@at_width("wide")
def test_an_embed_steps_by_its_own_keys_inside_a_frame(page: Page, address: str) -> None:
    site = f"<iframe src='{address}/embed/{GAME}#5' width=380 height=700 title='a game'></iframe>"
    page.route("http://localhost:1/", lambda route: route.fulfill(body=site, content_type="text/html"))
    page.goto("http://localhost:1/")
    frame = page.frame_locator("iframe")
    expect(frame.locator("#now .no")).to_have_text("5")
    frame.locator("[data-go='1']").click()
    expect(frame.locator("#now .no")).to_have_text("6")
    frame.locator("#play").focus()
    page.keyboard.press("ArrowRight")
    expect(frame.locator("#now .no")).to_have_text("7")


@at_width("phone")
def test_one_file_opens_from_a_disk_with_no_server(page: Page, address: str, tmp_path, quiet: list[str]) -> None:
    file = tmp_path / "game.html"
    file.write_bytes(page.request.get(f"{address}/g/{GAME}/replay.html").body())
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    visit(page, f"{file.as_uri()}#26")
    assert at(page) == 26
    page.keyboard.press("ArrowRight")
    assert at(page) == 27
    drawing = page.locator(".stage .drawing")
    drawings = {drawing.inner_html()}
    page.get_by_label("Turn by a quarter").click()
    page.locator(".stage:not([aria-busy])").wait_for()
    drawings.add(drawing.inner_html())
    page.get_by_label("One level down").click()
    drawings.add(drawing.inner_html())
    page.get_by_role("button", name="Plan", exact=True).click()
    page.locator(".t-sheet").first.wait_for()
    assert len(drawings | {drawing.inner_html()}) == 4
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert quiet == []


def test_it_fits_its_width_and_the_buttons_fit_a_thumb(game: Page) -> None:
    wide = game.viewport_size
    assert wide is not None
    assert game.evaluate("document.documentElement.scrollWidth") <= wide["width"]
    for button in game.locator(".ctl .btn").all():
        box = box_of(button)
        assert box["height"] >= 48
        assert box["width"] >= 48
        assert box["y"] + box["height"] <= wide["height"]


@at_width("wide")
def test_it_prints_the_table_and_the_moves_without_the_bar(game: Page) -> None:
    game.emulate_media(media="print")
    expect(game.locator(".bar")).to_be_hidden()
    expect(game.locator("#stage .drawing")).to_be_visible()
    expect(game.locator(".moves")).to_be_visible()
    expect(game.locator(":is(.btn, .chip, .mark, details:not([open])):visible")).to_have_count(0)
    assert game.evaluate("document.querySelector('.left').offsetHeight") < 400, "no page of its own"
    game.emulate_media(media="print", color_scheme="dark")
    game.evaluate("document.documentElement.dataset.theme = 'dark'")
    ink = "getComputedStyle(document.querySelector('.moves h2')).color"
    assert game.evaluate(ink) == "rgb(0, 0, 0)", "paper is white at night too"


@at_width("wide")
def test_both_themes_and_less_motion_are_respected(game: Page) -> None:
    def ground() -> str:
        return str(game.evaluate("getComputedStyle(document.body).backgroundColor"))

    game.emulate_media(color_scheme="light")
    light = ground()
    game.emulate_media(color_scheme="dark")
    assert ground() != light
    eased = "getComputedStyle(document.querySelector('.stage .board')).transitionDuration"
    game.emulate_media(reduced_motion="no-preference")
    assert game.evaluate(eased) == "0.4s"
    game.emulate_media(reduced_motion="reduce")
    assert game.evaluate(eased) == "0s"


@at_width("phone")
def test_the_front_page_leads_to_a_game_and_back(page: Page, address: str, quiet: list[str]) -> None:
    page.goto(address)
    page.get_by_text("Filters").click()
    page.locator("select[name=game]").select_option("zigzag")
    page.locator("select[name=verdict]").select_option("breach")
    page.get_by_role("button", name="Show games").click()
    assert "game=zigzag" in page.url
    page.locator(".games a").first.click()
    page.wait_for_selector("html[data-ready]")
    page.locator(".mark").click()
    expect(page.locator("h1")).to_have_text("Games")
    assert quiet == []


def test_the_list_keeps_the_step_in_sight(game: Page) -> None:
    for key in ("End", "Home", "]"):
        game.keyboard.press(key)
    game.evaluate("location.hash = '#20'")
    expect(game.locator("#p20")).to_have_class(re.compile("now"))
    until(
        game,
        """() => {
        const line = document.querySelector("#p20");
        const a = line.getBoundingClientRect(), b = line.parentElement.getBoundingClientRect();
        return a.top >= b.top && a.bottom <= b.bottom;
    }""",
    )


@at_width("phone")
def test_a_button_that_is_held_goes_on(game: Page) -> None:
    forward = game.locator("[data-go='1']")
    forward.dispatch_event("pointerdown", {"button": 0})
    until(game, "Number(document.querySelector('#now .no').textContent) > 9")
    forward.dispatch_event("pointerup", {"button": 0})
    seq = at(game)
    game.wait_for_timeout(300)
    assert at(game) == seq


@at_width("phone")
def test_an_animation_is_made_of_a_range(game: Page) -> None:
    game.locator("[popovertarget=share]").click()
    game.get_by_label("First move of the animation").fill("2")
    game.get_by_label("Last move of the animation").fill("5")
    expect(game.locator("#takes")).to_have_text(re.compile(r"^4 pictures, about \d+ s$"))
    with game.expect_response(re.compile("animation.gif")) as response:
        game.get_by_role("button", name="Make").click()
    assert response.value.ok
    assert "from=2&to=5" in response.value.url


def test_watchers_at_the_last_step_follow_and_reviewers_do_not(page: Page, address: str, ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        recorder = Recorder(store)
        game = store.read("build-up.ending-hands-empty")
        record_id = recorder.import_record(Record(game.events[:8]))
        visit(page, f"{address}/g/{record_id}")
        assert at(page) == 7
        page.evaluate("window.loaded_once = true")
        recorder.append(record_id, game.events[8])
        expect(page.locator("#now .no")).to_have_text("8")
        page.locator("[data-go='-1']").click()
        recorder.append(record_id, game.events[9])
        expect(page.locator("#live")).to_have_text("Back to live: 1 new")
        assert at(page) == 7
        pill, table = box_of(page.locator("#live")), box_of(page.locator("#table"))
        assert pill["y"] > table["y"]
        assert pill["y"] + pill["height"] < table["y"] + table["height"]
        page.locator("#live").click()
        expect(page.locator("#now .no")).to_have_text("9")
        expect(page.locator("#live")).to_be_hidden()
        expect(page.locator("#rows > li[id]")).to_have_count(10)
        assert page.evaluate("window.loaded_once"), "a live move slides in without a reload"
