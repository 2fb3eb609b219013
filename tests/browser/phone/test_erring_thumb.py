"""People err: a thumb that picks wrong tiles, seats and places, taps twice, undoes, deletes and loses the network.

`DOMINO_ERRING` says which games of each rule set, by their seeds: `500` those below 500, `20:30` those from 20 on; by
default the first.
"""

import os

import pytest
from at_table import GAMES, open_recorder
from club import RULES_ALONE, Club
from erring import ErringThumb
from playwright.sync_api import BrowserContext
from relay import relay

from ledger.games import catalog
from ledger.play.simulate import simulate

SEEDS = range(*map(int, os.environ.get("DOMINO_ERRING", "1").split(":")))
STEPS = 40 if "DOMINO_ERRING" in os.environ else 25


@pytest.mark.parametrize("phone", [RULES_ALONE], indirect=True)
@pytest.mark.parametrize("name", GAMES)
def test_after_every_slip_the_page_shows_what_the_ledger_has(phone: BrowserContext, club: Club, name: str) -> None:
    game, _seed, options, edition = GAMES[name]
    opening = simulate(catalog.find(game), 1, options, edition=edition).opening
    page = phone.new_page()
    with relay(club.port) as network:
        for seed in SEEDS:
            link, record_id = club.open(opening)
            open_recorder(page, link.replace(club.address, network.address))
            page.wait_for_selector("html[data-rules=ready]", timeout=120_000)
            try:
                ErringThumb(page, phone, club, network, record_id, seed).play(STEPS)
            except Exception as error:
                error.add_note(f"the game of seed {seed}")
                raise
