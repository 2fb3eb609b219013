"""A SQLite file as a ledger needs it: opened safely, one writer at a time, closed as one whole file."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from ledger.record.errors import Corrupt, Displaced, LedgerError, NotALedger, WrongVersion
from ledger.record.private_files import open_private, real
from ledger.record.words import plural
from ledger.stores import schema
from ledger.stores.end_mark import NOTHING, EndMark

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
TICK = 100_000_000
"""Nanoseconds in which a folder may change twice and show the same time."""
FULL = 1 << 16
"""With fewer free bytes, a file that cannot be written is one that cannot grow."""
SHARED: Any = {"check_same_thread": False, "cached_statements": 48}  # a server has a connection for each of its threads
UNREADABLE = (sqlite3.Error, UnicodeError)
"""What a damaged file raises; the second if even SQLite's message is unreadable."""
UNWRITTEN = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a transaction raises that fails, besides the mistakes of this program."""
UNINDEXED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY)
"""What SQLite says where it cannot make the index of a log."""
PUT_BACK = (
    "Stop the programs that have it open: they leave what was acknowledged in a file whose name ends in .rescued. "
    "Put the right file in its place, and start them again"
)

PRAGMAS = (
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


class Connection:
    """A connection to the file of a ledger: its transactions, and the mark beside it."""

    def __init__(self, path: Path | str, *, outdated: bool = False) -> None:
        """Opens or creates the file.  Raises NotALedger for another kind of file, or one of another schema.

        `outdated`: an older schema is opened too, to `migrate` it.
        """
        self.path, self._outdated = Path(path), outdated
        if self.path.is_dir():
            raise NotALedger(f"{self.path} is a folder, not a ledger")
        if self.path.exists() and not self.path.is_file():
            raise NotALedger(f"{self.path} is not a file, and so no ledger")
        if not self.path.parent.is_dir():
            raise NotALedger(f"{self.path}: there is no folder {self.path.parent}")
        self._file, self._name = real(path), self.path.absolute()
        self._folder = self._file.parent
        self._log = self._file.with_name(f"{self._file.name}-wal")
        self.mark = EndMark(self._file.with_name(f"{self._file.name}.head"))
        self.grown = NOTHING
        """The mark with the events that this transaction adds, which is stored after the commit."""
        self._patience = PATIENCE
        self._logging = self._wrote = False
        self._log_identity: tuple[int, int] | None = None
        self._unchanged: tuple[int, int] | None = None
        """The folder of the file when the log was last found there."""
        if not self.path.exists():
            self._refuse_emptied(lambda: not self.path.exists())  # before the file is made
        try:
            self.db = self._connect_as_fits()
            self.identity = _identity(self._file)
            self._open()
        except (*UNREADABLE, OSError) as error:
            self._close()
            raise NotALedger(f"{self.path}: {_why(self.path, error)}") from None
        except LedgerError:
            self._close()
            raise

    # ── Opening ────────────────────────────────────────────────────────────────────────────────────────────

    def _connect(self) -> sqlite3.Connection:
        # Separate, so that tests can put a failing disk under a ledger (tests/power.py).
        # One thread uses it, but another may close it in the end.
        connection: sqlite3.Connection = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None, **SHARED)
        connection.text_factory = _text
        return connection

    def _connect_as_fits(self) -> sqlite3.Connection:
        """A connection to the file; where nothing can be written, one that needs nothing beside it."""
        self._still: object = None
        self.doubt = self._doubt()
        self.read_only = bool(self.doubt) or not _writable(self._file)
        state = self._state()
        # A file that nobody can write and that has nothing in its log needs nothing beside it.
        if not self.doubt and not (self.read_only and not _size(self._log)):
            with suppress(OSError):  # a new file is for its owner alone
                os.close(open_private(self._file, os.O_RDWR | os.O_CREAT | os.O_EXCL))
            connection = self._connect()
            try:
                connection.execute("SELECT count(*) FROM sqlite_master")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in UNINDEXED:
                    return connection  # it is busy, or no ledger: `_open` says so
                connection.close()
                self._refuse_log(error)
            except UNREADABLE:  # no database at all
                connection.close()
                raise
            else:
                return connection
        self.read_only, self._still = True, state
        return _connect_still(self._file)

    def _doubt(self) -> str:
        """Why the file may not be the whole ledger, and what to do; empty if there is no reason to doubt it.

        A ledger that was closed says that it is whole, and one that is open has a log and a mark.  If a file was in use
        when it was copied, and neither came along, its newest events were left behind.
        """
        if self._log.exists() or self.mark.path.exists() or not _size(self._file):
            return ""
        try:
            with closing(_connect_still(self._file)) as still:
                kind, objects = still.execute(
                    "SELECT application_id, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id"
                ).fetchone()
        except UNREADABLE:
            return ""  # opening it says why
        if kind != schema.IN_USE and objects:
            return ""
        name = self._file.name
        return (
            f"{self._file} was in use when it was copied, and {name}-wal is missing: its newest events may be lost. "
            f"Put {name}-wal and {name}.head from the original beside it. If they are gone, "
            f"`domino-ledger --ledger {name} copy NEW.sqlite` makes a ledger of what is left"
        )

    def _refuse_log(self, error: sqlite3.Error) -> None:
        """Raises NotALedger if events lie in the log, which SQLite cannot read where it cannot write."""
        if _size(self._log):
            name = self._file.name
            raise NotALedger(
                f"{self.path}: its newest events are in {name}-wal, which cannot be read where nothing can be written "
                f"({error}). Make room on the disk; or copy {name}, {name}-wal and {name}.head to a folder of your "
                "own, and open the copy"
            )

    def _follow(self) -> None:
        """Opens the file again if it was opened as one that nobody writes, and somebody has written."""
        if self._still is None or self.db.in_transaction or self._state() == self._still:
            return
        self.db.close()
        self.db, self.identity = self._connect_as_fits(), _identity(self._file)
        for pragma in PRAGMAS:
            self.db.execute(pragma)

    def _state(self) -> object:
        """What changes when another program writes: identity, size and time of the file and its log."""
        return [(s.st_ino, s.st_size, s.st_mtime_ns) for path in (self._file, self._log) if (s := _stat(path))]

    def _open(self) -> None:
        version = self._schema()  # before any write: another program's file stays untouched
        if not version:
            self._refuse_emptied(lambda: not self._schema())
        for pragma in PRAGMAS:
            self.db.execute(pragma)
        if version:
            return
        if self.read_only:
            raise NotALedger(self.doubt or f"{self.path} is empty, and cannot be written")
        with self.writing():
            # Another program may have created the file while this one waited.
            if not self._schema():
                schema.bring_up_to_date(self.db)
                self.db.execute(f"PRAGMA application_id = {schema.IN_USE}")

    def _refuse_emptied(self, is_empty: Callable[[], bool]) -> None:
        """Raises Corrupt if the file is empty or gone, and its mark has counted events.

        `is_empty` looks again: another program may have made the ledger meanwhile.
        """
        try:
            mark = self.mark.read()
        except Corrupt:
            loss = "its high-water mark cannot be read"
        else:
            if mark is None or not mark.size:
                return
            loss = f"it had {plural(mark.size, 'event')}"
        if not is_empty():
            return
        self.mark.close()
        files = " and ".join(str(path) for path in (self._file, self.mark.path) if path.exists())
        raise Corrupt(
            f"{self.path}: the ledger is gone or empty, and {loss}. Nothing was made in its place. Put its file back, "
            f"or `domino-ledger restore` a backup. To begin a new ledger here, remove {files}"
        )

    def _schema(self) -> int:
        """The schema of the file, 0 for an empty one."""
        # One statement is atomic, even while other programs create the file.
        row = self.db.execute(
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
            tables = dict(self.db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
            if any(tables.get(name) != schema.EXPECTED[name] for name in schema.COLUMNS):
                raise NotALedger(f"{self.path}: {schema.OTHER_TABLES.format(version=version)}")
        return version

    # ── Reading and writing ────────────────────────────────────────────────────────────────────────────────

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, fetched at once, because a reader that pauses must not block the ledger."""
        self._follow()
        # SQLite decodes texts itself, because a call for each text would double the cost of a long answer.
        self.db.text_factory = str
        try:
            try:
                return self.db.execute(statement, values).fetchall()
            except sqlite3.OperationalError as error:
                if "decode" not in str(error):
                    raise
                self.db.text_factory = _text  # a damaged text must not hide the rows beside it
                return self.db.execute(statement, values).fetchall()
        except UNREADABLE as error:
            raise LedgerError(f"{self.path}: it cannot be read: {error}; `domino-ledger verify` shows more") from error
        finally:
            self.db.text_factory = _text

    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Runs a statement for each row of values, within a transaction."""
        self.db.executemany(statement, values)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction in which every query sees the same state, whatever others write meanwhile."""
        self._follow()
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that excludes other writers.  Raises LedgerError if nothing could be written."""
        if not self.read_only:
            self.mark.take_turn(self._patience)
        lost = False
        try:
            try:
                was_whole = self._begin()
                yield
                self.refuse_displaced()
                self.db.execute("COMMIT")
                if was_whole:  # what says so must be in the file, where a copy without its log shows it
                    self.db.execute("PRAGMA wal_checkpoint (PASSIVE)").fetchall()
            except BaseException as error:
                lost = isinstance(error, WrongVersion)
                if self.db.in_transaction:  # some errors have ended it already
                    self.db.execute("ROLLBACK")
                if isinstance(error, UNWRITTEN) and not isinstance(error, sqlite3.ProgrammingError):
                    raise nothing_written(self.path, error) from error
                raise
            if self.grown.size:
                self.mark.write(self.grown)
        finally:
            self.mark.end_turn(lost=lost)

    def _begin(self) -> bool:
        """Begins a transaction, and says that the ledger is in use; returns whether it said that it was whole."""
        if not self._logging:
            self.log_ahead()
        # IMMEDIATE: a writer takes its lock at once and waits, instead of failing half-way.
        self.db.execute("BEGIN IMMEDIATE")
        if self._log_identity is None:  # from now on it is there, as long as this connection is
            self._log_identity = _identity(self._log)
        self.grown = NOTHING
        if self.db.execute("PRAGMA application_id").fetchone() == (schema.IN_USE,):
            self._wrote = True
            return False
        self.db.execute(f"PRAGMA application_id = {schema.IN_USE}")
        self._wrote = True
        return True

    def log_ahead(self) -> None:
        """Turns the write-ahead log on, for good: a program that only reads holds up no writer then.

        Raises LedgerError if another program reads a file, such as a backup, that has never had it on.
        """
        if self.doubt:
            raise LedgerError(f"nothing was written: {self.doubt}")
        self.mark.make()  # before the log: where there is a log there is a mark
        until = time.monotonic() + self._patience
        # SQLite does not wait when two programs do this at the same time.
        while True:
            try:
                self.db.execute("PRAGMA journal_mode = WAL").fetchall()
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

    def displaced(self) -> str:
        """Why nothing more is written to the ledger that is open, and what to do, as a sentence; empty if it is.

        What is open must be what its name leads to.  Otherwise what is written is gone when the program ends.
        """
        status = _stat(self._name)
        if status is None:
            return f"its file was moved or removed while it was open. {PUT_BACK}"
        if (status.st_dev, status.st_ino) != self.identity is not None:
            return f"its file was replaced by another while it was open. {PUT_BACK}"
        if status.st_nlink > 1 and not self.read_only:
            return (
                "its file has another name (a hard link), and what was written under one name is missing under the "
                "other. Remove the other name, or make it a symbolic link"
            )
        if self._log_identity and self._log_has_gone():
            return (
                "its log (-wal) was moved, removed or replaced while it was open. Stop the programs that have it open: "
                "they move everything into the file. Then start them again"
            )
        return ""

    def _log_has_gone(self) -> bool:
        """Whether the log was moved, removed or replaced since this connection first wrote."""
        folder = _stat(self._folder)
        state = folder and (folder.st_ino, folder.st_mtime_ns)
        # Where nothing came or went, the log need not be asked.  Linux stores a new time with the next write to a file
        # that was asked for its times, which would make an append a fifth slower.
        if state and state == self._unchanged:
            return False
        if _identity(self._log) != self._log_identity:
            return True
        if folder and folder.st_mtime_ns < time.time_ns() - TICK:
            self._unchanged = state
        return False

    def refuse_displaced(self) -> None:
        """Raises Displaced if this ledger is no longer what its name leads to."""
        if displaced := self.displaced():
            raise Displaced(self.path, displaced)

    def hurry(self) -> None:
        """From now on this connection waits for other writers only a moment: what it writes is not urgent."""
        self._patience = HURRY
        self.db.execute(f"PRAGMA busy_timeout = {int(HURRY * 1000)}")

    # ── Copying and closing ────────────────────────────────────────────────────────────────────────────────

    def migrate(self, backup: Path, digest: Callable[[], bytes]) -> tuple[int, int]:
        """Upgrades an outdated file after copying it to `backup`; returns the schema that it had, and has.

        All in one transaction: if the program ends in the middle, the file is as it was.  Raises LedgerError if the
        file could not be copied or upgraded, or the `digest` of its events is not the same afterwards.
        """
        before = self._schema()
        if before == schema.VERSION:
            return before, before
        with self.writing():
            before = self._schema()
            if before < schema.VERSION:  # else another program was faster
                # SQLite copies nothing for a connection that holds the lock.
                with closing(self._connect()) as reader:
                    _copy(reader, backup)
                events = digest()
                schema.bring_up_to_date(self.db)
                self._schema()  # refuses other tables than the expected ones
                if digest() != events:
                    raise Corrupt(f"{self.path}: the upgrade would have changed events, so nothing was changed")
        return before, schema.VERSION

    def copy_to(self, path: Path) -> None:
        """Copies the ledger to a file while others may write.  Raises LedgerError if it cannot."""
        _copy(self.db, path)

    def empty_journal(self) -> bool:
        """Moves everything from the journal into the file, waiting for readers; returns whether that worked."""
        try:
            busy = self.db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError:  # the disk is full
            return False
        return not busy

    @property
    def split(self) -> bool:
        """Whether there is a log beside the file, because a program has it open or was killed."""
        return self._log.exists()

    def close(self) -> None:
        """Closes the file.  The last program to close a ledger leaves one whole file."""
        in_place = not self.read_only and _identity(self._name) == self.identity
        had_log = self.split
        if self._wrote:
            if not in_place:
                self._rescue()
            self._settle()  # also then: another file must not find this log beside it
        self.db.close()
        self._log_identity = None
        # SQLite deletes the log when nobody else has the file open.
        if in_place and had_log and not self.split:
            with suppress(*UNREADABLE), closing(_connect_still(self._file)) as still:
                if still.execute("PRAGMA application_id").fetchone() == (schema.IN_USE,):
                    self.db = self._connect()  # the program that wrote last was killed
                    self._settle()
        self._close()

    def _rescue(self) -> None:
        """Copies what was acknowledged to a new file: the name of the ledger leads to another one, or to none."""
        rescued = self._file.with_name(f"{self._file.name}.rescued")
        if not rescued.exists():
            with suppress(LedgerError):  # its folder is gone, too
                self.copy_to(rescued)

    def _settle(self) -> None:
        """Says that the ledger is whole, and moves everything into the file if no other program is in the way.

        Otherwise the last program that closes the file moves it.
        """
        with suppress(*UNREADABLE):  # another program writes, or the disk is full
            self.db.execute("PRAGMA busy_timeout = 0")
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute(f"PRAGMA application_id = {schema.KIND}")
            self.db.execute("COMMIT")
            self.db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    def _close(self) -> None:
        self.mark.close()
        if hasattr(self, "db"):
            self.db.close()


def one_file(path: Path) -> None:
    """Makes a closed ledger one file that any program can read anywhere: without a log, and said to be whole."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute(f"PRAGMA application_id = {schema.KIND}")


def nothing_written(path: Path, error: Exception) -> LedgerError:
    """The error for a failed transaction: busy, read-only, a full disk, or rows that contradict each other."""
    if isinstance(error, sqlite3.IntegrityError):
        return Corrupt(
            f"{path}: nothing was written, because the ledger contradicts itself ({error}): `domino-ledger verify` "
            "shows what is wrong, and `domino-ledger repair` mends what is derived from the events"
        )
    why = str(error)
    if "readonly" in why and shutil.disk_usage(path.parent).free < FULL:
        why = "the disk is full"  # the index of the log could not grow
    return LedgerError(f"{path}: nothing was written: {why}")


def _copy(source: sqlite3.Connection, path: Path) -> None:
    try:
        os.close(open_private(path, os.O_RDWR | os.O_CREAT))
        with closing(sqlite3.connect(path)) as target:
            source.backup(target)
        one_file(path)
    except (*UNREADABLE, OSError) as error:
        raise LedgerError(f"{path}: nothing was copied: {error}") from error


def _connect_still(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes, and to nothing beside it."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    """A text of the database.  A damaged one must not hide the rows beside it."""
    return raw.decode("utf-8", "replace")


def _writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  before each commit
    except OSError:
        return None


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the inode of a file; None if it is not there."""
    status = _stat(path)
    return status and (status.st_dev, status.st_ino)


def _size(path: Path) -> int:
    status = _stat(path)
    return status.st_size if status else 0


def _why(path: Path, error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_CORRUPT:
        return (
            "the file was cut off or is too damaged to be read. Keep it under another name, and `domino-ledger "
            "restore` a backup here; then the phones hand in the games since then"
        )
    if code != sqlite3.SQLITE_CANTOPEN:
        return str(error)
    if path.exists():
        return "you may not read this file"
    return f"there is no such file, and you may not write one to the folder {path.parent.absolute()}"
