"""A reader comments on the move that is shown, and finds the comment under it; the recorder folds it away."""

from pathlib import Path

from club import visit
from playwright.sync_api import Page

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore


def test_a_comment_is_written_on_the_move_that_is_shown(page: Page, address: str, ledger: Path) -> None:
    key, width = new_key(), (page.viewport_size or {"width": 0})["width"]
    record_id = f"commented{width}"
    with SqliteStore(ledger) as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), record_id)
        store.put([Key(record_id, key_digest(key))])
    visit(page, f"{address}/g/{record_id}#7")
    page.locator(".moves [data-comment]").click()
    dialog = page.locator("dialog:has(#commenting)")
    assert dialog.locator("#about-move").inner_text() == page.locator("#p7 > a").get_attribute("aria-label")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    page.locator(".moves [data-comment]").click()
    dialog.locator("textarea").fill("Why not <b2>?")
    dialog.locator("[name=author]").fill("Zoë")
    dialog.get_by_role("button", name="Add comment").click()
    page.wait_for_selector("#p7 .said")
    assert page.locator("#p7 .said").text_content() == "“Why not <b2>?” — Zoë"
    assert page.url.endswith(f"/g/{record_id}#7")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The page remembers the name.
    page.wait_for_selector("html[data-ready]")
    assert page.locator("[name=author]").input_value() == "Zoë"
    # Only the recorder's phone offers to fold it away.
    assert page.get_by_role("button", name="Fold away").count() == 0
    page.evaluate("([id, key]) => localStorage.setItem(`domino-ledger.key.${id}`, key)", [record_id, key])
    page.reload()
    page.get_by_role("button", name="Fold away").click()
    page.get_by_text("Folded away by the recorder").wait_for()
    assert page.locator("#p7 .said").count() == 0
    page.get_by_role("button", name="Show to all").click()
    page.wait_for_selector("#p7 .said")
