"""The contract of a game: what it says of itself, and what is asked of it."""

from __future__ import annotations

from msgspec.structs import replace

from ledger import catalog
from ledger.events import Bid, Play, Score, Stack
from ledger.tiles import named


def test_a_play_that_says_an_end_belongs_to_line_games_alone() -> None:
    zigzag = catalog.find("zigzag")
    on_a_line = replace(zigzag, line_ends=True)
    bare, left = Play("ana", named("5-1")), Play("ana", named("5-1"), "left")
    assert [zigzag.has(play) for play in (bare, left)] == [True, False]
    assert [on_a_line.has(play) for play in (bare, left)] == [True, True]


def test_a_game_has_the_events_and_the_scores_that_it_lists() -> None:
    zigzag = catalog.find("zigzag")
    assert zigzag.has(Bid("ana", 12))
    assert not zigzag.has(Stack("ana", named("5-1"), 2))
    assert not replace(zigzag, scores=("game",)).has(Score("hand", {}))
