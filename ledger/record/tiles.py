"""Tiles: the double-N sets, and every way to write a tile.

A tile is written ``"a-b"``.  As a name, the order of its halves means nothing (``4-6`` and ``6-4`` are one tile, with
one `index`); on a grid, the order is its orientation.  `Tile` has a member for each way to write a tile, so that
decoding one gives an interned object.
"""

from collections.abc import Iterable
from enum import Enum
from functools import reduce
from operator import or_
from typing import Self

LARGEST = 12
"""The largest half of any set: double-twelve."""


class Tile(Enum):
    """A tile as it was written: its `first` and `second` half in pips, also as `low` ≤ `high`, and its `index`.

    Indices count 0-0, 0-1, 1-1, 0-2, 1-2, 2-2, ...: the double-N set is just the first ``size(N)`` of them
    for every N, which makes a set of tiles a small bit mask.
    """

    first: int
    second: int
    low: int
    high: int
    pips: int
    index: int
    bit: int
    double: bool

    def __new__(cls, first: int, second: int) -> Self:
        """A tile of these halves; members are made below, nowhere else."""
        tile = object.__new__(cls)
        tile._value_ = f"{first}-{second}"
        tile.first, tile.second = first, second
        tile.low, tile.high = min(first, second), max(first, second)
        tile.pips = first + second
        tile.index = tile.high * (tile.high + 1) // 2 + tile.low
        tile.bit = 1 << tile.index
        tile.double = first == second
        return tile

    # Written in a loop because the 169 members follow one rule; `vars()` is the class body's own namespace.
    _ignore_ = ["_a", "_b"]
    for _a in range(LARGEST + 1):
        for _b in range(LARGEST + 1):
            vars()[f"t{_a}_{_b}"] = (_a, _b)

    # Members are compared by identity; Enum's own hash, that of the name, would cost a call of Python.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return str(self.value)

    @property
    def turned(self) -> "Tile":
        """The same tile written the other way round."""
        return named(f"{self.second}-{self.first}")


NAMED = {str(tile): tile for tile in Tile}
"""Every tile by each of its names."""


def named(text: str) -> Tile:
    """The tile ``"a-b"``, oriented as written.  Raises KeyError for one that cannot exist."""
    return NAMED[text]


def size(largest: int) -> int:
    """How many tiles the double-`largest` set has: 28 for 6, 91 for 12."""
    return (largest + 1) * (largest + 2) // 2


def full(largest: int) -> int:
    """The double-`largest` set as a bit mask of indices."""
    return (1 << size(largest)) - 1


TILES: tuple[Tile, ...] = tuple(
    sorted((tile for tile in Tile if tile.first <= tile.second), key=lambda tile: tile.index)
)
"""Each tile once, low half first, at its own index."""


# A name in doubt stands for any tile, so it is treated like a tile of no set.
def in_doubt(tile: Tile, number: int) -> Tile:
    """An unknown tile that was written as this one; each unknown tile of a record has another `number`."""
    unknown = object.__new__(Tile)
    vars(unknown).update(vars(tile))
    unknown.high, unknown.index = LARGEST + 1, size(LARGEST) + number
    unknown.bit = 1 << unknown.index
    return unknown


def mask(tiles: Iterable[Tile]) -> int:
    """The bit mask of these tiles."""
    bits = 0
    for tile in tiles:  # in Python 3.11, `sum` and `reduce` take longer for a hand of any size
        bits |= tile.bit
    return bits


def union(masks: Iterable[int]) -> int:
    """The tiles that are in any of these masks."""
    return reduce(or_, masks, 0)


def members(bits: int) -> tuple[Tile, ...]:
    """The tiles of a bit mask, in the order of their indices."""
    tiles = []
    while bits:
        low = bits & -bits
        tiles.append(TILES[low.bit_length() - 1])
        bits ^= low
    return tuple(tiles)


def names(bits: int) -> str:
    """The tiles of a bit mask in words: ``0-1, 2-4``; ``none`` for an empty one."""
    return ", ".join(str(tile) for tile in members(bits)) or "none"
