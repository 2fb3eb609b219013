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
    wider = cornered(one, other)
    if bits:
        wider = cornered(corner, wider)
    old = moved(bits, corner - wider) if bits else 0
    bit, more = PLACES.get(one - wider), PLACES.get(other - wider)
    return (wider, old | bit | more) if bit and more and old is not None else None


def beyond(one: int, other: int) -> bool:
    """Whether one of these squares lies outside the columns and rows that would have been drawn."""
    return one - DRAWN not in PLACES or other - DRAWN not in PLACES


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
