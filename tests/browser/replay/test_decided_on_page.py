"""Where a game was decided: nothing of it is on the page until somebody opens the fold; then list and chart say it."""

from pathlib import Path

from club import visit
from playwright.sync_api import Page, expect

from ledger.examples.season import season
from ledger.stores.store import SqliteStore


def test_the_fold_is_filled_when_it_is_opened_and_the_list_marks_the_move(
    page: Page, address: str, ledger: Path
) -> None:
    width = (page.viewport_size or {"width": 0})["width"]
    record = next(example.record for example in season() if example.record.opening.game == "zigzag")
    record_id = f"decided{width}"
    with SqliteStore(ledger) as store:
        store.append(record_id, 0, record.events)
    visit(page, f"{address}/g/{record_id}")
    fold = page.locator("#decided")
    expect(fold).to_contain_text("nobody at the table saw this")
    expect(fold).not_to_contain_text("decided hand 1")
    fold.locator("summary").click()
    expect(fold).to_contain_text("Move 55 decided hand 1.", timeout=100_000)
    expect(fold.locator("svg.chart .goal")).to_have_count(1)
    expect(page.locator("#p55")).to_have_attribute("data-decided", "Move 55 decided hand 1.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    fold.locator("[data-decides]").click()
    expect(page.locator("#p55")).to_have_class("now")
    if width > 900:
        expect(page.locator("#stage .hands .better")).to_have_count(4)  # the tiles that would have been better
    fold.locator("summary").click()
    expect(page.locator("#p55")).not_to_have_attribute("data-decided", "Move 55 decided hand 1.")
