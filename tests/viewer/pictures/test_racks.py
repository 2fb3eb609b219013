"""Racks of hands in the lower corners: they leave the building free, and stay on their side of it."""

import re
from itertools import pairwise

import pytest

from viewer.pictures.camera import Box, Space
from viewer.pictures.flat_tiles import measure, shorten
from viewer.pictures.hands import EDGE, ENDS, GAP, LONG, RACKS, Rack, breadth, fits, foot_line, heading, height
from viewer.pictures.look import Look, Table
from viewer.pictures.things import Floor, Held, Room

FLOORS = [(2, 2), (3, 8), (8, 3), (7, 7), (14, 12)]


def space_of(wide: int, deep: int, look: Look) -> Space:
    """A floor of that size in the middle of the picture."""
    floor = Floor(0, 0, wide - 1, deep - 1, ("",) * wide, ("",) * deep)
    return Space(floor, [], 0, Box(16, look.top, look.width - 16, look.height - 60), names=True)


def edge(space: Space) -> list[tuple[float, float]]:
    """Points along the two lower edges of the floor."""
    parts = [part / 50 for part in range(51)]
    front = [space.at(space.wide * part, space.deep, 0) for part in parts]
    return front + [space.at(space.wide, space.deep * part, 0) for part in parts]


@pytest.mark.parametrize(("wide", "deep"), FLOORS)
def test_a_rack_that_fits_touches_no_point_of_the_floor_and_does_not_pass_its_lowest_corner(
    wide: int, deep: int
) -> None:
    fitting = not_fitting = 0
    for look in (Look(width=w, height=h, top=60) for w in range(320, 1700, 140) for h in range(300, 1200, 90)):
        space = space_of(wide, deep, look)
        lowest, points = space.at(wide, deep, 0)[0], edge(space)
        for count in (0, 3, 9):
            column = [Rack("hand 0", 0, "Ana", "", (), count)]
            for side in (0, 1):
                for size in RACKS:
                    if not fits(column, space, look, side, size):
                        not_fitting += 1
                        continue
                    fitting += 1
                    reach, top = EDGE + breadth(*size) + GAP, look.height - height(count, *size) - 12
                    inner = reach if side == 0 else look.width - reach
                    assert inner <= lowest if side == 0 else inner >= lowest, (look, side, size)
                    beside = [y for x, y in points if (x <= inner if side == 0 else x >= inner)]
                    assert not [y for y in beside if y > top], (look, side, size)
    assert fitting > 100
    assert not_fitting > 100


def test_a_rack_has_six_lines_of_tiles_at_most() -> None:
    look = Look(width=3000, height=2000, top=60)
    space = space_of(2, 2, look)
    for side in (0, 1):
        for count, does_fit in ((2 * LONG, True), (2 * LONG + 1, False)):
            assert fits([Rack("hand 0", 0, "Ana", "", (), count)], space, look, side, (62, 2)) == does_fit


@pytest.mark.parametrize(
    ("name", "count", "words"), [("Ana", 7, "7 tiles"), ("Konstanze", 7, "7"), ("Konstanze", 12, "12")]
)
def test_beside_a_long_name_the_number_of_tiles_stands_alone(name: str, count: int, words: str) -> None:
    rack = Rack("hand 0", 0, name, f"{count} tiles", ("1-2",) * count, 0, (name, "Ben"))
    svg = heading(rack, 0, 0, 120)
    assert f'dx="6">{words}<' in svg
    assert name in svg, "so that the name is whole"
    assert f'dx="6">{words}<' in heading(rack._replace(title="Ben"), 0, 0, 120), "all hands alike"


def test_a_name_is_not_cut_where_it_fits() -> None:
    # The letters of Hebrew and spaces are slimmer than those of Latin; marks above and below take no room.
    assert shorten("יוסף בן־דוד", 72) == "יוסף בן־דוד"
    assert shorten("علي الفيتوري", 82) == "علي الفيتوري"
    assert measure("मीरा जोशी") < measure("mira joshi")


@pytest.mark.parametrize(
    ("names", "whole"),
    [
        (("Ana Maria", "Łucja Nowak-Wolska"), ("Ana", "Łucja")),
        (("Maximiliana-Theodora", "Ben"), ("Ben",)),
        (("Maximiliana-Theodora", "Konstantin-Alexander"), ()),
        (("Ana", "Ben", "Kostas"), ("Ana", "Ben", "Kostas")),
    ],
)
def test_in_the_line_of_hands_a_name_takes_the_room_that_others_leave(
    names: tuple[str, ...], whole: tuple[str, ...]
) -> None:
    look = Look(width=374, height=415, both=True)
    hands = [Held(seat, ("1-2",) * 7, 0) for seat in range(len(names))]
    few = [Held(seat, ("1-2",), 0) for seat in range(len(names))]
    ((_key, svg),) = foot_line(Table([Room(7), *hands], names), look)
    shown = re.findall('"t-title">([^<]+)<', svg)
    assert tuple(name for name in shown if not name.endswith("…")) == whole
    assert len(shown) == len(names)
    starts = [float(x) for x in re.findall('cx="([^"]+)"', svg)]
    assert starts == sorted(starts)
    assert starts[-1] < look.width - ENDS[0].room
    ((_key, later),) = foot_line(Table([Room(7), *few], names), look)
    assert later == svg.replace('dx="6">7<', 'dx="6">1<').replace("7 tiles", "1 tile"), "it stands still"


@pytest.mark.parametrize(("count", "named"), [(4, False), (9, False), (2, True)])
def test_in_the_line_of_hands_all_have_names_or_none_has(count: int, named: bool) -> None:
    names = ("Al", "Maximiliana-Theodora", *(f"Konstanze {n}" for n in range(3, 10)))[:count]
    hands = [Held(seat, ("1-2",), 0) for seat in range(count)]
    ((_key, svg),) = foot_line(Table([Room(2), *hands], names), Look(width=374, height=415, both=True))
    assert svg.count("<tspan") == 2 * count * named
    starts = [float(x) for x in re.findall('cx="([^"]+)"', svg)]
    apart = {round(later - earlier) for earlier, later in pairwise(starts)}
    assert named or max(apart) - min(apart) <= 1
