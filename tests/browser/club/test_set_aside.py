"""Pages that are open while the owner sets a game aside or renames a person."""

import re
from pathlib import Path

import pytest
from at_table import has_news
from playwright.sync_api import Page, expect

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.renaming import rename
from ledger.record.events import Bid, Close, Open, Player
from ledger.stores.store import SqliteStore


@pytest.mark.parametrize("closed", [False, True], ids=["in play", "closed"])
def test_an_open_page_hears_of_it(page: Page, address: str, ledger: Path, closed: bool) -> None:
    name = f"Anna{(page.viewport_size or {'width': 0})['width']}{closed}"
    players = tuple(Player(id=f"p{n}", name=seat) for n, seat in enumerate((name, "Ben", "Cy"), 1))
    with SqliteStore(ledger) as store:
        recorder = Recorder(store, find_game=catalog.find)
        record_id = recorder.open(Open("zigzag", players=players))
        recorder.append(record_id, Bid("p1", 12))
        if closed:
            recorder.append(record_id, Close("abandoned"))
    with page.expect_response(has_news):
        page.goto(f"{address}/g/{record_id}")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#rows")).to_contain_text(name)
    # On a phone and on a screen, the page says whether the game goes on.
    expect(page.locator("#on-air")).to_be_visible(visible=not closed)
    with SqliteStore(ledger) as store:
        Recorder(store).void(record_id, "begun by mistake")
    expect(page.locator("#about")).to_contain_text("begun by mistake")
    with SqliteStore(ledger) as store:
        rename(store, name, f"{name}-Lena")
    expect(page.locator("#rows")).to_contain_text(f"{name}-Lena")
    expect(page.locator("#score")).to_contain_text(f"{name}-Lena")
    expect(page).to_have_title(re.compile(f"{name}-Lena"))
