"""The hands: racks in the lower corners where the building leaves room, or a band below rows, or lines of text.

viewer/static/table/hands.js draws the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from viewer.pictures.flat import chip, face, measure, shorten, symbol
from viewer.pictures.look import Look, Piece, Table, px, two
from viewer.pictures.space import Box, Space
from viewer.pictures.things import Held

HEAD, LINE, EDGE, GAP = 26, 24, 16, 4
"""The height of a rack's heading and of a hand as a line of text; the margin; the gap between tiles."""
RACKS = ((62, 2), (52, 2), (62, 3), (52, 3), (44, 3), (62, 1), (44, 4), (44, 2), (36, 3), (36, 4))
"""Widths of a tile and tiles in a line, the most readable first."""
BAND = (84, 72, 62, 56, 48, 40)
SHARE, ALONE = 0.46, 0.94
"""The greatest part of the height that a band of hands takes: below rows, and while nothing else is on the table."""
LONG = 6
"""The lines of tiles in a rack at most."""


class Rack(NamedTuple):
    """A hand or a few tiles that lie aside, as it is headed and shown."""

    key: str
    seat: int | None
    title: str
    note: str
    tiles: Sequence[str]
    backs: int


def racks(table: Table, look: Look, *, rows: bool) -> list[Rack]:
    """Every hand, then, if `rows`, the rows of single tiles that lie beside the squares."""
    found = [rack(table, hand, look) for hand in table.hands]
    if rows:
        for number, row in table.rows.items():
            tiles = [tile for heap in row.heaps for tile in heap.tiles]
            backs = sum(heap.count for heap in row.heaps) - len(tiles)
            found.append(Rack(f"row {number}", None, row.line.title, counted(len(tiles) + backs), tiles, backs))
    return found


def rack(table: Table, hand: Held, look: Look) -> Rack:
    """A hand as the eyes of the reader see it."""
    seen = look.eyes in (-1, hand.owner)
    count = len(hand.tiles) + (hand.unknown or 0)
    tiles = hand.tiles if seen else ()
    note = counted(count) if hand.unknown is not None else f"{counted(count)} or more" if count else "not known"
    return Rack(f"hand {hand.owner}", hand.owner, table.names[hand.owner], note, tiles, count - len(tiles))


def counted(count: int) -> str:
    """A number of tiles in words."""
    return "no tiles" if not count else "1 tile" if count == 1 else f"{count} tiles"


def corners(table: Table, space: Space, look: Look) -> Iterator[Piece]:
    """The hands at the left and right below the building, as racks where they fit, else as lines that open them."""
    found = racks(table, look, rows=True)
    for side in (0, 1):
        column = found[side::2]
        if not column:
            continue
        for wide, across in RACKS:
            if fits(column, space, look, side, (wide, across)):
                yield from _column(column, look, side, (wide, across))
                break
        else:
            yield from lines(column, look, side)


def fits(column: Sequence[Rack], space: Space, look: Look, side: int, size: tuple[int, int]) -> bool:
    """Whether racks of this size stay clear of the building, its square names and its ruler."""
    wide, across = size
    if any(len(rack.tiles) + rack.backs > LONG * across for rack in column):
        return False
    reach = EDGE + across * (wide + GAP)
    high = sum(height(len(rack.tiles) + rack.backs, wide, across) for rack in column) + 12
    low, corner = space.at(space.wide, space.deep, 0), space.at(*((0, space.deep), (space.wide, 0))[side], 0)
    inner = reach if side == 0 else look.width - reach
    # How far the edge of the racks is along the front edge of the floor, from its outer corner to the lowest one.
    part = (inner - corner[0]) / (low[0] - corner[0])
    if part > 1:
        return False
    clear = corner[1] + max(part, 0) * (low[1] - corner[1]) + 30
    if part < 0:
        # Beside the floor altogether: only the names of the squares are below its corner.
        clear = look.top
    return look.height - high >= clear


def height(count: int, wide: float, across: int) -> float:
    """Of a rack with its heading."""
    return HEAD + -(-count // across) * (wide / 2 + GAP + 3) + 6


def _column(column: Sequence[Rack], look: Look, side: int, size: tuple[int, int]) -> Iterator[Piece]:
    wide, across = size
    y = look.height - 12 - sum(height(len(rack.tiles) + rack.backs, wide, across) for rack in column)
    broad = across * (wide + GAP) - GAP
    room = max(broad, look.width / 2 - 3 * EDGE) if side == 0 else broad
    for rack in column:
        x = EDGE if side == 0 else look.width - EDGE - broad
        title = heading(rack, x, y + 10, room)
        yield rack.key, f"<g>{title}{tiles(rack, x, y + HEAD, size, look)}</g>"
        y += height(len(rack.tiles) + rack.backs, wide, across)


def heading(rack: Rack, x: float, y: float, wide: float) -> str:
    """Whose tiles, and how many, in a line."""
    sign = "" if rack.seat is None else chip(rack.seat, rack.title, x + 10, y)
    x, wide = (x, wide) if rack.seat is None else (x + 26, wide - 26)
    title = shorten(rack.title, max(40, wide - measure(rack.note, 12) - 8))
    return f"{sign}{two(title, rack.note, x, y + 5)}"


def tiles(rack: Rack, x: float, y: float, size: tuple[float, int], look: Look) -> str:
    """The tiles in lines, the unknown ones face down at the end."""
    wide, across = size
    parts = []
    for n in range(len(rack.tiles) + rack.backs):
        left, top = x + n % across * (wide + GAP), y + n // across * (wide / 2 + GAP + 3)
        known = n < len(rack.tiles)
        parts.append(face(rack.tiles[n], left, top, wide, look) if known else symbol("back", left, top, wide))
    return "".join(parts)


def lines(column: Sequence[Rack], look: Look, side: int) -> Iterator[Piece]:
    """Hands as lines of text, one above the other; a page opens them."""
    for n, rack in enumerate(column):
        y = look.height - 22 - (len(column) - 1 - n) * LINE
        most = look.width / 2 - 2 * EDGE
        broad = min(most, (26 if rack.seat is not None else 0) + measure(rack.title) + measure(rack.note, 12) + 9)
        x = EDGE if side == 0 else look.width - EDGE - broad
        yield (
            rack.key,
            f'<g data-open="{rack.key}" class="t-open">{target(x, y, broad)}{heading(rack, x, y, broad)}</g>',
        )


def target(x: float, y: float, wide: float) -> str:
    """Room for a finger."""
    return f'<rect class="t-hit" x="{px(x - 6)}" y="{px(y - 14)}" width="{px(wide + 12)}" height="28" rx="8"/>'


def band(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """The hands side by side at the lower edge, for games without squares: the height of the band, and its pieces."""
    found = racks(table, look, rows=False)
    if not found:
        return 0, []
    share = SHARE if table.rows else ALONE
    for wide in BAND:
        for columns in range(1, len(found) + 1) if look.width < 600 else range(len(found), 0, -1):
            room = (look.width - EDGE * 2 + EDGE) / columns - EDGE
            across = int((room + GAP) // (wide + GAP))
            if not across or (room < 110 and len(found) > 1):
                continue
            high = height(table.room, wide, across) if table.room else HEAD + 6
            whole = -(-len(found) // columns) * high + 10
            if whole <= (look.height - look.top) * share:
                top = look.height - whole if table.rows else look.top + (look.height - look.top - whole) / 2
                box = Box(EDGE, top, look.width - EDGE, look.height)
                return whole, list(_banded(found, box, (columns, room, high), (wide, across), look))
    whole = -(-len(found) // 2) * LINE + 16
    pieces = [piece for side in (0, 1) for piece in lines(found[side::2], look, side)]
    return whole, pieces


def _banded(
    found: Sequence[Rack], box: Box, cell: tuple[int, float, float], size: tuple[int, int], look: Look
) -> Iterator[Piece]:
    columns, room, high = cell
    for n, rack in enumerate(found):
        x, y = box.left + n % columns * (room + EDGE), box.top + n // columns * high
        yield rack.key, f"<g>{heading(rack, x, y + 10, room)}{tiles(rack, x, y + HEAD, size, look)}</g>"
