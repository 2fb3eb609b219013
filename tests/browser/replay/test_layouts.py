"""What a step or a tap lays out: Chromium's trace and its counts say so."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from at_table import open_recorder
from club import Club, visit, wait_for_frames
from playwright.sync_api import Browser, BrowserContext

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from temporary import TemporaryStore
from viewer.app import create_app

STEPS = 25
"""At each size; the steps at the second one go on where those at the first one ended."""
SIZES = {"phone": (390, 844), "wide": (1280, 900)}
GAMES = {"ziggurat": {"set": 12}, "build-up": {}}
PRESS = """async (steps) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
  for (let n = 0; n < steps; n++) {
    await frame();
    document.documentElement.getBoundingClientRect();
    performance.mark("press");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    document.documentElement.getBoundingClientRect();
    performance.mark("pressed");
    document.body.dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowRight", bubbles: true }));
  }
}"""
"""Presses a key again and again, and asks for a place, which is laid out with all that the key has changed."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """A server with a game of each kind."""
    from serving import serving

    store = TemporaryStore()
    for name, options in GAMES.items():
        Recorder(store).import_record(simulate(catalog.find(name), 3, options), name)
    with serving(create_app(store.reopen), threads=4) as address:
        yield address


def times(events: list[dict[str, Any]], name: str) -> list[float]:
    """When the page marked something, in order."""
    return sorted(event["ts"] for event in events if event["name"] == name and "user_timing" in event["cat"])


@pytest.mark.parametrize("game", GAMES)
def test_no_step_lays_out_the_whole_page(browser: Browser, site: str, game: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    visit(page, f"{site}/g/{game}?ply=0")
    page.wait_for_selector(".stage:not([aria-busy])")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        wait_for_frames(page)
        page.evaluate(PRESS, 2)
        browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing"])
        page.evaluate(PRESS, STEPS)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        spans = list(zip(times(events, "press"), times(events, "pressed"), strict=True))
        assert len(spans) == STEPS, size
        layouts = [event for event in events if event["name"] == "Layout" and "beginData" in event["args"]]
        inside = [[event for event in layouts if begin <= event["ts"] <= end] for begin, end in spans]
        assert sum(map(bool, inside)) > STEPS * 0.9, size
        partial = [all(e["args"]["beginData"]["partialLayout"] for e in of_step) for of_step in inside]
        assert [n for n, only_a_part in enumerate(partial) if not only_a_part] == [], size
    context.close()


def test_a_tap_lays_out_the_page_to_draw_it_and_not_to_measure_it(phone: BrowserContext, club: Club) -> None:
    link, _id = club.open(simulate(catalog.find("zigzag"), 5).opening)
    page = phone.new_page()
    open_recorder(page, link)
    session = phone.new_cdp_session(page)
    session.send("Performance.enable")

    def count() -> int:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(int(metric["value"]) for metric in metrics if metric["name"] == "LayoutCount")

    taps, before = 12, count()
    for n in range(taps):
        page.locator("#seats .seat").nth(n % 3).tap()
        page.locator(f"#seats li:nth-child({n % 3 + 1}) [aria-pressed=true]").wait_for()
    # One for each seat that was not pressed yet; Playwright looks where it is, too.
    assert taps - 1 <= count() - before <= 2 * taps
