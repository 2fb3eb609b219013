"""`python -m tests.bench.throttled`: a step of the largest game on a processor that is four times slower.

Chromium slows its own page down.  A step is measured from the key press to the end of style and layout of all that the
key has changed, in milliseconds of a clock, so other programs disturb it: five rounds, and the best of their medians.
"""

from __future__ import annotations

import shutil
import statistics
import sys

from playwright.sync_api import Page, sync_playwright

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from serving import serving
from temporary import TemporaryStore
from viewer.app import create_app

SLOWED, ROUNDS, STEPS = 4, 5, 80
SIZES = {"phone": (390, 844, 3), "screen": (1280, 900, 1)}
GAMES = {"ziggurat": {"set": 12}, "build-up": {}, "zigzag": {"set": 9}}
STEP = """async (steps) => {
  const times = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 40)));
  for (let n = 0; n < steps; n++) {
    await frame();
    const begin = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    document.documentElement.getBoundingClientRect();
    document.querySelector(".drawing").getBoundingClientRect();
    times.push(performance.now() - begin);
    document.body.dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowRight", bubbles: true }));
  }
  return times;
}"""
"""Presses a key again and again; what waits until after the frame (the list, the chart) has its time in between."""


def measure(page: Page) -> list[float]:
    """The milliseconds of each step of a round, from the first step on."""
    page.keyboard.press("Home")
    page.wait_for_timeout(300)
    times: list[float] = page.evaluate(STEP, STEPS)
    return sorted(times)


def main() -> None:
    """Prints the figures of each game and size."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    store = TemporaryStore()
    for name, options in GAMES.items():
        Recorder(store).import_record(simulate(catalog.find(name), 3, options), name)
    with serving(create_app(store.reopen), threads=4) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for game in sys.argv[1:] or GAMES:
            for size, (width, height, scale) in SIZES.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height}, device_scale_factor=scale, reduced_motion="reduce"
                )
                page = context.new_page()
                page.goto(f"{address}/g/{game}")
                page.wait_for_selector("html[data-ready]")
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
                measure(page)
                rounds = [measure(page) for _ in range(ROUNDS)]
                medians = [statistics.median(times) for times in rounds]
                late = [times[int(len(times) * 0.95)] for times in rounds]
                print(
                    f"{game} on a {size}: median {min(medians):.1f} ms ({', '.join(f'{ms:.1f}' for ms in medians)}), "
                    f"95 % within {min(late):.1f} ms ({', '.join(f'{ms:.1f}' for ms in late)})"
                )
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
