"""`python -m tests.bench.phone`: how soon is a tap judged on a phone, and does the start of the rules stop a thumb?

A real server and Chromium, at the size of a phone, with a game of Zigzag after some 300 events.  A tap on a tile of a
player who is not next is timed in the page until the warning is shown, without a network.  Then the same with the page
slowed four times.  A browser slows only the page, not its workers, where the rules take one or two milliseconds.  The
runtime must be built (`make runtime`).
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Play
from ledger.stores.beside import Key
from ledger.stores.sqlite import SqliteStore

EVENTS, TAPS, SLOWER = 300, 60, 4
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WATCH = """
window.long = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) window.long.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
const marks = new MutationObserver(() => {
  const { ready, rules } = document.documentElement.dataset;
  // Usable is what has been drawn.
  if (ready) requestAnimationFrame(() => setTimeout(() => (window.usable ??= performance.now())));
  if (rules) window.ruled ??= performance.now();
});
marks.observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready", "data-rules"] });
"""
TAP = """async (count) => {
  document.querySelector("#seats button:not(.turn)").click();
  const times = [];
  for (let n = 0; n < count; n += 1) {
    const tile = document.querySelector("#tray [data-tile]");
    const shown = new Promise((resolve) => {
      const dialog = document.getElementById("doubt");
      const seen = new MutationObserver(() => {
        if (!dialog.open) return;
        seen.disconnect();
        resolve();
      });
      seen.observe(dialog, { attributes: true });
    });
    const begin = performance.now();
    tile.click();
    await shown;
    times.push(performance.now() - begin);
    document.querySelector("#doubt [data-close]").click();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return times;
}"""


def part(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(what: str, values: Sequence[float]) -> None:
    """Prints the median, the 95 % and the greatest of some milliseconds."""
    print(f"{what}: median {statistics.median(values):.1f} ms, 95 % {part(values, 0.95):.1f}, most {max(values):.1f}")


def begun(path: Path) -> tuple[str, str]:
    """A record of a long game: its id and the key."""
    record = simulate(catalog.find("zigzag"), 3, {"hands": 12})
    key = new_key()
    with SqliteStore(path) as store:
        recorder = Recorder(store, find_game=catalog.find)
        record_id = recorder.open(record.opening)
        store.put([Key(record_id, key_digest(key))])
        acts = [event for event in record.events if isinstance(event, ACTS)]
        middle = [n for n in range(1, len(acts)) if isinstance(acts[n - 1], Play) and isinstance(acts[n], Play)]
        for act in acts[: next(n for n in middle if n >= EVENTS)]:
            recorder.append(record_id, act)
    return record_id, key


def boot(context: BrowserContext, link: str, what: str) -> Page:
    """Opens the recorder, and prints when it was usable, when the rules were there, and what stopped a thumb."""
    page = context.new_page()
    sent: list[int] = []
    page.on(
        "response",
        lambda answer: sent.append(int(answer.headers["content-length"])) if "/runtime/" in answer.url else None,
    )
    page.goto(link)
    page.wait_for_selector("html[data-rules=ready]", timeout=120_000)
    page.wait_for_timeout(2000)
    usable, ruled, long = page.evaluate("[window.usable, window.ruled, window.long]")
    after = [round(duration) for start, duration in long if start > usable]
    fetched = f"{sum(sent) / 1e6:.1f} MB of them fetched"
    print(f"{what}: usable after {usable:.0f} ms, the rules {ruled - usable:.0f} ms later, {fetched}")
    print(f"tasks of 50 ms or more on the page's thread meanwhile: {after or 'none'}")
    return page


def main() -> None:
    """Prints the figures."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), 8765
        record_id, key = begun(folder / "a.sqlite")
        serve = [sys.executable, "-m", "ledger", "--ledger", str(folder / "a.sqlite"), "serve", "--port", str(port)]
        server = subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)
            context = playwright.chromium.launch_persistent_context(
                folder / "profile", executable_path=chromium, args=["--no-sandbox", "--disable-gpu"], **PHONE
            )
            context.add_init_script(WATCH)
            link = f"http://127.0.0.1:{port}/r/{record_id}#{key}"
            boot(context, link, "first visit").close()
            page = boot(context, link, "next visit")
            print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            context.set_offline(True)
            page.evaluate(TAP, 10)
            show("from the tap to the warning", page.evaluate(TAP, TAPS))
            session = context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            show(f"the same, the page {SLOWER} times slower", page.evaluate(TAP, TAPS))
            context.close()
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
