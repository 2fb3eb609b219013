"""The fuzzed readers: every reader of text from outside.  Each reads, or raises a LedgerError, and does nothing else.

What reads must do all that a record does: be written and read again as it was, as JSON and as a score sheet, and be
audited.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from ledger import notation
from ledger.audit.review import Review
from ledger.keep.sources import Item, _text_chunks, read
from ledger.proof import log_head
from ledger.record import codec
from ledger.record.errors import LedgerError, NotARecord, UnknownGame
from ledger.record.events import CORRECTIONS, Amend, AnyEvent, Insert, Open
from ledger.record.record import Record
from temporary import TemporaryStore

FIXTURES = Path(__file__).parents[2] / "fixtures"


class Target(NamedTuple):
    """A reader, which returns whether it could read the bytes, and good examples to begin with."""

    read: Callable[[bytes], bool]
    seeds: Callable[[], list[bytes]]


def audited(record: Record) -> None:
    """Audits a record as it is and as it was recorded.  An unknown game or an invalid opening is accepted."""
    corrected = any(isinstance(event, CORRECTIONS) for event in record.events)
    for as_recorded in (False, True) if corrected else (False,):
        try:
            review = Review(record, as_recorded=as_recorded)
        except (UnknownGame, NotARecord):
            return
        msgspec.json.encode(review.report)
        review.scene()


def timeless(event: AnyEvent) -> AnyEvent:
    """The event without the times, which a score sheet does not contain."""
    if isinstance(event, Amend | Insert):
        event = msgspec.structs.replace(event, event=msgspec.structs.replace(event.event, when=None))
    return msgspec.structs.replace(event, when=None)


def kept(record: Record) -> None:
    """Checks a record that was read: it can be written, read again unchanged, and audited."""
    text = codec.encode(record)
    assert codec.decode(text) == record
    assert codec.encode(codec.decode(codec.encode_lines(record))) == text
    bare = Record(tuple(map(timeless, record.events)))
    numbered = len(record.events) % 2 == 0  # one way or the other: writing sheets takes most of the time
    assert notation.read(notation.write(record, numbered=numbered)) == bare
    audited(record)


def read_record(data: bytes) -> bool:
    """A record's JSON."""
    try:
        record = codec.decode(data)
    except LedgerError:
        return False
    kept(record)
    return True


def read_event(data: bytes) -> bool:
    """One event, after one or more of the five openings."""
    try:
        event = codec.decode_event(data)
    except LedgerError:
        return False
    assert codec.decode_event(codec.encode_event(event)) == event
    for opening in _openings():
        try:
            record = codec.check([opening, event])
        except LedgerError:
            continue
        kept(record)
    return True


def read_sheet(data: bytes) -> bool:
    """A score sheet."""
    try:
        record = notation.read(data, "sheet")
    except LedgerError:
        return False
    kept(record)
    return True


def read_line(data: bytes) -> bool:
    """A line of a score sheet, typed during a game."""
    text, found = data.decode("utf-8", "surrogateescape"), False
    for opening in _openings():
        try:
            event = notation.read_line(text, opening)
            record = codec.check([opening, event])
        except LedgerError:
            continue
        found = True
        assert notation.read_line(notation.write_event(event, opening), opening) == event
        kept(record)
    return found


def read_archive(data: bytes) -> bool:
    """An archive, or any other file."""
    found = False
    for _number, line in codec.read_archive(io.BytesIO(data), "archive"):
        if isinstance(line, Record):
            found = True
            assert [each for _, each in codec.read_archive(io.BytesIO(codec.encode(line) + b"\n"))] == [line]
    for chunk in _text_chunks(io.BytesIO(data), "file", 1 << 20, int):
        for item in (chunk,) if isinstance(chunk, Item) else read(chunk):
            if isinstance(item.result, Record):
                found = True
                audited(item.result)
    return found


def read_head(data: bytes) -> bool:
    """A noted head of the log."""
    try:
        head = log_head.parse_log_head(data.decode("utf-8", "surrogateescape"))
    except LedgerError:
        return False
    assert log_head.parse_log_head(str(head)) == head
    return True


# ── Good examples ──────────────────────────────────────────────────────────────────────────────────────────


def _records() -> list[Record]:
    paths = [
        path
        for path in sorted(FIXTURES.glob("*/*.json"))
        if path.parent.name != "conformance" and not path.name.endswith(".report.json")
    ]
    return [codec.decode(path.read_bytes()) for path in paths]


def _openings() -> list[Open]:
    if not _OPENINGS:
        by_game = {record.opening.game: record.opening for record in _records()}
        _OPENINGS.extend(by_game.values())
    return _OPENINGS


_OPENINGS: list[Open] = []


def records() -> list[bytes]:
    """Every fixture."""
    return [codec.encode(record) for record in _records()]


def events() -> list[bytes]:
    """Every event of the fixtures, once."""
    return sorted({codec.encode_event(event) for record in _records() for event in record.events})


def sheets() -> list[bytes]:
    """Every fixture as a score sheet."""
    return [notation.write(record).encode() for record in _records()]


def lines() -> list[bytes]:
    """Every line of those, once."""
    return sorted({line for sheet in sheets() for line in sheet.splitlines() if line})


def archives() -> list[bytes]:
    """The fixtures, some of them together, and other kinds of file."""
    texts = records()
    together = [b"\n".join(texts[n : n + 3]) + b"\n" for n in range(0, len(texts), 3)]
    return [*together, *sheets()[::20], *(codec.encode_lines(record) for record in _records()[::20])]


def heads() -> list[bytes]:
    """The head of the logs of a ledger that grows by the shortest fixtures."""
    store, seeds = TemporaryStore(), list[bytes]()
    for number, record in enumerate(sorted(_records(), key=lambda record: len(record.events))[:40:5]):
        store.append(f"r{number}", 0, record.events)
        seeds.append(f"noted: {log_head.check(store).log_head}".encode())
    return seeds


TARGETS = {
    "record": Target(read_record, records),
    "event": Target(read_event, events),
    "sheet": Target(read_sheet, sheets),
    "line": Target(read_line, lines),
    "archive": Target(read_archive, archives),
    "head": Target(read_head, heads),
}
"""All targets, by name."""
