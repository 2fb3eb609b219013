"""Other programs that read a ledger's file, such as a database browser: they hold up no writer."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from command_output import run_on
from ledger.keep.recorder import new_id, new_key
from ledger.record.errors import LedgerError
from ledger.record.events import Note, Open, Player
from ledger.stores import connection
from ledger.stores.beside import Named
from ledger.stores.store import SqliteStore
from viewer.app import create_app

OPENING = Open("build-up", players=(Player(id="a", name="Ana Lind"), Player(id="b", name="Ben")))


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
def closed(tmp_path: Path) -> Path:
    """A ledger with one record, which no program has open."""
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
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


def test_a_ledger_that_was_restored_is_written_beside_a_reader(closed: Path, tmp_path: Path) -> None:
    backup, restored = tmp_path / "backup.sqlite", tmp_path / "restored.sqlite"
    assert run_on(closed, "backup", str(backup)).exit_code == 0
    assert run_on(restored, "restore", str(backup)).exit_code == 0
    assert is_whole_alone(restored)
    with reading(restored), SqliteStore(restored) as store:
        assert store.append("r", 1, [Note("on")]) == 2


def test_a_backup_that_is_written_says_which_program_is_in_the_way(closed: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert run_on(closed, "backup", str(backup)).exit_code == 0
    with reading(backup), SqliteStore(backup) as store:
        store.connection.hurry()
        with pytest.raises(LedgerError, match="Another program has it open"):
            store.append("r", 1, [Note("on")])
    with SqliteStore(backup) as store:
        assert store.append("r", 1, [Note("on")]) == 2


def test_who_may_only_read_sees_what_others_write(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
