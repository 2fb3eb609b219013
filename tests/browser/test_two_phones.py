"""Two phones that record the same game, and phones that only watch."""

from __future__ import annotations

import re

from at_table import Table, assert_recorded, lose_request, open_recorder
from club import BARE, PHONE, Club
from playwright.sync_api import Browser, BrowserContext, expect

from ledger.keep.recorder import Recorder
from ledger.stores.sqlite import SqliteStore


def test_of_two_who_record_the_second_sees_the_first_and_chooses(
    table: Table, club: Club, phone: BrowserContext
) -> None:
    page, thumb, record_id, acts = table
    key = page.evaluate(f"localStorage.getItem('domino-ledger.key.{record_id}')")
    other = open_recorder(phone.new_page(), f"{club.address}/r/{record_id}#{key}")
    page.route("**/events", lose_request)
    thumb.enter(acts[0])  # the other phone records the same
    thumb.enter(acts[1])
    other.page.evaluate("indexedDB.deleteDatabase('nothing')")
    with SqliteStore(club.path) as store:  # the other phone, which has a disk of its own
        Recorder(store).append(record_id, acts[0])
    page.unroute("**/events")
    banner = page.locator(".banner[role=alert]")
    expect(banner).to_contain_text("Another phone has recorded something in the meantime", timeout=20000)
    boxes = banner.locator("[data-keep]")
    expect(boxes).to_have_count(2)
    assert not boxes.nth(0).is_checked()
    assert boxes.nth(1).is_checked()
    assert_recorded(club, record_id, acts[:1])
    banner.get_by_role("button", name="Continue").tap()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:2])


def test_what_one_records_the_other_sees_without_asking(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, acts[0])
    expect(page.locator("#sync")).to_have_attribute("data-total", "4")
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:2])


def test_a_watcher_cannot_write(phone: BrowserContext, table: Table, club: Club, browser: Browser) -> None:
    _page, _thumb, record_id, acts = table
    stranger = browser.new_context(**PHONE)  # type: ignore[arg-type]
    stranger.add_init_script(BARE)
    page = stranger.new_page()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")
    expect(page.locator("#sync")).to_contain_text("Watching only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_contain_text("Watching only")
    page.wait_for_timeout(500)
    assert_recorded(club, record_id, [])
    stranger.close()
    assert phone.pages


def test_where_a_ledger_is_only_shown_an_entry_stays_on_the_phone(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    club.start("--read-only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("Not saved · 1 kept", timeout=20000)
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    assert_recorded(club, record_id, [])
    club.kill()
    club.start()
    page.reload()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])


def test_a_ledger_that_was_set_back_is_noticed(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    copy = club.path.with_name("copy.sqlite")
    with SqliteStore(club.path) as store:
        store.copy_to(copy)
    thumb.enter(acts[0])
    thumb.all_recorded()
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    copy.rename(club.path)
    club.start()
    # The stream says it, without a tap; and so does a page that is loaded again.
    sync, panels = page.locator("#sync"), page.locator("#panels")
    for _ in range(2):
        expect(sync).to_have_text("The ledger has less", timeout=20000)
        expect(panels).to_contain_text(re.compile("It has 3.entries, and this phone saw 4: 1 is missing there"))
        expect(sync).to_have_attribute("data-total", "4")
        page.reload()
        page.wait_for_selector("html[data-ready]")
    thumb.enter(acts[1])
    expect(sync).to_have_text("The ledger has less · 1 kept", timeout=20000)
    expect(panels.locator("h2").last).to_have_text("The ledger has less of this game than this phone saw")
    panels.get_by_role("button", name="Continue").tap()
    thumb.all_recorded()
    expect(sync).to_have_attribute("data-total", "4")
    assert_recorded(club, record_id, acts[1:2])
    expect(panels).to_contain_text("This phone keeps the one that it lost")
    page.reload()
    expect(panels).to_contain_text("This phone keeps the one that it lost")


def test_a_game_that_the_ledger_lost_stays_on_the_phone_until_it_is_back(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    moved_files = [part.rename(part.with_name(f"kept{part.name}")) for part in club.path.parent.glob("club.sqlite*")]
    club.start()
    thumb.enter(acts[0])
    sync, banner = page.locator("#sync"), page.locator(".banner[role=alert]")
    expect(sync).to_have_text("Not in the ledger · 1 kept", timeout=20000)
    expect(banner).to_contain_text("The ledger has lost this game")
    expect(banner).to_contain_text(re.compile("1.entry is safe on this phone"))
    thumb.enter(acts[1])
    page.reload()
    expect(sync).to_have_text("Not in the ledger · 2 kept", timeout=20000)
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    for part in moved_files:
        part.rename(part.with_name(part.name.removeprefix("kept")))
    club.start()
    thumb.all_recorded()
    expect(banner).to_have_count(0)
    assert_recorded(club, record_id, acts[:2])


def test_an_unknown_game_is_reported(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    answer = page.goto(f"{club.address}/r/zzzzzzzzzz")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("#status")).to_contain_text("There is no game “zzzzzzzzzz” in this ledger")
    expect(page.locator("#undo")).to_be_hidden()
