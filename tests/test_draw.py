"""The drawing for terminals: each half of a tile stands on its square, and squares have their usual names."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from golden import CASES, name_of, review_of
from ledger.audit.review import Review
from ledger.cli.text_drawing import draw
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record.record import Record
from ledger.record.scene import Grid, Scene, hand_title
from ledger.record.squares import Squares, squares_of
from ledger.record.visible import cells

WITH_SQUARES = [path for path in CASES if path.parent.name in ("ziggurat", "domino-ziggurat")]


def levels_of(drawing: list[str], grid: Grid) -> Iterator[tuple[int, list[str], str]]:
    """The number, the lines and the foot of each level of a drawing with one level in a line."""
    _left, top, _right, bottom = grid.bounds
    count = 2 * (bottom - top) + 1
    for at, line in enumerate(drawing):
        if line.startswith("level "):
            yield int(line.removeprefix("level ")), drawing[at + 1 : at + 1 + count], drawing[at + 1 + count]


def expected(grid: Grid, level: int) -> dict[tuple[int, int], str]:
    """What is to be read on each square of a level: pips, or a dot where nothing lies."""
    left, top, right, bottom = grid.bounds
    texts = {(x, y): "·" for x in range(left, right + 1) for y in range(top, bottom + 1)}
    for laid in grid.laid:
        if laid.level == level:
            for square, half in ((laid.at, laid.tile.first), (laid.to, laid.tile.second)):
                if square in texts:
                    texts[square] = f"({half})" if "last" in laid.marks and half < 10 else str(half)
    return texts


def check(scene: Scene, squares: Squares) -> int:
    """Compares a drawing with its scene; returns the number of levels."""
    drawing, count = draw(scene, squares=squares, width=1).splitlines(), 0
    (grid,) = (area for area in scene.areas if isinstance(area, Grid))
    left, top, right, bottom = grid.bounds
    if left < squares.left or bottom > squares.bottom:
        squares = Squares(left, bottom)
    for level, lines, foot in levels_of(drawing, grid):
        columns, rows = range(left, right + 1), range(top, bottom + 1)
        assert [foot[4 * n + 4 :][:3].strip() for n in range(len(columns))] == [squares.column(x) for x in columns]
        assert [line[:3].strip() for line in lines[::2]] == [squares.row(y) for y in rows]
        read = {(x, y): lines[2 * (y - top)][4 * (x - left) + 4 :][:3].strip() for x in columns for y in rows}
        assert read == expected(grid, level)
        for laid in grid.laid:
            (x1, y1), (_x2, y2) = sorted((laid.at, laid.to))
            if laid.level == level and {laid.at, laid.to} <= set(read):
                line, column = lines[y1 + y2 - 2 * top].ljust(4 * len(columns) + 4), 4 * (x1 - left) + 5
                assert (line[column + 2] if y1 == y2 else line[column]) == ("-" if y1 == y2 else "|")
        count += 1
    return count


@pytest.mark.every(3)
@pytest.mark.parametrize("path", WITH_SQUARES[::3], ids=name_of)
def test_every_half_stands_on_its_square(path: Path) -> None:
    review = review_of(path)
    last = len(review.steps) - 1
    for place in {0, last // 3, last // 2, last}:
        assert check(review.scene(place), review.squares)


def test_squares_are_named_by_the_scene_unless_the_record_names_them() -> None:
    review = next(review for review in map(review_of, WITH_SQUARES) if review.squares != squares_of((), review.scene()))
    scene = review.scene()
    assert draw(scene) == draw(scene, squares=squares_of((), scene)) != draw(scene, squares=review.squares)
    assert check(scene, squares_of((), scene))


def test_a_hand_is_titled_by_its_number_from_the_first_on() -> None:
    assert [hand_title(0), hand_title(2), hand_title(2, 4)] == ["", "Hand 2", "Hand 2 of 4"]


def test_stacks_stand_in_columns_whatever_people_are_called() -> None:
    record = simulate(find("build-up"), 4, players=4)
    names = ("山田 花子", "علي", "🦊 Fuchs", "Ana")
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, names, strict=True))
    review = Review(Record((replace(record.opening, players=players), *record.events[1:])))
    drawn = draw(review.scene(60), review.names).splitlines()
    scores = [re.search(r" (\d+)(  |$)", line) for line in drawn[: len(names)]]
    assert len({cells(line[: score.end(1)]) for line, score in zip(drawn, scores, strict=False) if score}) == 1
    blocks = [block.splitlines()[1:] for block in "\n".join(drawn).split("\n\n") if block.startswith("stacks ")]
    assert len(blocks) > 1
    for block in blocks:
        columns = {cells(line[: stack.start()]) for line in block for stack in re.finditer(r"(?<=  )\d+: ", line)}
        assert len(columns) == max(len(re.findall(r"\d+: ", line)) for line in block)
