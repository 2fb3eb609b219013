"""A full disk: the writer gets an error, nothing is half written, readers go on; so does the writer once there is room.

Three ways to be full: SQLite's limit on pages, the system's limit on the size of a file, and a small disk.
"""

import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from ledger.proof import log_head
from ledger.record.errors import LedgerError
from ledger.record.events import Note, Open, Player
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.connection import Connection
from ledger.stores.query import Audit, Query, Summary
from ledger.stores.store import SqliteStore

SEED = 23
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
REASON = "nothing was written: (database or disk is full|disk I/O error)"
KEY = b"k" * 32
LONG = [Note("y" * 2000)] * 50


class Filler:
    """A writer that remembers the acknowledged events and those refused for lack of space."""

    def __init__(self, path: Path) -> None:
        self.path, self.random = path, Random(SEED)
        self.events: list[Open | Note] = [OPENING]
        self.refused: list[Note] = []
        self.number = 0

    def append(self, store: SqliteStore) -> None:
        """Appends a few notes.  Raises LedgerError for lack of space, and remembers them for another try."""
        if not self.refused:
            self.number += 1
            long = self.random.choice((10, 300, 2000))
            self.refused = [Note(f"{self.number}/{part} ".ljust(long, "x")) for part in range(1 + self.number % 3)]
        keys = [event.text[:12] for event in self.refused]
        assert store.append("r", len(self.events), self.refused, keys) == len(self.events) + len(self.refused)
        self.events += self.refused
        self.refused = []

    def fill(self, store: SqliteStore) -> None:
        """Appends until the disk is full.  Then raises LedgerError."""
        for _ in range(1000):
            self.append(store)

    def check_contents(self, store: SqliteStore) -> None:
        """Checks that exactly the acknowledged events are there."""
        assert list(store.read("r").events) == self.events
        assert [(row.id, row.events) for row in store.find(Query())] == [("r", len(self.events))]


def check_recovery(path: Path, less: Callable[[SqliteStore], None], more: Callable[[SqliteStore], None]) -> None:
    """Fills the space that `less` leaves, three times, with one store that is not opened again."""
    filler = Filler(path)
    with SqliteStore(path) as store, SqliteStore(path) as reader:
        store.append("r", 0, [OPENING])
        for checkpoint in (1000, 1, 20):
            # The limit on the journal decides whether this file or the ledger's runs out of space.
            store.connection.db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
            filler.append(store)
            less(store)
            with pytest.raises(LedgerError, match=REASON):
                filler.fill(store)
            assert filler.refused
            batch = [(f"new{n}", [OPENING, *LONG]) for n in range(4)]
            with pytest.raises(LedgerError, match=REASON):
                store.append_records(batch)
            for ledger in (store, reader):
                filler.check_contents(ledger)
            with SqliteStore(path) as second:
                filler.check_contents(second)
                with pytest.raises(LedgerError, match=REASON):
                    second.append("r", second.version("r"), LONG * 20)
            more(store)
            for _ in range(10):
                filler.append(store)
            for ledger in (store, reader):
                filler.check_contents(ledger)
        store.put([Key("r", KEY)])
        store.note_audits([Audit("r", len(filler.events), Summary("clean", finished=False))])
        assert questions.roles(reader, "r", KEY)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with SqliteStore(path) as store:
        assert log_head.check(store).corruptions == ()
        filler.check_contents(store)


def test_a_ledger_that_may_have_no_more_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect, limit = Connection._connect, [1_000_000]

    def bounded(self: Connection) -> sqlite3.Connection:
        # The limit applies to one connection, so a later one needs it too.
        db = connect(self)
        db.execute(f"PRAGMA max_page_count = {limit[0]}")
        return db

    def bound(store: SqliteStore, pages: int) -> None:
        limit[0] = pages
        store.connection.db.execute(f"PRAGMA max_page_count = {pages}")

    def less(store: SqliteStore) -> None:
        bound(store, store.connection.db.execute("PRAGMA page_count").fetchone()[0] + 20)

    monkeypatch.setattr(Connection, "_connect", bounded)
    check_recovery(tmp_path / "a.sqlite", less, lambda store: bound(store, 1_000_000))


def check_with_limited_files(path: Path) -> None:
    """Limits the size of every file of this process, so a test runs it in a process of its own."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

    def less(_store: SqliteStore) -> None:
        largest = max(file.stat().st_size for file in path.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 50_000, limit))

    def more(_store: SqliteStore) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    check_recovery(path, less, more)


def test_a_ledger_whose_files_may_not_grow(tmp_path: Path) -> None:
    program = "import sys, pathlib, test_full_disk; test_full_disk.check_with_limited_files(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path / "a.sqlite")]
    process = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    assert process.returncode == 0, process.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, in memory."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        process = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk: {error}")
    if process.returncode:
        pytest.skip(f"no small disk, which takes root's rights: {process.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_ledger_on_a_disk_that_fills_up(small_disk: Path) -> None:
    stuff = small_disk / "stuff"

    check_recovery(small_disk / "a.sqlite", lambda _store: fill_disk(stuff, 100_000), lambda _store: stuff.unlink())


def fill_disk(stuff: Path, free: int) -> None:
    """Fills the disk from outside, except for a little."""
    with stuff.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            out.truncate(out.tell() - free)


def test_a_ledger_is_made_and_opened_when_there_is_room_for_it(small_disk: Path) -> None:
    stuff = small_disk / "stuff"
    for free in (0, 20_000, 50_000, 80_000):
        fill_disk(stuff, free)
        with pytest.raises(LedgerError, match=r"full|disk I/O error|unable to open"):
            SqliteStore(small_disk / "a.sqlite")
    stuff.unlink()
    with SqliteStore(small_disk / "a.sqlite") as store:
        assert store.append("r", 0, [OPENING]) == 1
        assert log_head.check(store).corruptions == ()
    # A ledger that was closed has no write-ahead log, so reading it needs no room for the log's index.
    fill_disk(stuff, 0)
    with SqliteStore(small_disk / "a.sqlite") as store:
        assert store.read("r").events == (OPENING,)
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 1, LONG)


@pytest.mark.parametrize(
    ("free", "reason"), [(0, "the disk is full"), (1 << 20, "attempt to write a readonly database")]
)
def test_a_log_whose_index_cannot_grow_is_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, reason: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=free))
    with (
        SqliteStore(tmp_path / "a.sqlite") as store,
        pytest.raises(LedgerError, match=f"nothing was written: {reason}"),
        store.connection.writing(),
    ):
        raise sqlite3.OperationalError("attempt to write a readonly database")
