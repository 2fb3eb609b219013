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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ledger.stores.offsets import open_beside, read_at, write_at

GRACE = 0.05
"""How many seconds a writer that lost a race keeps its turn."""
LOOK = 0.001
"""Seconds between two looks of the writer that is next; the one behind it looks half as often, and so on."""
LEAST = 0.1
"""Seconds to wait for the database, however long the queue took."""
_DOOR, _TURN, _FIRST = 0, 1, 2
"""Bytes to lock: while a number is drawn, while it is one's turn, and for the first number."""
_MOST = 1 << 60

if sys.platform == "linux":
    import fcntl

    LOCKS = True
    """Whether this system supports a queue.  Without one, SQLite lets writers through in no particular order."""
    _LAYOUT = struct.Struct("hhqqi4x")
    """Linux's `struct flock`: type, from where (0: the beginning), first byte, number of bytes (0: all), process."""
    _UNLOCKED = struct.pack("h", fcntl.F_UNLCK)
    _ALL_UNLOCKED = _LAYOUT.pack(fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)
    _THE_TURN = _LAYOUT.pack(fcntl.F_WRLCK, os.SEEK_SET, _TURN, 1, 0)
    _ANY_NUMBER = _LAYOUT.pack(fcntl.F_WRLCK, os.SEEK_SET, _FIRST, 0, 0)

    def _set_lock(file: int, byte: int, *, locked: bool) -> bool:
        """Locks or unlocks a byte of a file; returns False if another writer has it."""
        kind = fcntl.F_WRLCK if locked else fcntl.F_UNLCK
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, _LAYOUT.pack(kind, os.SEEK_SET, byte, 1, 0))
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _take_turn(file: int) -> bool:
        """Locks the byte of the turn if nobody has it and nobody waits for it; returns whether that worked."""
        if not fcntl.fcntl(file, fcntl.F_OFD_GETLK, _ANY_NUMBER).startswith(_UNLOCKED):
            return False
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, _THE_TURN)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _unlock_all(file: int) -> None:
        """Unlocks all bytes of a file."""
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, _ALL_UNLOCKED)

    def _first_locked(file: int, before: int) -> int | None:
        """The first number below `before` that another writer has locked; None if there is none."""
        if before == _FIRST:  # a length of 0 would mean all bytes
            return None
        request = _LAYOUT.pack(fcntl.F_WRLCK, os.SEEK_SET, _FIRST, before - _FIRST, 0)
        kind, _whence, first, _length, _process = _LAYOUT.unpack(fcntl.fcntl(file, fcntl.F_OFD_GETLK, request))
        return None if kind == fcntl.F_UNLCK else int(first)

else:  # macOS lays a lock out in another way, and Windows has none
    LOCKS = False

    def _set_lock(file: int, byte: int, *, locked: bool) -> bool:
        raise NotImplementedError

    def _take_turn(file: int) -> bool:
        raise NotImplementedError

    def _unlock_all(file: int) -> None:
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

    The byte `_TURN` is locked by the writer whose turn it is.  A writer who finds it locked, or finds others waiting,
    draws a number from the file and locks the byte of that number until its turn comes: that of the lowest is next.
    The locks belong to the open file (OFD locks), so threads exclude each other too, and the system removes them when a
    program dies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._patience = self._until = 0.0
        self._kept: KeptTurn | None = None
        self._keep = self._waited = False
        self.held = False
        """Whether this writer has its turn; it may write without, if the turn does not come in time."""

    def enter(self, patience: float) -> float:
        """Waits for the turn, at most that many seconds, until `leave`.

        Returns the seconds that are left to wait for the database.
        """
        self._patience, self._keep, self._waited = patience, False, False
        kept, self._kept = self._kept, None
        self.held = (kept is not None and kept.resume()) or self._enter()
        return max(self._until - time.monotonic(), LEAST) if self._waited else patience

    def leave(self) -> None:
        """Ends the turn, or keeps it for a moment after `keep`."""
        self.held = False
        if self._keep:
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
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if last:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _enter(self) -> bool:
        """Waits for the turn; returns whether it came."""
        if not LOCKS:
            return False
        try:
            if self._file is None:
                self._file = open_beside(self.path, os.O_RDWR | os.O_CREAT)
            return _take_turn(self._file) or self._wait(self._file)
        except OSError:  # a disk without locks, or a full one
            return False

    def _wait(self, file: int) -> bool:
        self._waited, self._until = True, time.monotonic() + self._patience
        place = self._draw(file)
        while place is not None and time.monotonic() < self._until:
            first = _first_locked(file, place)
            if first is None and _set_lock(file, _TURN, locked=True):
                return True
            time.sleep(min((place - (first or place - 1)) * LOOK, GRACE))
        return False

    def _draw(self, file: int) -> int | None:
        """Draws the next number and locks its byte, which it returns; None if there was no time."""
        while not _set_lock(file, _DOOR, locked=True):
            if time.monotonic() > self._until:
                return None
            time.sleep(LOOK)
        try:
            place = int.from_bytes(read_at(file, 8, 0), "big") % _MOST + _FIRST
            while not _set_lock(file, place, locked=True):  # the file was damaged: the next number that is free
                place += 1
            write_at(file, (place + 1 - _FIRST).to_bytes(8, "big"), 0)
        finally:
            _set_lock(file, _DOOR, locked=False)
        return place

    def _leave(self) -> None:
        try:
            if self._file is not None:
                _unlock_all(self._file)
        except OSError:  # as above
            return
