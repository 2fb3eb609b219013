"""What lies near the top of a ziggurat: the squares on which a half can lie, on the level reached and on the next."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from ledger.games.ziggurat.base import BARE, Base
from ledger.grid import LEVEL


class Top(Struct, frozen=True, gc=False):
    """What lies near the top, and what a placement there is judged by.

    `free` are the squares on which a half can still lie on the level reached, each with the pips below it, `over` those
    of the next level; of the base there is the `base`, None if it is too wide.  `below` is how many squares are in use
    below the level reached.
    """

    free: dict[int, int]
    over: dict[int, int]
    below: int = 0
    base: Base | None = BARE


class Halves(dict[int, int]):
    """For each square in use the pips on it.

    What lies near the `top` is no part of a state, only what a placement hands on to the next one: else the whole table
    would have to be gone through for every domino of a tower.
    """

    __slots__ = ("top",)
    top: Top


Near = tuple[int, dict[int, int], dict[int, int], int]
"""A level, and what `Top` has as `free`, `over` and `below` when it is the level reached."""


def near(halves: Mapping[int, int], level: int) -> Near:
    """The same for this level, found by going through the whole table."""
    low, high = level * LEVEL, (level + 1) * LEVEL
    below = {at + LEVEL: pips for at, pips in halves.items() if low - LEVEL <= at < low}
    free = {at: pips for at, pips in below.items() if at not in halves}
    return level, free, {at + LEVEL: pips for at, pips in halves.items() if low <= at < high}, len(below)


def reached(halves: Halves, level: int, on: int, over: dict[int, int], both: tuple[int, int]) -> Near:
    """The level reached when one is begun, or something is laid out of order, and what lies near the top then."""
    if on != level + 1:
        return near(halves, max(level, on))
    one, other = both
    below = len(over)
    over.pop(one, None)
    over.pop(other, None)
    return on, over, {one + LEVEL: halves[one], other + LEVEL: halves[other]}, below


def covered(halves: Mapping[int, int], one: int, other: int) -> dict[int, int]:
    """What two squares cover, wherever they are, as in `Top.free`."""
    return {at: halves[at - LEVEL] for at in (one, other) if at - LEVEL in halves}


def single(below: int, over: Collection[int]) -> bool:
    """Whether the level over this one has a single place once it is finished, or it was itself the single place.

    A level with a single domino is all that gives the next one a single place; there is no level below the base.
    """
    return len(over) == 2 or below == 2
