"""Tables of results from elsewhere: what their columns, days and names mean, and what is wrong with a row."""

from __future__ import annotations

import csv
from collections.abc import Iterator

import pytest

from ledger.keep.score_tables import Plan, Read, read_table
from ledger.record.errors import NotARecord

LONG, WIDE = "day,game,player,score\n", "day,Ana,Ben\n"
SENSE = {
    "a row for each player": (LONG + "2026-11-20,zigzag,Ana,5\n2026-11-20,zigzag,Ben,+3\n", Plan(), [
        "zigzag 2026-11-20 - -: Ana 5, Ben 3; ?",
    ]),
    "a column for each player": (WIDE + "2026-11-20,5,−3\n\n2026-11-21,4,\n", Plan(game="Zigzag", event="Cup"), [
        "zigzag 2026-11-20 Cup -: Ana 5, Ben -3; ?", "zigzag 2026-11-21 Cup -: Ana 4; ?",
    ]),
    "the players' columns by name": ("No,Ana,Ben,Cy\n1,5,3,9\n", Plan(game="x", players=("ana", "CY")), [
        "x - - Table 1: Ana 5, Cy 9; ?",
    ]),
    "titles in other words and capitals": (
        "DATUM;Spiel;Season;Round;WHO;Pts;Winner\n2026-11-20;ziggurat;Cup;Blue;A;5;Yes\n2026-11-20;ziggurat;Cup;Blue;B;5;-\n",
        Plan(), ["ziggurat 2026-11-20 Cup Blue: A 5, B 5; A"],
    ),
    "columns that are named": ("a\tb\tc\n5\tAna\tpub\n", Plan({"score": "A", "player": "B", "place": "c"}, game="x"), [
        "x - - pub: Ana 5; ?",
    ]),
    "a second game of the same people begins where a name comes again": (
        LONG + "2026-11-20,x,Ana,5\n2026-11-20,x,Ben,3\n2026-11-20,x,ana,1\n2026-11-20,x,Ben,2\n", Plan(),
        ["x 2026-11-20 - -: Ana 5, Ben 3; ?", "x 2026-11-20 - -: Ana 1, Ben 2; ?", "Ana = Ana, ana"],
    ),
    "the lowest score wins": (WIDE + "2026-11-20,5,3\n", Plan(game="x", lowest=True), [
        "x 2026-11-20 - -: Ana 5, Ben 3; Ben",
    ]),
    "several win": ("game,player,score,won\nx,Ana,5,1\nx,Ben,5,✓\nx,Cy,2,0\n", Plan(), [
        "x - - -: Ana 5, Ben 5, Cy 2; Ana, Ben",
    ]),
    "other spellings of a person": (
        LONG + "2026-11-20,x,Anne,5\n2026-11-21,x,Anna,4\n2026-11-22,x,Anna,3\n", Plan(same={"anne": "Anna"}),
        ["x 2026-11-20 - -: Anna 5; ?", "x 2026-11-21 - -: Anna 4; ?", "x 2026-11-22 - -: Anna 3; ?",
         "Anna = Anna, Anne"],
    ),
    "a day with its time": (WIDE + "2026-11-20 18:30,5,3\n20.11.2026 8:05:59,1,2\n", Plan(game="x"), [
        "x 2026-11-20 - -: Ana 5, Ben 3; ?", "x 2026-11-20 - -: Ana 1, Ben 2; ?",
    ]),
    "another row shows that the day is first": (WIDE + "3/4/2026,5,3\n13/4/2026,1,2\n", Plan(game="x"), [
        "x 2026-04-03 - -: Ana 5, Ben 3; ?", "x 2026-04-13 - -: Ana 1, Ben 2; ?",
    ]),
    "another row shows that the month is first": (WIDE + "3/4/2026,5,3\n4/13/2026,1,2\n", Plan(game="x"), [
        "x 2026-03-04 - -: Ana 5, Ben 3; ?", "x 2026-04-13 - -: Ana 1, Ben 2; ?",
    ]),
    "the day is first": (WIDE + "3/4/2026,5,3\n", Plan(game="x", days="day-first"), [
        "x 2026-04-03 - -: Ana 5, Ben 3; ?",
    ]),
    "the month is first": (WIDE + "3/4/2026,5,3\n", Plan(game="x", days="month-first"), [
        "x 2026-03-04 - -: Ana 5, Ben 3; ?",
    ]),
    "the same day both ways": (WIDE + "4/4/2026,5,3\n", Plan(game="x"), ["x 2026-04-04 - -: Ana 5, Ben 3; ?"]),
    "a row for each player although players are columns, too": (
        "game,player,score,Ana,Ben\nx,Ana,9,5,3\n", Plan(players=("Ana", "Ben")), ["x - - -: Ana 5, Ben 3; ?"],
    ),
    "a score without players is one more player": ("game,score,Ana\nx,5,3\n", Plan(), ["x - - -: score 5, Ana 3; ?"]),
    "a day that is left empty": (WIDE + ",5,3\n2026-11-20,1,2\n", Plan(game="x"), [
        "x - - -: Ana 5, Ben 3; ?", "x 2026-11-20 - -: Ana 1, Ben 2; ?",
    ]),
    "a day that is nobody's": (WIDE + "later,5,3\n", Plan(game="x"), [
        "t.csv:2: column 1 (day): 'later' is not a day: write it like 2026-11-20",
    ]),
    "a day that may be two": (WIDE + "3/4/2026,5,3\n", Plan(game="x"), [
        "t.csv:2: column 1 (day): '3/4/2026' could be 2026-04-03 or 2026-03-04: say --days day-first or month-first",
    ]),
    "rows that contradict each other": (WIDE + "13/4/2026,5,3\n4/13/2026,1,2\n3/4/2026,5,3\n", Plan(game="x"), [
        "x 2026-04-13 - -: Ana 5, Ben 3; ?", "x 2026-04-13 - -: Ana 1, Ben 2; ?",
        "t.csv:4: column 1 (day): '3/4/2026' could be 2026-04-03 or 2026-03-04: say --days day-first or month-first",
    ]),
    "no score": (LONG + "2026-11-20,x,A,v\n2026-11-20,x,B,3\n2026-11-21,x,B,\n2026-11-22,x,C,2.0\n", Plan(), [
        "x 2026-11-22 - -: C 2; ?",
        "t.csv:2: column 4 (score): 'v' is not a whole number", "t.csv:4: column 4 (score): the score is missing",
    ]),
    "nobody": (LONG + "2026-11-20,x,,5\n", Plan(), ["t.csv:2: column 3 (player): the player's name is missing"]),
    "no game": (LONG + "2026-11-20,,Ana,5\n", Plan(), [
        "t.csv:2: column 2 (game): the game is missing: name it with --game",
    ]),
    "no score in a row": (WIDE + "2026-11-20,,\n2026-11-21,1,2\n", Plan(game="x"), [
        "x 2026-11-21 - -: Ana 1, Ben 2; ?", "t.csv:2: column 2 (Ana): no player has a score",
    ]),
    "somebody twice at a table": (
        "table,game,player,score\n1,x,Ana,5\n1,x,Ana,6\n2,x,Ana,7\n", Plan(),
        ["x - - Table 2: Ana 7; ?", "t.csv:3: column 3 (player): Ana is twice in this game"],
    ),
    "a winner who perhaps won": ("game,player,score,won\nx,Ana,5,perhaps\n", Plan(), [
        "t.csv:2: column 4 (won): 'perhaps' is not yes or no",
    ]),
}  # fmt: skip
"""Each table with its plan, its cards (game, day, event, place: scores; winners), its spellings and its faults."""
SENSELESS = {
    "": "t.csv: it has no rows below the titles of its columns",
    "day,Ana\n": "t.csv: it has no rows below the titles of its columns",
    "Ana,Ana\n1,2\n": "t.csv:1: two columns are called 'Ana'",
    "game,Ana\nx,1\n": "t.csv:1: no column has the player: name it with --column player=TITLE; there are game and Ana",
    "player,game\nAna,x\n": (
        "t.csv:1: no column has the score: name it with --column score=TITLE; there are player and game"
    ),
    'game,Ana\n"x\n': "t.csv:1: no column has the player: name it with --column player=TITLE; there are game and Ana",
}


def lines(table: Read) -> Iterator[str]:
    for card in table.cards:
        scores = ", ".join(f"{name} {score}" for name, score in card.scores.items())
        occasion = " ".join(part or "-" for part in (card.game, card.played, card.event, card.place))
        yield f"{occasion}: {scores}; {', '.join(card.winners or '?')}"
    yield from (f"{name} = {', '.join(forms)}" for name, forms in table.spellings.items())
    yield from map(str, table.errors)


@pytest.mark.parametrize("case", SENSE)
def test_a_table_says_its_games_and_what_is_wrong_with_its_rows(case: str) -> None:
    text, plan, expected = SENSE[case]
    assert list(lines(read_table(text.encode(), "t.csv", plan))) == expected


@pytest.mark.parametrize("text", SENSELESS)
def test_a_table_without_the_columns_that_it_needs_is_refused(text: str) -> None:
    with pytest.raises(NotARecord) as refusal:
        read_table(text.encode(), "t.csv", Plan())
    assert str(refusal.value) == SENSELESS[text]


def test_a_column_that_somebody_named_must_be_there() -> None:
    for plan in (Plan({"player": "who"}), Plan(players=("who",))):
        with pytest.raises(NotARecord, match=r"^t\.csv: no column is called 'who'; there are game and Ana$"):
            read_table(b"game,Ana\nx,1\n", "t.csv", plan)
    with pytest.raises(NotARecord, match="no column has the score"):
        read_table(b"game,Ana\nx,1\n", "t.csv", Plan({"player": "Ana"}))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_read_as_its_spreadsheet_wrote_it(encoding: str) -> None:
    table = read_table("game,Zoë,Jörg\nx,1,2\n".encode(encoding), "t.csv", Plan())
    assert list(lines(table)) == ["x - - -: Zoë 1, Jörg 2; ?"]
    assert table.columns == {"game": "game", "Zoë": "a player", "Jörg": "a player"}


def test_a_text_that_is_no_table_is_refused_with_its_line() -> None:
    limit = csv.field_size_limit(131_072)  # Python's own; sqlite-utils raises it for the whole process
    try:
        with pytest.raises(NotARecord, match=r"^t\.csv:2: not a table: "):
            read_table(LONG.encode() + b'"' + b"x" * 200_000, "t.csv", Plan())
    finally:
        csv.field_size_limit(limit)
