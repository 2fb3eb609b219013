"""Whole hands of Zigzag at once: dealt, bid for and played as the rules want it, and what was said of them as it was.

Nothing is to be said of such a hand, so that nobody needs the states between.  Each event does here what it does by
itself; what these predicates cannot tell at once is left to the clauses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score, Take
from ledger.games.zigzag.clauses import deal, rank, score, win
from ledger.games.zigzag.play import lay, made_with_more, took
from ledger.games.zigzag.state import Zigzag, bid_out, unnamed
from ledger.games.zigzag.table import begin, evolve, hand_out, next_hand, settled, speak
from ledger.strides import Leap, leaps
from ledger.tiles import full


def stride(state: Zigzag, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[Zigzag, int]:
    """See `Game.stride`."""
    return leaps(LEAPS, (), state, events, place, touched)


def _dealt(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The hands that are dealt before anybody has spoken."""
    hand = state.hand
    if hand.phase == "play" or (hand.phase == "bidding" and hand.spoke):
        return state, place
    fresh = hand.phase == "over"
    hand, behind = hand_out(state.rules, next_hand(state) if fresh else hand, events, place, strictly=True)
    if behind == place:
        return state, place
    return begin(state, hand) if fresh else replace(state, hand=hand), behind


def _spoken(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    return speak(state, events, place, strictly=True) if state.hand.phase == "bidding" else (state, place)


def _named(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    event: Any = events[place]
    return (state, place) if any(rank(state, event, state, None)) else (evolve(state, event), place + 1)


def _taken_over(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    event: Any = events[place]
    hand = state.hand
    first, second, third = hand.dealt
    unseen = full(state.rules.largest) & ~(first | second | third | hand.played)
    if hand.phase == "over" or not event.tile.bit & unseen or any(deal(state, event, state, None)):
        return state, place
    return evolve(state, event), place + 1


def _played(state: Zigzag, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[Zigzag, int]:
    """The plays of a hand in turn and out of written hands, with the piles as they were said."""
    rules, hand = state.rules, state.hand
    if hand.turn is None or not (hand.phase == "play" or (bid_out(hand) and not unnamed(rules, hand))):
        return state, place
    after, behind = lay(rules, hand, events, place, strictly=True)
    if behind == place:
        return state, place
    state = settled(state, after)
    if rules.points and hand.rank is not None and state.hand.taken != hand.taken:
        touched.add("lower_end")
    if state.hand.phase == "over" and made_with_more(rules, state.hand):
        touched.add("made_scores")
    return state, behind


def _taken(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    event: Any = events[place]
    return state, place + took(state.hand.captures, state.rules.seat[event.player], event)


def _said(state: Zigzag, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The points of a hand that is over, or the totals then, as they are: to say so changes nothing."""
    event: Any = events[place]
    if state.hand.phase != "over" or state.earned is None:
        return state, place
    return state, place + (not any((score if event.scope == "hand" else win)(state, event, state, None)))


LEAPS: Mapping[type, Leap] = {
    Deal: _dealt, Bid: _spoken, Pass: _spoken, Rank: _named, Over: _taken_over, Play: _played, Take: _taken,
    Score: _said,
}  # fmt: skip
"""By type of event, how far nothing is to be said from there on; to the same place where there is something."""
