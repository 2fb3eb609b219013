"""A disk with power cuts: a file system for SQLite that forgets writes that were not synchronised.

A write is at first only in the machine's cache.  When the power fails, a write that was not synchronised is on the
disk, or is not, or some of its sectors are; the same is true of a file that was made or deleted if its folder was not
synchronised afterwards.  `Disk` keeps both versions and cuts the power after a number of acts; then `survivors` chooses
at random what the disk has.  `PoweredStore` is the real `SqliteStore` on such a disk.

The disk guarantees what SQLite expects of a real one, and no more: synchronised bytes stay, a sector is written whole
or not at all, and no write damages the bytes next to it.
"""

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import apsw

from ledger.stores import schema
from ledger.stores.connection import Connection
from ledger.stores.store import SqliteStore

SECTOR = 512
_MADE_WITH_FOLDER = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL


class PowerCut(Exception):
    """The power is off: nothing that the program does from now on has an effect."""


class Content:
    """The bytes of one file: as they are, as they were when last synchronised, and the changes since."""

    def __init__(self, content: bytes = b"") -> None:
        self.now, self.synced = bytearray(content), bytes(content)
        self.since: list[tuple[int, bytes | None]] = []

    def write(self, at: int, content: bytes) -> None:
        """Writes at an offset, which may be beyond the end."""
        self.since.append((at, content))
        _put(self.now, at, content)

    def truncate(self, size: int) -> None:
        """Shortens or extends the file to that size."""
        self.since.append((size, None))
        _resize(self.now, size)

    def sync(self) -> None:
        """Synchronises the whole file."""
        self.synced = bytes(self.now)
        self.since.clear()

    def after_cut(self, random: Random) -> bytes:
        """The bytes that a power cut leaves."""
        remains = bytearray(self.synced)
        for at, content in self.since:
            fate = random.choice(("whole", "gone", "torn"))
            if fate == "gone" or (content is None and fate == "torn"):
                continue
            if content is None:
                _resize(remains, at)
                continue
            for start, piece in _sectors(at, content):
                if fate == "whole" or random.random() < 0.5:
                    _put(remains, start, piece)
        return bytes(remains)


def _put(content: bytearray, at: int, piece: bytes) -> None:
    if len(content) < at:
        _resize(content, at)
    content[at : at + len(piece)] = piece


def _resize(content: bytearray, size: int) -> None:
    del content[size:]
    content.extend(bytes(size - len(content)))


def _sectors(at: int, content: bytes) -> Iterator[tuple[int, bytes]]:
    """The parts of a write, one for each sector."""
    start = at
    while start < at + len(content):
        end = min(at + len(content), (start // SECTOR + 1) * SECTOR)
        yield start, content[start - at : end - at]
        start = end


class Disk(apsw.VFS):
    """Files in memory, by name, with a power cut after a number of acts.

    `acts` are writes, truncations, synchronisations, and files made or deleted.
    """

    def __init__(self, name: str, files: dict[str, bytes], acts: int) -> None:
        super().__init__(name, "")
        self.name, self.acts, self.off = name, acts, False
        self.connections: list[apsw.Connection] = []
        self._files = {path: Content(content) for path, content in files.items()}
        self._synced = dict(self._files)
        # By name: its file after each change since the folder was synchronised; None if it had none.
        self._changed: dict[str, list[Content | None]] = {}

    def act(self) -> None:
        """Counts an act.  Raises PowerCut if it is the last one or the power is already off."""
        self.acts -= 1
        self.off = self.off or self.acts <= 0
        self.check_power()

    def check_power(self) -> None:
        """Raises PowerCut if the power is off."""
        if self.off:
            raise PowerCut

    def sync_folder(self) -> None:
        """Synchronises the folder: the names of the files."""
        self._synced = dict(self._files)
        self._changed.clear()

    def survivors(self, random: Random) -> dict[str, bytes]:
        """The files that a power cut leaves, with their bytes, by name."""
        files: dict[str, Content | None] = {**self._synced}
        for path, stages in self._changed.items():
            stage = random.randint(0, len(stages))
            if stage:
                files[path] = stages[stage - 1]
        return {path: content.after_cut(random) for path, content in files.items() if content is not None}

    def _set(self, path: str, content: Content | None) -> None:
        if content is None:
            del self._files[path]
        else:
            self._files[path] = content
        self._changed.setdefault(path, []).append(content)

    # Called by SQLite.

    def excepthook(self, _kind: object, _error: object, _trace: object) -> None:
        """Does nothing for a power cut that SQLite cannot report: the disk already knows that it is off."""

    def xAccess(self, pathname: str, _flags: int) -> bool:  # noqa: N802  SQLite's name
        self.check_power()
        return pathname in self._files

    def xFullPathname(self, filename: str) -> str:  # noqa: N802  as above
        return filename

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802  as above
        self.check_power()
        if filename in self._files:
            self._set(filename, None)
        self.act()
        if syncdir:
            self.act()
            self.sync_folder()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "OpenFile":  # noqa: N802  as above
        self.check_power()
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        flags[1] = flags[0]
        if path is None:
            return OpenFile(self, Content(), with_folder=False)
        is_new = path not in self._files
        if is_new:
            if not flags[0] & apsw.SQLITE_OPEN_CREATE:
                raise apsw.CantOpenError(path)
            self._set(path, Content())
            self.act()
        return OpenFile(self, self._files[path], with_folder=is_new and bool(flags[0] & _MADE_WITH_FOLDER))


class OpenFile:
    """A file that SQLite has opened.

    `with_folder` is for a journal that was just made: as under Unix, its first synchronisation includes its folder.
    """

    def __init__(self, disk: Disk, content: Content, *, with_folder: bool) -> None:
        self._disk, self._content, self._with_folder = disk, content, with_folder

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802  SQLite's name
        self._disk.check_power()
        return bytes(self._content.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  as above
        self._disk.check_power()
        self._content.write(offset, bytes(data))
        self._disk.act()

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  as above
        self._disk.check_power()
        self._content.truncate(newsize)
        self._disk.act()

    def xSync(self, _flags: int) -> None:  # noqa: N802  as above
        self._disk.act()  # first: after a cut here nothing is synchronised
        self._content.sync()
        if self._with_folder:
            self._disk.act()
            self._disk.sync_folder()
            self._with_folder = False

    def xFileSize(self) -> int:  # noqa: N802  as above
        self._disk.check_power()
        return len(self._content.now)

    def xSectorSize(self) -> int:  # noqa: N802  as above
        return 4096

    def xDeviceCharacteristics(self) -> int:  # noqa: N802  as above
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE  # as SQLite assumes under Unix

    def xFileControl(self, _op: int, _ptr: int) -> bool:  # noqa: N802  as above
        return False

    def xCheckReservedLock(self) -> bool:  # noqa: N802  as above
        return False

    def xLock(self, _level: int) -> None:  # noqa: N802  as above
        """Does nothing: there is only one connection."""

    def xUnlock(self, _level: int) -> None:  # noqa: N802  as above
        """Does nothing: there is only one connection."""

    def xClose(self) -> None:  # noqa: N802  as above
        """The bytes stay with the disk."""

    def excepthook(self, _kind: object, _error: object, _trace: object) -> None:
        """Does nothing for a power cut that SQLite cannot report: the disk already knows that it is off."""


class PoweredStore(SqliteStore):
    """A ledger on a `Disk`, under the name of `path`; `checkpoint` is the most pages in its journal."""

    def __init__(self, path: Path, disk: Disk, checkpoint: int = 1000) -> None:
        class Powered(Connection):
            def _connect(self) -> sqlite3.Connection:
                db: Any = _Connection(str(self.path), vfs=disk.name)
                # In exclusive mode SQLite needs no shared memory, which a file system in Python could not provide.
                disk.connections.append(db)
                db.execute("PRAGMA locking_mode = EXCLUSIVE")
                return db  # type: ignore[no-any-return]  # similar enough to the other for the store

            def displaced(self) -> str:
                return ""  # the file is on no disk of this machine

        self.connect = Powered  # type: ignore[misc]  # for this one
        super().__init__(path)
        self.connection.db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")


class _Connection(apsw.Connection):
    """A connection that accepts Python's setting for texts and ignores it: it decodes them itself."""

    text_factory: Any = str


class _StatementLog(sqlite3.Connection):
    """A connection that remembers its statements."""

    statements: list[tuple[str, Sequence[object]]]

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.statements.append((sql, parameters))
        return super().execute(sql, parameters)


def statements() -> list[tuple[str, Sequence[object]]]:
    """The statements of the migrations for a new file, recorded on Python's connection, which sqlite-utils needs."""
    db = sqlite3.connect(":memory:", isolation_level=None, factory=_StatementLog)
    db.statements = []
    sqlite3.Connection.execute(db, "BEGIN")
    schema.bring_up_to_date(db)
    db.close()
    return db.statements


@contextmanager
def powered(name: str, files: dict[str, bytes], acts: int) -> Iterator[Disk]:
    """A disk with these files, during the block."""
    disk = Disk(name, files, acts)
    try:
        yield disk
    finally:
        # SQLite cleans up when it closes, and would report a disk that is off.
        disk.acts, disk.off = sys.maxsize, False
        for connection in disk.connections:
            connection.close()
        disk.unregister()
