"""Decides which answers a client may cache, and which sites may read the API.

A record only grows, and its names can only be replaced.  So its last link, the number of replacements and the version
of this program determine every answer of the API about it.  A client that already has the answer gets 304, and the
answer is not even computed.  Every other answer is computed; a client that has the same bytes gets 304 instead.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flask import Flask, Response, current_app, request

from ledger import __version__
from ledger.stores import questions
from viewer.server.context import store

ASK_AGAIN = "private, no-cache"
"""A client may cache the answer, and asks each time whether it is still current."""


def with_tag(record_id: str | None, make_answer: Callable[[], Response]) -> Response:
    """The answer to a GET of the API.  An answer about a record has a tag, and a client that has the tag gets 304."""
    tag = _tag_of(record_id) if record_id is not None else None
    if tag is None:
        return make_answer()
    reply = Response(status=304) if request.if_none_match.contains_weak(tag) else make_answer()
    if reply.status_code in (200, 304):
        reply.set_etag(tag, weak=True)
        reply.headers.setdefault("Cache-Control", ASK_AGAIN)
    return reply


def tag_by_bytes(response: Response) -> Response:
    """The answer to a GET, with a tag made from its bytes if it has none; 304 if the client has these bytes.

    Streams, files and answers that nobody may keep stay as they are.
    """
    headers = response.headers
    if (
        request.method not in ("GET", "HEAD")
        or response.status_code != 200
        or response.is_streamed
        or response.direct_passthrough
        or "ETag" in headers
        or "Set-Cookie" in headers
        or "no-store" in headers.get("Cache-Control", "")
    ):
        return response
    response.set_etag(sha256(response.get_data()).hexdigest()[:16], weak=True)
    headers.setdefault("Cache-Control", ASK_AGAIN)
    response.make_conditional(request)
    return response


def _tag_of(record_id: str) -> str | None:
    version = store().version(record_id)
    # The last link is needed, too: the ledger may have been replaced by one with a record of the same length.
    link = questions.link(store(), record_id, version) if version else None
    return f"{link.hex()[:16]}.{version}.{questions.renamings(store())}.{__version__}" if link else None


def let_read(app: Flask, origins: tuple[str, ...]) -> None:
    """Lets pages of these sites read the API without a key; ``*`` is every site."""
    app.extensions["cors"] = frozenset(origins)
    if origins:
        app.after_request(_allow)


def _allow(response: Response) -> Response:
    allowed: frozenset[str] = current_app.extensions["cors"]
    origin = request.headers.get("Origin", "")
    if request.path.startswith("/api/") and request.method in ("GET", "HEAD", "OPTIONS"):
        if "*" not in allowed:
            response.vary.add("Origin")
        if "*" in allowed or origin in allowed:
            response.headers["Access-Control-Allow-Origin"] = "*" if "*" in allowed else origin
            response.headers["Access-Control-Expose-Headers"] = "ETag, Link, Retry-After"
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            if request.method == "OPTIONS":  # the browser asks before it sends If-None-Match
                response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
                response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
    return response
