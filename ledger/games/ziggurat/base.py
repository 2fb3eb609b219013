"""The base of Ziggurat: the windows in which it can lie, what touches, and what matches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ledger.grid import CORNERS, DRAWN, LEVEL, PLACES, ROW, SIDES, WINDOW, free_in, roomy, tileable


def base_squares(halves: Iterable[int]) -> list[int]:
    """The squares of the base among these."""
    return [at for at in halves if at < 2 * LEVEL]


# The base stays within one 4 × 4 window, any that holds all its squares; by a ruling, the one that was drawn.
def windows(drawn: bool, base: Collection[int]) -> list[int]:
    """The north-west corners of the windows that hold all these squares; of a bare base, one window stands for all."""
    if drawn or not base:
        return [] if beyond(*base) else [DRAWN]
    columns, rows = [at % ROW for at in base], [at // ROW for at in base]
    lefts = range(max(columns) - WINDOW + 1, min(columns) + 1)
    tops = range(max(rows) - WINDOW + 1, min(rows) + 1)
    return [top * ROW + left for top in tops for left in lefts]


def beyond(*base: int) -> bool:
    """Whether one of these squares lies outside the columns and rows that would have been drawn."""
    return any(at - DRAWN not in PLACES for at in base)


def free_squares(corner: int, base: Iterable[int]) -> int:
    """The squares of a window that are free when these are in use, as bits."""
    bits = 0
    for at in base:
        bits |= PLACES.get(at - corner, 0)
    return free_in(bits)


# The finished base has no gaps: a domino is legal only while the rest of some window can still be filled.
def fillable(drawn: bool, base: Collection[int]) -> bool:
    """Whether the rest of a window that holds these squares can still be filled with dominoes."""
    return any(tileable(free_squares(corner, base)) for corner in windows(drawn, base))


# It is finished when no play is left on it: where gaps are allowed, when no domino fits in any window.
def spacious(drawn: bool, cut_up: bool, base: Collection[int]) -> bool:
    """Whether something can still be played on a base."""
    for corner in windows(drawn, base):
        free = free_squares(corner, base)
        if roomy(free) if cut_up else free and tileable(free):
            return True
    return False


_BESIDE = {step: (*(at for at in SIDES if at != step), *(step + at for at in SIDES if at != -step)) for step in SIDES}
"""The six squares beside a domino, first those of its first half, by the step from that to the other half."""
_Pips = tuple[int | None, ...]
_NONE = (None,) * (len(SIDES) - 1)


# Every base domino but the first shares an edge (or by a ruling a corner) with one that lies there.
def beside(halves: Mapping[int, int], one: int, other: int) -> tuple[_Pips, _Pips]:
    """The pips beside each half of a domino, in the order of `SIDES`; None where nothing lies."""
    get, (a, b, c, d, e, f) = halves.get, _BESIDE[other - one]
    return (get(one + a), get(one + b), get(one + c)), (get(one + d), get(one + e), get(one + f))


def bordering(near: _Pips, far: _Pips) -> bool:
    """Whether something lies beside a domino."""
    return near != _NONE or far != _NONE


def cornering(halves: Mapping[int, int], one: int, other: int) -> bool:
    """Whether something lies at a corner of one of these squares."""
    return any(one + step in halves or other + step in halves for step in CORNERS)


# On the base, one point for each of the two squares that equals an edge-adjacent square of another domino; by a ruling,
# one for each such pair.
def scoring(per_match: bool, equal: int) -> int:
    """How many points a square scores that equals so many."""
    return equal if per_match or not equal else 1


def ambiguous(equal: int, more: int) -> bool:
    """Whether that ruling makes a difference to such squares."""
    return equal > 1 or more > 1


def equals(halves: Mapping[int, int], one: int, other: int, first: int, second: int) -> tuple[list[int], list[int]]:
    """For each half of a domino the squares beside it with the same pips."""
    steps, (near, far) = _BESIDE[other - one], beside(halves, one, other)
    return (
        [one + step for step, pips in zip(steps[:3], near, strict=True) if pips == first],
        [one + step for step, pips in zip(steps[3:], far, strict=True) if pips == second],
    )
