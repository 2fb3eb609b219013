"""A worker's part of a bulk audit: reads the records of a chunk, audits each, and formats the results."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.audit import reports
from ledger.audit.review import Review
from ledger.bulk.chunks import Chunk, LedgerChunk, RecordChunk, UnreadableChunk
from ledger.keep.sources import FileChunk, TextChunk, items, read, review
from ledger.record import codec
from ledger.record.codec import decode, read_line
from ledger.record.errors import Corrupt, LedgerError, NotARecord, every
from ledger.record.later import later
from ledger.record.record import Record
from ledger.record.visible import visible, visible_json
from ledger.rules.game import GRAVE
from ledger.stores import open_ledger

with later():
    from ledger.audit.causes import Budget, explain
    from ledger.audit.readings import AllReadings, Depends, readings
    from ledger.stores.checked import read_checked
    from ledger.stores.sql import SqlStore


class Format(Struct, frozen=True):
    """How to format a report: as a line of JSON, in Markdown, or as text; with `rulings`, under all readings.

    With `brief`, a clean record has no text.  `explain` is how many seconds of processor time a record gets for the
    search of its causes (0: none).
    """

    kind: Literal["json", "markdown", "text"] = "json"
    rulings: bool = False
    brief: bool = False
    explain: float = 0


class Result(NamedTuple):
    """The result for one record: the verdict and the formatted report; or ``no record`` or ``corrupt``, and the error.

    `clean`: the audit found nothing.  `error` has a line for each mistake, safe to show.
    """

    verdict: str
    text: bytes
    clean: bool
    error: str = ""


def audit_chunk(chunk: Chunk, format_: Format) -> list[Result]:
    """Audits every record of a chunk.  Raises OSError or LedgerError if the chunk itself cannot be read."""
    return [_result(name, record, format_) for name, record in _records(chunk)]


def audit_chunk_to_send(chunk: Chunk, format_: Format) -> list[tuple[str, bytes, bool, str]]:
    """The same as plain tuples, which another process gets with a quarter of the work for named ones."""
    return [(verdict, text, clean, error) for verdict, text, clean, error in audit_chunk(chunk, format_)]


def read_lines(chunk: FileChunk) -> bytes:
    """The lines that begin within the bytes of a chunk; `read_line` cuts those that are too long."""
    with Path(chunk.path).open("rb") as stream:
        at, end, lines = chunk.begin, chunk.end or 0, list[bytes]()
        if at:
            stream.seek(at - 1)
            at += read_line(stream)[1] - 1  # the end of a line that began earlier
        if at < end <= at + codec.LONGEST:
            # No line that ends within these bytes is too long, so they are read at once.
            data = stream.read(end - at)
            whole = data.rfind(b"\n") + 1
            if whole == len(data):
                return data
            lines.append(data[:whole])
            at += whole
            stream.seek(at)
        while at < end:
            line, length = read_line(stream)
            if not line:
                break
            lines.append(line)
            at += length
        return b"".join(lines)


def _records(chunk: Chunk) -> Iterator[tuple[str, Record | LedgerError]]:
    if isinstance(chunk, TextChunk):
        yield from read(chunk)
    elif isinstance(chunk, LedgerChunk):
        for name, record in read_checked(opened(chunk.ledger), chunk.openings):
            if not (chunk.whole and isinstance(record, Record) and record.void is not None):
                yield name, record
    elif isinstance(chunk, FileChunk) and chunk.end is None:
        yield from items(chunk.path)
    elif isinstance(chunk, FileChunk):
        yield from read(TextChunk(chunk.path, chunk.line, read_lines(chunk), chunk.end or 0, 0))
    elif isinstance(chunk, RecordChunk):
        yield chunk.name, decode(chunk.text)
    else:
        assert isinstance(chunk, UnreadableChunk)  # noqa: S101  there is no other
        yield "", NotARecord(chunk.reason)


def _result(name: str, record: Record | LedgerError, format_: Format) -> Result:
    outcome = review(name, record) if isinstance(record, Record) else record
    if not isinstance(outcome, Review):
        verdict = "corrupt" if isinstance(outcome, Corrupt) else "no record"
        return Result(verdict, b"", clean=False, error="\n".join(visible(str(error)) for error in every(outcome)))
    report = outcome.report
    clean = not report.findings
    if format_.explain and report.verdict in GRAVE:
        explain(outcome, Budget(format_.explain))
    quiet = format_.brief and clean and not format_.rulings
    return Result(report.verdict, b"" if quiet else _text(outcome, format_), clean)


def _text(review: Review, format_: Format) -> bytes:
    if format_.kind == "json":
        line = _json_line(review.report)
        return line + _readings_as_json(review) if format_.rulings else line
    lines = []
    lines += [reports.markdown(review)] if format_.kind == "markdown" else [*reports.text(review), ""]
    if format_.rulings:
        all_readings = readings(review.record, review.name, review.game)
        lines += [*(review.named(line) for line in reports.all_readings(all_readings)), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _readings_as_json(review: Review) -> bytes:
    found = readings(review.record, review.name, review.game)
    depends = Depends(found.verdict, found.scores, found.winners)
    return _json_line(AllReadings(review.name, depends, found.jointly, found.others, found.complete))


_FIRST, _SECOND = map(int.to_bytes, "·".encode())
"""The two bytes of the sign in each report's line on what adds up; most have no other one that is not ASCII."""


def _json_line(value: object) -> bytes:
    """The value as JSON, with escapes for the characters that a terminal obeys, in case somebody prints the file."""
    line = msgspec.json.encode(value)
    before, _sign, after = line.partition(_FIRST)
    if not (before.isascii() and after.removeprefix(_SECOND).isascii()) or b"\x7f" in line:
        line = visible_json(line.decode()).encode()
    return line + b"\n"


_ledgers: dict[tuple[str, int], SqlStore] = {}


def opened(path: str) -> SqlStore:
    """The ledger at that path.  Each thread opens it once and keeps it open until the process ends."""
    key = path, threading.get_ident()
    if key not in _ledgers:
        _ledgers[key] = open_ledger(path)
    return _ledgers[key]


def close_all() -> None:
    """Closes the ledgers that this process has opened for its work."""
    while _ledgers:
        _ledgers.popitem()[1].close()
