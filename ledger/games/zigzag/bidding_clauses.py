"""The clauses of Zigzag about the bidding and its consequences."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.games.zigzag.bidding import (
    all_passed,
    begins_next,
    bid_out,
    closed_to,
    first_bidder,
    lowest_bid,
    may_call,
    may_lead,
    spoken_twice,
)
from ledger.games.zigzag.state import BEGINS, SEATS, Rules, Zigzag
from ledger.record.events import Bid, Pass, Play, Rank
from ledger.record.sentences import PLAYER
from ledger.rules.game import Fault, clause
from ledger.rules.shared_clauses import NOTHING

Faults = Iterable[Fault]


# The player to the left of the last first bidder bids first.
@clause("zigzag.next-hand", "The player to the left of the last first bidder bids first.", Bid, Pass)
def next_hand(before: Zigzag, event: Bid | Pass, _after: Zigzag, _evidence: object) -> Faults:
    if before.bidder is None or not opens_the_bidding(before, event):
        return NOTHING
    first = first_bidder(before) if begins_next(before, event) else before.hand.turn
    if first.seat is None or before.hand.ahead or first.allows(before.rules.seat[event.player]):
        return NOTHING
    bidder = before.rules.players[first.seat]
    return [Fault("{expected} bids first in this hand, not {player}", bidder, event.player)]


def opens_the_bidding(state: Zigzag, event: Bid | Pass) -> bool:
    """Whether a bid or a pass is the first of a hand."""
    return begins_next(state, event) or (state.hand.phase == "bidding" and not state.hand.spoke)


# The clauses about the bidding and the end of a hand have nothing to say about a tile played in between.
def is_not_in_play(before: Zigzag, event: object, _after: Zigzag) -> bool:
    """Whether an event is anything but a tile played during the play of a hand."""
    return before.hand.phase != "play" or type(event) is not Play


# The first bidder speaks first, then clockwise, each exactly once.
@clause(
    "zigzag.bid.order",
    "The first bidder speaks first, then clockwise, each exactly once.",
    Bid, Pass, Play, when=is_not_in_play,
)  # fmt: skip
def bid_order(before: Zigzag, event: Bid | Pass | Play, _after: Zigzag, evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if isinstance(event, Play):
        return bidding_left_out(before)
    if evidence is BEGINS:
        return NOTHING
    if opens_the_bidding(before, event):
        return expect(rules, rules.first, event.player) if before.bidder is None else NOTHING
    seat = rules.seat[event.player]
    twice = spoken_twice(hand, seat, event.bid if isinstance(event, Bid) else None)
    if not twice and (hand.phase == "play" or closed_to(hand, seat)):
        over = "the hand is being played" if hand.phase == "play" else "everybody has spoken"
        return [Fault(f"The bidding is over: {over}", claimed=event.bid)] if isinstance(event, Bid) else NOTHING
    if may_call(hand, seat) and not twice:
        return NOTHING
    if hand.spoke >> seat & 1:
        return [Fault("{player} has already bid or passed, and everybody does so once")]
    return expect(rules, hand.turn.seat, event.player)


def bidding_left_out(before: Zigzag) -> Faults:
    """The fault of a play before everybody has bid or passed; skipped players were reported before."""
    rules, hand = before.rules, before.hand
    if hand.phase == "over" and before.begun:
        return NOTHING
    silent = [rules.players[seat] for seat in range(SEATS) if not (hand.spoke | hand.skipped) >> seat & 1]
    return [Fault("Play begins before {expected} bid or passed", silent)] if silent else NOTHING


# A bid is a whole number, higher than the last bid and at least the lowest allowed.  There is no upper limit: a bid
# above all there is to take only gets a note, unless a ruling caps it.
@clause("zigzag.bid.raise", "A bid is higher than the last one and at least the lowest allowed.", Bid)
def bid_raise(before: Zigzag, event: Bid, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand, seat = before.rules, before.hand, before.rules.seat[event.player]
    going = hand.phase == "bidding" and not closed_to(hand, seat)
    if not begins_next(before, event) and not going:
        return NOTHING  # the bidding is over
    if going and hand.spoke >> seat & 1 and (not may_call(hand, seat) or spoken_twice(hand, seat, event.bid)):
        return NOTHING  # this player has bid already
    highest, least = hand.highest if going else -1, lowest_bid(rules, hand)
    if event.bid < least:
        why = f"the last bid was {highest}" if highest >= 0 else f"the lowest bid is {rules.least}"
        return [Fault(f"{PLAYER} bids {event.bid}, but {why}", f"at least {least}", event.bid)]
    if event.bid > rules.total:
        message = f"{PLAYER} bids {event.bid}, more than the {rules.total} there are to take"
        if rules.cap is None:
            return [Fault(message, claimed=event.bid, verdict="note")]
        return [Fault(message, f"at most {rules.cap}", event.bid)]
    return NOTHING


# The highest bidder is the contractor and leads.
@clause("zigzag.contract", "The highest bidder is the contractor and leads.", Play, when=is_not_in_play)
def contract(before: Zigzag, event: Play, _after: Zigzag, _evidence: object) -> Faults:
    hand, rules = before.hand, before.rules
    if hand.phase != "bidding" or hand.contractor is None or not bid_out(hand):
        return NOTHING
    if may_lead(hand, rules.seat[event.player]):
        return NOTHING
    contractor = rules.players[hand.contractor]
    return [Fault("{expected} is the contractor and leads, not {player}", contractor, event.player)]


# The contractor may name a highest number and a direction, after the bidding and before the lead.
@clause(
    "zigzag.rank",
    "Where rankings may be named, the contractor may name one of the set's numbers, once, after the bidding and before "
    "the lead; in other games nobody names one.",
    Rank,
)
def rank(before: Zigzag, event: Rank, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if not rules.ranking:
        return [Fault("Nobody names a ranking in this game", claimed=event.high)]
    if not bid_out(hand) or hand.contractor is None:
        return [Fault("A ranking is named after the bidding and before the lead", claimed=event.high)]
    contractor = rules.players[hand.contractor]
    if not may_lead(hand, rules.seat[event.player]):
        return [Fault("Only {expected}, the contractor, may name a ranking", contractor, event.player)]
    if hand.rank is not None:
        return [Fault("The ranking was named already", hand.rank[0], event.high)]
    if not 0 <= event.high <= rules.largest:
        return [Fault(f"The double-{rules.largest} set has no {event.high}", f"0 to {rules.largest}", event.high)]
    return NOTHING


# If all pass, the hand is thrown in: nobody plays it.
@clause("zigzag.all-pass", "If all pass, the hand is thrown in and nobody plays.", Play, when=is_not_in_play)
def all_pass(before: Zigzag, event: Play, _after: Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    if not (all_passed(hand) or (hand.phase == "over" and before.thrown_in)):
        return NOTHING
    return [Fault(f"{PLAYER} plays the {event.tile}, but all passed, so nobody is the contractor")]


def expect(rules: Rules, seat: int | None, player: str) -> Faults:
    """A fault if another player than this seat's acts; None expects nobody in particular."""
    if seat is None or rules.players[seat] == player:
        return NOTHING
    return [Fault("It was {expected}'s turn, not {claimed}'s", rules.players[seat], player)]
