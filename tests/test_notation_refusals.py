"""The score sheet: every mistake in it is reported in plain words with its place."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.notation import read, read_line, write
from ledger.record.errors import NotARecord
from test_notation import HEADING, NASTY, SHEETS, THREE, check_round_trip, refusal, small_records


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("A plas 5-1", 3, "'plas' is not understood .* expected a tile such as 5-1, .*; did you mean plays?"),
        ("A pas", 3, "did you mean passes?"),
        ("Anna 5-1", 1, "did you mean A for Ana?"),
        ("result: Bem", 9, "expected a player's letter or nobody; did you mean B for Ben?"),
        ("D 5-1", 1, "no player has the letter D; the players are A Ana, B Ben, C Cy"),
        ("by D: A 5-1", 4, "no player has the letter D"),
        ('"dee" 5-1', 1, "no player is called 'dee'"),
        ("A 6-14", 3, "no tile '6-14': its halves go from 0 to 12; did you mean 6-4?"),
        ("A has 1-1 64", 11, "did you mean 6-4?"),
        ("A 5-1 b2", 7, "'b2' .* expected two squares such as b2-c2, left or right, on or the end of the line"),
        ("A 5-1 b2-d2", 7, "b2 and d2 are not next to each other"),
        ("A 5-1 b2-b2", 7, "b2 and b2 are not next to each other"),
        ("A 5-1 b2-c3", 7, "b2 and c3 are not next to each other"),
        ("A 5-1 lift", 7, "'lift' .* did you mean left?"),
        ("A 5-1 left right", 12, "expected the end of the line"),
        ("A 5-1 c3-d3 L0", 13, "at least 1 is expected"),
        ("A 5-1 zzz3-zzz4", 7, "the square zzz3 lies too far out"),
        ("A bids", 7, "the line ends too early: expected a number"),
        ("A bids twelve", 8, "'twelve' .* expected a number"),
        pytest.param(f"A bids {'9' * 5000}", 8, "this number is too long", id="5000 digits"),
        ("A bids 12 please", 11, "expected the end of the line"),
        ("A ranks 6 revers", 11, "did you mean reverse?"),
        ("end finnished", 5, "did you mean finished?"),
        ('note: "never', 7, "opens a text that is never closed"),
        ('note: "a" b', 11, "the text in quotes ends before it"),
        (r'note: "\q"', 7, "in a quoted text"),
        (r'note: "\ud800"', 7, "in a quoted text"),
        pytest.param(f"note: {'x' * 2001}", 7, "a text of at most 2000 characters", id="2001 characters"),
        ("note hello", 6, 'expected the number of an event or ":"'),
        ("nite: hello", 1, "did you mean note?"),
        ('A agrees ""', 10, "an empty text is not allowed here"),
        ("hand: A 5, B 6, A 7", 17, "A occurs twice"),
        ("2. A passes", 1, "numbered 2 but it is event 1"),
        ("retract 0", 9, "cannot be retracted"),
        ("amend 0: A passes", 10, "can only be amended to an opening"),
        ("amend 1: retract 1", 10, "'retract' is not understood"),
        ("amend 1: note: hello", 16, "expected a text in quotes"),
        ("amend 1: A passes becuase so", 19, "did you mean because?"),
        ("amend 0: open Players: A Ana, B Ben, C Cy", 10, "the opening does not name its game"),
        ("amend 0: open Game: zigzag; Players: A Ana", 29, "leaves out ben, cy"),
        ("open Game: zigzag; Players: A Ana", 1, "only the first event"),
        ("A passes\nGame: zigzag", 1, "the heading ends where the events begin"),
        ("Placce: home", 1, "did you mean Place:?"),
        ("A 2 - 2", 3, "did you mean 2-2?"),
        ("A 2:2", 3, "did you mean 2-2?"),
        ("A knocks", 3, "did you mean passes?"),
        ("A wins", 3, "did you mean result:?"),
        ("winner: A", 1, "did you mean result:?"),
        ("undo", 1, "did you mean retract?"),
        ("note Ben was late", 6, "did you mean note: Ben was late?"),
        ("amends 1", 1, "did you mean amend?"),
        ("Date: today", 1, "did you mean Played:?"),
        ("insert 6 note: hi there", 16, 'expected a text in quotes; did you mean "hi there"?'),
    ],
)
def test_a_slip_is_refused_in_plain_words(line: str, column: int, reason: str) -> None:
    error = refusal(lambda: read(HEADING + line + "\n", "sheet.txt"))
    assert (error.source, error.line, error.field) == ("sheet.txt", 4 + line.count("\n"), f"column {column}")
    assert re.search(reason.replace("?", r"\?"), error.reason), error.reason
    assert str(error).startswith("sheet.txt:")


@pytest.mark.parametrize(
    ("sheet", "line", "reason"),
    [
        ("", 1, "begins with its heading"),
        ("\n# nothing\n\nA bids 3", 4, "begins with its heading"),
        ("Players: A Ana", 1, "does not name its game"),
        ("Game: zigzag\n", 1, "does not name its players"),
        ("Game: x\nPlayers: A\nGame: y", 3, "Game: occurs twice"),
        ("Game: x\nPlayers: A\nBy: A\nBy: A", 4, "By: occurs twice"),
        ("Game: x\nPlayers: A\nBy: B", 3, "no player has the letter B"),
        ("Game: x\nPlayers: A Ana, a Ben", 2, "two players have the letter a"),
        ("Game: x\nPlayers: A Ana B Ben", 2, "a comma is missing before B"),
        ("Game: x\nPlayers: A Ana (p), B Ben (p)", 2, "two players are called 'p'"),
        pytest.param("Game: x\nPlayers: " + ", ".join(["Ana"] * 3000), 2, "at most 26", id="3000 players"),
        ("Game: x\nOptions: a = 1, a = 2", 2, "the option 'a' occurs twice"),
        ("Players: A\nPlayed: yesterday\nGame: x", 2, "a day is written"),
        ("Game: x\nPlayres: A", 2, "did you mean Players:?"),
        ("Game x", 1, "did you mean Game:?"),
        ("Game: x\nSquares: a1", 2, 'ends too early: expected "="'),
        ("Game: x\nSquares: b2 = 1,2", 2, "'b2' is not understood here: expected a1"),
        ("Game: x\nSquares: a1 = 3", 2, "expected a column and a row of the record such as 0,5"),
        ("Game: x\nSquares: a1 = 0,5000", 2, "a1 is a square from -1000,-1000 to 1000,1000"),
        ("Game: x\nSquares: a1 = 0,3\nSquares: a1 = 0,3", 3, "Squares: occurs twice"),
        ('{"format": "domino-ledger/1"}', 1, "is not understood"),
        ("Game: x\nPlayers: \ud800", 2, "not a character"),
        (b"Game: x\nPlayers: \xff", 2, "UTF-8"),
    ],
)
def test_a_bad_heading_is_refused_in_plain_words(sheet: str | bytes, line: int, reason: str) -> None:
    error = refusal(lambda: read(sheet))
    assert (error.source, error.line) == (None, line)
    assert re.search(reason.replace("?", r"\?"), error.reason), error.reason


@pytest.mark.parametrize(("name", "head"), [("sheet-lines", HEADING), ("headings", "")])
def test_each_refusal_says_the_same_words_as_before(name: str, head: str, golden_update: bool) -> None:
    page = Path(__file__).parent / "printed" / f"{name}.refused"
    now = ""
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("    "):
            continue
        try:
            read(head + line.replace(r"\n", "\n"))
        except NotARecord as error:
            now += "\n".join([line, *(f"    {mistake}" for mistake in (error, *error.others))]) + "\n"
        else:
            now += f"{line}\n    (is read)\n"
    if golden_update:
        page.write_text(now, "utf-8")
    assert page.read_text("utf-8") == now


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
