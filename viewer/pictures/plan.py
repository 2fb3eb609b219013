"""The plan: one level large, its neighbours small beside it or below it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from viewer.pictures.camera import Box, Space, Standing
from viewer.pictures.flat_tiles import face, symbol
from viewer.pictures.look import Look, Piece, Table, badges, equals, flag, px, rim_of, safe, text

RIM, HEAD, GAP = 22, 20, 18
"""Room for the names of the squares, for a sheet's heading, and between sheets."""
TURNS = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}
LARGE = 0.66
"""The largest part of the room for the large sheet."""
WIDE = 1.2
"""How much wider than high a box must be for sheets side by side."""
MOST = 4
"""The most small sheets."""
SLACK = 0.95
"""How much of its squares a tile covers."""


class Sheet(NamedTuple):
    """A level, where its upper left square begins, and the side of a square."""

    level: int
    x: float
    y: float
    side: float


def plan(table: Table, space: Space, box: Box, look: Look, high: int) -> Iterator[Piece]:
    """The pieces of the plan, with room for the sheets of `high` levels; `space` only turns the squares."""
    chosen = min(look.level or table.high, table.high) or 1
    for sheet in sheets(table.high, chosen, (space.wide, space.deep), box, high):
        yield from _SheetDrawing(table, space, look, sheet, large=sheet.level == chosen).pieces()


def neighbours(high: int, chosen: int) -> list[int]:
    """The levels nearest to the chosen one, in order."""
    near = sorted((level for level in range(1, high + 1) if level != chosen), key=lambda level: abs(level - chosen))
    return sorted(near[:MOST])


def sheets(high: int, chosen: int, size: tuple[int, int], box: Box, most: int = 0) -> list[Sheet]:
    """The places of the sheets: they fill the box in one direction, with room for `most` levels."""
    wide, deep = size
    small_levels = neighbours(high, chosen)
    count = max(len(small_levels), min(MOST, most - 1))
    across, down = box.right - box.left, box.bottom - box.top
    if count < 1:
        side = min((across - 2 * RIM) / wide, (down - HEAD - RIM) / deep)
        left = box.left + (across - side * wide) / 2
        return [Sheet(chosen, left, box.top + HEAD + (down - HEAD - RIM - side * deep) / 2, side)]
    if across > WIDE * down:
        side = min((across * LARGE - RIM) / wide, (down - HEAD - RIM) / deep)
        begin = RIM + side * wide + GAP
        room = Box(0, 0, across - begin, down)
        small, columns = _best_grid(count, size, room)
        whole = begin + columns * (small * wide + GAP) - GAP
        left, top = box.left + (across - whole) / 2, box.top + (down - HEAD - RIM - side * deep) / 2
        first = Sheet(chosen, left + RIM, top + HEAD, side)
        lines = -(-count // columns)
        above = box.top + (down - lines * (small * deep + HEAD + GAP) + GAP) / 2
        return [first, *_positions(small_levels, (left + begin, above), (small, columns), size)]
    side = min((across - 2 * RIM) / wide, (down * LARGE - HEAD - RIM) / deep)
    under = HEAD + side * deep + RIM + GAP
    small, columns = _best_grid(count, size, Box(0, 0, across, down - under))
    lines = -(-count // columns)
    whole = under + lines * (small * deep + HEAD + GAP) - GAP
    top = box.top + (down - whole) / 2
    first = Sheet(chosen, box.left + (across - side * wide) / 2, top + HEAD, side)
    broad = columns * (small * wide + GAP) - GAP
    return [first, *_positions(small_levels, (box.left + (across - broad) / 2, top + under), (small, columns), size)]


def _best_grid(count: int, size: tuple[int, int], room: Box) -> tuple[float, int]:
    """The side of a square and the number of columns that make this many small sheets largest."""
    best = (0.0, 1)
    for columns in range(1, count + 1):
        lines = -(-count // columns)
        side = min(((room.right + GAP) / columns - GAP) / size[0], ((room.bottom + GAP) / lines - GAP - HEAD) / size[1])
        best = max(best, (side, columns))
    return max(4.0, best[0]), best[1]


def _positions(
    levels: Sequence[int], corner: tuple[float, float], grid: tuple[float, int], size: tuple[int, int]
) -> Iterator[Sheet]:
    side, columns = grid
    for n, level in enumerate(levels):
        x = corner[0] + n % columns * (side * size[0] + GAP)
        y = corner[1] + n // columns * (side * size[1] + HEAD + GAP) + HEAD
        yield Sheet(level, x, y, side)


class _SheetDrawing:
    """Draws one sheet of the plan."""

    def __init__(self, table: Table, space: Space, look: Look, sheet: Sheet, *, large: bool) -> None:
        self.table, self.space, self.look, self.sheet, self.large = table, space, look, sheet, large
        self.tiles = [space.standing(laid) for laid in table.tiles if laid.level == sheet.level]

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.sheet.x + x * self.sheet.side, self.sheet.y + y * self.sheet.side

    def pieces(self) -> Iterator[Piece]:
        level = self.sheet.level
        yield f"sheet {level}", f'<g data-to="{level}" class="t-sheet">{self.ground()}{self.heading()}</g>'
        for tile in self.tiles:
            domino = tile.laid
            svg = face(domino.tile, *self.corner(tile), 2 * self.sheet.side * SLACK, self.look, degrees(tile))
            title = f"<title>{safe(domino.tile)}</title>"
            yield f"flat {level} {domino.tile} {domino.x} {domino.y}", f'<g data-to="{level}">{title}{svg}</g>'
        yield f"marks {level}", f"<g>{''.join(self.marks())}</g>"

    def ground(self) -> str:
        (x, y), side = self.at(0, 0), self.sheet.side
        wide, deep = self.space.wide * side, self.space.deep * side
        lines = "".join(f"M{px(x + n * side)} {px(y)}v{px(deep)}" for n in range(self.space.wide + 1))
        lines += "".join(f"M{px(x)} {px(y + n * side)}h{px(wide)}" for n in range(self.space.deep + 1))
        below = {
            square
            for domino in self.table.tiles
            if domino.level == self.sheet.level - 1
            for square in ((domino.x, domino.y), (domino.x + domino.dx, domino.y + domino.dy))
        }
        under = "".join(self.under(*self.space.square(*square)) for square in sorted(below))
        return (
            f'<rect class="t-floor" x="{px(x - 5)}" y="{px(y - 5)}" width="{px(wide + 10)}" height="{px(deep + 10)}" '
            f'rx="8"/>{under}<path class="t-grid" d="{lines}"/>'
        )

    def under(self, x: float, y: float) -> str:
        """A square that can carry a tile, because the level below has one there."""
        left, top = self.at(x, y)
        side = px(self.sheet.side - 4)
        return f'<rect class="t-under" x="{px(left + 2)}" y="{px(top + 2)}" width="{side}" height="{side}" rx="4"/>'

    def heading(self) -> str:
        x, y = self.at(0, 0)
        title = text(f"Level {self.sheet.level}", x, y - 9, "t-title" if self.large else "t-name")
        if not self.large:
            return title
        columns, rows = self.space.names()
        parts = [title]
        for n, name in enumerate(columns):
            x, y = self.at(n + 0.5, self.space.deep)
            parts.append(text(name, x, y + 19, "t-name", "middle"))
        for n, name in enumerate(rows):
            x, y = self.at(0, n + 0.5)
            parts.append(text(name, x - 10, y + 4, "t-name", "end"))
        return "".join(parts)

    def marks(self) -> Iterator[str]:
        last = [tile for tile in self.tiles if self.table.last == (tile.laid.x, tile.laid.y, tile.laid.level)][-1:]
        wide, wrong = 2 * self.sheet.side * SLACK, [tile for tile in self.tiles if tile.laid.mark]
        for name, tile in (*((rim_of(tile.laid.mark), tile) for tile in wrong), *(("ring", tile) for tile in last)):
            yield symbol(name, *self.corner(tile), wide, degrees(tile))
        if not self.large:
            return
        yield from self.ties()
        for tile in wrong:
            x, y = self.middle(tile)
            yield flag(tile.laid.mark, x, y + 8, max(0.8, self.sheet.side / 70))
        for tile in last:
            x, y = self.middle(tile)
            yield from badges(
                self.table.gains, x + self.sheet.side * 0.6, y - self.sheet.side * 0.6, (6, self.look.width - 6)
            )

    def corner(self, tile: Standing) -> tuple[float, float]:
        """The corner of a tile, which is a little smaller than its squares and centred on them."""
        x, y = self.at(tile.x, tile.y)
        slack = self.sheet.side * (1 - SLACK) / 2
        return x + slack * (1 + tile.dx), y + slack * (1 + tile.dy)

    def middle(self, tile: Standing) -> tuple[float, float]:
        return self.at(tile.x + 0.5 + tile.dx / 2, tile.y + 0.5 + tile.dy / 2)

    def ties(self) -> Iterator[str]:
        """Between neighbours a short bar over the joint; an equals sign at a half that covers an equal one."""
        side = self.sheet.side
        wide = max(2.4, side * 0.045)
        for tie in self.table.ties:
            if tie.level != self.sheet.level:
                continue
            x, y = self.space.square(tie.x, tie.y)
            if tie.level == tie.level2:
                x2, y2 = self.space.square(tie.x2, tie.y2)
                ends = (self.at(x + 0.5 + (x2 - x) * part, y + 0.5 + (y2 - y) * part) for part in (0.28, 0.72))
                line = "M" + "L".join(f"{px(a)} {px(b)}" for a, b in ends)
                yield f'<path class="t-tie0" d="{line}" stroke-width="{px(wide * 2.2)}"/>'
                yield f'<path class="t-tie" d="{line}" stroke-width="{px(wide)}"/>'
            else:
                # A covered half cannot be seen, so the sign is at the lower edge of the half that covers it.
                yield equals(*self.at(x + 0.5, y + 0.94), side)


def degrees(tile: Standing) -> int:
    """How far a tile is turned clockwise."""
    return TURNS.get((tile.dx, tile.dy), 0)
