"""`python -m tests.bench.taps [CHECKOUT]`: what a tap costs on a phone, from the finger to the frame that shows it.

A real server and Chromium, at the size of a phone, in games of Zigzag after 300 and 700 events.  A legal tile is tapped
and taken back, again and again: milliseconds from the finger's event to the frame in which the judged entry stands in
the list and on the table, with the page as fast as it is and four times slower; milliseconds of the processor for all
that a tap causes, on the page's thread and on those of its workers; and what the page's heap holds after a
collection, at 300, 500 and 700 events and after 200 more taps, each taken back: all of it, then without the compiled
code, which grows while a browser learns which functions it needs often.

With another checkout of this program (`git worktree add`), its pages are measured in turn with these, tap by tap.  The
runtime must be built in both (`make runtime`).  A browser slows only the page's own thread.

With `--mistakes`, a game with two tiles recorded in each other's place is measured in turn with the same game without
that.  The thumb rests before each tap, so that the rules are searching for what explains the broken rules.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socket import create_connection, create_server
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Play
from tests.bench.phone import part

LENGTHS, TAPS, SLOWER, MORE = (300, 500, 700), 40, 4, 200
REST = 1000
"""Milliseconds without a tap in which the search for mistakes begins."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FRAME = """
let finger = 0;
addEventListener("pointerup", ({ timeStamp }) => { finger = timeStamp; }, true);
window.awaited = (total) => new Promise((resolve) => {
  const sync = document.getElementById("sync"), status = document.getElementById("status");
  const seen = new MutationObserver(() => {
    if (sync.dataset.total === total || status.dataset.sure !== "true") return;
    seen.disconnect();
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => {
        resolve(performance.now() - finger);
        drawn.port1.close(); // an open port stays in the heap
      };
      drawn.port2.postMessage(0);
    });
  });
  seen.observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true });
});
"""
"""Milliseconds from the finger to the end of the frame that shows another number of entries, judged."""
LEGAL = "#tray .tile:not(.dim), #tray [data-tile]:not(.dim):not(.gone)"


class Cost(NamedTuple):
    """What a tap took: milliseconds to the frame, and of the processor on the page's thread and on its workers'."""

    shown: float
    page: float
    workers: float


class Phone:
    """A page of the recorder in a browser context of its own, with its process."""

    def __init__(self, browser: Browser, link: str, rest: int = 0) -> None:
        self.rest = rest
        self.context = browser.new_context(**PHONE)
        self.context.add_init_script(FRAME)
        self.page: Page = self.context.new_page()
        self.page.goto(link)
        self.page.wait_for_selector("html[data-rules=ready]", timeout=180_000)
        self.page.wait_for_selector("#status[data-sure=true]", state="attached")
        self.page.wait_for_timeout(500)
        self.session: CDPSession = self.context.new_cdp_session(self.page)
        self.session.send("Performance.enable")
        self.process = _process_of(browser, self.page)

    def tap(self) -> Cost:
        """Taps a legal tile, and takes it back."""
        page = self.page
        page.wait_for_timeout(self.rest)
        before = self.spent()
        shown = self.press(LEGAL)
        page.wait_for_selector("#sync.saved")
        page.wait_for_timeout(100)  # what follows the ledger's answer
        after = self.spent()
        self.press("#undo")
        page.wait_for_selector("#sync.saved")
        page.wait_for_timeout(100)
        return Cost(shown, after[0] - before[0], after[1] - before[1])

    def press(self, what: str) -> float:
        """Taps, and returns how many milliseconds later the frame is there that shows what follows."""
        total = self.page.locator("#sync").get_attribute("data-total")
        self.page.evaluate("(total) => { window.answer = awaited(total); }", total)
        self.page.locator(what).first.tap()
        return float(self.page.evaluate("window.answer"))

    def spent(self) -> tuple[float, float]:
        """Milliseconds of the processor until now: of the page's thread, and of those of its workers."""
        page = workers = 0.0
        for task in Path(f"/proc/{self.process}/task").iterdir():
            with suppress(OSError):
                used = int((task / "schedstat").read_text().split()[0]) / 1e6
                name = (task / "comm").read_text().strip()
                page += used if task.name == str(self.process) else 0
                workers += used if name.startswith("DedicatedWorker") else 0
        return page, workers

    def heap(self) -> str:
        """Megabytes of the page's heap after a collection, with its code and without, its nodes and its listeners."""
        self.session.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in self.session.send("Performance.getMetrics")["metrics"]}
        sizes = self.sizes()
        objects = sum(size for kind, size in sizes.items() if kind not in ("code", "native", "synthetic"))
        return (
            f"{metrics['JSHeapUsedSize'] / 1e6:.2f} MB, {objects / 1e6:.3f} without code, "
            f"{metrics['Nodes']:.0f} nodes, {metrics['JSEventListeners']:.0f} listeners"
        )

    def sizes(self) -> Counter[str]:
        """Bytes of the page's heap by kind."""
        pieces: list[str] = []
        self.session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: pieces.append(event["chunk"]))
        self.session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        snapshot = json.loads("".join(pieces))
        meta, nodes = snapshot["snapshot"]["meta"], snapshot["nodes"]
        names, step = meta["node_types"][0], len(meta["node_fields"])
        sizes = Counter[str]()
        for kind, size in zip(nodes[::step], nodes[meta["node_fields"].index("self_size") :: step], strict=True):
            sizes[names[kind]] += size
        return sizes

    def slow(self, rate: int) -> None:
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


def _process_of(browser: Browser, page: Page) -> int:
    """The id of the process that draws a page: the one that has worked while the page did."""
    session = browser.new_browser_cdp_session()

    def used() -> dict[int, float]:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {one["id"]: one["cpuTime"] for one in processes if one["type"] == "renderer"}

    before = used()
    page.evaluate("() => { const end = performance.now() + 400; while (performance.now() < end); }")
    after = used()
    session.detach()
    return max(after, key=lambda process: after[process] - before.get(process, 0.0))


class Checkout:
    """A server of a checkout of this program, with a ledger of its own."""

    def __init__(self, name: str, root: Path, ledger: Path) -> None:
        self.name = name
        with create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "ledger", "--ledger", str(ledger), "serve", "--port", str(self.port)]
        self.server = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not self.answers():
            assert time.monotonic() < until, f"the server of {root} does not start"
            time.sleep(0.1)

    def answers(self) -> bool:
        with suppress(OSError), create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def begun(self, length: int, *, mistaken: bool = False) -> str:
        """The recorder's link of a game after so many events, in the middle of a hand; `mistaken`: with a mistake."""
        record = simulate(catalog.find("zigzag"), 3, {"hands": 60})
        events = list(record.events[1:])
        middle = [n for n in range(1, len(events)) if isinstance(events[n - 1], Play) and isinstance(events[n], Play)]
        end = next(n for n in middle if n >= length - 1)
        if mistaken:
            first = events[middle[0] - 1 : middle[0] + 1]
            for n, tile in zip((middle[0] - 1, middle[0]), (first[1].tile, first[0].tile), strict=True):  # type: ignore[union-attr]
                events[n] = replace(events[n], tile=tile)  # type: ignore[call-arg]
        opening = replace(record.opening, rules=None)
        begun = self.ask("/api/v1/records", {"opening": msgspec.to_builtins(opening)})
        entries = [
            {"id": f"bench{n:017}", "event": {**msgspec.to_builtins(event), "when": "2026-11-20T20:00:00Z"}}
            for n, event in enumerate(events[:end])
        ]
        for start in range(0, len(entries), 200):
            batch = {"expected": start + 1, "entries": entries[start : start + 200]}
            self.ask(f"/api/v1/records/{begun['id']}/events", batch, begun["key"])
        return f"{self.address}/r/{begun['id']}#{begun['key']}"

    def ask(self, path: str, body: Any, key: str = "") -> Any:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)  # noqa: S310  our own
        with urllib.request.urlopen(request) as answer:  # noqa: S310  our own server
            return json.load(answer)


@contextmanager
def checkouts(roots: dict[str, Path], folder: Path) -> Iterator[list[Checkout]]:
    """A server of each checkout."""
    servers = [Checkout(name, root, folder / f"{name}.sqlite") for name, root in roots.items()]
    try:
        yield servers
    finally:
        for one in servers:
            one.server.kill()
            one.server.wait()


def measure(phones: dict[str, Phone], length: int, taps: int, more: int) -> None:
    """Prints the figures of phones with games of this length, measured in turn."""
    heaps = {name: phone.heap() for name, phone in phones.items()}
    for rate in (1, SLOWER) if taps else ():
        compare(phones, length, rate, taps)
    for name, phone in phones.items():
        for _ in range(more):
            phone.press(LEGAL)
            phone.page.wait_for_selector("#sync.saved")
            phone.press("#undo")
            phone.page.wait_for_selector("#sync.saved")
        later = f"; after {more} more taps, each taken back: {phone.heap()}" if more else ""
        print(f"{name}, {length} events: heap {heaps[name]}{later}", flush=True)
        phone.context.close()


def compare(phones: dict[str, Phone], length: int, rate: int, taps: int) -> None:
    """Taps in turn, and prints what a tap took."""
    costs: dict[str, list[Cost]] = {name: [] for name in phones}
    for phone in phones.values():
        phone.slow(rate)
        phone.tap()
    for _ in range(taps):
        for name, phone in phones.items():
            costs[name].append(phone.tap())
    for name, phone in phones.items():
        phone.slow(1)
        shown, page, workers = zip(*costs[name], strict=True)
        spent = f"; processor {statistics.median(page):.1f} + {statistics.median(workers):.1f} ms" if rate == 1 else ""
        print(
            f"{name}, {length} events, CPU x{rate}: drawn after {statistics.median(shown):.1f} ms (median), "
            f"95 % within {part(shown, 0.95):.1f}{spent}",
            flush=True,
        )


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path, help="another checkout, measured in turn")
    parser.add_argument("--length", type=int, nargs="*", default=LENGTHS, help="events of the game")
    parser.add_argument("--taps", type=int, default=TAPS, help="measured taps for each speed")
    parser.add_argument("--mistakes", action="store_true", help="measure a game with a mistake instead")
    parser.add_argument("--more", type=int, default=MORE, help="taps before the heap is measured again")
    given = parser.parse_args()
    roots = {"here": Path(__file__).parents[2], **({"there": given.checkout.resolve()} if given.checkout else {})}
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        servers = stack.enter_context(checkouts(roots, Path(folder)))
        print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for length in given.length:
            if given.mistakes:
                links = {"clean": servers[0].begun(length), "mistaken": servers[0].begun(length, mistaken=True)}
            else:
                links = {one.name: one.begun(length) for one in servers}
            phones = {name: Phone(browser, link, REST if given.mistakes else 0) for name, link in links.items()}
            measure(phones, length, given.taps, given.more if length == given.length[-1] else 0)
        browser.close()


if __name__ == "__main__":
    main()
