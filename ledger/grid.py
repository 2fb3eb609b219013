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

STEPS = {"e": 1, "s": ROW, "w": -1, "n": -ROW}
"""What a direction adds to a square."""
SIDES = (1, ROW, -1, -ROW)
"""The four edge-adjacent squares, as what is added."""
CORNERS = (ROW + 1, ROW - 1, -ROW + 1, -ROW - 1)

WINDOW = 4
"""A base stays within 4 × 4 squares."""


def square(x: int, y: int, level: int) -> int:
    """The square at column x, row y of a level."""
    return level * LEVEL + (y + _HALF) * ROW + x + _HALF


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


def windows(squares: Collection[int]) -> Iterator[tuple[int, int]]:
    """The top left corners (x, y) of every 4 × 4 window that holds all these squares; any number, or none."""
    columns, rows = [column(at) for at in squares], [row(at) for at in squares]
    for y in range(max(rows) - WINDOW + 1, min(rows) + 1):
        for x in range(max(columns) - WINDOW + 1, min(columns) + 1):
            yield x, y


def free_in(window: tuple[int, int], squares: Collection[int]) -> int:
    """The free squares of a window, as bits."""
    left, top = window
    bits = (1 << WINDOW * WINDOW) - 1
    for at in squares:
        x, y = column(at) - left, row(at) - top
        if 0 <= x < WINDOW and 0 <= y < WINDOW:
            bits &= ~(1 << WINDOW * y + x)
    return bits
