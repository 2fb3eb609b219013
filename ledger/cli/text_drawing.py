"""Draws the scene of any game as text for the terminal."""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from ledger.record.scene import Grid, Hand, Laid, Pile, Row, Scene, fill_scene
from ledger.record.sentences import filled
from ledger.record.squares import Squares, squares_of
from ledger.record.visible import cells, isolated, padded, without_isolates

WIDTH = 100
"""The usual greatest width of a drawing, in columns."""


def draw(
    scene: Scene, names: Mapping[str, str] | None = None, squares: Squares | None = None, width: int = WIDTH
) -> str:
    """The table as lines of text: the players, the areas, the hands.

    `names` are those of the players, by id; by default they are called by their ids.  `squares` names columns and rows;
    by default they are counted from the edge of the scene.  Only a single level can be wider than `width`.
    """
    by_id = names or {seat.name: seat.name for seat in scene.seats}
    called = [by_id.get(seat.name, seat.name) for seat in scene.seats]
    scene = fill_scene(scene, lambda text: filled(text, by_id))
    areas = "\n".join(_areas(scene, called, squares or squares_of((), scene), width))
    return "\n".join([*_seats(scene, called), "", areas, *_hands(scene.hands, called, width), "", scene.status])


def _seats(scene: Scene, names: list[str]) -> Iterator[str]:
    wide = max(map(cells, names), default=0)
    for seat, name in zip(scene.seats, names, strict=True):
        score = "" if seat.score is None else f"{seat.score:>4}"
        yield f"{'▸' if seat.turn else ' '} {padded(name, wide)}{score}  {seat.word}".rstrip()


def _areas(scene: Scene, names: list[str], squares: Squares, width: int) -> Iterator[str]:
    for area in scene.areas:
        yield from _grid(area, squares, width) if isinstance(area, Grid) else _row(area, names, width)
        yield ""


# ── Squares ────────────────────────────────────────────────────────────────────────────────────────────────


def _grid(grid: Grid, squares: Squares, width: int) -> Iterator[str]:
    """The levels side by side, the base first, as many in a line as fit."""
    levels = sorted({laid.level for laid in grid.laid}) or [1]
    sheets = [_sheet(grid, level, squares) for level in levels]
    column_width = max(len(line) for line in sheets[0]) + 4
    in_line = max(1, width // column_width)
    yield grid.title
    for begin in range(0, len(sheets), in_line):
        in_row = sheets[begin : begin + in_line]
        for lines in zip(*in_row, strict=True):
            yield "".join(line.ljust(column_width) for line in lines).rstrip()


def _sheet(grid: Grid, level: int, squares: Squares) -> list[str]:
    """One level: the pips of each square, with the halves of a tile joined and the last tile in brackets."""
    left, top, right, bottom = grid.bounds
    if left < squares.left or bottom > squares.bottom:  # an empty table, before the first tile came down far from it
        squares = Squares(left, bottom)
    canvas = [[" "] * (4 * (right - left) + 3) for _ in range(2 * (bottom - top) + 1)]
    for row in canvas[::2]:
        row[1::4] = "·" * len(row[1::4])
    for laid in grid.laid:
        if laid.level == level:
            _put(canvas, laid, left, top)
    labels = [f"{squares.row(top + n // 2):>3} " if n % 2 == 0 else "    " for n in range(len(canvas))]
    foot = "    " + "".join(f"{squares.column(x):^3} " for x in range(left, right + 1)).rstrip()
    body = [label + "".join(row).rstrip() for label, row in zip(labels, canvas, strict=True)]
    lines = [f"level {level}", *body, foot, ""]
    width = 4 + len(canvas[0])
    return [line.ljust(width) for line in lines]


def _put(canvas: list[list[str]], laid: Laid, left: int, top: int) -> None:
    (x1, y1), (x2, y2) = laid.at, laid.to
    for (x, y), half in ((laid.at, laid.tile.first), (laid.to, laid.tile.second)):
        column, row = 4 * (x - left), 2 * (y - top)
        if not (0 <= row < len(canvas) and 0 <= column < len(canvas[0])):
            continue
        text = f"({half})" if "last" in laid.marks and half < 10 else f"{half:^3}"
        canvas[row][column : column + 3] = text
    row, column = y1 + y2 - 2 * top, 2 * (x1 + x2 - 2 * left) + 1
    if y1 == y2 and 0 <= column < len(canvas[0]) and 0 <= row < len(canvas):
        canvas[row][column] = "-"
    elif x1 == x2 and 0 <= row < len(canvas) and 0 <= column < len(canvas[0]):
        canvas[row][column] = "|"


# ── Piles ──────────────────────────────────────────────────────────────────────────────────────────────────


def _row(row: Row, names: list[str], width: int) -> Iterator[str]:
    yield row.title
    if len(row.piles) == 1 and not row.piles[0].hidden:
        yield from _tiles("  ", " ".join(map(str, row.piles[0].tiles)) or "nothing", width)
        return
    texts = [_pile(pile, names) for pile in row.piles]
    column_width = max(map(cells, texts), default=0) + 3
    in_line = max(1, (width - 2) // column_width)
    for begin in range(0, len(texts), in_line):
        yield "  " + "".join(padded(text, column_width) for text in texts[begin : begin + in_line]).rstrip()


def _pile(pile: Pile, names: list[str]) -> str:
    """A pile: its label, the tile on top with the first letters of its owner's name, and its height."""
    label = pile.label
    if not pile.tiles:
        return f"{label}: {pile.hidden}"
    top = str(pile.tiles[-1])
    if label == top:
        return top
    owner = pile.owners[-1] if pile.owners else None
    initials = f" {isolated(without_isolates(names[owner])[:3])}" if owner is not None else ""
    height = len(pile.tiles) + pile.hidden
    return f"{label}: {top}{initials}{f' ×{height}' if height > 1 else ''}"


def _hands(hands: tuple[Hand, ...], names: list[str], width: int) -> Iterator[str]:
    for hand in hands:
        tiles = " ".join(map(str, hand.tiles))
        unknown = "" if not hand.unknown else (f"and {hand.unknown} more" if tiles else f"{hand.unknown} unknown")
        holding = " ".join(part for part in (tiles, unknown) if part) or "nothing"
        yield from _tiles(f"  {names[hand.owner]} holds ", holding, width)


def _tiles(begin: str, tiles: str, width: int) -> list[str]:
    """Tiles after the words that begin their line, on as many lines as they need; a tile is never broken."""
    return wrap(begin + tiles, max(width, 12), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
