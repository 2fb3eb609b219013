"""What an audit of Build Up passes over: the events at which no clause finds fault, hand after hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.game import Stride
from ledger.games.build_up.clauses import first, score, win
from ledger.games.build_up.numbers import SET
from ledger.games.build_up.rulings import later_hand, over, stopped_with_tiles, third_hand
from ledger.games.build_up.state import BuildUp, is_over
from ledger.games.build_up.table import act, evolve, finish, hand_out, lay_out, next_hand
from ledger.tiles import mask


def stride(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """See `Game.stride`: what a careful table does and says."""
    while place < len(events):
        leap = LEAPS.get(type(events[place]))
        if leap is None:
            break
        state, behind = leap(state, events, place, touched)
        if behind == place:
            break
        place = behind
    return state, place


def _laid_out(state: BuildUp, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[BuildUp, int]:
    return (state, place) if state.ended else lay_out(state, events, place, strictly=True)


def _drawn(state: BuildUp, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[BuildUp, int]:
    event: Any = events[place]
    seat = state.rules.seat[event.player]
    free = SET & ~(state.laid[seat] | state.used[seat])
    if state.ended or not event.tile.bit & free or first(state, event, state, None):
        return state, place
    return evolve(state, event), place + 1


def _dealt(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """The hands that are dealt before anybody has acted."""
    if state.ended or (state.phase == "play" and state.hand.acted):
        return state, place
    begun = state.hand if state.phase == "play" else next_hand(state)
    hand, behind = hand_out(state, begun, events, place, strictly=True)
    if behind == place:
        return state, place
    after = replace(state, phase="play", hand=hand)
    if third_hand(state, events[place], after):
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
        if "hand_end" not in touched and stopped_with_tiles(state, event, after):
            touched.add("hand_end")
        if over(state, event, after):
            touched.add("total")
    return after, behind


def _set_aside(state: BuildUp, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[BuildUp, int]:
    """Tiles that are set aside when a hand is over in which they were dealt."""
    event: Any = events[place]
    if state.phase != "over" or event.player is None:
        return state, place
    seat, tiles = state.rules.seat[event.player], mask(event.tiles)
    could = SET & state.hand.dealt[seat] & ~(state.laid[seat] | state.used[seat])
    if tiles & ~could or tiles.bit_count() != len(event.tiles):
        return state, place
    return evolve(state, event), place + 1


def _said(state: BuildUp, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[BuildUp, int]:
    """The points of a hand that is over, the totals and the winners, as they are: to say so changes nothing."""
    event = events[place]
    if state.phase == "over" and (type(event) is Score or state.ended):
        clause = score if type(event) is Score and event.scope == "hand" else win
        place += not clause(state, event, state, None)  # type: ignore[arg-type]  # LEAPS names both types
    return state, place


LEAPS: Mapping[type, Stride] = {
    Layout: _laid_out, Draw: _drawn, Deal: _dealt, Stack: _acted, Pass: _acted, Aside: _set_aside, Score: _said,
    Result: _said,
}  # fmt: skip
"""By type of event, how far nothing is to be said from there on; to the same place where there is something."""
