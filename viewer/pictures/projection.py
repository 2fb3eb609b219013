"""From scenes to panels: where everything on the table is drawn, step by step.

A panel is one picture with a size that fits every step, so nothing jumps.  An item is a thing on it that is visible at
some steps.  Equal things share one item, so a whole game takes little more than its tiles.  No panel knows a game: it
only draws the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from ledger.scene import Grid, Hand, Laid, Pile, Row, Scene
from ledger.tiles import Tile
from viewer.pictures.shapes import HALF, symbol, text, tile

WIDTH = 440
"""The width of every panel in units: on a phone of 390 px a half is 28 px, and readable."""
CELL, GAP = 72, 26
TURNS = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}
FLAT = 0.8660254
"""The width of an isometric unit, for a depth of one half."""


class Item(NamedTuple):
    """A thing on a panel; items with a smaller `order` are drawn first."""

    panel: str
    order: tuple[float, ...]
    svg: str


class Panel(NamedTuple):
    """A picture: its height in units, and its background."""

    name: str
    title: str
    height: float
    ground: str


class Moment(NamedTuple):
    """A scene at a step: with the tile of the act, the illegal tiles, and the points scored."""

    scene: Scene
    tile: Tile | None = None
    wrong: frozenset[int] = frozenset()
    gain: int = 0


class Projection:
    """Places the scenes of one record.  `named` replaces ids by names."""

    def __init__(self, moments: Sequence[Moment], named: Callable[[str], str] = str) -> None:
        self.moments, self.named = moments, named
        self._slots: dict[int, dict[int, int]] = {}
        grids = [area for moment in moments for area in moment.scene.areas if isinstance(area, Grid)]
        self.grid = _union(grids) if grids else None
        self.levels = max((laid.level for grid in grids for laid in grid.laid), default=1)
        self.rows = _rows(moments)
        self.hands = _hands(moments)

    def panels(self) -> list[Panel]:
        """The panels of this record, in the order of the page."""
        found = []
        if self.grid:
            found += [self._plan(), self._stacked()]
        if self.rows:
            found.append(self._row_panel())
        if self.hands:
            found.append(self._hand_panel())
        return found

    def items(self, moment: Moment) -> Iterator[Item]:
        """The items at a step.  Call it in the order of the steps: hands keep their slots."""
        for area in moment.scene.areas:
            if isinstance(area, Grid):
                yield from self._flat(area, moment)
                yield from self._built(area, moment)
            else:
                yield from self._row(area, moment)
        for hand in moment.scene.hands:
            yield from self._hand(hand)

    # ── The plan: a sheet for each level ───────────────────────────────────────────────────────────────────

    def _sheet(self, level: int) -> tuple[float, float]:
        left, top, right, bottom = self._bounds()
        wide, high = (right - left + 1) * HALF + GAP, (bottom - top + 1) * HALF + GAP + 18
        in_line = max(1, WIDTH // wide)
        begin = (WIDTH - min(in_line, self.levels) * wide) / 2
        return begin + (level - 1) % in_line * wide + GAP - 6, (level - 1) // in_line * high + GAP + 8

    def _bounds(self) -> tuple[int, int, int, int]:
        assert self.grid is not None  # noqa: S101  asked only where squares matter
        return self.grid

    def _plan(self) -> Panel:
        left, top, right, bottom = self._bounds()
        ground = []
        for level in range(1, self.levels + 1):
            x, y = self._sheet(level)
            wide, high = (right - left + 1) * HALF, (bottom - top + 1) * HALF
            lines = "".join(f"M{x + n * HALF:g} {y:g}v{high}" for n in range(right - left + 2))
            lines += "".join(f"M{x:g} {y + n * HALF:g}h{wide}" for n in range(bottom - top + 2))
            ground.append(f'<path class="cell" d="{lines}"/>{text(f"level {level}", x, y - 17, "t")}')
            ground += [text(str(left + n), x + (n + 0.5) * HALF, y - 3, "s", "middle") for n in range(right - left + 1)]
            ground += [text(str(top + n), x - 4, y + (n + 0.6) * HALF, "s", "end") for n in range(bottom - top + 1)]
        _x, last = self._sheet(self.levels)
        return Panel("plan", "Plan by level", last + (bottom - top + 1) * HALF + 8, "".join(ground))

    def _flat(self, grid: Grid, moment: Moment) -> Iterator[Item]:
        left, top, _right, _bottom = self._bounds()

        def spot(x: float, y: float, level: int) -> tuple[float, float]:
            begin, above = self._sheet(level)
            return begin + (x - left) * HALF, above + (y - top) * HALF

        for laid in grid.laid:
            x, y = spot(*laid.at, laid.level)
            turn = _turn(laid)
            yield Item("plan", (0,), tile(laid.tile.first, laid.tile.second, x, y, turn))
            yield from _marks("plan", laid, x, y, turn, moment)
        for one, other in grid.ties:
            (x1, y1), (x2, y2) = (spot(x + 0.5, y + 0.5, level) for x, y, level in (one, other))
            yield Item("plan", (3,), _tie(x1, y1, x2, y2, near=one[2] == other[2]))

    # ── The stacked view: the building, seen from a corner ───────────────────────────────────────────────

    def _scale(self) -> tuple[float, float]:
        """The edge of a square and the height of a level, in units."""
        left, top, right, bottom = self._bounds()
        edge = min(54.0, (WIDTH - 16) / ((right - left + bottom - top + 2) * FLAT))
        return edge, edge * 0.42

    def _point(self, x: float, y: float, level: float) -> tuple[float, float]:
        left, top, _right, bottom = self._bounds()
        edge, high = self._scale()
        begin = (bottom - top + 1) * FLAT * edge
        spare = WIDTH - (self._bounds()[2] - left + 1) * FLAT * edge - begin
        across = (x - left - y + top) * FLAT * edge + begin + spare / 2
        return across, ((x - left) + (y - top)) * edge / 2 + (self.levels - level) * high + 26

    def _stacked(self) -> Panel:
        left, top, right, bottom = self._bounds()
        lines = [
            *(_line(self._point(x, top, 0), self._point(x, bottom + 1, 0)) for x in range(left, right + 2)),
            *(_line(self._point(left, y, 0), self._point(right + 1, y, 0)) for y in range(top, bottom + 2)),
        ]
        _x, last = self._point(right + 1, bottom + 1, 0)
        return Panel("stacked", "As it is built", last + 10, f'<path class="cell" d="{"".join(lines)}"/>')

    def _built(self, grid: Grid, moment: Moment) -> Iterator[Item]:
        for laid in grid.laid:
            depth = laid.at[0] + laid.to[0] + laid.at[1] + laid.to[1]
            yield Item("stacked", (laid.level, depth, 0), self._block(laid, moment))
        for one, other in grid.ties:
            (x1, y1), (x2, y2) = (self._point(x + 0.5, y + 0.5, level) for x, y, level in (one, other))
            yield Item("stacked", (99, 0, 0), _tie(x1, y1, x2, y2, near=one[2] == other[2]))
        for laid in grid.laid:
            if "last" in laid.marks and moment.gain:
                x, y = self._point((laid.at[0] + laid.to[0]) / 2 + 0.5, (laid.at[1] + laid.to[1]) / 2 + 0.5, laid.level)
                yield Item("stacked", (100, 0, 0), text(f"+{moment.gain}", x, y - 8, "gain", "middle"))

    def _block(self, laid: Laid, moment: Moment) -> str:
        x0, x1 = min(laid.at[0], laid.to[0]), max(laid.at[0], laid.to[0]) + 1
        y0, y1 = min(laid.at[1], laid.to[1]), max(laid.at[1], laid.to[1]) + 1
        level, edge = laid.level, self._scale()[0]
        front = [(x0, y1), (x1, y1)], [(x1, y1), (x1, y0)]
        sides = "".join(
            f'<path class="{kind}" d="M{_xy(self._point(*a, level))}L{_xy(self._point(*b, level))}'
            f'L{_xy(self._point(*b, level - 1))}L{_xy(self._point(*a, level - 1))}z"/>'
            for kind, (a, b) in zip(("side", "dark"), front, strict=True)
        )
        right, down = FLAT * edge / HALF, edge / 2 / HALF
        turn, x, y = _turn(laid), (laid.at[0] - x0) * HALF, (laid.at[1] - y0) * HALF
        face = tile(laid.tile.first, laid.tile.second, x, y, turn)
        if self.levels > level:
            wide, deep, shade = (x1 - x0) * HALF, (y1 - y0) * HALF, 0.05 * (self.levels - level)
            face += f'<rect width="{wide}" height="{deep}" rx="5" opacity="{shade:g}"/>'
        if "last" in laid.marks:
            face += symbol("ring", x, y, turn)
        if laid.tile.index in moment.wrong:
            face += symbol("wrong", x, y, turn)
        matrix = f"{right:.3f} {down:.3f} -{right:.3f} {down:.3f} {_xy(self._point(x0, y0, level))}"
        return (
            f'<g class="l l{level}"><title>{laid.tile} on level {level}</title>{sides}'
            f'<g transform="matrix({matrix})">{face}</g></g>'
        )

    # ── Rows of piles ──────────────────────────────────────────────────────────────────────────────────────

    def _row_panel(self) -> Panel:
        ground = "".join(text(self.named(title), 6, place.top + 14, "t") for title, place in self.rows.items())
        last = list(self.rows.values())[-1]
        return Panel("rows", "On the table", last.top + last.high, ground)

    def _row(self, row: Row, moment: Moment) -> Iterator[Item]:
        place = self.rows[row.title]
        if place.spread:
            tiles = row.piles[0].tiles if row.piles else ()
            for n, found in enumerate(tiles):
                x, y = 6 + n % 6 * CELL, place.top + 24 + n // 6 * 40
                yield Item("rows", (0,), tile(found.first, found.second, x, y))
                if n == len(tiles) - 1:
                    yield from _top_marks(found, x, y, moment)
            return
        for n, pile in enumerate(row.piles):
            x, y = 6 + n % 6 * CELL, place.top + 24 + n // 6 * place.line
            yield from self._pile(pile, x, y, place, moment)

    def _pile(self, pile: Pile, x: float, y: float, place: Placed, moment: Moment) -> Iterator[Item]:
        count = len(pile.tiles) + pile.hidden
        label = self.named(pile.label)
        under = min(count, 5) - 1
        below = y + place.peek
        if not pile.tiles:
            yield Item("rows", (0,), symbol("back", x, below) if count else "")
            yield Item("rows", (1,), text(f"{label}: {count}", x, below + 46))
            return
        top, owner = pile.tiles[-1], pile.owners[-1] if pile.owners else None
        if len(pile.tiles) == 1 and label == str(top):
            yield Item("rows", (0,), tile(top.first, top.second, x, below))
            yield from _top_marks(top, x, below, moment)
            return
        edges = "".join(f'<use href="#face" x="{x:g}" y="{below - 3 * n:g}"/>' for n in range(under))
        said = " on ".join(str(found) for found in reversed(pile.tiles[-6:])) + (
            " on more" if len(pile.tiles) > 6 else ""
        )
        face = tile(top.first, top.second, x, below - 3 * max(under, 0))
        rim = (
            symbol("rim", x, below - 3 * max(under, 0), extra=f' class="rim o{owner % 4}"') if owner is not None else ""
        )
        whose = (
            f'<tspan class="name n{owner % 4}"> {escape(self.named(moment.scene.seats[owner].name)[:1])}</tspan>'
            if owner is not None
            else ""
        )
        height = f" ×{count}" if count > 1 else ""
        yield Item("rows", (0,), f"<g><title>{escape(label)}: {said}</title>{edges}{face}{rim}</g>")
        yield Item("rows", (1,), f'<text class="s" x="{x:g}" y="{below + 46:g}">{escape(label)}{whose}{height}</text>')
        yield from _top_marks(top, x, below - 3 * max(under, 0), moment, owner)

    # ── Hands ──────────────────────────────────────────────────────────────────────────────────────────────

    def _hand_panel(self) -> Panel:
        last = list(self.hands.values())[-1]
        seats = self.moments[0].scene.seats
        ground = "".join(
            text(self.named(seats[owner].name), 6, top + 14, "t") for owner, (top, _high) in self.hands.items()
        )
        return Panel("hands", "Hands", last[0] + last[1], ground)

    def _hand(self, hand: Hand) -> Iterator[Item]:
        top, _high = self.hands[hand.owner]
        slots = self._slots.setdefault(hand.owner, {})
        held = {found.index for found in hand.tiles}
        if not held & slots.keys():
            slots.clear()
        taken = {slots[index] for index in held & slots.keys()}
        free = (n for n in range(len(hand.tiles) + (hand.unknown or 0) + len(slots) + 99) if n not in taken)
        for found in hand.tiles:
            if found.index not in slots or found.index not in held:
                slots[found.index] = next(free)
            x, y = _slot(slots[found.index], top)
            yield Item("hands", (0,), _hand_tile(hand.owner, found, x, y))
        taken = {slots[index] for index in held}
        free = (n for n in range(999) if n not in taken)
        for _ in range(hand.unknown or 0):
            x, y = _slot(next(free), top)
            yield Item("hands", (0,), symbol("back", x, y, 90))


class Placed(NamedTuple):
    """The place of a row: its top and height, the height of a line of piles, the room above stacks, and its layout."""

    top: float
    high: float
    line: float
    peek: float
    spread: bool


def _union(grids: Sequence[Grid]) -> tuple[int, int, int, int]:
    """Bounds that contain every step; an act far from all others is ignored."""
    grids = [grid for grid in grids if grid.laid] or grids
    squares = [square for grid in grids for laid in grid.laid for square in (laid.at, laid.to)]
    near = [(x, y) for x, y in squares if abs(x) < 40 and abs(y) < 40]
    columns = [x for grid in grids for x in (grid.bounds[0], grid.bounds[2]) if abs(x) < 40] + [x for x, _y in near]
    rows = [y for grid in grids for y in (grid.bounds[1], grid.bounds[3]) if abs(y) < 40] + [y for _x, y in near]
    return min(columns, default=0), min(rows, default=0), max(columns, default=3), max(rows, default=3)


def _rows(moments: Sequence[Moment]) -> dict[str, Placed]:
    piles: dict[str, int] = {}
    longest: dict[str, int] = {}
    hidden: dict[str, bool] = {}
    for moment in moments:
        for area in moment.scene.areas:
            if isinstance(area, Row):
                piles[area.title] = max(piles.get(area.title, 1), len(area.piles))
                most = max((len(pile.tiles) for pile in area.piles), default=0)
                longest[area.title] = max(longest.get(area.title, 1), most)
                hidden[area.title] = hidden.get(area.title, False) or any(pile.hidden for pile in area.piles)
    placed, top = {}, 0.0
    for title, count in piles.items():
        spread = count == 1 and not hidden[title]
        peek = 0.0 if longest[title] < 2 or spread else 12.0
        line = 40.0 if spread else 54.0 + peek
        lines = -(-longest[title] // 6) if spread else -(-count // 6)
        high = 30 + lines * line
        placed[title] = Placed(top, high, line, peek, spread)
        top += high
    return placed


def _hands(moments: Sequence[Moment]) -> dict[int, tuple[float, float]]:
    """By owner, the upper edge of a hand and its height."""
    most: dict[int, int] = {}
    for moment in moments:
        for hand in moment.scene.hands:
            most[hand.owner] = max(most.get(hand.owner, 1), len(hand.tiles) + (hand.unknown or 0))
    placed, top = {}, 0.0
    for owner in sorted(most):
        high = 24.0 + -(-most[owner] // 12) * 70
        placed[owner] = (top, high)
        top += high
    return placed


def _slot(n: int, top: float) -> tuple[float, float]:
    return 6 + n % 12 * 36, top + 22 + n // 12 * 70


def _hand_tile(owner: int, found: Tile, x: float, y: float) -> str:
    veil = symbol("back", x, y, 90, ' class="veil"')
    return f'<g class="held s{owner}">{tile(found.first, found.second, x, y, 90)}{veil}</g>'


def _turn(laid: Laid) -> int:
    return TURNS.get((laid.to[0] - laid.at[0], laid.to[1] - laid.at[1]), 0)


def _marks(panel: str, laid: Laid, x: float, y: float, turn: int, moment: Moment) -> Iterator[Item]:
    if laid.tile.index in moment.wrong:
        yield Item(panel, (1,), symbol("wrong", x, y, turn) + text("⚑", x + 10, y + 8, "flag"))
    if "last" in laid.marks:
        yield Item(panel, (2,), symbol("ring", x, y, turn))
        if moment.gain:
            yield Item(panel, (4,), text(f"+{moment.gain}", x + HALF / 2, y - 4, "gain", "middle"))


def _top_marks(found: Tile, x: float, y: float, moment: Moment, owner: int | None = None) -> Iterator[Item]:
    del owner
    if found.index in moment.wrong:
        yield Item("rows", (2,), symbol("wrong", x, y) + text("⚑", x + 26, y + 8, "flag"))
    if moment.tile is not None and moment.tile.index == found.index:
        yield Item("rows", (3,), symbol("ring", x, y))


def _tie(x1: float, y1: float, x2: float, y2: float, *, near: bool) -> str:
    def knot(x: float, y: float) -> str:
        return f'<circle class="knot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'

    if not near:
        return knot(x1, y1)
    return f'<path class="tie" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>{knot(x1, y1)}{knot(x2, y2)}'


def _line(one: tuple[float, float], other: tuple[float, float]) -> str:
    return f"M{_xy(one)}L{_xy(other)}"


def _xy(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
