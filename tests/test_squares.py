"""Names of squares: the same for a square at every step, wherever it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.squares import USUAL, Squares, squares_of
from ledger.visible import unbroken
from sheets import review

FAR = st.integers(-1000, 1000)


def test_columns_are_letters_from_the_left_and_rows_numbers_from_the_bottom() -> None:
    squares = Squares(-1, 3)
    assert [squares.column(x) for x in (-1, 0, 24, 25, 50, 51)] == ["a", "b", "z", "aa", "az", "ba"]
    assert [squares.row(y) for y in (3, 2, -6)] == ["1", "2", "10"]
    assert squares.pair((0, 2), (1, 2)) == "b2-c2"


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


def test_squares_are_counted_from_the_corner_of_all_that_a_record_speaks_of() -> None:
    floating = GAME.format("ziggurat", "first = A")
    assert review(floating).squares == Squares(0, 3)
    assert review(GAME.format("ziggurat", "window = drawn")).squares == Squares(0, 3)
    assert review("Game: domino-ziggurat\nEdition: 2\nPlayers: A Ana, B Ben\n").squares == USUAL
    assert squares_of(()) == USUAL
    retracted = review(floating + "A 1-2 c-1-d-1\nB 2-5 d0-d1\nretract 2 because I misread it\n")
    assert retracted.squares == review(floating + "A 1-2 c-1-d-1\namend 1: A 1-2 c1-c2\n").squares == Squares(2, 7)


def test_a_sentence_names_players_and_squares_and_mistakes_neither_for_the_other() -> None:
    reviewed = review("Game: ziggurat\nPlayers: A Ana (b2), B Ben\n\nA 1-2 a2-b2\n")
    assert reviewed.named("b2 plays on (1, 4), not Ben on (1, -1)") == "Ana plays on b1, not Ben on b6"


def test_no_line_ends_within_a_tile_or_a_square() -> None:
    sentence = unbroken("Ana plays 9-1 on level 7, b2-c2 · 4 points")
    assert sentence == "Ana plays 9\u20111 on level\u00a07, b2\u2011c2 · 4\u00a0points"
