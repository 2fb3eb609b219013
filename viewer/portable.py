"""The questions that a page asks the rules, from JSON to JSON, on the server and in a reader's own browser.

`answer` is the only interface.  It needs no web server and no ledger: a question contains its record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from ledger import codec
from ledger.audit import Report
from ledger.errors import LedgerError, NotARecord
from ledger.reports import step_lines
from ledger.review import Review
from viewer.pages.checking import File, check
from viewer.pages.trying import Typed, replayed, written


class Problem(Struct, frozen=True):
    """Why there is no answer, in a sentence; `others` are further mistakes of the same text."""

    problem: str
    others: tuple[str, ...] = ()


class Audit(Struct, frozen=True):
    """The report of a record, and a line for each step with the digest of its state."""

    report: Report
    steps: tuple[str, ...]


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A record as text, and its name."""

    record: str
    name: str = ""


def audit(asked: Record) -> Audit:
    """Replays and audits a record.  Raises NotARecord, UnknownGame."""
    review = Review(codec.decode(asked.record), asked.name)
    return Audit(review.report, tuple(step_lines(review)))


_ANSWERS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "audit": (Record, audit),
    "check": (File, check),
    "replay": (Typed, replayed),
    "sheet": (Typed, written),
}
"""The type of the argument and the function for each question, by its name."""


def answer(name: str, text: str) -> str:
    """The answer to a question, as JSON.  A refusal is a `Problem`."""
    kind, function = _ANSWERS[name]
    try:
        found = function(msgspec.json.decode(text, type=kind))
    except NotARecord as error:
        found = Problem(_told(error), tuple(map(_told, error.others)))
    except LedgerError as error:
        found = Problem(str(error))
    return msgspec.json.encode(found).decode()


def _told(error: NotARecord) -> str:
    """A refusal for people: its place in the text, then the reason."""
    if error.line is None:
        return str(error)
    place = ", ".join([f"Line {error.line}", *([error.field] if error.field else [])])
    return f"{place}: {error.reason}"
