"""A forgotten name disappears from pages that are already open."""

from __future__ import annotations

from at_table import has_news
from club import Club
from playwright.sync_api import BrowserContext, expect

from ledger.keep.transfer import forget, known_as
from ledger.record.events import Open, Player
from ledger.stores.sqlite import SqliteStore

NAME = "Zerafina Quxbaum"


def test_open_pages_stop_showing_a_name_that_is_forgotten(club: Club, phone: BrowserContext) -> None:
    players = (Player(id="p1", name=NAME), Player(id="p2", name="Ben"))
    recorder, record_id = club.open(Open("ziggurat", players=players))
    pages = [phone.new_page(), phone.new_page()]
    for page, address in zip(pages, (f"{club.address}/g/{record_id}", recorder), strict=True):
        with page.expect_response(has_news):
            page.goto(address)
        expect(page.locator("html")).to_have_attribute("data-ready", "yes")
        assert NAME in page.inner_text("body")
    with SqliteStore(club.path) as store:
        forget(store, NAME, known_as(store, NAME))
    for page in pages:
        expect(page.locator("body")).not_to_contain_text(NAME)
        expect(page.locator("body")).to_contain_text("Ben")
