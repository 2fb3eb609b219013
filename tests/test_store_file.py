"""Properties of a ledger in a file: it lasts, refuses changes, and can be shared by several programs."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from command_output import run_on
from ledger.keep.recorder import key_digest, new_id, new_key
from ledger.record import chain
from ledger.record.errors import Corrupt, LedgerError, NotALedger, NotARecord
from ledger.record.events import Bid, Note, Open, Pass, Player
from ledger.record.private_files import read_at, write_at
from ledger.stores import connection, schema
from ledger.stores.beside import Key, Named
from ledger.stores.connection import OF_A_THREAD, REMEMBERED, nothing_written
from ledger.stores.event_log import gone, read_back
from ledger.stores.questions import _verify
from ledger.stores.store import SqliteStore
from test_store import opening
from viewer.app import create_app

PAIR = [chain.chained_bytes(event) for event in (opening(), Pass("ben"))]
OPENED, BODY = PAIR


def test_a_ledger_is_there_when_it_is_opened_again(tmp_path) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening(), Bid("ana", 3)])
    with SqliteStore(tmp_path / "l.sqlite") as store:
        assert store.read("r").events == (opening(), Bid("ana", 3))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = x'00'",
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 1",
        "INSERT OR REPLACE INTO event VALUES (1, 'r', 0, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT OR REPLACE INTO event VALUES (3, 'r', 1, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT OR REPLACE INTO event VALUES (3, 'r', 2, 'b', NULL, x'7b7d', zeroblob(32))",
        "INSERT INTO event VALUES (9, 'r', 2, NULL, NULL, x'7b7d', zeroblob(32))",
        "INSERT INTO event VALUES (3, 'r', 3, NULL, NULL, x'7b7d', zeroblob(32))",
    ],
)
def test_the_file_itself_refuses_to_change_or_lose_an_event(tmp_path, statement: str) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening(), Bid("ana", 3)], ["a", "b"])
    raw = sqlite3.connect(tmp_path / "l.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="a ledger only grows"):
        raw.execute(statement)
    raw.close()


@pytest.mark.parametrize(
    "body", [b"{", b"\xff", b"", b'{"type":"pass","player":"ana"},{"type":"pass","player":"ben"}'], ids=repr
)
def test_a_damaged_event_is_named(tmp_path, body: object) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening(), Bid("ana", 3), Pass("ben")])
    raw = sqlite3.connect(tmp_path / "l.sqlite")
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("UPDATE event SET body = ? WHERE seq = 1", (body,))
    raw.commit()
    raw.close()
    with SqliteStore(tmp_path / "l.sqlite") as store, pytest.raises(NotARecord) as refused:
        store.read("r")
    assert refused.value.event == 1


def test_a_file_that_is_not_a_ledger_is_refused(tmp_path) -> None:
    (tmp_path / "text").write_text("Ana 3, Ben 4, and so on for more than a hundred bytes of a table's notes\n" * 20)
    with pytest.raises(NotALedger):
        SqliteStore(tmp_path / "text")
    raw = sqlite3.connect(tmp_path / "other")
    raw.execute("CREATE TABLE t (x)")
    raw.close()
    with pytest.raises(NotALedger, match=r"other: a database, but not a ledger$"):
        SqliteStore(tmp_path / "other")
    raw = sqlite3.connect(tmp_path / "versioned")
    raw.executescript("PRAGMA user_version = 1; CREATE TABLE event (x)")
    raw.close()
    before = (tmp_path / "versioned").read_bytes()
    with pytest.raises(NotALedger, match="not a ledger"):
        SqliteStore(tmp_path / "versioned")
    assert (tmp_path / "versioned").read_bytes() == before
    with pytest.raises(NotALedger, match="no folder"):
        SqliteStore(tmp_path / "missing" / "ledger")


def test_a_file_that_cannot_be_written_says_so_and_stays_readable(tmp_path) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening()])
        store.connection.db.execute("PRAGMA query_only = ON")
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 1, [Pass("ana")])
        assert store.version("r") == 1


def test_a_file_is_kept_as_safely_as_sqlite_can(tmp_path) -> None:
    pragmas = {"synchronous": 3, "journal_mode": "wal", "foreign_keys": 1, "recursive_triggers": 1, "trusted_schema": 0}
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [opening()])
        assert {name: store.connection.db.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas} == pragmas
        assert store.connection.db.execute("PRAGMA busy_timeout").fetchone() == (5000,)


def test_the_schema_is_counted_in_one_way() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        assert len(schema.migrations().pending(Database(db))) == schema.VERSION


def test_an_up_to_date_file_opens_without_the_machinery_of_migrations(tmp_path) -> None:
    path = tmp_path / "l.sqlite"
    SqliteStore(path).close()
    code = "import sys; from ledger.stores.store import SqliteStore; SqliteStore(sys.argv[1]).close(); "
    subprocess.run([sys.executable, "-c", code + "sys.exit('sqlite_utils' in sys.modules)", str(path)], check=True)


MAKER = """
import sys
from ledger.stores.store import SqliteStore
print("ready", flush=True)
sys.stdin.readline()
SqliteStore(sys.argv[1]).close()
"""


def test_programs_that_make_one_file_at_the_same_time_all_get_it(tmp_path) -> None:
    for name in "abc":
        command = [sys.executable, "-c", MAKER, str(tmp_path / name)]
        makers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(4)]
        for maker in makers:
            assert maker.stdout is not None
            assert maker.stdout.readline() == b"ready\n"
        for maker in makers:
            assert maker.stdin is not None
            maker.stdin.write(b"go\n")
            maker.stdin.flush()
        for maker in makers:
            maker.communicate()
        assert [maker.returncode for maker in makers] == [0] * 4


def test_a_thread_caches_little_of_the_file(tmp_path) -> None:
    with SqliteStore(tmp_path / "l.sqlite") as store, store.reopen() as again:
        sizes = [ledger.rows("PRAGMA cache_size")[0][0] for ledger in (store, again)]
    assert sizes == [-REMEMBERED, -OF_A_THREAD], "a server has many threads, and negative numbers are KiB"
    assert OF_A_THREAD * 116 < 32 << 10


RACER = """
import sys
from ledger.record.errors import WrongVersion
from ledger.record.events import Note
from ledger.stores.store import SqliteStore
with SqliteStore(sys.argv[1]) as store:
    for n in range(50):
        while True:
            try:
                store.append("r", store.version("r"), [Note(f"{sys.argv[2]}/{n}")])
                break
            except WrongVersion:
                pass
"""


def test_writers_that_race_win_each_version_once(tmp_path) -> None:
    path = tmp_path / "l.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [opening()])
        racers = [subprocess.Popen([sys.executable, "-c", RACER, str(path), str(n)]) for n in range(4)]
        assert [racer.wait() for racer in racers] == [0] * 4
        notes = [event.text for event in store.read("r").events[1:] if isinstance(event, Note)]
    assert sorted(notes) == sorted(f"{who}/{n}" for who in range(4) for n in range(50))
    for who in range(4):
        assert [note for note in notes if note.startswith(f"{who}/")] == [f"{who}/{n}" for n in range(50)]


def copy_with_log(folder: Path) -> Path:
    """The copy of a ledger that is in use: its last event, a note, is only in the log beside it."""
    copy = folder / "b.sqlite"
    with SqliteStore(folder / "a.sqlite") as store:
        store.append("r", 0, [opening()])
        store.append("r", 1, [Note("in the log")])
        for end in ("", "-wal"):
            shutil.copy(f"{store.path}{end}", f"{copy}{end}")
    return copy


def test_a_log_beside_a_file_that_cannot_be_written_is_read_too(tmp_path, monkeypatch) -> None:
    path = copy_with_log(tmp_path)
    monkeypatch.setattr(connection, "_writable", lambda _path: False)
    with SqliteStore(path) as copy:
        assert copy.connection.read_only
        assert copy.read("r").events[1:] == (Note("in the log"),)


@pytest.mark.parametrize(
    ("code", "unindexed"),
    [
        (sqlite3.SQLITE_CANTOPEN, True), (sqlite3.SQLITE_IOERR, True), (sqlite3.SQLITE_FULL, True),
        (sqlite3.SQLITE_READONLY, True), (sqlite3.SQLITE_IOERR | 17 << 8, True), (sqlite3.SQLITE_BUSY, False),
    ],
)  # fmt: skip
def test_where_no_index_of_the_log_can_be_made_a_sentence_says_what_to_do(
    tmp_path, monkeypatch, code: int, unindexed: bool
) -> None:
    path = copy_with_log(tmp_path)

    class Failing(sqlite3.Connection):
        """It cannot make the index of the log, or is busy, at the first statement."""

        asked = 0

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            Failing.asked += 1
            if Failing.asked == 1:
                error = sqlite3.OperationalError("no")
                error.sqlite_errorcode = code
                raise error
            return super().execute(statement, *values)

    monkeypatch.setattr(connection, "SHARED", {**connection.SHARED, "factory": Failing})
    if not unindexed:
        with SqliteStore(path) as copy:
            assert copy.read("r").events[1:] == (Note("in the log"),)
        return
    reason = (
        r"its newest events are in b\.sqlite-wal, which cannot be read .* Make room on the disk; or copy b\.sqlite, "
    )
    with pytest.raises(NotALedger, match=reason):
        SqliteStore(path)
    path.with_name("b.sqlite-wal").write_bytes(b"")
    path.with_name("b.sqlite.head").write_bytes(b"")  # so that nobody doubts that this is all
    Failing.asked = 0
    with SqliteStore(path) as copy:
        assert (copy.connection.read_only, copy.connection.doubt) == (True, "")
    assert Failing.asked > 0


def test_a_file_is_marked_as_in_use_from_the_first_write_until_it_is_closed(tmp_path) -> None:
    def mark() -> int:
        with closing(sqlite3.connect(tmp_path / "l.sqlite")) as raw:
            return int(raw.execute("PRAGMA application_id").fetchone()[0])

    SqliteStore(tmp_path / "l.sqlite").close()
    assert mark() == schema.KIND
    with SqliteStore(tmp_path / "l.sqlite") as store:
        assert mark() == schema.KIND
        store.append("r", 0, [opening()])
        assert mark() == schema.IN_USE
        store.append("r", 1, [Bid("ana", 3)])
        assert mark() == schema.IN_USE
    assert mark() == schema.KIND


@pytest.mark.parametrize(("error", "corrupt"), [(sqlite3.IntegrityError, True), (sqlite3.OperationalError, False)])
def test_a_write_that_fails_says_whether_the_ledger_contradicts_itself(error: type[Exception], corrupt: bool) -> None:
    failed = nothing_written(Path("a.sqlite"), error("why"))
    assert isinstance(failed, Corrupt) is corrupt
    assert str(failed).startswith("a.sqlite: nothing was written")
    assert ("contradicts itself (why)" in str(failed), str(failed).endswith(": why")) == (corrupt, not corrupt)


def test_events_that_are_gone_are_counted() -> None:
    assert gone(3, 2) == "1 event is gone: it had 3 and has 2"
    assert gone(3, 1) == "2 events are gone: it had 3 and has 1"


def test_a_file_that_cannot_be_opened_says_why(tmp_path) -> None:
    closed, other = sqlite3.OperationalError("unable to open"), sqlite3.OperationalError("disk I/O error")
    closed.sqlite_errorcode, other.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR
    path = tmp_path / "a.sqlite"
    missing = f"there is no such file, and you may not write one to the folder {tmp_path}"
    assert (connection._why(path, closed), connection._why(path, other)) == (missing, "disk I/O error")
    path.touch()
    assert connection._why(path, closed) == "you may not read this file"
    assert connection._why(path, ValueError("another")) == "another"


@pytest.mark.parametrize(("bodies", "changed", "reason"), [
    ([], {}, "it should have 2 events, and has 0"),
    ([OPENED], {}, "it should have 2 events, and has 1"),
    ([OPENED, "a text"], {}, "a row is not an event"),
    ([OPENED, BODY], {1: (1, b"x" * 32)}, "event 1 does not follow from the one before it: it was changed"),
    ([OPENED, BODY], {0: (1, None)}, "event 0 does not follow from the one before it: it was changed"),
    ([OPENED, BODY], {1: (2, None)}, "event 1 does not follow from the one before it: it was changed"),
    ([OPENED, b"{}"], {}, "event 1: Object"),
    ([BODY, OPENED], {}, "event 0: $.type: the first event is not an opening"),
])  # fmt: skip
def test_rows_that_are_not_as_they_were_written_are_no_record(
    bodies: list[Any], changed: dict[int, tuple[int, bytes | None]], reason: str
) -> None:
    links = chain.links([body for body in bodies if isinstance(body, bytes)])
    rows = [(seq, body, links[min(seq, len(links) - 1)]) for seq, body in enumerate(bodies)]
    for seq, (number, link) in changed.items():
        rows[seq] = (number, bodies[seq], link or rows[seq][2])
    with pytest.raises(Corrupt) as refused:
        _verify("r", 2, rows, [])
    assert str(refused.value).startswith(f"record r: {reason}")


def test_rows_as_they_were_written_are_the_record() -> None:
    rows = [(seq, body, link) for (seq, body), link in zip(enumerate(PAIR), chain.links(PAIR), strict=True)]
    assert [chain.chained_bytes(event) for event in _verify("r", 2, rows, []).events] == PAIR
    with pytest.raises(NotARecord, match="it is not text") as refused:
        read_back([OPENED, 7], 4)  # type: ignore[list-item]  # as in a damaged file
    assert refused.value.event == 5


def test_a_file_is_read_and_written_at_an_offset(tmp_path) -> None:
    handle = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    try:
        write_at(handle, b"abcdef", 0)
        write_at(handle, b"XY", 2)
        assert [read_at(handle, 3, offset) for offset in (0, 1, 4, 6)] == [b"abX", b"bXY", b"ef", b""]
    finally:
        os.close(handle)


def test_a_copy_that_cannot_be_written_says_so(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store, pytest.raises(LedgerError, match="b: nothing was copied: "):
        store.connection.copy_to(tmp_path / "no" / "b")


# ---- A ledger whose file was replaced, moved or removed while it is open takes nothing more, and says so.


MOVE = {"expected": 1, "entries": [{"id": "move-0001", "event": {"type": "note", "text": "one"}}]}
OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("new"))
    path.with_name("new").replace(path)


def move_all(path: Path) -> None:
    for end in ("", "-wal", "-shm", ".head"):
        if (file := path.with_name(path.name + end)).exists():
            file.rename(path.with_name(f"away{end}"))


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def lead_elsewhere(path: Path) -> None:
    move_all(path)
    SqliteStore(path.with_name("other.sqlite")).close()
    path.symlink_to("other.sqlite")


WAYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "replaced": (replace, "replaced by another"),
    "removed": (Path.unlink, "moved or removed"),
    "moved": (lambda path: path.rename(path.with_name("away")), "moved or removed"),
    "moved with all": (move_all, "moved or removed"),
    "its folder moved": (move_folder, "moved or removed"),
    "a link to another": (lead_elsewhere, "replaced by another"),
    "its log removed": (lambda path: path.with_name(f"{path.name}-wal").unlink(), r"its log \(-wal\) was moved"),
    "another name": (lambda path: path.with_name("b.sqlite").hardlink_to(path), r"another name \(a hard link\)"),
}


@pytest.fixture
def path(tmp_path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "a.sqlite"


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_acknowledged_any_more(path: Path, way: str) -> None:
    displace, reason = WAYS[way]
    with SqliteStore(path) as store:
        store.put([])  # makes the log
        os.utime(path.parent, (0, 0))  # nothing has come or gone there for long
        store.append("r", 0, [OPENING], ["first-001"])
        assert store.connection.displaced() == ""
        displace(path)
        for ids in (None, ["second-01"]):
            with pytest.raises(LedgerError, match=f"nothing was written: .*{reason}"):
                store.append("r", 1, [Note("one")], ids)
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 0, [OPENING], ["first-001"])
        assert store.version("r") == 1
        assert store.loss() == store.connection.displaced() != ""
    rescued = path.with_name("a.sqlite.rescued")
    assert rescued.exists() == (reason in ("replaced by another", "moved or removed") and way != "its folder moved")
    if rescued.exists():
        with SqliteStore(rescued) as store:
            assert (store.connection.doubt, store.version("r")) == ("", 1), "what was acknowledged"
    if way == "its log removed":
        with SqliteStore(path) as store:
            assert (store.loss(), store.append("r", 1, [Note("one")])) == ("", 2)
    log = path.with_name("a.sqlite-wal")
    assert not log.exists() or not log.stat().st_size, "no other file finds this log beside it"


@pytest.mark.parametrize("way", WAYS)
def test_a_server_says_so_and_takes_no_move(path: Path, way: str) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
        store.put([Key("r", key_digest("key"))])
        client = create_app(store.reopen).test_client()
        assert client.get("/healthz").status_code == 200
        WAYS[way][0](path)
        health = client.get("/healthz")
        assert (health.status_code, "nothing is written any more: its" in health.text) == (503, True)
        assert health.json["recording"] is False
        page = client.get("/").text
        assert (page.count('role="alert"'), "Tell its owner" in page, "Stop the programs" in page) == (1, True, False)
        other = create_app(store.reopen).test_client()  # none of its threads opens what is there now
        assert "nothing was written: " in other.get("/healthz").json["reason"]
        assert "Tell its owner" in other.get("/").text
        for asked in (client, other):
            answer = asked.post("/api/v1/records/r/events", json=MOVE, headers={"Authorization": "Bearer key"})
            assert answer.status_code == 503, answer.text
            assert re.fullmatch(r"nothing was written: its [^.]*\. Tell its owner", answer.json["detail"])
    assert (
        not path.exists() or path.is_symlink() or way not in ("removed", "moved", "moved with all", "its folder moved")
    )


def test_a_file_that_is_put_back_is_written_again(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
        path.rename(path.with_name("away"))
        with pytest.raises(LedgerError):
            store.append("r", 1, [Note("one")])
        path.with_name("away").rename(path)
        assert store.append("r", 1, [Note("one")]) == 2


def test_a_ledger_has_one_mark_whatever_name_it_is_opened_by(path: Path) -> None:
    link, chain = path.parents[1] / "club.sqlite", path.parents[1] / "again.sqlite"
    link.symlink_to("data/a.sqlite")
    chain.symlink_to("club.sqlite")
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
    older = path.read_bytes()
    with SqliteStore(chain) as store:
        store.append("r", 1, [Note("one"), Note("two")])
    assert sorted(file.name for file in path.parent.iterdir()) == ["a.sqlite", "a.sqlite.head"]
    path.write_bytes(older)
    for name in (path, link, chain):
        result = run_on(name, "list")
        assert (result.exit_code, "2 events are gone: it had 3 and has 1" in result.stderr) == (2, True), name
        assert run_on(name, "verify").exit_code == 1
        assert run_on(name, "new", "zigzag", "A", "B", "C").exit_code == 2
    path.unlink()
    for name in (path, link, chain):
        assert "the ledger is gone or empty, and it had 3 events" in run_on(name, "list").stderr, name
    assert run_on(link, "restore", str(path.with_name("none"))).exit_code != 0
    path.with_name("older").write_bytes(older)
    assert run_on(link, "restore", str(path.with_name("older"))).exit_code == 0
    assert link.is_symlink()
    assert path.read_bytes()


def test_a_second_name_is_named_by_every_command(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
    second = path.with_name("b.sqlite")
    second.hardlink_to(path)
    for name in (path, second):
        assert "another name (a hard link)" in run_on(name, "new", "zigzag", "A", "B", "C").stderr
        assert "another name (a hard link)" in run_on(name, "verify").stdout + run_on(name, "verify").stderr
    second.unlink()
    assert run_on(path, "new", "zigzag", "A", "B", "C").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_what_is_no_file_is_no_ledger(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        (tmp_path / "pipe", "is not a file"),
        (Path(os.devnull), "is not a file"),
        (tmp_path, "folder"),
    ):
        with pytest.raises(NotALedger, match=reason):
            SqliteStore(name)


# ---- Other programs that read a ledger's file, such as a database browser: they hold up no writer.


WITH_NAMES = Open("build-up", players=(Player(id="a", name="Ana Lind"), Player(id="b", name="Ben")))


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program in the middle of a read transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM event").fetchall()
        yield reader


@pytest.fixture
def closed(tmp_path) -> Path:
    """A ledger with one record, which no program has open."""
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [WITH_NAMES])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["club.sqlite", "club.sqlite.head"]
    return path


def is_whole_alone(path: Path) -> bool:
    """Whether a copy of the file, without those beside it, is the whole ledger and says so."""
    alone = path.parent / "elsewhere" / path.name
    alone.parent.mkdir()
    shutil.copy(path, alone)
    verified = run_on(alone, "verify")
    shutil.rmtree(alone.parent)
    return verified.exit_code == 0 and "Warning" not in verified.stderr


def test_a_program_that_reads_a_closed_ledger_stops_no_recording(closed: Path) -> None:
    with reading(closed) as reader:
        for arguments in (("new", "build-up", "Cy", "Dee"), ("list",), ("confirm", "r", "Ben", "--fingerprint", "?")):
            result = run_on(closed, *arguments)
            assert "locked" not in result.stderr
            assert result.exit_code == (2 if "?" in arguments else 0), result.stderr
        with SqliteStore(closed) as store:
            form = {"id": new_id(), "key": new_key(), "game": "build-up", "player1": "Eve", "player2": "Fay"}
            created = create_app(lambda: store).test_client().post("/new", data=form)
            assert created.status_code == 303, created.text
            assert store.append("r", 1, [Note("on")]) == 2
        forgotten = run_on(closed, "forget", "--yes", "Ana Lind")
        assert (forgotten.exit_code, "another program is reading an old state" in forgotten.stderr) == (1, True)
        assert reader.execute("SELECT count(*) FROM event").fetchone() == (1,), "it still sees what it saw at first"
    with SqliteStore(closed) as store:
        assert (len(store.ids()), store.version("r"), next(store.kept(Named, "r")).names.players) == (
            3,
            2,
            {"b": "Ben"},
        )
    assert run_on(closed, "forget").exit_code == 0
    assert b"Ana Lind" not in closed.read_bytes()
    assert sorted(file.name for file in closed.parent.iterdir()) == ["club.sqlite", "club.sqlite.head"]
    assert is_whole_alone(closed)


def test_a_reader_that_stays_longest_leaves_one_whole_file(closed: Path) -> None:
    with reading(closed) as reader, SqliteStore(closed) as store:
        store.append("r", 1, [Note("on")])
        store.close()
        reader.execute("COMMIT")
    assert not log_of(closed).exists()
    assert is_whole_alone(closed)


def test_after_a_killed_writer_the_next_command_leaves_one_whole_file(closed: Path) -> None:
    with SqliteStore(closed) as store:
        store.append("r", 1, [Note("on")])
        files = {path: path.read_bytes() for path in (closed, log_of(closed))}
    for path, content in files.items():
        path.write_bytes(content)
    assert not is_whole_alone(closed), "its newest event is in the log"
    assert "2 events" in run_on(closed, "verify").stderr
    assert is_whole_alone(closed)


def test_a_ledger_that_was_restored_is_written_beside_a_reader(closed: Path, tmp_path) -> None:
    backup, restored = tmp_path / "backup.sqlite", tmp_path / "restored.sqlite"
    assert run_on(closed, "backup", str(backup)).exit_code == 0
    assert run_on(restored, "restore", str(backup)).exit_code == 0
    assert is_whole_alone(restored)
    with reading(restored), SqliteStore(restored) as store:
        assert store.append("r", 1, [Note("on")]) == 2


def test_a_backup_that_is_written_says_which_program_is_in_the_way(closed: Path, tmp_path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert run_on(closed, "backup", str(backup)).exit_code == 0
    with reading(backup), SqliteStore(backup) as store:
        store.connection.hurry()
        with pytest.raises(LedgerError, match="Another program has it open"):
            store.append("r", 1, [Note("on")])
    with SqliteStore(backup) as store:
        assert store.append("r", 1, [Note("on")]) == 2


def test_who_may_only_read_sees_what_others_write(closed: Path, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection, "_writable", lambda _path: False)
        reader = SqliteStore(closed)
        assert (reader.connection.read_only, reader.version("r")) == (True, 1)
        patch.undo()
        for version in (1, 2):
            with SqliteStore(closed) as writer:
                writer.append("r", version, [Note("on")])
                patch.setattr(connection, "_writable", lambda _path: False)
                assert reader.version("r") == version + 1
                patch.undo()
            assert reader.version("r") == version + 1
        reader.close()
