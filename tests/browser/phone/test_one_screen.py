"""All that can be tapped in a game is on one screen: nobody scrolls, from the beginning to the end.

The table has at least a third of it.  With a folder in `DOMINO_SHEETS`, what was checked is also drawn there, on a
contact sheet for each game and size.
"""

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from at_table import open_recorder
from club import Club, entered
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import BrowserContext, Page

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.stores.store import SqliteStore

SIZES = [(360, 560), (360, 640), (390, 844), (640, 360)]
EVERY = int(os.environ.get("DOMINO_ONE_SCREEN", "9"))
"""After every how many acts it is checked; `1` is all of them."""
SHEETS = os.environ.get("DOMINO_SHEETS")
NAMES = ("Anna", "Anton", "Anja", "Ben", "Cy", "Dora", "Dirk", "Eve")
"""Some begin alike: their badges have two letters."""
GAMES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "ziggurat": ("ziggurat", {}, {}),
    "ziggurat of 4": ("ziggurat", {}, {"players": 4}),
    "double 12": ("ziggurat", {"set": 12}, {}),
    "build-up": ("build-up", {}, {}),
    "build-up of 5": ("build-up", {}, {"players": 5}),
    "gale": ("domino-ziggurat", {}, {"players": 1}),
    "gale of 4": ("domino-ziggurat", {}, {"players": 4, "edition": "2"}),
    "build-up of 8": ("build-up", {}, {"players": 8}),
    "zigzag": ("zigzag", {"hands": 3}, {}),
    "zigzag, double 9": ("zigzag", {"set": 9, "hands": 1}, {}),
}
TABLE = """() => {
  const stage = document.getElementById("stage").getBoundingClientRect();
  const without = "html:is(.writing, .over), main:has(#ask[data-kind=deal]), #stage[data-kind=empty]";
  return document.querySelector(without) ? 1 : (stage.width * stage.height) / (innerWidth * innerHeight);
}"""
OUT_OF_REACH = """() => {
  const all = "header button, header a, .entry button, .acts button, #called button, #redo-now"
    // Nobody taps a stack while writing down a hand.
    + ", html:not(.writing) main:not(:has(#ask[data-kind=deal])) #rows [data-stack]";
  return [...document.querySelectorAll(all)].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return !hit || !one.contains(hit);
  }).map((one) => one.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize("name", GAMES)
def test_all_that_can_be_tapped_is_on_one_screen(phone: BrowserContext, club: Club, name: str) -> None:
    game, options, how = GAMES[name]
    record = simulate(catalog.find(game), 3, options, **how)
    acts = entered(record)
    seats = zip(record.opening.players, NAMES, strict=False)
    opening = replace(record.opening, players=tuple(replace(player, name=called) for player, called in seats))
    link, record_id = club.open(opening)
    page, total = phone.new_page(), 1
    pictures: dict[tuple[int, int], list[bytes]] = {size: [] for size in SIZES}
    open_recorder(page, link)
    for start in range(0, len(acts) + 1, EVERY):
        page.locator(f"#sync[data-total='{total}']").wait_for(state="attached")
        page.locator("#status[data-sure=true]").wait_for(state="attached")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            check(page, f"after {start} acts")
            if SHEETS:
                pictures[width, height].append(page.screenshot())
        with SqliteStore(club.path) as store:
            for act in acts[start : start + EVERY]:
                Recorder(store).append(record_id, act)
                total += 1
    for size, taken in pictures.items():
        if SHEETS:
            sheet(taken, size).save(Path(SHEETS) / f"{name}-{size[0]}x{size[1]}.png")


def sheet(pictures: list[bytes], size: tuple[int, int]) -> Image.Image:
    """The pictures beside each other."""
    width, height = size[0] + 4, size[1] + 4
    across = 1800 // width
    whole = Image.new("RGB", (across * width, -(-len(pictures) // across) * height), "#888")
    for n, picture in enumerate(pictures):
        whole.paste(Image.open(BytesIO(picture)), (n % across * width, n // across * height))
    return whole


def check(page: Page, when: str) -> None:
    """Asserts that everything is in reach, as the page is and, on the pad, after the first number."""
    key = page.locator("main:has(#ask[data-kind=place]) #pad:not([hidden]) .key:not(.dim)")
    for pick in (False, True):
        if pick and not key.count():
            continue
        if pick:
            key.last.tap()
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        now = f"{page.viewport_size} {when}{', one number' if pick else ''}"
        assert page.evaluate(OUT_OF_REACH) == [], now
        assert page.evaluate(TABLE) > 1 / 3, now
    if key.count():
        page.keyboard.press("Escape")
