"""One whole game on a phone, by taps alone: the test that `make test` runs in a Chromium, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from club import Club

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_a_whole_game_by_taps(phone: BrowserContext, club: Club) -> None:
    from whole_game import record_by_taps

    record_by_taps(phone, club, "ziggurat")
