"""The order of the numbers in Zigzag, what covers what, and what a tile is worth.

Source: the clause page of Zigzag (`zigzag.rank`, `zigzag.cover`, `zigzag.score`); pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from functools import lru_cache

from ledger.record.tiles import TILES, full, members


@lru_cache
def ranks(largest: int, rank: tuple[int, bool] | None) -> tuple[int, ...]:
    """The rank of each number, greatest highest.

    Without a named order, a number ranks as itself.  In the double-8 set, the order from high to low is
    6 5 4 3 2 1 0 8 7 for "6 regular", and 6 7 8 0 1 2 3 4 5 for "6 reverse".
    """
    if rank is None:
        return tuple(range(largest + 1))
    high, reverse = rank
    numbers = largest + 1
    if reverse:
        return tuple(largest - (value - high) % numbers for value in range(numbers))
    return tuple((value - high + largest) % numbers for value in range(numbers))


# A tile covers the one before it when the two share an end and its other end ranks higher than the other's.
@lru_cache
def covers(largest: int, rank: tuple[int, bool] | None) -> tuple[int, ...]:
    """For each tile's index, the mask of the tiles that cover it."""
    order = ranks(largest, rank)
    table = []
    for under in members(full(largest)):
        bits = 0
        for end, other in ((under.first, under.second), (under.second, under.first)):
            for value in range(largest + 1):
                if order[value] > order[other]:
                    bits |= TILES[_index(end, value)].bit
        table.append(bits)
    return tuple(table)


# A taken tile is worth the spots on its lower end; the ruling says lower by spots or by the named order.
@lru_cache
def worths(largest: int, rank: tuple[int, bool] | None, by_rank: bool) -> tuple[int, ...]:
    """The worth of each tile, by index."""
    if not by_rank:
        return tuple(tile.low for tile in members(full(largest)))
    order = ranks(largest, rank)
    return tuple(min(tile.low, tile.high, key=order.__getitem__) for tile in members(full(largest)))


def _index(a: int, b: int) -> int:
    low, high = sorted((a, b))
    return high * (high + 1) // 2 + low
