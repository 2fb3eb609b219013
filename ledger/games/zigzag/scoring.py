"""What a hand of Zigzag scores.

Source: the clause page of Zigzag (`zigzag.score`); pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from ledger.games.zigzag.state import SEATS, Hand, Rules


def added(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """These values by seat, with more for one seat."""
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


# The contractor scores the bid when they took at least that; otherwise each opponent scores the bid plus what was
# missing, or half of it rounded up where the penalty is shared.
def earned_by(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """What a hand that was played out scores, by seat."""
    contractor = hand.contractor
    if contractor is None:
        return (0, 0, 0)
    took = (hand.worth if rules.points else hand.taken)[contractor]
    if took >= hand.highest:
        return added((0, 0, 0), contractor, took if rules.scores_taken else hand.highest)
    penalty = hand.highest + hand.highest - took
    if rules.split:
        penalty = (penalty + 1) // 2
    return tuple([0 if seat == contractor else penalty for seat in range(SEATS)])


def made_with_more(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor took more than was bid."""
    return hand.contractor is not None and (hand.worth if rules.points else hand.taken)[hand.contractor] > hand.highest
