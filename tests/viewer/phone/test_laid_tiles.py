"""The tiles on the squares of a recorder's page, from above."""

import pytest

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.record import Record
from ledger.record.scene import Grid, Laid
from viewer.phone.recorder_parts import LaidTile, laid_tiles
from viewer.phone.recorder_view import RecorderView, recorder_view

GAMES = ("ziggurat", "domino-ziggurat")


def grid_of(game: str, share: float) -> Grid:
    """The squares of a simulated game after this share of its events."""
    events = simulate(catalog.find(game), 2).events
    review = Review(Record(events[: int(len(events) * share)]))
    return next(area for area in review.game.scene(review.steps[-1].after).areas if isinstance(area, Grid))


def on_top(grid: Grid) -> dict[tuple[int, int], Laid]:
    """The highest tile of each square."""
    tops: dict[tuple[int, int], Laid] = {}
    for laid in sorted(grid.laid, key=lambda laid: laid.level):
        tops |= {laid.at: laid, laid.to: laid}
    return tops


def grid_of_view(view: RecorderView) -> Grid:
    return next(area for area in view.scene.areas if isinstance(area, Grid))


def squares_of(tile: LaidTile) -> tuple[tuple[int, int], tuple[int, int]]:
    right, down = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[tile.turn]
    return (tile.x, tile.y), (tile.x + right, tile.y + down)


@pytest.mark.parametrize("share", [0.1, 0.5, 1])
@pytest.mark.parametrize("game", GAMES)
def test_the_highest_tile_of_each_square_is_drawn_last(game: str, share: float) -> None:
    grid = grid_of(game, share)
    drawn = list(laid_tiles(grid))
    last = {square: (tile.first, tile.second) for tile in drawn for square in squares_of(tile)}
    assert last == {square: (laid.tile.first, laid.tile.second) for square, laid in on_top(grid).items()}
    assert len(drawn) <= len(grid.laid)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_stands_on_every_tile_that_nothing_covers(game: str) -> None:
    grid = grid_of(game, 0.8)
    tops = on_top(grid)
    bare = {laid.at: laid.level for laid in grid.laid if tops[laid.at] is laid is tops[laid.to] and laid.level > 1}
    drawn = [tile for tile in laid_tiles(grid) if tile.level]
    assert {(tile.x, tile.y): tile.level for tile in drawn} == bare
    assert len(bare) > 1


def test_the_lower_a_face_lies_the_darker_it_is() -> None:
    grid = grid_of("ziggurat", 1)
    levels = {str(laid.tile): laid.level for laid in grid.laid}
    veils = [(levels[f"{tile.first}-{tile.second}"], tile.veil) for tile in laid_tiles(grid)]
    assert veils == sorted(veils, key=lambda both: (both[0], -both[1]))
    assert veils[-1][1] == 0 < veils[0][1]


@pytest.mark.parametrize("game", GAMES)
def test_every_square_that_a_tile_can_cover_has_its_name(game: str) -> None:
    events = simulate(catalog.find(game), 2).events
    for count in (1, 2, 6, len(events) // 2, len(events)):
        review = Review(Record(events[:count]), "a")
        view = recorder_view(review)
        names, squares = view.squares, review.squares
        places = [at for way in view.form.ways if way.kind == "place" for group in way.legal for at in group.at]
        covered = {(int(x), int(y)) for x, y, *_ in places} | on_top(grid_of_view(view)).keys()
        for x, y in covered:
            assert names.columns[x - names.left] + names.rows[y - names.top] == squares.name((x, y))
        assert (names.columns[0], names.rows[-1]) == ("a", "1")
