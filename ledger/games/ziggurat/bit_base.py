"""The base of Ziggurat as bits in a window, for `strides` alone, so that answers are cached for all similar bases."""

from __future__ import annotations

from functools import lru_cache

from ledger.games.ziggurat.base import Squares, around, beyond, windows_around
from ledger.games.ziggurat.state import Rules
from ledger.record.grid import (
    DRAWN,
    PLACES,
    ROW,
    SHAPES,
    STEPS,
    WINDOW,
    cornered,
    free_in,
    moved,
    roomy,
    square,
    tileable,
    windows,
)

Spot = tuple[int, int, tuple[int, ...], tuple[int, ...], bool]
"""The squares of a base domino, the three squares around each half, and whether it lies outside the drawn window."""
FIRST_ROW = sum(1 << x for x in range(WINDOW))
FIRST_COLUMN = sum(1 << WINDOW * y for y in range(WINDOW))
Base = tuple[int, int]
"""The squares of a base: the corner from which they are counted, and their bits in a window there.

The corner is that of the drawn window, or else of the smallest rectangle around them.  So bases of the same shape have
the same bits, and each question about them is answered once.
"""


@lru_cache(maxsize=SHAPES)
def spot(at: tuple[int, int], direction: str) -> Spot:
    """Where a base domino lies whose first half is on the square `at`, with the second in that direction from it."""
    one = square(*at, 1)
    other = one + STEPS[direction]
    return one, other, *around(one, other), beyond(one, other)


def base_of(rules: Rules, squares: Squares) -> Base | None:
    """The base on the table; None if it fits into no window."""
    if rules.drawn or not squares:
        corner = DRAWN
    else:
        corner = min(at // ROW for at in squares) * ROW + min(at % ROW for at in squares)
    bits = 0
    for at in squares:
        bit = PLACES.get(at - corner)
        if bit is None:
            return None
        bits |= bit
    return corner, bits


def with_domino(base: Base, drawn: bool, one: int, other: int) -> Base | None:
    """The base with these squares added; None if it fits into no window."""
    corner, bits = base
    bit, more = PLACES.get(one - corner), PLACES.get(other - corner)
    if bit and more and (bits or drawn):
        return corner, bits | bit | more
    if drawn:
        return None
    wider = min(one, other)
    if bits:
        wider = cornered(corner, wider)
    old = moved(bits, corner - wider) if bits else 0
    bit, more = PLACES.get(one - wider), PLACES.get(other - wider)
    return (wider, old | bit | more) if bit and more and old is not None else None


def windows_of(base: Base) -> tuple[int, ...]:
    """All windows that hold a base whose window was not drawn."""
    corner, bits = base
    by = corner - DRAWN
    return tuple([window + by for window in _windows_of(bits)])


@lru_cache(maxsize=SHAPES)
def _windows_of(bits: int) -> tuple[int, ...]:
    """The same for a base whose corner is that of the drawn window."""
    return windows_around([DRAWN + place for place, bit in PLACES.items() if bits & bit])


@lru_cache(maxsize=SHAPES)
def can_be_filled(drawn: bool, bits: int) -> bool:
    """Whether some window around such a base can still be filled with dominoes."""
    return any(map(tileable, _free(drawn, bits)))


@lru_cache(maxsize=SHAPES)
def has_a_place(drawn: bool, cut_up: bool, bits: int) -> bool:
    """Whether something can still be played on such a base."""
    free = _free(drawn, bits)
    return any(map(roomy, free)) if cut_up else all(free)


def _free(drawn: bool, bits: int) -> tuple[int, ...]:
    return (free_in(bits),) if drawn else windows(bits)


def filling_differs(rules: Rules, base: Base) -> bool:
    """Whether the base can still be filled in a drawn window or in a floating one, but not in both."""
    corner, bits = base
    return not rules.cut_up and _filling_differs(bits, 0 if rules.drawn else corner - DRAWN)


@lru_cache(maxsize=SHAPES)
def _filling_differs(bits: int, by: int) -> bool:
    """The same for the squares of a window that is `by` squares away from where the table would have drawn it."""
    in_place = moved(bits, by)
    return in_place is not None and can_be_filled(True, in_place) != can_be_filled(False, to_the_corner(bits))


def completion_differs(rules: Rules, base: Base | None) -> bool:
    """Whether a cut-up base is complete in a drawn window or in a floating one, but not in both."""
    if not rules.cut_up or base is None:
        return False
    corner, bits = base
    in_place = bits if rules.drawn else moved(bits, corner - DRAWN)
    return in_place is not None and has_a_place(True, True, in_place) != has_a_place(False, True, to_the_corner(bits))


@lru_cache(maxsize=SHAPES)
def to_the_corner(bits: int) -> int:
    """The squares of a window, moved as far north and west as possible."""
    while not bits & FIRST_ROW:
        bits >>= WINDOW
    while not bits & FIRST_COLUMN:
        bits >>= 1
    return bits
