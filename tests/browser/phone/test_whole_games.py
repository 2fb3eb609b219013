"""A phone at the table: games by taps alone, from the form to the result, while the ledger judges.

The whole one of Ziggurat is in test_by_taps.py; that of each rule set with the rules on the phone, in
test_local_games.py.  The two editions of Domino Ziggurat are entered alike: here is one, there the other.
"""

import pytest
from club import Club
from playwright.sync_api import BrowserContext
from whole_game import record_by_taps


@pytest.mark.parametrize("name", ["domino-ziggurat-1.1", "build-up", "zigzag"])
def test_a_game_by_taps_offline_in_the_middle_and_one_entry_put_right(
    phone: BrowserContext, club: Club, name: str
) -> None:
    record_by_taps(phone, club, name)
