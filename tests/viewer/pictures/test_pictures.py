"""From scenes to pictures: everything on the table is drawn, fits its space, and is legible."""

import gzip
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

import msgspec
import pytest
from msgspec.structs import replace

import viewer
from golden import CASES, name_of, review_of
from ledger.audit.moments import moments
from ledger.audit.review import Review
from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import Score, Stack
from ledger.record.record import Record
from ledger.record.scene import Grid
from ledger.record.tiles import LARGEST
from ledger.record.words import first_names
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.pictures import hands, small_pictures
from viewer.pictures.building import DARKEST
from viewer.pictures.camera import Box, Space
from viewer.pictures.colours import paint, tokens
from viewer.pictures.drawing import SIDE, description, drawing, stage_of
from viewer.pictures.film import Film, changes, film
from viewer.pictures.flat_tiles import measure, shorten, sign
from viewer.pictures.hands import EDGE, ENDS, GAP, LONG, RACKS, Rack, breadth, fits, foot_line, heading, racks
from viewer.pictures.look import SMALL, Look, Table
from viewer.pictures.piles import LABELLED
from viewer.pictures.reel import SHAPES, Known, Reel, look_of
from viewer.pictures.scene_to_things import DEEP
from viewer.pictures.small_pictures import MOMENT, SIZES, thumbnail
from viewer.pictures.table_svg import ON_PAGE, element, position, printed
from viewer.pictures.things import Contract, Domino, Floor, Gain, Heading, Heap, Held, Last, Line, Room, Sky
from viewer.pictures.tile_symbols import DEFS, pips, symbols_of
from viewer.pictures.tile_symbols import ROUND as CORNER

SAMPLE = [path for path in CASES if path.parent.name in ("ziggurat", "domino-ziggurat", "build-up", "zigzag")][::7]
WIDE, PHONE = (856.0, 620.0), (374.0, 570.0)
GAMES = [
    ("ziggurat", {}, 2, None), ("ziggurat", {}, 4, None), ("ziggurat", {"set": 12}, 2, None),
    ("ziggurat", {"set": 12}, 4, None), ("build-up", {}, 2, None), ("build-up", {}, 8, None), ("zigzag", {}, 3, None),
    ("domino-ziggurat", {}, 1, "1.1"), ("domino-ziggurat", {}, 4, "2"),
]  # fmt: skip


def simulated(number: int) -> Review:
    """A game of one of the kinds in `GAMES`."""
    name, options, players, edition = GAMES[number]
    return Review(simulate(catalog.find(name), 3, options, players=players, edition=edition))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def films() -> list[Film]:
    return [film(simulated(number)) for number in range(len(GAMES))]


@pytest.mark.parametrize("number", range(LARGEST + 1))
def test_a_half_has_its_pips_apart_and_inside(number: int) -> None:
    spots = pips(number)
    assert len(set(spots)) == number
    radius = 0.098 if number <= 9 else 0.083
    assert all(radius < value < 1 - radius for spot in spots for value in spot)
    apart = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for n, (a, b) in enumerate(spots) for c, d in spots[:n]]
    assert all(distance > 2 * radius for distance in apart)
    assert DEFS.count(f'id="h{number}"') == DEFS.count(f'id="n{number}"') == 1
    # A half turned upside down is the same half.
    assert {(round(1 - x, 3), round(1 - y, 3)) for x, y in spots} == {(round(x, 3), round(y, 3)) for x, y in spots}


def test_everything_that_shows_a_tile_has_its_corner() -> None:
    assert DEFS.count(f'rx="{CORNER:g}"') == 7, "the outline, a half, the tile among others, face and back with edges"


def test_every_class_of_a_drawing_is_painted_by_day_and_night(films: list[Film]) -> None:
    pieces = "".join(
        svg
        for reel in films
        for place in (len(reel.frames) // 2, len(reel.frames) - 1)
        for view in ("stacked", "plan")
        for _key, svg in drawing(Table(reel.at(place), reel.names), Look(width=856, height=620, view=view))
    )
    names = {name for text in re.findall(r'class="([^"]+)"', DEFS + pieces) for name in text.split()}
    for theme in ("light", "dark"):
        rules = paint(theme)
        assert "var(" not in rules
        assert {name for name in names if f".{name}{{" not in rules} <= {"t-gains", "t-open", "t-sheet"}
    assert tokens("light").keys() == tokens("dark").keys()


# ── The table ────────────────────────────────────────────────────────────────────────────────────────────────


def walls(svg: str) -> int:
    """The tiles with walls drawn."""
    return sum(d.count("M") for d in re.findall(r'class="t-left" d="([^"]+)"', svg))


@pytest.mark.parametrize("path", SAMPLE, ids=name_of)
def test_every_step_is_a_picture_with_every_tile_on_the_table(path: Path) -> None:
    review = review_of(path)
    reel = film(review)
    assert len(reel.frames) == len(review.steps)
    for place in range(0, len(review.steps), 6):
        table = Table(reel.at(place), reel.names)
        svg = "".join(piece for _key, piece in drawing(table, Look(width=856, height=620)))
        for area in review.scene(place).areas:
            if isinstance(area, Grid):
                assert walls(svg) == len(area.laid)
                by_level = sorted(area.laid, key=lambda tile: tile.level)
                for laid in {square: top for top in by_level for square in (top.at, top.to)}.values():
                    assert f"<title>{laid.tile}, level {laid.level}, " in svg
    last = position(reel, len(reel.frames) - 1, Look(width=700, height=600), title=review.game.title)
    root = ET.fromstring(last)  # noqa: S314  our own text
    assert root.tag.endswith("svg")
    assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]


@pytest.mark.parametrize("path", SAMPLE, ids=name_of)
def test_the_changes_of_the_tiles_add_up_to_every_step(path: Path) -> None:
    reel = film(review_of(path))
    on_table: set[int] = set()
    for frame, (come, go) in zip(reel.frames, changes(reel.frames), strict=True):
        assert not on_table & set(come)
        assert set(go) <= on_table
        on_table = (on_table | set(come)) - set(go)
        assert sorted(on_table) == list(frame)
    assert len(set(reel.things)) == len(reel.things)


def test_before_the_first_tile_the_tiles_lie_face_down(films: list[Film]) -> None:
    for number, title, count in ((4, "in the boneyards", 56), (5, "in the boneyards", 224), (6, "not yet dealt", 45)):
        table = Table(films[number].at(0), films[number].names)
        assert description(table) == f"{title}: {count} tiles"
        pieces = drawing(table, Look(width=856, height=620))
        assert sum(svg.count('href="#back"') for _key, svg in pieces) == count
        assert title not in description(Table(films[number].at(3), films[number].names))


def test_a_hand_closes_ranks(films: list[Film]) -> None:
    look = Look(width=856, height=620)
    played = 0
    for before, after in pairwise(films[6].frames[:40]):
        for hand_before in (thing for thing in (films[6].things[n] for n in before) if isinstance(thing, Held)):
            things_after = [films[6].things[n] for n in after]
            hand_after = next(
                thing for thing in things_after if isinstance(thing, Held) and thing.owner == hand_before.owner
            )
            played += len(hand_before.tiles) - len(hand_after.tiles) == 1
        table = Table([films[6].things[n] for n in after], films[6].names)
        for hand in table.hands:
            piece = dict(drawing(table, look))[f"hand {hand.owner}"]
            spots = re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)scale', piece)
            lines: dict[str, list[float]] = {}
            for x, y in spots:
                lines.setdefault(y, []).append(float(x))
            steps = {round(b - a, 1) for line in lines.values() for a, b in pairwise(line)}
            assert len(steps) <= 1, "a hole in a hand"
    assert played > 3


def test_an_illegal_tile_is_marked_by_shape_until_it_is_covered() -> None:
    reel = film(review := review_of(next(path for path in CASES if name_of(path) == "build-up/cover-tile-broken")))
    (seq,) = {finding.seq for finding in review.report.findings if finding.verdict == "breach"}
    place = review.place(seq)
    assert place is not None

    def marked_heaps(step: int) -> list[Heap]:
        return [thing for thing in reel.at(step) if isinstance(thing, Heap) and thing.mark]

    assert not marked_heaps(place - 1)
    (heap,) = marked_heaps(place)
    assert heap.mark == "breach"
    svg = "".join(piece for _key, piece in drawing(Table(reel.at(place), reel.names), Look(width=856, height=620)))
    assert '#wrong"' in svg
    assert "#flag-breach" in svg


@pytest.mark.parametrize("case", ["ziggurat/base-touch-broken", "build-up/cover-tile-broken"])
@pytest.mark.parametrize("view", ["stacked", "plan"])
@pytest.mark.parametrize(
    ("verdict", "rim"),
    [
        ("breach", '#wrong"|t-pole"[^/]*/><path class="t-hatch"[^/]*dasharray'),
        ("impossible", '#wrong-impossible"|t-hatch"[^/]*/><path class="t-pole"'),
        ("unproven", '#wrong-unproven"|t-unproven"[^/]*dasharray'),
    ],
)
def test_each_verdict_has_its_own_rim_and_flag(
    case: str, view: Literal["stacked", "plan"], verdict: str, rim: str
) -> None:
    reel = film(review_of(next(path for path in CASES if name_of(path) == case)))
    marked = next(place for place in range(len(reel.frames)) if any(getattr(t, "mark", "") for t in reel.at(place)))
    things = [replace(t, mark=verdict) if getattr(t, "mark", "") else t for t in reel.at(marked)]  # type: ignore[type-var]
    svg = "".join(piece for _key, piece in drawing(Table(things, reel.names), Look(width=856, height=620, view=view)))
    assert re.search(rim, svg)
    assert f"#flag-{verdict}" in svg
    assert verdict == "breach" or '#wrong"' not in svg
    assert verdict != "unproven" or "t-hatch" not in svg


def test_the_last_act_has_one_ring_though_others_own_the_same_tile() -> None:
    reel = film(simulated(5))
    rings = 0
    for place in range(len(reel.frames)):
        last = [thing for thing in reel.at(place) if isinstance(thing, Last)]
        assert len(last) <= 1
        pieces = drawing(Table(reel.at(place), reel.names), Look(width=856, height=620))
        drawn_rings = sum(svg.count('href="#ring"') for _key, svg in pieces)
        assert drawn_rings == len(last)
        rings += drawn_rings
    assert rings > 50


def test_points_that_do_not_count_are_struck() -> None:
    path = next(path for path in CASES if name_of(path) == "ziggurat/build-score-broken")
    reel = film(review_of(path))
    gains = [thing for frame in range(len(reel.frames)) for thing in reel.at(frame) if isinstance(thing, Gain)]
    assert any(gain.struck for gain in gains)


def test_matching_halves_are_tied_together() -> None:
    review = review_of(next(path for path in CASES if "base-plays-for" in path.stem))
    reel = film(review)
    tables = [Table(reel.at(place), reel.names) for place in range(len(reel.frames))]
    ties = [dict(drawing(table, Look(width=600, height=500)))["ties"] for table in tables]
    assert [text.count('class="t-tie"') for text in ties[-4:]] == [0, 1, 2, 0]


# ── Fit ──────────────────────────────────────────────────────────────────────────────────────────────────────


ROUND = re.compile(r"(-?[\d.]+) (-?[\d.]+)Q(-?[\d.]+) (-?[\d.]+) (?=(-?[\d.]+) (-?[\d.]+))")


def halfway(bend: re.Match[str]) -> str:
    """The beginning and the middle of a bend, which stays inside its corner."""
    x0, y0, x1, y1, x2, y2 = map(float, bend.groups())
    return f"{x0} {y0}L{(x0 + 2 * x1 + x2) / 4} {(y0 + 2 * y1 + y2) / 4}L"


def extent(pieces: list[tuple[str, str]]) -> tuple[float, float, float, float]:
    """The box of what a drawing shows: of paths and rectangles, and of tiles and texts by where they begin."""
    xs, ys = [], []
    for _key, svg in pieces:
        # The soft shadow does not belong to the building; elements inside a group have the group's units.
        in_own_units = re.sub(r'<path class="t-ground"[^>]*>|<g transform.*?</g>', "", svg)
        for d in re.findall(r' d="([^"]+)"', in_own_units):
            line = ROUND.sub(halfway, re.sub(r"[hva].*", "", d))
            for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", line):
                xs.append(float(x))
                ys.append(float(y))
        for x, y, size, turned in re.findall(r"translate\((-?[\d.]+) (-?[\d.]+)\)scale\((-?[\d.]+)\)(rotate)?", svg):
            xs += [float(x), float(x) + float(size) * (1 if turned else 2)]
            ys += [float(y), float(y) + float(size)]
        for x, y in re.findall(r'<text[^>]* x="(-?[\d.]+)" y="(-?[\d.]+)"', re.sub(r'class="t-num2?" x', "", svg)):
            xs.append(float(x))
            ys.append(float(y))
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_drawing_fills_its_room_and_never_leaves_it(
    films: list[Film], number: int, size: tuple[float, float]
) -> None:
    reel, (width, height) = films[number], size
    last = len(reel.frames) - 1
    for view in ("stacked", "plan"):
        for part in (0, 25, 50, 100):
            table = Table(reel.at(last * part // 100), reel.names)
            pieces = drawing(table, Look(width=width, height=height, top=60, view=view))
            # At an end without open tiles, the piles stay where they were.
            if [key for key, _svg in pieces] == ["empty"] or table.outcome:
                continue
            left, top, right, bottom = extent(pieces)
            message = f"{GAMES[number]} at {part} %, {view}: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f}"
            assert left >= 0, message
            assert top >= 14, message
            assert right <= width, message
            assert bottom <= height, message
            assert (right - left) / width >= 0.7 or (bottom - top) / (height - 60) >= 0.7, message


def test_the_scale_changes_with_a_level_and_never_with_a_move(films: list[Film]) -> None:
    reel = films[2]
    floors: dict[int, set[str]] = {}
    for place in range(len(reel.frames)):
        table = Table(reel.at(place), reel.names)
        pieces = dict(drawing(table, Look(width=856, height=620, top=60)))
        if table.high:
            floors.setdefault(table.high, set()).add(pieces["floor"])
    assert len(floors) > 15
    assert all(len(different) == 1 for different in floors.values())


@pytest.mark.parametrize(("level", "ticks"), [(2, 0), (3, 3), (9, 9)])
def test_a_building_of_three_levels_has_a_scale(films: list[Film], level: int, ticks: int) -> None:
    pieces = drawing(Table(films[2].at(60), films[2].names), Look(width=856, height=620, level=level))
    assert "".join(piece for _name, piece in pieces).count("t-tick") == ticks


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("level", [0, 1, 9, 17])
def test_any_level_and_any_quarter_shows_what_lies_up_to_it(films: list[Film], level: int, turn: int) -> None:
    reel = films[2]
    table = Table(reel.at(len(reel.frames) - 1), reel.names)
    pieces = drawing(table, Look(width=856, height=620, level=level, turn=turn))
    levels = {int(key.split()[-1]) for key, _svg in pieces if key.startswith("walls ")}
    assert levels == set(range(1, (level or table.high) + 1))
    assert walls("".join(svg for _key, svg in pieces)) == sum(
        laid.level <= (level or table.high) for laid in table.tiles
    )


# ── Light ────────────────────────────────────────────────────────────────────────────────────────────────────


def luminance(colour: tuple[float, float, float]) -> float:
    channels = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def rgb(text: str) -> tuple[float, float, float]:
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255


def over(
    below: tuple[float, float, float], above: tuple[float, float, float], part: float
) -> tuple[float, float, float]:
    red, green, blue = (b * (1 - part) + a * part for b, a in zip(below, above, strict=True))
    return red, green, blue


def contrast(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("levels", range(1, 22))
def test_pips_can_be_read_on_every_face_of_every_level(levels: int, theme: str) -> None:
    colours = {name: rgb(value) for name, value in tokens(theme).items() if re.fullmatch("#[0-9A-Fa-f]{6}", value)}
    # A staircase: the faces of all levels are visible at once.
    things = [Floor(0, 0, 2 * levels, 3, ("a",) * (2 * levels + 1), ("1",) * 4)]
    things += [Domino("3-5", 2 * (levels - level), 0, 0, 1, level) for level in range(1, levels + 1)]  # type: ignore[list-item]
    pieces = drawing(Table(things, ()), Look(width=900, height=600))
    shades = [float(shade) for _key, svg in pieces for shade in re.findall(r't-shade"[^>]* opacity="([\d.]+)"', svg)]
    assert max(shades, default=0) <= DARKEST
    for shade in {0.0, *shades}:
        # The veil lies over face and pips; a cast shadow (three layers at most) over both.
        face, pip = (over(colours[name], colours["shade"], shade) for name in ("tile", "pip"))
        assert contrast(face, pip) >= 4.5
        for layer in (0.17, 0.13, 0.16):
            face, pip = over(face, colours["cast"], layer), over(pip, colours["cast"], layer)
        assert contrast(face, pip) >= 4.5


@pytest.mark.parametrize("name", [*(f"n{number}" for number in range(1, 13)), *(f"p{seat}" for seat in range(1, 9))])
def test_coloured_pips_and_rims_can_be_seen_on_ivory(name: str) -> None:
    for theme in ("light", "dark"):
        assert contrast(rgb(tokens(theme)[name]), rgb(tokens(theme)["tile"])) >= 4.5


@pytest.mark.parametrize("seat", range(1, 9))
def test_letters_of_owners_can_be_read_on_the_table(seat: int) -> None:
    for theme in ("light", "dark"):
        assert contrast(rgb(tokens(theme)[f"l{seat}"]), rgb(tokens(theme)["table"])) >= 4.5


# ── Small pictures ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_thumbnail_is_small_whole_and_names_nobody(number: int) -> None:
    review = simulated(number)
    for size, (width, height) in SIZES.items():
        picture = thumbnail(review, size)
        ET.fromstring(picture)  # noqa: S314  our own text
        assert len(picture) < 90_000
        assert not any(name in picture for name in review.opening.names)
        symbols = set(re.findall(r'id="([^"]+)"', picture))
        assert set(re.findall(r'href="#([^"]+)"', picture)) <= symbols
        look = Look(width=width, height=height, quiet=True)
        table = Table(film(review).at(len(review.steps) - 1), review.opening.names)
        left, top, right, bottom = extent(drawing(table, look))
        assert (left >= 0, top >= 0, right <= width, bottom <= height) == (True, True, True, True)


def test_the_symbols_that_a_picture_uses_are_enough() -> None:
    assert re.findall(r' id="([^"]+)"', symbols_of('<use href="#h3"/><use href="#rim2"/>')) == ["h3", "rim2"]
    names = re.findall(r' id="([^"]+)"', DEFS)
    symbols = symbols_of("".join(f'href="#{name}"' for name in names))
    assert set(names) == set(re.findall(r' id="([^"]+)"', symbols))


def test_a_table_is_described_in_words() -> None:
    things = [
        Line(0, "in the centre", 1), Heap(0, 0, "pile", 2, ("1-2", "2-4"), ()), Held(0, ("3-3",), 2), Room(3), Sky(()),
    ]  # fmt: skip
    assert description(Table(things, ("Ana",))) == "in the centre: 2 tiles. Ana holds 3 tiles"
    assert description(Table([], ())) == "No tiles on the table yet"


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        ("Ana Ben", "A B"),
        ("Anna Anton Anja Ben", "An At Aj B"),
        ("Dora Dirk", "Do Di"),
        ("Ana Anas", "An As"),
        ("A2 A", "A2 A"),
        ("Ann A B C D E F G H", "A1 A2 B3 C4 D5 E6 F7 G8 H9"),
    ],
)
def test_players_whose_names_begin_alike_have_signs_of_two_letters(names: str, signs: str) -> None:
    players = names.split()
    assert [sign(seat, players) for seat in range(len(players))] == signs.split()


# ---- Piles and stacks: large enough to read on a phone, and in their place from move to move.


NARROW = Look(width=374, height=600)
BROAD = Look(width=856, height=620)
SCALE = re.compile(r"scale\(([\d.]+)\)")
LABEL = re.compile(
    r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle"><tspan class="t-title">([^<]*)</tspan><tspan[^>]*>(\d+)<'
)
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
    reel = film_of("build-up", 8, 5)
    count = 0
    for place in range(0, len(reel.frames), 10):
        stacks = [svg for key, svg in drawing(Table(reel.at(place), reel.names), NARROW) if key.startswith("pile ")]
        if len(stacks) >= 30 and "#rim" in stacks[0]:
            assert half(stacks[0]) >= SMALL
            assert 'href="#h' in stacks[0]
            assert 'href="#n' not in stacks[0]
            count += 1
    assert count > 5


@pytest.mark.parametrize(
    ("shape", "players", "least", "hands"),
    [("wide", 5, 84, 5), ("wide", 6, 64, 6), ("wide", 9, 2 * SMALL, 1), ("tablet", 5, 80, 5), ("tablet", 8, 60, 8),
     ("phone", 5, 40, 1), ("phone", 8, 30, 1), ("phone", 9, LABELLED, 1), ("small", 5, LABELLED, 1),
     ("small", 8, LABELLED, 0)],
)  # fmt: skip
def test_the_stacks_of_many_players_have_the_room_that_hands_do_not_need(
    shape: str, players: int, least: int, hands: int
) -> None:
    """Where hands leave too little, they are a line that opens them; none where even that would cost the labels."""
    reel = film_of("build-up", 4, players)
    look = look_of(shape)
    table = Table(reel.at(len(reel.frames) // 2), reel.names)
    pieces = dict(drawing(table, look))
    stacks = [svg for key, svg in pieces.items() if key.startswith("pile 0 ")]
    assert 2 * half(stacks[0]) >= least
    shown = [key for key in pieces if key.startswith("hand")]
    assert shown == (["hand line"] * hands if hands < players else [f"hand {seat}" for seat in range(players)])
    assert all('class="t-name"' in svg for svg in stacks), "each has its number"


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("shape", ["wide", "tablet"])
def test_the_lines_of_stacks_share_the_height_that_they_have(shape: str, players: int) -> None:
    reel = film_of("build-up", 4, players)
    pieces = dict(drawing(Table(reel.at(len(reel.frames) // 2), reel.names), look_of(shape)))
    stacks = [spots(pieces[f"pile {row} {place}"])[0] for row in range(players) for place in range(6)]
    across = len({x for x, _y in stacks})
    lowest, highest = max(y for _x, y in stacks), min(y for _x, y in stacks)
    line = (lowest - highest) / (-(-len(stacks) // across) - 1)
    hands = [y for key, svg in pieces.items() if key.startswith("hand") for _x, y in spots(svg)]
    below = min(hands, default=look_of(shape).height)
    assert line / 2 < below - lowest < 2 * line


@pytest.mark.parametrize("look", [NARROW, BROAD], ids=["phone", "wide"])
def test_all_hands_can_be_seen_beside_the_pile_of_a_contract(look: Look) -> None:
    reel = film_of("zigzag", 5, 3)
    plays = [place for place in range(len(reel.frames)) if " plays " in reel.review.words(place)]
    assert len(plays) > 20
    for place in plays[::10]:
        pieces = dict(drawing(Table(reel.at(place), reel.names), look))
        assert all("data-open" not in svg for key, svg in pieces.items() if key.startswith("hand "))


def test_hands_of_twelve_tiles_show_their_pips_on_a_phone_and_stay_on_the_table() -> None:
    reel = film_of("zigzag", 5, 3)
    count = 0
    for place in range(len(reel.frames)):
        table = Table(reel.at(place), reel.names)
        table.room = replace(table.room, tiles=12)
        if table.goal is None or max(len(hand.tiles) for hand in table.hands) > 12:
            continue
        for key, svg in drawing(table, NARROW):
            tiles = spots(svg) if key.startswith("hand ") else []
            if not tiles:
                continue
            assert half(svg) >= SMALL
            assert 'href="#n' not in svg
            assert all(x >= 14 and x + 2 * SMALL <= NARROW.width - 14 for x, _y in tiles)
            # Neighbours are apart.
            assert all(right[0] - left[0] >= 2 * SMALL + 2 for left, right in pairwise(tiles) if left[1] == right[1])
            count += 1
    assert count > 100


def test_three_hands_lie_round_the_pile_of_a_wide_table_and_touch_nothing() -> None:
    reel = film_of("zigzag", 5, 3)
    count = 0
    for place in range(len(reel.frames)):
        table = Table(reel.at(place), reel.names)
        pieces = dict(drawing(table, BROAD))
        if table.goal is None or len(table.hands) != 3 or not table.room.tiles:
            continue
        first, left, right = (spots(pieces[f"hand {seat}"]) for seat in range(3))
        piles = [at for key, svg in pieces.items() if key.startswith("pile ") for at in spots(svg)]
        assert all(x >= 16 and x + 62 <= BROAD.width - 16 and y + 31 <= BROAD.height for x, y in first + left + right)
        assert all(y > 14 + 48 for _x, y in left + right + piles)
        # The sides are clear of the piles, and all of them of the hand at the lower edge.
        inner = [max((x for x, _y in left), default=0) + 62, min((x for x, _y in right), default=BROAD.width)]
        assert all(inner[0] < x and x + 31 < inner[1] for x, _y in piles)
        lowest = max((y for _x, y in left + right + piles), default=0)
        assert not first or lowest + 31 < min(y for _x, y in first)
        count += 1
    assert count > 100


def test_a_low_or_narrow_table_has_the_hands_side_by_side_below_the_pile() -> None:
    reel = film_of("zigzag", 5, 3)
    table = next(t for f in range(len(reel.frames)) if (t := Table(reel.at(f), reel.names)).goal and t.rows)
    for look, round_ in ((BROAD, True), (Look(width=790, height=620), False), (Look(width=856, height=330), False)):
        pieces = dict(drawing(table, look))
        pile = min(y for key, svg in pieces.items() if key.startswith("pile ") for _x, y in spots(svg))
        beside = spots(pieces["hand 1"])[:1]
        assert bool(beside and beside[0][1] < pile + 100 and beside[0][0] < 60) == round_, look


def test_the_pile_stays_when_the_first_tile_is_taken() -> None:
    reel = film_of("zigzag", 5, 3)
    count = 0
    for before, after in pairwise(range(len(reel.frames))):
        tables = [Table(reel.at(place), reel.names) for place in (before, after)]
        rows = [{row.line.title for row in table.rows.values()} for table in tables]
        if rows != [{"in the centre"}, {"in the centre", "taken"}]:
            continue
        sizes = [half(dict(drawing(table, BROAD))["pile 0 0"]) for table in tables]
        assert sizes[0] == sizes[1]
        count += 1
    assert count


def test_labels_of_what_is_left_over_do_not_touch_each_other_on_a_phone() -> None:
    simulated = simulate(catalog.find("build-up"), 4, players=8)
    names = ["Ana", "Ben", "Cyrus", "محمد", "Eli", "山田 花子", "Gil", "Noël"]
    opening = simulated.opening
    players = tuple(replace(player, name=name) for player, name in zip(opening.players, names, strict=True))
    reel = film(Review(Record((replace(opening, players=players), *simulated.events[1:]))))
    table = Table(reel.at(len(reel.frames) // 2), reel.names)
    for shape in ("phone", "small", "low"):
        pieces = dict(drawing(table, look_of(shape)))
        labels = [svg for key, svg in pieces.items() if key.startswith("pile ") and "text-anchor" in svg]
        places = [(float(x), float(y), first, count) for svg in labels for x, y, first, count in LABEL.findall(svg)]
        assert len(places) >= 8
        for (x, y, *words), (x2, y2, *others) in pairwise(places):
            room = (measure("".join(words)) + measure("".join(others))) / 2 + 6
            assert y != y2 or x2 - x >= room, (shape, words, others)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_printed_table_keeps_no_room_for_tiles_that_are_gone(players: int) -> None:
    reel = film_of("build-up", 2, players)
    last = len(reel.frames) - 1
    width, height = ON_PAGE.width, ON_PAGE.height
    on_screen, on_paper = element(Table(reel.at(last), reel.names)), printed(reel, last)
    lowest = max(y for _x, y in spots(on_paper))
    assert height * 0.75 < lowest < height
    assert all(0 < x < width for x, _y in spots(on_paper))
    assert half(on_paper) >= half(on_screen)


def test_what_was_taken_is_smaller_than_the_pile() -> None:
    reel = film_of("zigzag", 5, 3)
    for place in range(len(reel.frames)):
        table = Table(reel.at(place), reel.names)
        pieces = dict(drawing(table, BROAD))
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
    reel = film(Review(simulate(catalog.find("ziggurat"), 9, {"set": 12}, players=4)))
    last = len(reel.frames) - 1
    pieces = dict(drawing(Table(reel.at(last // 2), reel.names), Look(width=374, height=600, top=60)))
    assert ">out of the game<" in "".join(svg for key, svg in pieces.items() if key.startswith("row "))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_picture_of_a_moment_shows_the_stack_of_its_move_in_the_middle(players: int) -> None:
    reel = film_of("build-up", 8, players)
    plays = [moment.place for moment in moments(reel.review) if type(reel.review.steps[moment.place].event) is Stack]
    pictures = [small_pictures.step(reel, place) for place in plays]
    assert len(set(pictures)) == len(pictures) >= 3
    for place, picture in zip(plays, pictures, strict=True):
        event = reel.review.steps[place].event
        assert isinstance(event, Stack)
        (box,) = re.findall(r'viewBox="([^"]*)"', picture)
        left, _top, wide, high = map(float, box.split())
        assert (wide, high) == MOMENT
        faces = re.findall(
            rf'{FIRST.pattern}{SCALE.pattern}"><use href="#face"/><use href="#h(\d+)"/><use href="#h(\d+)"', picture
        )
        assert 1 <= len(faces) <= 3
        middle = min(faces, key=lambda face: abs(float(face[0]) + float(face[2]) - left - wide / 2))
        assert {int(middle[3]), int(middle[4])} == {event.tile.first, event.tile.second}
        assert float(middle[2]) >= SMALL
        assert left < float(middle[0]) < float(middle[0]) + 2 * float(middle[2]) < left + wide


def test_a_small_picture_of_a_pile_shows_the_tiles_below_its_top() -> None:
    record = simulate(catalog.find("zigzag"), 5)
    seen = set()
    for count in range(len(record.events)):
        review = Review(Record(record.events[: count + 1]))
        pile = max((len(pile.tiles) for area in review.scene().areas for pile in getattr(area, "piles", ())), default=0)
        if pile not in seen and pile:
            seen.add(pile)
            assert thumbnail(review).count('href="#face"') == min(pile, 3)
    assert {1, 2, 3} <= seen


def test_what_was_taken_has_the_first_names_of_the_players_whole() -> None:
    record = next(example.record for example in season() if example.record.opening.game == "zigzag")
    shown = film(Review(record))
    for shape in ("wide", "tablet", "low"):
        pieces = drawing(Table(shown.at(60), shown.names), look_of(shape))
        labels = [svg.rpartition("<text ")[2] for key, svg in pieces if key.startswith("pile 1 ")]
        assert [re.findall(r'"t-title">([^<]*)<', label) for label in labels] == [
            [name] for name in first_names(shown.names)
        ]


# ---- The end of a game whose tiles are all taken: who has won, and how the totals came about, on every screen.


ENDING_LOOKS = {"phone": Look(width=374, height=440), "screen": Look(width=856, height=430)}
NAMES = ("علي الفيتوري", "Maximiliana-Theodora von Hohenstein", "陳大文")
Y = re.compile(r' y="(-?[\d.]+)"')


@pytest.fixture(scope="module")
def reel() -> Film:
    """Nine hands with a large set, so that each has many tiles."""
    record = simulate(catalog.find("zigzag"), 3, {"set": 9, "target": None, "hands": 9}, players=3)
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, NAMES, strict=True))
    return film(Review(replace(record, events=(replace(record.opening, players=players), *record.events[1:]))))


def at_the_end(reel: Film, look: Look) -> dict[str, str]:
    return dict(drawing(Table(reel.at(len(reel.frames) - 1), reel.names), look))


@pytest.mark.parametrize("size", ENDING_LOOKS)
def test_the_points_of_each_hand_stand_on_the_table(reel: Film, size: str) -> None:
    look = ENDING_LOOKS[size]
    pieces = at_the_end(reel, look)
    assert "Total" in pieces["totals"], "a screen has as much to tell as a phone"
    texts = [float(y) for y in Y.findall(pieces["totals"])]
    assert max(texts) <= look.height
    piles = [svg for key, svg in pieces.items() if key.startswith("pile ")]
    assert piles
    tops = [float(y) for svg in piles for y in re.findall(r"translate\(-?[\d.]+ (-?[\d.]+)\)", svg)]
    clear = min(tops) - max(texts) if max(texts) < max(tops) else min(texts) - max(tops)
    assert clear >= 10, "the totals keep a distance from the piles"


@pytest.mark.parametrize("size", ENDING_LOOKS)
def test_a_hand_ends_with_its_contract_and_no_empty_table(reel: Film, size: str) -> None:
    told = []
    for place, step in enumerate(reel.review.steps[:-1]):
        standing = reel.review.standing(place)
        if isinstance(step.event, Score) and any(reel.review.scene(place).taken) and not standing.winners:
            pieces = dict(drawing(Table(reel.at(place), reel.names), ENDING_LOOKS[size]))
            told.append(re.findall(">([^<]+)<", pieces["outcome"]))
            assert pieces["heading"]
            assert re.findall(">([^<]+)<", pieces["totals"])[-3:] == list(map(str, standing.scores))
    assert len(told) >= 7
    for words, whose in told:
        taken = re.fullmatch(r"(\d+)(?: of (\d+))? taken", words)
        bid = re.search(r" bid (\d+)$", whose)
        assert taken
        assert bid
        assert taken[2] == (bid[1] if int(taken[1]) <= int(bid[1]) else None)


@pytest.mark.parametrize("size", ENDING_LOOKS)
def test_a_long_name_does_not_hide_how_a_contract_ended(reel: Film, size: str) -> None:
    totals = at_the_end(reel, ENDING_LOOKS[size])["totals"]
    hands = re.findall(r">(Hand \d+ · [^<]*)<", totals)
    assert hands
    for words in hands:
        assert re.search(r"bid \d+, took \d+$", words), words


# ---- The words on the table: who has won, who bid, and whose tiles these are, for names of any length and direction.


def test_where_all_tiles_were_taken_the_table_names_the_winner() -> None:
    review = Review(simulate(catalog.find("zigzag"), 3))
    frames = film(review)
    standing = review.standing(len(review.steps) - 1)
    scores = sorted(standing.scores, reverse=True)
    name = review.opening.names[standing.winners[0]]
    outcomes = [Table(frames.at(place), frames.names).outcome for place in range(len(frames.frames))]
    ends = [place for place, outcome in enumerate(outcomes) if outcome and " win" in outcome.words]
    # From the step that ends the game to the last one: at the end of an earlier hand nobody has won.
    assert ends == list(range(ends[0], len(frames.frames)))
    assert not review.standing(ends[0] - 1).winners
    table = Table(frames.at(len(frames.frames) - 1), frames.names)
    assert table.outcome is not None
    margin = f"by {scores[0] - scores[1]} points"
    assert description(table).startswith(f"{name} wins {margin}. ")
    # In a low frame there is no room: the bar and the scores say it.
    assert "outcome" not in dict(drawing(table, Look(width=460, height=190)))
    for look in (Look(width=374, height=415, both=True), Look(width=856, height=440)):
        pieces = dict(drawing(table, look))
        assert f">{name} wins</text>" in pieces["outcome"]
        assert f">{margin}</text>" in pieces["outcome"]
        # The words stand above everything else.
        lowest = max(float(y) for y in re.findall(r' y="([\d.]+)"', pieces["outcome"]))
        title = next(svg for key, svg in pieces.items() if key.startswith("title "))
        assert lowest + 10 < float(re.findall(r' y="([\d.]+)"', title)[0])
        # Below them stand the points of each hand, which add up.
        assert pieces["totals"].count(" bid ") == len([hand for hand, _ in table.outcome.hands if " bid " in hand])
        for seat, total in enumerate(standing.scores):
            assert sum(points[seat] for _words, points in table.outcome.hands) == total
            assert f">{total}</text>" in pieces["totals"]


def headings(game: str, **options: int) -> list[str]:
    """What the table is headed with, at each step of a simulated game."""
    frames = film(Review(simulate(catalog.find(game), 3, options)))
    tables = [Table(frames.at(place), frames.names) for place in range(len(frames.frames))]
    for table in tables:
        look = Look(width=856, height=620)
        pieces = dict(drawing(table, look))
        assert (f">{table.heading}</t" in pieces["heading"]) if table.heading else ("heading" not in pieces)
        assert description(table).startswith(table.heading)
    return [table.heading for table in tables]


def test_the_table_says_which_hand_it_is_and_of_how_many() -> None:
    assert list(dict.fromkeys(headings("build-up"))) == ["", *(f"Hand {n} of 4" for n in range(1, 5))]
    assert list(dict.fromkeys(headings("zigzag", hands=3))) == ["", "Hand 1 of 3", "Hand 2 of 3", "Hand 3 of 3"]
    # A game to a target has no fixed number of hands.
    assert {"Hand 1", "Hand 2"} <= set(headings("zigzag"))
    assert set(headings("ziggurat")) == {""}


def test_a_table_of_stacks_says_how_many_and_that_the_top_tile_counts() -> None:
    frames = film(Review(simulate(catalog.find("build-up"), 3)))
    table = Table(frames.at(len(frames.frames) // 2), frames.names)
    svgs = {width: dict(drawing(table, Look(width=width, height=620)))["heading"] for width in (290, 360, 856)}
    assert [">12 stacks, top tile counts</tspan>" in svg for svg in svgs.values()] == [False, True, True]
    assert SIDE + 2 + measure(f"{table.heading}12 stacks, top tile counts") + 6 < 360


def test_a_narrow_table_has_the_hand_above_the_contract_and_a_wide_one_beside_it() -> None:
    table = Table([Heading("Hand 12 of 12"), Contract(0, 12, 2, "tiles"), Held(0, ("1-2",), 0)], ("Wolfeschlegelst",))

    def position(key: str, width: float) -> tuple[float, float]:
        svg = dict(drawing(table, Look(width=width, height=570)))[key]
        x, y = re.findall(r' x="([-\d.]+)" y="([-\d.]+)"', svg)[0]
        return float(x), float(y)

    assert position("heading", 374)[1] < position("goal", 374)[1]
    assert position("heading", 856)[1] > position("goal", 856)[1]
    assert position("heading", 856)[0] + measure("Hand 12 of 12") < position("goal", 856)[0]
    assert "heading" not in dict(drawing(table, Look(width=374, height=200)))


def test_a_name_from_right_to_left_leaves_the_number_beside_it_in_its_place() -> None:
    things = [Held(0, ("1-2",), 0), Held(1, ("3-3",), 0)]
    pieces = dict(drawing(Table(things, ("שרה", "Ana")), Look(width=374, height=570)))
    assert ">\u2068שרה\u2069</tspan>" in pieces["hand 0"]
    assert ">Ana</tspan>" in pieces["hand 1"]


def test_the_contract_of_a_long_name_stays_on_the_table() -> None:
    table = Table([Contract(0, 12, 2, "tiles")], ("Wolfeschlegelsteinhausen",))
    svg = dict(drawing(table, Look(width=374, height=570)))["goal"]
    x, wide = (float(re.findall(rf'class="t-band"[^>]* {name}="([-\d.]+)"', svg)[0]) for name in ("x", "width"))
    assert 0 < x < x + wide < 374


def test_a_bar_leaves_the_room_for_the_name_of_a_contract() -> None:
    table = Table([Contract(0, 18, 0, "tiles")], ("Łucja",))
    svg = dict(drawing(table, Look(width=374, height=570)))["goal"]
    assert ">Łucja bid 18<" in svg


# ---- Racks of hands in the lower corners: they leave the building free, and stay on their side of it.


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
                    reach, top = EDGE + breadth(*size) + GAP, look.height - hands.height(count, *size) - 12
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


# ---- The design tokens: both places with the values of the dark theme agree.


TOKENS = (Path(viewer.__file__).parent / "pictures" / "static" / "colours.css").read_text(encoding="utf-8")


def values(selector: str) -> dict[str, str]:
    """The custom properties that a selector's block sets."""
    block = TOKENS.split(selector + "{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([a-z0-9-]+):([^;]+);", block))


def test_the_dark_device_and_the_dark_setting_have_the_same_values():
    assert values(":root:not([data-theme=light])") == values(":root[data-theme=dark]")


def test_the_dark_theme_only_changes_values_of_the_light_one():
    assert values(":root[data-theme=dark]").keys() <= values(":root").keys()


# ---- Reels: every step has the pieces of its drawing, and a page that has the beginning gets only what is new.


PLAYED: dict[str, tuple[str, dict[str, Any], int, str | None]] = {
    "large": ("ziggurat", {"set": 12}, 2, None),
    "small": ("ziggurat", {}, 2, None),
    "stacks": ("build-up", {}, 8, None),
    "tricks": ("zigzag", {}, 3, None),
    "several": ("domino-ziggurat", {}, 4, "2"),
}
REEL_LOOKS = [look_of("wide"), look_of("phone", turn=1), look_of("phone", "plan", 3)]


def game(name: str) -> Record:
    rules, options, players, edition = PLAYED[name]
    return simulate(catalog.find(rules), 3, options, players=players, edition=edition)


def pieces_of(made: Reel, numbers: tuple[int, ...]) -> list[tuple[str, str]]:
    return [made.pieces[number] for number in numbers]


def joined(pieces: list[tuple[str, str]]) -> dict[str, str]:
    """What a hand's pieces draw together: a reel has each tile for itself."""
    drawn: dict[str, str] = {}
    for key, svg in pieces:
        whose = " ".join(key.split()[-2:])
        drawn[whose] = drawn.get(whose, "") + re.sub("</?g>", "", svg)
    return drawn


def assert_whole(shown: Film, look: Look) -> None:
    """Every step of the reel has the pieces of its drawing, up to every level."""
    made = Reel(shown, look)
    tables = [Table(shown.at(place), shown.names) for place in range(len(shown.frames))]
    stage = stage_of(*tables, look=made.look) if made.squares else None
    for table, step in zip(tables, made.steps, strict=True):
        beside = [piece for piece in pieces_of(made, step.beside) if not piece[0].startswith("open ")]
        drawn = drawing(table, made.look, stage)
        on_table = pieces_of(made, made.lists[step.levels[-1]])
        assert on_table == drawn[: len(on_table)]
        assert joined(beside) == joined(drawn[len(on_table) :])
        assert len(step.levels) == max(1, table.high if made.squares else 1)
        for level, number in enumerate(step.levels[:-1], start=1):
            up_to = {"level": level} if look.view == "plan" else {"peel": level}
            drawn = drawing(table, replace(made.look, **up_to), stage)
            assert pieces_of(made, made.lists[number]) == [piece for piece in drawn if piece[0] not in dict(beside)]
        lines = {key for key, svg in beside if "data-open" in svg and key != "hand line"}
        if any("data-open" in svg for key, svg in beside if key == "hand line"):
            lines |= {rack.key for rack in racks(table, rows=True)}
        assert {key for key, _svg in pieces_of(made, step.beside)} == {key for key, _ in beside} | {
            f"open {key}" for key in lines
        }


@pytest.mark.parametrize("look", REEL_LOOKS, ids=lambda look: f"{look.view}-{look.turn}")
@pytest.mark.parametrize("name", ["small", "tricks", "several"])
def test_every_step_has_the_pieces_of_its_drawing(name: str, look: Look) -> None:
    assert_whole(film(Review(game(name))), look)


@pytest.mark.parametrize("path", CASES[::40], ids=name_of)
def test_so_do_the_fixtures(path: Any) -> None:
    for look in REEL_LOOKS:
        assert_whole(film(review_of(path)), look)


@pytest.mark.every(5)  # each look and each game
@pytest.mark.parametrize(
    "look", [*map(look_of, SHAPES), look_of("wide", "plan")], ids=lambda look: f"{look.width}-{look.view}"
)
@pytest.mark.parametrize(
    ("name", "most"), [("large", 220), ("stacks", 220), ("small", 60), ("tricks", 60), ("several", 60)]
)
def test_a_reel_is_small(name: str, most: int, look: Look) -> None:
    sent = msgspec.json.encode(Reel(film(Review(game(name))), look).after(Known()))
    assert len(gzip.compress(sent, 6)) <= most * 1000


def test_a_page_that_has_the_beginning_gets_only_what_is_new() -> None:
    record = game("small")
    shorter = replace(record, events=record.events[:20])
    for look in REEL_LOOKS:
        before, after = (
            Reel(film(Review(part)), look) for part in (shorter, replace(record, events=record.events[:21]))
        )
        first = before.after(Known())
        more = after.after(first.known)
        assert more.after == first.known
        assert len(msgspec.json.encode(more.pieces)) < len(msgspec.json.encode(after.after(Known()).pieces)) / 5
        assert after.after(replace(first.known, sum=1)).after == Known()
        assert after.after(more.known).pieces == []


def test_the_server_sends_reels() -> None:
    store = TemporaryStore()
    Recorder(store).import_record(game("small"), "one")
    client = create_app(store.reopen).test_client()

    def ask(query: str) -> Any:
        return client.get(f"/g/one/reel?{query}")

    wide = ask("shape=wide").json
    assert (wide["width"], wide["squares"], wide["after"]) == (SHAPES["wide"][0], True, [0, 0, 0])
    assert len(wide["steps"]) == len(Review(game("small")).steps)
    assert ask("shape=wide&view=plan&turn=3").json["pieces"] != wide["pieces"]
    again = ask(f"shape=wide&known={','.join(map(str, wide['known']))}").json
    assert (again["pieces"], again["lists"], again["after"]) == ([], [], wide["known"])
    for odd in (
        "shape=wide&known=1,2",
        "shape=wide&known=a,b,c",
        "shape=wide&known=9999999999,9,9",
        "shape=wide&turn=x",
    ):
        assert ask(odd).json["pieces"] == wide["pieces"]
    assert ask("shape=round").status_code == 404
    assert client.get("/g/other/reel?shape=wide").status_code == 404


@pytest.mark.parametrize("name", ["small", "stacks", "tricks"])
def test_the_words_of_a_step_name_every_tile_on_the_table(name: str) -> None:
    review = Review(game(name))
    shown = film(review)
    made = Reel(shown, look_of("phone"))
    count = 0
    for place, step in enumerate(made.steps):
        words = [made.sentences[number] for number in step.tiles]
        for area in review.scene(place).areas:
            if isinstance(area, Grid):
                for laid in area.laid:
                    assert any(sentence.startswith(f"{laid.tile}, level {laid.level}, ") for sentence in words)
                    count += 1
            else:
                for pile in area.piles:
                    tiles = [str(tile) for tile in pile.tiles[-DEEP:]]
                    assert not tiles or any(all(tile in sentence for tile in tiles) for sentence in words)
                    count += bool(tiles)
    assert count > 20


@pytest.mark.parametrize("shape", SHAPES)
def test_the_numbers_of_the_ruler_do_not_lie_on_each_other(shape: str) -> None:
    for part in (14, 20, 27):
        record = simulate(catalog.find("ziggurat"), 3)
        made = Reel(film(Review(Record(record.events[:part]))), look_of(shape))
        for key, svg in made.pieces:
            heights = [float(y) for y in re.findall(r'<text class="t-name" x="[^"]*" y="([^"]*)"', svg)]
            assert key != "ruler" or all(lower - upper >= 11 for lower, upper in pairwise(heights))
