"""`python -m tests.bench.viewer`: what a page of the largest game costs, on the server and in a browser.

The server's figures are CPU as multiples of an empty Flask answer in the same run; the browser's are milliseconds of a
step of the script, with the CPU slowed four times, and the time to the next frame.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import sys
import threading
import time
from collections.abc import Callable

from flask import Flask

from ledger import catalog
from ledger.recorder import Recorder
from ledger.simulate import simulate
from ledger.stores.memory import MemoryStore
from viewer.app import create_app
from viewer.pages.routes import render, replay_of

STEP = """async () => {
  const key = (name) => dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const script = [], frame = [];
  dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  for (let n = 0; n < 160; n += 1) {
    await new Promise(requestAnimationFrame);
    const begin = performance.now();
    key(n < 80 ? "ArrowRight" : "ArrowLeft");
    document.body.offsetHeight;
    script.push(performance.now() - begin);
    await new Promise(requestAnimationFrame);
    frame.push(performance.now() - begin);
  }
  return { script, frame };
}"""


def spread(values: list[float]) -> str:
    """A median with the 95th percentile and the greatest."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):.2f} (p95 {ordered[int(len(ordered) * 0.95)]:.2f}, most {ordered[-1]:.2f})"


def per_call(call: Callable[[], object], times: int) -> float:
    """Seconds of CPU of one call."""
    call()
    begin = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - begin) / times


def server(store: MemoryStore, name: str) -> None:
    """Prints what the page costs on the server."""
    app, bare = create_app(lambda: store), Flask("empty")
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


def browser(store: MemoryStore, name: str) -> None:
    """Prints what a step costs in a browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium: steps are not measured")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  only here
    from waitress import create_server  # noqa: PLC0415

    running = create_server(create_app(lambda: store), host="127.0.0.1", port=0, threads=2)
    threading.Thread(target=running.run, daemon=True).start()
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = found.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{running.effective_port}/g/{name}")
        page.wait_for_selector("html[data-ready]")
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        figures = page.evaluate(STEP)
        found.close()
    print(f"a step, script and layout: {spread(figures['script'])} ms at a CPU slowed four times")
    print(f"a step, to the next frame: {spread(figures['frame'])} ms")


def main() -> None:
    """Prints the figures."""
    store = MemoryStore()
    record = simulate(catalog.find("ziggurat"), 3, {"set": 12})
    name = Recorder(store).import_record(record)
    print(f"Python {sys.version.split()[0]}; Ziggurat with the double-twelve set, {len(record.events)} events")
    server(store, name)
    browser(store, name)


if __name__ == "__main__":
    main()
