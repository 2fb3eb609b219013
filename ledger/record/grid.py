"""Squares, directions, windows and tilings, shared by both ziggurats.

A square is one whole number, so sets and tables of squares stay small and fast: east adds 1, south adds `ROW`, the next
level adds `LEVEL`.  The numbers have room for coordinates from -1000 to 1000 and levels from 1 to 1000, the limits of
the record format.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from ledger.record.scene import Laid, Mark, Spot
from ledger.record.tiles import Tile

ROW = 4096
LEVEL = ROW * ROW
_HALF = ROW // 2
ORIGIN = _HALF * ROW + _HALF
"""The square at column and row 0, below the first level."""

STEPS = {"e": 1, "s": ROW, "w": -1, "n": -ROW}
"""What a direction adds to a square."""
SIDES = (1, ROW, -1, -ROW)
"""What each of the four edge-adjacent squares adds to a square."""
CORNERS = (ROW + 1, ROW - 1, -ROW + 1, -ROW - 1)

WINDOW = 4
"""The side of a base, in squares."""
SHAPES = 1 << 13
"""The answers kept about shapes of a base, out of 65,536, so that a server does not grow for days."""
WHOLE = (1 << WINDOW * WINDOW) - 1
"""All squares of a window, as bits."""


def square(x: int, y: int, level: int) -> int:
    """The square at column x, row y of a level."""
    return level * LEVEL + y * ROW + x + ORIGIN


def column(at: int) -> int:
    """The column of a square."""
    return at % ROW - _HALF


def row(at: int) -> int:
    """The row of a square."""
    return at // ROW % ROW - _HALF


def level_of(at: int) -> int:
    """The level of a square."""
    return at // LEVEL


def spot(at: int) -> Spot:
    """A square as a scene has it."""
    return column(at), row(at), level_of(at)


def laid(tile: Tile, one: int, other: int, *marks: Mark) -> Laid:
    """A tile on these squares as a scene has it."""
    return Laid(tile, (column(one), row(one)), (column(other), row(other)), level_of(one), None, marks)


def said(at: int) -> str:
    """A square in words: ``(2, -1)``."""
    return f"({column(at)}, {row(at)})"


def pairs(free: Collection[int]) -> Iterator[tuple[int, int]]:
    """Every two of these squares that are edge-adjacent, each pair once."""
    for at in free:
        for step in (1, ROW):
            if at + step in free:
                yield at, at + step


@lru_cache(maxsize=SHAPES)
def tileable(free: int) -> bool:
    """Whether the free squares of a 4 × 4 window (bit = 4 · row + column) can all be covered with dominoes."""
    if not free:
        return True
    low = free & -free
    place = low.bit_length() - 1
    right = low << 1
    if place % WINDOW != WINDOW - 1 and free & right and tileable(free & ~low & ~right):
        return True
    below = low << WINDOW
    return bool(free & below) and tileable(free & ~low & ~below)


@lru_cache(maxsize=SHAPES)
def roomy(free: int) -> bool:
    """Whether one more domino fits on the free squares of a window."""
    for place in range(WINDOW * WINDOW):
        if free >> place & 1:
            if place % WINDOW != WINDOW - 1 and free >> place + 1 & 1:
                return True
            if free >> place + WINDOW & 1:
                return True
    return False


PLACES = {y * ROW + x: 1 << WINDOW * y + x for y in range(WINDOW) for x in range(WINDOW)}
"""For each square of a window, what it adds to the window's corner, and its bit."""
DRAWN = square(0, 0, 1)
"""The corner of the window that was drawn beforehand."""


START = square(3, 2, 1)
"""Where the first half of a base that lies anywhere is proposed: d4, with room for the base on all sides."""
