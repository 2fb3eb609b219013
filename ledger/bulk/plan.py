"""What a bulk audit goes through: its input cut into chunks that a process can take, and the place after each.

A chunk is cut by what lies before it alone, so that an audit which goes on from a place gets the same chunks as one
that never stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ledger.codec import encode
from ledger.errors import NotARecord, NotForNow
from ledger.sources import Piece, cuts, files, is_blank, is_plain, pick, pieces
from ledger.stores import open_ledger
from ledger.stores.checked import Stretch, last, opened, stretches
from ledger.stores.sql import SqlStore

MOST = 1 << 21
"""Bytes of a file in one chunk: dozens of long records, or thousands of short ones."""
APART = 8 << 20
"""Bytes of a file in one chunk, where whoever audits it reads the file too."""
SENT = 64 << 20
"""Bytes of a compressed file from which on it is read here: its results would be too many to hold at once."""
MANY = 200
"""Records of a ledger in one chunk."""


class Part(NamedTuple):
    """A stretch of the ledger at that path or address."""

    ledger: str
    stretch: Stretch


class File(NamedTuple):
    """A file that is read where it is audited: all of it, or the lines that begin from byte `begin` to before `end`.

    `line` is the number of the first of them, where that is known.
    """

    path: str
    begin: int = 0
    end: int | None = None
    line: int = 1


class Failed(NamedTuple):
    """What of the input cannot be read: a sentence."""

    reason: str


class One(NamedTuple):
    """One record that was named by its file and line: its name, and its text."""

    name: str
    text: bytes


Chunk = Piece | Part | File | One | Failed


class Place(Struct, frozen=True):
    """How far an input was read: its source, and there the byte and the line (of a ledger, the place in its log)."""

    source: int = 0
    at: int = 0
    line: int = 1


class Task(NamedTuple):
    """A chunk, the place after it, and how much of the input lies before that (as `Plan.size` measures it)."""

    chunk: Chunk
    after: Place
    behind: int


class Source(Struct, frozen=True):
    """One thing to read: a file of some bytes, a record in one, or a stretch of the ledger.

    `size` is 0 for standard input, and for what is one record.
    """

    file: str | None
    size: int = 0
    stretch: tuple[int, int] = (0, 0)
    one: One | None = None


class Plan:
    """What is to be audited: files, folders, ``-``, FILE:LINE, ids in the ledger; all of it where `names` is empty.

    `size` is how much that is (bytes, or events of the ledger), for who shows how far an audit has come.  `upto`
    tells where the ledger ended when the audit began.  With `apart` the files are read by those who audit them: under
    the same names, and in parts without looking at them.

    Raises UnknownRecord, NotARecord for a FILE:LINE that is none, or OSError for a file that cannot be read.
    """

    def __init__(self, ledger: str, names: Sequence[str], *, upto: int | None = None, apart: bool = False) -> None:
        self.ledger, self._apart, self._open = ledger, apart, ExitStack()
        self._store: SqlStore | None = None
        self.sources: list[Source] = []
        self.upto = upto
        for name in names:
            if name == "-" or Path(name).exists():
                self.sources += (Source(file, 0 if file == "-" else Path(file).stat().st_size) for file in files(name))
            elif Path(name.rpartition(":")[0]).is_file():
                self.sources.append(Source(name, one=_picked(name)))
            else:
                self.sources.append(Source(None, stretch=opened(self.store, name)))
        if not names:
            self.upto = last(self.store) if upto is None else upto
            self.sources.append(Source(None, self.upto, (0, self.upto)))
        self.size = sum(source.size for source in self.sources)

    @property
    def store(self) -> SqlStore:
        """The ledger, opened when it is first needed."""
        if self._store is None:
            self._store = self._open.enter_context(open_ledger(self.ledger))
        return self._store

    @property
    def again(self) -> bool:
        """Whether the input can be read a second time, from any place."""
        read = [source.file for source in self.sources if source.file is not None]
        return all(file != "-" and Path(file).is_file() for file in read)

    @property
    def digest(self) -> str:
        """What tells this input from others: the SHA-256 of the names and sizes of its files, or of its ledger's."""
        told = [(source.file or self.ledger, source.size, source.stretch, source.one) for source in self.sources]
        return sha256(msgspec.json.encode((self._apart, told))).hexdigest()

    def tasks(self, begin: Place) -> Iterator[Task]:
        """The chunks from that place on, in their order."""
        before = sum(source.size for source in self.sources[: begin.source])
        for number, source in enumerate(self.sources[begin.source :], begin.source):
            at = begin if number == begin.source else Place(number)
            if source.one is not None:
                yield Task(source.one, Place(number + 1), before)
            elif source.file is None:
                yield from self._stretches(source, at)
            elif self._apart and (source.size < SENT or is_plain(source.file)):
                yield from self._ranges(source.file, source.size, at, before)
            elif source.size and is_plain(source.file) and not is_blank(source.file):
                yield from self._cuts(source.file, at, before)
            else:
                yield from self._pieces(source.file, at, before)
            before += source.size

    def _cuts(self, file: str, begin: Place, before: int) -> Iterator[Task]:
        # Only looked through here, for the numbers of the lines: a process reads for itself sooner than it is sent.
        for cut in cuts(file, MOST, begin.at, begin.line):
            after = Place(begin.source, cut.end, cut.line + cut.lines)
            yield Task(File(file, cut.begin, cut.end, cut.line), after, before + cut.end)

    def _pieces(self, file: str, begin: Place, before: int) -> Iterator[Task]:
        # From standard input each record is audited as it comes: somebody may be typing.
        for found in pieces(file, 1 if file == "-" else MOST, begin.at, begin.line):
            if not isinstance(found, Piece):
                yield Task(Failed(str(found.found)), Place(begin.source + 1), before)
            elif not found.line:
                yield Task(found, Place(begin.source + 1), before + found.behind)
            else:
                after = Place(begin.source, found.end, found.line + found.data.count(b"\n"))
                yield Task(found, after, before + found.behind)

    def _ranges(self, file: str, size: int, begin: Place, before: int) -> Iterator[Task]:
        if not (size and is_plain(file)):
            yield Task(File(file), Place(begin.source + 1), before + size)
            return
        for at in range(begin.at, size, APART):
            end = min(at + APART, size)
            line = begin.line if at == begin.at else 0
            yield Task(File(file, at, end, line), Place(begin.source, end), before + end)

    def _stretches(self, source: Source, begin: Place) -> Iterator[Task]:
        after, upto = source.stretch
        for stretch in stretches(self.store, max(after, begin.at), upto, MANY):
            yield Task(Part(self.ledger, stretch), Place(begin.source, stretch.upto), min(stretch.upto, source.size))

    def close(self) -> None:
        """Lets go of the ledger."""
        self._open.close()


def _picked(name: str) -> One:
    item = pick(name)
    if isinstance(item.found, NotARecord):
        raise item.found
    return One(item.name, encode(item.found))


def repeatable(plan: Plan) -> None:
    """Raises NotForNow for an input that can be read only once."""
    if not plan.again:
        raise NotForNow(
            "what comes on standard input or through a pipe is gone when it was read: no audit of it can be resumed"
        )
