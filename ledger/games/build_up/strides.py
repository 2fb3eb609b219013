"""What an audit of Build Up passes over: the events at which no clause finds fault and no ruling is touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.games.build_up.clauses import first, layout, score, win
from ledger.games.build_up.numbers import SET
from ledger.games.build_up.table import BuildUp, act, begin, evolve, finish, hand_out
from ledger.tiles import Tile, mask

THIRD = 2
"""The number of the hand at whose beginning a ruling is touched."""


def stride(state: BuildUp, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[BuildUp, int]:
    """See `Game.stride`: what a careful table does and says, but for the first and the last act of most hands."""
    while place < len(events):
        event = events[place]
        kind = type(event)
        quiet = QUIET.get(kind)
        if quiet:
            if not quiet(state, event):
                break
            state, place = evolve(state, event), place + 1
        elif kind is Deal:
            after, behind = _dealt(state, events, place)
            if behind == place:
                break
            state, place = after, behind
        elif (kind is Stack or kind is Pass) and state.phase == "play":
            state, place = _acted(state, events, place)
            if state.phase == "play":
                break
        else:
            break
    return state, place


def _dealt(state: BuildUp, events: Sequence[Correctable], place: int) -> tuple[BuildUp, int]:
    """The hands that are dealt before anybody has acted."""
    if state.phase != "play" and not state.ended and state.hand.number + 1 != THIRD:
        state = begin(state)
    return (
        (state, place) if state.hand.acted or state.phase != "play" else hand_out(state, events, place, strictly=True)
    )


# By whoever begins a later hand a ruling is touched; in the first the draws say who does.
def _acted(state: BuildUp, events: Sequence[Correctable], place: int) -> tuple[BuildUp, int]:
    """The acts of the hand on the table, which is over if it is nobody's turn after them."""
    hand = state.hand
    if not hand.acted and (hand.number or hand.turn != state.opener):
        return state, place
    after, behind = act(state, events, place, strictly=True)
    if behind == place:
        return state, place
    return finish(after) if after.hand.turn is None else after, behind


def _among(tiles: tuple[Tile, ...], among: int) -> bool:
    """Whether these are different tiles, all of that mask."""
    bits = mask(tiles)
    return bits.bit_count() == len(tiles) and not bits & ~among


def _laid_out(state: BuildUp, event: Layout) -> bool:
    seat = state.rules.seat[event.player]
    return not state.ended and not layout(state, event, state, None) and _among(event.tiles, SET & ~state.laid[seat])


def _drawn(state: BuildUp, event: Draw) -> bool:
    seat = state.rules.seat[event.player]
    free = SET & ~(state.laid[seat] | state.used[seat])
    return not state.ended and not first(state, event, state, None) and bool(event.tile.bit & free)


def _set_aside(state: BuildUp, event: Aside) -> bool:
    """Whether tiles are set aside when a hand is over in which they were dealt."""
    if state.phase != "over" or event.player is None:
        return False
    seat = state.rules.seat[event.player]
    return _among(event.tiles, SET & state.hand.dealt[seat] & ~(state.laid[seat] | state.used[seat]))


def _scored(state: BuildUp, event: Score) -> bool:
    """Whether the points of a hand that is over, or the totals, are said as they are."""
    return state.phase == "over" and not (score if event.scope == "hand" else win)(state, event, state, None)


QUIET: Mapping[type, Callable[[BuildUp, Any], bool]] = {
    Layout: _laid_out, Draw: _drawn, Aside: _set_aside, Score: _scored,
}  # fmt: skip
"""By type of event, whether nothing is to be said of it."""
