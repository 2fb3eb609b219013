"""What a process of a bulk audit does with a chunk: reads the records, audits each, and says what is to be told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger import reports
from ledger.archive import reviewed
from ledger.bulk.plan import Chunk, Failed, File, One, Part
from ledger.codec import decode
from ledger.errors import Harmed, LedgerError, NotARecord
from ledger.readings import readings
from ledger.record import Record
from ledger.review import Review
from ledger.sources import Piece, items, read
from ledger.stores import open_ledger
from ledger.stores.checked import checked
from ledger.stores.sql import SqlStore


class Form(Struct, frozen=True):
    """How a report is told: as a line of JSON, in Markdown, or as text; `rulings`, under every reading as well.

    With `brief` nothing is told as text of a record that is clean.
    """

    kind: Literal["json", "markdown", "text"] = "json"
    rulings: bool = False
    brief: bool = False


class Told(NamedTuple):
    """What came of one record: the verdict, and what is told of it; or ``no record``, ``harmed``, and the error.

    `clean` tells that there is nothing to say against it.
    """

    verdict: str
    text: bytes
    clean: bool
    error: str = ""


def work(chunk: Chunk, form: Form) -> list[Told]:
    """Audits every record of a chunk.  Raises OSError or LedgerError where the chunk itself cannot be read."""
    return [_told(name, found, form) for name, found in _records(chunk)]


def within(chunk: File) -> bytes:
    """The lines that begin within those bytes of a file."""
    with Path(chunk.path).open("rb") as stream:
        if chunk.begin:
            stream.seek(chunk.begin - 1)
            stream.readline()  # the line that began before
        size = (chunk.end or 0) - stream.tell()
        data = stream.read(size) if size > 0 else b""
        return data if not data or data.endswith(b"\n") else data + stream.readline()


def counted(all_told: list[Told]) -> Counter[str]:
    """How many there are of each verdict."""
    return Counter(told.verdict for told in all_told)


def _records(chunk: Chunk) -> Iterator[tuple[str, Record | LedgerError]]:
    if isinstance(chunk, Piece):
        yield from read(chunk)
    elif isinstance(chunk, Part):
        yield from checked(_ledger(chunk.ledger), chunk.stretch)
    elif isinstance(chunk, File) and chunk.end is None:
        yield from items(chunk.path)
    elif isinstance(chunk, File):
        yield from read(Piece(chunk.path, chunk.line, within(chunk), chunk.end or 0, 0))
    elif isinstance(chunk, One):
        yield chunk.name, decode(chunk.text)
    else:
        assert isinstance(chunk, Failed)  # noqa: S101  there is no other
        yield "", NotARecord(chunk.reason)


def _told(name: str, found: Record | LedgerError, form: Form) -> Told:
    if isinstance(found, Record):
        found = reviewed(name, found)  # type: ignore[assignment]  # what it became
    if not isinstance(found, Review):
        return Told("harmed" if isinstance(found, Harmed) else "no record", b"", clean=False, error=str(found))
    report = found.report
    clean = not report.findings
    return Told(report.verdict, b"" if form.brief and clean and not form.rulings else _text(found, form), clean)


def _text(review: Review, form: Form) -> bytes:
    if form.kind == "json":
        line = msgspec.json.encode(review.report) + b"\n"
        return line + _readings_as_json(review) if form.rulings else line
    lines = []
    lines += [reports.markdown(review)] if form.kind == "markdown" else [*reports.text(review), ""]
    if form.rulings:
        found = readings(review.record, review.name, review.game)
        lines += [*(review.named(line) for line in reports.all_readings(found)), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _readings_as_json(review: Review) -> bytes:
    found = readings(review.record, review.name, review.game)
    said = {"record": review.name, "depends": {w: getattr(found, w) for w in ("verdict", "scores", "winners")},
            "jointly": found.jointly, "readings": found.others, "complete": found.complete}  # fmt: skip
    return msgspec.json.encode(said) + b"\n"


_ledgers: dict[tuple[str, int], SqlStore] = {}


def _ledger(path: str) -> SqlStore:
    # Opened once in each thread of a process, and open until the process ends.
    key = path, threading.get_ident()
    if key not in _ledgers:
        _ledgers[key] = open_ledger(path)
    return _ledgers[key]


def let_go() -> None:
    """Closes the ledgers that this process has opened for its work."""
    while _ledgers:
        _ledgers.popitem()[1].close()
