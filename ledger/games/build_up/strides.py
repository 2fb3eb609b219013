"""What an audit of Build Up passes over: the events at which no clause finds fault, hand after hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.games.build_up.clauses import first, layout, score, win
from ledger.games.build_up.numbers import SET
from ledger.games.build_up.rulings import later_hand, over, stopped_with_tiles, third_hand
from ledger.games.build_up.state import BuildUp, is_over
from ledger.games.build_up.table import act, begin, evolve, finish, hand_out
from ledger.tiles import Tile, mask


def stride(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """See `Game.stride`: what a careful table does and says."""
    while place < len(events):
        event = events[place]
        kind = type(event)
        if kind is Stack or kind is Pass:
            after, behind = _acted(state, events, place, touched)
        elif kind is Deal:
            after, behind = _dealt(state, events, place, touched)
        else:
            quiet = QUIET.get(kind)
            if not quiet or not quiet(state, event):
                break
            after, behind = evolve(state, event), place + 1
        if behind == place:
            break
        state, place = after, behind
    return state, place


def _dealt(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """The hands that are dealt before anybody has acted."""
    if state.ended or (state.phase == "play" and state.hand.acted):
        return state, place
    after, behind = hand_out(state if state.phase == "play" else begin(state), events, place, strictly=True)
    if behind > place and third_hand(state, events[place], after):
        touched.add("hands")
    return after, behind


def _acted(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """The acts of the hand on the table, to its end if it comes there; in the first, the draws say who begins."""
    hand = state.hand
    if state.ended or state.phase != "play" or (not hand.acted and not hand.number and hand.turn != state.opener):
        return state, place
    after, behind = act(state, events, place, touched)
    if behind == place:
        return state, place
    event = events[behind - 1]
    if type(events[place]) is Stack and later_hand(state, event, after):
        touched.add("later_start")
    if is_over(after):
        after = finish(after)
        if stopped_with_tiles(state, event, after):
            touched.add("hand_end")
        if over(state, event, after):
            touched.add("total")
    return after, behind


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
