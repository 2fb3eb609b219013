"""The table in a browser: it fits its stage, every level can be seen, hands open, zoom and motion behave."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from club import at_width, wait_for_frames

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures.film import film
from viewer.pictures.things import Domino

pytestmark = pytest.mark.usefixtures("quiet")
GAMES: dict[str, tuple[str, dict[str, Any], int, str | None]] = {
    "large": ("ziggurat", {"set": 12}, 2, None),
    "large4": ("ziggurat", {"set": 12}, 4, None),
    "small": ("ziggurat", {}, 2, None),
    "stacks": ("build-up", {}, 2, None),
    "stacks8": ("build-up", {}, 8, None),
    "tricks": ("zigzag", {}, 3, None),
    "ranked": ("zigzag", {"ranking": True}, 3, None),
    "alone": ("domino-ziggurat", {}, 1, "1.1"),
}

BOX = """() => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".stage .drawing > g > *")]
    .filter((part) => !part.matches(".t-ground") && part.getBBox().width);
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
  return {
    left: edge("left", Math.min) - stage.left, top: edge("top", Math.min) - stage.top,
    right: edge("right", Math.max) - stage.left, bottom: edge("bottom", Math.max) - stage.top,
    width: stage.width, height: stage.height,
  };
}"""


@pytest.fixture(scope="module")
def games() -> Iterator[str]:
    """The address of a viewer on one game of each kind."""
    from serving import serving

    store = TemporaryStore()
    for name, (game, options, players, edition) in GAMES.items():
        record = simulate(catalog.find(game), 3, options, players=players, edition=edition)
        Recorder(store).import_record(record, name)
    with serving(create_app(store.reopen), threads=8) as address:
        yield address


def open_replay(page: Any, address: str, name: str, place: str = "") -> None:
    """Opens a replay at a step, drawn and at rest."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{address}/g/{name}{place}")
    page.wait_for_selector(".stage svg.drawing[role=group] > g > *")
    page.wait_for_selector("html[data-ready]")


def last_step(page: Any) -> int:
    return int(page.get_attribute("#slider", "max"))


def settle(page: Any) -> None:
    """Waits for the drawing of a view that was chosen, or for another size of the screen."""
    wait_for_frames(page)
    page.wait_for_selector(".stage:not([aria-busy])")


def at(page: Any, place: int) -> None:
    """Steps to a place."""
    page.evaluate(
        """(place) => { const slider = document.querySelector("#slider"); slider.value = place;
           slider.dispatchEvent(new Event("input", { bubbles: true })); }""",
        place,
    )


CELLS = """() => {
  const strip = document.querySelector("#score").getBoundingClientRect();
  const cells = [...document.querySelectorAll("#score .who, #score .n")];
  const whole = ({ width, top, bottom }) => width && strip.top <= top && bottom <= strip.bottom;
  return [cells.length, cells.filter((cell) => whole(cell.getBoundingClientRect())).length];
}"""
"""The names and scores of players: how many there are, and how many are whole in the strip of scores."""
WALLS = """() => [...document.querySelectorAll(".stage .t-left")]
  .reduce((sum, walls) => sum + walls.getAttribute("d").split("M").length - 1, 0)"""
"""The tiles with walls drawn."""


def tiles_at(name: str, place: int) -> int:
    """The number of tiles on the squares at a place."""
    game, options, players, edition = GAMES[name]
    reviewed = Review(simulate(catalog.find(game), 3, options, players=players, edition=edition))
    return sum(isinstance(thing, Domino) for thing in film(reviewed).at(place))


@pytest.mark.parametrize("name", GAMES)
def test_the_drawing_fills_its_stage_and_every_player_has_a_cell(page: Any, games: str, name: str) -> None:
    open_replay(page, games, name)
    there, whole = page.evaluate(CELLS)
    assert there == whole > 0
    last = last_step(page)
    for part in (0, 25, 50, 100):
        at(page, last * part // 100)
        for view in ("stacked", "plan"):
            button = page.locator(f".view [data-view={view}]")
            if button.is_visible():
                button.click()
                settle(page)
            elif view == "plan":
                continue
            box = page.evaluate(BOX)
            message = f"{name} at {part} %, {view}: {box}"
            assert box["left"] >= -1, message
            assert box["top"] >= -1, message
            assert box["right"] <= box["width"] + 1, message
            assert box["bottom"] <= box["height"] + 1, message
            # At an end without open tiles, the piles stay where they were.
            if page.locator(".stage .t-won").or_(page.locator(".stage .t-title", has_text="No tiles")).count():
                continue
            across, down = (
                (box["right"] - box["left"]) / box["width"],
                (box["bottom"] - box["top"]) / (box["height"] - 60),
            )
            # A plan keeps the room for the levels to come, so that no sheet moves during a game.
            least = 0.6 if view == "plan" else 0.7
            assert across >= least or down >= least, message
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@at_width("phone")  # it takes the width of each screen in turn
@pytest.mark.parametrize("name", ["large", "stacks", "tricks"])
def test_the_letters_of_a_drawing_are_not_much_smaller_than_they_were_made(page: Any, games: str, name: str) -> None:
    open_replay(page, games, name, "#20")
    for width, height in ((360, 640), (390, 664), (390, 844), (768, 1024), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        scale = page.locator(".stage svg.drawing").evaluate("(drawing) => drawing.getScreenCTM().a")
        assert scale > 0.8, (width, height, scale)


def test_no_sentence_of_the_list_is_cut(page: Any, games: str) -> None:
    open_replay(page, games, "ranked")
    assert page.locator("#rows .at.wide", has_text="as the highest number, in").count()
    cut = page.locator("#rows :is(.at.wide, .long)").evaluate_all(
        "(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"
    )
    assert cut == []


@at_width("phone")
def test_any_level_lifts_off_what_is_above_it(page: Any, games: str) -> None:
    open_replay(page, games, "large")
    levels = """() => new Set([...document.querySelectorAll('.board [data-level]')]
      .map((tile) => Number(tile.dataset.level))).size"""
    high = page.evaluate(levels)
    assert high > 10
    for level in (1, 2, high // 2, high - 1, high):
        page.select_option(".view select", str(level))
        assert page.evaluate(levels) == level
    page.select_option(".view select", "3")
    assert page.locator(".view select option:checked").inner_text() == f"Level 3 of {high}"
    page.get_by_label("One level up").click()
    assert page.evaluate(levels) == 4
    page.get_by_label("One level down").click()
    page.get_by_label("One level down").click()
    assert page.evaluate(levels) == 2


@at_width("wide")
def test_a_quarter_turn_takes_the_names_of_the_squares_along(page: Any, games: str) -> None:
    open_replay(page, games, "large")
    names = """() => [...document.querySelectorAll('.board > g .t-name')]
      .map((name) => name.textContent).slice(0, 8).join('')"""
    names_seen = [page.evaluate(names)]
    for _ in range(4):
        page.get_by_label("Turn by a quarter").click()
        settle(page)
        names_seen.append(page.evaluate(names))
    assert names_seen == ["bcde6543", "3456bcde", "edcb3456", "6543edcb", "bcde6543"]


@at_width("phone")
def test_a_small_sheet_of_the_plan_becomes_the_large_one(page: Any, games: str) -> None:
    open_replay(page, games, "large")
    page.locator(".view [data-view=plan]").click()
    settle(page)
    for selector in (".t-sheet", ".t-sheet ~ [data-to]:not(.t-sheet)"):
        sheet = page.locator(selector).last
        level = sheet.get_attribute("data-to")
        sheet.dispatch_event("click")
        assert page.locator(".view select").input_value() == level
        assert page.locator(".t-sheet").first.get_attribute("data-to") == level


def test_a_hand_that_is_a_line_opens_by_finger_and_key(page: Any, games: str) -> None:
    open_replay(page, games, "large", "?view=plan")
    at(page, 12)
    # A phone has one line for all hands.
    line = page.locator("[data-open='hand 0'], [data-open='hand all']").first
    line.click()
    sheet = page.locator(".opened")
    assert sheet.is_visible()
    first = sheet.locator("[data-hand='0']")
    count = int(first.locator("h2").inner_text().split(": ")[1].split()[0])
    assert first.locator("[href='#face']").count() == count > 8
    box = sheet.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    page.keyboard.press("Escape")
    assert not sheet.is_visible()
    line.focus()
    page.keyboard.press("Enter")
    assert sheet.is_visible()


@at_width("wide")
def test_zoom_by_wheel_and_back_by_a_double_tap(page: Any, games: str) -> None:
    open_replay(page, games, "large")
    box = page.locator(".stage .drawing").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    full_view = page.get_attribute(".stage .drawing", "viewBox")
    page.mouse.move(*middle)
    page.mouse.wheel(0, -200)
    assert page.get_attribute(".stage .drawing", "viewBox") == full_view, "the wheel alone scrolls the page"
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function("() => document.querySelector('.stage .drawing').classList.contains('zoomed')")
    zoomed_view = page.get_attribute(".stage .drawing", "viewBox")
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 40, steps=4)
    page.mouse.up()
    assert page.get_attribute(".stage .drawing", "viewBox") != zoomed_view, "a drag moves what is zoomed"
    page.mouse.dblclick(*middle)
    assert page.get_attribute(".stage .drawing", "viewBox") == full_view


@at_width("phone")
def test_a_step_leaves_what_has_not_changed(page: Any, games: str) -> None:
    open_replay(page, games, "large")
    at(page, 44)
    page.evaluate("() => { for (const part of document.querySelectorAll('.board > *')) part.kept = true; }")
    at(page, 45)
    parts = page.evaluate("() => [...document.querySelectorAll('.board > *')].map((part) => Boolean(part.kept))")
    assert sum(not is_old for is_old in parts) < 16 < len(parts)
    at(page, 40)
    assert page.evaluate(WALLS) == tiles_at("large", 40)


def seen_in_sheet(page: Any, hand: str) -> tuple[int, int]:
    """The tiles of an opened hand that are seen from the front and from the back."""
    tiles = page.locator(f".opened [data-hand='{hand}']")
    front, back = (
        sum(part.is_visible() for part in tiles.locator(f"[href='#{side}']").all()) for side in ("face", "back")
    )
    return front, back


def test_numerals_and_colours_and_eyes(page: Any, games: str) -> None:
    open_replay(page, games, "small")
    at(page, 12)

    def seen(selector: str) -> int:
        return sum(part.is_visible() for part in page.locator(f".stage .drawing {selector}").all())

    def choose(setting: str, value: str) -> None:
        page.evaluate(
            """([setting, value]) => { const field = document.getElementById(setting);
               if (field.type === "checkbox") field.checked = Boolean(value); else field.value = value;
               field.dispatchEvent(new Event("change")); }""",
            [setting, value],
        )

    def colours() -> set[str]:
        script = "() => [...document.querySelectorAll('.board .t-pips use')].map((half) => getComputedStyle(half).fill)"
        return set(page.evaluate(script))

    assert seen(".board [href^='#h']") > 8
    assert seen(".board [href^='#n']") == 0
    choose("numerals", "on")
    assert seen(".board [href^='#h']") == 0
    assert seen(".board [href^='#n']") == 2 * tiles_at("small", 12)
    choose("numerals", "")
    assert len(colours()) == 1
    choose("coloured", "on")
    assert len(colours()) > 4
    if page.viewport_size["width"] < 600:
        # The hands are one line, which opens them.
        choose("eyes", "1")
        page.locator("[data-open='hand all']").click()
        assert seen_in_sheet(page, "0") == (0, 9)
        assert seen_in_sheet(page, "1")[0] > 4
        return
    known = seen(".hands [href='#face']")
    assert known > 8
    assert seen(".hands [href='#back']") == 0
    choose("eyes", "1")
    assert 0 < seen(".hands [href='#face']") < known
    assert seen(".hands [href='#face']") + seen(".hands [href='#back']") == known
    choose("eyes", "none")
    assert seen(".hands [href='#back']") == known
    at(page, 13)
    assert seen(".hands [href='#face']") == 0
    choose("eyes", "")
    assert seen(".hands [href='#back']") == 0


def test_without_javascript_the_step_of_the_address_is_drawn(browser: Any, games: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{games}/g/large?ply=20")
    assert page.locator(".stage svg.drawing").count() == 1
    assert page.evaluate(WALLS) == 17
    assert page.locator(".stage svg.drawing").is_visible()
    page.click("[rel=next]")
    assert page.url.endswith("ply=21")
    context.close()


@at_width("wide")
@pytest.mark.parametrize("name", ["large", "stacks8", "tricks"])
def test_a_small_frame_cuts_nothing_off(page: Any, games: str, name: str) -> None:
    low, narrow = (480, 420), (320, 480)
    page.set_viewport_size({"width": low[0], "height": low[1]})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{games}/embed/{name}")
    page.wait_for_selector("html[data-ready]")
    last = last_step(page)
    for (width, height), part in product((low, narrow), (25, 50, 100)):
        page.set_viewport_size({"width": width, "height": height})
        at(page, last * part // 100)
        settle(page)
        box = page.evaluate(BOX)
        message = f"{name} at {part} %, {width} by {height}: {box}"
        assert box["left"] >= -1, message
        assert box["right"] <= box["width"] + 1, message
        assert box["bottom"] <= box["height"] + 1, message
        buttons_beyond = page.evaluate(
            """() => { const stage = document.querySelector(".stage").getBoundingClientRect();
              return [...document.querySelectorAll(".stage .view button")].filter((button) => {
                const box = button.getBoundingClientRect();
                return box.width && (box.right > stage.right || box.bottom > stage.bottom); }).length; }"""
        )
        assert not buttons_beyond
        lines_over_tiles = page.evaluate(
            """() => { const boxes = (all) => all.map((part) => part.getBoundingClientRect());
              const piles = boxes([...document.querySelectorAll(".stage .t-pip")]
                .filter((tile) => !tile.closest("[data-open]")));
              return boxes([...document.querySelectorAll(".stage [data-open] .t-hit")]).filter((line) =>
                piles.some((pile) => pile.bottom > line.top && pile.top < line.bottom && pile.right > line.left
                  && pile.left < line.right)).length; }"""
        )
        assert not lines_over_tiles, message
