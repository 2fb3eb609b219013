"""A disk that is full: the writer gets an error, nothing is half there, readers go on, and with new
room the writer does too.

Three ways to have no room: SQLite's own bound on pages, the system's bound on the size of a file, and a small disk.
"""

from __future__ import annotations

import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from ledger import tree_head
from ledger.errors import LedgerError
from ledger.events import Note, Open, Player
from ledger.stores.beside import Key
from ledger.stores.contract import Store
from ledger.stores.query import Query, Summary
from ledger.stores.sqlite import SqliteStore

SEED = 23
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
SAID = "nothing was written: (database or disk is full|disk I/O error)"
KEY = b"k" * 32
LONG = [Note("y" * 2000)] * 50


class Filler:
    """A writer that keeps what was acknowledged, and what was refused for want of room."""

    def __init__(self, path: Path) -> None:
        self.path, self.random = path, Random(SEED)
        self.events: list[Open | Note] = [OPENING]
        self.refused: list[Note] = []
        self.number = 0

    def append(self, store: Store) -> None:
        """Appends a few notes.  Raises LedgerError for want of room, and remembers them for another try."""
        if not self.refused:
            self.number += 1
            long = self.random.choice((10, 300, 2000))
            self.refused = [Note(f"{self.number}/{part} ".ljust(long, "x")) for part in range(1 + self.number % 3)]
        keys = [event.text[:12] for event in self.refused]
        assert store.append("r", len(self.events), self.refused, keys) == len(self.events) + len(self.refused)
        self.events += self.refused
        self.refused = []

    def fill(self, store: Store) -> None:
        """Appends until there is no room.  Raises LedgerError when it comes to that."""
        for _ in range(1000):
            self.append(store)

    def stands(self, store: Store) -> None:
        """What was acknowledged is there, and nothing else is."""
        assert list(store.read("r").events) == self.events
        assert [(row.id, row.events) for row in store.find(Query())] == [("r", len(self.events))]


def goes_on(path: Path, less: Callable[[SqliteStore], None], more: Callable[[SqliteStore], None]) -> None:
    """Fills the room that `less` leaves, three times over, with one store that is never opened again."""
    filler = Filler(path)
    with SqliteStore(path) as store, SqliteStore(path) as reader:
        store.append("r", 0, [OPENING])
        for checkpoint in (1000, 1, 20):
            # How many pages the journal may have: it is this file or the ledger's own that finds no room.
            store._db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
            filler.append(store)
            less(store)
            with pytest.raises(LedgerError, match=SAID):
                filler.fill(store)
            assert filler.refused
            other = [(f"new{n}", [OPENING, *LONG]) for n in range(4)]
            with pytest.raises(LedgerError, match=SAID):
                store.append_records(other)
            for each in (store, reader):
                filler.stands(each)
            with SqliteStore(path) as late:
                filler.stands(late)
                with pytest.raises(LedgerError, match=SAID):
                    late.append("r", late.version("r"), LONG * 20)
            more(store)
            for _ in range(10):
                filler.append(store)
            for each in (store, reader):
                filler.stands(each)
        store.keep_key(Key("r", KEY))
        store.note_audit("r", len(filler.events), Summary("clean", finished=False))
        assert reader.roles("r", KEY)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with SqliteStore(path) as store:
        assert tree_head.check(store).corruptions == ()
        filler.stands(store)


def test_a_ledger_that_may_have_no_more_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect, most = SqliteStore._connect, [1_000_000]

    def bounded(self: SqliteStore) -> sqlite3.Connection:
        # The bound is a connection's own, so that one that is opened later must be given it, too.
        db = connect(self)
        db.execute(f"PRAGMA max_page_count = {most[0]}")
        return db

    def bound(store: SqliteStore, pages: int) -> None:
        most[0] = pages
        store._db.execute(f"PRAGMA max_page_count = {pages}")

    def less(store: SqliteStore) -> None:
        bound(store, store._db.execute("PRAGMA page_count").fetchone()[0] + 20)

    monkeypatch.setattr(SqliteStore, "_connect", bounded)
    goes_on(tmp_path / "a.sqlite", less, lambda store: bound(store, 1_000_000))


def limited(path: Path) -> None:
    """The same where no file may grow beyond a size; for a process of its own, whose files all are bounded."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

    def less(_store: SqliteStore) -> None:
        largest = max(each.stat().st_size for each in path.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 50_000, most))

    def more(_store: SqliteStore) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    goes_on(path, less, more)


def test_a_ledger_whose_files_may_not_grow(tmp_path: Path) -> None:
    program = "import sys, pathlib, test_full_disk; test_full_disk.limited(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path / "a.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, in memory."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk: {error}")
    if mounted.returncode:
        pytest.skip(f"no small disk, which takes root's rights: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_ledger_on_a_disk_that_fills_up(small: Path) -> None:
    stuff = small / "stuff"

    goes_on(small / "a.sqlite", lambda _store: taken(stuff, 100_000), lambda _store: stuff.unlink())


def taken(stuff: Path, but: int) -> None:
    """Somebody else takes the whole disk but for a little."""
    with stuff.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            out.truncate(out.tell() - but)


def test_a_ledger_is_made_and_opened_when_there_is_room_for_it(small: Path) -> None:
    stuff = small / "stuff"
    for but in (0, 20_000, 50_000, 80_000):
        taken(stuff, but)
        with pytest.raises(LedgerError, match=r"full|disk I/O error|unable to open"):
            SqliteStore(small / "a.sqlite")
    stuff.unlink()
    with SqliteStore(small / "a.sqlite") as store:
        assert store.append("r", 0, [OPENING]) == 1
        assert tree_head.check(store).corruptions == ()
    # A ledger that was closed has no write-ahead log, so reading it needs no room for the log's index.
    taken(stuff, 0)
    with SqliteStore(small / "a.sqlite") as store:
        assert store.read("r").events == (OPENING,)
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 1, LONG)
