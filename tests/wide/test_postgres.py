"""The ledger in PostgreSQL, beyond the contract of all stores: crashes, watchers, copies, protection of its tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

import psycopg
import pytest

from command_output import output_of
from golden import FIXTURES
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.sources import items
from ledger.keep.transfer import forget, known_as, transfer
from ledger.proof import tree_head
from ledger.record.errors import IdReused, LedgerError, NotALedger, NotARecord, UnknownRecord, WrongVersion
from ledger.record.events import Bid, Note, Open, Pass, Player, Retract
from ledger.stores import open_ledger, questions
from ledger.stores.beside import Key, Named
from ledger.stores.postgres import PostgresStore
from ledger.stores.query import Query
from ledger.stores.sqlite import SqliteStore
from postgres import Server, needs_postgres
from viewer.app import create_app
from waiting import wait_until

CRASHES = int(os.environ.get("DOMINO_CRASHES", "3"))
SEED = 23
BESIDE = ("name", "record", "audit", "cause", "finding", "result", "key", "comment", "alias", "renamed")
OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))

pytestmark = needs_postgres


def test_the_same_events_have_the_same_tree_head_in_every_store(address: str, tmp_path: Path) -> None:
    with PostgresStore(address) as database, SqliteStore(tmp_path / "a.sqlite") as file:
        for store in (database, file):
            store.append("r", 0, [OPENING, Note("one")])
            store.append("s", 0, [OPENING])
            store.append("r", 2, [Note("two")], ["id-two"])
        assert tree_head.check(database) == tree_head.check(file)


def test_a_forgotten_name_leaves_the_tables_and_its_traces_are_listed(address: str) -> None:
    name = "Wilhelmina Ottokarsdottir"
    with PostgresStore(address) as store, psycopg.connect(address) as reader:
        players = (Player(id="a", name=name), *OPENING.players[1:])
        for n in range(40):
            store.append(f"r{n}", 0, [Open("zigzag", players=players, recorder=name, by=name), Note("x", by=name)])
        store.rows("SELECT 1 FROM name LIMIT 1")
        with psycopg.connect(address, autocommit=True) as superuser:
            superuser.execute("ANALYZE")
            where = "SELECT current_setting('data_directory') || '/base/' || oid FROM pg_database"
            (folder,) = superuser.execute(f"{where} WHERE datname = current_database()").fetchone()  # type: ignore[misc]
            superuser.execute("CHECKPOINT")

        def files() -> set[str]:
            held = (path for path in Path(folder).iterdir() if path.is_file())
            return {path.name for path in held if b"ttokarsdottir" in path.read_bytes()}

        assert files()
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1")
        traces = forget(store, name, known_as(store, name))
        assert [trace.again for trace in traces] == [True, False]
        assert "an old transaction open" in traces[0].sentence
        reader.rollback()
        (log,) = store.forget_traces()
        assert "pg_wal" in log.sentence
        assert not log.again
        assert files() == set()


def test_the_documented_statements_remove_a_forgotten_name_from_the_log(address: str) -> None:
    name = "Wilhelmina Ottokarsdottir"
    text = (Path(__file__).parents[2] / "docs" / "keeping.md").read_text("utf-8")
    first, _, rest = text.partition("ALTER SYSTEM SET wal_recycle")[2].partition("```")[0].partition("\\connect\n")
    with PostgresStore(address) as store, psycopg.connect(address, autocommit=True) as superuser:
        log = Path(str(superuser.execute("SHOW data_directory").fetchone()[0])) / "pg_wal"  # type: ignore[index]

        def files() -> set[str]:
            return {path.name for path in log.iterdir() if path.is_file() and b"ttokarsdottir" in path.read_bytes()}

        store.append("r", 0, [Open("zigzag", players=(Player(id="a", name=name), *OPENING.players[1:]))])
        forget(store, name, known_as(store, name))
        # The log is used for a while, until files that it needs no more wait under later numbers, as they were.
        for _ in range(30):
            for _ in range(6):
                superuser.execute("SELECT pg_logical_emit_message(false, 'test', %s), pg_switch_wal()", [name])
            superuser.execute("CHECKPOINT")
            if len(files()) > 2:
                break
        assert len(files()) > 2, "two more files would overwrite them all"
        for session in (f"ALTER SYSTEM SET wal_recycle{first}", rest):
            # The postmaster tells its processes about a setting before it begins a new session.
            with psycopg.connect(address, autocommit=True) as connection:
                for statement in re.sub("--.*", "", session).split(";"):
                    if statement.strip():
                        answer = connection.execute(statement)  # type: ignore[arg-type]  # the documentation's own
                        assert "SHOW" not in statement or answer.fetchone() == ("off",)
        assert files() == set()
        store.append("r", 1, [Note("on")])


def test_a_read_only_database_is_read(address: str, tmp_path: Path) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING, Note("one")])
        assert not store.read_only
    read_only_address = f"{address}?options=-c%20default_transaction_read_only%3Don"
    with PostgresStore(read_only_address) as store:
        assert store.read_only
        assert store.version("r") == 2
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 2, [Note("two")])
    for arguments in (["list"], ["show", "r"], ["verify"], ["export"], ["copy", str(tmp_path / "a.sqlite")]):
        output_of("--ledger", read_only_address, *arguments)


@pytest.fixture
def separate() -> Iterator[Server]:
    """A server of its own: to kill, or to copy without the databases of other tests."""
    server = Server()
    yield server
    server.end()


def test_a_replica_is_read_and_served(separate: Server, tmp_path: Path) -> None:
    name, address = "Aurelia Bogdanovna", separate.made("replicated")
    with PostgresStore(address) as store:
        players = (Player(id="a", name=name), *OPENING.players[1:])
        store.append("r", 0, [Open("zigzag", players=players), Note("one")])
    replica = separate.standby()
    try:
        replica_address = address.replace(f":{separate.port}/", f":{replica.port}/")
        for arguments in (["list"], ["show", "r"], ["verify"], ["export"], ["copy", str(tmp_path / "a.sqlite")]):
            output_of("--ledger", replica_address, *arguments)
        with PostgresStore(replica_address) as follower:
            assert follower.read_only
            with pytest.raises(LedgerError, match="nothing was written"):
                follower.append("r", 2, [Note("two")])
            client = create_app(lambda: follower, recording=False).test_client()
            assert name in client.get("/g/r").text
            with PostgresStore(address) as store:
                store.append("r", 2, [Note("two")])
                forget(store, name, known_as(store, name))
            wait_until(lambda: name not in client.get("/g/r").text, "a replica follows")
            assert follower.version("r") == 3
    finally:
        replica.end()


def test_a_ledger_moves_from_a_file_into_the_database_and_back(address: str, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store, PostgresStore(address) as database:
        for item in items(str(FIXTURES / "zigzag")):
            Recorder(store).import_record(item.result)  # type: ignore[arg-type]  # fixtures are records
        store.append("late", 0, [OPENING], ["late-0001"])
        assert list(transfer(store, database))[-1] == store.size()
        assert dict(questions.records(store)) == dict(questions.records(database))
        with SqliteStore(tmp_path / "b.sqlite") as second_file:
            list(transfer(database, second_file))
            assert list(second_file.log()) == list(store.log())
            assert tree_head.check(second_file).tree_head == tree_head.check(store).tree_head
    for arguments in (["list"], ["verify"], ["audit", "late"], ["backup", str(tmp_path / "c.sqlite")]):
        output_of("--ledger", address, *arguments)
    with SqliteStore(tmp_path / "c.sqlite") as copy, SqliteStore(tmp_path / "a.sqlite") as store:
        assert list(copy.log()) == list(store.log())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '\\x00'",
        "UPDATE event SET body = '\\x00' WHERE position = 99",
        "DELETE FROM event WHERE seq = 1",
        "TRUNCATE event",
        "INSERT INTO event (position, record, seq, body, link) VALUES (9, 'r', 2, '', sha256(''))",
        "INSERT INTO event (position, record, seq, body, link) VALUES (3, 'r', 3, '', sha256(''))",
    ],
)
def test_the_database_itself_refuses_to_change_or_lose_an_event(address: str, statement: str) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING, Note("one")])
        with (
            psycopg.connect(address, options="-c search_path=domino_ledger") as raw,
            pytest.raises(psycopg.errors.RaiseException, match="a ledger only grows"),
        ):
            raw.execute(statement)  # type: ignore[arg-type]  # ours
        assert store.version("r") == 2


def test_a_role_that_only_uses_the_tables_records_and_can_change_no_event(address: str) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
    role = f"viewer_{uuid4().hex[:8]}"
    grants = (
        f"CREATE ROLE {role} LOGIN",
        f"GRANT USAGE ON SCHEMA domino_ledger TO {role}",
        f"GRANT SELECT, INSERT ON domino_ledger.event TO {role}",
        f"GRANT SELECT, UPDATE ON domino_ledger.ledger, domino_ledger.total TO {role}",
        *(f"GRANT SELECT, INSERT, UPDATE, DELETE ON domino_ledger.{table} TO {role}" for table in (*BESIDE, "broken")),
        "DROP TRIGGER event_is_immutable ON domino_ledger.event",
    )
    with psycopg.connect(address, autocommit=True) as raw:
        for grant in grants:
            raw.execute(grant)  # type: ignore[arg-type]  # ours
    role_address = address.replace("postgres@", f"{role}@")
    with PostgresStore(role_address) as store:
        store.append("r", 1, [Note("one")])
        store.append("s", 0, [OPENING])
        store.put([Key("s", b"k" * 32)])
        store.put(store.kept(Named))
        (missing,) = tree_head.check(store).corruptions
        assert missing.reason.startswith("the trigger event_is_immutable is missing")
    with psycopg.connect(role_address) as raw, pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute("UPDATE domino_ledger.event SET body = ''")


def test_a_database_that_may_lose_acknowledged_events_is_refused(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute(f'ALTER DATABASE "{address.rpartition("/")[2]}" SET synchronous_commit = off')  # type: ignore[arg-type]
    with pytest.raises(NotALedger, match="synchronous_commit is off"):
        PostgresStore(address)
    with pytest.raises(NotALedger):
        PostgresStore("postgresql://nobody:secret@127.0.0.1:1/none")


def test_no_message_has_the_password(address: str) -> None:
    secret = address.replace("postgres@", "postgres:very-secret@")
    with PostgresStore(secret) as store:
        assert "very-secret" not in store.path
        with pytest.raises(LedgerError) as caught:
            store.read("nobody")
        assert "very-secret" not in str(caught.value)


def test_programs_that_make_one_ledger_at_the_same_time_all_get_it(address: str) -> None:
    code = "import sys; from ledger.stores import open_ledger; open_ledger(sys.argv[1]).close()"
    makers = [subprocess.Popen([sys.executable, "-c", code, address]) for _ in range(4)]
    assert [maker.wait(60) for maker in makers] == [0] * 4


def test_watchers_get_news_at_once(address: str) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
        store.wait_for_change(0.01)  # from now on it listens
        woken = threading.Event()

        def watch() -> None:
            with store.reopen() as same:
                same.wait_for_change(0.01)
                listening.set()
                same.wait_for_change(120)
                woken.set()

        listening = threading.Event()
        watcher = threading.Thread(target=watch)
        watcher.start()
        assert listening.wait(60)
        store.append("r", 1, [Note("one")])
        watcher.join(60)
        assert woken.is_set()


def test_many_threads_share_one_store(address: str) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])

        def write(name: str) -> None:
            for n in range(20):
                while True:
                    try:
                        store.append("r", store.version("r"), [Note(f"{name}/{n}")], [f"{name}-{n:06}"])
                        break
                    except WrongVersion:
                        continue

        writers = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        notes = [event.text for event in store.read("r").events[1:] if isinstance(event, Note)]
        assert sorted(notes) == sorted(f"w{number}/{n}" for number in range(8) for n in range(20))
        assert tree_head.check(store).corruptions == ()


def test_the_viewer_shows_and_records_what_the_database_has(address: str) -> None:
    key = new_key()
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
        store.put([Key("r", key_digest(key))])
        app = create_app(store.reopen)
        client = app.test_client()
        assert "r" in client.get("/api/v1/records").text
        assert client.get("/api/v1/records/%00").status_code == 404
        entry = {"id": "entry-0001", "event": {"type": "bid", "player": "a", "bid": 3}}
        for _ in range(2):
            answer = client.post(
                "/api/v1/records/r/events",
                json={"expected": 1, "entries": [entry]},
                headers={"Authorization": f"Bearer {key}"},
            )
            assert answer.status_code == 200
        assert client.get("/g/r").status_code == 200
        assert client.get("/?player=A&place=x%25").status_code == 200
        assert store.version("r") == 2
        app.extensions["ledgers"].close()


def test_acknowledged_events_survive_a_crash_of_the_server(separate: Server) -> None:
    random = Random(SEED)
    address = separate.made("crash")
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
    acknowledged: list[str] = []
    retries = [0]
    ended = threading.Event()

    def write(name: str) -> None:
        number = 0
        with open_ledger(address) as store:
            while not ended.is_set():
                number += 1
                event, event_id, tries = Note(f"{name}-{number}"), f"{name}-{number:08}", 0
                while True:  # like a phone: the same id until it is acknowledged
                    tries += 1
                    try:
                        store.append("r", store.version("r"), [event], [event_id])
                    except WrongVersion:
                        continue
                    except LedgerError:
                        retries[0] += 1
                        time.sleep(0.05)
                        continue
                    acknowledged.append(event.text)
                    break

    writers = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(CRASHES):
        before = len(acknowledged)
        while len(acknowledged) < before + 20:
            time.sleep(0.02)
        time.sleep(random.uniform(0, 0.2))
        separate.kill()
        separate.start()
    before = len(acknowledged)
    while len(acknowledged) < before + 20:
        time.sleep(0.02)
    ended.set()
    for writer in writers:
        writer.join()
    with PostgresStore(address) as store:
        texts = [event.text for event in store.read("r").events if isinstance(event, Note)]
        assert len(texts) == len(set(texts))  # nothing twice
        assert set(acknowledged) == set(texts)  # nothing lost, and every attempt completed
        assert tree_head.check(store).corruptions == ()
    assert retries[0] >= CRASHES


def test_both_databases_always_give_the_same_answers(postgres: Server, tmp_path: Path) -> None:
    """Random appends, retries and outdated writers, the same for both."""
    for seed in range(4):
        random = Random(seed)
        address = postgres.made(f"answers-{uuid4().hex[:12]}")
        with PostgresStore(address) as database, SqliteStore(tmp_path / f"{seed}.sqlite") as file:
            for _ in range(60):
                name = random.choice("abc")
                count = random.randint(0, 2)
                events = [
                    random.choice([OPENING, Bid("a", random.randint(1, 2)), Pass("b"), Retract(1, "x")])
                    for _ in range(count)
                ]
                if not file.version(name):
                    events = [OPENING, *events]
                expected = max(0, file.version(name) + random.choice([0, 0, 0, -1, 1]))
                ids = [random.choice("pqrstuvw") for _ in events] if random.random() < 0.5 else None
                outcomes = []
                for store in (database, file):
                    try:
                        outcomes.append(store.append(name, expected, events, ids))
                    except (IdReused, NotARecord, UnknownRecord, WrongVersion) as error:
                        outcomes.append(type(error))
                assert outcomes[0] == outcomes[1], f"seed {seed}"
            assert dict(questions.records(file)) == dict(questions.records(database))
            assert [r.id for r in file.find(Query())] == [r.id for r in database.find(Query())]
