"""The score sheet: every mistake in it is reported in plain words with its place."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.notation import read, read_line, write
from ledger.record.errors import NotARecord
from refused import answers_of
from test_notation import HEADING, NASTY, SHEETS, THREE, check_round_trip, refusal, small_records

SEATS = {
    "zigzag": "A Ana, B Ben, C Cy",
    "build-up": "A Ana, B Ben",
    "ziggurat": "A Ana, B Ben",
    "domino-ziggurat": "A Ana",
}
ABOVE = {
    "heading": "",
    "a line of any game": HEADING,
    **{f"a line of {game}": f"Game: {game}\nPlayers: {players}\n\n" for game, players in SEATS.items()},
}
"""For each section of the table of refusals, what stands above its lines on a sheet."""


@pytest.mark.parametrize("section", ABOVE)
def test_each_refusal_says_what_is_wrong_and_what_would_be_right(section: str, golden_update: bool) -> None:
    def answer(line: str) -> list[str]:
        try:
            read(ABOVE[section] + line)
        except NotARecord as error:
            return [str(mistake) for mistake in (error, *error.others)]
        return ["(is read)"]

    answers_of(section, answer, golden_update=golden_update)


def test_a_refusal_names_its_file() -> None:
    error = refusal(lambda: read(HEADING + "A pas\n", "sheet.txt"))
    assert (error.source, error.line, error.field) == ("sheet.txt", 4, "column 3")
    assert str(error).startswith("sheet.txt:4: column 3: 'pas' is not understood here: ")


@pytest.mark.parametrize(
    ("sheet", "line", "reason"),
    [
        (f"{HEADING}A bids {'9' * 5000}", 4, "this number is too long"),
        (f"{HEADING}note: {'x' * 2001}", 4, "a text of at most 2000 characters"),
        ("Game: x\nPlayers: " + ", ".join(["Ana"] * 3000), 2, "at most 26"),
        ("Game: x\nPlayers: \ud800", 2, "not a character"),
        (b"Game: x\nPlayers: \xff", 2, "UTF-8"),
    ],
    ids=["5000 digits", "2001 characters", "3000 players", "half a character", "another encoding"],
)
def test_what_is_too_long_or_no_text_is_refused_in_plain_words(sheet: str | bytes, line: int, reason: str) -> None:
    error = refusal(lambda: read(sheet))
    assert (error.source, error.line) == (None, line)
    assert reason in error.reason


def places_of_mistakes(sheet: str) -> list[tuple[int | None, str | None]]:
    """The line and the column of each mistake in a sheet."""
    error = refusal(lambda: read(sheet))
    return [(mistake.line, mistake.field) for mistake in (error, *error.others)]


def test_all_mistakes_are_listed_at_once_without_those_that_only_follow() -> None:
    body = "A bids 12\nB pases\nC passes\nA 2-13\nZ passes\nretract 2\n"
    assert places_of_mistakes(HEADING + body) == [(5, "column 3"), (7, "column 3"), (8, "column 1")]
    # Without players a letter cannot be checked, but an unreadable line can.
    broken = "Gmae: zigzag\nDate: 3\n\nA bids 12\nZ pases\nZ passes\n"
    assert places_of_mistakes(broken) == [(1, "column 1"), (2, "column 1"), (5, "column 3")]
    assert places_of_mistakes("some\nother\ntext") == [(1, "column 1")]
    assert len(places_of_mistakes(HEADING + "x y\n" * 500)) == 100


def test_a_name_that_two_players_have_is_refused() -> None:
    sheet = "Game: zigzag\nPlayers: A Ana (a1), B Ana (b1), C Cy\n\nAna bids 12\n"
    assert places_of_mistakes(sheet) == [(4, "column 1")]


def test_columns_are_those_of_the_line_as_it_was_typed() -> None:
    assert refusal(lambda: read(HEADING + "Ana bids twelve")).field == "column 10"


def test_a_line_typed_alone_is_an_event() -> None:
    assert refusal(lambda: read_line("Game: zigzag", THREE)).reason.startswith("this belongs in the heading")
    assert refusal(lambda: read_line("  ", THREE)).reason.startswith("nothing is written here")
    error = refusal(lambda: read_line("7. A 9-19", THREE, 7))
    assert (error.line, error.field) == (None, "column 6")
    assert refusal(lambda: read_line("7. A 9-1", THREE, 8)).field == "column 1"
    assert "a heading" not in refusal(lambda: read_line("xyz", THREE)).reason


def test_a_mutated_sheet_is_read_or_refused() -> None:
    random = Random(20261120)
    seeds = [write(record, numbered=random.random() < 0.3) for record in small_records()] + SHEETS
    alphabet = [*NASTY, *"0123456789-,;:.#\"'()[]=ABCabcL \n", " because ", "by ", "open ", "amend 0: ", "\ud800", "…"]
    for _ in range(1500):
        sheet = random.choice(seeds)
        for _ in range(random.randint(1, 4)):
            start = random.randrange(len(sheet) + 1)
            end = start + random.choice([0, 0, 1, 1, 5])
            sheet = sheet[:start] + random.choice(["", random.choice(alphabet)]) + sheet[end:]
        try:
            record = read(sheet)
        except NotARecord as error:
            assert error.reason  # noqa: PT017  the point is that nothing else is raised
        else:
            check_round_trip(record)


@given(st.text(max_size=60) | st.binary(max_size=60))
@settings(max_examples=2 * settings.default.max_examples)
def test_any_text_at_all_is_refused(text: str | bytes) -> None:
    refusal(lambda: read(text))


@pytest.mark.parametrize("piece", ['note: "', "amend 1: ", "(", "1-1 "])
def test_long_lines_are_refused_like_short_ones(piece: str) -> None:
    refusal(lambda: read(HEADING + "A has " + piece * 20_000))
    refusal(lambda: read(HEADING + piece * 20_000))
