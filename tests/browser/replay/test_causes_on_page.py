"""The page of a game says what explains its mistakes, and a recorder's phone corrects them with one tap."""

from pathlib import Path

from club import visit
from playwright.sync_api import Page, expect

from ledger.keep.recorder import key_digest, new_key
from ledger.keep.stored_audits import explain_stored, refresh
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from planted_slips import plant


def test_the_causes_arrive_and_one_tap_makes_the_correction(page: Page, address: str, ledger: Path) -> None:
    key, width = new_key(), (page.viewport_size or {"width": 0})["width"]
    record_id, slip = f"slip{width}", plant("build-up", "act-forgotten", 1)
    assert slip
    with SqliteStore(ledger) as store:
        store.append(record_id, 0, slip.record.events)
        store.put([Key(record_id, key_digest(key))])
    visit(page, f"{address}/g/{record_id}")
    # A server does this in the background.  The page asks for it, and the reader need not.
    with SqliteStore(ledger) as store:
        list(refresh(store))
        assert record_id in explain_stored(store, 99)
    expect(page.locator("#causes")).to_contain_text("nothing else would be wrong")
    expect(page.locator("#rows .slip")).to_have_count(1)
    fix = page.locator("#causes [data-fix]").first
    assert not fix.is_visible(), "only a recorder may correct"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("([id, key]) => localStorage.setItem(`domino-ledger.key.${id}`, key)", [record_id, key])
    page.reload()
    page.wait_for_selector("html[data-ready]")
    fix.click()
    page.get_by_text("No mistakes found").first.wait_for()
    page.get_by_text("this explains the findings").wait_for()
    expect(page.locator("#only")).to_be_hidden()  # a game without mistakes shows no flag
    with SqliteStore(ledger) as store:
        assert store.version(record_id) == len(slip.record.events) + 1
