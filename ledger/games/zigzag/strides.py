"""Whole hands of Zigzag at once: dealt, bid for and played as the rules want it, and the piles as they were said.

Nothing is to be said of such a hand, so that nobody needs the states between.  Each event does here what it does by
itself; what these predicates cannot tell at once is left to the clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Bid, Correctable, Deal, Pass, Play, Score, Take
from ledger.games.zigzag.clauses import hand_end, score, win
from ledger.games.zigzag.table import (
    ALL,
    Hand,
    Rules,
    Zigzag,
    bid_out,
    evolve,
    lay,
    lowest_bid,
    made_with_more,
    settled,
    took,
    unnamed,
)
from ledger.tiles import mask, size


def stride(state: Zigzag, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[Zigzag, int]:
    """See `Game.stride`."""
    rules = state.rules
    while place < len(events) and not state.ended:
        event, hand = events[place], state.hand
        if type(event) is Play:
            behind = place
            if hand.turn is not None and (hand.phase == "play" or (bid_out(hand) and not unnamed(rules, hand))):
                after, behind = lay(rules, hand, events, place, strictly=True)
            if behind == place:
                break
            state, place = settled(state, after), behind
            if rules.points and hand.rank is not None and state.hand.taken != hand.taken:
                touched.add("lower_end")
            if state.hand.phase == "over" and made_with_more(rules, state.hand):
                touched.add("made_scores")
        elif type(event) is Take:
            if not took(hand.captures, rules.seat[event.player], event):
                break
            place += 1
        elif type(event) is Score:
            # What is said between two hands changes nothing, and the clauses tell whether it is so.
            if hand.phase != "over" or any(clause(state, event, state, None) for clause in (hand_end, score, win)):
                break
            place += 1
        elif _kept(rules, hand, event):
            state, place = evolve(state, event), place + 1
        else:
            break
    return state, place


def _kept(rules: Rules, hand: Hand, event: Correctable) -> bool:
    """Whether a hand was dealt, or somebody spoke, as the rules want it, and on no ruling."""
    if type(event) is Deal:
        return _is_dealt(rules, hand, rules.seat[event.player], event)
    if type(event) is not Bid and type(event) is not Pass:
        return False
    seat = rules.seat[event.player]
    if hand.phase != "bidding" or hand.spoke == ALL or seat != hand.turn:
        return False
    if type(event) is Bid:
        return max(lowest_bid(rules, hand), 1) <= event.bid <= rules.total
    return hand.contractor is not None or hand.spoke | 1 << seat != ALL


def _is_dealt(rules: Rules, hand: Hand, seat: int, event: Deal) -> bool:
    bits = mask(event.tiles)
    if event.partial or bits >> size(rules.largest) or not bits.bit_count() == len(event.tiles) == rules.share:
        return False
    first, second, third = hand.dealt
    return hand.phase == "over" or (
        hand.phase == "bidding" and not hand.spoke and not hand.dealt[seat] and not bits & (first | second | third)
    )
