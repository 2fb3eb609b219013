"""The replay page at a phone's width and a screen's: what matters is on the first screen, and nothing is in the way."""

import re
from itertools import product

import pytest
from club import at_width, box_of, visit
from playwright.sync_api import Page, expect

BROKEN = "build-up.cover-tile-broken"
GAME = "ziggurat.ending-single-place"
LARGE = "large"


pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture
def broken(page: Page, address: str) -> Page:
    """A game with a mistake, opened at its mistake."""
    visit(page, f"{address}/g/{BROKEN}#0")
    page.keyboard.press("n")
    return page


@pytest.fixture
def game(page: Page, address: str) -> Page:
    """A whole game, opened at its seventh event."""
    visit(page, f"{address}/g/{GAME}#7")
    return page


def box(page: Page, selector: str) -> dict[str, float]:
    """The position and size of an element."""
    return box_of(page.locator(selector).first)


def at(page: Page) -> int:
    """The seq of the step that is shown."""
    return int(page.locator("#now .no").inner_text())


def test_at_a_mistake_the_first_screen_has_the_flag_and_the_sentence(broken: Page) -> None:
    high = (broken.viewport_size or {})["height"]
    sentence = broken.locator("#finding > span")
    expect(sentence).to_contain_text(re.compile(r"\w.*\.$"))
    for selector in ("#finding .ic", "#finding > span", "#now", "#score .n", "#slider", "#play"):
        place = box(broken, selector)
        assert place["y"] >= 0
        assert place["y"] + place["height"] <= high, selector


def test_at_the_end_the_first_screen_says_who_won(game: Page) -> None:
    game.keyboard.press("End")
    bar = game.locator("section.bar")
    expect(bar).to_contain_text(re.compile(r"Game over\. \w+ wins \d+.:.\d+"))
    assert game.locator("#score .win").count() == 1
    assert box(game, "#now")["y"] < (game.viewport_size or {})["height"]


def test_nothing_overflows_to_the_side(page: Page, address: str) -> None:
    wide = (page.viewport_size or {})["width"]
    for name, key in product((LARGE, BROKEN, GAME, "zigzag.ending-target"), ("Home", "End")):
        if key == "Home":
            visit(page, f"{address}/g/{name}")
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= wide, name
        overflowing = page.evaluate(
            """wide => [...document.querySelectorAll("main *, header *")].filter(element => {
                const box = element.getBoundingClientRect();
                const hidden = element.closest(".chart, #track, .stage, .sr, .scroll, .story ol") || !box.width;
                return !hidden && (box.left < -1 || box.right > wide + 1);
            }).map(element => element.outerHTML.slice(0, 120))""",
            wide,
        )
        assert overflowing == [], name


def test_no_tile_number_or_button_breaks_inside(page: Page, address: str) -> None:
    visit(page, f"{address}/g/{BROKEN}")
    broken = page.evaluate(
        """() => [...document.querySelectorAll(".tn, .btn, .nb, .pts:not(.many), kbd, .chip")]
            .filter(element => element.getClientRects().length && element.offsetHeight > 60)
            .map(element => element.outerHTML)"""
    )
    assert broken == []
    texts = page.evaluate("[...document.querySelectorAll('.row .long, .why, .about p')].map(line => line.textContent)")
    assert not [text for text in texts if re.search(r"\d-\d", text)], "a plain hyphen breaks a tile"


@at_width("wide")
def test_space_plays_also_after_the_slider_was_used(game: Page) -> None:
    game.locator("#slider").fill("4")
    game.locator("#slider").focus()
    game.keyboard.press("Space")
    expect(game.locator("#play")).to_have_attribute("aria-label", "Pause")
    game.keyboard.press("Space")
    expect(game.locator("#play")).to_have_attribute("aria-label", "Play")


@at_width("wide")
def test_brackets_go_from_level_to_level(game: Page) -> None:
    levels = game.evaluate("[...document.querySelectorAll('#rows .lv + li')].map(row => Number(row.id.slice(1)))")
    assert len(levels) > 2
    game.keyboard.press("Home")
    for seq in levels:
        game.keyboard.press("]")
        assert at(game) == seq
    for seq in reversed(levels[:-1]):
        game.keyboard.press("[")
        assert at(game) == seq


@pytest.mark.parametrize(
    ("browser_context_args", "ways"),
    [("phone", ("escape", "beside", "back")), ("wide", ("beside",))],
    indirect=["browser_context_args"],
    ids=["phone", "wide"],
)
def test_a_menu_closes_by_escape_a_tap_beside_and_the_back_button(game: Page, ways: tuple[str, ...]) -> None:
    for step, (menu, how) in enumerate(product(("share", "settings"), ways), 8):
        url = game.url
        game.locator(f"[popovertarget={menu}]").click()
        expect(game.locator(f"#{menu}")).to_be_visible()
        game.wait_for_function("() => history.state?.box")  # an open menu has a place of its own in the history
        if how == "escape":
            game.keyboard.press("Escape")
        elif how == "beside":
            game.mouse.click(10, 60)
        else:
            game.evaluate("history.back()")
        expect(game.locator(f"#{menu}")).to_be_hidden()
        game.wait_for_function("() => !history.state?.box")
        assert game.url == url
        game.keyboard.press("ArrowRight")
        assert at(game) == step, (menu, how)
        expect(game).to_have_url(re.compile(rf"#{step}\b"))


@at_width("phone")
def test_a_dialog_closes_by_a_tap_beside_and_the_back_button(broken: Page) -> None:
    for close in ("document.querySelector('dialog[open]').close()", "history.back()"):
        broken.locator("#finding").click()
        expect(broken.locator("dialog#rule")).to_be_visible()
        broken.wait_for_function("() => history.state?.box")
        broken.evaluate(close)
        expect(broken.locator("dialog#rule")).to_be_hidden()
        broken.wait_for_function("() => !history.state?.box")
    broken.locator("#finding").click()
    broken.mouse.click(4, 4)
    expect(broken.locator("dialog#rule")).to_be_hidden()


@at_width("phone")
def test_the_bar_with_a_script_is_the_bar_without(browser: object, broken: Page, address: str) -> None:
    plain = browser.new_context(java_script_enabled=False).new_page()  # type: ignore[attr-defined]
    for step in range(3):
        plain.goto(f"{address}/g/{BROKEN}?ply={at(broken)}")
        for part in ("#now", "#aloud", "#found", "#score"):
            scripted, served = broken.locator(part), plain.locator(part)
            assert scripted.text_content() == served.text_content(), (step, part)
        broken.keyboard.press("ArrowLeft" if step else "End")
    plain.context.close()


@at_width("wide")
def test_a_choice_of_theme_is_kept_on_every_page(game: Page, address: str) -> None:
    game.locator("[popovertarget=settings]").click()
    game.locator("#theme").select_option("dark")
    expect(game.locator("html")).to_have_attribute("data-theme", "dark")
    game.goto(f"{address}/rules")
    expect(game.locator("html")).to_have_attribute("data-theme", "dark")


@at_width("phone")
def test_a_phone_shares_by_its_own_sheet(page: Page, address: str) -> None:
    page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    visit(page, f"{address}/g/{GAME}#7")
    page.locator("[popovertarget=share]").click()
    page.locator("#send").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared.url") == f"{address}/g/{GAME}?ply=7"


@at_width("phone")
def test_an_address_has_the_view_of_the_table(page: Page, address: str) -> None:
    visit(page, f"{address}/g/{LARGE}?ply=60&view=plan&level=3&turn=1")
    expect(page.locator("[data-view=plan]")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".view select").input_value() == "3"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#61'")
    assert page.evaluate("location.search") == "?view=plan&level=3&turn=1"
    page.keyboard.press("v")
    page.wait_for_function("() => location.search === '?level=3&turn=1'")


@at_width("wide")
def test_twice_the_size_is_the_layout_of_a_phone(page: Page, address: str) -> None:
    """At 200 % a window of 1280 by 900 has 640 by 450 pixels of CSS."""
    page.set_viewport_size({"width": 640, "height": 450})
    visit(page, f"{address}/g/{GAME}#7")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert box(page, "#table")["height"] > 150
    page.locator("#play").scroll_into_view_if_needed()
    page.locator("[data-go='1']").click()
    assert at(page) == 8


@at_width("phone")
def test_the_moment_of_the_end_is_marked_only_at_the_end(page: Page, address: str) -> None:
    visit(page, f"{address}/g/{GAME}#4")
    expect(page.locator("#caption")).to_be_hidden()
    assert page.locator("[data-moment][aria-current]").count() == 0
    page.locator("[data-moment]").last.click()
    expect(page.locator("[data-moment][aria-current]")).to_have_count(1)
    expect(page.locator("#caption")).to_be_visible()
