"""Logs: a line for each answer, for machines as JSON or for people; no secret and no word of anybody's in any.

They go through the standard library's logging, as everybody's do, so that what other libraries say is told in the
same way.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import msgspec

from viewer.answers import Answer, traced

Form = Literal["json", "text", "none"]

logger = logging.getLogger("domino-ledger")

WATCHED = ("/healthz", "/metrics")
"""Asked for every few seconds by machines: that is no news."""


def log(answer: Answer) -> None:
    """Logs an answer: a failed one as an error, and what machines ask all the time for those only who debug."""
    level = logging.INFO
    if answer.status >= 500 or answer.error:
        level = logging.ERROR
    elif answer.rule in WATCHED:
        level = logging.DEBUG
    taken = round(1000 * answer.seconds, 1)
    logger.log(
        level, "%s %s %d, %s ms, request %s", answer.method, answer.path or "-", answer.status, taken, answer.request,
        extra={"answer": answer},
    )  # fmt: skip


def _when(record: logging.LogRecord) -> str:
    """RFC 3339, UTC, to the millisecond."""
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _error(record: logging.LogRecord) -> str:
    answer: Answer | None = getattr(record, "answer", None)
    if answer is not None:
        return answer.error
    return traced(record.exc_info[1]) if record.exc_info else ""


class Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {"time": _when(record), "level": record.levelname.lower()}
        answer: Answer | None = getattr(record, "answer", None)
        if answer is not None:
            line |= {"request": answer.request, "method": answer.method, "path": answer.path, "status": answer.status}
            line |= {"ms": round(1000 * answer.seconds, 1), "bytes": answer.bytes}
        else:
            line |= {"logger": record.name, "message": record.getMessage()}
        if error := _error(record):
            line["error"] = error
        return msgspec.json.encode(line).decode()


class Text(logging.Formatter):
    """A short line for people; of an error only its last two lines, where it was and what."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        last = " ".join(line.strip() for line in _error(record).splitlines()[-3:])
        return f"{_when(record)} {record.getMessage()}{f': {last}' if last else ''}"


def speak(form: Form, out: TextIO | None = None) -> logging.Handler:
    """Says how this process logs, to its error output if nothing else is named: everything as JSON, errors as text.

    Called again, it is said anew.  Returns what writes.
    """
    handler: logging.Handler = logging.NullHandler() if form == "none" else logging.StreamHandler(out or sys.stderr)
    handler.setLevel(logging.NOTSET if form == "json" else logging.ERROR)
    handler.setFormatter(Json() if form == "json" else Text())
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old.formatter, Json | Text)]:
        root.removeHandler(old)
    root.addHandler(handler)
    logger.setLevel(logging.INFO if form == "json" else logging.ERROR)
    return handler
