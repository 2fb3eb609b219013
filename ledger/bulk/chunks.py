"""The plan of a bulk audit: cuts the input into chunks for processes, with the position after each.

Where a chunk ends depends only on what comes before it, so an audit that resumes gets the same chunks as one that
never stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ledger.keep.sources import FileChunk, TextChunk, file_chunks, files, is_blank, is_plain, pick, text_chunks
from ledger.record.codec import encode
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.later import later
from ledger.stores import open_ledger

with later():
    from hashlib import sha256

    from ledger.stores.checked import last_opening, opening_of, split
    from ledger.stores.sql import SqlStore

MOST = 1 << 21
"""Bytes of a file in a chunk: dozens of long records, or thousands of short ones."""
APART = 8 << 20
"""Bytes of a file in a chunk, if the worker that audits it also reads the file."""
SENT = 64 << 20
"""From this many bytes on, a compressed file is read here: one chunk of it would give too many results at once."""
MANY = 200
"""Records of a ledger in a chunk."""

PACKED = 12
"""How much smaller zstd makes an archive of records, about."""
EVENT = 60
"""Bytes of an event in an archive, about."""


class LedgerChunk(NamedTuple):
    """Some records of the ledger at that path or address, by the positions of their openings in its log.

    `whole`: the whole ledger is audited, so what its owner set aside is left out; nobody named it.
    """

    ledger: str
    openings: range
    whole: bool = False


class RecordChunk(NamedTuple):
    """One record that was named by file and line: its name, and its text."""

    name: str
    text: bytes


class UnreadableChunk(NamedTuple):
    """A part of the input that cannot be read, and why."""

    reason: str


Chunk = TextChunk | FileChunk | LedgerChunk | RecordChunk | UnreadableChunk


class Position(Struct, frozen=True):
    """How far the input was read: the source, the byte and the line (in a ledger, the place in its log)."""

    source: int = 0
    at: int = 0
    line: int = 1


class Task(NamedTuple):
    """A chunk, the position after it, and how much of the input is done by then (in the units of `Plan.size`)."""

    chunk: Chunk
    after: Position
    done: int


class Source(Struct, frozen=True):
    """One thing to read: a file of `size` bytes, a record in one, or records of the ledger from `first` to `last`.

    `size` is 0 for standard input, and for a single record.
    """

    file: str | None
    size: int = 0
    first: int = 0
    last: int = 0
    record: RecordChunk | None = None


class Plan:
    """What to audit: files, folders, ``-``, FILE:LINE, ids in the ledger; the whole ledger if `names` is empty.

    `size` is the total for the progress bar, in bytes or events of the ledger.  `upto` is where the ledger ended when
    the audit began.  With `apart`, the workers read the files themselves, under the same names, and this process does
    not open them.

    Raises UnknownRecord, NotARecord for a FILE:LINE without a record, or OSError for a file that cannot be read.
    """

    def __init__(self, ledger: str, names: Sequence[str], *, upto: int | None = None, apart: bool = False) -> None:
        self.ledger, self._apart, self._open = ledger, apart, ExitStack()
        self._store: SqlStore | None = None
        self.sources: list[Source] = []
        self.upto, self._whole = upto, not names
        for name in names:
            if name == "-" or Path(name).exists():
                self.sources += (Source(file, 0 if file == "-" else Path(file).stat().st_size) for file in files(name))
            elif Path(name.rpartition(":")[0]).is_file():
                self.sources.append(Source(name, record=_record_chunk(name)))
            else:
                opening = opening_of(self.store, name)
                self.sources.append(Source(None, first=opening, last=opening))
        if not names:
            self.upto = last_opening(self.store) if upto is None else upto
            self.sources.append(Source(None, self.upto, 1, self.upto))
        self.size = sum(source.size for source in self.sources)

    @property
    def store(self) -> SqlStore:
        """The ledger, opened when it is first needed."""
        if self._store is None:
            self._store = self._open.enter_context(open_ledger(self.ledger))
        return self._store

    @property
    def without_ledger(self) -> bool:
        """Whether all of the input is in files."""
        return all(source.file is not None for source in self.sources)

    @property
    def weight(self) -> int:
        """About how many bytes of records there are to audit; 0 for standard input, which may come slowly."""
        return sum(
            source.size * (EVENT if source.file is None else 1 if is_plain(source.file) else PACKED)
            for source in self.sources
        )

    @property
    def repeatable(self) -> bool:
        """Whether the input can be read a second time, from any position."""
        names = [source.file for source in self.sources if source.file is not None]
        return all(file != "-" and Path(file).is_file() for file in names)

    @property
    def digest(self) -> str:
        """The SHA-256 of the names and sizes of the input, which tells inputs apart."""
        parts = [(source.file or self.ledger, source) for source in self.sources]
        return sha256(msgspec.json.encode((self._apart, parts))).hexdigest()

    def tasks(self, begin: Position) -> Iterator[Task]:
        """The tasks from that position on, in order."""
        before = sum(source.size for source in self.sources[: begin.source])
        for number, source in enumerate(self.sources[begin.source :], begin.source):
            at = begin if number == begin.source else Position(number)
            if source.record is not None:
                yield Task(source.record, Position(number + 1), before)
            elif source.file is None:
                yield from self._tasks_of_ledger(source, at)
            elif self._apart and (source.size < SENT or is_plain(source.file)):
                yield from self._tasks_by_bytes(source.file, source.size, at, before)
            elif source.size and is_plain(source.file) and not is_blank(source.file):
                yield from self._tasks_by_lines(source.file, at, before)
            else:
                yield from self._tasks_as_text(source.file, at, before)
            before += source.size

    def _tasks_by_lines(self, file: str, begin: Position, before: int) -> Iterator[Task]:
        # This process only counts the lines: a worker reads the file faster than it would receive the bytes.
        for chunk, lines in file_chunks(file, MOST, begin.at, begin.line):
            end = chunk.end or 0
            yield Task(chunk, Position(begin.source, end, chunk.line + lines), before + end)

    def _tasks_as_text(self, file: str, begin: Position, before: int) -> Iterator[Task]:
        # Each record from standard input is audited at once, because a person may be typing.
        for chunk in text_chunks(file, 1 if file == "-" else MOST, begin.at, begin.line):
            if not isinstance(chunk, TextChunk):
                yield Task(UnreadableChunk(str(chunk.result)), Position(begin.source + 1), before)
            elif not chunk.line:
                yield Task(chunk, Position(begin.source + 1), before + chunk.consumed)
            else:
                after = Position(begin.source, chunk.end, chunk.line + chunk.data.count(b"\n"))
                yield Task(chunk, after, before + chunk.consumed)

    def _tasks_by_bytes(self, file: str, size: int, begin: Position, before: int) -> Iterator[Task]:
        if not (size and is_plain(file)):
            yield Task(FileChunk(file), Position(begin.source + 1), before + size)
            return
        for at in range(begin.at, size, APART):
            end = min(at + APART, size)
            line = begin.line if at == begin.at else 0
            yield Task(FileChunk(file, at, end, line), Position(begin.source, end), before + end)

    def _tasks_of_ledger(self, source: Source, begin: Position) -> Iterator[Task]:
        openings = range(max(source.first, begin.at + 1), source.last + 1)
        for chunk in split(self.store, openings, MANY):
            end = chunk.stop - 1
            yield Task(LedgerChunk(self.ledger, chunk, self._whole), Position(begin.source, end), min(end, source.size))

    def close(self) -> None:
        """Closes the ledger."""
        self._open.close()


def _record_chunk(name: str) -> RecordChunk:
    item = pick(name)
    if isinstance(item.result, NotARecord):
        raise item.result
    return RecordChunk(item.name, encode(item.result))


def require_repeatable(plan: Plan) -> None:
    """Raises NotForNow for an input that can be read only once."""
    if not plan.repeatable:
        raise NotForNow("an audit of standard input or a pipe cannot be resumed: the input is gone")
