"""The ledger's disk is lost: a new one with the old owner's key is whole again when phones have opened a page."""

from club import BARE, PHONE, Club
from playwright.sync_api import Browser, expect
from test_recorder_page import links

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore

OWNER = new_key()
RECORD = simulate(catalog.find("zigzag"), 5, {"hands": 1})


def own(club: Club) -> None:
    """Gives the ledger its owner."""
    with SqliteStore(club.path) as store:
        store.put([Key("", key_digest(OWNER), "owner")])


def test_a_lost_ledger_is_whole_again_when_phones_open_a_page(club: Club, browser: Browser) -> None:
    own(club)
    games = [club.open(RECORD.opening) for _ in range(2)]
    for _, record_id in games:
        with SqliteStore(club.path) as store:
            Recorder(store).append_entries(
                record_id, 1, RECORD.events[1:], [f"{record_id}-{n:04}" for n in range(1, len(RECORD.events))], []
            )
    phones = [browser.new_context(**PHONE, service_workers="block") for _ in range(2)]  # type: ignore[arg-type]
    for phone, (link, record_id), other in zip(phones, games, reversed(games), strict=True):
        phone.add_init_script(BARE)
        page = phone.new_page()
        for address in (link, f"{club.address}/r/{other[1]}"):
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
        page.goto(f"{club.address}/on-this-phone")
        expect(page.locator("#held .where").filter(has_text="In the ledger, and the same.")).to_have_count(2)
        assert record_id in (page.locator("#held").inner_html())
    before = {record_id: links(club, record_id) for _, record_id in games}
    club.kill()
    for part in club.path.parent.glob("club.sqlite*"):
        part.unlink()
    own(club)
    club.start()
    page = phones[0].pages[0]
    page.reload()
    expect(page.locator("#held .where").filter(has_text="In the ledger, and the same.")).to_have_count(2)
    assert {record_id: links(club, record_id) for _, record_id in games} == before
    # The second phone brings the key to its game: what it records goes on.
    phones[1].pages[0].reload()
    expect(phones[1].pages[0].locator("html[data-ready=yes]")).to_be_attached()
    with SqliteStore(club.path) as store:
        for link, record_id in games:
            assert questions.roles(store, record_id, key_digest(link.rpartition("#")[2])) == {"record"}
    for phone in phones:
        phone.close()
