"""What an audit of Ziggurat passes over: the deal, the dominoes, totals and result, as a careful table has them."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Aside, Correctable, Deal, Place, Result, Score
from ledger.games.ziggurat.clauses import end, win
from ledger.games.ziggurat.table import Laid, Ziggurat, hand_out, lay
from ledger.games.ziggurat.tiers import single


def stride(state: Ziggurat, events: Sequence[Correctable], place: int, touched: set[str]) -> Laid:
    """See `Game.stride`."""
    while place < len(events):
        event, after, behind = events[place], state, place
        if type(event) is Place:
            after, behind = _built(state, events, place, touched)
        elif type(event) is Deal or type(event) is Aside:
            after, behind = (state, place) if state.ended else hand_out(state, events, place, strictly=True)
        elif type(event) is Score or (type(event) is Result and not end(state, event, state, None)):
            behind += not win(state, event, state, None)
        if behind == place:
            break
        state, place = after, behind
    return state, place


def _built(state: Ziggurat, events: Sequence[Correctable], place: int, touched: set[str]) -> Laid:
    """Dominoes laid in turn out of hands that are written."""
    # Over a single place a level may be finished at any time, which may be the end.
    if state.ended or state.halves.top.below == 2:
        return state, place
    after, behind = lay(state, events, place, touched)
    top = after.halves.top
    if behind > place and after.finished and single(top.below, top.over):
        touched.add("single_place")
    return after, behind
