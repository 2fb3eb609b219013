"""The table in a browser: it fits its stage, every level can be seen, hands open, zoom and motion behave."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, product
from typing import Any

import pytest
from club import at_width, visit, wait_for_frames
from msgspec.structs import replace

from golden import CASES
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.record import Record
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures.film import film
from viewer.pictures.things import Domino
from viewer.replay.replay_view import ReplayView

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
    visit(page, f"{address}/g/{name}{place}", ".stage svg.drawing[role=group] > g > *")
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
    visit(page, f"{games}/embed/{name}")
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


# ---- A table that stands still: stepping on or back, a finding, a live move: what has not changed in the game stays.


PLAYERS = {"ziggurat": (2, 4), "build-up": (3, 5, 8, 10), "zigzag": (3,), "domino-ziggurat": (1,)}
COUNT = int(os.environ.get("STILL", "4"))
"""How many games are stepped through."""
MANY = 30
"""So many games are stepped through at every size."""
BUILDINGS: dict[str, tuple[str, dict[str, Any], int, str | None]] = {
    "large": ("ziggurat", {"set": 12}, 2, None),
    "small": ("ziggurat", {}, 2, None),
    "alone": ("domino-ziggurat", {}, 1, "1.1"),
}
"""Games of tiles on squares: rule set, options, number of players, edition."""
WIDTHS = ("phone", "wide")
SIZES = [(390, 844), (844, 390), (1280, 800)]


def at_widths(name: str, values: Iterable[Any]) -> pytest.MarkDecorator:
    """Gives a test a page of one width for each value, in turn; where `MANY` games are stepped through, of both."""
    cases = product(values, WIDTHS) if COUNT >= MANY else zip(values, cycle(WIDTHS), strict=False)
    return pytest.mark.parametrize((name, "browser_context_args"), list(cases), indirect=["browser_context_args"])


PLACES = """() => {
  const box = (part) => { const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height].map((n) => Math.round(n * 2) / 2).join(" "); };
  const camera = document.querySelector(".board")?.style.transform;
  const parts = {};
  for (const tile of document.querySelectorAll(".board > [data-level]"))
    if (tile.querySelector(".t-tile")) parts[`tile ${tile.querySelector("title").textContent} ${camera}`] = box(tile);
  for (const pile of document.querySelectorAll(".board .t-pip")) {
    const title = pile.parentElement.querySelector(":scope > title");
    if (title) parts[`pile ${title.textContent}`] = box(pile);
  }
  for (const score of document.querySelectorAll("#score > div")) parts[`score ${score.id}`] = box(score);
  for (const name of [".stage", ".told", ".bar", "#slider", ".ctl", "#story"]) {
    const part = document.querySelector(name);
    if (part) parts[name] = box(part);
  }
  return parts;
}"""
"""Where everything is that must not move: tiles and piles by what they show, scores, and the parts of the page."""


def all_games() -> Iterator[Record]:
    """Games of every rule set, the first of each kind first, and fixtures with findings."""
    broken = (codec.decode(path.read_bytes()) for path in CASES[::17])
    for seed in range(100):
        for name, numbers in PLAYERS.items():
            yield simulate(catalog.find(name), seed, players=numbers[seed % len(numbers)])
        yield next(broken)


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[str, TemporaryStore]]:
    """The address of a viewer on games to step through, and its ledger."""
    from serving import serving

    store = TemporaryStore()
    for number, record in zip(range(COUNT), all_games(), strict=False):
        Recorder(store).import_record(record, f"game{number}")
    for name, (game, options, players, edition) in BUILDINGS.items():
        record = simulate(catalog.find(game), 3, options, players=players, edition=edition)
        Recorder(store).import_record(record, name)
    with serving(create_app(store.reopen), threads=16) as address:
        yield address, store


def chapters(record: Record) -> set[int]:
    """The places at which a level is reached."""
    return {chapter.place for chapter in ReplayView("", record).story.chapters}


def open_place(page: Any, address: str, ply: int = 0) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{address}?ply={ply}")


STEPS = f"""(last) => {{
  const slider = document.querySelector("#slider"), moved = [];
  let before = {{}}, stood = 0;
  for (const place of [...Array(last + 1).keys(), last >> 1, (last >> 1) - 1, 0]) {{
    slider.value = place;
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    const now = ({PLACES})();
    for (const [part, box] of Object.entries(now)) {{
      if (!(part in before)) continue;
      stood += 1;
      if (before[part] !== box) moved.push([place, part, before[part], box]);
    }}
    before = now;
  }}
  return [moved, stood];
}}"""
"""Steps through a game, and back: what has moved, and how often something stood still."""


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """What is there before and after a step, at another place."""
    return {part: (old, after[part]) for part, old in before.items() if after.get(part, old) != old}


@pytest.mark.parametrize("browser_context_args", [{}], ids=["sizes"], indirect=False)
@pytest.mark.parametrize("number", range(COUNT))
def test_a_step_moves_nothing_that_stays(page: Any, table: tuple[str, TemporaryStore], number: int) -> None:
    open_place(page, f"{table[0]}/g/game{number}")
    last = int(page.get_attribute("#slider", "max"))
    for width, height in SIZES if COUNT >= MANY else [SIZES[number % len(SIZES)]]:
        page.set_viewport_size({"width": width, "height": height})
        wait_for_frames(page)
        page.wait_for_selector(".stage:not([aria-busy])")
        things_moved, stood = page.evaluate(STEPS, last)
        assert things_moved == [], (number, width)
        assert stood > 6 * last


STANDING = """(last) => {
  const slider = document.querySelector("#slider");
  const sides = (part) => (({ x, y, width, height }) => [x, y, width, height])(part.getBoundingClientRect());
  let before = new Map(), room = "", stood = 0, aimed = "";
  const moved = [], cameras = [], sizes = [];
  for (let place = 0; place <= last; place += 1) {
    slider.value = place;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const now = new Map();
    for (const tile of document.querySelectorAll(".board > [data-level]"))
      if (tile.querySelector(".t-tile"))
        now.set(tile.querySelector("title").textContent, sides(tile).map(Math.round).join());
    const stage = sides(document.querySelector(".stage")).join();
    const camera = document.querySelector(".board").style.transform;
    if (camera !== aimed) [before, aimed] = [new Map(), camera], cameras.push(place);
    const top = [...document.querySelectorAll(".board > [data-level] > .t-tile")].pop();
    if (top) sizes.push(Math.round(top.getBoundingClientRect().width / 2.07));
    // The words of some moves take a line more, from the height of the table.
    for (const [tile, where] of stage === room ? now : []) {
      if (!before.has(tile)) continue;
      stood += 1;
      if (before.get(tile) !== where) moved.push([place, tile]);
    }
    [before, room] = [now, stage];
  }
  return [moved, stood, cameras, sizes];
}"""
"""Steps through a game: the tiles that moved, each with its place, how often one stood still, and where the camera did.

And the side of a half in pixels, at each step: the top of a tile is 2.07 sides of a square wide."""


@at_widths("name", BUILDINGS)
def test_a_tile_stands_still_while_others_come_and_go(page: Any, table: tuple[str, TemporaryStore], name: str) -> None:
    open_place(page, f"{table[0]}/g/{name}")
    things_moved, stood, cameras, _sizes = page.evaluate(STANDING, int(page.get_attribute("#slider", "max")))
    assert things_moved == []
    assert stood > 150
    assert len(cameras) - 1 <= 6


@pytest.mark.parametrize("browser_context_args", [{}], ids=["sizes"], indirect=False)
def test_the_camera_moves_with_a_level_so_that_tiles_fill_the_table(
    page: Any, table: tuple[str, TemporaryStore]
) -> None:
    """In the first half of the largest game; the first time that the camera is seen is no move of it."""
    for (width, height), least in (((1280, 800), 40), ((844, 390), 24)):
        page.set_viewport_size({"width": width, "height": height})
        open_place(page, f"{table[0]}/g/large")
        wait_for_frames(page)
        page.wait_for_selector(".stage:not([aria-busy])")
        _moved, _stood, cameras, sizes = page.evaluate(STANDING, int(page.get_attribute("#slider", "max")))
        assert 2 <= len(cameras) - 1 <= 6, width
        assert min(sizes[: len(sizes) // 2]) >= least, (width, sizes)
        begins = chapters(table[1].read("large"))
        assert set(cameras[1:]) <= begins, width


WALK = """(places) => places.map((place) => {
  const slider = document.querySelector("#slider");
  slider.value = place;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const [no, score, drawing] = ["#now .no", "#score", ".drawing"].map((one) => document.querySelector(one));
  return [no.textContent, score.innerText + drawing.outerHTML];
})"""
"""Goes to some places, one after another: the number of each step, the scores, and what is drawn."""


@at_widths("number", range(3))
def test_a_step_draws_what_a_fresh_page_draws(page: Any, table: tuple[str, TemporaryStore], number: int) -> None:
    address = f"{table[0]}/g/game{number}"
    open_place(page, address)
    last = int(page.get_attribute("#slider", "max"))
    onward = list(range(last + 1))
    walked = page.evaluate(WALK, [*onward, *onward[::-1], *(n * 7 % (last + 1) for n in onward)])
    for place in (last // 3, last - 1, last):
        open_place(page, address, place)
        walked += page.evaluate(WALK, [place])
    drawn: dict[str, set[str]] = {}
    for step, picture in walked:
        drawn.setdefault(step, set()).add(picture)
    assert len(drawn) > last / 2
    assert [step for step, pictures in drawn.items() if len(pictures) > 1] == []


@pytest.mark.parametrize("game", ["build-up", "zigzag"])
def test_a_live_move_moves_nothing(page: Any, table: tuple[str, TemporaryStore], game: str) -> None:
    record = simulate(catalog.find(game), 1, players=PLAYERS[game][0])
    address, store = table
    name = f"live-{game}-{page.viewport_size['width']}"
    begun = 16
    Recorder(store).import_record(replace(record, events=record.events[:begun]), name)
    open_place(page, f"{address}/g/{name}", 9999)
    before = page.evaluate(PLACES)
    for event in record.events[begun : begun + 4]:
        Recorder(store).append(name, event)
        page.wait_for_function("(n) => document.querySelector('#slider').max === String(n)", arg=begun)
        begun += 1
        now = page.evaluate(PLACES)
        assert moved(before, now) == {}, begun
        before = now
