"""What a run of plays changes in a hand of Zigzag.  Only `strides` uses this file; without both, audits are slower."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.state import SEATS, Capture, Hand, Phase, Piles
from ledger.record.tiles import size
from ledger.rules.turns import Turn

POINT = 64
"""A pile is a single number here: 1 for each of its tiles, and this for each point that it is worth."""


@lru_cache
def tables(
    largest: int, rank: tuple[int, bool] | None, by_rank: bool
) -> tuple[tuple[tuple[bool, ...], ...], tuple[int, ...]]:
    """By the index of a tile, which tiles cover it (for each index whether it does), and what it adds to a pile.

    The last row is for the bare table, where any tile begins a pile.
    """
    indices = range(size(largest))
    rows = [tuple([bool(tiles >> index & 1) for index in indices]) for tiles in covers(largest, rank)]
    weights = tuple([1 + POINT * worth for worth in worths(largest, rank, by_rank)])
    return (*rows, (True,) * len(indices)), weights


class Course(Struct, gc=False):
    """The `hand` before a run of plays, and what the run changes.

    By seat, `laid` are the tiles played, as bits, `won` is all that was taken, `last_of` the last pile: 0 if there is
    none, or more than one, and negative if the table has claimed it.  `taker` took the last pile of all, `fresh` one
    with the last tile (-1: nobody did).  `last` is the seat that played last, `pile` what is in the centre.
    """

    hand: Hand
    laid: list[int]
    won: list[int]
    last_of: list[int]
    taker: int | None
    fresh: int
    last: int
    pile: int

    def so_far(self, tiles: Sequence[int], turn: int | None) -> Hand:
        """The hand after these tiles, given by their indices, as it goes on."""
        rest = (*self.hand.piles.pile, *tiles)[-(self.pile % POINT) :]
        piles = self.piles(rest, self.captures(), self.taker, self.last)
        return self.after("play", Turn(turn), rest[-1], piles, 1 << self.fresh if self.fresh >= 0 else 0)

    # The player of the last tile takes it with the tiles that it covers.
    def to_end(self, event: Any) -> Hand:
        """The hand after its last tile, which this event plays."""
        seat, fresh, captures = self.last, 1 << self.last, self.captures()
        with_it = captures[seat] if seat == self.fresh else ()
        captures[seat] = (*with_it, as_capture(self.pile))
        self.won[seat] += self.pile
        self.last_of[seat] = self.pile  # nobody has claimed it
        if self.fresh >= 0:
            fresh |= 1 << self.fresh
        return self.after("over", Turn(), event.tile.index, self.piles((), captures, seat, None), fresh)

    def captures(self) -> list[tuple[Capture, ...]]:
        """By seat, what it took last, in the hand so far."""
        captures = list(self.hand.piles.captures)
        for seat, before in enumerate(self.hand.piles.taken):
            if self.won[seat] % POINT != before:
                captures[seat] = (as_capture(abs(self.last_of[seat])),)
        return captures

    def piles(
        self, rest: tuple[int, ...], captures: Sequence[tuple[Capture, ...]], taker: int | None, by: int | None
    ) -> Piles:
        """The piles with this `rest` in the centre, whose top tile was played `by` a seat."""
        first, second, third = self.won
        taken = (first % POINT, second % POINT, third % POINT)
        worth = (first // POINT, second // POINT, third // POINT)
        return Piles(rest, tuple(captures), taken, worth, self.hand.piles.unknown, taker, by)

    def after(self, phase: Phase, turn: Turn, top: int, piles: Piles, fresh: int) -> Hand:
        """The hand after the run."""
        hand, told, (first, second, third) = self.hand, self.hand.told, self.laid
        for seat, pile in enumerate(self.last_of):
            if pile:
                told = told & ~(1 << seat) | (pile < 0) << seat
        by_first, by_second, by_third = hand.plays
        plays = (by_first + first.bit_count(), by_second + second.bit_count(), by_third + third.bit_count())
        return Hand(
            phase, turn, hand.calls, hand.spoke, hand.skipped, hand.highest, hand.contractor, hand.said, None,
            hand.over, hand.rank, hand.dealt, hand.whole, hand.played | first | second | third, plays, self.last, top,
            piles, (), False, fresh, told,
        )  # fmt: skip


def as_capture(pile: int) -> Capture:
    """A pile as the state has it."""
    return Capture(pile % POINT, pile // POINT)


def taken_by_seat(piles: Piles) -> list[int]:
    """By seat, all that it took, as one pile."""
    if piles.taker is None:
        return [0] * SEATS
    return [tiles + POINT * points for tiles, points in zip(piles.taken, piles.worth, strict=True)]


def last_piles(hand: Hand) -> list[int]:
    """By seat, the last pile that it took; see `Course.last_of`."""
    if hand.piles.taker is None:
        return [0] * SEATS
    piles = [captures[0].tiles + POINT * captures[0].points if len(captures) == 1 else 0
             for captures in hand.piles.captures]  # fmt: skip
    return [-pile if hand.told >> seat & 1 else pile for seat, pile in enumerate(piles)]
