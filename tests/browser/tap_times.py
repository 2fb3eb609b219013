"""How soon the recorder's page shows a tap, and how soon it opens where the network does not answer.

``PYTHONPATH=tests python tests/browser/tap_times.py`` needs the runtime, Playwright and a Chromium: its own, or the one
that ``CHROMIUM`` names.  For games of 300 and 700 events, and a processor as it is and four times slower, it prints the
milliseconds from the tap that enters an act until the page is drawn, and until a game opens on a dead network.  With
``--against FOLDER`` a checkout of another commit, with its own ``.venv`` and runtime, takes turns with this one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from at_table import by_seats, open_recorder
from club import PHONE, Club
from playwright.sync_api import Browser, sync_playwright

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Deal

TAPS, TURNS = 20, 3
HERE = Path(__file__).resolve()
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
    link, record_id = club.open(record.opening)
    # Another checkout may have the store in another module.
    with vars(sys.modules["club"])["SqliteStore"](club.path) as store:
        for event in played[:events]:
            Recorder(store).append(record_id, event)
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


def one_turn(events: int, slower: int) -> None:
    """Prints the times of the checkout that Python finds, for `turn_of`."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        club = Club(Path(folder))
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        sys.stdout.write(json.dumps(drawn(browser, club, events, slower)))
        browser.close()
        club.kill()


def turn_of(checkout: Path, *how: int) -> tuple[list[float], float]:
    """The times of a checkout, in a process of its own Python."""
    path = os.pathsep.join(str(checkout / folder) for folder in ("tests", "tests/browser"))
    command = [str(checkout / ".venv/bin/python"), "-P", str(HERE), "--turn", *map(str, how)]
    answer = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, cwd=checkout, stdout=-1, check=True)
    return tuple(json.loads(answer.stdout))


def main() -> None:
    """Prints a line for each checkout, size and speed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="another checkout, measured in turns with this one")
    parser.add_argument("--turn", type=int, nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.turn:
        return one_turn(*asked.turn)
    checkouts = [HERE.parents[2], *([asked.against.resolve()] if asked.against else [])]
    for how in product((300, 700), (1, 4)):
        turns = [(checkout, *turn_of(checkout, *how)) for _ in range(TURNS) for checkout in checkouts]
        for checkout in checkouts:
            times = [time for one, some, _first in turns if one == checkout for time in some]
            first = median(first for one, _some, first in turns if one == checkout)
            sys.stdout.write(
                f"{checkout.name}, {how[0]} events, CPU x{how[1]}: tap to drawn {median(times):.0f} ms, 95 % "
                f"{quantiles(times, n=20)[-1]:.0f} ms ({len(times)} taps); on a dead network {first:.0f} ms\n"
            )
    return None


if __name__ == "__main__":
    main()
