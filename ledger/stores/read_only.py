"""SQLite files that cannot be written: what SQLite needs help to read, and a file that came without its journal.

SQLite reads a file with a write-ahead log only if it can make or read the log's index beside it (`FILE-shm`).  On a
read-only disk it often can do neither.  Without a log the file is complete and is opened as one that never changes.
With a log both are copied to a place where the index can be made.  If somebody else writes after all, it is opened
again.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import weakref
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import ClassVar

from ledger.stores import schema
from ledger.stores.offsets import BINARY, open_private, read_at

_WRITE_VERSION = 18
"""The byte of a SQLite file that says how it is written: 1 with a rollback journal, 2 with a write-ahead log."""
_LOGGED = 2
_KIND = slice(68, 72)
"""The bytes with the `PRAGMA application_id`."""


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")


@dataclass(slots=True)
class _Handle:
    """The one handle of a file in this program: how many objects use it, and whether one of them has written."""

    file: int
    users: int = 0
    written: bool = False


class Header:
    """The header of a SQLite file, readable until `close`.

    When a program closes any handle of a file, it loses all its POSIX locks on that file, also those of SQLite.  So all
    objects of a program share one handle, and it is closed after the last connection.
    """

    _shared: ClassVar[dict[tuple[int, int], _Handle]] = {}
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, path: Path) -> None:
        """Opens the file, and makes it if there is none, as SQLite would.  A file that cannot be read has no header."""
        self._key: tuple[int, int] | None = None
        with self._lock, suppress(OSError):
            key = _key(path.stat()) if path.exists() else None
            if key not in self._shared:
                handle = open_private(path, os.O_RDONLY | BINARY | (0 if key else os.O_CREAT))
                key = _key(os.fstat(handle))
                # If the file was replaced meanwhile, its handle stays open: closing it could lose locks.
                self._shared.setdefault(key, _Handle(handle))
            assert key is not None  # noqa: S101  it has just been opened
            self._shared[key].users += 1
            self._key = key

    @property
    def identity(self) -> tuple[int, int] | None:
        """The device and the inode of the open file, which tell it from every other; None if it cannot be read."""
        return self._key

    @property
    def logged(self) -> bool:
        """Whether the file says that there is, or was, a write-ahead log beside it."""
        head = self._bytes()
        return len(head) > _WRITE_VERSION and head.startswith(b"SQLite format 3\0") and head[_WRITE_VERSION] == _LOGGED

    @property
    def whole(self) -> bool:
        """Whether the file says that its last program moved everything into it."""
        return int.from_bytes(self._bytes()[_KIND], "big") == schema.KIND

    @property
    def alone(self) -> bool:
        """Whether no other object of this program uses the file."""
        return self._key is None or self._shared[self._key].users == 1

    @property
    def written(self) -> bool:
        """Whether an object of this program has written to the file."""
        return self._key is not None and self._shared[self._key].written

    def note_write(self) -> None:
        """From now on the file was written to."""
        if self._key is not None:
            self._shared[self._key].written = True

    def _bytes(self) -> bytes:
        return b"" if self._key is None else read_at(self._shared[self._key].file, _KIND.stop, 0)

    def close(self) -> None:
        """Closes the handle if nothing else in this program uses it."""
        if self._key is None:
            return
        with self._lock:
            shared = self._shared[self._key]
            shared.users -= 1
            if not shared.users:
                os.close(shared.file)
                del self._shared[self._key]
        self._key = None


def identity(path: Path) -> tuple[int, int] | None:
    """The device and the inode of a file; None if it is not there."""
    try:
        return _key(os.stat(path))  # noqa: PTH116  often
    except OSError:
        return None


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def log_of(path: Path) -> Path:
    """The write-ahead log of a file."""
    return _beside(path, "-wal")


def has_journal(path: Path) -> bool:
    """Whether a write-ahead log with something in it lies beside the file."""
    try:
        return log_of(path).stat().st_size > 0
    except OSError:
        return False


def writable(path: Path) -> bool:
    """Whether this program may write to the file and its folder."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def why(path: Path, error: Exception) -> str:
    """Why SQLite could not open a file, in words."""
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


def doubt(path: Path, header: Header) -> str:
    """Why the file may not be the whole ledger, and what to do; empty if there is no reason to doubt it.

    A ledger that was closed says that it is whole, and one that is open has a log and a high-water mark.  If a file had
    a log when it was copied, and neither came along, its newest events were left behind.
    """
    if not header.logged or header.whole or any(_beside(path, end).exists() for end in ("-wal", ".head")):
        return ""
    return (
        f"{path} was in use when it was copied, and {path.name}-wal is missing: its newest events may be lost. "
        f"Put {path.name}-wal and {path.name}.head from the original beside it. If they are gone, "
        f"`domino-ledger --ledger {path.name} copy NEW.sqlite` makes a ledger of what is left"
    )


def needs_help(path: Path, header: Header) -> bool:
    """Whether SQLite must be helped to read a file that cannot be written."""
    return header.logged and (not _state(_beside(path, "-shm"))[1] or bool(doubt(path, header)))


def state(path: Path) -> tuple[tuple[int, int, int], ...]:
    """What changes when another program writes to a file: inode, size and time of the file, its log and its index."""
    return tuple(_state(file) for file in (path, _beside(path, "-wal"), _beside(path, "-shm")))


def _state(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns


def text(raw: bytes) -> str:
    """A text of the database.  A damaged one must not hide the rows beside it."""
    return raw.decode("utf-8", "replace")


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes, and to nothing beside it."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    connection.text_factory = text
    return connection


def one_file(path: Path) -> None:
    """Makes a closed ledger one file that any program can read anywhere: without a log, and marked as whole."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute(f"PRAGMA application_id = {schema.KIND}")


class Snapshot:
    """A private copy of a file and its log, which is deleted when nothing uses it any more."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if there is no room."""
        folder = tempfile.mkdtemp(prefix="domino-ledger-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.notice = f"{path} and its -wal cannot be read in their place: a copy in {folder} is read, and then deleted"
        self._copy = Path(folder) / "ledger.sqlite"
        shutil.copyfile(path, self._copy)
        shutil.copyfile(_beside(path, "-wal"), _beside(self._copy, "-wal"))

    def connect(self) -> sqlite3.Connection:
        """A connection to it that writes nothing."""
        connection = sqlite3.connect(self._copy, isolation_level=None, check_same_thread=False)
        connection.text_factory = text
        connection.execute("PRAGMA query_only = ON")
        return connection
