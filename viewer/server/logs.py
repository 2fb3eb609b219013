"""Logs: one line for each answer, as JSON or for people.  No line contains a secret or anything a user typed.

They use the standard library's logging, so messages of other libraries come out the same way.
"""

import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import msgspec

from ledger.record.visible import visible, visible_json
from viewer.server.request_log import LogEntry, safe_traceback

LogFormat = Literal["json", "text", "none"]

logger = logging.getLogger("domino-ledger")
CLUB = ContextVar("club", default="")
"""The club that this thread works for; "" where a server has one ledger."""


def log(entry: LogEntry) -> None:
    """Logs an answer: a failed one as an error, a health check only for debugging."""
    level = logging.INFO
    if (entry.status >= 500 and not entry.late) or entry.error:
        level = logging.ERROR
    elif entry.rule == "/healthz":  # machines ask it every few seconds: not worth a line
        level = logging.DEBUG
    milliseconds = round(1000 * entry.seconds, 1)
    logger.log(
        level, "%s %s %d, %s ms, request %s",
        entry.method, entry.path or "-", entry.status, milliseconds, entry.request, extra={"entry": entry},
    )  # fmt: skip


def _when(record: logging.LogRecord) -> str:
    """RFC 3339, UTC, to the millisecond."""
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _error(record: logging.LogRecord) -> str:
    entry: LogEntry | None = getattr(record, "entry", None)
    if entry is not None:
        return entry.error
    return safe_traceback(record.exc_info[1]) if record.exc_info else ""


class Json(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {"time": _when(record), "level": record.levelname.lower()}
        if club := CLUB.get():
            line["club"] = club
        entry: LogEntry | None = getattr(record, "entry", None)
        if entry is not None:
            line |= {"request": entry.request, "method": entry.method, "path": entry.path, "status": entry.status}
            line |= {"ms": round(1000 * entry.seconds, 1), "bytes": entry.bytes}
        else:
            line |= {"logger": record.name, "message": record.getMessage()}
        if error := _error(record):
            line["error"] = error
        return visible_json(msgspec.json.encode(line).decode())


class Text(logging.Formatter):
    """A short line for people, with only the last lines of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        last = " ".join(line.strip() for line in _error(record).splitlines()[-3:])
        club = CLUB.get() and f"{CLUB.get()}: "
        return visible(f"{_when(record)} {club}{record.getMessage()}{f': {last}' if last else ''}")


def configure(log_format: LogFormat, out: TextIO | None = None) -> logging.Handler:
    """Sets up the logging of this process: everything as JSON, or errors only as text; to stderr by default.

    A second call replaces the first.  Returns the handler.
    """
    handler: logging.Handler = (
        logging.NullHandler() if log_format == "none" else logging.StreamHandler(out or sys.stderr)
    )
    handler.setLevel(logging.NOTSET if log_format == "json" else logging.ERROR)
    handler.setFormatter(Json() if log_format == "json" else Text())
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old.formatter, Json | Text)]:
        root.removeHandler(old)
    root.addHandler(handler)
    logger.setLevel(logging.INFO if log_format == "json" else logging.ERROR)
    return handler
