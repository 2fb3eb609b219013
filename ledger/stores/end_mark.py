"""The end mark of a ledger: a small file beside it (`FILE.head`) with the size and the digest of its log.

One damaged bit in a database's journal can make it lose its newest events and still report itself intact, because the
journal ends at the first page that cannot be read.  The mark is written after each commit and before the writer gets an
answer, so such a loss is noticed.  It also has the link of the newest event, so that an append notices at once if
another ledger has taken the place of its own.

The digest of a log runs along: that of n events is made of that of the first n - 1 and of the newest one.  So an append
extends it without reading the ledger, and any reader of the log can tell whether it began as a mark says.

The file has two slots, written alternately, each with its own digest: a write that is cut off leaves the other intact.
Writers also take turns by a lock on this file.  Nothing but the order depends on it: SQLite itself lets one write after
the other.
"""

import os
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ledger.record.errors import Corrupt
from ledger.record.private_files import BINARY, open_beside, read_at, write_at

if sys.platform != "win32":
    import fcntl

MAGIC = b"domino-ledger head 3\n"
SLOT = 4096
"""Bytes from one slot to the other, so that no disk sector holds parts of both."""
LOOK = 0.001
"""Seconds between two looks of a writer that waits for its turn."""
GRACE = 0.05
"""Seconds for which a writer that lost a race keeps its turn."""
_LENGTH = len(MAGIC) + 8 + 32 + 32 + 32


class Mark(Struct, frozen=True):
    """How many events a ledger has, the digest of its log, and the link of its newest event (32 bytes each)."""

    size: int = 0
    digest: bytes = bytes(32)
    link: bytes = bytes(32)

    def grown(self, events: Iterable[tuple[str, bytes]]) -> "Mark":
        """The mark after these events, of each its record and its link."""
        size, digest, link = self.size, self.digest, self.link
        for record, link in events:
            size, digest = size + 1, sha256(b"%b%b\n%b" % (digest, record.encode(), link)).digest()
        return Mark(size, digest, link)


NOTHING = Mark()
"""The mark of a ledger without events."""


class EndMark:
    """The mark in the file at that path.  The file need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._next = 0
        self._guard = threading.Lock()
        self._has_turn = self._waited = False
        self._kept: threading.Timer | None = None

    # ── The mark ───────────────────────────────────────────────────────────────────────────────────────────

    def read(self) -> Mark | None:
        """The mark over all events that were acknowledged to a writer, or None without a file.

        Raises Corrupt if neither slot can be read.
        """
        if self._file is None:
            try:
                self._file = os.open(self.path, os.O_RDWR | BINARY)
            except FileNotFoundError:
                return None
            except OSError:  # a read-only disk or file
                self._file = os.open(self.path, os.O_RDONLY | BINARY)
        slots = read_at(self._file, 2 * SLOT, 0)
        if not slots:
            return None
        first, second = slots[:_LENGTH], slots[SLOT : SLOT + _LENGTH]
        # The newer slot, whose size is greater, or the other if the newer was cut off.
        for slot in (first, second) if first > second else (second, first):
            mark = _decode(slot)
            if mark is not None:
                self._next = SLOT if slot is first else 0
                return mark
        raise Corrupt(f"{self.path}: the high-water mark cannot be read")

    def write(self, mark: Mark) -> None:
        """Stores the mark of the events that were just committed; it was made from the one that `read` returned.

        On a full disk the old one stays.  That loses nothing: the next append catches up.
        """
        try:
            # Without its turn, another writer may have been faster.
            if self._has_turn or (self.read() or NOTHING).size < mark.size:
                # It does not wait for the disk: the ledger's own file is already there.
                write_at(self._descriptor(), _encode(mark), self._next)
        except (OSError, Corrupt):
            return

    def start_over(self, events: Iterable[tuple[str, bytes]]) -> None:
        """Stores the mark after these events, and nothing else.

        It does not replace the file, because other programs have it open.
        """
        mark = NOTHING.grown(events)
        os.ftruncate(self._descriptor(), 0)  # an empty file is no mark, so it never reports a loss
        if mark.size:
            write_at(self._descriptor(), _encode(mark), 0)

    def advice(self) -> str:
        """What to do after a loss, as a sentence without its full stop."""
        try:
            self.read()
        except Corrupt:
            return (
                "Run `domino-ledger verify --against` a head of the log that you kept; if the ledger is intact, "
                "`domino-ledger repair --accept-loss` makes a new mark"
            )
        return (
            "`domino-ledger verify` shows more. If you put this ledger here on purpose, such as an older copy, "
            "`domino-ledger repair --accept-loss` goes on with it"
        )

    # ── Turns ──────────────────────────────────────────────────────────────────────────────────────────────

    def take_turn(self, patience: float) -> None:
        """Waits for this writer's turn, at most that many seconds, until `end_turn`.

        A writer whose turn does not come in time goes on without: another one may be frozen.
        """
        with self._guard:
            self._kept = None
            if self._has_turn or sys.platform == "win32":
                return
        begun = time.monotonic()
        if self._waited:
            time.sleep(LOOK)  # it wrote last: those that wait go first
        self._waited = False
        try:
            while not self._take():
                self._waited, waited = True, time.monotonic() - begun
                if waited > patience:
                    return
                time.sleep(LOOK / (1 + 10 * waited))  # the longer it waits, the more often it looks
        except OSError:  # a disk without locks, or a full one
            return

    def end_turn(self, *, lost: bool = False) -> None:
        """Lets the next writer go on.

        A writer that `lost` a race keeps its turn for a moment, in which it tries again: others wrote while it waited,
        and would the next time, too.
        """
        with self._guard:
            if lost and self._waited and self._has_turn:
                self._kept = threading.Timer(GRACE, self._give_up)
                self._kept.daemon = True
                self._kept.start()
            else:
                self._release()

    def _give_up(self) -> None:
        with self._guard:
            if self._kept is not None:
                self._release()

    def _take(self) -> bool:
        """Takes the lock if nobody has it; returns whether this writer has it now."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self._descriptor(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._has_turn = True
        return self._has_turn

    def _release(self) -> None:
        if self._has_turn and self._file is not None and sys.platform != "win32":
            self._has_turn = False
            fcntl.flock(self._file, fcntl.LOCK_UN)

    # ── The file ───────────────────────────────────────────────────────────────────────────────────────────

    def make(self) -> None:
        """Makes the file if it does not exist and the disk has room."""
        with suppress(OSError):
            self._descriptor()

    def _descriptor(self) -> int:
        if self._file is None:
            self._file = open_beside(self.path, os.O_RDWR | BINARY | os.O_CREAT)
        return self._file

    def close(self) -> None:
        """Flushes the file to the disk and closes it."""
        with self._guard:
            self._kept = None
            self._release()
        if self._file is not None:
            with suppress(OSError):  # a mark that did not reach the disk is only out of date, never wrong
                os.fsync(self._file)
            os.close(self._file)
            self._file = None


def _encode(mark: Mark) -> bytes:
    contents = MAGIC + mark.size.to_bytes(8, "big") + mark.digest + mark.link
    return contents + sha256(contents).digest()


def _decode(slot: bytes) -> Mark | None:
    contents = slot[:-32]
    if not contents.startswith(MAGIC) or sha256(contents).digest() != slot[-32:]:
        return None
    size, digest, link = contents[-72:-64], contents[-64:-32], contents[-32:]
    return Mark(int.from_bytes(size, "big"), digest, link)
