"""Squares, directions, windows and tilings: what both ziggurats share.

A square of a level is one whole number, so that sets and tables of squares stay small and quick: east is +1, south
`ROW`, the level above `LEVEL`.  Coordinates from -1000 to 1000 and levels from 1 to 1000 fit, which is what the reader
lets through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

ROW = 4096
LEVEL = ROW * ROW
_HALF = ROW // 2
ORIGIN = _HALF * ROW + _HALF
"""The square at column and row 0, below the first level."""

STEPS = {"e": 1, "s": ROW, "w": -1, "n": -ROW}
"""What a direction adds to a square."""
SIDES = (1, ROW, -1, -ROW)
"""The four edge-adjacent squares, as what is added."""
CORNERS = (ROW + 1, ROW - 1, -ROW + 1, -ROW - 1)

WINDOW = 4
"""A base stays within 4 × 4 squares."""
_WHOLE = (1 << WINDOW * WINDOW) - 1


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


def said(at: int) -> str:
    """A square in words: ``(2, -1)``."""
    return f"({column(at)}, {row(at)})"


def pairs(free: Collection[int]) -> Iterator[tuple[int, int]]:
    """Every two edge-adjacent squares of these, each pair once."""
    for at in free:
        for step in (1, ROW):
            if at + step in free:
                yield at, at + step


@cache
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


@cache
def roomy(free: int) -> bool:
    """Whether one more domino fits on the free squares of a window."""
    for place in range(WINDOW * WINDOW):
        if free >> place & 1:
            if place % WINDOW != WINDOW - 1 and free >> place + 1 & 1:
                return True
            if free >> place + WINDOW & 1:
                return True
    return False


def frees(squares: Collection[int]) -> tuple[int, ...]:
    """For each 4 × 4 window that holds all these squares, those that are free in it, as bits (4 · row + column).

    There is none if they lie too far apart; of nothing, there are all of one window.
    """
    if not squares:
        return (_WHOLE,)
    columns, rows = [at % ROW for at in squares], [at // ROW for at in squares]
    left, top = min(columns), min(rows)
    wide, high = max(columns) - left, max(rows) - top
    if wide >= WINDOW or high >= WINDOW:
        return ()
    used = 0
    for x, y in zip(columns, rows, strict=True):
        used |= 1 << WINDOW * (y - top) + x - left
    return tuple(
        _WHOLE & ~(used << WINDOW * down + right) for down in range(WINDOW - high) for right in range(WINDOW - wide)
    )


def free_in_drawn(squares: Collection[int]) -> tuple[int, ...]:
    """The same for the one window that was drawn, from column and row 0: none if a square lies outside."""
    used = 0
    for at in squares:
        x, y = column(at), row(at)
        if not (0 <= x < WINDOW and 0 <= y < WINDOW):
            return ()
        used |= 1 << WINDOW * y + x
    return (_WHOLE & ~used,)
