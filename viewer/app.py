"""Puts the viewer together: the ledger it shows, its rooms, one table from errors to statuses, and its headers."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, make_response, render_template, request
from markupsafe import Markup
from werkzeug.exceptions import BadHost, HTTPException, InternalServerError
from werkzeug.middleware.proxy_fix import ProxyFix

import viewer.api  # noqa: F401  its endpoints
from ledger.errors import IdReused, LedgerError, NotARecord, NotForNow, UnknownGame, UnknownRecord, WrongVersion
from ledger.stores.contract import Store
from viewer.answers import Answers, current, traced
from viewer.desk import LARGEST_FORM, desk
from viewer.doors import doors, guard
from viewer.endpoints import api, problem
from viewer.health import health
from viewer.limits import limit
from viewer.live import Bell, live
from viewer.logs import log
from viewer.metrics import measure
from viewer.pages import pages
from viewer.prepared import Shelf
from viewer.shapes import DEFS
from viewer.share import share

STATUS: dict[type[Exception], tuple[int, str]] = {
    UnknownRecord: (404, "There is no such record"),
    UnknownGame: (422, "This game is not installed here"),
    NotARecord: (422, "This record cannot be read"),
    IdReused: (422, "That cannot be done"),
    NotForNow: (409, "That cannot be done now"),
    WrongVersion: (409, "Somebody else was quicker"),
    # A disk that is full, a file that is busy or corrupt: what was sent is right, and a phone sends it again.
    LedgerError: (503, "The ledger cannot do that now"),
}
"""What each error of the ledger is in HTTP, and its title; the nearest ancestor counts."""
SOON = 5
"""Seconds after which to try again what the ledger could not do."""

POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"
DENIED = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""What no page of ours asks a browser for, and so none that is smuggled into one gets."""
PICTURES = ("share.as_svg", "share.as_png", "share.as_gif")
"""What other sites may show, as they may show what is embedded."""
WATCHERS = 4
LARGEST = 1_000_000
"""Bytes of the largest thing that anybody may send."""
MOST_FIELDS = 100
"""Fields of the largest form: an opening has some thirty."""
SMALL = 1000
"""Bytes below which an answer is not worth compressing."""


class Viewer(Flask):
    """The application; what fails in it is noted with the answer, not logged in words that may quote somebody."""

    def log_exception(self, exc_info: Any) -> None:
        """Notes an error that nobody expected."""
        current().error = traced(exc_info[1])


def create_app(
    open_store: Callable[[], Store],
    *,
    watchers: int = WATCHERS,
    recording: bool = True,
    private: bool = False,
    limits: bool = False,
    metrics: bool = False,
    proxies: int = 0,
) -> Flask:
    """The viewer of a ledger.  `open_store` opens it; it is called once in each thread.

    `watchers` is how many streams may be open at once: fewer than the server has threads, since each takes one.
    Without `recording` the ledger is only shown.  If it is `private`, a record is shown to who has a link to it, and
    the list to who rules over the ledger.  With `limits` nobody may ask for too much; with `metrics` there is /metrics.
    `proxies` is how many proxies stand before it, whose word counts for who asks, and how.

    Raises NotForNow for metrics without the library that writes them.
    """
    app = Viewer(__name__)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST, MAX_FORM_MEMORY_SIZE=LARGEST_FORM, MAX_FORM_PARTS=MOST_FIELDS)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["defs"] = Markup(DEFS)  # noqa: S704  our own symbols
    local = threading.local()

    def ledger() -> Store:
        if not hasattr(local, "store"):
            local.store = open_store()
        found: Store = local.store
        return found

    app.extensions["ledger"], app.extensions["shelf"] = ledger, Shelf()
    app.extensions["bell"] = Bell(open_store, watchers)
    app.extensions["recording"] = app.jinja_env.globals["recording"] = recording
    answers = Answers(app)
    answers.listeners.append(log)
    app.before_request(_packed)
    app.extensions["private"] = app.jinja_env.globals["private"] = private
    app.before_request(guard)
    for room in (pages, share, live, desk, doors, api, health):
        app.register_blueprint(room)
    if metrics:
        measure(app, answers)
    if limits:
        limit(app, _say)
    app.register_error_handler(LedgerError, _refused)
    app.register_error_handler(HTTPException, _failed)
    app.after_request(_headers)
    # Only what proxies of ours say: anybody can write such headers.
    app.wsgi_app = ProxyFix(answers, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    return app


def _packed() -> Any:
    """Nothing that is sent here is unpacked: a little can be packed that becomes very much."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() in ("", "identity"):
        return None
    answer = make_response(
        _say(415, "This is packed", "what is sent here is sent as it is, without a Content-Encoding")
    )
    answer.headers["Accept-Encoding"] = "identity"
    return answer


def _refused(error: LedgerError) -> Any:
    status, title = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    if status != 503:
        return _say(status, title, str(error))
    # Where the ledger stands, and what its database says, is for the log alone.
    current().error = traced(error)
    answer = make_response(
        _say(status, title, "it cannot be read or written at the moment; what is sent again later is recorded once")
    )
    answer.headers["Retry-After"] = str(SOON)
    return answer


def _failed(error: HTTPException) -> Any:
    if error.response is not None or error.code is None:
        return error
    if isinstance(error, BadHost):  # without a host there are no links, so no page
        return Response("This request names no host that can be read.\n", 400, content_type="text/plain")
    detail = error.description or ""
    if isinstance(error, InternalServerError):
        detail = f"what is recorded is safe; the log of the server says what went wrong, under {current().request}"
    answer = make_response(_say(error.code, error.name, detail))
    # What an error brings along, such as the methods that are allowed, stays.
    answer.headers.extend((name, value) for name, value in error.get_headers() if name.lower() != "content-type")
    return answer


def _say(status: int, title: str, detail: str) -> Any:
    if request.path.startswith("/api/"):
        return problem(status, title, detail)
    return render_template("problem.html", status=status, title=title, detail=detail), status


def _headers(response: Response) -> Response:
    embedded = request.path.startswith("/embed/")
    headers = response.headers
    headers.setdefault(
        "Content-Security-Policy", f"{POLICY}; frame-ancestors {'*' if embedded else chr(39) + 'none' + chr(39)}"
    )
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", DENIED)
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    shared = embedded or request.endpoint in PICTURES
    headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if shared else "same-origin")
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if request.path.startswith("/r/") or request.path == "/new":
        headers.setdefault("Cache-Control", "no-store")
    return _compressed(response)


def _compressed(response: Response) -> Response:
    """The answer gzipped, for whoever reads that; text only."""
    kind = response.mimetype or ""
    if (
        not (kind.startswith("text/") or kind.endswith(("json", "xml", "javascript")))
        or "gzip" not in request.headers.get("Accept-Encoding", "")
        or response.direct_passthrough
        or kind == "text/event-stream"
        or "Content-Encoding" in response.headers
    ):
        return response
    body = response.get_data()
    if len(body) < SMALL:
        return response
    response.set_data(_squeeze(body))
    response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    return response


_squeezed: dict[int, tuple[bytes, bytes]] = {}


def _squeeze(body: bytes) -> bytes:
    """The body compressed; what was compressed last is remembered, since pages are asked for again and again."""
    key = hash(body)
    held = _squeezed.get(key)
    if held is not None and held[0] == body:
        return held[1]
    packed = gzip.compress(body, 6, mtime=0)
    if len(_squeezed) >= 64:
        _squeezed.pop(next(iter(_squeezed)))
    _squeezed[key] = (body, packed)
    return packed
