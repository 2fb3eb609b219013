"""Whose turn it is after acts in and out of order: the clause `turn.order` of the rules' README."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ledger.turns import Turn, after_act, after_pass_in_breach

A, B, C = range(3)


def follow(seat: int) -> int:
    """The seat to the left among three."""
    return (seat + 1) % 3


def faults(acts: Sequence[int]) -> list[int]:
    """The places of the acts that are out of order, when the first seat begins."""
    turn, wrong = Turn(A), []
    for place, seat in enumerate(acts):
        if not turn.allows(seat):
            wrong.append(place)
        turn = after_act(turn, seat, follow)
    return wrong


@pytest.mark.parametrize(
    ("acts", "wrong"),
    [
        ([A, B, C, A], []),
        ([A, C, A, B], [1]),  # C in place of B: the order goes on from C
        ([A, C, B, C, A], [1]),  # B, who was passed over, and then C, who follows B
        ([A, C, B, A, B], [1]),  # the same, and then A, who follows C
        ([A, C, C, A], [1]),  # C acted for B, and then in turn
        ([A, A, B, C], [1]),
        ([A, A, C, A], [1]),  # A acted for B, and C follows B
        ([A, A, C, B], [1, 3]),
        ([B, A, C, A], [0]),
        ([B, C, A], [0]),
        ([A, C, B, B], [1, 3]),
        ([A, A, A, A], [1, 2, 3]),
    ],
)  # fmt: skip
def test_one_act_out_of_order_is_one_fault(acts: list[int], wrong: list[int]) -> None:
    assert faults(acts) == wrong


def test_any_two_neighbours_may_be_swapped_at_the_price_of_one_fault() -> None:
    order = [A, B, C] * 3
    for place in range(len(order) - 1):
        swapped = [*order[:place], order[place + 1], order[place], *order[place + 2 :]]
        assert faults(swapped) == [place]


def test_any_one_act_may_be_forgotten_doubled_or_written_for_another_at_the_price_of_one_fault() -> None:
    order = [A, B, C] * 3
    for place in range(1, len(order) - 1):
        assert len(faults([*order[:place], *order[place + 1 :]])) == 1
        assert len(faults([*order[:place], order[place], *order[place:]])) == 1
        for other in {A, B, C} - {order[place]}:
            assert len(faults([*order[:place], other, *order[place + 1 :]])) == 1


def test_who_passed_in_breach_may_act_all_the_same() -> None:
    after = after_pass_in_breach(Turn(A), A, follow)
    assert (after.seat, after.allows(A), after.allows(B), after.allows(C)) == (B, True, True, False)
    again = after_act(after, A, follow)
    assert again == Turn(B)


def test_where_nobody_is_due_anybody_acts() -> None:
    assert after_act(Turn(), C, follow) == Turn(A)
    assert Turn().allows(B)
