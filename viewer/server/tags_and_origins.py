"""Decides which answers a client may cache, and which sites may read the API.

A client that already has the bytes of an answer gets 304 instead.
"""

from hashlib import sha256

from flask import Flask, Response, current_app, request

ASK_AGAIN = "private, no-cache"
"""A client may cache the answer, and asks each time whether it is still current."""


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
