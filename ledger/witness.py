"""The witness of a ledger: a small file beside it that remembers how much was written, and what.

A database can lose its newest events to one damaged bit and still find itself whole: the journal of writes ends where
it cannot be read.  The witness is written after each commit and before anybody is told, so that such a loss is seen.
It holds the head of the ledger as the full subtrees of its Merkle tree, and so goes on from one append to the next
without reading the ledger again.

The file has two places that are written by turns, each with its own digest: a write that is cut off leaves the other.

Source: RFC 6962, section 2.1, for the tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from ledger.errors import Harmed
from ledger.merkle import Tree

try:
    import fcntl
except ImportError:  # not on Windows: two programs that write at once may leave a witness that is one append behind
    fcntl = None  # type: ignore[assignment]

MAGIC = b"domino-ledger head 1\n"
PLACE = 4096
"""Bytes from one place to the other: no sector holds parts of both."""


class Witness:
    """The witness in the file of that path, which need not be there yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._next = 0
        self._last: tuple[bytes, int, tuple[bytes, ...]] | None = None

    def read(self) -> Tree | None:
        """What it remembers: the tree over all events that anybody was told are stored; None without a file.

        Raises Harmed where neither place can be read.
        """
        if self._file is None:
            try:
                self._file = os.open(self.path, os.O_RDWR)
            except FileNotFoundError:
                return None
            except OSError:  # a disk or a file that is only read
                self._file = os.open(self.path, os.O_RDONLY)
        both = os.pread(self._file, 2 * PLACE, 0)
        if not both:
            return None
        if self._last is not None and self._last[0] == both:
            return Tree.of(*self._last[1:])  # held against its digest already
        for at in sorted((0, PLACE), key=lambda at: _size(both[at : at + PLACE]), reverse=True):
            tree = _read(both[at : at + PLACE])  # the newer one; the other if that was cut off
            if tree is not None:
                self._next, self._last = PLACE - at, (both, tree.size, tree.full)
                return tree
        raise Harmed(f"{self.path}: what the ledger had cannot be read here any more")

    def write(self, tree: Tree) -> None:
        """Remembers a tree, in the place that was not read last: whoever writes is `alone`, and has read before.

        It does not wait for the disk: the ledger's own file is on it by now.
        """
        os.pwrite(self._opened(), _written(tree), self._next)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other programs from writing to it meanwhile."""
        file = self._opened()
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_UN)

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        return self._file

    def close(self) -> None:
        """Lets go of the file, once it is on the disk."""
        if self._file is not None:
            with suppress(OSError):  # what is not on the disk is only remembered a little less long
                os.fsync(self._file)
            os.close(self._file)
            self._file = None


def leaf_of(record_id: str, link: bytes) -> bytes:
    """The leaf of an event: bound to its record, and by its link to its place there and to all before it."""
    return sha256(b"\0%b\n%b" % (record_id.encode(), link)).digest()


def grown(tree: Tree, events: Iterable[tuple[str, bytes]]) -> Tree:
    """The tree with the leaves of these events, each a record's id and a link."""
    tree.extend([leaf_of(record_id, link) for record_id, link in events])
    return tree


def _size(place: bytes) -> int:
    """How many events a place tells of, whether or not that can be believed."""
    at = 36 + len(MAGIC)
    return int.from_bytes(place[at : at + 8], "big") if place[36:at] == MAGIC else -1


def _written(tree: Tree) -> bytes:
    said = MAGIC + tree.size.to_bytes(8, "big") + b"".join(tree.full)
    return sha256(said).digest() + len(said).to_bytes(4, "big") + said


def _read(place: bytes) -> Tree | None:
    said = place[36 : 36 + int.from_bytes(place[32:36], "big")]
    if not said.startswith(MAGIC) or sha256(said).digest() != place[:32]:
        return None
    rest = said[len(MAGIC) :]
    size, full = int.from_bytes(rest[:8], "big"), [rest[n : n + 32] for n in range(8, len(rest), 32)]
    return Tree.of(size, full) if size.bit_count() == len(full) else None
