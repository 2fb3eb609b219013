"""The hands: racks in the lower corners where the building leaves room, or a band below rows, or lines of text."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.record.visible import isolated
from ledger.record.words import first_names, plural
from viewer.pictures.camera import Box, Space
from viewer.pictures.flat_tiles import BOLD, chip, face, measure, shares, shorten, symbol
from viewer.pictures.look import SHORT, SMALL, Look, Piece, Table, px, safe, text, two
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
LEAD, TIGHT = 24, 2
"""Beside stacks, the room of a letter in front of its hand, and the least gap between tiles."""
ENOUGH = 10
"""A rack with room for as many tiles need not be smaller for the sake of more."""
WORTH = 40
"""The least room for a name in the line of hands."""
ALL = "hand all"
"""The key of all hands and rows beside the table, for a reader who opens them together."""
LONGEST = "10 tiles"
"""The longest number of tiles in words, usually: what a heading has room for is the same at every step."""
LONG = 6
"""The most lines of tiles in a rack."""
ASIDE = 176
"""The room for a heading at the left, such as that of tiles that are out of the game."""
RULER = 44
"""The room for the ruler of levels, at the left of the building."""


class End(NamedTuple):
    """The words at the end of the line of hands, or of an empty one, the room for them, and the least of a hand."""

    show: str
    empty: str
    room: int
    least: int


ENDS = (End("Show hands", "Hands empty", 80, 44), End("Show", "Empty", 44, 32))
"""The words where there is room, and where there are many hands."""


class Rack(NamedTuple):
    """A hand, or a few tiles set aside, with its heading, as it is shown; `names` are those of all players."""

    key: str
    seat: int | None
    title: str
    note: str
    tiles: Sequence[str]
    backs: int
    names: Sequence[str] = ()


def racks(table: Table, *, rows: bool) -> list[Rack]:
    """Every hand, then, if `rows`, the rows of single tiles beside the squares."""
    racks = [rack(table, hand) for hand in table.hands]
    if rows:
        for number, row in table.rows.items():
            tiles = [tile for heap in row.heaps for tile in heap.tiles]
            backs = sum(heap.count for heap in row.heaps) - len(tiles)
            racks.append(Rack(f"row {number}", None, row.line.title, tile_count(len(tiles) + backs), tiles, backs))
    return racks


def rack(table: Table, hand: Held) -> Rack:
    """A hand."""
    count = len(hand.tiles) + (hand.unknown or 0)
    note = tile_count(count) if hand.unknown is not None else f"{tile_count(count)} or more" if count else "not known"
    name, backs = table.names[hand.owner], hand.unknown or 0
    return Rack(f"hand {hand.owner}", hand.owner, name, note, hand.tiles, backs, table.names)


def tile_count(count: int) -> str:
    """A number of tiles in words."""
    return plural(count, "tile") if count else "no tiles"


def corners(table: Table, space: Space, look: Look) -> Iterator[Piece]:
    """The hands at the left and right below the building, as racks where they fit, else as lines that open them.

    A phone has them in one line.  The size of a rack and its place are the same at every step.
    """
    if by_line(look):
        yield from foot_line(table, look)
        return
    all_racks = racks(table, rows=True)
    size, most = space.once(("racks", look), lambda: _readable(table, space, look))
    fitting = most and all(len(rack.tiles) + rack.backs <= most for rack in all_racks if rack.seat is not None)
    for side in (0, 1):
        column = all_racks[side::2]
        if column and fitting:
            yield from _column(column, look, side, size, most)
        elif column and look.height >= SHORT:
            yield from lines(column, look, side)


def by_line(look: Look) -> bool:
    """Whether a page is too narrow for hands on the table, and has a line that opens them instead."""
    return look.both and look.width < NARROW


def _readable(table: Table, space: Space, look: Look) -> tuple[tuple[int, int], int]:
    """The size of racks for a whole game, and the most tiles of a hand that is shown as a rack; 0: none fits.

    Both sides are alike, and never has one of them tiles where the other has a line.
    """
    best = (RACKS[0], 0)
    enough = min(table.room.tiles, ENOUGH)
    for size in RACKS:
        most = next((n for n in range(table.room.tiles, 0, -1) if _all_fit(table, space, look, size, n)), 0)
        if most > best[1]:
            best = (size, most)
        if best[1] >= enough:
            break
    return best


def _all_fit(table: Table, space: Space, look: Look, size: tuple[int, int], count: int) -> bool:
    hands = [Rack("", seat, "", "", (), count) for seat in range(len(table.names))]
    rows = [Rack("", None, "", "", (), line.places) for line in table.room.lines]
    column = [*hands, *rows]
    return all(fits(column[side::2], space, look, side, size) for side in (0, 1) if column[side::2])


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
    """The breadth of a rack: of its tiles or its heading, whichever is wider."""
    return max(across * (wide + GAP) - GAP, LEAST)


def height(count: int, wide: float, across: int, gap: float = GAP) -> float:
    """The height of a rack with its heading."""
    return HEAD + -(-count // across) * (wide / 2 + gap + 3) + 6


def _column(column: Sequence[Rack], look: Look, side: int, size: tuple[int, int], most: int) -> Iterator[Piece]:
    wide, across = size
    counts = [len(rack.tiles) + rack.backs if rack.seat is None else most for rack in column]
    y = look.height - 12 - sum(height(count, wide, across) for count in counts)
    broad = breadth(wide, across)
    room = max(broad, min(ASIDE, look.width / 2 - EDGE - GAP)) if side == 0 else broad
    for rack, count in zip(column, counts, strict=True):
        x = EDGE if side == 0 else look.width - EDGE - broad
        title = heading(rack, x, y + 10, room)
        yield rack.key, f"<g>{title}{tiles(rack, x, y + HEAD, size, look)}</g>"
        y += height(count, wide, across)


def heading(rack: Rack, x: float, y: float, wide: float) -> str:
    """Whose tiles they are, and how many, in one line; only the number where a player has a long name."""
    sign, note, count = "", rack.note, len(rack.tiles) + rack.backs
    if rack.seat is not None:
        sign = chip(rack.seat, rack.names, x + 10, y)
        x, wide = x + 26, wide - 26
        if note == tile_count(count) and max(map(measure, rack.names)) + measure(LONGEST, 12) + 8 > wide:
            note = str(count)
    title = shorten(rack.title, max(40, wide - measure(note, 12) - 8))
    return f"{sign}{two(title, note, x, y + 5)}"


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
        title, note = max(map(measure, rack.names), default=measure(rack.title)), measure(LONGEST, 12)
        broad = min(most, (26 if rack.seat is not None else 0) + title + max(measure(rack.note, 12), note) + 9)
        x = EDGE if side == 0 else look.width - EDGE - broad
        yield (
            rack.key,
            f'<g data-open="{rack.key}" class="t-open">{target(x, y, broad)}{heading(rack, x, y, broad)}</g>',
        )


def foot_line(table: Table, look: Look) -> list[Piece]:
    """The hands in one line at the lower edge of a page: how many tiles each has; a tap shows them."""
    hands, count = racks(table, rows=False), len(table.names)
    if look.height < SHORT or not table.room.tiles:
        return []
    held = sum(len(rack.tiles) + rack.backs for rack in hands)
    high = foot_height(table, look)
    lines, end = _foot(table, look)
    across, y0 = -(-count // lines), look.height - high + 4
    beside = 24 + measure(str(table.room.tiles), 12) + 14
    firsts = first_names(table.names)
    names = [max(measure(name, BOLD) for name in firsts[column::across]) for column in range(across)]
    rooms = shares([beside + name for name in names], look.width - 2 * EDGE - end.room)
    # All hands have their names, or none has.
    named = all(room - beside >= min(WORTH, name) - 0.1 for room, name in zip(rooms, names, strict=True))
    rooms = rooms if named else [sum(rooms) / across] * across
    parts = []
    for rack in hands:
        seat = rack.seat or 0
        x, y = EDGE + sum(rooms[: seat % across]), y0 + (seat // across + 0.5) * LINE
        tiles = str(len(rack.tiles) + rack.backs)
        if named:
            name = isolated(shorten(firsts[seat], rooms[seat % across] - beside, BOLD))
            words = two(name, tiles, x + 24, y + 5)
        else:
            words = text(tiles, x + 23, y + 5, "t-title")
        parts.append(f"{chip(seat, table.names, x + 10, y)}{words}")
    said = "; ".join(f"{isolated(rack.title)}: {rack.note}" for rack in hands)
    if not held:
        return [("hand line", f"<g>{''.join(parts)}{_line_end(end.empty, 't-name', look)}</g>")]
    box = f'x="{px(EDGE - 8)}" y="{px(look.height - 46)}" width="{px(look.width - 2 * EDGE + 16)}" height="46" rx="8"'
    svg = f'<rect class="t-hit" {box}/>{"".join(parts)}{_line_end(end.show, "t-link", look)}'
    words = safe(f"Show hands. {said}")
    return [("hand line", f'<g data-open="{ALL}" class="t-open" aria-label="{words}">{svg}</g>')]


def _line_end(words: str, kind: str, look: Look) -> str:
    return text(words, look.width - EDGE, look.height - 4 - LINE / 2 + 5, kind, "end")


def foot_height(table: Table, look: Look) -> float:
    """The height of the line of hands, which stays for a whole game."""
    if look.height < SHORT or not table.room.tiles:
        return 0
    return _foot(table, look)[0] * LINE + 8


def _foot(table: Table, look: Look) -> tuple[int, End]:
    """How many lines the hands need, and what stands at their end."""
    for end in ENDS:
        across = int((look.width - 2 * EDGE - end.room) // end.least)
        if len(table.names) <= across:
            return 1, end
    return -(-len(table.names) // across), end


def opened(table: Table, look: Look, key: str) -> str:
    """A hand or a row by its key, for a reader who opens it: a heading and its tiles."""
    rack = next(rack for rack in racks(table, rows=True) if rack.key == key)
    across = max(1, min(8, int((look.width - 32 + GAP) // (60 + GAP))))
    count = len(rack.tiles) + rack.backs
    wide, high = across * (60 + GAP), -(-count // across) * (30 + GAP + 3) + 4
    whose = "" if rack.seat is None else f' data-hand="{rack.seat}"'
    tiles_ = f"""<svg class="drawing" width="{wide}" height="{high}" viewBox="0 0 {wide} {
        high
    }" role="img" aria-label="{safe(", ".join(rack.tiles) or "face down")}">{
        tiles(rack, 0, 1, (60, across), look)
    }</svg>"""
    return f"<section{whose}><h2>{safe(isolated(rack.title))}: {rack.note}</h2>{tiles_ if count else ''}</section>"


def target(x: float, y: float, wide: float) -> str:
    """Room for a finger."""
    return f'<rect class="t-hit" x="{px(x - 6)}" y="{px(y - 14)}" width="{px(wide + 12)}" height="28" rx="8"/>'


def band(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """The hands side by side at the lower edge, for games without squares: the height of the band, and its pieces.

    The height is the same at every step.
    """
    if not (table.hands or table.room.tiles):
        return 0, []
    if by_line(look):
        return foot_height(table, look), foot_line(table, look)
    lines = table.room.lines
    piles = sum(line.places for line in lines)
    share = (look.height - look.top) * (ALONE if not piles else MORE if piles <= FEW else SHARE)
    cells = [cell for wide in BAND for cell in _cells(table, wide, look) if cell.whole <= share]
    if cells:
        # Beside rows, the lowest band that is easy to read; without rows, the largest tiles.  Stacks need all the room.
        least = BAND[-1] if stacked(table) else 2 * SMALL
        clear = [cell for cell in cells if cell.wide >= least] if lines else []
        cell = min(clear, key=lambda other: other.whole) if clear else cells[0]
        return cell.whole, list(_band_pieces(table, cell, look))
    return band_of_lines(table, look)


def stacked(table: Table) -> bool:
    """Whether there are numbered stacks."""
    return any(line.numbered for line in table.room.lines)


def band_of_lines(table: Table, look: Look) -> tuple[float, list[Piece]]:
    """The hands as lines at the lower edge: the height of the band, and its pieces."""
    if look.height < SHORT:
        return 0, []
    hands = racks(table, rows=False)
    pieces = [piece for side in (0, 1) for piece in lines(hands[side::2], look, side)]
    return -(-len(table.names) // 2) * LINE + 16, pieces


def around(table: Table, look: Look) -> tuple[Box, list[Piece]] | None:
    """Three hands round the pile of a contract: the room between them, and the pieces; None where they do not fit.

    The first hand lies at the lower edge, the second at the left, the third at the right, clockwise as they play.
    """
    room = table.room
    if not room.bids or len(table.names) != THREE or not room.tiles or not room.lines or look.width < BROAD:
        return None
    line = int((look.width - 2 * EDGE + GAP) // (ROUND + GAP))
    low, high = height(room.tiles, ROUND, line) + 4, height(room.tiles, ROUND, BESIDE)
    clear = EDGE + breadth(ROUND, BESIDE) + EDGE
    box = Box(clear, look.top, look.width - clear, look.height - low - 6)
    if high > box.bottom - box.top:
        return None
    # A hand of one line stands in the middle of the edge, as wide as the largest hand.
    left = (look.width - min(line, room.tiles) * (ROUND + GAP) + GAP) / 2
    y = box.top + min(box.bottom - box.top - high, (box.bottom - box.top) / 4)
    places = ((left, look.height - low, line), (EDGE, y, BESIDE), (box.right + EDGE, y, BESIDE))
    pieces = []
    for rack in racks(table, rows=False):
        x, top, across = places[rack.seat or 0]
        title = heading(rack, x, top + 10, breadth(ROUND, BESIDE))
        svg = f"<g>{title}{tiles(rack, x, top + HEAD, (ROUND, across), look)}</g>"
        pieces.append((rack.key, svg))
    return box, pieces


class Cell(NamedTuple):
    """How hands stand in a band.

    A tile's width, hands and tiles side by side, a hand's room and height, the whole height, the margin, the gap, and
    the room for a letter in front of the tiles (0: a heading is above them).
    """

    wide: int
    columns: int
    across: int
    room: float
    high: float
    whole: float
    edge: float
    gap: float
    lead: float


def _cells(table: Table, wide: int, look: Look) -> Iterator[Cell]:
    """The ways to arrange hands with tiles of that width, the best first."""
    narrow = look.width < NARROW
    lead = LEAD if stacked(table) else 0
    edge, least = CLOSER if narrow else (EDGE, TIGHT if lead else GAP)
    count = len(table.names)
    for columns in range(1, count + 1) if narrow else range(count, 0, -1):
        room = (look.width - edge) / columns - edge - lead
        across = int((room + least) // (wide + least))
        if across and (room >= (60 if lead else 110) or count == 1):
            gap = min(GAP, (room - across * wide) / max(1, across - 1))
            high = (height(table.room.tiles, wide, across, gap) if table.room.tiles else HEAD + 6) - bool(lead) * HEAD
            yield Cell(wide, columns, across, room, high, -(-count // columns) * high + 10, edge, gap, lead)


def _band_pieces(table: Table, cell: Cell, look: Look) -> Iterator[Piece]:
    top = look.height - cell.whole if table.room.lines else look.top + (look.height - look.top - cell.whole) / 2
    for rack in racks(table, rows=False):
        seat = rack.seat or 0
        x = cell.edge + seat % cell.columns * (cell.room + cell.lead + cell.edge)
        y = top + seat // cell.columns * cell.high
        title = chip(seat, rack.names, x + 9, y + cell.wide / 4) if cell.lead else heading(rack, x, y + 10, cell.room)
        left, high = x + cell.lead, y + (0 if cell.lead else HEAD)
        yield rack.key, f"<g>{title}{tiles(rack, left, high, (cell.wide, cell.across), look, cell.gap)}</g>"
