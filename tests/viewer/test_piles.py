"""Piles and stacks: large enough to read on a phone, and in their place from move to move."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from ledger import catalog
from ledger.review import Review
from ledger.simulate import simulate
from viewer.pictures.drawing import drawing
from viewer.pictures.flat import measure, shorten
from viewer.pictures.frames import Film, film
from viewer.pictures.look import SMALL, Look, Table

PHONE = Look(width=374, height=600)
WIDE = Look(width=856, height=620)
SCALE = re.compile(r"scale\(([\d.]+)\)")
FIRST = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")


def film_of(game: str, seed: int, players: int) -> Film:
    """A simulated game."""
    return film(Review(simulate(catalog.find(game), seed, players=players)))


def half(svg: str) -> float:
    """The side of a half of the first tile."""
    scale = SCALE.search(svg)
    assert scale is not None
    return float(scale[1])


def spots(svg: str) -> list[tuple[float, float]]:
    """Where the tiles of a piece are."""
    return [(float(x), float(y)) for x, y in FIRST.findall(svg)]


def test_the_stacks_of_five_players_show_their_pips_on_a_phone() -> None:
    found = film_of("build-up", 8, 5)
    read = 0
    for place in range(0, len(found.frames), 10):
        stacks = [svg for key, svg in drawing(Table(found.at(place), found.names), PHONE) if key.startswith("pile ")]
        if len(stacks) >= 30 and "#rim" in stacks[0]:
            assert half(stacks[0]) >= SMALL
            assert 'href="#h' in stacks[0]
            assert 'href="#n' not in stacks[0]
            read += 1
    assert read > 5


@pytest.mark.parametrize("look", [PHONE, WIDE], ids=["phone", "wide"])
def test_all_hands_can_be_seen_beside_the_pile_of_a_contract(look: Look) -> None:
    found = film_of("zigzag", 5, 3)
    played = [place for place, frame in enumerate(found.frames) if " plays " in frame.words]
    assert len(played) > 20
    for place in played[::10]:
        pieces = dict(drawing(Table(found.at(place), found.names), look))
        assert all("data-open" not in svg for key, svg in pieces.items() if key.startswith("hand "))


def test_hands_of_twelve_tiles_show_their_pips_on_a_phone_and_stay_on_the_table() -> None:
    found = film_of("zigzag", 5, 3)
    read = 0
    for place in range(len(found.frames)):
        table = Table(found.at(place), found.names)
        if table.goal is None or table.room > 12:
            continue
        for key, svg in drawing(table, PHONE):
            tiles = spots(svg) if key.startswith("hand ") else []
            if not tiles:
                continue
            assert half(svg) >= SMALL
            assert 'href="#n' not in svg
            assert all(x >= 14 and x + 2 * SMALL <= PHONE.width - 14 for x, _y in tiles)
            # Neighbours are apart.
            assert all(other[0] - one[0] >= 2 * SMALL + 2 for one, other in pairwise(tiles) if one[1] == other[1])
            read += 1
    assert read > 100


def test_three_hands_lie_round_the_pile_of_a_wide_table_and_touch_nothing() -> None:
    found = film_of("zigzag", 5, 3)
    read = 0
    for place in range(len(found.frames)):
        table = Table(found.at(place), found.names)
        pieces = dict(drawing(table, WIDE))
        if table.goal is None or len(table.hands) != 3 or not table.room:
            continue
        first, left, right = (spots(pieces[f"hand {seat}"]) for seat in range(3))
        piles = [at for key, svg in pieces.items() if key.startswith("pile ") for at in spots(svg)]
        assert all(x >= 16 and x + 62 <= WIDE.width - 16 and y + 31 <= WIDE.height for x, y in first + left + right)
        assert all(y > 14 + 48 for _x, y in left + right + piles)
        # The sides are clear of the piles, and all of them of the hand at the lower edge.
        inner = [max((x for x, _y in left), default=0) + 62, min((x for x, _y in right), default=WIDE.width)]
        assert all(inner[0] < x and x + 31 < inner[1] for x, _y in piles)
        lowest = max((y for _x, y in left + right + piles), default=0)
        assert not first or lowest + 31 < min(y for _x, y in first)
        read += 1
    assert read > 100


def test_a_low_or_narrow_table_has_the_hands_side_by_side_below_the_pile() -> None:
    found = film_of("zigzag", 5, 3)
    table = next(t for f in range(len(found.frames)) if (t := Table(found.at(f), found.names)).goal and t.rows)
    for look, round_ in ((WIDE, True), (Look(width=790, height=620), False), (Look(width=856, height=330), False)):
        pieces = dict(drawing(table, look))
        pile = min(y for key, svg in pieces.items() if key.startswith("pile ") for _x, y in spots(svg))
        beside = spots(pieces["hand 1"])[:1]
        assert bool(beside and beside[0][1] < pile + 100 and beside[0][0] < 60) == round_, look


def test_the_pile_stays_when_the_first_tile_is_taken() -> None:
    found = film_of("zigzag", 5, 3)
    compared = 0
    for one, other in pairwise(range(len(found.frames))):
        tables = [Table(found.at(place), found.names) for place in (one, other)]
        rows = [{row.line.title for row in table.rows.values()} for table in tables]
        if rows != [{"in the centre"}, {"in the centre", "taken"}]:
            continue
        sizes = [half(dict(drawing(table, WIDE))["pile 0 0"]) for table in tables]
        assert sizes[0] == sizes[1]
        compared += 1
    assert compared


def test_what_was_taken_is_smaller_than_the_pile() -> None:
    found = film_of("zigzag", 5, 3)
    for place in range(len(found.frames)):
        table = Table(found.at(place), found.names)
        pieces = dict(drawing(table, WIDE))
        if (
            table.goal is not None
            and {"pile 0 0", "pile 1 0", "title 1"} <= pieces.keys()
            and table.rows[1].heaps[0].count
        ):
            assert half(pieces["pile 1 0"]) <= half(pieces["pile 0 0"]) * 0.6
            assert "title 0" not in pieces
            return
    pytest.fail("nothing was taken")


@pytest.mark.parametrize("name", ["Ana", "W" * 40, "李小龍李小龍李小龍李小龍", "Maximiliane Alexandrovna", "i"])
def test_a_name_is_cut_to_its_room_by_the_width_of_its_letters(name: str) -> None:
    for wide in (20, 60, 120, 500):
        cut = shorten(name, wide)
        assert measure(cut) <= max(wide, measure(name[0] + "…"))
        assert cut == name or (cut.endswith("…") and name.startswith(cut[:-1]))
    assert measure("WWW") > measure("iii")


def test_a_phone_has_room_for_what_is_out_of_the_game() -> None:
    found = film(Review(simulate(catalog.find("ziggurat"), 9, {"set": 12}, players=4)))
    last = len(found.frames) - 1
    pieces = dict(drawing(Table(found.at(last // 2), found.names), Look(width=374, height=600, top=60)))
    assert ">out of the game<" in "".join(svg for key, svg in pieces.items() if key.startswith("row "))
