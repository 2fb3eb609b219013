"""Names of squares: the same for a square at every step, wherever it is shown."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import notation
from ledger.audit.review import Review
from ledger.cli.text_drawing import draw
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Close, Place
from ledger.record.record import Record
from ledger.record.squares import USUAL, Squares, squares_of
from ledger.record.tiles import TILES
from ledger.record.visible import unbroken
from sheets import review
from viewer.pictures.film import film
from viewer.pictures.things import Floor

POSITIVE = re.compile("[a-z]+|[1-9][0-9]*|[a-z]+[1-9][0-9]*-[a-z]+[1-9][0-9]*")
FAR = st.integers(-1000, 1000)


def test_columns_are_letters_from_the_left_and_rows_numbers_from_the_bottom() -> None:
    squares = Squares(-1, 3)
    assert [squares.column(x) for x in (-1, 0, 24, 25, 50, 51)] == ["a", "b", "z", "aa", "az", "ba"]
    assert [squares.row(y) for y in (3, 2, -6)] == ["1", "2", "10"]
    assert squares.of_place(Place("a", TILES[1], (0, 2), "e", 1)) == "b2-c2"


def test_a_square_outside_has_a_name_too() -> None:
    assert (USUAL.name((-1, 6)), USUAL.name((-27, 7))) == ("-a0", "-aa-1")


@given(FAR, FAR, FAR, FAR)
def test_a_name_leads_back_to_its_square(left: int, bottom: int, x: int, y: int) -> None:
    squares = Squares(left, bottom)
    assert squares.find(squares.name((x, y)).upper()) == (x, y)


@pytest.mark.parametrize("text", ["", "b", "2", "2b", "b2c", "é2", "b²"])
def test_any_other_text_is_no_square(text: str) -> None:
    assert USUAL.find(text) is None


GAME = "Game: {}\nPlayers: A Ana, B Ben\nOptions: {}\n\n"


def names_while_it_grows(record: Record) -> set[Squares]:
    """Its names at its first and its last lengths, and at every seventh between."""
    end = len(record.events)
    lengths = {*range(1, 9), *range(9, end, 7), *range(end - 2, end + 1)}
    return {Review(Record(record.events[:length])).squares for length in lengths}


def test_squares_that_are_fixed_beforehand_are_counted_from_their_corner() -> None:
    assert review(GAME.format("ziggurat", "window = drawn")).squares == Squares(0, 3)
    assert review("Game: domino-ziggurat\nEdition: 2\nPlayers: A Ana, B Ben\n").squares == USUAL
    assert squares_of(()) == USUAL


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat"])
@pytest.mark.parametrize("seed", range(3))
def test_a_square_has_the_same_name_before_the_first_tile_and_after_the_last(game: str, seed: int) -> None:
    record = simulate(catalog.find(game), seed)
    assert isinstance(record.events[-1], Close)
    assert names_while_it_grows(record) == {USUAL}


@pytest.mark.parametrize("x", [-4, -3, -1, 0, 4])
@pytest.mark.parametrize("y", [-2, 0, 3, 4])
def test_a_game_that_begins_elsewhere_keeps_its_names_from_its_first_tile_to_its_close(x: int, y: int) -> None:
    record = simulate(catalog.find("ziggurat"), 1)
    there = tuple(
        replace(event, at=(event.at[0] + x, event.at[1] + y), when="2026-11-20T20:00:00Z")
        if isinstance(event, Place)
        else event
        for event in record.events
    )
    first = next(place for place, event in enumerate(there) if isinstance(event, Place))
    names = {Review(Record(there[:length])).squares for length in range(first + 1, len(there) + 1)}
    assert names == {Squares(x, 5 + y)}


@pytest.mark.parametrize("end", ["", "end abandoned\n"])
def test_a_game_typed_from_paper_keeps_the_names_of_the_paper(end: str) -> None:
    typed = review(GAME.format("ziggurat", "first = A") + "A 1-2 b1-c1\nB 2-5 d1-d2\n" + end)
    assert (typed.squares, typed.words(1)) == (USUAL, "Ana plays 1-2 on level 1, b1-c1")
    assert "Squares:" not in notation.write(typed.record, squares=typed.squares)


def test_a_tile_left_of_the_paper_moves_the_names() -> None:
    sheet = GAME.format("ziggurat", "first = A") + "A 1-2 a1-b1\nA 1-2 -a1--b1\n"
    assert review(sheet).squares == Squares(-3, 8)


def test_corrections_do_not_change_the_names() -> None:
    floating = GAME.format("ziggurat", "first = A")
    for sheet in ("A 1-2 d4-e4\nB 2-5 f4-f3\nretract 2 because I misread it\n", "A 1-2 d4-e4\namend 1: A 1-2 d4-d3\n"):
        assert names_while_it_grows(review(floating + sheet).record) == {USUAL}


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "A 1-2 a1-b1\n",
        "A 1-2 b2-a2\n",
        "A 1-2 z20-z21\n",
        "A 1-2 c3-d3\nretract 1 because it was not there\nA 1-2 c3-c2\n",
        "A 1-2 c3-d3\namend 1: A 1-2 -h-9--h-8\nB 2-5 c3-c2\n",
        "A 1-2 c3-d3\nB 2-5 f0-f-1\n",
        "A 1-2 c-1-c0\nB 2-5 d0-d-1\n",
        "A 1-2 z20-z21 L2\nB 2-5 f1-f2\n",
    ],
)
@pytest.mark.parametrize("end", ["", "end abandoned\n"])
@pytest.mark.parametrize("options", ["first = A", "window = drawn"])
@pytest.mark.parametrize("when", [None, "2026-11-20T20:00:00Z"])
def test_every_square_that_can_be_shown_has_a_letter_and_a_positive_number(
    sheet: str, end: str, options: str, when: str | None
) -> None:
    events = review(GAME.format("ziggurat", options) + sheet + end).record.events
    reviewed = Review(Record((replace(events[0], when=when), *events[1:])))
    names = [reviewed.phrase(place).place.partition(", ")[2] for place in range(len(reviewed.steps))]
    floors = [thing for thing in film(reviewed).things if isinstance(thing, Floor)]
    names += [name for floor in floors for name in (*floor.columns, *floor.rows)]
    for place in range(len(reviewed.steps)):
        drawn = draw(reviewed.scene(place), squares=reviewed.squares)
        names += re.findall(r"(?m)^ *(-?[0-9]+) ", drawn) + re.findall(r"(?<= )-[a-z]+(?= )", drawn)
    assert floors
    written = notation.write(reviewed.record, squares=reviewed.squares)
    names += re.findall(r" [0-9]-[0-9] (\S+)", written)
    assert {name for name in names if name and not POSITIVE.fullmatch(name)} == set()
    assert notation.read(written).events[1:] == reviewed.record.events[1:]


def test_a_sentence_names_players_and_squares_and_mistakes_neither_for_the_other() -> None:
    reviewed = review("Game: ziggurat\nPlayers: A Ana (b2), B Ben\n\nA 1-2 a2-b2\nend abandoned\n")
    assert reviewed.named("{0} plays on (1, 5), not {1} on (1, 0)") == "Ana plays on b1, not Ben on b6"


def test_no_line_ends_within_a_tile_or_a_square() -> None:
    sentence = unbroken("Ana plays 9-1 on level 7, b2-c2 · 4 points")
    assert sentence == "Ana plays 9\u20111 on level\u00a07, b2\u2011c2 · 4\u00a0points"
