"""`python -m tests.bench.viewer`: the cost of a page of the largest game, on the server and in a browser.

The server's figures are CPU as multiples of an empty Flask answer in the same run.  The browser's are milliseconds of
CPU of the page's main thread from a key press to the frame that shows its step, times four: the time on a phone that is
four times slower than this machine.  The time of other programs does not count.
"""

from __future__ import annotations

import gzip
import json
import math
import shutil
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from flask import Flask

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pages.page_routes import render, replay_of

STEPS, SLOWED = 80, 4
SCRIPT, LAYOUT, PAINT = {"EventDispatch"}, {"UpdateLayoutTree", "Layout"}, {"PrePaint", "Paint", "Layerize"}


def spread(values: list[float]) -> str:
    """A median with the 95th percentile and the greatest."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):.2f} (p95 {ordered[int(len(ordered) * 0.95)]:.2f}, most {ordered[-1]:.2f})"


def per_call(call: Callable[[], object], times: int) -> float:
    """The CPU seconds of one call."""
    call()
    begin = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - begin) / times


def server(store: TemporaryStore, name: str) -> None:
    """Prints the cost of the page on the server."""
    app, bare = create_app(store.reopen), Flask("empty")
    bare.get("/")(lambda: "ok")
    client, empty = app.test_client(), bare.test_client()
    packed = {"Accept-Encoding": "gzip"}
    page = client.get(f"/g/{name}", headers=packed).data
    print(f"page: {len(page):,} bytes compressed, {len(gzip.decompress(page)):,} plain")
    rounds: dict[str, list[float]] = {"kept page": [], "page at ?ply=": [], "templates alone": []}
    with app.test_request_context(f"/g/{name}"):
        ready = replay_of(name)
        for _ in range(7):
            floor = per_call(lambda: empty.get("/"), 300)
            rounds["kept page"].append(per_call(lambda: client.get(f"/g/{name}", headers=packed), 100) / floor)
            rounds["page at ?ply="].append(per_call(lambda: client.get(f"/g/{name}?ply=40"), 20) / floor)
            rounds["templates alone"].append(per_call(lambda: render(ready, "replay.html", 40), 20) / floor)
    for what, values in rounds.items():
        print(f"{what}: {statistics.median(values):.1f} empty answers ({min(values):.1f}-{max(values):.1f})")


def browser(store: TemporaryStore, name: str) -> None:
    """Prints the cost of a step in a browser."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        print("no chromium: steps are not measured")
        return
    from playwright.sync_api import sync_playwright
    from waitress import create_server

    running = create_server(create_app(store.reopen), host="127.0.0.1", port=0, threads=2)
    threading.Thread(target=running.run, daemon=True).start()
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = found.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{running.effective_port}/g/{name}")
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("Home")
        found.start_tracing(page=page, categories=["devtools.timeline", "toplevel"])
        for n in range(2 * STEPS):
            page.keyboard.press("ArrowRight" if n < STEPS else "ArrowLeft")
            page.wait_for_timeout(60)
        trace = json.loads(found.stop_tracing())["traceEvents"]
        found.close()
    figures = steps(trace)
    for what, kinds in (
        ("script", SCRIPT),
        ("style and layout", LAYOUT),
        ("script, style and layout", SCRIPT | LAYOUT),
        ("all, with paint", SCRIPT | LAYOUT | PAINT),
    ):
        print(f"a step, {what}: {spread([sum(map(one.get, kinds)) for one in figures])} ms of CPU, times {SLOWED}")


def steps(trace: list[dict[str, Any]]) -> list[Counter[str]]:
    """Milliseconds of CPU, times four, from each key press to the end of its first frame, by the kind of work."""
    keys = [e for e in trace if e["name"] == "EventDispatch" and e["args"]["data"]["type"] == "keydown"]
    thread = Counter((e["pid"], e["tid"]) for e in keys).most_common(1)[0][0]
    work = sorted(
        (e for e in trace if (e["pid"], e["tid"]) == thread and "tdur" in e and e["name"] in SCRIPT | LAYOUT | PAINT),
        key=lambda e: e["ts"],
    )
    begins = [e["ts"] for e in keys]
    figures = []
    for begin, end in pairwise((*begins, math.inf)):
        one: Counter[str] = Counter(dict.fromkeys(SCRIPT | LAYOUT | PAINT, 0))
        for event in work:
            if not begin <= event["ts"] < end or (event["name"] == "EventDispatch" and event["ts"] != begin):
                continue
            one[event["name"]] += event["tdur"] / 1000 * SLOWED
            # The last work of a frame: what comes later waits until the step is seen.
            if event["name"] == "Layerize":
                break
        figures.append(one)
    return figures


def main() -> None:
    """Prints the figures."""
    store = TemporaryStore()
    record = simulate(catalog.find("ziggurat"), 3, {"set": 12})
    name = Recorder(store).import_record(record)
    print(f"Python {sys.version.split()[0]}; Ziggurat with the double-twelve set, {len(record.events)} events")
    server(store, name)
    browser(store, name)


if __name__ == "__main__":
    main()
