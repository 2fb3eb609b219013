"""The request log: for each request its id, status and time.

It wraps the whole application, so it also sees pages that fail.  An entry never contains
anything the user sent: no query, no key, no name, no address.
"""

import re
import secrets
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, request
from msgspec import Struct

ENTRY = "domino_ledger.log_entry"
"""The key of a request's log entry in its WSGI environment."""
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
RECORD_ID = re.compile(r"[0-9a-z]{10}")
"""A record's id as the recorder makes them.  Anything else in a path may be typed text, or a key."""
SAFE = (OSError, sqlite3.Error, MemoryError, RecursionError)
"""Errors of the machine, with safe messages.  The messages of other errors may quote what a user typed."""


class LogEntry(Struct):
    """A request and its answer: the request's id and method, its URL rule, the path with the record's id; then status,
    bytes, seconds until the first byte, a traceback if it failed, and whether it was `late`: too late for its turn.
    """

    request: str
    method: str
    rule: str = ""
    path: str = ""
    status: int = 500
    seconds: float = 0.0
    bytes: int = 0
    error: str = ""
    late: bool = False


class RequestLog:
    """Wraps an application, and calls `log` with a LogEntry when an answer is complete."""

    def __init__(self, app: Flask, log: Callable[[LogEntry], None]) -> None:
        self.log, self._inner = log, app.wsgi_app
        app.before_request(_note_rule)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers as the application does, with the id of the request as a header."""
        begin = time.perf_counter()
        method = environ["REQUEST_METHOD"]
        entry = LogEntry(secrets.token_hex(8), method if method in METHODS else "other")
        environ[ENTRY] = entry
        length: str | None = None

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal length
            entry.status, entry.seconds = int(status[:3]), time.perf_counter() - begin
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            return start_response(status, [*headers, ("X-Request-Id", entry.request)], *more)

        try:
            parts = self._inner(environ, start)
        except BaseException:
            self.log(entry)
            raise
        # It is passed on unchanged, because the server sends a whole file faster than pieces.
        entry.bytes = 0 if method == "HEAD" else int(length or 0)
        self.log(entry)
        return parts


def _note_rule() -> None:
    """Stores the URL rule of the request in its log entry."""
    entry = request.environ.get(ENTRY)
    if isinstance(entry, LogEntry) and request.url_rule is not None:
        entry.rule = entry.path = request.url_rule.rule
        record_id = (request.view_args or {}).get("record_id", "")
        if RECORD_ID.fullmatch(record_id):
            entry.path = entry.rule.replace("<record_id>", record_id)


def current_entry() -> LogEntry:
    """The log entry of this request so far."""
    entry: LogEntry = request.environ.get(ENTRY) or LogEntry("", request.method)
    return entry


def safe_traceback(error: BaseException | None) -> str:
    """The traceback of an error and its causes, without messages that may quote a user."""
    parts: list[str] = []
    while error is not None and len(parts) < 5:
        message = f": {error}" if isinstance(error, SAFE) else ""
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + message)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nwhile handling\n".join(parts)
