"""An audit of very many records: the input in chunks, and what a process does with a chunk."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.audit import reports
from ledger.audit.other_rulings import readings
from ledger.audit.review import Review
from ledger.keep.sources import Item, TextChunk, files, pick, read, review, text_chunks
from ledger.record.codec import encode
from ledger.record.errors import Corrupt, LedgerError, NotARecord, every, no_record
from ledger.record.record import Record
from ledger.record.visible import visible, visible_json
from ledger.rules.game import GRAVE
from ledger.stores import open_ledger
from ledger.stores.query import Corruption

MOST = 1 << 18
"""Bytes of a file in a chunk: dozens of records."""
MANY = 50
"""Records of a ledger in a chunk."""
EVENT = 60
"""Bytes of an event in an archive, about."""


class LedgerChunk(NamedTuple):
    """Some records of the ledger at that path.

    `whole`: the whole ledger is audited, so what its owner set aside is left out; nobody named it.
    """

    ledger: str
    ids: tuple[str, ...]
    whole: bool = False


Chunk = TextChunk | LedgerChunk | Item
"""What one process reads; an Item is a part of the input that cannot be read, and why."""


class Format(Struct, frozen=True):
    """How to format a report: as a line of JSON, in Markdown, or as text; with `rulings`, under all readings.

    `explain` is the length of the search for causes, as a multiple of the usual one (0: no search).
    """

    kind: Literal["json", "markdown", "text"] = "json"
    rulings: bool = False
    explain: float = 0


class Result(NamedTuple):
    """The result for one record: the verdict and the formatted report; or ``no record`` or ``corrupt``, and the error.

    `clean`: the audit found nothing.  `error` has a line for each mistake, safe to show.
    """

    verdict: str
    text: bytes
    clean: bool
    error: str = ""


class Input:
    """What to audit: files, folders, ``-``, FILE:LINE, ids in the ledger; the whole ledger if `names` is empty.

    `size` is about how many bytes there are to read; 0 for standard input, which may come slowly.

    Raises UnknownRecord, NotARecord for a FILE:LINE without a record, or OSError for a file that cannot be read.
    """

    def __init__(self, ledger: str, names: Sequence[str]) -> None:
        self._sources: list[tuple[str | TextChunk | LedgerChunk, int]] = []
        for name in names:
            if name == "-" or Path(name).exists():
                self._sources += ((file, 0 if file == "-" else Path(file).stat().st_size) for file in files(name))
            elif Path(name.rpartition(":")[0]).is_file():
                self._sources.append((_line(name), 0))
            else:
                with open_ledger(ledger) as store:
                    if not store.version(name):
                        raise no_record(name)
                self._sources.append((LedgerChunk(ledger, (name,)), 0))
        if not names:
            with open_ledger(ledger) as store:
                self._sources.append((LedgerChunk(ledger, store.ids(), whole=True), store.size() * EVENT))
        self.size = sum(size for _source, size in self._sources)

    def chunks(self) -> Iterator[tuple[Chunk, int]]:
        """The chunks in order, each with how much of the input is done after it."""
        before = 0
        for source, size in self._sources:
            if isinstance(source, str):
                # Each record from standard input is audited at once, because a person may be typing.
                for chunk in text_chunks(source, 1 if source == "-" else MOST):
                    yield chunk, before + (chunk.consumed if isinstance(chunk, TextChunk) else size)
            elif isinstance(source, LedgerChunk):
                for end in range(MANY, len(source.ids) + MANY, MANY):
                    done = size * min(end, len(source.ids)) // len(source.ids)
                    yield source._replace(ids=source.ids[end - MANY : end]), before + done
            else:
                yield source, before
            before += size


def _line(name: str) -> TextChunk:
    item = pick(name)
    if isinstance(item.result, NotARecord):
        raise item.result
    source, _, line = item.name.rpartition(":")
    return TextChunk(source, int(line), encode(item.result), 0)


def audit_chunk(format_: Format, part: tuple[Chunk, int]) -> list[Result]:
    """Audits every record of a part of the input, as `Input.chunks` yields it.

    Raises OSError or LedgerError if the chunk itself cannot be read.
    """
    chunk, _done = part
    return [_result(name, record, format_) for name, record in _records(chunk)]


def compare_chunk(chunk: LedgerChunk) -> list[Corruption | None]:
    """For each record of a chunk how its stored audit differs from a new one, or None."""
    from ledger.keep.stored_audits import compare_audits

    with open_ledger(chunk.ledger) as store:
        return list(compare_audits(store, chunk.ids))


def _records(chunk: Chunk) -> Iterator[tuple[str, Record | LedgerError]]:
    if isinstance(chunk, TextChunk):
        yield from read(chunk)
    elif isinstance(chunk, LedgerChunk):
        from ledger.stores.questions import read_checked

        with open_ledger(chunk.ledger) as store:
            for name, record in read_checked(store, chunk.ids):
                if not (chunk.whole and isinstance(record, Record) and record.void is not None):
                    yield name, record
    else:
        yield chunk


def _result(name: str, record: Record | LedgerError, format_: Format) -> Result:
    outcome = review(name, record)
    if not isinstance(outcome, Review):
        verdict = "corrupt" if isinstance(outcome, Corrupt) else "no record"
        return Result(verdict, b"", clean=False, error="\n".join(visible(str(error)) for error in every(outcome)))
    report = outcome.report
    clean = not report.findings
    if format_.explain and report.verdict in GRAVE:
        from ledger.audit.slip.slip_search import explain
        from ledger.audit.slip.trials import EVENTS, Budget

        explain(outcome, Budget(EVENTS * format_.explain))
    return Result(report.verdict, _text(outcome, format_), clean)


def _text(review: Review, format_: Format) -> bytes:
    all_readings = [readings(review.record, review.name, review.game)] if format_.rulings else []
    if format_.kind == "json":
        return b"".join(map(_json_line, (review.report, *all_readings)))
    lines = [reports.markdown(review)] if format_.kind == "markdown" else [*reports.text(review), ""]
    for one in all_readings:
        lines += [*reports.all_readings(one, review.names, review.report.rulings), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _json_line(value: object) -> bytes:
    """The value as JSON, with escapes for the characters that a terminal obeys, in case somebody prints the file."""
    return visible_json(msgspec.json.encode(value).decode()).encode() + b"\n"
