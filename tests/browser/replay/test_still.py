"""A table that stands still: stepping on or back, a finding, a live move: what has not changed in the game stays."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, product
from typing import Any

import pytest
from club import wait_for_frames
from msgspec.structs import replace

from golden import CASES
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.record import Record
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.replay.replay_view import ReplayView

pytestmark = pytest.mark.usefixtures("quiet")
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


def games() -> Iterator[Record]:
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
    for number, record in zip(range(COUNT), games(), strict=False):
        Recorder(store).import_record(record, f"game{number}")
    for name, (game, options, players, edition) in BUILDINGS.items():
        record = simulate(catalog.find(game), 3, options, players=players, edition=edition)
        Recorder(store).import_record(record, name)
    with serving(create_app(store.reopen), threads=16) as address:
        yield address, store


def chapters(record: Record) -> set[int]:
    """The places at which a level is reached."""
    return {chapter.place for chapter in ReplayView("", record).story.chapters}


def open_replay(page: Any, address: str, ply: int = 0) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{address}?ply={ply}")
    page.wait_for_selector("html[data-ready]")


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
    open_replay(page, f"{table[0]}/g/game{number}")
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
    open_replay(page, f"{table[0]}/g/{name}")
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
        open_replay(page, f"{table[0]}/g/large")
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
    open_replay(page, address)
    last = int(page.get_attribute("#slider", "max"))
    onward = list(range(last + 1))
    walked = page.evaluate(WALK, [*onward, *onward[::-1], *(n * 7 % (last + 1) for n in onward)])
    for place in (last // 3, last - 1, last):
        open_replay(page, address, place)
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
    open_replay(page, f"{address}/g/{name}", 9999)
    before = page.evaluate(PLACES)
    for event in record.events[begun : begun + 4]:
        Recorder(store).append(name, event)
        page.wait_for_function("(n) => document.querySelector('#slider').max === String(n)", arg=begun)
        begun += 1
        now = page.evaluate(PLACES)
        assert moved(before, now) == {}, begun
        before = now
