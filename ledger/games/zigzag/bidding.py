"""The bidding of a hand of Zigzag: who may bid or pass, who leads, and where it ends."""

from msgspec.structs import replace

from ledger.games.zigzag.state import ALL, NEXT, SEATS, UNKNOWN, Hand, Rules, Zigzag
from ledger.record.events import Bid, Pass
from ledger.rules.turns import Turn


def all_called(hand: Hand) -> bool:
    """Whether no bid or pass is missing: everybody spoke, or one of the three was written for another player."""
    return hand.spoke == ALL or (hand.calls >= SEATS and hand.spoke | hand.skipped == ALL)


def bid_out(hand: Hand) -> bool:
    """Whether the bidding is over and the contractor has not led; skipped players need not have spoken."""
    return hand.phase == "bidding" and hand.spoke | hand.skipped == ALL and hand.contractor is not None


def all_passed(hand: Hand) -> bool:
    """Whether everybody who was not skipped has passed, and nobody has played."""
    return hand.phase == "bidding" and hand.spoke | hand.skipped == ALL and hand.contractor is None


def closed_to(hand: Hand, seat: int) -> bool:
    """Whether the bidding is over for a seat; one that was skipped may still make up for it."""
    return hand.spoke == ALL or (all_called(hand) and bool(hand.spoke >> seat & 1))


def may_call(hand: Hand, seat: int) -> bool:
    """Whether a seat may bid or pass now, in a bidding that has begun.

    Each speaks once.  But after a call out of order, a player may speak whose first call may have been somebody else's.
    """
    if not hand.spoke >> seat & 1:
        return hand.turn.allows(seat)
    return bool(hand.skipped) and (seat in hand.turn.also or (hand.turn.missed is None and hand.turn.seat == seat))


def may_lead(hand: Hand, seat: int) -> bool:
    """Whether a seat is the contractor, or its bid may have been written for another."""
    return seat in (hand.contractor, hand.rival)


def spoken_twice(hand: Hand, seat: int, bid: int | None) -> bool:
    """Whether the same bid or pass (None) was written just before, and nothing was played since."""
    return bool(hand.spoke) and not any(hand.plays) and hand.last == seat and hand.said == bid


def may_rank(state: Zigzag, seat: int, high: int) -> bool:
    """Whether a seat may name the order of the numbers now."""
    rules, hand = state.rules, state.hand
    if not rules.ranking or hand.rank is not None:
        return False
    return bid_out(hand) and may_lead(hand, seat) and 0 <= high <= rules.largest


def lowest_bid(rules: Rules, hand: Hand) -> int:
    """The lowest bid that may be made now: higher than the last, and at least the lowest allowed."""
    return max(rules.least, hand.highest + 1) if hand.phase == "bidding" else rules.least


def contractor_acts(hand: Hand, seat: int) -> Hand:
    """The hand when a seat acts as its contractor before the lead, which ends the bidding.

    That shows who made the highest bid, and that the only player who had not spoken was skipped.
    """
    if hand.phase != "bidding":
        return hand
    # The bid of the contractor may be the only one that was not written.
    if hand.calls == SEATS - 1 and not (hand.spoke | hand.skipped) >> seat & 1:
        return replace(hand, contractor=seat, rival=None, highest=UNKNOWN, skipped=hand.skipped | 1 << seat)
    if not may_lead(hand, seat):
        return hand
    skipped = hand.skipped | (ALL & ~hand.spoke if hand.calls == SEATS - 1 else 0)
    if hand.contractor == seat and hand.rival is None and hand.skipped == skipped:
        return hand
    return replace(hand, contractor=seat, rival=None, skipped=skipped)


# ── Who begins, and when ───────────────────────────────────────────────────────────────────────────────────


# The player to the left of the last first bidder bids first; after a hand that was thrown in, a ruling may keep the
# first bidder.
def first_bidder(state: Zigzag) -> Turn:
    """Who begins the bidding of the next hand; nobody is due if the record leaves it open."""
    if state.bidder is None:
        return Turn(state.rules.first)
    keeps = state.thrown_in and state.rules.same_bidder
    first = state.bidder if keeps else NEXT[state.bidder]
    if state.missed_bidder is None:
        return Turn(first)
    return Turn(first, (state.missed_bidder if keeps else NEXT[state.missed_bidder],))


# The bids show where a hand ended, if nothing else does: that of the player who bids first in the next hand, and the
# one after it.
def begins_next(state: Zigzag, event: Bid | Pass) -> bool:
    """Whether a bid or a pass begins the bidding of the next hand."""
    hand = state.hand
    if hand.phase == "bidding":
        return False
    seat = state.rules.seat[event.player]
    if hand.phase == "over":
        return not spoken_twice(hand, seat, event.bid if type(event) is Bid else None)
    if hand.stray:
        return True
    return hand.ahead is not None and seat == NEXT[hand.ahead[0]]
