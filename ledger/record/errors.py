"""Every exception that Domino Ledger raises on purpose.

    LedgerError
    ├── NotARecord        text that is not a record: where, which field, why
    ├── UnknownGame       a record of a game, or of a revision of its rules, that is not installed here
    ├── UnknownRecord     no record of that id in the ledger
    ├── WrongVersion      a writer was behind: the error has what it missed
    ├── IdReused          one event id, two different events
    ├── NotALedger        a file that is not a ledger, or is from a newer program
    ├── Corrupt           a ledger that is not as it was written
    └── NotForNow         a request that makes no sense here (often a slip at the keyboard)

A breach of the rules is never an exception: it was played, so it is recorded, and the audit says so.
"""

from collections.abc import Sequence
from typing import Any

from ledger.record.words import plural


class LedgerError(Exception):
    """The base class: one sentence for the person who sees it."""


class NotARecord(LedgerError):
    """Text that is not a record.

    `source` and `line` say where the text is (lines count from 1), `event` is the seq of the wrong event,
    `field` its path (``$.tile``), `reason` a sentence.  Each is None if unknown.  `others` are later mistakes, from a
    reader that goes on after the first.
    """

    def __init__(
        self,
        reason: str,
        *,
        field: str | None = None,
        event: int | None = None,
        line: int | None = None,
        source: str | None = None,
        others: "Sequence[NotARecord]" = (),
    ) -> None:
        self.reason, self.field, self.event, self.line, self.source = reason, field, event, line, source
        self.others = tuple(others)
        super().__init__(reason)

    def at(self, source: str, line: int | None = None) -> "NotARecord":
        """The same error, with the place of the text added."""
        others = [other.at(source) for other in self.others]
        line, source = line or self.line, source or self.source or ""
        return NotARecord(
            self.reason, field=self.field, event=self.event, line=line, source=source or None, others=others
        )

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line) if part is not None)
        parts = [place] if place else []
        if self.event is not None:
            parts.append(f"event {self.event}")
        if self.field:
            parts.append(self.field)
        return ": ".join([*parts, self.reason])


def every(error: Exception) -> tuple[Exception, ...]:
    """An error, and the later errors of the same text."""
    return (error, *error.others) if isinstance(error, NotARecord) else (error,)


class UnknownGame(LedgerError):
    """A record of a game, or made under a revision of its rules, that is neither built in nor installed."""


class UnknownRecord(LedgerError):
    """The ledger holds no record of that id."""


def no_record(record_id: str) -> UnknownRecord:
    """The error, to be raised, that says so."""
    return UnknownRecord(f"the ledger has no record {record_id}")


class WrongVersion(LedgerError):
    """An append that expected a version that the record does not have.

    `expected` and `actual` count events; `missed` are the events that the writer has not seen, each encoded as
    it is stored.
    """

    def __init__(self, record_id: str, expected: int, actual: int, missed: Sequence[Any] = ()) -> None:
        self.record_id, self.expected, self.actual, self.missed = record_id, expected, actual, tuple(missed)
        why = f"{plural(len(self.missed), 'was', 'were')} recorded meanwhile" if missed else "nothing was written"
        super().__init__(f"record {record_id} has {plural(actual, 'event')}, not {expected}: {why}")


class IdReused(LedgerError):
    """An event id that already belongs to another event: a retry must send the same event."""


class NotALedger(LedgerError):
    """A file that cannot be opened as a ledger: another kind of file, or one that a newer program made."""


class Displaced(LedgerError):
    """The name of a ledger that is open no longer leads to its file.  `reason` says so without its path."""

    def __init__(self, path: object, reason: str) -> None:
        self.reason = f"nothing was written: {reason}"
        super().__init__(f"{path}: {self.reason}")


class Corrupt(LedgerError):
    """A ledger that is not as it was written: events are gone, or do not follow from those before them."""


class NotForNow(LedgerError):
    """A request that makes no sense here, such as amending an event that does not exist."""
