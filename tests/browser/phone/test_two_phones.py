"""Two phones that record the same game, and phones that only watch."""

import re

import pytest
from at_table import Table, acts_of, assert_recorded, lose_request, open_recorder, plain
from club import BARE, PHONE, Club
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, expect

from ledger.keep.recorder import Recorder, end_link, new_link
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from waiting import wait_until


def test_what_both_have_recorded_is_recorded_once_and_nobody_is_asked(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    page.route("**/exchange", lose_request)
    thumb.enter(acts[0])  # the other phone records the same
    thumb.enter(acts[1])
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, acts[0])
    page.unroute("**/exchange")
    expect(page.locator("#last")).to_contain_text("On both phones, recorded once")
    thumb.all_recorded()
    expect(page.locator(".banner[role=alert]")).to_have_count(0)
    assert_recorded(club, record_id, acts[:2])


@pytest.mark.parametrize("choice", ["theirs", "mine"])
def test_two_acts_for_one_turn_are_drawn_and_one_tap_decides(table: Table, club: Club, choice: str) -> None:
    page, thumb, record_id, acts = table
    theirs = replace(acts[0], tile=acts[2].tile)  # type: ignore[call-arg, union-attr]  # another tile of Ana's
    page.route("**/exchange", lose_request)
    thumb.enter(acts[0])
    thumb.enter(acts[1])
    with SqliteStore(club.path) as store:
        Recorder(store).append(record_id, theirs)
    page.unroute("**/exchange")
    banner = page.locator(".versions")
    expect(page.locator("#sync")).to_have_text("Two versions")
    expect(banner.locator("h2")).to_have_text(re.compile("^Ana\u2019s move: .* or .*\\?$"))
    expect(banner).to_contain_text("Both cannot be.")
    for what in ("theirs", "mine"):
        expect(banner.locator(f"[data-what={what}] svg .ring-ink")).to_have_count(1)
    assert_recorded(club, record_id, [theirs])
    address = page.url
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator("#held .where")).to_have_text("Two versions: open it, and choose what happened.")
    page.goto(address)
    banner.locator(f"[data-what={choice}]").tap()
    thumb.all_recorded()
    expect(banner).to_have_count(0)
    first = theirs if choice == "theirs" else acts[0]
    assert acts_of(club.read(record_id))[2:] == [plain(first), plain(acts[1])]


def test_two_tabs_of_one_phone_share_what_waits_and_never_fork(table: Table, club: Club, phone: BrowserContext) -> None:
    page, thumb, record_id, acts = table
    other = open_recorder(phone.new_page(), f"{club.address}/r/{record_id}")
    phone.set_offline(True)
    thumb.cut_off = other.cut_off = True
    for count, (tab, act) in enumerate(zip((thumb, other, thumb, other), acts, strict=False), 1):
        for one in (page, other.page):
            expect(one.locator("#sync")).to_have_attribute("data-total", str(count + 2))
        tab.page.bring_to_front()
        tab.enter(act)
    for one in (page, other.page):
        expect(one.locator("#sync")).to_have_text("4 wait here")
    phone.set_offline(False)
    thumb.all_recorded()
    other.all_recorded()
    assert_recorded(club, record_id, acts[:4])


def test_a_watcher_cannot_write(phone: BrowserContext, table: Table, club: Club, browser: Browser) -> None:
    _page, _thumb, record_id, acts = table
    stranger = browser.new_context(**PHONE)  # type: ignore[arg-type]
    stranger.add_init_script(BARE)
    page = stranger.new_page()
    thumb = open_recorder(page, f"{club.address}/r/{record_id}")
    expect(page.locator("#sync")).to_contain_text("Live")
    thumb.choose(acts[0])
    thumb.act(acts[0])
    expect(page.locator("#hint")).to_contain_text("This phone only watches")
    expect(page.locator("#sync")).to_contain_text("Live")
    assert_recorded(club, record_id, [])
    stranger.close()
    assert phone.pages


def test_a_phone_whose_link_was_ended_says_so_and_goes_on_with_a_new_one(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    with SqliteStore(club.path) as store:
        (link,) = store.kept(Key, record_id)
        end_link(store, record_id, link.digest)
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    expect(page.locator("#panels")).to_contain_text(
        "1 entry waits on this phone. This link does not record: the owner has ended it, or it is for watching only. "
        "Ask the owner of the ledger for a new recorder\u2019s link."
    )
    assert_recorded(club, record_id, [])
    with SqliteStore(club.path) as store:
        key = new_link(store, record_id, "record")
    page.goto(f"{club.address}/r/{record_id}#{key}")
    page.reload()  # only the fragment changed
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])


def test_where_a_ledger_is_only_shown_an_entry_stays_on_the_phone(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    club.kill()
    club.start("--read-only")
    thumb.enter(acts[0])
    expect(page.locator("#sync")).to_have_text("1 waits here")
    expect(page.locator("#panels")).to_contain_text("This ledger is read-only")
    assert_recorded(club, record_id, [])
    club.kill()
    club.start()
    page.reload()
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:1])


def test_a_ledger_that_was_set_back_gets_the_rest_back(table: Table, club: Club) -> None:
    page, thumb, record_id, acts = table
    copy = club.path.with_name("copy.sqlite")
    with SqliteStore(club.path) as store:
        store.connection.copy_to(copy)
    thumb.enter(acts[0])
    thumb.all_recorded()
    before = links(club, record_id)
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    copy.rename(club.path)
    club.start()
    # The stream tells the page that the ledger has less, and the page hands in the rest: without a tap.
    wait_until(lambda: links(club, record_id) == before, "the entry is there again")
    expect(page.locator("#sync")).to_have_text("Saved")
    expect(page.locator(".banner[role=alert]")).to_have_count(0)
    thumb.enter(acts[1])
    thumb.all_recorded()
    assert_recorded(club, record_id, acts[:2])


def links(club: Club, record_id: str) -> list[bytes]:
    """The chain of a record."""
    with SqliteStore(club.path) as store:
        return [entry.link for entry in store.log(of=record_id)]


def test_an_unknown_game_is_reported(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    answer = page.goto(f"{club.address}/r/zzzzzzzzzz")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("#status")).to_contain_text("There is no game “zzzzzzzzzz” in this ledger")
    expect(page.locator("#undo")).to_be_hidden()
