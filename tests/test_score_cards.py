"""Score cards: sheets, the command, a club's spreadsheet with the usual dirt, the export of BG Stats."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from command_output import outcome_of
from ledger import notation
from ledger.audit.review import Review
from ledger.club.load import club_of, club_of_reviews
from ledger.club.people import everybody
from ledger.club.profile import profile
from ledger.club.ratings import LEAST, ladders
from ledger.club.result_exports import bg_stats
from ledger.club.standings import standings
from ledger.club.statistics import statistics
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder, players_for
from ledger.keep.score_cards import ScoreCard, compare
from ledger.keep.score_tables import LONG, TEMPLATE, Plan, Reading, read_table
from ledger.keep.stored_audits import audit_anew
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Bid, Cheats, Close, Open, Result, Score, Source
from ledger.record.record import Record
from ledger.stores.query import Query
from temporary import TemporaryStore


def run(*arguments: str, status: int = 0) -> tuple[str, str]:
    """The stdout and stderr of the command, which must end with this status."""
    code, stdout, stderr = outcome_of(*arguments)
    assert code == status, stderr
    return stdout, stderr


SHEET = "Game: {}\nPlayers: Ana, Ben, Cy\ntotal: A 101, B 71, C 88\n"
EVENINGS = 300
PEOPLE = ("Ana", "Ben", "Cy", "Dora", "José", "Eva")


def test_a_sheet_with_totals_alone_is_a_card_and_comes_back() -> None:
    for game, title in (("Zigzag", "Zigzag"), ("Mexican Train", "Mexican Train")):
        record = notation.read(SHEET.format(game) + "result: A\n")
        review = Review(record)
        assert (review.game.title, review.report.verdict, review.report.finished) == (title, "scores-only", True)
        assert (review.report.scores, review.report.winners) == ({"ana": 101, "ben": 71, "cy": 88}, ("ana",))
        assert notation.read(notation.write(record)) == record == codec.decode(codec.encode(record))


def test_a_card_without_a_result_is_won_by_most_points_and_one_left_is_not_finished() -> None:
    assert Review(notation.read(SHEET.format("Zigzag"))).report.winners == ("ana",)
    assert not Review(notation.read(SHEET.format("Zigzag") + "end abandoned\n")).report.finished
    with_heading = "Card: no\n".join(SHEET.format("Zigzag").split("total", 1)).replace("no\n:", "no\ntotal:")
    assert Review(notation.read(with_heading)).report.verdict == "breach"
    assert "Card: no" in notation.write(notation.read(with_heading))


def test_an_act_in_a_card_is_impossible_and_a_card_without_scores_is_refused() -> None:
    record = notation.read(SHEET.format("Zigzag"))
    report = Review(Record((*record.events, Bid("ana", 12)))).report
    assert (report.verdict, report.findings[0].clause) == ("impossible", "record.event")
    assert report.findings[0].message == "A score card has no bids"
    codec.check_whole((record.events[0], Score("game", {"ana": 3})))
    with pytest.raises(NotARecord, match="a score of the game, a result"):
        codec.check_whole((record.events[0], Score("game", {})))


def spreadsheet(random: Random) -> tuple[bytes, Counter[str], dict[str, Fraction]]:
    """A club's results with dirt; the points and the wins of each person, counted beside it."""
    out = io.StringIO(newline="")
    table = csv.writer(out, delimiter=";")
    table.writerow(("Datum", "Wer", "Punkte", "table", "Wetter", ""))
    points, wins = Counter[str](), dict.fromkeys(PEOPLE, Fraction())
    spelled = {"José": ("José", "Jose", "josé ", "JOSÉ")}
    for evening in range(EVENINGS):
        day = date(2020, 1, 3) + timedelta(days=7 * evening)
        written = day.isoformat() if evening % 3 else f"{day.day}.{day.month}.{day.year}"
        for number in range(1, 3):
            people = random.sample(PEOPLE, 3)
            scores = [random.randint(20, 60) for _ in people]
            for name, score in zip(people, scores, strict=True):
                typed = random.choice(spelled.get(name, (name, f" {name}", name)))
                table.writerow((written, typed, score, number, random.choice(("rain", "", "12")), ""))
                points[name] += score
                if score == max(scores):
                    wins[name] += Fraction(1, scores.count(score))
        table.writerow(("",) * 6)
    return out.getvalue().encode("utf-8-sig"), points, wins


def test_a_clubs_spreadsheet_of_300_evenings_is_imported_once_and_its_standings_agree() -> None:
    text, points, wins = spreadsheet(Random(30))
    plan = Plan({"Datum": "day", "Wer": "player", "Punkte": "score", "Wetter": "skip"}, game="Hearts",
                event="The club", same={"Jose": "José"})  # fmt: skip
    table = read_table(text, "results.csv", plan)
    assert (table.errors, len(table.cards), len({card.played for card in table.cards})) == ([], 600, EVENINGS)
    with TemporaryStore() as store:
        kept = keep(store, compare(store, table.cards), "results.csv")
        assert Counter(match.outcome for match in kept) == {"new": 600}
        size = store.size()
        assert {match.outcome for match in compare(store, table.cards)} == {"known"}
        assert store.size() == size
        club = club_of(store)
        ranking = standings(club, "The club")
        assert ranking is not None
        assert {place.name: place.points for place in ranking.places} == points
        assert {place.name: place.wins for place in ranking.places} == wins
        assert (ranking.cards, statistics(club, "Hearts").cards, statistics(club, "Hearts").moves) == (600, 600, None)
        assert store.count_records(Query(verdict="scores-only")) == 600
        assert list(store.differences()) == []


@pytest.mark.parametrize(("arguments", "words"), [
    (("", "Ana=1", "Ben=2"), "the game has no name"),
    ((" ", "Ana=1", "Ben=2"), "the game has no name"),
    (("Hearts", "Ana=1", "--edition", ""), "the edition has no name: leave --edition out if the game has only one"),
    (("Hearts", "Ana=1", " =2"), "' =2' has no name"),
    (("Hearts", "Ana=1", "Ana=2"), "two players have one name"),
    (("Hearts", "Ana", "Ben"), "no points, and nobody noted who won"),
    (("Hearts", "Ana=1", "Ben=2", "--winner", "Cy"), "Cy is not among the players: Ana and Ben"),
    (("zigzag", "Ana=5", "Ben=3"), "Zigzag is for three players, not 2"),
    (("Hearts", "Ana=1000000001", "Ben=2"), "at most 1000000000 is expected here"),
    (("H" * 201, "Ana=1", "Ben=2"), "a card has at most 26 players, and names of at most 200 letters"),
])  # fmt: skip
def test_a_card_that_cannot_be_made_is_refused_in_plain_words(arguments: tuple[str, ...], words: str, tmp_path) -> None:
    _stdout, stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", *arguments, status=2)
    assert stderr.splitlines()[-1] == f"Error: {words}"


def test_in_domino_ziggurat_all_win_and_cheats_are_counted_together() -> None:
    record = ScoreCard("domino-ziggurat", {"Ana": 3, "Ben": 3}, winners=None).record()
    assert [type(event) for event in record.events] == [Open, Cheats, Close]
    report = Review(record).report
    assert (report.finished, set(report.scores.values()), set(report.winners or ())) == (True, {3}, set(report.scores))


def test_a_card_of_a_game_that_is_known_has_its_tag(tmp_path) -> None:
    for game, tag, *more in (
        ("Zig Zag", "zigzag", "Cy=1"),
        ("build up", "build-up"),
        ("Mexican Train", "Mexican Train"),
    ):
        stdout, _stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", game, "Ana=3", "Ben=8", *more, "--json")
        assert json.loads(stdout)["game"] == tag


def test_a_card_of_a_game_that_is_here_already_is_a_question(tmp_path) -> None:
    ledger = ("--ledger", str(tmp_path / "a.sqlite"))
    first = ("card", "Block", "Ana=3", "Ben", "--winner", "Ana", "--played", "2026-03-01")
    record = run(*ledger, *first)[0].strip()
    for said, differs in ((first, ""), ((*first[:2], "ben=9", "Ana=1", *first[-2:]), ", and differs")):
        _stdout, stderr = run(*ledger, *said, status=2)
        short = f"It is here already{differs}: Ana 3, Ben; Ana won (record {record})."
        assert f"{short} If this is another game, add --as-new" in stderr
    run(*ledger, *first[:-1], "2026-03-02")
    run(*ledger, *first, "--as-new")
    assert len(run(*ledger, "list", "--json")[0].splitlines()) == 3
    played = run(*ledger, "simulate", "zigzag", "--seed", "4")[0].replace('"open"', '"open","played":"2026-03-01"', 1)
    (tmp_path / "z.ndjson").write_text(played, "utf-8")
    run(*ledger, "import", str(tmp_path / "z.ndjson"))
    row = json.loads(run(*ledger, "list", "--json", "--game", "zigzag")[0])
    ends = [f"{player[1]}={score}" for player, score in zip(row["players"], row["audit"]["scores"], strict=True)]
    assert "It is here already: " in run(*ledger, "card", "zigzag", *ends, "--played", row["played"], status=2)[1]


def test_a_card_says_winners_teams_and_ranks_or_nobody(tmp_path) -> None:
    ledger = ("--ledger", str(tmp_path / "a.sqlite"))
    for said, winners, scores in (
        (("Ana", "Ben", "--winner", "ana"), ["p1"], [None, None]),
        (("Ana=3", "Ben=2", "--nobody"), [], [3, 2]),
        (("Ana=3", "Ben=2", "--lowest"), ["p2"], [3, 2]),
        (("Ana", "Ben", "--ranked", "Ana=2", "--ranked", "Ben=1"), ["p2"], [None, None]),
        (("Ana", "Ben=2"), None, [None, 2]),
        (("Ana", "Ben", "Cy", "Dee", "--team", "Ana,cy", "--team", "Ben,Dee", "--winner", "Cy"), ["p1", "p3"],
         [None] * 4),
    ):  # fmt: skip
        record = run(*ledger, "card", "Block", "--as-new", *said)[0].strip()
        rows = map(json.loads, run(*ledger, "list", "--json")[0].splitlines())
        audit = next(row["audit"] for row in rows if row["id"] == record)
        assert (audit["winners"], audit["scores"], audit["finished"]) == (winners, scores, True)


def test_a_card_belongs_to_the_games_of_a_set_only_if_it_says_which() -> None:
    sheet = "Game: ziggurat\nPlayers: Ana, Ben\n{}total: A {}, B 71\n"
    with TemporaryStore() as store:
        recorder = Recorder(store)
        for points, options in ((101, ""), (102, ""), (103, "Options: set = 12\n")):
            recorder.import_record(notation.read(sheet.format(options, points)))
        audit_anew(store)
        club = club_of(store)
        kinds = statistics(club, "ziggurat").kinds
        assert [(kind.title, kind.games) for kind in kinds] == [("Two players", 2), ("Double 12, two players", 1)]
        assert [statistics(club, "ziggurat", 2, size).games for size in (None, 0, 12, 6)] == [2, 2, 1, 0]


# ---- Tables of results from elsewhere: two shapes, said by their titles, and what is a question or a fault.


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


# ---- What a score card says of its end: points, winners, places, teams, or some of them, everywhere the same.


FOUR = ("Ana", "Ben", "Cy", "Dee")
PAIRS = (("p1", "p3"), ("p2", "p4"))


def card(*claims: Any, names: tuple[str, ...] = ("Ana", "Ben"), game: str = "Block", **opening: Any) -> Record:
    opened = Open(game, players=players_for(names), card=True, event="Cup", **opening)
    return codec.check_whole((opened, *claims, Close("finished")))


def points(*numbers: int | None) -> Score:
    return Score("game", {f"p{seat}": number for seat, number in enumerate(numbers, 1) if number is not None})


CASES = {
    "points": (card(points(51, 44)), ("p1",), [51, 44], [1, 2]),
    "the fewest points": (card(points(51, 44), lowest=True), ("p2",), [51, 44], [2, 1]),
    "winners against the points": (card(points(51, 44), Result(("p2",))), ("p2",), [51, 44], [2, 1]),
    "winners alone": (card(Result(("p2",))), ("p2",), [None, None], [2, 1]),
    "nobody": (card(points(51, 44), Result(())), (), [51, 44], [None, None]),
    "nobody, without points": (card(Result(())), (), [None, None], [None, None]),
    "not said": (card(points(51, None)), None, [51, None], [None, None]),
    "some points and a winner": (card(points(51, None), Result(("p1",))), ("p1",), [51, None], [1, 2]),
    "places": (card(Result(("p2",), ranks={"p2": 1, "p1": 2})), ("p2",), [None, None], [2, 1]),
    "teams": (card(points(9, 5, 3, 4), names=FOUR, teams=PAIRS), ("p1", "p3"), [9, 5, 3, 4], [1, 3, 1, 3]),
    "teams that wrote the sum for each": (
        card(points(7, 8, 7, 8), names=FOUR, teams=PAIRS), ("p2", "p4"), [7, 8, 7, 8], [3, 1, 3, 1],
    ),
    "one of the team is named": (
        card(Result(("p4",)), names=FOUR, teams=PAIRS), ("p2", "p4"), [None] * 4, [3, 1, 3, 1],
    ),
    "all together, lost": (card(Result(()), teams=(("p1", "p2"),)), (), [None, None], [None, None]),
    "all together, won": (card(Result(("p1", "p2")), teams=(("p1", "p2"),)), ("p1", "p2"), [None, None], [1, 1]),
    "cheats": (card(Cheats(3), game="domino-ziggurat"), ("p1", "p2"), [3, 3], [1, 1]),
}  # fmt: skip


@pytest.mark.parametrize(("record", "winners", "scores", "ranks"), CASES.values(), ids=CASES)
def test_the_report_the_list_and_the_tables_say_the_same(
    record: Record, winners: tuple[str, ...] | None, scores: list[int | None], ranks: list[int | None]
) -> None:
    report = Review(record).report
    assert (report.winners, [*report.scores.values()], report.finished) == (winners, scores, True)
    (game,) = club_of_reviews([Review(record)]).games()
    assert [seat.score for seat in game.seats] == scores
    assert [seat.rank for seat in game.seats] == ranks
    assert game.decided is (winners is not None)
    with TemporaryStore() as store:
        Recorder(store).import_record(record, "card")
        audit_anew(store)
        assert club_of(store).games()[0]._replace(record="") == game._replace(record="")


@pytest.mark.parametrize("record", [case[0] for case in CASES.values()], ids=CASES)
def test_a_card_goes_through_its_sheet_and_its_json(record: Record) -> None:
    assert notation.read(notation.write(record)) == record
    assert codec.decode_foreign(codec.encode(record)) == record


def test_a_source_goes_through_its_sheet() -> None:
    record = card(Result(()), source=Source(from_="bgstats", id="a b  c"))
    assert notation.read(notation.write(record)) == record


@pytest.mark.parametrize(
    ("opening", "reason"),
    [
        (Open("x", players=players_for(FOUR), teams=PAIRS), "only a score card has `teams`"),
        (Open("x", players=players_for(FOUR), card=True, teams=(("p1", "p9"),)), "no player is called 'p9'"),
        (Open("x", players=players_for(FOUR), card=True, teams=(("p1",), ("p1",))), "'p1' is twice in the teams"),
        (Open("x", players=players_for(FOUR), lowest=True), "only a score card has `lowest`"),
    ],
)
def test_what_cannot_be_is_refused(opening: Open, reason: str) -> None:
    with pytest.raises(NotARecord, match=reason):
        codec.check([opening])


def test_the_end_is_told_in_words() -> None:
    endings = {name: Review(record).words(-1).partition(". Only")[0] for name, (record, *_rest) in CASES.items()}
    assert endings["nobody"].replace("\u2068", "").replace("\u2069", "") == "Game over. Nobody won: Ana 51, Ben 44"
    assert endings["not said"].endswith("It is not known who won: Ana 51, Ben –")
    assert endings["winners alone"].endswith("Ben wins")
    assert endings["some points and a winner"].endswith("Ana wins 51 : –")


def club_with_cards(*records: Record) -> Any:
    return club_of_reviews([Review(record, str(number)) for number, record in enumerate(records)])


def test_a_team_wins_as_one_in_standings_and_everywhere() -> None:
    club = club_with_cards(CASES["teams"][0], CASES["not said"][0], CASES["all together, won"][0])
    ranking = standings(club, "cup")
    assert ranking is not None
    assert [(place.name, place.games, place.wins) for place in ranking.places] == [
        ("Ana", 1, 1), ("Cy", 1, 1), ("Ben", 1, 0), ("Dee", 1, 0),
    ]  # fmt: skip
    assert ranking.undecided == 1
    assert "cy" not in ranking.places[0].meetings
    assert {person.name: (person.contests, person.wins) for person in everybody(club)} == {
        "Ana": (1, 1.0), "Ben": (1, 0.0), "Cy": (1, 1.0), "Dee": (1, 0.0),
    }  # fmt: skip
    ana = profile(club, "ana")
    assert (ana.games, ana.contests, ana.wins) == (3, 1, 1.0)
    assert [(other.name, other.before, other.with_them) for other in ana.opponents] == [
        ("Ben", 1, 2), ("Cy", 0, 1), ("Dee", 1, 0),
    ]  # fmt: skip
    assert [form.outcome for form in ana.form] == ["together", "unknown", "won"]


def test_a_link_to_bg_stats_names_the_teams_and_comes_back() -> None:
    for case, teams in (("teams", ["1", "2", "1", "2"]), ("all together, won", [None] * 4), ("nobody", [None] * 2)):
        opening, *rest = CASES[case][0].events
        record = Record((replace(opening, played="2026-05-02"), *rest))
        link = json.loads(unquote(bg_stats(Review(record, case)).partition("?data=")[2]))
        assert [seat.get("team") for seat in link["players"]] == teams[: len(link["players"])], case


def test_teams_are_rated_and_what_nobody_said_is_not() -> None:
    won = [CASES["teams"][0]] * LEAST
    (ladder,) = ladders(club_with_cards(*won, CASES["not said"][0], CASES["nobody"][0]))
    assert ladder.games == LEAST
    assert [(rating.name, rating.rank) for rating in ladder.ratings] == [("Ana", 1), ("Cy", 1), ("Ben", 3), ("Dee", 3)]
