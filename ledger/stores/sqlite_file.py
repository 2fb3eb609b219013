"""A SQLite file as a ledger needs it: opened safely, one writer at a time, closed as one whole file."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from ledger.record.errors import Corrupt, Displaced, LedgerError, NotALedger
from ledger.record.words import plural
from ledger.stores import read_only, schema
from ledger.stores.database import Latest, Transaction, nothing_written
from ledger.stores.high_water import HighWaterMark
from ledger.stores.offsets import real
from ledger.stores.read_only import Header, Snapshot
from ledger.stores.sql import SqlStore
from ledger.stores.writer_queue import Queue

PATIENCE = 5.0
"""Seconds to wait for another writer."""
HURRY = 0.3
"""The same for writes that can wait."""
CHECKPOINT = 100
"""Pages in the write-ahead log before they are moved into the file, out of reach of damage to the log."""
REMEMBERED = 16 << 10
"""KiB of the file that a connection caches: the upper index pages of a million records."""
OF_A_THREAD = 1 << 6
"""The same for a connection that `reopen` makes: a server has many, and the system caches the file for all of them."""
SHARED: Any = {"check_same_thread": False, "cached_statements": 48}  # a server has a connection for each of its threads
UNREADABLE = (sqlite3.Error, UnicodeError)
"""What a damaged file raises; the second if even SQLite's message is unreadable."""
UNWRITTEN = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a transaction raises that fails, besides the mistakes of this program."""
UNHELPED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY)
"""What SQLite says where it cannot make the index of a log."""
PUT_BACK = "Stop the programs that have it open, put the right file in its place, and start them again"
CALM = 0.25
"""Seconds between two looks at a file that others may write."""

_PRAGMAS = (
    # Also before the first write: a power cut must not bring back an older journal.
    "PRAGMA synchronous = EXTRA",
    f"PRAGMA wal_autocheckpoint = {CHECKPOINT}",
    f"PRAGMA cache_size = {-REMEMBERED}",
    "PRAGMA foreign_keys = ON",
    # Without it REPLACE would delete an event and no trigger would see it.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
    # Report a malformed page as damage instead of reading it anyhow.
    "PRAGMA cell_size_check = ON",
    # Overwrite deleted data, so that an erased name is not in the file.
    "PRAGMA secure_delete = ON",
)


class SqliteFile(SqlStore):
    """The file under a `SqliteStore`: its connection, its transactions and its turns."""

    path: Path

    def __init__(self, path: Path | str, snapshot: Snapshot | None = None, *, outdated: bool = False) -> None:
        """Opens or creates the file.  Raises NotALedger for another kind of file, or one of another schema.

        `snapshot` is the copy that another object made, if this one needs it.  `outdated`: an older schema is opened
        too, to `migrate` it.
        """
        self.path, self._outdated = Path(path), outdated
        self._file, self._name = real(path), self.path.absolute()
        if self.path.is_dir():
            raise NotALedger(f"{self.path} is a folder, not a ledger")
        if self.path.exists() and not self.path.is_file():
            raise NotALedger(f"{self.path} is not a file, and so no ledger")
        if not self.path.parent.is_dir():
            raise NotALedger(f"{self.path}: there is no folder {self.path.parent}")
        self._log = read_only.log_of(self._file)
        self.high_water = HighWaterMark(self._file.with_name(f"{self._file.name}.head"))
        self._queue = Queue(self._file.with_name(f"{self._file.name}.queue"))
        self._grew = self._logging = self._was_whole = False
        self._latest: Latest | None = None
        self._recalled: Latest | None = None
        self._patience = self._waits = PATIENCE
        if not self.path.exists():
            self._refuse_emptied(lambda: not self.path.exists())  # before the file is made
        self._snapshot = snapshot
        self._header = Header(self._file)
        self._identity = self._header.identity
        self._log_identity: tuple[int, int] | None = None
        try:
            self._db = self._connect_as_fits()
            self._cursor = self._db.cursor()  # one for every append: it takes time to make one
        except (*UNREADABLE, OSError) as error:
            self._header.close()
            raise NotALedger(f"{self.path}: {read_only.why(self.path, error)}") from None
        try:
            self._open()
        except UNREADABLE as error:
            self._close()
            raise NotALedger(f"{self.path}: {read_only.why(self.path, error)}") from None
        except LedgerError:
            self._close()
            raise

    def _connect(self) -> sqlite3.Connection:
        # Separate, so that tests can put a failing disk under a ledger (tests/power.py).
        # One thread uses it, but another may close it in the end.
        connection: sqlite3.Connection = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None, **SHARED)
        connection.text_factory = read_only.text
        return connection

    def _connect_as_fits(self) -> sqlite3.Connection:
        """A connection to the file, or to a copy of it and its journal where SQLite cannot read it in its place."""
        self._state: object = None
        self.doubt = read_only.doubt(self._file, self._header)
        self.read_only = not read_only.writable(self._file) or bool(self.doubt)
        state = read_only.state(self._file)
        if not (self.read_only and read_only.needs_help(self._file, self._header)):
            connection = self._connect()
            try:
                connection.execute("SELECT count(*) FROM sqlite_master")
            except sqlite3.OperationalError as error:
                if not self._header.logged or error.sqlite_errorcode & 0xFF not in UNHELPED:
                    return connection  # it is busy, or no ledger: `_open` says so
                connection.close()
            except UNREADABLE:  # no database at all
                connection.close()
                raise
            else:
                return connection
        self.read_only, self._state = True, state
        if read_only.has_journal(self._file):
            self._snapshot = self._snapshot or Snapshot(self._file)
            self.notice = self._snapshot.notice
            return self._snapshot.connect()
        return read_only.connect(self._file)

    def _follow(self) -> None:
        """Opens the file again if it was opened as one that nobody writes, and somebody has written."""
        if self._db.in_transaction or read_only.state(self._file) == self._state:
            return
        self._db.close()
        self._snapshot, self._waits = None, PATIENCE
        self._db = self._connect_as_fits()
        self._cursor = self._db.cursor()
        for pragma in _PRAGMAS:
            self._db.execute(pragma)

    def _open(self) -> None:
        version = self._schema()  # before any write: another program's file stays untouched
        if not version:
            self._refuse_emptied(lambda: not self._schema())
        for pragma in _PRAGMAS:
            self._db.execute(pragma)
        if version:
            return
        if self.read_only:
            raise NotALedger(self.doubt or f"{self.path} is empty, and cannot be written")
        with self.writing():
            # Another program may have created the file while this one waited.
            if not self._schema():
                from ledger.stores.migrations import bring_up_to_date

                bring_up_to_date(self._db)
                self._db.execute(f"PRAGMA application_id = {schema.IN_USE}")

    def _refuse_emptied(self, is_empty: Callable[[], bool]) -> None:
        """Raises Corrupt if the file is empty or gone, and its high-water mark has counted events.

        `is_empty` looks again: another program may have made the ledger meanwhile.
        """
        try:
            mark = self.high_water.read()
        except Corrupt:
            loss = "its high-water mark cannot be read"
        else:
            if mark is None or not mark.tree.size:
                return
            loss = f"it had {plural(mark.tree.size, 'event')}"
        if not is_empty():
            return
        self.high_water.close()
        files = " and ".join(str(path) for path in (self.path, self.high_water.path) if path.exists())
        raise Corrupt(
            f"{self.path}: the ledger is gone or empty, and {loss}. Nothing was made in its place. Put its file back, "
            f"or `domino-ledger restore` a backup. To begin a new ledger here, remove {files}"
        )

    def _schema(self) -> int:
        """The schema of the file, 0 for an empty one."""
        # One statement is atomic, even while other programs create the file.
        row = self._db.execute(
            "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_user_version, pragma_application_id"
        ).fetchone()
        version, kind, objects = (int(value) for value in row)
        if kind not in (schema.KIND, schema.IN_USE) and (kind or version or objects):
            raise NotALedger(f"{self.path}: a database, but not a ledger")
        if version > schema.VERSION:
            raise NotALedger(f"{self.path}: {schema.NEWER.format(version=version, known=schema.VERSION)}")
        if 0 < version < schema.VERSION and not self._outdated:
            raise NotALedger(f"{self.path}: {schema.OLDER.format(version=version, known=schema.VERSION)}")
        if version == schema.VERSION:
            tables = dict(self._db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
            expected = {name: sql for name, sql in schema.EXPECTED.items() if sql.startswith("CREATE TABLE")}
            if expected.items() - tables.items():
                raise NotALedger(f"{self.path}: {schema.OTHER_TABLES.format(version=version)}")
        return version

    def log_ahead(self) -> None:
        """Turns the write-ahead log on, for good: a program that only reads holds up no writer then.

        Raises LedgerError if another program reads a file, such as a backup, that has never had it on.
        """
        if self.doubt:
            raise LedgerError(f"nothing was written: {self.doubt}")
        self.high_water.make()  # before the log: where there is a log there is a mark
        until = time.monotonic() + self._patience
        # SQLite does not wait when two programs do this at the same time.
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL").fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                if time.monotonic() > until:
                    raise LedgerError(
                        f"{self.path}: nothing was written: {error}. Another program has it open; before the first "
                        "write to a new file or a backup, close that program, even if it only reads"
                    ) from error
                time.sleep(0.01)
            else:
                self._logging = True
                return

    def writing(self) -> AbstractContextManager[None]:
        """See `SqlStore.writing`."""
        return Transaction(self.begin, self.end)

    def begin(self) -> None:
        """Begins a transaction when it is this writer's turn, waiting for other programs."""
        self._grew = self._was_whole = False
        try:
            seconds = self._patience if self.read_only else self._queue.enter(self._patience)
            if self._waits != seconds:
                self._wait_at_most(seconds)
            if not self._logging:
                self.log_ahead()
            # IMMEDIATE: a writer takes its lock at once and waits, instead of failing half-way.
            self._cursor.execute("BEGIN IMMEDIATE")
            if self._log_identity is None:  # from now on it is there, as long as this connection is
                self._log_identity = read_only.identity(self._log)
            recalled, self._latest, self._recalled = self._latest, None, None
            if recalled is not None and self._data_version() == recalled.seen:
                self._recalled = recalled
            else:
                self._was_whole = self._mark(in_use=True)
        except BaseException as error:
            self.end(error)
            raise

    def end(self, error: BaseException | None) -> None:
        """Ends the transaction and the turn: stores what was written, or undoes it after an error."""
        try:
            if error is not None:
                self._undo(error)
                return
            try:
                self._refuse_displaced()
                self._cursor.execute("COMMIT")
                if self._was_whole:  # the mark must be in the file, where a copy without its log shows it
                    self._db.execute("PRAGMA wal_checkpoint (PASSIVE)").fetchall()
            except BaseException as failure:
                self._undo(failure)
                raise
            if self._grew:
                self.high_water.follow(self._events_after, undisturbed=self._queue.held)
        finally:
            if self._waits != self._patience:
                self._wait_at_most(self._patience)
            self._queue.leave()

    def _refuse_displaced(self) -> None:
        if displaced := self.displaced():
            raise Displaced(self.path, displaced)

    def displaced(self) -> str:
        """Why nothing more is written to the ledger that is open, and what to do, as a sentence; empty if it is.

        What is open must be what its name leads to.  Otherwise what is written is gone when the program ends.
        """
        try:
            status = os.stat(self._name)  # noqa: PTH116  before each commit
        except OSError:
            return f"its file was moved or removed while it was open. {PUT_BACK}"
        if (status.st_dev, status.st_ino) != self._identity is not None:
            return f"its file was replaced by another while it was open. {PUT_BACK}"
        if status.st_nlink > 1:
            return (
                "its file has another name (a hard link), and what was written under one name is missing under the "
                "other. Remove the other name, or make it a symbolic link"
            )
        if self._log_identity and read_only.identity(self._log) != self._log_identity:
            return f"its log (-wal) was moved, removed or replaced while it was open. {PUT_BACK}"
        return ""

    def _undo(self, error: BaseException) -> None:
        """Undoes what was written.  Raises LedgerError if the error is one of the database."""
        self._latest = None
        if self._db.in_transaction:  # some errors have ended it already
            self._db.execute("ROLLBACK")
        if isinstance(error, UNWRITTEN) and not isinstance(error, sqlite3.ProgrammingError):
            raise nothing_written(self.path, error) from error

    def _data_version(self) -> int:
        """A number that stays the same until another connection writes."""
        return int(self._cursor.execute("PRAGMA data_version").fetchone()[0])

    def _wait_at_most(self, seconds: float) -> None:
        """How long SQLite waits for another program, to a tenth of a second: setting it takes as long as a query."""
        if (wait := round(seconds, 1)) != self._waits:
            self._db.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
            self._waits = wait

    def keep_turn(self) -> None:
        """See `Database.keep_turn`."""
        self._queue.keep()

    def _mark(self, *, in_use: bool) -> bool:
        """Marks the ledger as in use or as whole, within a transaction; returns whether it was not."""
        kind = schema.IN_USE if in_use else schema.KIND
        if self._db.execute("PRAGMA application_id").fetchone() == (kind,):
            return False
        self._header.note_write()
        self._db.execute(f"PRAGMA application_id = {kind}")
        return True

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See `Database.reading`."""
        if self._state is not None:
            self._follow()
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `SqlStore.rows`."""
        if self._state is not None:
            self._follow()
        # SQLite decodes texts itself, because a call for each text would double the cost of a long answer.
        self._db.text_factory = str
        try:
            try:
                return self._db.execute(statement, values).fetchall()
            except sqlite3.OperationalError as error:
                if "decode" not in str(error):
                    raise
                self._db.text_factory = read_only.text  # a damaged text must not hide the rows beside it
                return self._db.execute(statement, values).fetchall()
        except UNREADABLE as error:
            raise LedgerError(f"{self.path}: it cannot be read: {error}; `domino-ledger verify` shows more") from error
        finally:
            self._db.text_factory = read_only.text

    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """See `SqlStore.many`."""
        self._db.executemany(statement, values)

    def _events_after(self, position: int) -> Iterable[tuple[str, bytes]]:
        """The record and the link of each event after a position."""
        return self._db.execute("SELECT record, link FROM event WHERE position > ? ORDER BY position", (position,))

    def wait_for_change(self, seconds: float) -> None:
        """See `Store.wait_for_change`."""
        until = time.monotonic() + seconds
        before = self._change()
        while time.monotonic() < until and self._change() == before:
            time.sleep(min(CALM, seconds))

    def _change(self) -> object:
        """What is another value when somebody has written."""
        return self.rows("PRAGMA data_version"), self._state

    def reopen(self) -> Self:
        """See `Store.reopen`."""
        self._refuse_displaced()
        again = type(self)(self.path) if self._snapshot is None else type(self)(self.path, self._snapshot)
        again._identity = self._identity  # noqa: SLF001  as below
        again._db.execute(f"PRAGMA cache_size = {-OF_A_THREAD}")  # noqa: SLF001  another one of this class
        return again

    def hurry(self) -> None:
        """See `Database.hurry`."""
        self._patience = HURRY
        self._wait_at_most(HURRY)

    @property
    def split(self) -> bool:
        """Whether there is a log beside the file, because a program has it open or was killed."""
        return self._log.exists()

    def close(self) -> None:
        """See `Store.close`.  The last program to close a ledger leaves one whole file."""
        in_place = read_only.identity(self._name) == self._identity
        if in_place and not self.read_only and self._header.logged and self._header.alone and self._header.written:
            self._settle()
        self._db.close()
        # SQLite deletes the log when nobody else has the file open.
        last = in_place and not self.read_only and self._header.logged and not self._log.exists()
        if last and not self._header.whole:  # the program that wrote last was killed
            with suppress(*UNREADABLE):
                self._db = self._connect()
                self._settle()
        self._queue.close(last=last)
        self._close()

    def _settle(self) -> None:
        """Marks the ledger as whole, and moves everything into the file if no other program is in the way.

        Otherwise the last program that closes the file moves it, and the mark with it.
        """
        with suppress(*UNREADABLE):  # another program writes, or the disk is full
            self._wait_at_most(0)
            self._db.execute("BEGIN IMMEDIATE")
            self._mark(in_use=False)
            self._db.execute("COMMIT")
            self._db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    def _close(self) -> None:
        self.high_water.close()
        self._db.close()
        self._header.close()
