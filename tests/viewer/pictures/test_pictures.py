"""From scenes to pictures: everything on the table is drawn, fits its space, and is legible."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from golden import CASES, name_of, review_of
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.scene import Grid
from ledger.record.tiles import LARGEST
from viewer.pictures.building import DARKEST
from viewer.pictures.colours import paint, tokens
from viewer.pictures.drawing import description, drawing
from viewer.pictures.film import Film, changes, film
from viewer.pictures.flat_tiles import sign
from viewer.pictures.look import Look, Table
from viewer.pictures.small_pictures import SIZES, thumbnail
from viewer.pictures.table_svg import position
from viewer.pictures.things import Domino, Floor, Gain, Heap, Held, Last, Line, Room, Sky
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
