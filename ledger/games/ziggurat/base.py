"""The base of Ziggurat: the windows in which it can lie, what touches, and what matches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ledger.grid import CORNERS, DRAWN, PLACES, SIDES, cornered, free_in, moved, roomy, tileable, windows

Base = tuple[int, int]
"""The squares of a base: the corner from which they are counted, and their bits in a window there.

The corner is that of the window that was drawn, else of the smallest rectangle around them; so bases that look alike
have the same bits, and what is to be known of them is found out once.
"""
BARE: Base = (DRAWN, 0)


# The base stays within one 4 × 4 window, any that holds all its squares; by a ruling, the one that was drawn.
def grown(base: Base | None, drawn: bool, one: int, other: int) -> Base | None:
    """The base with these squares too; None if there is no window for it, or was none before."""
    if base is None:
        return None
    corner, bits = base
    bit, more = PLACES.get(one - corner), PLACES.get(other - corner)
    if bit and more and (bits or drawn):
        return corner, bits | bit | more
    if drawn:
        return None
    wider = cornered(corner, one, other) if bits else cornered(one, other)
    old = moved(bits, corner - wider) if bits else 0
    bit, more = PLACES.get(one - wider), PLACES.get(other - wider)
    return (wider, old | bit | more) if bit and more and old is not None else None


def outside(base: Base) -> bool:
    """Whether a square of the base lies outside the columns and rows that would have been drawn."""
    corner, bits = base
    return moved(bits, corner - DRAWN) is None


# The finished base has no gaps: a domino is legal only while the rest of some window can still be filled.
@cache
def fillable(drawn: bool, bits: int) -> bool:
    """Whether the rest of a window in which such a base can lie can still be filled with dominoes."""
    return any(map(tileable, _free(drawn, bits)))


# It is finished when no play is left on it: where gaps are allowed, when no domino fits in any window.
@cache
def spacious(drawn: bool, cut_up: bool, bits: int) -> bool:
    """Whether something can still be played on such a base."""
    return any(map(roomy if cut_up else _can_be_filled, _free(drawn, bits)))


def _can_be_filled(free: int) -> bool:
    return bool(free) and tileable(free)


def _free(drawn: bool, bits: int) -> tuple[int, ...]:
    return (free_in(bits),) if drawn else windows(bits)


_BESIDE = {step: tuple(side for side in SIDES if side != step) for step in SIDES}
"""The three squares beside one half of a domino, by what leads to the other half."""
Pips = tuple[int | None, int | None, int | None]


def beside(halves: Mapping[int, int], at: int, opposite: int) -> Pips:
    """The pips beside one square of a domino, in the order of `SIDES`, but for the domino itself."""
    one, two, three = _BESIDE[opposite - at]
    get = halves.get
    return get(at + one), get(at + two), get(at + three)


def equals(halves: Mapping[int, int], at: int, opposite: int, pips: int) -> list[int]:
    """The squares beside one square of a domino with these pips on them."""
    both = zip(_BESIDE[opposite - at], beside(halves, at, opposite), strict=True)
    return [at + step for step, found in both if found == pips]


# Every base domino but the first shares an edge (or by a ruling a corner) with one that lies there.
def touching(halves: Mapping[int, int], one: int, other: int, corners: bool = False) -> bool:
    """Whether a domino on these squares touches one of those."""
    if one in halves or other in halves or bordering(beside(halves, one, other), beside(halves, other, one)):
        return True
    return corners and any(one + step in halves or other + step in halves for step in CORNERS)


def bordering(near: Pips, far: Pips) -> bool:
    """Whether something lies beside a domino."""
    return near.count(None) + far.count(None) < len(near) + len(far)


# On the base, one point for each of the two squares that equals an edge-adjacent square of another domino; by a ruling,
# one for each such pair.
def scoring(per_match: bool, equal: int) -> int:
    """How many points a square scores that equals so many."""
    return equal if per_match or not equal else 1


def ambiguous(equal: int) -> bool:
    """Whether that ruling makes a difference to such a square."""
    return equal > 1
