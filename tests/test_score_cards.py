"""Score cards: sheets, the command, a club's spreadsheet with the usual dirt, the export of BG Stats."""

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
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder
from ledger.keep.score_cards import CardFile, ScoreCard
from ledger.keep.score_tables import Plan, read_table
from ledger.keep.stored_audits import audit_anew
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Bid, Cheats, Close, Open, Score
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
        kept = keep(store, CardFile(store).compare(table.cards), "results.csv")
        assert Counter(match.outcome for match in kept) == {"new": 600}
        size = store.size()
        assert {match.outcome for match in CardFile(store).compare(table.cards)} == {"known"}
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
def test_a_card_that_cannot_be_made_is_refused_in_plain_words(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    _stdout, stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", *arguments, status=2)
    assert stderr.splitlines()[-1] == f"Error: {words}"


def test_in_domino_ziggurat_all_win_and_cheats_are_counted_together() -> None:
    record = ScoreCard("domino-ziggurat", {"Ana": 3, "Ben": 3}, winners=None).record()
    assert [type(event) for event in record.events] == [Open, Cheats, Close]
    report = Review(record).report
    assert (report.finished, set(report.scores.values()), set(report.winners or ())) == (True, {3}, set(report.scores))


def test_a_card_of_a_game_that_is_known_has_its_tag(tmp_path: Path) -> None:
    for game, tag, *more in (
        ("Zig Zag", "zigzag", "Cy=1"),
        ("build up", "build-up"),
        ("Mexican Train", "Mexican Train"),
    ):
        stdout, _stderr = run("--ledger", str(tmp_path / "a.sqlite"), "card", game, "Ana=3", "Ben=8", *more, "--json")
        assert json.loads(stdout)["game"] == tag


def test_a_card_of_a_game_that_is_here_already_is_a_question(tmp_path: Path) -> None:
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


def test_a_card_says_winners_teams_and_ranks_or_nobody(tmp_path: Path) -> None:
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
