"""What a hand of Zigzag scores and why, and the standing."""

from collections.abc import Sequence

from ledger.games.zigzag.state import SEATS, Hand, Piles, Rules, Zigzag, may_have_ended
from ledger.record.sentences import who
from ledger.rules import shared_clauses
from ledger.rules.game import Points, Standing


def added(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """These values by seat, with `more` added for one seat."""
    changed = list(values)
    changed[seat] += more
    return tuple(changed)


def taken_by(rules: Rules, piles: Piles, seat: int) -> int:
    """What a seat took, in what the bids count: tiles or points."""
    return (piles.worth if rules.points else piles.taken)[seat]


# The contractor scores the bid if they took at least that many.  Otherwise each opponent scores the bid plus what was
# missing, or half of that, rounded up, if the penalty is shared.
def earned(rules: Rules, contractor: int, bid: int, took: int) -> tuple[int, ...]:
    """What a hand scores, by seat, given the contractor's bid and what they took."""
    if took >= bid:
        return added((0, 0, 0), contractor, took if rules.scores_taken else bid)
    penalty = bid + bid - took
    if rules.split:
        penalty = (penalty + 1) // 2
    return tuple([0 if seat == contractor else penalty for seat in range(SEATS)])


def earned_by(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """What a hand that was played out scores, by seat."""
    if hand.contractor is None or hand.highest < 0:
        return (0, 0, 0)
    return earned(rules, hand.contractor, hand.highest, taken_by(rules, hand.piles, hand.contractor))


def greatest_score(rules: Rules, hand: Hand, *, early: bool) -> int | None:
    """The most that anybody may have scored in a hand; None if its score is known."""
    contractor = hand.contractor
    if contractor is None or hand.highest < 0 or hand.unclear:
        return 2 * max(hand.highest, rules.total)
    if early:
        return max(most_scored(rules, hand, contractor, piles) for piles in hand.all_piles)
    if not hand.ways and not hand.piles.unknown[contractor]:
        return None
    scores = set[tuple[int, ...]]()
    for piles in hand.all_piles:
        took = taken_by(rules, piles, contractor)
        more = piles.unknown[contractor] * rules.largest if rules.points else 0
        scores.update(earned(rules, contractor, hand.highest, took + n) for n in range(more + 1))
    return max(map(max, scores)) if len(scores) > 1 else None


def most_scored(rules: Rules, hand: Hand, contractor: int, piles: Piles) -> int:
    """The most that anybody may score in a hand, if the rest of the tiles goes to one side or to the other."""
    took = [taken_by(rules, piles, seat) for seat in range(SEATS)]
    all_the_rest = rules.total - sum(took) + took[contractor]
    return max(max(earned(rules, contractor, hand.highest, most)) for most in (took[contractor], all_the_rest))


def made_with_more(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor took more than was bid."""
    seat = hand.contractor
    if seat is None:
        return False
    return max([taken_by(rules, piles, seat) for piles in hand.all_piles]) > hand.highest


def points(before: Zigzag, _event: object, after: Zigzag) -> Sequence[Points]:
    """The reasons for what a hand scored, at the event that ended it."""
    hand, rules = after.hand, after.rules
    ended = hand.phase == "over" and before.counted != after.counted
    if not ended or hand.contractor is None or after.thrown_in or after.likely is not None:
        return ()
    what = "points" if rules.points else "tiles"
    took = taken_by(rules, hand.piles, hand.contractor)
    made = "made it" if took >= hand.highest else f"missed it by {hand.highest - took}"
    because = f"{who(hand.contractor)} bid {hand.highest}, took {took} {what} and {made}"
    return [Points(seat, n, "zigzag.score", because) for seat, n in enumerate(earned_by(rules, hand)) if n]


def standing(state: Zigzag) -> Standing:
    """The totals of finished hands; the greatest wins when the game has ended."""
    finished = may_have_ended(state)
    return Standing(finished, state.totals, shared_clauses.greatest(state.totals) if finished else ())
