"""A phone at the table: whole games by taps alone.  That of Ziggurat without the rules is in test_by_taps.py."""

from __future__ import annotations

import pytest
from at_table import GAMES
from club import RULES_ALONE, Club
from playwright.sync_api import BrowserContext
from whole_game import record_by_taps


@pytest.mark.parametrize("name", [name for name in GAMES if name != "ziggurat"])
def test_a_whole_game_by_taps_offline_in_the_middle_and_one_entry_put_right(
    phone: BrowserContext, club: Club, name: str
) -> None:
    record_by_taps(phone, club, name)


@pytest.mark.parametrize("name", ["ziggurat", "zigzag"])
@pytest.mark.parametrize("phone", [RULES_ALONE], indirect=True)
def test_a_whole_game_by_taps_with_the_rules_on_the_phone(phone: BrowserContext, club: Club, name: str) -> None:
    record_by_taps(phone, club, name, rules=True)
