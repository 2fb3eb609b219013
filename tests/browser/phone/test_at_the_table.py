"""A phone at the table: slips, corrections, and what the players called."""

import re
from typing import Any

from at_table import Table, acts_of, open_recorder, plain
from axe_playwright_python.sync_playwright import Axe
from club import Club, box_of, entered
from playwright.sync_api import BrowserContext, Page, expect

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Amend, Insert, Place, Retract, Stack
from ledger.record.tiles import TILES


def test_undo_takes_back_and_a_missed_move_is_put_in_between(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("build-up"), 3)
    all_acts = entered(record)
    start = next(at for at, act in enumerate(all_acts) if isinstance(act, Stack))
    acts = all_acts[start:]
    link, record_id = club.open(record.opening, all_acts[:start])
    page = phone.new_page()
    thumb = open_recorder(page, link)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with thumb.more():
        page.locator("#undo").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    for button in ("#redo", "#undo"):  # what was taken back is known to the page that opens anew
        with thumb.more():
            page.locator(button).tap()
    thumb.enter(acts[2])  # out of turn: the table says that it stood
    thumb.all_recorded()
    page.locator("#show-moves").tap()
    page.locator("#moves ol [data-seq]").last.tap()
    page.get_by_role("button", name="Insert before").tap()
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert isinstance(club.read(record_id).events[-1], Insert)
    assert acts_of(club.read(record_id))[start:] == acts[:3]
    page.locator("#show-moves").tap()
    page.locator("#moves ol [data-seq]").last.tap()
    with thumb.more(2):
        page.get_by_role("button", name="Move up").tap()
        expect(page.locator("#doubt h2")).to_have_text(re.compile("^Move .* before .*\\?$"))
        page.locator("#doubt [data-yes]").tap()
    assert acts_of(club.read(record_id))[start:] == [acts[0], acts[2], acts[1]]


def test_where_one_place_is_left_a_tap_lays_a_tile_as_its_key_shows_it(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 3)
    acts = [act for act in entered(record) if isinstance(act, Place)]
    link, record_id = club.open(record.opening, acts[:15])  # the next one has one place, and two ways round
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    thumb = open_recorder(page, link)
    expect(page.locator("#squares .both .whole")).to_be_visible()
    assert page.locator("#squares .ghost").count() == 0
    name = TILES[acts[15].tile.index]
    keys = page.locator(f"#tray .ways [data-tile='{name}']")
    expect(keys).to_have_count(2)
    labels = [str(key.get_attribute("aria-label")) for key in keys.all()]
    assert [label.split()[0] for label in labels] == [str(name), f"{name.second}-{name.first}"]
    thumb.enter(acts[15])
    assert thumb.taps[-1] == ("place", 1)
    thumb.all_recorded()
    assert plain(club.read(record_id).events[-1]) == plain(acts[15])


def test_a_tile_is_dragged_to_where_it_breaks_a_rule(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.take(acts[1].tile)  # type: ignore[union-attr]
    start, floor = box_of(page.locator("#held")), box_of(page.locator("#squares .floor"))
    page.mouse.move(start["x"] + 20, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(floor["x"] + 8, floor["y"] + 8, steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".dragged")).to_have_count(0)
    with thumb.more():
        page.locator("#doubt [data-yes]").tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Place)
    assert last.tile.index == acts[1].tile.index  # type: ignore[union-attr]


def test_a_game_that_is_left_can_be_resumed(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    thumb.enter(acts[0])
    thumb.all_recorded()
    page.locator("#show-more").tap()
    page.locator("#more-abandon").tap()
    with thumb.more():
        page.get_by_role("button", name="Yes, close it").tap()
    expect(page.locator("#panels")).to_contain_text("Game left unfinished")
    page.locator("#show-moves").tap()
    expect(page.locator("#moves li").last).to_contain_text("Game left unfinished")
    page.locator("#moves [data-close]").first.tap()
    with thumb.more():
        page.get_by_role("button", name="Resume the game").tap()
    assert isinstance(club.read(record_id).events[-1], Retract)
    expect(page.locator("#panels")).not_to_contain_text("unfinished")
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert acts_of(club.read(record_id))[-2:] == [plain(act) for act in acts[:2]]


def test_what_the_table_called_is_recorded_beside_what_counts(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    same, hint = page.locator("#called [data-called=same]"), page.locator("#hint")
    for act in acts:
        thumb.enter(act)
        thumb.all_recorded()
        thumb.wait_until_sure()
        if same.count():
            break
        assert page.locator("#last .pts").count() == 0
    counted = int(page.locator("#last .pts").inner_text())
    assert same.inner_text().split() == ["=", str(counted)]
    expect(hint).to_contain_text("called it as counted")
    with thumb.more():
        same.tap()
    last = club.read(record_id).events[-1]
    assert isinstance(last, Amend)
    assert isinstance(last.event, Place)
    assert last.event.points == counted
    expect(page.locator("#called")).to_be_hidden()
    with thumb.more():
        page.locator("#undo").tap()
    expect(same).to_be_visible()
    expect(hint).not_to_contain_text("called it as counted")  # it is explained once
    page.locator("#called [data-called=other]").tap()
    expect(page.locator("[data-claim=points] input")).to_be_focused()
    page.keyboard.type(str(counted + 1))
    with thumb.more():
        page.keyboard.press("Enter")
    expect(page.locator("#last .flag")).to_be_visible()
    for claim, field, words in (("score", "points.ana", "3"), ("note", "text", "<b>Tea</b>")):
        page.locator("#show-calls").tap()
        page.locator(f"[data-claim={claim}] [name='{field}']").fill(words)
        with thumb.more():
            page.locator(f"[data-claim={claim}] button").tap()
    page.locator("#show-moves").tap()
    expect(page.locator("#moves")).to_contain_text("<b>Tea</b>")


def test_the_table_and_its_dialogs_have_no_serious_accessibility_fault(table: Table) -> None:
    page, thumb, _record_id, acts = table
    thumb.enter(acts[0])
    thumb.tile(acts[1].tile)  # type: ignore[union-attr]
    for press in ("", "#show-moves", "#show-calls", "#show-more"):
        if press:
            page.locator(press).tap()
            expect(page.locator("dialog[open]")).to_be_visible()
        _axe(page, press)
        if press:
            page.locator("dialog[open] [data-close]").first.tap()


def _axe(page: Page, where: str) -> None:
    """Asserts that axe finds nothing by day, and by night no colour that is hard to see: nothing else differs."""
    by_scheme: dict[Any, dict[str, Any]] = {"dark": {"runOnly": ["color-contrast"]}, "light": {}}
    for scheme, only in by_scheme.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # a box that fades in has no contrast yet
        response = Axe().run(page, options={"resultTypes": ["violations"], **only}).response
        assert response["passes"], (where, scheme)
        grave = [one["id"] for one in response["violations"] if one["impact"] in ("serious", "critical")]
        assert grave == [], (where, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, where


def test_what_is_pressed_at_the_table_fits_a_thumb(table: Table) -> None:
    page, _thumb, _record_id, acts = table
    assert acts
    for button in page.locator(
        "header a:visible, header button:visible, main button:visible, .acts button:visible"
    ).all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= 48, button.inner_html()


def test_what_a_reader_opened_stays_open_while_it_is_the_same(table: Table) -> None:
    page, *_ = table
    kept = page.evaluate(
        """async () => {
            const { fill } = await import("/phone/static/pieces/markup.js");
            const box = document.body.appendChild(document.createElement("div"));
            const list = (text) => `<details><summary>More</summary><p>${text}</p></details>`;
            fill(box, list("one"));
            box.firstChild.open = true;
            fill(box, list("one"));
            const { open } = box.firstChild;
            fill(box, list("two"));
            return [open, box.querySelector("p").textContent];
        }"""
    )
    assert kept == [True, "two"]


LATE = """() => {
  const back = history.back.bind(history);
  history.back = () => setTimeout(back, 600);
  addEventListener("popstate", () => { document.documentElement.dataset.went = "back"; });
}"""
"""A browser that is busy goes back later than it was asked to."""


def test_the_next_game_stays_open_when_the_menu_leaves_the_history_late(table: Table, phone: BrowserContext) -> None:
    page, thumb, _record_id, acts = table
    phone.set_offline(True)
    thumb.cut_off = True
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    page.evaluate(LATE)
    page.locator("#show-more").tap()
    page.locator("#more-new").tap()
    page.wait_for_selector("html[data-went=back]")
    expect(page).to_have_url(re.compile("/new$"))
    expect(page.locator("html")).to_have_attribute("data-view", "begin")
