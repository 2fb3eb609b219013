"""The hands: racks in the lower corners where the building leaves room, or a band below rows, or lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.record.visible import isolated
from viewer.pictures.flat import chip, face, measure, shorten, symbol
from viewer.pictures.look import SHORT, SMALL, Look, Piece, Table, px, safe, text, two
from viewer.pictures.space import Box, Space
from viewer.pictures.things import Held

HEAD, LINE, EDGE, GAP, LEAST = 26, 24, 16, 4, 120
"""Heights of a rack's heading and of a hand in a line; the margin; the gap between tiles; the room for a heading."""
RACKS = ((62, 2), (52, 2), (62, 3), (52, 3), (44, 3), (62, 1), (44, 4), (44, 2), (36, 3), (36, 4))
"""Widths of a tile and tiles in a line, the most readable first."""
NARROW, CLOSER = 600, (14, 2)
"""On a narrower table, the margin and the least gap of a band: six tiles with pips fit side by side on a phone."""
BAND = (84, 72, 62, 56, 48, 40)
BROAD, ROUND, BESIDE, THREE = 800, 62, 3, 3
"""Hands round a pile: the least width of the table, a tile's width, tiles in a line at the sides, how many hands."""
SHARE, MORE, ALONE = 0.46, 0.68, 0.94
"""The greatest part of the height of a band of hands: below rows, below few piles, and alone on the table."""
FEW = 8
"""The most piles that count as few."""
LONG = 6
"""The most lines of tiles in a rack."""
ASIDE = 176
"""The room for a heading at the left, such as that of tiles that are out of the game."""
RULER = 44
"""The room for the ruler of levels, at the left of the building."""


class Rack(NamedTuple):
    """A hand, or a few tiles set aside, with its heading, as it is shown."""

    key: str
    seat: int | None
    title: str
    note: str
    tiles: Sequence[str]
    backs: int


def racks(table: Table, look: Look, *, rows: bool) -> list[Rack]:
    """Every hand, then, if `rows`, the rows of single tiles beside the squares."""
    racks = [rack(table, hand, look) for hand in table.hands]
    if rows:
        for number, row in table.rows.items():
            tiles = [tile for heap in row.heaps for tile in heap.tiles]
            backs = sum(heap.count for heap in row.heaps) - len(tiles)
            racks.append(Rack(f"row {number}", None, row.line.title, tile_count(len(tiles) + backs), tiles, backs))
    return racks


def rack(table: Table, hand: Held, look: Look) -> Rack:
    """A hand as the reader sees it."""
    is_visible = look.eyes in (-1, hand.owner)
    count = len(hand.tiles) + (hand.unknown or 0)
    tiles = hand.tiles if is_visible else ()
    note = tile_count(count) if hand.unknown is not None else f"{tile_count(count)} or more" if count else "not known"
    return Rack(f"hand {hand.owner}", hand.owner, table.names[hand.owner], note, tiles, count - len(tiles))


def tile_count(count: int) -> str:
    """A number of tiles in words."""
    return "no tiles" if not count else "1 tile" if count == 1 else f"{count} tiles"


def corners(table: Table, space: Space, look: Look) -> Iterator[Piece]:
    """The hands at the left and right below the building, as racks where they fit, else as lines that open them."""
    all_racks = racks(table, look, rows=True)
    columns = [(side, column) for side in (0, 1) if (column := all_racks[side::2])]
    sizes = [[size for size in RACKS if fits(column, space, look, side, size)] for side, column in columns]
    # Both sides alike where that is possible, and never tiles on one side only.
    alike = [size for size in RACKS if all(size in able for able in sizes)]
    for (side, column), able in zip(columns, sizes, strict=True):
        if all(sizes):
            yield from _column(column, look, side, (alike or able)[0])
        elif look.height >= SHORT:
            yield from lines(column, look, side)


def fits(column: Sequence[Rack], space: Space, look: Look, side: int, size: tuple[int, int]) -> bool:
    """Whether racks of this size stay clear of the building, its square names and its ruler."""
    wide, across = size
    if any(len(rack.tiles) + rack.backs > LONG * across for rack in column):
        return False
    reach = EDGE + breadth(wide, across) + GAP
    high = sum(height(len(rack.tiles) + rack.backs, wide, across) for rack in column) + 12
    low, corner = space.at(space.wide, space.deep, 0), space.at(*((0, space.deep), (space.wide, 0))[side], 0)
    inner = reach if side == 0 else look.width - reach
    # How far the edge of the racks is along the front edge of the floor, from its outer corner to the lowest one.
    part = (inner - corner[0]) / (low[0] - corner[0])
    if part > 1:
        return False
    clear = corner[1] + max(part, 0) * (low[1] - corner[1]) + 30
    if part < 0 and (side == 1 or inner <= corner[0] - RULER):
        # Beside the floor and its ruler altogether, nothing is in the way.
        clear = look.top
    return look.height - high >= clear


def breadth(wide: float, across: int) -> float:
    """The breadth of a rack: that of its tiles, or of its heading."""
    return max(across * (wide + GAP) - GAP, LEAST)


def height(count: int, wide: float, across: int, gap: float = GAP) -> float:
    """The height of a rack with its heading."""
    return HEAD + -(-count // across) * (wide / 2 + gap + 3) + 6


def _column(column: Sequence[Rack], look: Look, side: int, size: tuple[int, int]) -> Iterator[Piece]:
    wide, across = size
    y = look.height - 12 - sum(height(len(rack.tiles) + rack.backs, wide, across) for rack in column)
    broad = breadth(wide, across)
    room = max(broad, min(ASIDE, look.width / 2 - EDGE - GAP)) if side == 0 else broad
    for rack in column:
        x = EDGE if side == 0 else look.width - EDGE - broad
        title = heading(rack, x, y + 10, room)
        yield rack.key, f"<g>{title}{tiles(rack, x, y + HEAD, size, look)}</g>"
        y += height(len(rack.tiles) + rack.backs, wide, across)


def heading(rack: Rack, x: float, y: float, wide: float) -> str:
    """Whose tiles they are, and how many, in one line."""
    sign = "" if rack.seat is None else chip(rack.seat, rack.title, x + 10, y)
    x, wide = (x, wide) if rack.seat is None else (x + 26, wide - 26)
    title = shorten(rack.title, max(40, wide - measure(rack.note, 12) - 8))
    return f"{sign}{two(title, rack.note, x, y + 5)}"


def tiles(rack: Rack, x: float, y: float, size: tuple[float, int], look: Look, gap: float = GAP) -> str:
    """The tiles in lines, the unknown ones face down at the end."""
    wide, across = size
    parts = []
    for n in range(len(rack.tiles) + rack.backs):
        left, top = x + n % across * (wide + gap), y + n // across * (wide / 2 + gap + 3)
        if n >= len(rack.tiles):
            parts.append(symbol("back", left, top, wide))
            continue
        tile = face(rack.tiles[n], left, top, wide, look)
        hidden = symbol("back", left, top, wide, 0, ' class="t-hidden"')
        parts.append(f'<g class="t-seen">{tile}</g>{hidden}' if look.both else tile)
    return "".join(parts)


def lines(column: Sequence[Rack], look: Look, side: int) -> Iterator[Piece]:
    """Hands as lines of text, one above the other; a page opens them."""
    for n, rack in enumerate(column):
        y = look.height - 22 - (len(column) - 1 - n) * LINE
        most = look.width / 2 - EDGE
        broad = min(most, (26 if rack.seat is not None else 0) + measure(rack.title) + measure(rack.note, 12) + 9)
        x = EDGE if side == 0 else look.width - EDGE - broad
        yield (
            rack.key,
            f'<g data-open="{rack.key}" class="t-open">{target(x, y, broad)}{heading(rack, x, y, broad)}</g>',
        )


def opened(table: Table, look: Look, key: str) -> str:
    """A hand or a row by its key, for a reader who opens its line: a heading and its tiles."""
    rack = next(rack for rack in racks(table, look, rows=True) if rack.key == key)
    across = max(1, min(8, int((look.width - 32 + GAP) // (60 + GAP))))
    count = len(rack.tiles) + rack.backs
    wide, high = across * (60 + GAP), -(-count // across) * (30 + GAP + 3) + 4
    return (
        f"<h2>{safe(rack.title)}: {rack.note}</h2>"
        f'<svg class="drawing" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="{safe(", ".join(rack.tiles) or "face down")}">{tiles(rack, 0, 1, (60, across), look)}</svg>'
    )


def target(x: float, y: float, wide: float) -> str:
    """Room for a finger."""
    return f'<rect class="t-hit" x="{px(x - 6)}" y="{px(y - 14)}" width="{px(wide + 12)}" height="28" rx="8"/>'


def contract(table: Table, look: Look) -> list[Piece]:
    """The contract, at the upper edge: who bid how much, and how much of it is reached."""
    goal = table.goal
    if goal is None:
        return []
    progress = f"{goal.done} of {goal.bid} {'points' if goal.unit == 'points' else 'taken'}"
    bar = 120 if look.width > 600 else 64 if look.width > 350 else 24
    spare = look.width - 16 - 38 - bar - measure(progress) - 46 - measure(f" bid {goal.bid}")
    bid_words = f"{isolated(shorten(table.names[goal.seat], min(look.width / 4, spare)))} bid {goal.bid}"
    wide = 38 + measure(bid_words) + bar + measure(progress) + 46
    x, y = (look.width - wide) / 2, look.top + 16
    part = min(1.0, goal.done / max(1, goal.bid))
    track = f'x="{px(x + 46 + measure(bid_words))}" y="{px(y - 4)}"'
    svg = (
        f'<g><rect class="t-band" x="{px(x)}" y="{px(y - 16)}" width="{px(wide)}" height="32" rx="16"/>'
        f"{chip(goal.seat, table.names[goal.seat], x + 17, y)}{text(bid_words, x + 34, y + 5, 't-title')}"
        f'<rect class="t-track" {track} width="{bar}" height="8" rx="4"/>'
        f'<rect class="t-tile" {track} width="{px(bar * part)}" height="8" rx="{px(min(4, bar * part / 2))}"/>'
        f"{text(progress, x + wide - 16, y + 5, 't-title', 'end')}</g>"
    )
    return [("goal", svg)]


def band(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """The hands side by side at the lower edge, for games without squares: the height of the band, and its pieces."""
    hands = racks(table, look, rows=False)
    if not hands:
        return 0, []
    piles = sum(row.line.places for row in table.rows.values())
    share = (look.height - look.top) * (ALONE if not piles else MORE if piles <= FEW else SHARE)
    cells = [cell for wide in BAND for cell in _cells(table, hands, wide, look) if cell.whole <= share]
    if cells:
        # Beside rows, the lowest band that is easy to read; without rows, the largest tiles.
        clear = [cell for cell in cells if cell.wide >= 2 * SMALL] if table.rows else []
        cell = min(clear, key=lambda other: other.whole) if clear else cells[0]
        return cell.whole, list(_band_pieces(table, hands, cell, look))
    return band_of_lines(table, look)


def band_of_lines(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """The hands as lines at the lower edge: the height of the band, and its pieces."""
    if look.height < SHORT:
        return 0, []
    hands = racks(table, look, rows=False)
    pieces = [piece for side in (0, 1) for piece in lines(hands[side::2], look, side)]
    return -(-len(hands) // 2) * LINE + 16, pieces


def around(table: Table, look: Look) -> tuple[Box, list[Piece]] | None:
    """Three hands round the pile of a contract: the room between them, and the pieces; None where they do not fit.

    The first hand lies at the lower edge, the second at the left, the third at the right, clockwise as they play.
    """
    hands = racks(table, look, rows=False)
    if table.goal is None or len(hands) != THREE or not table.room or look.width < BROAD:
        return None
    line = int((look.width - 2 * EDGE + GAP) // (ROUND + GAP))
    low, high = height(table.room, ROUND, line) + 4, height(table.room, ROUND, BESIDE)
    clear = EDGE + breadth(ROUND, BESIDE) + EDGE
    box = Box(clear, look.top, look.width - clear, look.height - low - 6)
    if high > box.bottom - box.top:
        return None
    # A hand of one line stands in the middle of the edge, as wide as the largest hand.
    left = (look.width - min(line, table.room) * (ROUND + GAP) + GAP) / 2
    # The headings at the sides stay where they are while the hands grow shorter.
    y = box.top + min(box.bottom - box.top - high, (box.bottom - box.top) / 4)
    places = ((left, look.height - low, line), (EDGE, y, BESIDE), (box.right + EDGE, y, BESIDE))
    pieces = []
    for rack, (x, top, across) in zip(hands, places, strict=True):
        title = heading(rack, x, top + 10, breadth(ROUND, BESIDE))
        svg = f"<g>{title}{tiles(rack, x, top + HEAD, (ROUND, across), look)}</g>"
        pieces.append((rack.key, svg))
    return box, pieces


class Cell(NamedTuple):
    """How hands stand in a band.

    A tile's width, hands and tiles side by side, a hand's room and height, the whole height, the margin, the gap.
    """

    wide: int
    columns: int
    across: int
    room: float
    high: float
    whole: float
    edge: float
    gap: float


def _cells(table: Table, hands: Sequence[Rack], wide: int, look: Look) -> Iterator[Cell]:
    """The ways to arrange hands with tiles of that width, the best first."""
    narrow = look.width < NARROW
    edge, least = CLOSER if narrow else (EDGE, GAP)
    for columns in range(1, len(hands) + 1) if narrow else range(len(hands), 0, -1):
        room = (look.width - edge) / columns - edge
        across = int((room + least) // (wide + least))
        if across and (room >= 110 or len(hands) == 1):
            gap = min(GAP, (room - across * wide) / max(1, across - 1))
            high = height(table.room, wide, across, gap) if table.room else HEAD + 6
            yield Cell(wide, columns, across, room, high, -(-len(hands) // columns) * high + 10, edge, gap)


def _band_pieces(table: Table, hands: Sequence[Rack], cell: Cell, look: Look) -> Iterator[Piece]:
    top = look.height - cell.whole if table.rows else look.top + (look.height - look.top - cell.whole) / 2
    for n, rack in enumerate(hands):
        x, y = cell.edge + n % cell.columns * (cell.room + cell.edge), top + n // cell.columns * cell.high
        title = heading(rack, x, y + 10, cell.room)
        yield rack.key, f"<g>{title}{tiles(rack, x, y + HEAD, (cell.wide, cell.across), look, cell.gap)}</g>"
