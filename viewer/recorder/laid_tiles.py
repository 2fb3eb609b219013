"""The tiles on the squares of a recorder's page, from above, as numbers for a template: a square is one unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.record.scene import Grid, Laid

SEEN = 2
"""How many tiles of a square are drawn, from the top: the second is seen in the gaps beside the first."""
SHADE, STEPS = 0.2, 5
"""How much darker than the highest a face is at most, and over how many levels at least that is spread."""
_TURNS = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}


class LaidTile(NamedTuple):
    """A tile: its halves, its name, its first square, how far it is turned about that, and how dark a veil it has.

    `level` is written on a tile that nothing covers, above the first level; else it is 0.  `last`: it was laid last.
    """

    first: int
    second: int
    name: str
    x: int
    y: int
    turn: int
    veil: float
    level: int
    last: bool


def laid_tiles(grid: Grid) -> Iterator[LaidTile]:
    """The tiles that can be seen, from the lowest to the highest."""
    by_square: dict[tuple[int, int], list[Laid]] = {}
    for laid in (tiles := sorted(grid.laid, key=lambda laid: laid.level)):
        for square in (laid.at, laid.to):
            by_square.setdefault(square, []).append(laid)
    seen = {laid for piled in by_square.values() for laid in piled[-SEEN:]}
    tops = [piled[-1] for piled in by_square.values()]
    levels = [laid.level for laid in tops]
    darkest = max(STEPS, max(levels, default=0) - min(levels, default=0))
    for laid in tiles:
        if laid not in seen:
            continue
        (x, y), tile = laid.at, laid.tile
        bare = by_square[laid.at][-1] is laid is by_square[laid.to][-1]
        yield LaidTile(
            tile.first,
            tile.second,
            f"{tile.low}-{tile.high}",
            x,
            y,
            _TURNS[laid.to[0] - x, laid.to[1] - y],
            round(SHADE * max(0, max(levels) - laid.level) / darkest, 3),
            laid.level if bare and laid.level > 1 else 0,
            "last" in laid.marks,
        )
