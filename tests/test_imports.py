"""Imports as one thing each: the same game is the same game, a dry run shows all, and taking back leaves nothing."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_output import outcome_of
from ledger.club.dry_run import DryRun, look, read
from ledger.club.load import club_of
from ledger.club.result_exports import csv_bytes
from ledger.club.standings import standings
from ledger.keep import imports
from ledger.keep.bg_stats_import import read_plays
from ledger.keep.recorder import Recorder, folded
from ledger.keep.score_cards import Outcome, ScoreCard, standing_of
from ledger.keep.score_tables import Plan
from ledger.keep.stored_audits import audit_anew
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Amend, Score
from ledger.record.record import Effective, Record, effective
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

TABLE = "day,game,player,score,event\n{}"
EVENING = "2026-03-01,Block,Ana,{},Cup\n2026-03-01,Block,Ben,44,Cup\n"
Command = Callable[..., tuple[str, str]]


@pytest.fixture
def run(tmp_path, monkeypatch) -> Command:
    """Runs a command on a ledger of the test's own folder, which must end with a status; returns what it said."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, status: int = 0) -> tuple[str, str]:
        code, stdout, stderr = outcome_of("--ledger", "l.sqlite", *arguments)
        assert code == status, stderr + stdout
        return stdout, stderr

    return command


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def results(run: Command) -> list[str]:
    """The games of the ledger, a line each, by their exported table."""
    rows = [line.split(",") for line in run("export", "--csv")[0].splitlines()[1:]]
    games: dict[str, list[str]] = {}
    for row in rows:
        won = {"yes": "*", "no": "", "": "?"}[row[9]]
        games.setdefault(row[0], [row[1]]).append(f"{row[7]}{won} {row[8]}".strip())
    return sorted(" ".join(game) for game in games.values())


def test_what_an_import_brought_is_taken_back_and_standings_are_what_they_were(run: Command) -> None:
    run("card", "Block", "Ana=7", "Cy=3", "--event", "Cup", "--played", "2026-01-01")
    before = run("standings", "Cup"), run("players"), run("statistics", "Block")
    write("a.csv", TABLE.format(EVENING.format(51) + "2026-03-08,Block,Ana,1,Cup\n2026-03-08,Block,Dee,2,Cup\n"))
    shown, _ = run("import", "a.csv", "--dry-run")
    assert "2 games will be kept" in shown
    assert "2 score cards imported" in run("import", "a.csv")[0]
    after = run("standings", "Cup"), run("players")
    assert after != before[:2]
    assert "1  28 Nov" not in run("list", "--import")[0]
    assert "2 games taken back, as they were before" in run("import", "--undo", "a.csv")[0]
    assert (run("standings", "Cup"), run("players"), run("statistics", "Block")) == before
    said = run("import", "--undo", status=2)[1]
    assert "a.csv of" in said
    assert "was taken back already; --redo brings it back" in said
    assert "2 games brought back" in run("import", "--redo", "a.csv")[0]
    assert (run("standings", "Cup"), run("players")) == after
    assert "was not taken back" in run("import", "--redo", status=2)[1]
    assert json.loads(run("list", "--import", "--json")[0])["added"] == 2


def test_what_was_taken_back_is_imported_again_as_new(run: Command) -> None:
    write("a.csv", TABLE.format(EVENING.format(51)))
    run("import", "a.csv")
    run("import", "--undo")
    assert "1 score card imported" in run("import", "a.csv")[0]
    assert len(results(run)) == 1


def test_what_people_changed_since_is_named_and_left(run: Command) -> None:
    write("a.csv", TABLE.format(EVENING.format(51) + EVENING.format(5).replace("03-01", "03-08")))
    run("import", "a.csv")
    record = json.loads(run("list", "--json")[0].splitlines()[0])["id"]
    run("void", record, "--why", "twice")
    stdout, stderr = run("import", "--undo")
    assert "1 game taken back" in stdout
    assert f"record {record} was changed since, and is left as it is" in stderr


def test_what_somebody_corrected_is_not_corrected_again_without_a_question(run: Command) -> None:
    text = "record," + TABLE.format("").strip() + "\n" + "".join(f"7,{line}\n" for line in EVENING.splitlines())
    write("a.csv", text.format(51))
    run("import", "a.csv")
    with SqliteStore(Path("l.sqlite")) as store:
        (record,) = store.ids()
        Recorder(store).correct(record, Amend(1, Score("game", {"p1": 1, "p2": 2}), "a slip"))
    assert "1 known already" in run("import", "a.csv")[0]
    write("b.csv", text.format(31))
    assert "it is here already, and differs: Ana 1, Ben 2" in run("import", "b.csv", status=2)[1]
    assert "1 corrected" in run("import", "b.csv", "--amend")[0]
    run("import", "--undo", "b.csv")
    assert results(run) == ["2026-03-01 Ana 1 Ben* 2"]
    stdout, stderr = run("import", "--undo", "a.csv")
    assert "no other game is left to be taken back" in stdout
    assert f"record {record} was changed since" in stderr


@pytest.mark.parametrize(
    ("undone", "stands"),
    [("123", ""), ("321", ""), ("132", ""), ("213", ""), ("12", "61"), ("13", "31"), ("3", "31"), ("23", "51")],
)
def test_a_game_stands_as_the_latest_import_says_that_was_not_taken_back(
    run: Command, undone: str, stands: str
) -> None:
    for number, score in enumerate((51, 31, 61), 1):
        write(f"{number}.csv", "record," + TABLE.format("").strip() + "\n" + "".join(
            f"7,{line}\n" for line in EVENING.format(score).splitlines()
        ))  # fmt: skip
        run("import", f"{number}.csv")
    for number in undone:
        run("import", "--undo", number)
    assert [game.split()[2] for game in results(run)] == [*filter(None, [stands])]
    assert "was taken back already" in run("import", "--undo", undone[0], status=2)[1]
    for number in undone:
        run("import", "--redo", number)
    assert [game.split()[2] for game in results(run)] == ["61"]


def test_sheets_and_archives_are_taken_back_too(run: Command) -> None:
    run("simulate", "zigzag", "--seed", "4", "-o", "z.ndjson")
    run("simulate", "ziggurat", "--seed", "1", "--count", "2", "-o", "g.ndjson")
    run("import", "z.ndjson")
    before = results(run)
    run("import", "g.ndjson")
    assert len(results(run)) == 3
    assert "2 games taken back" in run("import", "--undo", "g.ndjson")[0]
    assert results(run) == before


def test_a_continued_record_is_what_it_was_after_its_import_is_taken_back(run: Command) -> None:
    run("simulate", "ziggurat", "--seed", "1", "-o", "whole.ndjson")
    document = json.loads(Path("whole.ndjson").read_text("utf-8"))
    write("half.json", json.dumps({**document, "events": document["events"][:9]}))
    run("import", "half.json")
    record = json.loads(run("list", "--json")[0])["id"]
    before = run("show", record, "--json")[0]
    assert "1 record continued" in run("import", "whole.ndjson")[0]
    whole = json.loads(run("audit", record, "--json")[0])["scores"]
    run("import", "--undo", "whole.ndjson")
    assert run("show", record, "--json")[0] == before
    run("import", "--redo", "whole.ndjson")
    assert json.loads(run("audit", record, "--json")[0])["scores"] == whole


def test_the_programs_own_tables_come_back_as_nothing_new(run: Command) -> None:
    run("simulate", "zigzag", "--seed", "4", "-o", "z.ndjson")
    run("import", "z.ndjson")
    run("card", "Block", "--played", "2026-03-01", "--place", "table 2", "--", "@zoe=5", "-Max-=3")
    run("card", "Block", "--as-new", "--played", "2026-03-01", "--", "@zoe=5", "-Max-=3")
    run("card", "Block", "Ana", "Ben", "Cy", "Dee", "--team", "Ana,Cy", "--team", "Ben,Dee", "--winner", "Ana")
    run("card", "Block", "Ana", "Ben", "--nobody", "--played", "2026-03-01")
    run("card", "Block", "--as-new", "Ana=3", "Ben", "--played", "2026-03-01")
    run("new", "zigzag", "Ana", "Ben", "Cy")
    run("export", "--csv", "-o", "own.csv")
    before = results(run)
    assert "0 score cards imported, 6 known already" in run("import", "own.csv")[0]
    assert results(run) == before
    Path("l.sqlite").rename("other.sqlite")
    Path("l.sqlite.head").unlink(missing_ok=True)
    assert "6 score cards imported" in run("import", "own.csv")[0]
    assert results(run) == [game for game in before if not game.endswith("Ana 0 Ben 0 Cy 0")]
    assert "0 score cards imported, 6 known already" in run("import", "own.csv")[0]


def test_a_recorded_game_is_not_amended_by_a_table(run: Command) -> None:
    run("simulate", "zigzag", "--seed", "4", "-o", "z.ndjson")
    run("import", "z.ndjson")
    before = results(run)
    titles, first, *others = run("export", "--csv")[0].splitlines()
    cells = first.split(",")
    cells[8] = str(int(cells[8]) + 1)
    write("own.csv", "\n".join([titles, ",".join(cells), *others, ""]))
    for options in ((), ("--amend",)):
        _stdout, stderr = run("import", "own.csv", *options, status=2)
        assert "it is here already, and differs" in stderr
    assert results(run) == before


def test_the_same_with_other_scores_is_a_question(run: Command) -> None:
    write("a.csv", TABLE.format(EVENING.format(51)))
    run("import", "a.csv")
    write("a.csv", TABLE.format(EVENING.format(40)))
    stdout, stderr = run("import", "a.csv", status=2)
    assert "0 score cards imported, 1 not imported" in stdout
    assert "it is here already, and differs: Ana 51, Ben 44" in stderr
    assert results(run) == ["2026-03-01 Ana* 51 Ben 44"]
    assert "1 corrected" in run("import", "a.csv", "--amend")[0]
    assert results(run) == ["2026-03-01 Ana 40 Ben* 44"]
    run("import", "--undo")
    assert results(run) == ["2026-03-01 Ana* 51 Ben 44"]
    run("import", "--redo")
    assert results(run) == ["2026-03-01 Ana 40 Ben* 44"]
    write("a.csv", TABLE.format(EVENING.format(39)))
    assert "1 score card imported" in run("import", "a.csv", "--as-new")[0]
    assert len(results(run)) == 2


def test_a_number_of_the_table_finds_its_game_again_and_another_evening_is_another_game(run: Command) -> None:
    text = "record,day,game,player,score\n1,2026-03-01,Block,Ana,{}\n1,2026-03-01,Block,Ben,44\n"
    write("a.csv", text.format(51))
    run("import", "a.csv")
    write("a.csv", text.format(40))
    assert "1 corrected" in run("import", "a.csv")[0]
    assert results(run) == ["2026-03-01 Ana 40 Ben* 44"]
    write("a.csv", text.format(40).replace("Ana", "Eva").replace("03-01", "03-02"))
    assert "1 score card imported" in run("import", "a.csv")[0]


def test_an_answer_on_a_column_is_remembered_for_the_same_titles(run: Command) -> None:
    text = "Datum;player;Punkte\n1.3.26;Ana;{}\n1.3.26;Ben;3\n"
    write("a.csv", text.format(5))
    stdout, stderr = run("import", "a.csv", "--game", "x", status=2)
    assert "column A Datum: ?, such as 1.3.26" in stdout
    assert "C: what is “Punkte”? It holds 5, 3." in stderr
    assert not results(run)
    run("import", "a.csv", "--game", "x", "--column", "day=Datum", "--column", "score=Punkte")
    write("b.csv", text.format(7).replace("1.3", "2.3"))
    assert "1 score card imported" in run("import", "b.csv", "--game", "x")[0]
    assert b"Punkte" not in Path("l.sqlite").read_bytes()


def test_that_the_fewest_points_win_a_game_is_remembered(run: Command) -> None:
    write("a.csv", TABLE.format(EVENING.format(51)))
    run("import", "a.csv", "--lowest-wins", "Block")
    write("b.csv", TABLE.format(EVENING.format(51).replace("03-01", "03-02")))
    run("import", "b.csv")
    assert results(run) == ["2026-03-01 Ana 51 Ben* 44", "2026-03-02 Ana 51 Ben* 44"]


def test_a_dry_run_shows_columns_people_games_faults_and_the_first_games_and_keeps_nothing(run: Command) -> None:
    run("card", "Block", "Jörg Müller=3", "Ximena Núñez=5")
    shutil.copy("l.sqlite", "before.sqlite")
    write("a.csv", "day,game,table,player,score\n2026-03-01,Zigzag,2,Jorg Muller,121\n"
          "2026-03-01,Zigzag,2,Ximena N.,98\n"
          "2026-03-01,Zigzag,2,Tom,64\n2026-03-02,Block,,Tom,1.5\n2026-03-02,Block,,Ida,3\n")  # fmt: skip
    stdout, stderr = run("import", "a.csv", "--dry-run", status=2)
    assert stdout.splitlines() == [
        "a.csv: 5 rows, 1 game. A try: nothing is kept yet.",
        "  column A day: the day, such as 2026-03-01", "  column B game: the game, such as Zigzag",
        "  column C table: which table, such as 2", "  column D player: a player, such as Jorg Muller",
        "  column E score: the player's points, such as 121", "  games: Zigzag (1)",
        "  people: 3, of whom 0 are known; new: Tom (1)",
        '  Jorg Muller: the same as Jörg Müller, 1 game? If so, add --same "Jorg Muller=Jörg Müller"',
        '  Ximena N.: the same as Ximena Núñez, 1 game? If so, add --same "Ximena N.=Ximena Núñez"',
        "  Jorg Muller won Zigzag, 121 : 98 : 64, against Ximena N. and Tom. 1 Mar 2026 · table 2",
        "  1 game will be kept, 1 has a fault.",
    ]  # fmt: skip
    assert "a.csv:5: E5: “1.5” is not a whole number of points" in stderr
    assert run("list", "--import")[0] == "No imports.\n"


def test_the_template_is_written_and_can_be_imported(run: Command) -> None:
    write("t.csv", run("import", "--template")[0])
    assert "2 score cards imported" in run("import", "t.csv")[0]


PLAYERS = [{"id": 1, "name": "Ana "}, {"id": 2, "name": "Ben"}, {"id": 3, "name": "", "isAnonymous": True}]


def plays(*plays: dict[str, Any], **game: Any) -> bytes:
    games = [{"id": 1, "name": "Block", **game}, {"id": 2, "name": "Catan"}]
    return json.dumps({"plays": plays, "games": games, "players": PLAYERS}).encode()


def play(*seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    scores = [{"playerRefId": seat, **of} for seat, of in enumerate(seats, 1)]
    return {"gameRefId": 1, "playDate": "2026-03-12 20:00:00", "uuid": "u", "playerScores": scores, **more}


WON, LOST = {"winner": True}, {"winner": False}


@pytest.mark.parametrize(
    ("text", "scores", "winners", "teams"),
    [
        (plays(play({"score": "40+5", **WON}, {"score": "31", **LOST})), [45, 31], ["Ana"], 0),
        (plays(play({"score": "", **WON}, LOST)), [None, None], ["Ana"], 0),
        (plays(play({"score": "9", **LOST}, {"score": "7", **LOST})), [9, 7], [], 0),
        (plays(play({"score": "9"}, {"score": "7"})), [9, 7], None, 0),
        (plays(play({"score": 9.0}, {"score": "7"}), highestWins=False), [9, 7], None, 0),
        (plays(play(LOST, LOST), cooperative=True), [None, None], [], 1),
        (plays(play(WON, WON), cooperative=True), [None, None], ["Ana", "Ben"], 1),
        (plays(play({"team": "a", **WON}, {"team": "b", **LOST}, {"team": "a", **WON}, usesTeams=True)), [None] * 3,
         ["Ana", "Anonymous 1"], 2),
        (plays(play({"team": "0", **WON}, {"team": "0", **LOST}, {"team": "0", **LOST})), [None] * 3, ["Ana"], 0),
        (plays(play({"team": "1", **WON}, {"team": "0", **LOST}, {"team": "0", **LOST}, usesTeams=True)), [None] * 3,
         ["Ana"], 2),
    ],
)  # fmt: skip
def test_a_play_says_points_and_winners_as_the_app_marked_them(
    text: bytes, scores: list[int | None], winners: list[str] | None, teams: int
) -> None:
    ((card,), errors) = read_plays(text, "a.json", Plan())[:2]
    assert errors == []
    assert ([*card.scores.values()], card.winners, len(card.teams)) == (scores, winners, teams)
    assert card.lowest is (b'"highestWins": false' in text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (plays(play(LOST, LOST)), "12 Mar 2026, Block: no points, and nobody noted who won"),
        (plays(play({"score": "4.5"}, {"score": "1"})), "12 Mar 2026, Block: the score “4.5” is not a whole number"),
        (plays(play()), "12 Mar 2026, Block: no players"),
        (plays(play({"score": "1"}, gameRefId=7)), "12 Mar 2026, no game: no game"),
        (plays(play({"playerRefId": 1}, {"playerRefId": 1})), "12 Mar 2026, Block: Ana is twice in the play"),
    ],
)
def test_a_play_is_refused_by_its_day_and_game(text: bytes, reason: str) -> None:
    reading = read_plays(text, "a.json", Plan())
    assert (reading.cards, [str(error) for error in reading.errors]) == ([], [f"a.json: {reason}"])


def test_one_game_that_no_record_can_hold_does_not_stop_the_others(run: Command) -> None:
    long, day = "x" * 201, "2026-03-0"
    write("a.csv", f"day,game,player,score\n{day}1,Block,Ana,1\n{day}1,Block,Ben,2\n{day}2,Block,{long},1\n"
          f"{day}2,Block,Ben,2\n" + "".join(f"{day}3,Block,P{n},1\n" for n in range(27)))  # fmt: skip
    stdout, stderr = run("import", "a.csv", status=2)
    assert "1 score card imported" in stdout
    assert stderr.count("a card has at most 26 players") == 2
    two = [play({"score": "1"}, {"score": "2"}, playDate=f"2026-02-{day} 10:00:00", uuid=day) for day in ("28", "31")]
    write("b.json", plays(*two).decode())
    stdout, stderr = run("import", "b.json", status=2)
    assert "1 score card imported" in stdout
    assert stderr.count("there is no day 2026-02-31") == 1


def test_only_the_wanted_game_is_read_and_refusals_are_summed_by_reason(run: Command) -> None:
    write("a.json", plays(play({"score": "1"}, {"score": "2"}), *(play(LOST, LOST, uuid=f"v{n}") for n in range(9)),
                          play(WON, LOST, gameRefId=2, uuid="x")).decode())  # fmt: skip
    stdout, stderr = run("import", "a.json", "--only", "block", status=2)
    assert "1 score card imported, 1 row of other games left out" in stdout
    assert "9 left out: no points, and nobody noted who won" in stderr
    assert "Catan" not in run("list")[0]


def test_what_the_app_writes_otherwise_is_read_and_a_broken_play_stops_no_other() -> None:
    text = plays(
        play({"score": 9, "winner": 1, "team": 1}, {"score": None, "winner": 0, "team": 2}, {"team": 1, "winner": 1},
             usesTeams=1),
        play({"score": "1"}, {"score": "2"}, gameRefId=None), play(playerScores=None, uuid=None),
        play({"score": "1"}, {"score": "2"}, playDate=None, ignored=1),
        play({"score": "1"}, {"score": "2"}, playDate=""),
        highestWins=0, cooperative=0,
    )  # fmt: skip
    reading = read_plays(text, "a.json", Plan())
    first, undated = reading.cards
    assert (first.scores, first.winners, first.lowest, len(first.teams)) == (
        {"Ana": 9, "Ben": None, "Anonymous 1": None}, ["Ana", "Anonymous 1"], True, 2,
    )  # fmt: skip
    assert (undated.played, [str(error) for error in reading.errors]) == (None, [
        "a.json: 12 Mar 2026, no game: no game", "a.json: 12 Mar 2026, Block: no players",
        "a.json: no day, Block: the app ignores it",
    ])  # fmt: skip


def test_a_play_that_was_corrected_since_amends_its_card(run: Command) -> None:
    write("a.json", plays(play({"score": "9", **WON}, {"score": "7", **LOST})).decode())
    run("import", "a.json")
    write(
        "a.json", plays(play({"score": "9", **LOST}, {"score": "11", **WON}, playDate="2026-03-13 20:00:00")).decode()
    )
    assert "1 corrected" in run("import", "a.json")[0]
    assert results(run) == ["2026-03-13 Ana 9 Ben* 11"]
    assert "1 known already" in run("import", "a.json")[0]
    run("import", "--undo")
    assert results(run) == ["2026-03-12 Ana* 9 Ben 7"]


def test_a_text_that_is_no_export_is_named() -> None:
    with pytest.raises(NotARecord, match=r"^a\.json: not an export of BG Stats: "):
        read_plays(b"{", "a.json", Plan())


# ---- Drawn files: nothing is imported that the dry run did not show, and nothing is left of what is taken back.


EVENT = "Cup"
DAYS = st.sampled_from(("2026-03-01", "2026-03-01", "1.3.26", "2026-03-08", "soon"))
SCORES = st.sampled_from(("1", "2", "3,00", "", "1,000", "x")) | st.integers(1, 9).map(str)
GAMES = st.tuples(
    st.sampled_from(("", "1", "2")), DAYS, st.sampled_from(("Block", "Block", "Zigzag")),
    st.sampled_from((("Ana", "Ben"), ("Ana", "Ben"), ("ana", "Cy"), ("Ana", ""))), SCORES, SCORES,
    st.sampled_from((("", ""), ("", ""), ("yes", "no"), ("no", "no"))),
)  # fmt: skip


def long(games: list[tuple[Any, ...]]) -> str:
    """A table with a row for each player."""
    rows = [
        ";".join((record, day, game, people[seat], (one, other)[seat], won[seat], EVENT))
        for record, day, game, people, one, other, won in games
        for seat in (0, 1)
    ]
    return "\n".join(["record;day;game;player;score;won;event", *rows])


def wide(games: list[tuple[Any, ...]]) -> str:
    """A table with a row for each game."""
    rows = [f"{day};{EVENT};;{one};{other}" for _, day, _, _, one, other, _ in games]
    return "\n".join(["day;event;|;Ana;Ben", *rows])


FILES = st.builds(
    lambda write, games: write(games), st.sampled_from((long, long, wide)), st.lists(GAMES, min_size=1, max_size=3)
)


class Act(NamedTuple):
    """What somebody does: brings a file, or takes the import with a number back, or brings it back."""

    does: str
    file: str
    number: int
    differing: Outcome


ACTS = st.lists(
    st.builds(
        Act, st.sampled_from(("bring", "bring", "undo", "redo")), FILES, st.integers(1, 4),
        st.sampled_from(("amended", "amended", "differs", "new")),
    ),
    min_size=2,
    max_size=8,
)  # fmt: skip


def records(store: SqliteStore) -> dict[str, Record]:
    """The records of a ledger."""
    return {row.id: store.read(row.id) for row in store.find(Query(voided=None))}


def end(card: Record | Effective) -> object:
    """How a card ends: its day, its game, and of each player the name, the points and the rank, and who won."""
    standing, opening = standing_of(card), card.opening
    seats = (
        (folded(player.name or ""), standing.points[seat], standing.places[seat], seat in standing.winners)
        for seat, player in enumerate(opening.players)
    )
    return opening.played, opening.game, standing.decided, sorted(seats, key=repr)


def club(store: SqliteStore) -> tuple[bytes, bytes]:
    """The results and the standings of a ledger, to the byte."""
    of = club_of(store)
    table = standings(of, EVENT)
    return csv_bytes(of.games()), msgspec.json.encode([place.view() for place in table.places] if table else [])


def tried(store: SqliteStore, act: Act) -> DryRun:
    plan = Plan(game="Block", thousands=act.number > 2)
    return look(read(act.file.encode(), "drawn.csv", plan, store), store, act.differing)


def begin(store: SqliteStore) -> None:
    """A game that somebody entered by hand."""
    card = ScoreCard("Block", {"Ana": 7, "Cy": 3}, None, "2026-03-01", EVENT)
    Recorder(store).import_record(card.record())
    audit_anew(store)


@given(ACTS)
@settings(max_examples=60)
def test_what_is_imported_was_shown_and_is_gone_after_it_is_taken_back(acts: list[Act]) -> None:
    with TemporaryStore() as store:
        begin(store)
        before = club(store)
        for act in acts:
            if act.does == "bring":
                shown, there = tried(store, act), records(store)
                brought = {
                    match.record: match.card
                    for match in imports.keep(store, shown.matches, "drawn.csv")
                    if match.outcome in ("new", "amended")
                }
                assert len(brought) == shown.count("new") + shown.count("amended")
                assert {id_ for id_, record in records(store).items() if there.get(id_) != record} <= {*brought}
                for id_, card in brought.items():
                    assert end(effective(store.read(id_).events)) == end(card.record())
            elif act.number in [one.number for one in imports.imports(store)]:
                with suppress(NotForNow):
                    imports.take_back(store, imports.find(store, str(act.number)), redo=act.does == "redo")
        for number in sorted((one.number for one in imports.imports(store)), key=lambda one: (one * 7) % 5):
            with suppress(NotForNow):
                imports.take_back(store, imports.find(store, str(number)))
        assert club(store) == before
