"""The high-water mark of a ledger: a small file beside it with the newest size and root of its Merkle tree.

One damaged bit in a database's journal can make it lose its newest events and still report itself intact, because the
journal ends at the first page that cannot be read.  The high-water mark is written after each commit and before the
writer gets an answer, so such a loss is detected.  It stores the tree as the roots of its full subtrees, so the next
append extends it without reading the ledger again.  It also stores the leaf of the newest event, so that an append
notices if another ledger has taken the place of its own.  A writer that knows that nobody has written since its last
append looks at neither.

The file has two slots, written alternately, each with its own digest: a write that is cut off leaves the other intact.

Source: RFC 6962, section 2.1, for the tree.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ledger.record.errors import Corrupt
from ledger.stores.merkle import Tree
from ledger.stores.offsets import BINARY, open_beside, read_at, write_at

if sys.platform != "win32":
    import fcntl

MAGIC = b"domino-ledger head 1\n"
SLOT = 4096
"""Bytes from one slot to the other, so that no disk sector holds parts of both."""


class Mark(Struct, frozen=True):
    """What a slot holds: a tree, which nobody changes, and the leaf of its last event."""

    tree: Tree
    last: bytes

    def grown(self, leaves: Sequence[bytes]) -> Mark:
        """The mark after these leaves, at least one."""
        return Mark(self.tree.grown(leaves), leaves[-1])


NOTHING = Mark(Tree(), b"")
"""The mark of a ledger without events."""


class _Alone:
    """A lock on an open file.

    Windows has no such lock.  Two programs that write there at once may leave a mark that is one append behind.
    """

    __slots__ = ("_file",)

    def __init__(self, file: int) -> None:
        self._file = file

    def __enter__(self) -> None:
        if sys.platform != "win32":
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_exc: object) -> None:
        if sys.platform != "win32":
            fcntl.flock(self._file, fcntl.LOCK_UN)


class HighWaterMark:
    """The high-water mark in the file at that path.  The file need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._next = 0
        self._read: tuple[bytes, Mark] | None = None
        self._growing: tuple[Mark | None, Mark] | None = None
        self._written: tuple[bytes, Mark] | None = None

    def read(self) -> Mark | None:
        """The mark over all events that were acknowledged to a writer, or None without a file.

        It is the same object as long as nobody writes another.  Raises Corrupt if neither slot can be read.
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
        if self._read is not None and self._read[0] == slots:
            return self._read[1]  # its digest was checked before
        written, self._written = self._written, None
        for at in sorted((0, SLOT), key=lambda at: _size(slots[at : at + SLOT]), reverse=True):
            if written is not None and slots.startswith(written[0], at):
                self._written = written
            # The newer slot, or the other if the newer was cut off.
            mark = self._written[1] if self._written is not None else _decode(slots[at : at + SLOT])
            if mark is not None:
                self._next, self._read = SLOT - at, (slots, mark)
                return mark
        raise Corrupt(f"{self.path}: the high-water mark cannot be read")

    def begin(self, mark: Mark | None, *, level: bool) -> None:
        """From now on `grow` continues this mark, if it is `level` with the events that a transaction begins with."""
        self._growing = (mark, mark or NOTHING) if level else None

    def begin_again(self) -> bool:
        """From now on `grow` continues what this object wrote last; returns False if it has read another mark since."""
        if self._written is None:
            return False
        self._growing = self._written[1], self._written[1]
        return True

    def grow(self, leaves: Sequence[bytes]) -> None:
        """Notes the leaves of events that the transaction adds, at least one: they need not be read again."""
        if self._growing is not None:
            before, after = self._growing
            self._growing = before, after.grown(leaves)

    def follow(self, events: Callable[[int], Iterable[tuple[str, bytes]]], *, undisturbed: bool) -> None:
        """Brings the mark up to the last event, after a commit.

        `events` are the records and links of the events after a position.  `undisturbed`: it is this writer's turn, so
        what it has read is still there.  A writer that gave up waiting for its turn may then leave the mark one append
        behind.  On a full disk it stays behind, too.  That loses nothing: it catches up later.
        """
        growing, self._growing = self._growing, None
        try:
            if growing is not None and undisturbed:
                self._write(growing[1])
                return
            with self.alone():
                mark = self.read()
                if growing is not None and growing[0] is mark:
                    self._write(growing[1])
                    return
                # It was behind, or another writer was faster here.
                mark = mark or NOTHING
                leaves = [leaf_of(*event) for event in events(mark.tree.size)]
                if leaves:
                    self._write(mark.grown(leaves))
        except OSError:
            self._written = None

    def _write(self, mark: Mark) -> None:
        """Stores a mark in the older slot.

        The caller must hold `alone()` or have its turn, and have called `read()`.  It does not wait for the disk: the
        ledger's own file is already there.
        """
        at, data = self._next, _encode(mark)
        write_at(self._descriptor(), data, at)
        self._next, self._read, self._written = SLOT - at, None, (data, mark)

    def start_over(self, leaves: Iterable[bytes]) -> None:
        """Stores the tree with the leaves of these events, and nothing else.  The caller must hold `alone()`.

        It does not replace the file, because other programs have it open.
        """
        tree, leaf = Tree(), b""
        for leaf in leaves:
            tree.add(leaf)
        file, self._read, self._written = self._descriptor(), None, None
        os.ftruncate(file, 0)  # an empty file is no mark, so it never reports a loss
        if tree.size:
            write_at(file, _encode(Mark(tree, leaf)), 0)
            self._next = SLOT

    def alone(self) -> _Alone:
        """For a `with`: keeps other programs from writing the mark inside the block."""
        return _Alone(self._descriptor())

    def advice(self) -> str:
        """What to do after a loss, as a sentence without its full stop."""
        try:
            self.read()
        except Corrupt:
            return (
                "Run `domino-ledger verify --against` a tree head that you kept; if the ledger is intact, "
                "`domino-ledger repair --accept-loss` makes a new mark"
            )
        return (
            "`domino-ledger verify` shows more. If you put this ledger here on purpose, such as an older copy, "
            "`domino-ledger repair --accept-loss` goes on with it"
        )

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
        if self._file is not None:
            with suppress(OSError):  # a mark that did not reach the disk is only out of date, never wrong
                os.fsync(self._file)
            os.close(self._file)
            self._file = None


def leaf_of(record_id: str, link: bytes) -> bytes:
    """The leaf of an event.  It binds the event to its record and, by its link, to its place and all events before."""
    return sha256(b"\0%b\n%b" % (record_id.encode(), link)).digest()


def _size(slot: bytes) -> int:
    """How many events a slot claims, whether or not its digest is right."""
    at = 36 + len(MAGIC)
    return int.from_bytes(slot[at : at + 8], "big") if slot[36:at] == MAGIC else -1


def _encode(mark: Mark) -> bytes:
    tree = mark.tree
    body = MAGIC + tree.size.to_bytes(8, "big") + mark.last + b"".join(tree.full)
    return sha256(body).digest() + len(body).to_bytes(4, "big") + body


def _decode(slot: bytes) -> Mark | None:
    body = slot[36 : 36 + int.from_bytes(slot[32:36], "big")]
    if not body.startswith(MAGIC) or sha256(body).digest() != slot[:32]:
        return None
    content = body[len(MAGIC) :]
    size, full = int.from_bytes(content[:8], "big"), tuple(content[n : n + 32] for n in range(40, len(content), 32))
    return Mark(Tree((), size, full), content[8:40]) if size.bit_count() == len(full) else None
