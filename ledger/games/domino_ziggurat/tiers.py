"""The tiers of Domino Ziggurat: where a domino can lie, what lies below each half, and what lies beside it.

`halves` always means the pips on each square in use.  A square of a tier is one number; see `ledger.record.grid`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ledger.record.events import Direction, Place, Square
from ledger.record.grid import LEVEL, SIDES, STEPS, column, level_of, row, square
from ledger.record.tiles import Tile

TIERS = {1: 18, 2: 8, 3: 2}
"""How many dominoes a finished tier has."""
FOUNDATION = 6
DOWN = tuple(sorted(TIERS, reverse=True))
"""The tiers from the top down."""


def on_foundation(at: int) -> bool:
    """Whether a square is above the foundation."""
    return 0 <= column(at) < FOUNDATION and 0 <= row(at) < FOUNDATION


# Each tier is centred, and on every side one square smaller than the one below.
SQUARES = frozenset(
    square(x, y, tier)
    for tier in TIERS
    for x in range(tier - 1, FOUNDATION - tier + 1)
    for y in range(tier - 1, FOUNDATION - tier + 1)
)
"""The squares of the three tiers; there is no fourth."""


# ── Below ──────────────────────────────────────────────────────────────────────────────────────────────────

GROUND, OPEN = -1, 99
"""What is under a half, as pips: the foundation counts less than any half, a hole more than any."""
UNKNOWN = -2
"""The pips of an unknown half: less than any half, so that any may lie on it."""


def floor(at: int) -> int:
    """What is under a half on this square if no domino is."""
    return GROUND if level_of(at) == 1 else OPEN


def supported(halves: Mapping[int, int], at: int) -> bool:
    """Whether a half on this square rests on something."""
    return halves.get(at - LEVEL, floor(at)) != OPEN


def above(both: tuple[int, int]) -> tuple[int, int]:
    """The squares directly above these."""
    return both[0] + LEVEL, both[1] + LEVEL


def covered(halves: Mapping[int, int], both: tuple[int, int]) -> bool:
    """Whether something rests on one of these squares."""
    return both[0] + LEVEL in halves or both[1] + LEVEL in halves


# ── Beside ─────────────────────────────────────────────────────────────────────────────────────────────────

# At least one half lies beside an equal one, seen from above: one on its own tier, or the visible top of the
# neighbouring column on another.  A ruling decides which neighbours count; each of its readings is a bit.
READINGS = {"visible": 1, "top": 2, "same-tier": 4, "any": 8}
_VISIBLE, _TOP, _SAME, _ANY = READINGS.values()
EVERY = _VISIBLE | _TOP | _SAME | _ANY


class Sides(NamedTuple):
    """The squares beside a domino: those beside its first half, and those beside its second; none is beside both.

    `near` and `far` are those of them on the domino's own tier: beside the first half, and beside the second.
    For each such square, `readings` has the squares above it, the readings that count it while those are free, and the
    readings that count it if one of them is in use.
    """

    first: frozenset[int]
    second: frozenset[int]
    near: tuple[int, ...]
    far: tuple[int, ...]
    readings: Mapping[int, tuple[tuple[int, ...], int, int]]


_NOTHING = Sides(frozenset(), frozenset(), (), (), {})


def levels(halves: Mapping[int, int]) -> tuple[int, ...]:
    """The tiers from the top down; once something lies above the third, the levels in use."""
    top = max(halves) // LEVEL if halves else 0
    return DOWN if top <= len(TIERS) else tuple(sorted({*map(level_of, halves)}, reverse=True))


@lru_cache(maxsize=1024)
def sides(one: int, other: int, down: tuple[int, ...] = DOWN) -> Sides:
    """The squares beside a domino on these squares, on these levels."""
    first, second = _side(one, other, down), _side(other, one, down)
    # A domino usually matches on its own tier, so those squares come first.
    own_tier_first = sorted((first | second).items(), key=lambda entry: level_of(entry[0]) != level_of(one))
    near = tuple([one + step for step in SIDES if one + step != other])
    far = tuple([other + step for step in SIDES if other + step != one])
    return Sides(frozenset(first), frozenset(second), near, far, dict(own_tier_first))


def _side(at: int, other: int, down: tuple[int, ...]) -> dict[int, tuple[tuple[int, ...], int, int]]:
    readings = {}
    for step in SIDES:
        near = at + step
        column_ = [near + (level - level_of(at)) * LEVEL for level in down]
        for place, beside_ in enumerate(column_):
            always = _ANY | _SAME if beside_ == near else _ANY
            # Nothing is visible under the domino's own other half.
            free_above = always if near == other else always | _TOP | _VISIBLE
            used_above = free_above & ~_TOP if beside_ == near else always
            readings[beside_] = tuple(column_[:place]), free_above, used_above
    return readings


def neighbours(halves: Mapping[int, int], at: int, other: int, reading: int) -> Iterator[int]:
    """The squares in use that may match a half on `at` under this reading; the domino's other half is on `other`."""
    for near, (above, free_above, used_above) in _side(at, other, levels(halves)).items():
        if near in halves and (free_above if halves.keys().isdisjoint(above) else used_above) & reading:
            yield near


# ── Spots ──────────────────────────────────────────────────────────────────────────────────────────────────


class Spot(NamedTuple):
    """A way to lay a domino: both squares, the squares below, what is there without a domino, and the squares beside.

    Outside the tiers nothing is below or beside.
    """

    both: tuple[int, int]
    below: int
    beneath: int
    floor: int
    sides: Sides


class _Spots(dict[tuple[Square, Direction, int], Spot]):
    """The spots, by the first half's square, direction and level.  It caches the few that are on the tiers."""

    def __missing__(self, way: tuple[Square, Direction, int]) -> Spot:
        (x, y), step, level = way
        one = square(x, y, level)
        other = one + STEPS[step]
        if one not in SQUARES or other not in SQUARES:
            return Spot((one, other), 0, 0, OPEN, _NOTHING)
        self[way] = spot = Spot((one, other), one - LEVEL, other - LEVEL, floor(one), sides(one, other))
        return spot


SPOTS = _Spots()


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    return SPOTS[event.at, event.dir, event.level].both


# A domino lies on free squares of its tier, and each half covers the foundation or a smaller half.
def fits(halves: Mapping[int, int], spot: Spot, tile: Tile) -> bool:
    """Whether a domino may lie on a spot, apart from what is beside it."""
    (one, other), (under_first, under_second) = spot.both, under(halves, spot)
    return under_first < tile.first and under_second < tile.second and one not in halves and other not in halves


def under(halves: Mapping[int, int], spot: Spot) -> tuple[int, int]:
    """What is under both halves of a domino on a spot, as pips."""
    return halves.get(spot.below, spot.floor), halves.get(spot.beneath, spot.floor)
