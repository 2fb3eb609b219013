"""A network that hangs, a proxy whose server is down, a first visit before a table without a network."""

from __future__ import annotations

import pytest
from alone import PATIENCE, ZIGZAG, ZIGZAG_ACTS, assert_in_ledger, begin_here, id_of, wait_until_kept
from at_table import open_recorder
from club import RULES, WORKER, Club, phone_with
from playwright.sync_api import BrowserContext, expect
from relay import relay

from ledger.games import catalog
from ledger.play.simulate import simulate


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
        for mode in ("hangs", "sick"):
            network.turn(mode)
            page.goto(f"{network.address}/r/{record_id}")
            page.wait_for_selector("html[data-known]")
            expect(page.locator("#ask")).to_be_visible()
            page.goto(f"{network.address}/new")
            expect(page.locator("#begin h1")).to_have_text("New game")
            page.goto(network.address)
            expect(page.locator("#begin h1")).to_have_text("New game")
        network.turn("ok")
        page.goto(f"{network.address}/r/{record_id}")
        expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)


@phone_with(RULES)
@pytest.mark.parametrize("path", ["/", "/new"])
def test_a_first_visit_is_enough_for_a_whole_game_without_a_network(
    phone: BrowserContext, club: Club, path: str
) -> None:
    page = phone.new_page()
    page.goto(club.address + path)
    page.wait_for_selector("html[data-offline=ready][data-rules=kept]", state="attached", timeout=PATIENCE)
    phone.set_offline(True)
    page.goto(f"{club.address}/new")
    thumb = begin_here(page, ZIGZAG.opening)
    for act in ZIGZAG_ACTS[:2]:
        thumb.enter(act)
    wait_until_kept(thumb)
    record_id = id_of(page)
    phone.set_offline(False)
    expect(page.locator("#sync")).to_have_text("Saved", timeout=PATIENCE)
    assert_in_ledger(club, record_id, 2)
