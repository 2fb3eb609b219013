"""Lets writers take turns: first come, first served, and a writer that lost a race goes next.

A database keeps two writers apart, but not in order: SQLite lets a writer that has just written overtake those that
wait, and one of many can wait for seconds.  So the writers of a file queue up beside it, in `FILE.queue`.  Nothing
depends on the queue but the order: without it, or after a crash, SQLite still lets one write after the other.

A writer states the version that it has seen.  While it waits, others write, so its turn ends with WrongVersion.  In a
plain queue it would then go to the end, and lose again.  Therefore it keeps its turn for a moment, in which it can read
what it missed and try again.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ledger.stores.offsets import open_beside, read_at, write_at

GRACE = 0.05
"""How many seconds a writer that lost a race keeps its turn."""
LOOK = 0.001
"""Seconds between two looks of the writer that is next; the one behind it looks half as often, and so on."""
LEAST = 0.1
"""Seconds to wait for the database, however long the queue took."""
_DOOR, _FIRST = 0, 1
_MOST = 1 << 60

if sys.platform == "linux":
    import fcntl

    LOCKS = True
    """Whether this system supports a queue.  Without one, SQLite lets writers through in no particular order."""
    _LAYOUT = struct.Struct("hhqqi4x")
    """Linux's `struct flock`: type, from where (0: the beginning), first byte, number of bytes, process."""

    def _set_lock(file: int, byte: int, *, locked: bool) -> bool:
        """Locks or unlocks a byte of a file; returns False if another writer has it."""
        kind = fcntl.F_WRLCK if locked else fcntl.F_UNLCK
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, _LAYOUT.pack(kind, os.SEEK_SET, byte, 1, 0))
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _first_locked(file: int, before: int) -> int | None:
        """The first byte below `before` that another writer has locked; None if there is none."""
        if before == _FIRST:  # a length of 0 would mean all bytes
            return None
        request = _LAYOUT.pack(fcntl.F_WRLCK, os.SEEK_SET, _FIRST, before - _FIRST, 0)
        kind, _whence, first, _length, _process = _LAYOUT.unpack(fcntl.fcntl(file, fcntl.F_OFD_GETLK, request))
        return None if kind == fcntl.F_UNLCK else int(first)

else:  # macOS lays a lock out in another way, and Windows has none
    LOCKS = False

    def _set_lock(file: int, byte: int, *, locked: bool) -> bool:
        raise NotImplementedError

    def _first_locked(file: int, before: int) -> int | None:
        raise NotImplementedError


class KeptTurn:
    """A turn that is kept for a moment, and then given up by a timer."""

    def __init__(self, give_up: Callable[[], None], seconds: float = GRACE) -> None:
        self._give_up, self._lock, self._over = give_up, threading.Lock(), False
        self._timer = threading.Timer(seconds, self.end)
        self._timer.daemon = True
        self._timer.start()

    def resume(self) -> bool:
        """Takes the turn back; returns whether it was still kept."""
        with self._lock:
            was_kept, self._over = not self._over, True
        self._timer.cancel()
        return was_kept

    def end(self) -> None:
        """Gives the turn up, if it is still kept."""
        with self._lock:
            if self._over:
                return
            self._over = True
            self._give_up()


class Queue:
    """One writer's place in the queue for a file.

    A number is drawn from the file, and the byte of that number is locked until the turn is over.  It is the turn of
    the writer that holds the lowest byte.  The locks belong to the open file (OFD locks), so threads exclude each other
    too, and the system removes them when a program dies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._place: int | None = None
        self._kept: KeptTurn | None = None
        self._keep = self._waited = False

    @contextmanager
    def turn(self, patience: float) -> Iterator[float]:
        """Waits for the turn, at most that many seconds; yields the seconds that are left to wait for the database."""
        until = time.monotonic() + patience
        self._keep = self._waited = False
        if self._kept is None or not self._kept.resume():
            with suppress(OSError):  # a disk without locks, or a full one
                self._enter(until)
        self._kept = None
        try:
            yield max(until - time.monotonic(), LEAST)
        finally:
            if self._keep and self._place is not None:
                self._kept = KeptTurn(self._leave)
            else:
                self._leave()

    def keep(self) -> None:
        """Keeps this turn for a moment, if others could write while the writer waited for it."""
        self._keep = self._waited

    def close(self, *, last: bool = False) -> None:
        """Leaves the queue; the last writer removes its file."""
        if self._kept is not None:
            self._kept.end()
        if last:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _enter(self, until: float) -> None:
        if not LOCKS:
            return
        # Opened for a turn: a server has many threads that may write, and few that do.
        file = self._file = open_beside(self.path, os.O_RDWR | os.O_CREAT)
        while not _set_lock(file, _DOOR, locked=True):
            if time.monotonic() > until:
                return
            self._waited = True
            time.sleep(LOOK)
        try:
            place = int.from_bytes(read_at(file, 8, 0), "big") % _MOST + _FIRST
            while not _set_lock(file, place, locked=True):  # the file was damaged: the next number that is free
                place += 1
            self._place = place
            write_at(file, (place + 1 - _FIRST).to_bytes(8, "big"), 0)
        finally:
            _set_lock(file, _DOOR, locked=False)
        while (first := _first_locked(file, place)) is not None and time.monotonic() < until:
            self._waited = True
            time.sleep(min((place - first) * LOOK, GRACE))

    def _leave(self) -> None:
        if self._file is not None:
            os.close(self._file)  # and unlocks the place
        self._file = self._place = None
