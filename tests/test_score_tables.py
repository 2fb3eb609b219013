"""Tables of results from elsewhere: two shapes, said by their titles, and what is a question or a fault."""

import csv
from collections.abc import Iterator

import pytest

from ledger.keep.score_tables import LONG, TEMPLATE, Plan, Reading, read_table
from ledger.record.errors import NotARecord

ROWS, WIDE = "day,game,player,score\n", "day,|,Ana,Ben\n"
X = Plan(game="x")
SENSE = {
    "a row for each player": (ROWS + "2026-11-20,zigzag,Ana,5\n2026-11-20,zigzag,Ben,+3\n2026-11-20,zigzag,Cy,-\n",
        Plan(), ["zigzag 2026-11-20 - -: Ana 5, Ben 3, Cy ?"]),
    "a column for each player": (WIDE + "2026-11-20,,5,−3\n\n2026-11-21,,4,\n", Plan(game="Block", event="Cup"), [
        "Block 2026-11-20 Cup -: Ana 5, Ben -3", "Block 2026-11-21 Cup -: Ana 4",
    ]),
    "titles in capitals, and the other words": (
        "DATE;Game;NAME;Points;Winner;Where\n2026-11-20;x;A;5;Yes;pub\n2026-11-20;x;B;5;-;pub\n",
        Plan(), ["x 2026-11-20 - pub: A 5, B 5; won A"],
    ),
    "answers": ("a\tb\tc\td\n5\tAna\tpub\train\n",

        Plan({"A": "score", "b": "player", "C": "where", "d": "skip"}, "x"), [
        "x - - pub: Ana 5",
    ]),
    "players said one by one": ("No,Ana,Ben,Cy\n1,5,3,9\n",
        Plan({"ana": "|", "CY": "|", "No": "table", "Ben": "skip"}, "x"),
        ["x - - table 1: Ana 5, Cy 9"]),
    "the winner by name": (
        "day,won,|,Ana,Ben,Cy\n1.3.26,Ben & cy,,5,3,\n2.3.26,nobody,,1,2,\n3.3.26,,,1,2,\n4.3.26,Ana,,1,2,3\n", X,
        ["x 2026-03-02 - -: Ana 1, Ben 2; won nobody", "x 2026-03-03 - -: Ana 1, Ben 2",
         "x 2026-03-04 - -: Ana 1, Ben 2, Cy 3; won Ana", "t.csv:2: B2: “cy” did not play in this game"],
    ),
    "winners, ranks and teams without points": (
        "record,game,player,won,rank,team\n1,x,Ana,yes,1,A\n1,x,Ben,no,2,B\n1,x,Cy,yes,1,A\n2,x,Ana,no,,\n2,x,Ben,no,,\n",
        Plan(), ["x - - -: Ana ?, Ben ?, Cy ?; won Ana, Cy; ranks Ana 1, Ben 2, Cy 1; teams Ana+Cy, Ben; id 1",
                 "x - - -: Ana ?, Ben ?; won nobody; id 2"],
    ),
    "the fewest points win": (WIDE + "2026-11-20,,5,3\n", Plan(game="x", lowest=("X",)), [
        "x 2026-11-20 - -: Ana 5, Ben 3; lowest",
    ]),
    "only one game": (ROWS + "2026-11-20,x,A,1\n2026-11-20,x,B,2\n2026-11-20,y,A,1\n2026-11-20,y,B,2\n",
        Plan(only=("Y",)), ["y 2026-11-20 - -: A 1, B 2", "2 left out"]),
    "faults of other games": (ROWS + "?,x,A,1\n2026-11-20,x,B\n,x,B\n2026-11-20,y,A,1\n2026-11-20,y,B,2\n",
        Plan(only=("Y",)), ["y 2026-11-20 - -: A 1, B 2", "3 left out"]),
    "what single cells mean": (
        ROWS.replace("\n", ",won\n") + '3/4/2026,Domino,Ana,1.204,oui\n3/4/2026,domino,Ben,"1,5",non\n'
        "2026-11-21,x,Ana,1.204,x\n2026-11-21,x,Ben,1.205,\n",
        Plan(same={"3/4/2026": "2026-04-03", "domino": "Block", "1.204": "1204", "1,5": "2", "oui": "yes", "NO": "x",
                   "non": "no"}),
        ["Block 2026-04-03 - -: Ana 1204, Ben 2; won Ana", "t.csv:5: D5: “1.205”: is it 1205? (--thousands)"],
    ),
    "apostrophes before numbers, days and signs": (
        ROWS + "'2026-11-20,x,'tHooft,'5\n2026-11-20,x,'=Ana,'-1\n", Plan(), ["x 2026-11-20 - -: 'tHooft 5, =Ana -1"],
    ),
    "other spellings of a person": (ROWS + "2026-11-20,x,Anne,5\n", Plan(same={"anne": "Anna"}), [
        "x 2026-11-20 - -: Anna 5",
    ]),
    "days as people write them": (
        WIDE + "2026-11-20 18:30,,5,3\n20.11.26,,1,2\n3/13/26,,1,2\n45716,,1,2\n2026-03-01T9:30,,1,1\n01-Mar-26,,1,0\n",
        X, [
        "x 2026-11-20 - -: Ana 5, Ben 3", "x 2026-11-20 - -: Ana 1, Ben 2", "x 2026-03-13 - -: Ana 1, Ben 2",
        "x 2025-02-28 - -: Ana 1, Ben 2", "x 2026-03-01 - -: Ana 1, Ben 1",
        "x 2026-03-01 - -: Ana 1, Ben 0",
    ]),
    "the day is first": (WIDE + "3/4/2026,,5,3\n",
        Plan(game="x", days="day-first"), ["x 2026-04-03 - -: Ana 5, Ben 3"]),
    "the month is first": (WIDE + "3/4/26,,5,3\n",
        Plan(game="x", days="month-first"), ["x 2026-03-04 - -: Ana 5, Ben 3"]),
    "a day that may be two": (WIDE + "3/4/2026,,5,3\n", X, [
        "t.csv:2: A2: “3/4/2026” could be 2026-04-03 or 2026-03-04 (--days day-first or month-first)",
    ]),
    "a day that is nobody's": (WIDE + "later,,5,3\n",
        X, ["t.csv:2: A2: “later” is not a day: write it like 2026-11-20"]),
    "numbers": (WIDE + '2026-11-20,,5.0,"3,00"\n2026-11-21,,4.5,1\n2026-11-22,,"1,204",1\n2026-11-23,,2.000,1\n', X, [
        "x 2026-11-20 - -: Ana 5, Ben 3", "t.csv:3: C3: “4.5” is not a whole number of points",
        "t.csv:4: C4: “1,204”: is it 1204? (--thousands)",
        "t.csv:5: C5: “2.000”: is it 2000? (--thousands)",
    ]),
    "thousands": (WIDE + "2026-11-20,,\"1,204\",-1.000.000\n2026-11-21,,1 000,2'000\n",
        Plan(game="x", thousands=True), [
        "x 2026-11-20 - -: Ana 1204, Ben -1000000", "x 2026-11-21 - -: Ana 1000, Ben 2000",
    ]),
    "merged cells": (ROWS + "2026-11-20,x,A,1\n,,B,2\n2026-11-21,x,A,3\n,,B,4\n", Plan(), [
        "t.csv:3: B3: the game is missing; is it that above, a merged cell? (--fill-down)",
        "t.csv:5: B5: the game is missing; is it that above, a merged cell? (--fill-down)",
        "t.csv:2: C2: 20 Nov 2026, x is left out: a row of it has a fault",
        "t.csv:4: C4: 21 Nov 2026, x is left out: a row of it has a fault",
    ]),
    "merged cells, filled": (ROWS + "2026-11-20,x,A,1\n,,B,2\n2026-11-21,x,A,3\n,,B,4\n", Plan(fill=True), [
        "x 2026-11-20 - -: A 1, B 2", "x 2026-11-21 - -: A 3, B 4",
    ]),
    "a fault leaves the whole game out, and what it may belong to": (
        ROWS + "2026-11-19,x,A,1\n2026-11-19,x,B,1\n2026-11-20,x,A,1\n2026-11-2O,x,B,2\n2026-11-21,x,A,v\n"
        "2026-11-21,x,B,3\n2026-11-22,x,A,7\n2026-11-22,x,B,3\n", Plan(), [
        "x 2026-11-19 - -: A 1, B 1", "x 2026-11-22 - -: A 7, B 3",
        "t.csv:5: A5: “2026-11-2O” is not a day: write it like 2026-11-20",
        "t.csv:4: C4: 20 Nov 2026, x is left out: a row of it has a fault",
        "t.csv:6: D6: “v” is not a whole number of points",
    ]),
    "cells": ("day,|,Ana,Ben\n2026-11-20,,5\n2026-11-21,,5,6,\n2026-11-22,,5,6,7\n", X, [
        "x 2026-11-21 - -: Ana 5, Ben 6", "t.csv:2: E2: 3 cells, but 4 titles", "t.csv:4: E4: 5 cells, but 4 titles",
    ]),
    "nobody": (ROWS + "2026-11-20,x,,5\n2026-11-20,x,B,5\n", Plan(), [
        "t.csv:2: C2: the player's name is missing",
    ]),
    "no points, and no winner": (WIDE + "2026-11-20,,,\n", X, ["t.csv:2: A2: 20 Nov 2026, x: no players"]),
    "somebody twice": (ROWS + "2026-11-20,x,Ben,5\n2026-11-20,x,ben,3\n", Plan(), [
        "t.csv:3: C3: ben is twice in this game: say which table it was (title table or record)",
    ]),
    "two tables": ("day,game,table,player,score\n2026-11-20,x,1,Ben,5\n2026-11-20,x,2,Ben,3\n", Plan(), [
        "x 2026-11-20 - table 1: Ben 5", "x 2026-11-20 - table 2: Ben 3",
    ]),
    "a winner who perhaps won": ("game,player,score,won\nx,Ana,5,perhaps\n", Plan(), [
        "t.csv:2: D2: “perhaps” is not yes or no",
    ]),
    "did nobody win": ("game,player,score,won\nx,Ana,5,no\nx,Ben,6,\n", Plan(), [
        "t.csv:2: D2: some rows say no, and others nothing: did nobody win?",
    ]),
    "a game with rules takes its numbers of players": (ROWS + "2026-11-20,zigzag,A,1\n2026-11-20,zigzag,B,1\n",
        Plan(), [
        "t.csv:2: C2: 20 Nov 2026, Zigzag: Zigzag is for three players, not 2",
    ]),
    "a name that a spreadsheet would take for a formula": (ROWS + "2026-11-20,x,'@zoe,1\n2026-11-20,x,'-Max-,2\n",
        Plan(), [
        "x 2026-11-20 - -: @zoe 1, -Max- 2",
    ]),
    "two sides": ("Player 1,Score 1,Player 2,Score 2,Winner\nAna,44,Ben,51,Ana\n", Plan(game="x", sides=True), [
        "x - - -: Ana 44, Ben 51; won Ana",
    ]),
    "home and away": ("date,Home,Away,Home Score,Away Score\n2026-11-20,Ana,Ben,4,5\n", Plan(game="x", sides=True), [
        "x 2026-11-20 - -: Ana 4, Ben 5",
    ]),
    "two sides of two": ("Team 1,Team 2,Score 1,Score 2\nAna & Ben,Cy + Dee,100,60\n", Plan(game="x", sides=True), [
        "x - - -: Ana 100, Ben 100, Cy 60, Dee 60; teams Ana+Ben, Cy+Dee",
    ]),
    "two who play together": ("game,player,score,won\nx,Ana & Ben,5,yes\nx,Cy,3,no\n", Plan(), [
        "x - - -: Ana 5, Ben 5, Cy 3; won Ana, Ben; teams Ana+Ben",
    ]),
    "titles of two who play together": ("day,|,Ana & Ben,Cy & Dee\n2026-11-20,,5,3\n", X, [
        "x 2026-11-20 - -: Ana 5, Ben 5, Cy 3, Dee 3; teams Ana+Ben, Cy+Dee",
    ]),
    "the winner by name in each row": (
        "day,player,winner\n1.3.26,Ana,Ben\n1.3.26,Ben,Ben\n2.3.26,Ana,nobody\n2.3.26,Ben,nobody\n", X,
        ["x 2026-03-01 - -: Ana ?, Ben ?; won Ben", "x 2026-03-02 - -: Ana ?, Ben ?; won nobody"],
    ),
    "Excel's first line": ("sep=;\ngame;player;score\nx;Ana;5\nx;Ben;later\n", Plan(), [
        "t.csv:4: C4: “later” is not a whole number of points",
    ]),
    "ranks that contradict who won": ("game,player,score,rank,won\nx,A,1,1,no\nx,B,2,2,yes\n", Plan(), [
        "t.csv:2: B2: x: the ranks contradict who won",
    ]),
    "some ranks": ("game,player,score,rank\nx,A,1,1\nx,B,2,\n", Plan(), ["t.csv:2: B2: x: some ranks are missing"]),
    "a team with one winner and one loser": ("game,player,won,team\nx,A,yes,T\nx,B,no,T\nx,C,no,\n", Plan(), [
        "t.csv:2: C2: of one team, some won and others did not",
    ]),
    "cheats": ("game,player,score\ndomino ziggurat,A,5\ndomino ziggurat,B,7\n", Plan(), [
        "t.csv:2: B2: Domino Ziggurat: in Domino Ziggurat all have the same number of cheats",
    ]),
    "winner and loser": ("Winner,Loser\nAna,Ben\n", Plan(game="x", sides=True), ["x - - -: Ana ?, Ben ?; won Ana"]),
}  # fmt: skip
"""Each table with its plan, its cards and its faults."""
QUESTIONS = {
    "day,Ana,Ben,Total\n2026-11-20,1,2,3\n": ["B Ana", "C Ben", "D Total"],
    "date,player,place,score\n2026-11-20,Ana,1,51\n": ["C place"],
    "Date,Member,Score,Rank\n2026-11-20,Ana,51,1\n": ["B Member"],
    "Datum;Spiel;Spieler;Punkte\n1.3.26;x;Ana;5\n": ["A Datum", "B Spiel", "C Spieler", "D Punkte"],
    "Player 1,Score 1,Player 2,Score 2\nAna,44,Ben,51\n": [
        "A Player 1", "B Score 1", "C Player 2", "D Score 2", "sides",
    ],
    "id,playId,playerRefId,score\n1,2,3,4\n": ["A id", "B playId", "C playerRefId"],
    "day,|,Ana,Ben,Total\n2026-11-20,,1,2,3\n2026-11-21,,4,5,9\n": ["E Total"],
    "day,|,Ana,Ben,score\n2026-11-20,,1,2,3\n": ["E score"],
    "day,player,score,moves\n2026-11-20,Ana,1,2\n": ["D moves"],
    "day,player,score,\n2026-11-20,Ana,1,what\n": ["D "],
}  # fmt: skip
"""Tables with titles that are not known."""
SENSELESS = {
    "": "t.csv: it has no rows below the titles of its columns",
    "day,Ana\n": "t.csv: it has no rows below the titles of its columns",
    "Ana,ana\n1,2\n": "t.csv:1: two columns are called 'ana'",
    "date,day,player,score\n1,2,3,4\n": "t.csv: two columns, or more, have day; leave one out (--column skip=TITLE)",
    "player,|,Ana\n1,,2\n": (
        "t.csv: two columns, or more, have the players and the score; leave one out (--column skip=TITLE)"
    ),
    "player,game\nAna,x\n": (
        "t.csv: no column has the score, the rank, or who won; name it with --column, there are player and game"
    ),
    "day,score\n1,2\n": "t.csv: no column has the player; name it with --column, there are day and score",
}


def lines(table: Reading) -> Iterator[str]:
    for card in table.cards:
        scores = ", ".join(f"{name} {'?' if score is None else score}" for name, score in card.scores.items())
        occasion = " ".join(part or "-" for part in (card.game, card.played, card.event, card.place))
        parts = [f"{occasion}: {scores}"]
        parts += [f"won {', '.join(card.winners) or 'nobody'}"] if card.winners is not None else []
        parts += [f"ranks {', '.join(f'{name} {rank}' for name, rank in card.ranks.items())}"] if card.ranks else []
        parts += [f"teams {', '.join('+'.join(team) for team in card.teams)}"] if card.teams else []
        parts += ["lowest"] if card.lowest else []
        parts += [f"id {card.source.id}"] if card.source else []
        yield "; ".join(parts)
    yield from map(str, table.errors)
    if table.left_out:
        yield f"{table.left_out} left out"


@pytest.mark.parametrize("case", SENSE)
def test_a_table_says_its_games_and_what_is_wrong(case: str) -> None:
    text, plan, expected = SENSE[case]
    assert list(lines(read_table(text.encode(), "t.csv", plan))) == expected


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_title_that_is_not_known_is_a_question_and_nothing_is_read(text: str) -> None:
    table = read_table(text.encode(), "t.csv", X)
    asked = [f"{column.letter} {column.title}" for column in table.questions] + (["sides"] if table.sides else [])
    assert (table.cards, asked) == ([], QUESTIONS[text])


@pytest.mark.parametrize("text", SENSELESS)
def test_a_table_that_contradicts_itself_is_refused(text: str) -> None:
    with pytest.raises(NotARecord) as refusal:
        raise read_table(text.encode(), "t.csv", Plan()).errors[0]
    assert str(refusal.value) == SENSELESS[text]


def test_the_rows_of_the_games_with_a_fault_are_there_and_what_their_cells_may_mean() -> None:
    text = (
        f"{ROWS.strip()},finished,edition,seat,players,moves,hands,mistakes,card\n"
        + "".join(f"{row},{more},,,,,,,\n" for row, more in (
            ("2026-11-20,x,A,1", "yes"), ("2026-11-20,x,B,2", "yes"), ("2026-11-21,x,A,1", "no"), ("3/4/26,y,A,1", ""),
            ("2026-11-22,x,A,1.000", "yes"), ("2026-11-22,x,B,5", "yes"),
        ))
    )  # fmt: skip
    reading = read_table(text.encode(), "t.csv", Plan())
    assert [row[:4] for row in reading.faulty_rows[1:]] == [
        ["3/4/26", "y", "A", "1"], ["2026-11-22", "x", "A", "1.000"], ["2026-11-22", "x", "B", "5"],
    ]  # fmt: skip
    assert [*reading.choices.values()] == [("3/4/26", ("2026-04-03", "2026-03-04")), ("1.000", ["1000"])]


def test_a_column_that_somebody_named_must_be_there() -> None:
    with pytest.raises(NotARecord, match=r"^t\.csv: no column is called 'who'; there are game and Ana$"):
        read_table(b"game,Ana\nx,1\n", "t.csv", Plan({"who": "player"}))


def test_the_template_is_read_as_it_is() -> None:
    table = read_table(TEMPLATE.encode(), "t.csv", Plan())
    assert (tuple(column.title for column in table.columns), table.errors, table.questions) == (LONG, [], [])
    assert list(lines(table)) == [
        "zigzag 2026-03-01 Spring Cup the kitchen, table 1: Ana 101, Ben 71, Cy 88",
        "Block 2026-03-08 - table 1: Dee ?, Eva ?, Finn ?, Gus ?; won Dee, Eva; teams Dee+Eva, Finn+Gus",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_read_as_its_spreadsheet_wrote_it(encoding: str) -> None:
    assert list(lines(read_table("game,|,Zoë,Jörg\nx,,1,2\n".encode(encoding), "t.csv", Plan()))) == [
        "x - - -: Zoë 1, Jörg 2"
    ]


def test_a_table_in_another_encoding_is_refused_with_what_to_do() -> None:
    with pytest.raises(NotARecord, match="save the file as UTF-8"):
        read_table("game,|,Zoë\nx,,1\n".encode("cp1252"), "t.csv", Plan())


def test_a_text_that_is_no_table_is_refused_with_its_line() -> None:
    limit = csv.field_size_limit(131_072)  # Python's own; sqlite-utils raises it for the whole process
    try:
        with pytest.raises(NotARecord, match=r"^t\.csv:2: not a table: "):
            read_table(ROWS.encode() + b'"' + b"x" * 200_000, "t.csv", Plan())
    finally:
        csv.field_size_limit(limit)
