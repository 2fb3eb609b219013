"""The sums of Build Up: what may cover what, where a tile fits, what lies on top, and who is next.

Source: the clause page of Build Up (`build-up.cover`); the rule document, as kept at pagat.com.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from ledger.tiles import TILES, Tile, full, mask, size

SEATS = 26
"""How many players a record can have."""
LARGEST = 6
SET = full(LARGEST)
LAYOUT = 6
"""How many tiles each player lays out."""


# Each player lays out six tiles, the first of the stacks.
def lacking(laid: int) -> int:
    """How many tiles a layout has still to get."""
    return LAYOUT - laid.bit_count()


class Laid(Struct, frozen=True, gc=False):
    """A tile on a stack: its index, and the seat whose colour it has."""

    index: int
    owner: int


Stacks = Sequence[tuple[Laid, ...]]
"""The stacks by their places from 0, each from its layout tile to its top."""


# A non-double covers a non-double of the same or fewer pips, and a double of fewer (or, by a ruling, as many);
# a double covers any non-double, and a double of fewer pips.
def covers(tile: Tile, top: Tile, equal_on_double: bool) -> bool:
    """Whether a tile may be put on another."""
    if tile.double:
        return not top.double or tile.pips > top.pips
    if top.double:
        return tile.pips > top.pips or (equal_on_double and tile.pips == top.pips)
    return tile.pips >= top.pips


@cache
def covering(equal_on_double: bool) -> tuple[int, ...]:
    """For each tile's index, the mask of the tiles that may cover it."""
    tiles = TILES[: size(LARGEST)]
    return tuple(mask(tile for tile in tiles if covers(tile, top, equal_on_double)) for top in tiles)


DISPUTED = tuple(
    mask(tile for tile in TILES if covers(tile, top, True) and not covers(tile, top, False))
    for top in TILES[: size(LARGEST)]
)
"""For each tile's index, the mask of the tiles that may cover it by one value of the ruling and not by the other."""


def fitting(table: Sequence[int], stacks: Stacks, tiles: int) -> int:
    """Those of these tiles that fit some stack, by a table of what may cover each tile."""
    fit = 0
    for stack in stacks:
        fit |= table[stack[-1].index]
    return fit & tiles


def fits_some(table: Sequence[int], tops: Iterable[int], tiles: int) -> bool:
    """Whether one of these tiles fits some stack, by the indices of the tiles on top."""
    for top in tops:  # noqa: SIM110  a generator would take twice as long
        if table[top] & tiles:
            return True
    return False


def place_for(table: Sequence[int], stacks: Stacks, hands: Iterable[int]) -> tuple[int, int] | None:
    """A tile of these hands (its bit) that fits some stack, and the stack's place; None if none does."""
    # Mostly the first tile fits, and it is found at once.
    for tiles in hands:
        if not tiles:
            continue
        for place, stack in enumerate(stacks):
            fit = tiles & table[stack[-1].index]
            if fit:
                return fit & -fit, place
    return None


LAID = tuple(tuple((Laid(index, owner),) for index in range(size(LARGEST))) for owner in range(SEATS))
"""By seat and index, every tile as it lies on a stack: a stack of one."""


PIPS = tuple(tile.pips for tile in TILES)


# Each player scores the pips of the tiles of their own colour on top of the stacks; layout tiles count too.
def points_on_top(stacks: Stacks, seats: int) -> tuple[int, ...]:
    """The points of a hand that ends now, by seat."""
    points = [0] * seats
    for stack in stacks:
        top = stack[-1]
        points[top.owner] += PIPS[top.index]
    return tuple(points)


def usual_size(hands: Sequence[int], number: int) -> int:
    """How many tiles a hand of that number has by the rules."""
    return hands[number] if 0 <= number < len(hands) else 0


# The same hand is asked about at each act in it.
@lru_cache(maxsize=64)
def sizes(hands: tuple[int, ...], number: int, dealt: tuple[int, ...], whole: int) -> tuple[int, ...]:
    """By seat, how many tiles a hand has when it begins, as it is written whole or by the rules."""
    if whole + 1 == 1 << len(dealt):
        return tuple(map(int.bit_count, dealt))
    usual = usual_size(hands, number)
    return tuple([tiles.bit_count() if whole >> seat & 1 else usual for seat, tiles in enumerate(dealt)])


@lru_cache(maxsize=1024)
def who_holds(began: tuple[int, ...], plays: tuple[int, ...]) -> int:
    """A bit for each seat that still holds tiles, of how many it had and has played."""
    return sum(1 << seat for seat, (had, played) in enumerate(zip(began, plays, strict=True)) if played < had)


# Whoever has no tile left is skipped.
@lru_cache(maxsize=1024)
def following(left: int, seats: int) -> tuple[int | None, ...]:
    """For each seat, the next seat that still holds tiles; `left` has a bit for each of those.

    A seat follows itself if it is the only one left, and nobody follows if none is.
    """
    turns = [[*range(seat + 1, seats), *range(seat + 1)] for seat in range(seats)]
    return tuple(next((after for after in turn if left >> after & 1), None) for turn in turns)


def describe(index: int) -> str:
    """A tile with its pips, as an argument about a stack needs them: ``5-3 (8 pips)``."""
    tile = TILES[index]
    return f"{tile} ({tile.pips} pips)"
