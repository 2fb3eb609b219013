"""What becomes of each request: how it was answered, in what time, under which id; told to whoever listens.

It stands around the whole application, so that nothing is answered unseen: no page that fails, no stream that breaks.
What is told has no word of what was asked: no query, no key, no name, no address of anybody.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from flask import Flask, request
from msgspec import Struct

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

PLACE = "domino_ledger.answer"
"""Where the answer of a request stands in its environment."""
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
RECORD_ID = re.compile(r"[0-9a-z]{10}")
"""A record's id as the recorder makes them.  Anything else in an address may be what somebody typed, or a key."""
HARMLESS = (OSError, sqlite3.Error, MemoryError, RecursionError)
"""Errors of the machine, which say what failed; what others say may quote what somebody typed."""


class Answer(Struct):
    """An answer: the request's id and method, the rule that fits its path, the path with the record's id; then what
    was answered: status, bytes, seconds until the first of them, the traceback if it failed; and how many events were
    `recorded` by it.
    """

    request: str
    method: str
    rule: str = ""
    path: str = ""
    status: int = 500
    seconds: float = 0.0
    bytes: int = 0
    error: str = ""
    recorded: int = 0


class Answers:
    """Stands around an application; tells each of its `listeners` of every answer, when it is over."""

    def __init__(self, app: Flask) -> None:
        self.listeners: list[Callable[[Answer], None]] = []
        self.running, self._lock = 0, Lock()
        self._inner = app.wsgi_app
        app.before_request(_found)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers as the application does, with the id of the request as a header."""
        begin = time.perf_counter()
        method = environ["REQUEST_METHOD"]
        answer = Answer(secrets.token_hex(8), method if method in METHODS else "other")
        environ[PLACE] = answer
        length: str | None = None

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal length
            answer.status, answer.seconds = int(status[:3]), time.perf_counter() - begin
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            return start_response(status, [*headers, ("X-Request-Id", answer.request)], *more)

        with self._lock:
            self.running += 1
        try:
            parts = self._inner(environ, start)
        except BaseException:
            self.tell(answer)
            raise
        if length is None:
            return _Parts(self, answer, parts)
        # Handed on as it is: the server knows better ways to send a file than piece by piece.
        answer.bytes = 0 if method == "HEAD" else int(length)
        self.tell(answer)
        return parts

    def tell(self, answer: Answer) -> None:
        """Tells of an answer that is over."""
        with self._lock:
            self.running -= 1
        for listener in self.listeners:
            listener(answer)


class _Parts:
    """A stream, counted as it goes; told once, when it ends or is closed, even if nobody read any of it."""

    def __init__(self, answers: Answers, answer: Answer, parts: Iterable[bytes]) -> None:
        self._answers, self._answer, self._parts, self._rest = answers, answer, parts, iter(parts)
        self._told = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        try:
            part = next(self._rest)
        except StopIteration:
            raise
        except Exception as error:
            # A stream that breaks off is asked for again; the server is not to log it in its own words.
            self._answer.error = traced(error)
            raise StopIteration from error
        self._answer.bytes += len(part)
        return part

    def close(self) -> None:
        """Ends it: the server does so in any case."""
        if not self._told:
            self._told = True
            getattr(self._parts, "close", lambda: None)()
            self._answers.tell(self._answer)


def _found() -> None:
    """Notes which rule fits the path."""
    answer = request.environ.get(PLACE)
    if isinstance(answer, Answer) and request.url_rule is not None:
        answer.rule = answer.path = request.url_rule.rule
        record_id = (request.view_args or {}).get("record_id", "")
        if RECORD_ID.fullmatch(record_id):
            answer.path = answer.rule.replace("<record_id>", record_id)


def current() -> Answer:
    """The answer to this request, as far as it is known."""
    answer: Answer = request.environ.get(PLACE) or Answer("", request.method)
    return answer


def traced(error: BaseException | None) -> str:
    """Where an error came from, and what it was because of, without the words that it may quote."""
    parts: list[str] = []
    while error is not None and len(parts) < 5:
        said = f": {error}" if isinstance(error, HARMLESS) else ""
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + said)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nwhile handling\n".join(parts)
