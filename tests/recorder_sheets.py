"""Draws the recorder after every tenth act of many games, at every size, on contact sheets for people to look at.

    PYTHONPATH=tests/browser:docs/make python tests/recorder_sheets.py FOLDER [--every 10] [--games zigzag,...]
      [--sizes 360x640,...] [--pick]

It prints where the table is smaller than it must be and what cannot be reached; `--pick` also takes a tile in hand.
Nothing of it goes into the repository.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from club import Club, entered
from msgspec.structs import replace
from pictures import chromium
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from ledger.games import catalog
from ledger.play.simulate import simulate

SIZES = {"360x560": 1 / 3, "360x640": 1 / 3, "390x844": 1 / 3, "640x360": 1 / 3, "180x320": 1 / 4}
"""The sizes, and the least part of the screen that is the table; the last is a phone at 200 %."""
NAMES = ("Anna", "Anton", "Anja", "Ben", "Cy", "Dora", "Dirk", "Eve")
GAMES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "ziggurat": ("ziggurat", {}, {"players": 2}),
    "ziggurat-4": ("ziggurat", {}, {"players": 4}),
    "ziggurat-12": ("ziggurat", {"set": 12}, {"players": 2}),
    "build-up": ("build-up", {}, {"players": 2}),
    "build-up-5": ("build-up", {}, {"players": 5}),
    "build-up-8": ("build-up", {}, {"players": 8}),
    "gale-1.1": ("domino-ziggurat", {}, {"players": 1, "edition": "1.1"}),
    "gale-2": ("domino-ziggurat", {}, {"players": 2, "edition": "2"}),
    "gale-4": ("domino-ziggurat", {}, {"players": 4, "edition": "2"}),
    "zigzag": ("zigzag", {"hands": 2}, {"players": 3}),
    "zigzag-9": ("zigzag", {"set": 9, "hands": 1}, {"players": 3}),
}
KEY = "#tray .tile:not(.dim), #pad .key:not(.dim)"
MEASURE = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const stage = document.getElementById("stage");
  const { width, height } = stage.getBoundingClientRect();
  const keys = ".top button, .entry button, .acts button, #called button"
    + ", html:not(.writing) main:not(:has(#ask[data-kind=deal])) #rows [data-stack]";
  const away = [...document.querySelectorAll(keys)].filter(shown).filter((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return !hit || !one.contains(hit);
  });
  const short = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
  const cut = [...document.querySelectorAll(".acts .btn, .question h2, #hint, .nm, .does, .pass-or-bid .btn, .chip")]
    .filter((one) => shown(one) && one.clientWidth > 1 && short(one));
  const name = (one) => one.id || one.dataset.tile || one.className + " " + one.textContent.trim().slice(0, 20);
  const main = document.querySelector("main");
  return { table: shown(stage) ? (width * height) / (innerWidth * innerHeight) : 0, away: away.map(name),
    cut: cut.map((one) => `${one.id || one.className}: ${one.textContent.trim().slice(0, 40)}`),
    scroll: (main.scrollHeight - main.clientHeight) / innerHeight,
    over: document.documentElement.classList.contains("over"),
    writing: document.documentElement.classList.contains("writing") };
}"""


def look(page: Page, size: str, when: str) -> list[str]:
    """What is not as it must be at this size."""
    page.evaluate("async () => { for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame); }")
    seen = page.evaluate(MEASURE)
    faults = []
    if not seen["over"] and not seen["writing"] and seen["table"] < SIZES[size] - 0.001:
        faults.append(f"the table has {seen['table']:.0%}")
    faults += [f"out of reach: {seen['away']}"] if seen["away"] and SIZES[size] > 1 / 4 else []
    faults += [f"{seen['scroll']:.1f} screens to scroll"] if seen["scroll"] > 1 else []
    faults += [f"cut: {seen['cut']}"] if seen["cut"] and SIZES[size] > 1 / 4 else []
    return [f"{size} {when}: {fault}" for fault in faults]


def main() -> None:
    """Plays the games act by act and takes the pictures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--every", type=int, default=10)
    options.add_argument("--games", default=",".join(GAMES))
    options.add_argument("--sizes", default=",".join(SIZES))
    options.add_argument("--pick", action="store_true")
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    sizes = chosen.sizes.split(",")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        club = Club(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = browser.new_context(has_touch=True, is_mobile=True)
        for name in chosen.games.split(","):
            game, rules, how = GAMES[name]
            record = simulate(catalog.find(game), 3, rules, **how)
            players = record.opening.players
            opening = replace(
                record.opening, players=tuple(replace(one, name=NAMES[n]) for n, one in enumerate(players))
            )
            acts = entered(record)
            pictures: dict[str, list[bytes]] = {size: [] for size in sizes}
            for count in range(0, len(acts) + 1, chosen.every):
                page = context.new_page()
                page.goto(club.open(opening, acts[:count])[0])
                page.wait_for_selector("html[data-ready]")
                page.locator("#status[data-sure=true]").wait_for(state="attached")
                for size in sizes:
                    width, height = map(int, size.split("x"))
                    page.set_viewport_size({"width": width, "height": height})
                    for picked in (False, True) if chosen.pick else (False,):
                        if picked:
                            page.evaluate(f"document.querySelector('{KEY}')?.click()")
                        for fault in look(page, size, f"{name} after {count}{', picked' if picked else ''}"):
                            sys.stdout.write(f"{fault}\n")
                        pictures[size].append(page.screenshot())
                    page.keyboard.press("Escape")
                page.close()
            for size in sizes:
                sheet(pictures[size], size, chosen.folder / f"{name}-{size}.png")
        browser.close()
        club.kill()


def sheet(pictures: list[bytes], size: str, path: Path) -> None:
    """Lays the pictures of one game and size beside each other."""
    width, height = map(int, size.split("x"))
    across = max(1, 1800 // width)
    whole = Image.new("RGB", (across * (width + 4), -(-len(pictures) // across) * (height + 4)), "#888")
    for n, picture in enumerate(pictures):
        whole.paste(Image.open(BytesIO(picture)), (n % across * (width + 4), n // across * (height + 4)))
    whole.save(path)


if __name__ == "__main__":
    main()
