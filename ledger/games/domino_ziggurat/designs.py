"""A few finished ziggurats, which show a simulation where dominoes can go.

Finding one is the puzzle.  These two can be built in nearly any order: one under the reading of "adjacent" by which
only tops count, one under the other readings.  (If only the same tier counts, no second tier can be begun, unless a
ruling lets a domino go back there unmatched.)  Turned and mirrored, each gives eight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from ledger.games.domino_ziggurat.tiers import SPOTS
from ledger.record.events import Direction, Place
from ledger.record.grid import LEVEL, STEPS, square
from ledger.record.tiles import Tile, named

Mark = tuple[int, int, int, int]


class Belongs(NamedTuple):
    """The place of a domino in a design: its two squares, the pips on the first, and an act that puts it there.

    `around` are the squares on which it depends whether it can go there: these two, those below and those beside.
    """

    squares: tuple[int, int]
    pips: int
    act: Place
    around: frozenset[int]


class Design(NamedTuple):
    """A finished ziggurat: the places of its tiles by index, the pips by square, and the places as a set."""

    places: Mapping[int, Belongs]
    halves: Mapping[int, int]
    marks: frozenset[Mark]


def mark(index: int, both: tuple[int, int], halves: Mapping[int, int]) -> Mark:
    """A tile as it lies, the same for both ways to write it: index, lesser square, greater, the pips on the lesser."""
    one, other = both
    low, high = both if one < other else (other, one)
    return index, low, high, halves[low]


_LAST = 5
"""The last column and row of the foundation."""

_WRITTEN = (
    """
    1: 2-0 0,0s  1-4 1,0e  4-2 3,0e  6-0 5,0s  1-1 1,1e  1-0 3,1s  0-0 4,1s  0-5 0,2s  1-5 1,2s
    1: 3-2 2,2s  0-4 5,2s  0-3 3,3s  1-3 4,3s  1-6 0,4s  5-6 1,4s  2-6 2,4s  4-3 5,4s  6-3 3,5e
    2: 5-2 1,1e  2-2 3,1s  2-1 4,1s  5-4 1,2e  6-6 1,3s  3-3 2,3s  4-6 3,3e  4-4 3,4e
    3: 5-3 2,2e  5-5 2,3e
    """,
    """
    1: 6-0 0,0e  3-5 2,0e  5-5 4,0e  2-0 0,1e  1-0 2,1s  5-1 3,1s  0-5 4,1e  3-3 0,2s  0-3 1,2s
    1: 0-0 4,2s  0-4 5,2s  3-1 2,3s  1-1 3,3s  5-2 0,4s  1-2 1,4s  1-4 4,4e  2-2 2,5e  1-6 4,5e
    2: 2-3 1,1s  3-4 2,1s  6-2 3,1e  5-4 3,2e  4-4 1,3s  4-6 2,3s  3-6 3,3s  4-2 4,3s
    3: 5-6 2,2e  6-6 2,3e
    """,
)
"""Each line is a tier of tiles: the tile, the column and row of its first half, and its direction, east or south."""


_WAYS: Mapping[int, Direction] = {STEPS["e"]: "e", STEPS["s"]: "s", STEPS["w"]: "w", STEPS["n"]: "n"}


@cache
def designs(*, top: bool) -> tuple[Design, ...]:
    """The designs for a table where only the `top` of a column may match, or for the other tables."""
    return tuple(_design(_WRITTEN[0 if top else 1], turn) for turn in range(8))


def _design(text: str, turn: int) -> Design:
    places: dict[int, Belongs] = {}
    halves: dict[int, int] = {}
    for tile, one, other, level in _read(text):
        at, to = _turned(*one, turn), _turned(*other, turn)
        both = square(*at, level), square(*to, level)
        way = _WAYS[both[1] - both[0]]
        below = {under for half in both for under in range(half, 0, -LEVEL)}
        around = frozenset(below | SPOTS[at, way, level].sides.readings.keys())
        places[tile.index] = Belongs(both, tile.first, Place("", tile, at, way, level), around)
        halves |= {both[0]: tile.first, both[1]: tile.second}
    marks = frozenset(mark(index, place.squares, halves) for index, place in places.items())
    return Design(places, halves, marks)


def _read(text: str) -> Iterator[tuple[Tile, tuple[int, int], tuple[int, int], int]]:
    """The dominoes as they are written: tile, the columns and rows of its halves, tier."""
    for line in text.strip().split("\n"):
        level, _, dominoes = line.partition(":")
        words = dominoes.split()
        for name, place in zip(words[::2], words[1::2], strict=True):
            x, y = map(int, place[:-1].split(","))
            yield named(name), (x, y), (x + 1, y) if place[-1] == "e" else (x, y + 1), int(level)


def _turned(x: int, y: int, turn: int) -> tuple[int, int]:
    """A square after `turn` quarter turns; if `turn` is 4 or more, it is mirrored first."""
    if turn >= 4:
        x = _LAST - x
    for _ in range(turn % 4):
        x, y = _LAST - y, x
    return x, y
