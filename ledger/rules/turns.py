"""Whose turn it is, and who else may act when somebody acted out of order.

Source: the rules' README, `turn.order`.
"""

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

Following = Callable[[int], int | None]
"""A seat → the seat whose turn follows, skipping those who cannot act; None if there is none."""


# Each act in a hand asks for the same one.
@lru_cache(maxsize=1024)
def who_holds(sizes: tuple[int, ...], plays: tuple[int, ...]) -> int:
    """A bit for each seat that still holds tiles, given how many it had and how many it played."""
    return sum(1 << seat for seat, (size, played) in enumerate(zip(sizes, plays, strict=True)) if played < size)


@lru_cache(maxsize=1024)
def following(left: int, seats: int) -> tuple[int | None, ...]:
    """For each seat, the next seat that still holds tiles, which has its bit set in `left`.

    A seat follows itself if it is the only one left, and nobody follows if none is.
    """
    turns = [[*range(seat + 1, seats), *range(seat + 1)] for seat in range(seats)]
    return tuple(next((after for after in turn if left >> after & 1), None) for turn in turns)


class Turn(Struct, frozen=True, gc=False):
    """Whose turn it is.

    `seat` is due (None: nobody is, or it is unknown who), and the seats in `also` may act as well.  After an act out of
    order, `missed` is the seat that was skipped and `by` the one that acted instead.
    """

    seat: int | None = None
    also: tuple[int, ...] = ()
    missed: int | None = None
    by: int | None = None

    def allows(self, seat: int) -> bool:
        """Whether an act of this seat is in order."""
        return self.seat is None or self.seat == seat or seat in self.also


NOBODY = Turn()
"""Nobody is due."""


# One act out of order is one fault.  After it, the order goes on from the player who acted.  But the act may have been
# written for the wrong player or in the wrong place, so the skipped player may act next as well, and so may the one
# after that.  If the skipped player makes up for it, the next act may follow either of the two.
def after_act(turn: Turn, seat: int, following: Following) -> Turn:
    """Whose turn it is after an act of this seat; `following` uses the table after the act."""
    due = turn.seat
    if turn.missed is not None and turn.by is not None and seat == turn.missed:
        return Turn(following(turn.by), _seats(following(seat)))
    if seat == due or turn.allows(seat):
        return Turn(following(seat))
    assert due is not None  # noqa: S101  where nobody is due, every act is in order
    return Turn(following(seat), _seats(due, following(due)), missed=due, by=seat)


# After a pass in breach, its player may still act at once.
def after_pass_in_breach(turn: Turn, seat: int, following: Following) -> Turn:
    """Whose turn it is after a pass of this seat that is, or may turn out to be, a breach."""
    after = after_act(turn, seat, following)
    return Turn(after.seat, _seats(*after.also, seat), after.missed, after.by)


def _seats(*seats: int | None) -> tuple[int, ...]:
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))
