"""People err: a thumb that picks wrong tiles, seats and places, taps twice, undoes, deletes and loses the network.

`DOMINO_ERRING` says which games of each rule set, by their seeds: `500` those below 500, `20:30` those from 20 on; by
default the first.
"""

import os
from random import Random

import pytest
from at_table import GAMES, acts_of, open_recorder, plain
from club import RULES_ALONE, Club, entered, phone_with
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


# ---- Fingers come down beside what they mean, by six CSS pixels: each tile still lands on the place that is meant.
# The same over many more games, on the page's own logic: `tests/wide/test_witnesses.py`.


SEED = 1


@phone_with(RULES_ALONE)
@pytest.mark.parametrize(("name", "edition"), [("ziggurat", None), ("domino-ziggurat", "2")], ids=["ziggurat", "gale"])
def test_no_tile_lands_beside_the_place_that_is_meant(
    phone: BrowserContext, club: Club, name: str, edition: str | None
) -> None:
    record = simulate(catalog.find(name), 3, edition=edition)
    acts = entered(record)[:50]
    link, record_id = club.open(record.opening)
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    thumb = open_recorder(page, link)
    page.wait_for_selector("html[data-rules=ready]", timeout=120_000)
    thumb.random = Random(SEED)
    for act in acts:
        thumb.enter(act)
    thumb.all_recorded()
    assert acts_of(club.read(record_id)) == [plain(act) for act in acts]
