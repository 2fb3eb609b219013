"""The arithmetic of Build Up: what may cover what, where a tile fits, what is on top, and who is next."""

from collections.abc import Sequence

from msgspec import Struct

from ledger.record.tiles import TILES, Tile, full, mask, size

SEATS = 26
"""How many players a record can have."""
LARGEST = 6
SET = full(LARGEST)
LAYOUT = 6
"""How many tiles each player lays out."""
UNKNOWN = size(LARGEST)
"""The index of an unknown tile on a stack: the record named one twice, or one that is not in the set."""
MOST = 2 * LARGEST
"""The most pips that a tile has."""


class Laid(Struct, frozen=True, gc=False):
    """A tile on a stack: its index (or `UNKNOWN`), and the seat whose colour it has."""

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


COVERING = tuple(
    (*(mask(tile for tile in TILES[:UNKNOWN] if covers(tile, top, equal_on_double)) for top in TILES[:UNKNOWN]), SET)
    for equal_on_double in (False, True)
)
"""For each value of that ruling: for each tile's index, the mask of the tiles that may cover it; any for `UNKNOWN`."""
DISPUTED = tuple(may & ~must for must, may in zip(*COVERING, strict=True))
"""For each tile's index, the mask of the tiles that may cover it under only one value of the ruling."""


def fitting(table: Sequence[int], stacks: Stacks, tiles: int) -> int:
    """The tiles that certainly fit some stack, so none on an unknown tile."""
    fit = 0
    for stack in stacks:
        top = stack[-1].index
        if top != UNKNOWN:
            fit |= table[top]
    return fit & tiles


def fits_some(table: Sequence[int], stacks: Stacks, tiles: int) -> bool:
    """Whether one of these tiles certainly fits some stack."""
    for stack in stacks:
        top = stack[-1].index
        if table[top] & tiles and top != UNKNOWN:
            return True
    return False


def has_unknown_top(stacks: Stacks) -> bool:
    """Whether an unknown tile lies on top of some stack."""
    return any(stack[-1].index == UNKNOWN for stack in stacks)


def stack_for(table: Sequence[int], stacks: Stacks, tile: Tile) -> int | None:
    """The number of the first stack that a tile fits; None if it fits none."""
    for number, stack in enumerate(stacks, 1):
        if stack[-1].index != UNKNOWN and tile.bit & table[stack[-1].index]:
            return number
    return None


LAID = tuple(tuple((Laid(index, owner),) for index in range(UNKNOWN + 1)) for owner in range(SEATS))
"""By seat and index, every tile, and the unknown one, as a stack of one."""


PIPS = (*(tile.pips for tile in TILES[:UNKNOWN]), 0)
"""The pips of each tile, by its index; an unknown tile counts none."""
WITH_PIPS = tuple(mask(tile for tile in TILES[:UNKNOWN] if tile.pips == pips) for pips in range(MOST + 1))
"""The tiles with each number of pips."""


# Each player scores the pips of the tiles of their own colour on top of the stacks; layout tiles count too.
def points_on_top(stacks: Stacks, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By seat, the points of a hand that ends now, and the most points that the unknown tiles on top can add."""
    points, more = [0] * seats, [0] * seats
    for stack in stacks:
        top = stack[-1]
        points[top.owner] += PIPS[top.index]
        if top.index == UNKNOWN:
            more[top.owner] += MOST
    return tuple(points), tuple(more)
