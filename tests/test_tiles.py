"""Tiles and the double-N sets."""

import pytest

from ledger.record import tiles
from ledger.record.tiles import TILES, Tile, named


@pytest.mark.parametrize(("largest", "count"), [(6, 28), (7, 36), (8, 45), (9, 55), (12, 91)])
def test_a_set_has_the_first_indices(largest: int, count: int) -> None:
    assert tiles.size(largest) == count
    in_set = tiles.members(tiles.full(largest))
    assert len(in_set) == count
    assert max(tile.high for tile in in_set) == largest
    assert all(tile.high > largest for tile in TILES[count:])


def test_the_double_six_set_has_168_pips() -> None:
    assert sum(tile.pips for tile in tiles.members(tiles.full(6))) == 168


def test_a_tile_is_one_object_however_it_is_written() -> None:
    for tile in Tile:
        assert tile.turned.turned is tile
        assert tile.turned.index == tile.index
        assert named(str(tile)) is tile
        assert tile.double == (tile.first == tile.second)


def test_masks_and_members_are_inverse() -> None:
    subset = [named("6-4"), named("0-0"), named("12-12")]
    assert tiles.members(tiles.mask(subset)) == (named("0-0"), named("4-6"), named("12-12"))
    assert tiles.names(tiles.mask(subset)) == "0-0, 4-6, 12-12"
    assert tiles.names(0) == "none"


def test_a_tile_that_is_given_twice_is_in_the_mask_once() -> None:
    tile = named("6-4")
    assert tiles.mask([tile, tile]) == tiles.mask([tile, tile.turned]) == tiles.mask(iter([tile])) == tile.bit


def test_a_tile_that_cannot_exist_is_no_tile() -> None:
    with pytest.raises(KeyError):
        named("3-13")
