"""A network that hangs, a proxy whose server is down, a first visit before a table without a network."""

import re

import pytest
from alone import PATIENCE, ZIGZAG, ZIGZAG_ACTS, begin_here, id_of, wait_until_kept
from at_table import acts_of, open_recorder, plain
from club import RULES, WORKER, Club, phone_with
from playwright.sync_api import BrowserContext, expect
from relay import relay

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import Bid
from ledger.stores.store import SqliteStore


@phone_with(WORKER)
def test_the_pages_open_from_the_store_when_the_network_hangs_or_the_server_is_sick(
    phone: BrowserContext, club: Club
) -> None:
    link, record_id = club.open(simulate(catalog.find("ziggurat"), 2).opening)
    with relay(club.port) as network:
        page = phone.new_page()
        open_recorder(page, link.replace(club.address, network.address))
        page.wait_for_selector("html[data-offline=ready]")
        # The page that is open keeps the worker's trust in the network as it is: each mode is a visit of its own.
        for mode in ("hangs", "sick", "holds"):
            network.turn(mode)
            page.goto(f"{network.address}/r/{record_id}")
            page.wait_for_selector("html[data-known]")
            expect(page.locator("#ask")).to_be_visible()
            page.goto(f"{network.address}/new")
            expect(page.locator("#begin h1")).to_have_text("New game")
            expect(page.locator("#not-yet")).to_be_hidden()
            page.goto(network.address)
            expect(page.locator("#begin h1")).to_have_text("New game")
            expect(page.locator("#not-yet")).to_contain_text("The ledger does not answer" if mode == "sick"
                                                             else "The ledger has not answered yet")  # fmt: skip
        page.evaluate("globalThis.standsIn = true")
        network.release()
        expect(page.locator("#not-yet")).to_have_count(0)  # the ledger's page took its place
        expect(page.get_by_role("link", name="New game").first).to_be_visible()
        assert not page.evaluate("globalThis.standsIn")
        page.goto(f"{network.address}/r/{record_id}")
        expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)


def test_pages_go_on_by_themselves_after_a_server_that_was_sick(phone: BrowserContext, club: Club) -> None:
    record = simulate(catalog.find("ziggurat"), 2)
    link, record_id = club.open(record.opening)
    with relay(club.port) as network:
        pages = [phone.new_page(), phone.new_page()]
        watcher, recorder = pages
        watcher.goto(f"{network.address}/g/{record_id}")
        open_recorder(recorder, link.replace(club.address, network.address))
        expect(watcher.locator("#on-air")).to_be_visible()
        expect(recorder.locator("#sync")).to_have_text("Saved")
        network.turn("sick")
        with SqliteStore(club.path) as store:
            Recorder(store).append(record_id, record.events[1])
        # Nobody says of an old table that it is the one of now.
        expect(watcher.locator("#on-air")).to_be_hidden(timeout=PATIENCE)
        expect(recorder.locator("#sync")).to_have_text(re.compile("^Saved until "), timeout=PATIENCE)
        network.turn("ok")
        expect(watcher.locator("#rows > li[id]")).to_have_count(2, timeout=PATIENCE)
        expect(recorder.locator("#sync")).to_have_attribute("data-total", "2", timeout=PATIENCE)
        expect(watcher.locator("#on-air")).to_be_visible()
        expect(recorder.locator("#sync")).to_have_text("Saved")


@phone_with(RULES)
@pytest.mark.parametrize("path", ["/", "/new", "/g/shown", "/players"])
def test_a_first_visit_is_enough_for_a_whole_game_without_a_network(
    phone: BrowserContext, club: Club, path: str
) -> None:
    with SqliteStore(club.path) as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 2), "shown")
    page = phone.new_page()
    page.goto(club.address + path)
    page.wait_for_selector("html[data-offline=ready][data-rules=kept]", state="attached", timeout=PATIENCE)
    phone.set_offline(True)
    # A page that only the ledger has cannot open: there is what can be done on this phone.
    page.goto(f"{club.address}/g/another")
    expect(page.locator("#instead")).to_be_visible()
    page.locator("#instead").get_by_role("link", name="begin a new game").tap()
    thumb = begin_here(page, ZIGZAG.opening)
    thumb.choose_kind("bid")
    bids = [act for act in ZIGZAG_ACTS if isinstance(act, Bid)][:2]
    for act in bids:
        thumb.enter(act)
    wait_until_kept(thumb)
    record_id = id_of(page)
    page.goto(f"{club.address}/on-this-phone")
    expect(page.locator(f"[data-game='{record_id}']")).to_be_visible()
    expect(page.locator("#instead")).to_be_hidden()
    page.goto(f"{club.address}/r/{record_id}")
    page.wait_for_selector("html[data-view=record][data-ready]", timeout=PATIENCE)
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)
    assert acts_of(club.read(record_id)) == [plain(act) for act in bids]
