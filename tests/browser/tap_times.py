"""How soon the recorder's page shows a tap, and how soon it opens where the network does not answer.

``PYTHONPATH=tests python tests/browser/tap_times.py`` needs the runtime, Playwright and a Chromium: its own, or the one
that ``CHROMIUM`` names.  For games of 300 and 700 events, and a processor as it is and four times slower, it prints the
milliseconds from the tap that enters an act until the page is drawn, and until a game opens on a dead network.
"""

import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from at_table import by_seats, open_recorder
from club import PHONE, Club
from playwright.sync_api import Browser, sync_playwright

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Deal

TAPS = 20
WATCH = """() => {
  window.drawn = [];
  let last = 0;
  const total = () => document.getElementById("sync").dataset.total;
  addEventListener("pointerdown", () => {
    const [began, before] = [performance.now(), total()];
    last = began;
    const look = () => {
      const took = performance.now() - began;
      if (total() !== before) setTimeout(() => window.drawn.push(performance.now() - began));
      else if (took < 2000 && last === began) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}"""


def drawn(browser: Browser, club: Club, events: int, slower: int) -> tuple[list[float], float]:
    """The milliseconds of some taps that enter an act, and of the first screen on a dead network."""
    record = by_seats(simulate(catalog.find("zigzag"), 1, {"hands": 30}))
    played = [event for event in record.events[1:] if not isinstance(event, Deal)]
    acts = [event for event in played[events:] if isinstance(event, ACTS)]
    link, _record_id = club.open(record.opening, played[:events])
    context = browser.new_context(**PHONE, service_workers="allow")  # type: ignore[arg-type]  # the fields of a phone
    page = context.new_page()
    thumb = open_recorder(page, link)
    page.wait_for_selector("html[data-rules=ready][data-offline=ready]", timeout=120_000)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(WATCH)
    for act in acts[:TAPS]:
        thumb.enter(act)
    times = page.evaluate("window.drawn")
    context.set_offline(True)
    begin = perf_counter()
    page.reload(wait_until="commit")
    page.wait_for_selector("html[data-known]", state="attached")
    first = 1000 * (perf_counter() - begin)
    context.close()
    return times, first


def main() -> None:
    """Prints a line for each size and speed."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        club, browser = (
            Club(Path(folder)),
            playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"]),
        )
        for events in (300, 700):
            for slower in (1, 4):
                times, first = drawn(browser, club, events, slower)
                most = quantiles(times, n=20)[-1]
                sys.stdout.write(
                    f"{events} events, CPU x{slower}: tap to drawn {median(times):.0f} ms, 95 % {most:.0f} ms"
                    f" ({len(times)} taps); on a dead network {first:.0f} ms\n"
                )
        browser.close()
        club.kill()


if __name__ == "__main__":
    main()
