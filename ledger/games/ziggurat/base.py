"""The base of Ziggurat: where its window can be, what touches, and what matches."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ledger.record.grid import CORNERS, DRAWN, PLACES, ROW, SIDES, WHOLE, WINDOW, roomy, tileable

UNKNOWN = -1
"""The pips on a square with an unknown domino."""

Squares = Mapping[int, int]
"""The pips on each square in use."""
Windows = Sequence[int]
"""Windows, as the squares in their north-west corners."""


# The base stays within one 4 × 4 window.  The window floats until the dominoes fix it.
def windows_around(base: Iterable[int]) -> tuple[int, ...]:
    """All windows that hold these squares, given at least one square."""
    columns, rows = [at % ROW for at in base], [at // ROW for at in base]
    lefts = range(max(columns) - WINDOW + 1, min(columns) + 1)
    tops = range(max(rows) - WINDOW + 1, min(rows) + 1)
    return tuple([top * ROW + left for top in tops for left in lefts])


def windows_with(windows: Windows, one: int, other: int) -> tuple[int, ...]:
    """The allowed windows that also hold this domino; if nothing limits the window yet, all windows that hold it."""
    if not windows:
        return windows_around((one, other))
    return tuple([corner for corner in windows if one - corner in PLACES and other - corner in PLACES])


def beyond(*base: int) -> bool:
    """Whether one of these squares lies outside the window that the table would have drawn."""
    for at in base:  # noqa: SIM110  a generator for each domino would take longer
        if at - DRAWN not in PLACES:
            return True
    return False


def free_squares(corner: int, base: Iterable[int]) -> int:
    """The squares of a window that are free when these are in use, as bits."""
    free = WHOLE
    for at in base:
        free &= ~PLACES.get(at - corner, 0)
    return free


# A domino is legal only while the rest of at least one allowed window can still be filled with dominoes.
def fillable(windows: Windows, base: Iterable[int]) -> bool:
    """Whether the rest of one of these windows can be filled with dominoes."""
    for corner in windows:  # noqa: SIM110  a generator for each domino would take longer
        if tileable(free_squares(corner, base)):
            return True
    return False


# The base is complete when all sixteen squares of a window are filled, or, if gaps are allowed, when no domino fits in
# any window.
def is_complete(windows: Windows, base: Collection[int], cut_up: bool) -> bool:
    """Whether nothing is left to be played on the base."""
    if not windows:
        return False
    if cut_up:
        return not any(roomy(free_squares(corner, base)) for corner in windows)
    return len(base) >= len(PLACES) and any(not free_squares(corner, base) for corner in windows)


_BESIDE = {step: (*(at for at in SIDES if at != step), *(step + at for at in SIDES if at != -step)) for step in SIDES}
"""The six squares beside a domino, those of its first half first, by the step from that half to the other."""
Beside = tuple[int | None, ...]


# Every base domino but the first shares an edge (or, by a ruling, a corner) with another one.
def beside(base: Squares, one: int, other: int) -> tuple[Beside, Beside]:
    """The pips beside each half of a domino, in the order of `SIDES`; None for a free square."""
    get, (a, b, c, d, e, f) = base.get, _BESIDE[other - one]
    return (get(one + a), get(one + b), get(one + c)), (get(one + d), get(one + e), get(one + f))


def borders(base: Squares, one: int, other: int) -> bool:
    """Whether anything lies beside a domino on these squares."""
    a, b, c, d, e, f = _BESIDE[other - one]
    return (
        one + a in base or one + b in base or one + c in base or one + d in base or one + e in base or one + f in base
    )


def cornering(base: Squares, one: int, other: int) -> bool:
    """Whether anything lies at a corner of one of these squares."""
    return any(one + step in base or other + step in base for step in CORNERS)


# On the base, one point for each of the two squares that equals an edge-adjacent square of another domino; by a ruling,
# one for each such pair.
def scoring(per_match: bool, equal: int) -> int:
    """The points of a square with this many equal neighbours."""
    return equal if per_match or not equal else 1


def equals(base: Squares, one: int, other: int, first: int, second: int) -> tuple[list[int], list[int]]:
    """For each half of a domino, the squares beside it with the same pips."""
    steps, (near, far) = _BESIDE[other - one], beside(base, one, other)
    return (
        [one + step for step, pips in zip(steps[:3], near, strict=True) if pips == first],
        [one + step for step, pips in zip(steps[3:], far, strict=True) if pips == second],
    )
