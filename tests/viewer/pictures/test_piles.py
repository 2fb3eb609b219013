"""Piles and stacks: large enough to read on a phone, and in their place from move to move."""

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

from ledger.audit.moments import moments
from ledger.audit.review import Review
from ledger.examples.season import season
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Stack
from ledger.record.record import Record
from ledger.record.words import first_names
from viewer.pictures.drawing import drawing
from viewer.pictures.film import Film, film
from viewer.pictures.flat_tiles import measure, shorten
from viewer.pictures.look import SMALL, Look, Table
from viewer.pictures.piles import LABELLED
from viewer.pictures.reel import look_of
from viewer.pictures.small_pictures import MOMENT, step, thumbnail
from viewer.pictures.table_svg import ON_PAGE, element, printed

PHONE = Look(width=374, height=600)
WIDE = Look(width=856, height=620)
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
        stacks = [svg for key, svg in drawing(Table(reel.at(place), reel.names), PHONE) if key.startswith("pile ")]
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


@pytest.mark.parametrize("look", [PHONE, WIDE], ids=["phone", "wide"])
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
        for key, svg in drawing(table, PHONE):
            tiles = spots(svg) if key.startswith("hand ") else []
            if not tiles:
                continue
            assert half(svg) >= SMALL
            assert 'href="#n' not in svg
            assert all(x >= 14 and x + 2 * SMALL <= PHONE.width - 14 for x, _y in tiles)
            # Neighbours are apart.
            assert all(right[0] - left[0] >= 2 * SMALL + 2 for left, right in pairwise(tiles) if left[1] == right[1])
            count += 1
    assert count > 100


def test_three_hands_lie_round_the_pile_of_a_wide_table_and_touch_nothing() -> None:
    reel = film_of("zigzag", 5, 3)
    count = 0
    for place in range(len(reel.frames)):
        table = Table(reel.at(place), reel.names)
        pieces = dict(drawing(table, WIDE))
        if table.goal is None or len(table.hands) != 3 or not table.room.tiles:
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
        count += 1
    assert count > 100


def test_a_low_or_narrow_table_has_the_hands_side_by_side_below_the_pile() -> None:
    reel = film_of("zigzag", 5, 3)
    table = next(t for f in range(len(reel.frames)) if (t := Table(reel.at(f), reel.names)).goal and t.rows)
    for look, round_ in ((WIDE, True), (Look(width=790, height=620), False), (Look(width=856, height=330), False)):
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
        sizes = [half(dict(drawing(table, WIDE))["pile 0 0"]) for table in tables]
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
    reel = film(Review(simulate(catalog.find("ziggurat"), 9, {"set": 12}, players=4)))
    last = len(reel.frames) - 1
    pieces = dict(drawing(Table(reel.at(last // 2), reel.names), Look(width=374, height=600, top=60)))
    assert ">out of the game<" in "".join(svg for key, svg in pieces.items() if key.startswith("row "))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_picture_of_a_moment_shows_the_stack_of_its_move_in_the_middle(players: int) -> None:
    reel = film_of("build-up", 8, players)
    plays = [moment.place for moment in moments(reel.review) if type(reel.review.steps[moment.place].event) is Stack]
    pictures = [step(reel, place) for place in plays]
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
