"""What an audit of Ziggurat passes over: the deal, the dominoes, totals and result, as a careful table has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.events import Aside, Correctable, Deal, Place, Result, Score
from ledger.games.ziggurat.clauses import end, win
from ledger.games.ziggurat.table import Laid, Ziggurat, hand_out, lay
from ledger.games.ziggurat.tiers import single
from ledger.strides import Leap, leaps


def stride(state: Ziggurat, events: Sequence[Correctable], place: int, touched: set[str]) -> Laid:
    """See `Game.stride`."""
    return leaps(LEAPS, LATE, state, events, place, touched)


def _dealt(state: Ziggurat, events: Sequence[Correctable], place: int, _touched: set[str]) -> Laid:
    return hand_out(state, events, place, strictly=True)


def _built(state: Ziggurat, events: Sequence[Correctable], place: int, touched: set[str]) -> Laid:
    """Dominoes laid in turn out of hands that are written."""
    # Over a single place a level may be finished at any time, which may be the end.
    if state.halves.top.below == 2:
        return state, place
    after, behind = lay(state, events, place, touched)
    top = after.halves.top
    if behind > place and after.finished and single(top.below, top.over):
        touched.add("single_place")
    return after, behind


def _said(state: Ziggurat, events: Sequence[Correctable], place: int, _touched: set[str]) -> Laid:
    """The totals as they are, and the winners when the game is over: to say so changes nothing."""
    event: Any = events[place]
    early = type(event) is Result and bool(end(state, event, state, None))
    return state, place + (not early and not win(state, event, state, None))


LEAPS: Mapping[type, Leap] = {Place: _built, Deal: _dealt, Aside: _dealt, Score: _said, Result: _said}
"""By type of event, how far nothing is to be said from there on; to the same place where there is something."""
LATE = (_said,)
"""What is said when the game has ended."""
