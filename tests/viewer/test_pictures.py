"""From scenes to pictures: everything that is on the table is drawn, once, and nothing jumps."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from golden import CASES, name_of, review_of
from ledger.scene import Grid, Pile, Row, Scene, Seat
from ledger.tiles import LARGEST, TILES, size
from viewer.pictures.frames import changes, film
from viewer.pictures.projection import WIDTH, Moment, Projection
from viewer.pictures.shapes import DEFS, PAINT, pips, style, tile
from viewer.pictures.svg import Chart, panel, position

SOME = [path for path in CASES if path.parent.name in ("ziggurat", "domino-ziggurat", "build-up", "zigzag")][::7]


@pytest.mark.parametrize("number", range(LARGEST + 1))
def test_a_half_has_its_pips_apart_and_inside(number: int) -> None:
    spots = pips(number)
    assert len(set(spots)) == number
    assert all(4 <= x <= 28 and 4 <= y <= 28 for x, y in spots)
    assert DEFS.count(f'id="h{number}"') == 1
    # Turned upside down a half is the same half.
    assert {(32 - x, 32 - y) for x, y in spots} == set(spots)


def test_both_themes_paint_everything() -> None:
    assert set(PAINT["light"]) == set(PAINT["dark"])
    for theme in PAINT:
        assert "@" not in style(theme)
        assert "var(" not in style(theme)
    assert set(re.findall(r"var\(--(\w+)\)", style())) <= set(PAINT["light"])


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_every_step_is_a_picture_with_every_tile_on_the_table(path: Path) -> None:
    review = review_of(path)
    found = film(review)
    assert len(found.frames) == len(review.steps)
    for place in range(0, len(review.steps), 6):
        drawn = "".join(found.items[n].svg for n in found.frames[place].items)
        for area in review.scene(place).areas:
            if isinstance(area, Grid):
                for laid in area.laid:
                    assert drawn.count(f"<title>{laid.tile} on level {laid.level}</title>") == 1
    last = position(found, len(found.frames) - 1, title=review.game.title)
    root = ET.fromstring(last)  # noqa: S314  our own text
    assert root.tag.endswith("svg")
    assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]
    assert f'viewBox="0 0 {WIDTH} ' in last


@pytest.mark.parametrize("most", [0, 1, 2, 8])
def test_a_row_is_drawn_from_no_tile_on(most: int) -> None:
    line = [Pile(str(found), (found,)) for found in TILES[:most]]
    moments = [Moment(Scene((Seat("Ana", 0),), (Row("the line", tuple(line[:n])),))) for n in range(most + 1)]
    projection = Projection(moments)
    assert [each.name for each in projection.panels()] == ["rows"]
    assert [len(list(projection.items(moment))) for moment in moments] == list(range(most + 1))


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_what_comes_and_goes_adds_up_to_every_step(path: Path) -> None:
    found = film(review_of(path))
    there: set[int] = set()
    for frame, (come, go) in zip(found.frames, changes(found.frames), strict=True):
        assert not there & set(come)
        assert set(go) <= there
        there = (there | set(come)) - set(go)
        assert there == frame.items
    assert Counter(found.items).most_common(1)[0][1] == 1


def test_a_hand_keeps_its_places_while_it_is_played() -> None:
    found = film(review_of(next(path for path in CASES if name_of(path) == "build-up/ending-hands-empty")))
    held = [{n for n in frame.items if found.items[n].panel == "hands"} for frame in found.frames]
    for before, after in pairwise(held[7:18]):
        assert len(before - after) == 1
        assert after < before


def test_an_illegal_tile_is_marked_by_shape_until_it_is_gone() -> None:
    found = film(review := review_of(next(path for path in CASES if name_of(path) == "build-up/cover-tile-broken")))
    (seq,) = {finding.seq for finding in review.report.findings if finding.verdict == "breach"}
    place = review.place(seq)
    assert place is not None
    drawn = ["".join(found.items[n].svg for n in frame.items) for frame in found.frames]
    assert "#wrong" not in drawn[place - 1]
    assert "#wrong" in drawn[place]
    assert "⚑" in drawn[place]


def test_what_matched_is_tied_together() -> None:
    review = review_of(next(path for path in CASES if "base-plays-for" in path.stem))
    ties = [
        grid.ties for place in range(len(review.steps)) for grid in review.scene(place).areas if isinstance(grid, Grid)
    ]
    assert [len(tie) for tie in ties[-4:]] == [0, 1, 2, 0]
    for tie in ties[-2]:
        assert sum(abs(a - b) for a, b in zip(*tie, strict=True)) == 1


def test_a_panel_of_a_page_has_everything_and_shows_what_is_there() -> None:
    found = film(review_of(SOME[0]))
    frame = found.frames[-1]
    for place in found.panels:
        text = panel(found, place, frame.items)
        shown = set(map(int, re.findall(r'<g id="i(\d+)">', text)))
        hidden = set(map(int, re.findall(r'<g id="i(\d+)" class="o">', text)))
        own = {n for n, item in enumerate(found.items) if item.panel == place.name}
        assert shown == own & frame.items
        assert hidden == own - frame.items


def test_the_chart_links_to_every_step_and_shows_claims_that_part() -> None:
    review = review_of(SOME[0])
    found = film(review)
    chart = Chart(found, review.opening.names, [(1, 0, 99)], [(2, "⚑")]).svg()
    assert chart.count("data-ply=") == len(found.frames)
    assert chart.count('class="claim') == 1
    assert "⚑" in chart
    ET.fromstring(chart)  # noqa: S314  our own text


def test_a_tile_lies_in_every_direction() -> None:
    assert "rotate" not in tile(1, 2, 0, 0)
    assert "rotate(270 16 16)" in tile(1, 2, 0, 0, 270)
    assert size(12) == 91
