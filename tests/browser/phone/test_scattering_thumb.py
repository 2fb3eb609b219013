"""Fingers come down beside what they mean, by six CSS pixels: each tile still lands on the place that is meant.

The same over many more games, on the page's own logic: `tests/wide/test_witnesses.py`.
"""

from random import Random

import pytest
from at_table import acts_of, open_recorder, plain
from club import RULES_ALONE, Club, entered, phone_with
from playwright.sync_api import BrowserContext

from ledger.games import catalog
from ledger.play.simulate import simulate

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
