"""The stacked view: the building from a corner, with walls, shade, cast shadows, marks and a ruler."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from math import cos, radians, sin

from viewer.pictures.camera import Point, Space, Standing
from viewer.pictures.flat_tiles import pips
from viewer.pictures.look import POINT, SMALL, Look, Piece, Table, badges, equals, flag, halves, path, px, safe, text
from viewer.pictures.tile_symbols import GAP, ROUND

DARKEST, DEPTH = 0.2, 5
"""The shade of the lowest face, and the fewest levels over which the shade spreads."""
LETTERS = 11
"""The least distance of two numbers of the ruler."""

Outline = tuple[float, float, float, float]
_ROUNDED = f"M{'L'.join([f'{POINT}Q{POINT} {POINT}'] * 4)}Z"
"""The form of a rectangle with round corners, from bend to bend."""
_TURNS = {
    degrees: (cos(radians(degrees)), sin(radians(degrees))) for degrees in (135, 112, 90, 67, 45, 22, 0, -22, -45)
}
"""The directions from the centre of a round corner to the points of a wall's edge."""


def building(table: Table, space: Space, look: Look, high: int) -> Iterator[Piece]:
    """The pieces of the building, the farthest first; its ruler is `high` levels high."""
    return _Building(table, space, look, high).pieces()


class _Building:
    def __init__(self, table: Table, space: Space, look: Look, high: int) -> None:
        self.table, self.space, self.look, self.levels = table, space, look, look.level or high
        limit = look.peel or look.level or table.high
        tiles = [space.standing(laid) for laid in table.tiles if laid.level <= limit]
        self.tiles = sorted(tiles, key=lambda t: (t.level, 2 * t.x + t.dx + 2 * t.y + t.dy))
        self.height: dict[tuple[int, int], int] = {}
        for tile in self.tiles:
            for square in squares(tile):
                self.height[square] = max(self.height.get(square, 0), tile.level)
        visible_levels = [tile.level for tile in self.tiles if self.on_top(tile)]
        self.high = max(visible_levels, default=0)
        self.spread = max(DEPTH, self.high - min(visible_levels, default=0))
        self.digits = not look.quiet and (look.numerals or space.scale < SMALL)

    def on_top(self, tile: Standing) -> bool:
        """Whether a half of the tile can be seen."""
        return any(self.height[square] == tile.level for square in squares(tile))

    def hidden(self, tile: Standing) -> bool:
        """Whether tiles above and in front hide it; only small pictures leave it out, because corners are round."""
        covered = squares(tile)
        front = [square for x, y in covered for square in ((x + 1, y), (x, y + 1)) if square not in covered]
        return not self.on_top(tile) and all(self.height.get(square, 0) >= tile.level for square in front)

    def pieces(self) -> Iterator[Piece]:
        yield "floor", self.ground()
        if not self.look.quiet:
            yield "names", self.square_names()
            yield "shadow", self.shadow()
        for level, tiles in groupby(self.tiles, key=lambda tile: tile.level):
            yield from self.course(level, list(tiles))
        if not self.look.quiet:
            yield "ruler", self.ruler()
            yield from self.marks()

    # ── Shapes ─────────────────────────────────────────────────────────────────────────────────────────────

    def flat(self, z: float, *corners: Point) -> str:
        """A polygon that lies at a height."""
        return self.space.once((z, corners), lambda: path([self.space.at(x, y, z) for x, y in corners]))

    def outline(self, box: Outline, z: float, grow: float = 0) -> str:
        """A rectangle with round corners that lies at a height."""
        x0, y0, x1, y1 = box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow
        r = ROUND + grow
        corners = (
            *((x1, y1 - r), (x1, y1), (x1 - r, y1)),
            *((x0 + r, y1), (x0, y1), (x0, y1 - r)),
            *((x0, y0 + r), (x0, y0), (x0 + r, y0)),
            *((x1 - r, y0), (x1, y0), (x1, y0 + r)),
        )
        return path([self.space.at(x, y, z) for x, y in corners], form=_ROUNDED)

    def arc(self, x: float, y: float, r: float, degrees: int, z: float) -> Point:
        right, down = _TURNS[degrees]
        return self.space.at(x + r * right, y + r * down, z)

    # ── The floor ──────────────────────────────────────────────────────────────────────────────────────────

    def ground(self) -> str:
        wide, deep = self.space.wide, self.space.deep
        lines = "".join(
            path([self.space.at(*begin, 0), self.space.at(*end, 0)], "")
            for begin, end in (
                *(((x, 0), (x, deep)) for x in range(wide + 1)),
                *(((0, y), (wide, y)) for y in range(deep + 1)),
            )
        )
        return (
            f'<g><path class="t-floor" d="{self.outline((0, 0, wide, deep), 0, 0.12)}"/>'
            f'<path class="t-grid" d="{lines}"/></g>'
        )

    def square_names(self) -> str:
        parts = []
        left, right = self.space.names()
        for n, name in enumerate(left):
            x, y = self.space.at(n + 0.5, self.space.deep + 0.36, 0)
            parts.append(text(name, x - 3, y + 7, "t-name", "middle"))
        for n, name in enumerate(right):
            x, y = self.space.at(self.space.wide + 0.36, n + 0.5, 0)
            parts.append(text(name, x + 3, y + 7, "t-name", "middle"))
        return f"<g>{''.join(parts)}</g>"

    def shadow(self) -> str:
        """The shadow of the building on the table, to the right."""
        shapes = ""
        for (x, y), level in sorted(self.height.items()):
            far = min(level, 6) * self.space.course * 0.55
            shapes += self.flat(0, (x, y), (x + 1, y), (x + 1 + far, y + 1 - far * 0.2), (x + 0.3, y + 1))
        return f'<path class="t-ground" d="{shapes}" filter="url(#soft)"/>' if shapes else "<g/>"

    # ── A level ────────────────────────────────────────────────────────────────────────────────────────────

    def course(self, level: int, tiles: list[Standing]) -> Iterator[Piece]:
        """The pieces of a level: its walls, its faces, and the shade and the shadows on them.

        The walls of a level do not overlap, and its faces cover them.  So each kind of wall is one path, which a
        browser paints much faster than walls tile by tile.  The newest tile has its own walls, since it slides in.
        """
        if self.look.quiet:
            tiles = [tile for tile in tiles if not self.hidden(tile)]
        visible = [tile for tile in tiles if self.on_top(tile)]
        walls = self.walls([tile for tile in tiles if tile not in visible or not self.newest(tile)])
        title = "" if self.look.quiet else f"<title>Level {level}</title>"
        yield f"walls {level}", f'<g data-level="{level}">{title}{walls}{self.covers(tiles)}</g>'
        for tile in visible:
            domino = tile.laid
            if self.newest(tile):
                yield "newest", f"<g>{self.walls([tile])}</g>"
            yield f"tile {domino.tile} {domino.x} {domino.y} {domino.level}", self.block(tile)
        dark = DARKEST * (self.high - level) / self.spread
        if visible and dark > 0.004:
            tops = "".join(self.top(tile) for tile in visible)
            yield f"shade {level}", f'<path class="t-shade" d="{tops}" opacity="{dark:.3f}"/>'
        poles = [] if self.look.quiet else [self.pole(tile) for tile in visible if tile.laid.mark]
        yield f"cast {level}", f"<g>{''.join(poles)}{self.cast(level)}</g>"

    def newest(self, tile: Standing) -> bool:
        """Whether the tile came to the table at this step."""
        return not self.look.quiet and self.table.last == (tile.laid.x, tile.laid.y, tile.laid.level)

    def top(self, tile: Standing) -> str:
        return self.space.once(("top", place_of(tile)), lambda: self.outline(outline_of(tile), tile.level))

    def covers(self, tiles: list[Standing]) -> str:
        """The tops that are covered: only a little of them is seen, at the round corners."""
        tops = "".join(self.top(tile) for tile in tiles if not self.on_top(tile))
        return f'<path class="t-cover" d="{tops}"/>' if tops else ""

    def block(self, tile: Standing) -> str:
        def made() -> str:
            title = "" if self.look.quiet else f"<title>{safe(self.table.spot(tile.laid))}</title>"
            top = f'<path class="t-tile" d="{self.top(tile)}"/>'
            return f'<g data-level="{tile.level}">{title}{top}{self.face(tile)}</g>'

        return self.space.once((tile.laid.tile, place_of(tile)), made)

    def walls(self, tiles: list[Standing]) -> str:
        """The walls of tiles of one level, the seam below them and the light on their edge."""
        if not tiles:
            return ""
        sides = [self.space.once(("sides", place_of(tile)), partial(self.sides, tile)) for tile in tiles]
        left, right, corner, seam, light = map("".join, zip(*sides, strict=True))
        return (
            f'<path class="t-left" d="{left}"/><path class="t-right" d="{right}"/><path class="t-corner" d="{corner}"/>'
            f'<path class="t-seam" d="{seam}" stroke-width="{max(0.9, self.space.scale * 0.018):.2f}"/>'
            + ("" if self.look.quiet else f'<path class="t-light" d="{light}"/>')
        )

    def sides(self, tile: Standing) -> tuple[str, str, str, str, str]:
        """The left wall of a tile, the right one, the corner between them, the seam below and the light above."""
        r, drop = ROUND, self.space.course * self.space.scale
        (x0, y0, x1, y1), z = outline_of(tile), tile.level
        left_bend = [self.arc(x0 + r, y1 - r, r, d, z) for d in (135, 112, 90)]
        corner_bend = [self.arc(x1 - r, y1 - r, r, d, z) for d in (90, 67, 45, 22, 0)]
        right_bend = [self.arc(x1 - r, y0 + r, r, d, z) for d in (0, -22, -45)]
        edge = left_bend + corner_bend + right_bend
        return (
            self.wall(left_bend + corner_bend[:3], drop),
            self.wall(corner_bend[2:] + right_bend, drop),
            self.wall(corner_bend[1:4], drop),
            path([(x, y + drop) for x, y in edge], ""),
            "" if self.look.quiet else path([(x, y + 0.9) for x, y in edge], ""),
        )

    def wall(self, points: list[Point], drop: float) -> str:
        """A wall, which hangs down from a line at the edge of a tile."""
        return path(points + [(x, y + drop) for x, y in reversed(points)])

    def face(self, tile: Standing) -> str:
        across, down = (tile.dx, tile.dy), (-tile.dy, tile.dx)
        corner = (
            tile.x + 0.5 - 0.5 * across[0] - 0.5 * down[0],
            tile.y + 0.5 - 0.5 * across[1] - 0.5 * down[1],
        )
        numbers = halves(tile.laid.tile)
        dots = "" if self.digits else pips(*numbers, self.look)
        dots = f'<g class="t-pips">{dots}</g>' if dots and self.look.both else dots
        matrix = self.matrix(across, down, corner, tile.level)
        face = f'<g class="t-pip" transform="{matrix}"><use href="#top"/>{dots}</g>'
        if not self.digits and not self.look.both:
            return face
        digits = "".join(
            f'<g transform="{self.matrix((1, 0), (0, 1), place, tile.level)}"><use href="#n{number}"/></g>'
            for number, place in zip(numbers, squares(tile), strict=True)
        )
        return f'{face}<g class="t-pip{" t-numerals" if dots else ""}">{digits}</g>'

    def matrix(self, across: Point, down: Point, corner: Point, z: float) -> str:
        """From the plane of a tile to the picture."""
        u, v, o = self.space.along(*across), self.space.along(*down), self.space.at(*corner, z)
        return f"matrix({u[0]:.2f} {u[1]:.2f} {v[0]:.2f} {v[1]:.2f} {px(o[0])} {px(o[1])})"

    def cast(self, level: int) -> str:
        """The shadows on the faces of a level: wide ones from the left, a thin line from the back."""
        wide, core, back = "", "", ""
        for (x, y), high in sorted(self.height.items()):
            if high != level:
                continue
            rise = self.height.get((x - 1, y), 0) - level
            if rise > 0:
                far = min(0.62, 0.2 + 0.1 * rise)
                wide += self.flat(level, (x, y), (x, y + 1), (x + far, y + 1), (x + far, y))
                core += self.flat(level, (x, y), (x, y + 1), (x + far * 0.45, y + 1), (x + far * 0.45, y))
            if self.height.get((x, y - 1), 0) > level:
                back += self.flat(level, (x, y), (x + 1, y), (x + 1, y + 0.1), (x, y + 0.1))
        shades = ((wide, 0.17), (core, 0.13), (back, 0.16))
        return "".join(f'<path class="t-cast" d="{shape}" opacity="{dark}"/>' for shape, dark in shades if shape)

    # ── Around it ──────────────────────────────────────────────────────────────────────────────────────────

    def ruler(self) -> str:
        """A scale of the levels at the left corner; of many or close ones, every fifth has its number."""
        if self.levels < 3:
            return "<g/>"
        x, y = self.space.at(0, self.space.deep, 0)
        drop, left = self.space.course * self.space.scale, max(2.0, x - 44)
        every = 1 if self.levels <= 6 and drop >= LETTERS else min(5, self.levels)
        parts, hits = "", ""
        for level in range(1, self.levels + 1):
            middle, long = y - (level - 0.5) * drop, level % every == 0
            size = 5 if long else 3
            parts += f'<path class="t-tick" d="M{px(x - 9 - size)} {px(middle)}h{size}"/>'
            if long:
                parts += text(str(level), x - 18, middle + 4, "t-name", "end")
            hits += (
                f'<rect class="t-hit" data-ruler="{level}" x="{px(left)}" y="{px(y - level * drop)}" '
                f'width="{px(x - left)}" height="{px(drop)}"/>'
            )
        return f"<g>{parts}{hits if self.look.both else ''}</g>"

    def marks(self) -> Iterator[Piece]:
        tops = [tile for tile in self.tiles if self.on_top(tile)]
        wrong = [tile for tile in tops if tile.laid.mark]
        last = [tile for tile in tops if self.table.last == (tile.laid.x, tile.laid.y, tile.laid.level)][-1:]
        for tile in last:
            yield "ring", self.ring(tile)
        yield "ties", f"<g>{''.join(self.ties())}</g>"
        yield "flags", f"<g>{''.join(map(self.mast, wrong))}</g>"
        for tile in last:
            yield "gain", f'<g class="t-gains">{"".join(self.gains(tile))}</g>'

    def pole(self, tile: Standing) -> str:
        """A rim inside the face: a barber-pole for a breach, two lines if impossible, grey dashes if unproven."""
        scale, line = self.space.scale, self.outline(outline_of(tile), tile.level, -0.035)
        whole = max(5.0, scale * 0.1)

        def stroke(kind: str, share: float = 1, dashes: tuple[float, float] | None = None) -> str:
            dashed = f' stroke-dasharray="{px(scale * dashes[0])} {px(scale * dashes[1])}"' if dashes else ""
            return f'<path class="{kind}" d="{line}" stroke-width="{px(whole * share)}"{dashed}/>'

        if tile.laid.mark == "unproven":
            return stroke("t-unproven", 0.5, (0.2, 0.12))
        if tile.laid.mark == "impossible":
            return stroke("t-hatch") + stroke("t-pole", 0.4)
        return stroke("t-pole") + stroke("t-hatch", 1, (0.1, 0.075))

    def ring(self, tile: Standing) -> str:
        line, wide = self.outline(outline_of(tile), tile.level, 0.055), max(2.2, self.space.scale * 0.036)
        return (
            f'<g><path class="t-halo" d="{line}" stroke-width="{px(wide * 2.1)}"/>'
            f'<path class="t-ring" d="{line}" stroke-width="{px(wide)}"/></g>'
        )

    def ties(self) -> Iterator[str]:
        """Between neighbours a short bar over the joint; below a half that covers an equal one an equals sign."""
        wide = max(2.4, self.space.scale * 0.045)
        for tie in self.table.ties:
            if max(tie.level, tie.level2) > self.high:
                continue
            x, y = self.space.square(tie.x, tie.y)
            if tie.level == tie.level2:
                x2, y2 = self.space.square(tie.x2, tie.y2)
                ends = [(x + 0.5 + (x2 - x) * part, y + 0.5 + (y2 - y) * part, tie.level) for part in (0.28, 0.72)]
                line = path([self.space.at(*end) for end in ends], "")
                yield f'<path class="t-tie0" d="{line}" stroke-width="{px(wide * 2.2)}"/>'
                yield f'<path class="t-tie" d="{line}" stroke-width="{px(wide)}"/>'
            else:
                # On the seam of the front left wall, unless the other half of the tile lies there.
                across = self.height.get((x, y + 1), 0) == tie.level and self.joined((x, y), (x, y + 1))
                edge: Point = (x + 1, y + 0.5) if across else (x + 0.5, y + 1)
                yield equals(*self.space.at(*edge, tie.level - 1), self.space.scale)

    def joined(self, square: tuple[int, int], neighbour: tuple[int, int]) -> bool:
        """Whether a tile on top covers both squares."""
        return any({square, neighbour} == set(squares(tile)) and self.on_top(tile) for tile in self.tiles)

    def mast(self, tile: Standing) -> str:
        """A flag at the far end of the bar, where no pip is."""
        x, y = tile.x + 0.5 + tile.dx / 2, tile.y + 0.5 + tile.dy / 2
        x, y = self.space.at(x - abs(tile.dy) * 0.5, y - abs(tile.dx) * 0.5, tile.level)
        return flag(tile.laid.mark, x, y, max(0.8, self.space.scale / 60))

    def gains(self, tile: Standing) -> Iterator[str]:
        """The points, beside the tile and above it, clear of a flag."""
        scale = self.space.scale
        x, y = self.space.at(tile.x + 0.5 + tile.dx / 2, tile.y + 0.5 + tile.dy / 2, tile.level)
        beside = 1.0 if tile.laid.mark else 0.75
        y = max(y - 0.62 * scale - 20, self.look.top + 15)
        return badges(self.table.gains, x + beside * scale, y, (6, self.look.width - 6))


def squares(tile: Standing) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two squares of a tile."""
    return (tile.x, tile.y), (tile.x + tile.dx, tile.y + tile.dy)


def place_of(tile: Standing) -> tuple[int, ...]:
    """Where a tile lies, whatever its numbers are."""
    return tile.x, tile.y, tile.dx, tile.dy, tile.level


def outline_of(tile: Standing) -> Outline:
    """The rectangle that a tile covers, without the gap at its sides."""
    (x, y), (x2, y2) = squares(tile)
    return min(x, x2) + GAP, min(y, y2) + GAP, max(x, x2) + 1 - GAP, max(y, y2) + 1 - GAP
