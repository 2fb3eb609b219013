"""Where a ruling of Build Up makes a difference: one question for each ruling, asked about one event."""

from __future__ import annotations

from ledger.events import Pass, Stack
from ledger.games.build_up.numbers import DISPUTED, SET, fitting
from ledger.games.build_up.state import BuildUp, holders
from ledger.tiles import TILES

THIRD = 2
"""The number of the first hand about which the document says two things."""


def is_third_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether the third or a later hand begins here."""
    return after.hand.number >= THIRD and before.hand.number < after.hand.number


def is_later_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether this is the first act of the second or a later hand."""
    return after.hand.number > 0 and after.hand.acted and not (before.hand.acted and before.phase == "play")


def stops_with_tiles(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether a hand is over here in which tiles are left."""
    return before.phase == "play" and after.phase == "over" and bool(holders(after))


def ends_game(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether the game comes to its end here."""
    return after.ended and not before.ended


def equal_on_double(before: BuildUp, event: object, _after: BuildUp) -> bool:
    """Whether a non-double with the pips of a double on top is put there or, at a pass, held."""
    if type(event) is Stack:
        there = 1 <= event.stack <= len(before.stacks)
        return there and bool(event.tile.bit & DISPUTED[before.stacks[event.stack - 1][-1].index])
    assert type(event) is Pass  # noqa: S101  the ruling is asked about no other
    seat = before.rules.seat[event.player]
    tiles = before.hand.dealt[seat] & ~before.used[seat]
    if not tiles and before.phase == "play":
        return any(TILES[stack[-1].index].double for stack in before.stacks)
    return bool(fitting(DISPUTED, before.stacks, tiles & SET))
