"""Where the rulings of Build Up make a difference: asked about one event, or about a run of them in one hand."""

from __future__ import annotations

from ledger.events import Pass, Stack
from ledger.games.build_up.numbers import DISPUTED, SET, fitting
from ledger.games.build_up.state import BuildUp, holders
from ledger.tiles import TILES

THIRD = 2
"""The number of the first hand of which the document says two things."""


def third_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether a hand began that is the third or a later one."""
    return after.hand.number >= THIRD and before.hand.number < after.hand.number


def later_hand(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether somebody began the second or a later hand."""
    return after.hand.number > 0 and after.hand.acted and not (before.hand.acted and before.phase == "play")


def stopped_with_tiles(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether a hand was over in which tiles are left."""
    return before.phase == "play" and after.phase == "over" and bool(holders(after))


def over(before: BuildUp, _event: object, after: BuildUp) -> bool:
    """Whether the game came to its end."""
    return after.ended and not before.ended


def equal_on_double(before: BuildUp, event: object, _after: BuildUp) -> bool:
    """A non-double with the pips of a double on top: put there, or (in a pass) held."""
    if type(event) is Stack:
        there = 1 <= event.stack <= len(before.stacks)
        return there and bool(event.tile.bit & DISPUTED[before.stacks[event.stack - 1][-1].index])
    assert type(event) is Pass  # noqa: S101  the ruling is asked about no other
    seat = before.rules.seat[event.player]
    held = before.hand.dealt[seat] & ~before.used[seat]
    if not held and before.phase == "play":
        return any(TILES[stack[-1].index].double for stack in before.stacks)
    return bool(fitting(DISPUTED, before.stacks, held & SET))
