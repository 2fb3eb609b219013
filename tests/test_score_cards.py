"""Score cards: sheets, the command, a club's spreadsheet with the usual dirt, the export of BG Stats."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from command_output import outcome_of
from ledger import notation
from ledger.audit.review import Review
from ledger.club.load import club_of
from ledger.club.standings import standings
from ledger.club.statistics import statistics
from ledger.keep.bg_stats_import import read_plays
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.keep.score_tables import Plan, read_table
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Bid, Cheats, Close, Open, Result, Score
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


def test_cards_that_are_alike_keep_their_order() -> None:
    store = TemporaryStore()
    (card,) = read_table(
        b"Date,Game,Player,Score\n2026-11-20,Hearts,Ana,5\n2026-11-20,Hearts,Ben,3\n", "a.csv", Plan()
    ).cards
    (first,) = CardFile(store).file([card])
    again, second = CardFile(store).file([card, card])
    assert (again.record, again.new, second.new) == (first.record, False, True)
    assert [filed.record for filed in CardFile(store).file([card, card])] == [first.record, second.record]


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
    table.writerow(("Datum", "Wer", "Punkte", "Runde", "Wetter", ""))
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
    plan = Plan({"day": "Datum", "player": "Wer", "score": "Punkte", "table": "Runde"}, game="zigzag",
                event="The club", same={"Jose": "José"})  # fmt: skip
    table = read_table(text, "results.csv", plan)
    assert (table.errors, len(table.cards), len({card.played for card in table.cards})) == ([], 600, EVENINGS)
    assert table.columns["Wetter"] == ""
    assert set(table.spellings["José"]) == {"José", "Jose", "josé", "JOSÉ"}
    with TemporaryStore() as store:
        assert sum(filed.new for filed in CardFile(store).file(table.cards)) == 600
        size = store.size()
        assert not any(filed.new for filed in CardFile(store).file(table.cards))
        assert store.size() == size
        club = club_of(store)
        ranking = standings(club, "The club")
        assert ranking is not None
        assert {place.name: place.points for place in ranking.places} == points
        assert {place.name: place.wins for place in ranking.places} == wins
        assert (ranking.cards, statistics(club, "zigzag").cards, statistics(club, "zigzag").moves) == (600, 600, None)
        assert store.count_records(Query(verdict="scores-only")) == 600
        assert list(store.differences()) == []


def test_the_commands_import_a_wide_table_after_a_dry_run_and_name_each_fault(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("date,Ana,Ben,Remarks\n3/4/2026,5,7,late\n13/4/2026,9,nine,\n14/4/2026,4,4,\n", "utf-8")
    ledger = ("--ledger", str(tmp_path / "a.sqlite"))
    understood, faults = run(*ledger, "import", str(file), "--game", "Mexican Train", "--dry-run", status=2)
    assert "column Remarks: left out" in understood
    assert "2 games on 2 days, 3 Apr 2026 to 14 Apr 2026. Nothing was imported." in understood
    assert "wide.csv:3: column 3 (Ben): 'nine' is not a whole number" in faults
    assert not (tmp_path / "a.sqlite").exists()
    assert "2 score cards imported" in run(*ledger, "import", str(file), "--game", "Mexican Train", status=2)[0]
    again = run(*ledger, "import", str(file), "--game", "Mexican Train", status=2)[0]
    assert "0 score cards imported, 2 known already" in again
    run(*ledger, "card", "Mexican Train", "Ana=3", "Ben=8", "--winner", "ana")
    rows = json.loads(run(*ledger, "list", "--verdict", "scores-only", "--json")[0].splitlines()[0])
    assert rows["audit"]["verdict"] == "scores-only"


@pytest.mark.parametrize(("arguments", "words"), [
    (("", "Ana=1", "Ben=2"), "the game has no name"),
    ((" ", "Ana=1", "Ben=2"), "the game has no name"),
    (("Hearts", "Ana=1", "--edition", ""), "the edition has no name: leave --edition out if the game has only one"),
    (("Hearts", "Ana=1", " =2"), "' =2' has no name"),
    (("Hearts", "Ana=1", "Ana=2"), "two players have one name"),
    (("Hearts", "Ana=1000000001", "Ben=2"), "at most 1000000000 is expected here"),
    (("H" * 201, "Ana=1", "Ben=2"), "a text of at most 200 characters is expected here"),
])  # fmt: skip
def test_a_card_that_cannot_be_made_is_refused_in_plain_words(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    _stdout, stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", *arguments, status=2)
    assert stderr.splitlines()[-1] == f"Error: {words}"


def test_a_text_that_is_no_export_and_a_play_without_players_are_named() -> None:
    with pytest.raises(NotARecord, match=r"^a\.json: not an export of BG Stats: "):
        read_plays(b"{", "a.json")
    export = b'{"plays": [{"gameRefId": 1, "playerScores": []}], "games": [{"id": 1, "name": "Hearts"}], "players": []}'
    cards, errors = read_plays(export, "a.json")
    assert cards == []
    assert [str(error) for error in errors] == ["a.json: $.plays[0]: the play has no players, or two with one name"]


def test_of_plays_in_which_the_lowest_score_wins_the_lowest_has_won() -> None:
    export = {
        "plays": [{"gameRefId": 1, "playerScores": [{"playerRefId": n, "score": str(9 - n)} for n in (1, 2)]}],
        "games": [{"id": 1, "name": "Hearts", "highestWins": False}],
        "players": [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Ben"}],
    }
    (card,), _errors = read_plays(json.dumps(export).encode(), "a.json")
    assert (card.scores, card.winners) == ({"Ana": 8, "Ben": 7}, ["Ben"])


def test_in_domino_ziggurat_all_win_and_cheats_are_counted_together() -> None:
    record = ScoreCard("domino-ziggurat", {"Ana": 3, "Ben": 3}, winners=None).record()
    assert [type(event) for event in record.events] == [Open, Cheats, Result, Close]
    report = Review(record).report
    assert (report.finished, set(report.scores.values()), set(report.winners)) == (True, {3}, set(report.scores))


def test_plays_of_bg_stats_become_cards_once(tmp_path: Path) -> None:
    file = tmp_path / "BGStatsExport.json"
    file.write_text(json.dumps({
        "plays": [
            {"gameRefId": 1, "playDate": "2026-01-05 20:15:00", "locationRefId": 2, "playerScores": [
                {"playerRefId": 1, "score": "40+5", "winner": True}, {"playerRefId": 2, "score": "31"}]},
            {"gameRefId": 1, "playDate": "2026-01-05 21:00:00", "playerScores": [{"playerRefId": 1, "score": ""}]},
            {"gameRefId": 1, "ignored": True, "playerScores": []},
        ],
        "games": [{"id": 1, "name": "Zigzag"}], "players": [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Ben"}],
        "locations": [{"id": 2, "name": "Kitchen"}],
    }), "utf-8")  # fmt: skip
    ledger = ("--ledger", str(tmp_path / "a.sqlite"))
    stdout, stderr = run(*ledger, "import", str(file), status=2)
    assert "1 score card imported" in stdout
    assert "$.plays[1]: the score '' is not a whole number" in stderr
    assert "0 score cards imported, 1 known already" in run(*ledger, "import", str(file), status=2)[0]
    assert "Ana, Ben" in run(*ledger, "list")[0]


def test_a_card_of_a_game_that_is_known_has_its_tag(tmp_path: Path) -> None:
    for game, tag in (("Zig Zag", "zigzag"), ("build up", "build-up"), ("Mexican Train", "Mexican Train")):
        stdout, _stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", game, "Ana=3", "Ben=8", "--json")
        assert json.loads(stdout)["game"] == tag


def test_the_command_reads_a_day_as_its_option_says(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("date,Ana,Ben\n3/4/2026,5,7\n", "utf-8")
    for days, day in (("day-first", "3 Apr 2026"), ("month-first", "4 Mar 2026")):
        said, _ = run("import", str(file), "--game", "Hearts", "--days", days, "--dry-run")
        assert day in said
