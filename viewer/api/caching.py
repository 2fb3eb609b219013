"""Decides which answers of the API a client may cache, and which sites may read them.

A record only grows, and its names can only be replaced.  So its last link, the number of replacements and the version
of this program determine every answer about it.  A client that already has the answer gets 304, and it is not made.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flask import Flask, Response, current_app, request

from ledger import __version__
from viewer.server.context import store

ASK_AGAIN = "private, no-cache"
"""A client may cache the answer, and asks each time whether it is still current."""


def kept(record_id: str | None, answer: Callable[[], Response]) -> Response:
    """The answer to a GET, with its tag; 304 if the client has it.  Without a record, the tag comes from the bytes."""
    tag = _tag_of(record_id) if record_id is not None else None
    if tag is not None and request.if_none_match.contains_weak(tag):
        reply = Response(status=304)
        reply.set_etag(tag, weak=True)
    else:
        reply = answer()
        if reply.status_code != 200 or reply.is_streamed:
            return reply
        reply.set_etag(tag or sha256(reply.get_data()).hexdigest()[:16], weak=True)
        if tag is None:
            reply.make_conditional(request)
    reply.headers.setdefault("Cache-Control", ASK_AGAIN)
    return reply


def _tag_of(record_id: str) -> str | None:
    version = store().version(record_id)
    # The last link is needed, too: the ledger may have been replaced by one with a record of the same length.
    link = store().link(record_id, version) if version else None
    return f"{link.hex()[:16]}.{version}.{store().renamings()}.{__version__}" if link else None


def let_read(app: Flask, origins: tuple[str, ...]) -> None:
    """Lets pages of these sites read the API without a key; ``*`` is every site."""
    app.extensions["cors"] = frozenset(origins)
    if origins:
        app.after_request(_allow)


def _allow(response: Response) -> Response:
    allowed: frozenset[str] = current_app.extensions["cors"]
    origin = request.headers.get("Origin", "")
    if request.path.startswith("/api/") and request.method in ("GET", "HEAD"):
        if "*" not in allowed:
            response.vary.add("Origin")
        if "*" in allowed or origin in allowed:
            response.headers["Access-Control-Allow-Origin"] = "*" if "*" in allowed else origin
            response.headers["Access-Control-Expose-Headers"] = "ETag, Link, Retry-After"
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
