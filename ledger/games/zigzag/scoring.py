"""What a hand of Zigzag scores.

Source: the clause page of Zigzag (`zigzag.score`); pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from ledger.games.zigzag.state import SEATS, Hand, Piles, Rules


def added(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """These values by seat, with more for one seat."""
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


def taken_by(rules: Rules, piles: Piles, seat: int) -> int:
    """What a seat took of what the bids are about: tiles or points."""
    return (piles.worth if rules.points else piles.taken)[seat]


# The contractor scores the bid when they took at least that; otherwise each opponent scores the bid plus what was
# missing, or half of it rounded up where the penalty is shared.
def earned(rules: Rules, contractor: int, bid: int, took: int) -> tuple[int, ...]:
    """What a hand scores by seat, when the contractor bid and took so much."""
    if took >= bid:
        return added((0, 0, 0), contractor, took if rules.scores_taken else bid)
    penalty = bid + bid - took
    if rules.split:
        penalty = (penalty + 1) // 2
    return tuple([0 if seat == contractor else penalty for seat in range(SEATS)])


def earned_by(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """What a hand that was played out scores, by seat, as its piles lie."""
    if hand.contractor is None:
        return (0, 0, 0)
    return earned(rules, hand.contractor, hand.highest, taken_by(rules, hand.piles, hand.contractor))


def greatest_score(rules: Rules, hand: Hand, *, early: bool) -> int | None:
    """The most that anybody may have scored in a hand, if nobody knows what it scored; None where everybody does."""
    contractor = hand.contractor
    if contractor is None or early or hand.unclear:
        return 2 * max(hand.highest, rules.total)
    if not hand.ways and not hand.piles.unknown[contractor]:
        return None
    scores = set[tuple[int, ...]]()
    for piles in hand.all_piles:
        took = taken_by(rules, piles, contractor)
        more = piles.unknown[contractor] * rules.largest if rules.points else 0
        scores.update(earned(rules, contractor, hand.highest, took + n) for n in range(more + 1))
    return max(map(max, scores)) if len(scores) > 1 else None


def made_with_more(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor took more than was bid."""
    seat = hand.contractor
    if seat is None:
        return False
    return any(taken_by(rules, piles, seat) > hand.highest for piles in hand.all_piles)
