"""The SQL views of a ledger give the same results as Python, in every database and with other tools."""

import json
import re
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlite_utils.cli
from click.testing import CliRunner, Result
from msgspec.structs import replace

from golden import CASES, FIXTURES
from ledger.audit.review import Review
from ledger.cli import cli
from ledger.cli.list_commands import _cells
from ledger.cli.terminal import paragraph, table, wrapped
from ledger.games import catalog
from ledger.keep.importing import Importer
from ledger.keep.recorder import Recorder
from ledger.keep.renaming import rename
from ledger.keep.sources import items
from ledger.keep.stored_audits import audit_of, refresh
from ledger.play.simulate import simulate
from ledger.proof import log_head
from ledger.record import clock, codec
from ledger.record.codec import check, encode_event
from ledger.record.events import MOVES, Amend, Note, Open, Player, Stack
from ledger.record.record import Record
from ledger.record.visible import without_isolates
from ledger.stores import open_ledger, questions
from ledger.stores.query import Query, Row, searchable
from ledger.stores.record_list import row_of
from ledger.stores.store import SqliteStore
from sheets import GAMES

VIEWS = ("games", "results", "players", "moves", "findings", "mistakes", "rules")
WINS = "SELECT name, sum(won) AS wins FROM results WHERE game = 'zigzag' GROUP BY name ORDER BY wins DESC, name LIMIT 1"
AVERAGES = "SELECT game, name, avg(score) AS average FROM results WHERE finished = 1 GROUP BY game, name"
BROKEN = "SELECT rule, meaning, times FROM rules ORDER BY times DESC, rule LIMIT 1"


@pytest.fixture
def ledger(tmp_path) -> str:
    """A ledger with simulated games and records with many slips, after an `import`."""
    address = str(tmp_path / "club.sqlite")
    records = [simulate(catalog.find(name), seed) for name in ("zigzag", "build-up") for seed in range(5)]
    for name in ("take-broken", "all-pass-broken", "corrections-amended"):
        records += [item.result for item in items(str(FIXTURES / "zigzag" / f"{name}.json"))]  # type: ignore[misc]
    with open_ledger(address) as store:
        list(Importer(store, lambda _sentence: True).run(records))
        assert len(store.ids()) == len(records)
    return address


def query(ledger: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of a query on the views in another program."""
    with closing(sqlite3.connect(ledger)) as db:
        return db.execute(statement, values).fetchall()


def select_all(view: str, where: str = "") -> str:
    return f"SELECT * FROM {view} {where}"  # noqa: S608  constants


def test_the_three_questions_have_the_answers_that_python_finds(ledger: str) -> None:
    with open_ledger(ledger) as store:
        wins, scores, broken = Counter[str](), defaultdict[tuple[str, str], list[int]](list), Counter[str]()
        for record_id, record in questions.records(store):
            audit = audit_of(record_id, record)
            names = {player.id: player.name or player.id for player in record.opening.players}
            for seat, player in enumerate(record.opening.players):
                won = player.id in audit.summary.winners
                wins[names[player.id]] += won and record.opening.game == "zigzag"
                if audit.summary.finished:
                    scores[record.opening.game, names[player.id]].append(audit.summary.scores[seat])
            broken.update(f.clause for f in audit.findings if f.verdict in ("breach", "impossible"))
        best = max(wins.values())
        assert query(ledger, WINS) == [(min(name for name, count in wins.items() if count == best), best)]
        averages = {(game, name): float(average) for game, name, average in query(ledger, AVERAGES)}
        assert averages == {key: pytest.approx(sum(points) / len(points)) for key, points in scores.items()}
        ((rule, meaning, times),) = query(ledger, BROKEN)
        assert (times, rule) == min((-count, name) for name, count in broken.items())[::-1] or broken[rule] == times
        assert meaning in {clause.meaning for game in catalog.games() for clause in game.clauses}


def test_each_view_has_the_rows_that_python_finds(ledger: str) -> None:
    with open_ledger(ledger) as store:
        records = dict(questions.records(store))
        games = {row[0]: row for row in query(ledger, "SELECT record, players, events, verdict, mistakes FROM games")}
        assert games.keys() == records.keys()
        for record_id, (_id, players, events, verdict, mistakes) in games.items():
            record, audit = records[record_id], audit_of(record_id, records[record_id])
            names = [player.name or player.id for player in record.opening.players]
            assert (players, events) == (", ".join(names), len(record.events))
            assert (verdict, mistakes) == (audit.summary.verdict, audit.summary.mistakes)
            rows = query(ledger, "SELECT move, body FROM moves WHERE record = ? ORDER BY move", record_id)
            assert [seq for seq, _body in rows] == list(range(events))
            assert rows[1][1].encode() == encode_event(record.events[1])
            findings = query(
                ledger, "SELECT move, rule, verdict, player, message FROM findings WHERE record = ?", record_id
            )
            assert sorted(findings, key=str) == sorted(
                [(f.seq, f.clause, f.verdict, f.player, f.message) for f in audit.findings], key=str
            )
        assert query(ledger, "SELECT count(*), count(DISTINCT record) FROM results")[0][1] == len(records)
        (play,) = query(
            ledger, "SELECT type, player, name, tile FROM moves WHERE type = 'play' ORDER BY record LIMIT 1"
        )
        assert play[0] == "play"
        assert play[2].lower().startswith(play[1])
        assert re.fullmatch(r"\d+-\d+", play[3])
        assert query(ledger, "SELECT sum(games) FROM players") == query(ledger, "SELECT count(*) FROM results")


def test_views_leave_out_an_audit_that_is_out_of_date(ledger: str) -> None:
    with open_ledger(ledger) as store:
        (record_id,) = query(ledger, "SELECT record FROM findings WHERE verdict = 'breach' ORDER BY record LIMIT 1")[0]
        store.append(record_id, store.version(record_id), [Note("late")])
        assert query(ledger, "SELECT verdict, mistakes FROM games WHERE record = ?", record_id) == [(None, None)]
        assert query(ledger, "SELECT count(*) FROM findings WHERE record = ?", record_id) == [(0,)]
        assert {row[0] for row in query(ledger, "SELECT score FROM results WHERE record = ?", record_id)} == {None}
        store.note_audits([audit_of(record_id, store.read(record_id))])
        assert query(ledger, "SELECT mistakes > 0 FROM games WHERE record = ?", record_id)[0][0]
        assert query(ledger, "SELECT count(*) > 0 FROM findings WHERE record = ?", record_id)[0][0]


def test_text_from_strangers_breaks_no_view(ledger: str) -> None:
    with open_ledger(ledger) as store:
        players = (Player(id="p\0", name='A"\0'), Player(id="'q", name=r"\u0000"), Player(id="r"))
        events = (Open("zigzag", players=players, place="\0", event="{}"), Note('\0 \\u0000 "x" ∑'))
        (imported,) = Importer(store).run([Record(events)])
        for view in VIEWS:
            query(ledger, select_all(view))
        ((kind, body),) = query(ledger, "SELECT type, body FROM moves WHERE record = ? AND move = 1", imported.record)
        assert (kind, json.loads(body)["text"]) == ("note", '\0 \\u0000 "x" ∑')


def test_a_view_or_a_finding_that_was_changed_is_found_and_mended(ledger: str) -> None:
    with open_ledger(ledger) as store:
        assert log_head.check(store).corruptions == ()
        with store.connection.writing():
            store.connection.many("UPDATE finding SET message = 'all is well'", [()])
        assert any("its audit was changed" in corruption.reason for corruption in log_head.check(store).corruptions)
        store.rebuild()
        assert query(ledger, "SELECT count(*) FROM findings") == [(0,)]
        store.note_audits(audit_of(record_id, record) for record_id, record in list(questions.records(store)))
        assert log_head.check(store).corruptions == ()
        assert query(ledger, "SELECT count(*) FROM findings WHERE message = 'all is well'") == [(0,)]


OF_OTHERS = {
    "my_league": "CREATE VIEW my_league AS SELECT name, wins FROM players",
    "search_log": "CREATE TABLE search_log (words TEXT)",
    "by_place": "CREATE INDEX by_place ON record (place)",
    "log_words": "CREATE INDEX log_words ON search_log (words)",
    "logged": "CREATE TRIGGER logged AFTER INSERT ON search_log BEGIN SELECT 1; END",
}


def test_what_others_made_in_the_file_stays(tmp_path) -> None:
    path = tmp_path / "a.sqlite"
    open_ledger(str(path)).close()

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(cli, ["--ledger", str(path), *arguments])

    with closing(sqlite3.connect(path)) as db:
        for statement in OF_OTHERS.values():
            db.execute(statement)
        db.commit()
    assert run("verify").exit_code == 0
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP VIEW rules")
        db.execute("CREATE TRIGGER spy AFTER INSERT ON event BEGIN SELECT 1; END")
        db.commit()
    verified = run("verify")
    assert (verified.exit_code, "the view rules is missing" in verified.stderr) == (1, True)
    assert "the trigger spy does not belong to a ledger" in verified.stderr
    repaired = run("repair")
    assert repaired.exit_code == 0, repaired.stderr
    with closing(sqlite3.connect(path)) as db:
        stored = dict(db.execute("SELECT name, sql FROM sqlite_master"))
    assert {name: stored[name] for name in OF_OTHERS} == OF_OTHERS
    assert "spy" not in stored


def test_a_forgotten_name_is_in_no_view(tmp_path) -> None:
    path = str(tmp_path / "a.sqlite")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(cli, ["--ledger", path, *arguments], input="y\n")
        assert result.exit_code == 0, result.output
        return result.output

    run("new", "zigzag", "Ana Lind", "Ben", "Cy")
    assert query(path, "SELECT name FROM players WHERE name LIKE 'Ana%'") == [("Ana Lind",)]
    run("forget", "Ana Lind")
    for view in VIEWS:
        assert "Ana" not in str(query(path, select_all(view)))


def test_sentences_about_findings_have_the_names_of_today(ledger: str) -> None:
    first = "SELECT record, player, name, message FROM findings WHERE verdict = 'breach' ORDER BY record, move LIMIT 1"
    ((record, player, name, message),) = query(ledger, first)
    assert name in message
    assert player not in re.findall(r"\w+", message)
    with open_ledger(ledger) as store:
        rename(store, name, "Zoé")
        assert query(ledger, "SELECT * FROM findings WHERE record = ?", record) == []
        list(refresh(store))
    assert query(ledger, first) == [(record, player, "Zoé", message.replace(name, "Zoé"))]


def test_recorded_moves_are_in_the_views_at_once(tmp_path) -> None:
    path = str(tmp_path / "a.sqlite")
    record = CliRunner().invoke(cli, ["--ledger", path, "new", "zigzag", "Ana", "Ben", "Cy"]).output.strip()
    assert query(path, "SELECT score FROM results") == [(0,)] * 3
    CliRunner().invoke(cli, ["--ledger", path, "record", record], input="A bids 12\nC bids 3\nA 1-1\nend abandoned\n")
    assert query(path, "SELECT moves, closed, verdict FROM games") == [(1, 1, "breach")]
    assert query(path, "SELECT count(*) FROM moves") == [(5,)]
    assert query(path, "SELECT DISTINCT name FROM findings WHERE verdict = 'breach'") == [("Cy",)]


# ── The tools of others ────────────────────────────────────────────────────────────────────────────────────


DATASETTE = """
import asyncio, sys
from datasette.app import Datasette

async def answer(path, *urls):
    site = Datasette([path])
    await site.invoke_startup()
    for url in urls:
        print((await site.client.get(url)).text.replace("\\n", " "))

asyncio.run(answer(*sys.argv[1:]))
"""
"""Many questions to Datasette, which takes its time to start."""


def by_sqlite_utils(path: str, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
    results = [CliRunner().invoke(sqlite_utils.cli.cli, ["query", path, statement]) for statement in statements]
    return [json.loads(result.stdout) for result in results]


def by_datasette(path: str, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
    from urllib.parse import urlencode

    words = [urlencode({"sql": statement, "_shape": "array"}) for statement in statements]
    command = [sys.executable, "-c", DATASETTE, path, *(f"/{Path(path).stem}.json?{word}" for word in words)]
    answers = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in answers.splitlines()]


@pytest.mark.parametrize("ledger", ["sqlite"], indirect=True)
@pytest.mark.parametrize("tool", [by_sqlite_utils, by_datasette])
def test_the_tools_of_others_have_the_same_answers(
    ledger: str, tool: Callable[[str, Sequence[str]], list[list[dict[str, Any]]]]
) -> None:
    if tool is by_datasette and find_spec("datasette") is None:
        pytest.skip("no Datasette here: the extra dev brings it")
    statements = [WINS, AVERAGES, BROKEN, *(select_all(view, "LIMIT 20") for view in VIEWS)]
    for statement, answer in zip(statements, tool(ledger, statements), strict=True):
        assert [tuple(row.values()) for row in answer] == query(ledger, statement)


@pytest.mark.skipif(find_spec("datasette") is None, reason="no Datasette here: the extra dev brings it")
def test_datasette_shows_the_views_and_hides_the_tables(tmp_path) -> None:
    path = str(tmp_path / "club.sqlite")
    open_ledger(path).close()
    metadata = str(Path(__file__).parents[1] / "docs" / "deploy" / "datasette.json")
    command = [sys.executable, "-m", "datasette", path, "--metadata", metadata, "--get", "/club.json"]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert {view["name"] for view in shown["views"]} == set(VIEWS)
    assert [table["name"] for table in shown["tables"] if not table["hidden"]] == []


# ---- After any series of changes, every store answers each query like plain Python.


NAMES = ("Ana", "Änne", "O'Neil", 'B"en', "李", "ben smith")
SAMPLE = CASES[::6]
QUERIES = GAMES * 13
PLACES = (None, "the kitchen", "Café Ö", "club")


def fits(row: Row, query: Query) -> bool:
    """Whether a query finds this row."""
    audit, played = row.audit, row.played
    people = "\n".join(name for _id, name in row.players)
    return (
        query.game in (None, row.game)
        and all(word in searchable(people) for word in searchable(query.player or "").split())
        and query.closed in (None, row.closed)
        and (query.place is None or searchable(query.place) in searchable(row.place or ""))
        and (query.since is None or (played is not None and played >= query.since))
        and (query.until is None or (played is not None and played <= query.until))
        and (query.verdict is None or (audit is not None and audit.verdict == query.verdict))
        and (query.clause is None or (audit is not None and query.clause in audit.clauses))
    )


def test_any_query_finds_the_same_as_plain_python(tmp_path) -> None:
    random = Random(20261121)
    listed: list[Row] = []
    with open_ledger(str(tmp_path / "a.sqlite")) as database:
        for n, path in enumerate(SAMPLE):
            record = codec.decode(path.read_bytes())
            opening = record.opening
            players = tuple(replace(player, name=random.choice(NAMES)) for player in opening.players)
            played = random.choice((None, f"2026-1{random.randrange(3)}-{random.randrange(10, 28)}"))
            changed = replace(opening, players=players, place=random.choice(PLACES), played=played)
            record = check((changed, *record.events[1:]))
            Recorder(database).import_record(record, f"r{n}")
            listed.append(replace(row_of(f"r{n}", record), audit=audit_of(f"r{n}", record).summary))
        assert len(list(refresh(database))) == len(SAMPLE)
        row_count = 0
        for _ in range(QUERIES):
            query = Query(
                game=random.choice((None, None, "zigzag", "build-up", "none")),
                player=random.choice(
                    (
                        None,
                        "an",
                        "ana",
                        "ÄNNE",
                        'b"e',
                        "o'n",
                        "李",
                        "smith",
                        "nobody",
                        "*",
                        "ana OR ben",
                        "ben an",
                        "  smith   ben ",
                        "a%",
                        "_na",
                        "!",
                    )
                ),
                place=random.choice((None, None, None, "kitchen", "fé", "CAFÉ", "cl")),
                since=random.choice((None, None, "2026-11-01")),
                until=random.choice((None, None, "2026-11-30")),
                verdict=random.choice((None, None, "clean", "breach", "impossible")),
                clause=random.choice((None, None, "tiles.once", "zigzag.take")),
                closed=random.choice((None, None, None, True, False)),
                order=random.choice(("opened", "played")),
                reverse=random.random() < 0.5,
                limit=random.choice((None, 1, 5)),
                offset=random.choice((0, 0, 2)),
            )
            rows, expected = database.find(query), [row for row in listed if fits(row, query)]
            assert database.count_records(query) == len(expected)
            if query.order == "played":
                expected.sort(key=lambda row: row.played or "")
            expected = expected if query.reverse else expected[::-1]
            if query.order == "played":
                expected.sort(key=lambda row: clock.is_ahead(row.played))
            expected = expected[query.offset :][: query.limit]
            assert [row.id for row in rows] == [row.id for row in expected], query
            assert rows == expected
            row_count += len(rows)
        assert row_count > QUERIES / 4


def test_the_list_shows_how_a_game_stands(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        record = simulate(catalog.find("build-up"), 5)
        cut = next(n for n, event in enumerate(record.events) if isinstance(event, Stack)) + 3
        name = recorder.import_record(check(record.events[:cut]), "begun")
        ended = recorder.import_record(simulate(catalog.find("zigzag"), 3, {"hands": 2}), "ended")
        assert len(list(refresh(store))) == 2
        audits = {row.id: row.audit for row in store.find(Query())}
        first, second = audits[name], audits[ended]
        assert first is not None
        assert second is not None
        review = Review(store.read(name))
        turn = [seat.turn for seat in review.scene().seats]
        assert first.turn == tuple(player for player, acts in zip(review.opening.players, turn, strict=True) if acts)
        assert (len(first.turn), first.hands, first.finished) == (1, 1, False)
        assert first.scores == review.standing().scores
        assert first.moves == sum(type(event) in MOVES for event in record.events[:cut])
        assert (second.turn, second.hands, second.finished, second.mistakes) == ((), 2, True, 0)
        assert max(second.scores) == second.scores[Review(store.read(ended)).opening.seat(second.winners[0])]


def test_on_a_terminal_a_list_has_first_names(monkeypatch, capsys) -> None:
    players = tuple((f"p{n}", name) for n, name in enumerate(("Ana Lindqvist", "علي الفيتوري", "Cy", "Dee", "Eli")))
    row = Row(id="a", game="build-up", edition=None, played=None, place=None, players=players, events=7, closed=True)
    assert _cells(row, short=True)[3] == "Ana, \u2068علي\u2069, Cy +2"
    assert _cells(row)[3].count(",") == 4
    names = ("Maximiliana-Theodora von Hohenstein", "Renée", "陈静怡")
    long = replace(row, players=tuple((name, name) for name in names))
    assert without_isolates(_cells(long, short=True)[3]) == "Maximiliana-The…, Renée, 陈静怡"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    table(("record", "game", "players"), [("a", "domino-ziggurat 1.1", "x " * 90)])
    assert "domino-ziggurat" in capsys.readouterr().out


def test_a_record_whose_name_was_amended_is_found_by_the_new_one_alone(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        name = recorder.import_record(codec.decode(CASES[0].read_bytes()))
        opening = store.read(name).opening
        first, *others = opening.players
        opening = replace(opening, players=(replace(first, name="Zoë"), *others))
        recorder.correct(name, Amend(0, opening, "a misspelt name"))
        assert [row.id for row in store.find(Query(player="zoë"))] == [name]
        assert store.find(Query(player=first.name)) == [] or first.id in first.name.lower()
        store.rebuild()
        assert [row.id for row in store.find(Query(player="zoë"))] == [name]


def test_records_that_wait_for_an_audit_are_found_without_reading_the_others(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        recorder = Recorder(store)
        names = [recorder.import_record(codec.decode(path.read_bytes())) for path in CASES[:6]]
        assert questions.unaudited(store) == tuple(names)
        assert len(list(refresh(store))) == 6
        assert questions.unaudited(store) == ()
        store.append(names[2], store.version(names[2]), [Note("tea")])
        assert questions.unaudited(store) == (names[2],)
        plan = store.rows("EXPLAIN QUERY PLAN SELECT id FROM record WHERE audited = 0 ORDER BY opened")
        assert ["record_waiting" in str(step) for step in plan] == [True]


def test_a_narrow_terminal_shows_a_table_as_blocks(monkeypatch, capsys) -> None:
    rows = [("7k3m", "zigzag", "Ana, Benedikt, Maximiliana and Theodora of the harbour"), ("7k3n", "", "Cy")]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    blocks = (
        "7k3m\n    game: zigzag\n    players: Ana, Benedikt, Maximiliana\n    and Theodora of the harbour\n"
        "7k3n\n    players: Cy\n"
    )
    for columns, shown in (("40", blocks), ("63", None), ("64", None)):
        monkeypatch.setenv("COLUMNS", columns)
        table(("record", "game", "players"), rows)
        out = capsys.readouterr().out
        assert out == shown or shown is None
        assert out.startswith("7k3m\n") == (columns != "64")


def test_a_paragraph_is_wrapped_only_on_a_terminal_and_never_wider_than_100_columns(monkeypatch, capsys) -> None:
    text = "a word " * 40
    paragraph(text.strip(), "  ")
    assert capsys.readouterr().out == f"  {text.strip()}\n"
    assert list(wrapped(["  " + text.strip()])) == ["  " + text.strip()]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for columns, widest in (("200", 100), ("50", 50)):
        monkeypatch.setenv("COLUMNS", columns)
        paragraph(text.strip(), "  ")
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) in range(widest - 7, widest + 1)
        assert all(line.startswith("  ") for line in lines)
        assert " ".join(" ".join(lines).split()) == text.strip()
    assert list(wrapped(["short", "  " + "x " * 30])) == ["short", "  " + "x " * 23 + "x", "    " + "x " * 5 + "x"]
    paragraph(text.strip())
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert not first.startswith(" ")
    assert second.startswith(("  a", "  w"))


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz", "lukasz"), ("Søren", "soren"), ("Đorđe", "dorde"), ("Guðrún", "gudrun"), ("Þór", "thor"),
        ("Næss", "naess"), ("Cœur", "coeur"), ("I\u015f\u0131k", "isik"), ("José", "jose"), ("Strauß", "strauss"),
        ("A\0b", "a\ufffdb"),
    ],
)  # fmt: skip
def test_a_name_is_found_as_people_type_it_without_its_accents(name: str, typed: str) -> None:
    assert searchable(name) == searchable(typed) == typed
