"""The phone's own page stands in for the ledger's while the network hangs, and turns to that when it comes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from at_table import open_recorder
from club import WORKER, Club, phone_with
from playwright.sync_api import BrowserContext, Page, expect
from relay import Relay, relay

from ledger.games import catalog
from ledger.play.simulate import simulate


@pytest.fixture
def network(club: Club) -> Iterator[Relay]:
    with relay(club.port) as one:
        yield one


@pytest.fixture
def stand_in(phone: BrowserContext, club: Club, network: Relay) -> Page:
    """The page that opens at the address of the ledger while nothing answers there."""
    link, _record_id = club.open(simulate(catalog.find("ziggurat"), 2).opening)
    page = phone.new_page()
    open_recorder(page, link.replace(club.address, network.address))
    page.wait_for_selector("html[data-offline=ready]")
    if page.locator("body[data-runtime]").count():
        page.wait_for_selector("html[data-rules=ready]")
    network.turn("holds")
    page.goto(network.address)
    expect(page.locator("#not-yet")).to_contain_text("The ledger has not answered yet")
    expect(page.locator("#begin h1")).to_have_text("New game")
    page.evaluate("globalThis.standsIn = true")
    return page


def stands_in(page: Page) -> bool:
    return bool(page.evaluate("globalThis.standsIn"))


@phone_with(WORKER)
def test_the_page_that_stands_in_turns_to_the_ledgers_when_that_comes(stand_in: Page, network: Relay) -> None:
    network.release()
    expect(stand_in.locator("#not-yet")).to_have_count(0)
    expect(stand_in.get_by_role("link", name="New game").first).to_be_visible()
    assert not stands_in(stand_in)
