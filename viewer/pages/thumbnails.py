"""Small pictures of tables, for lists of records: `/g/ID/thumbnail.svg?v=EVENTS&size=large`.

A record only grows, so the number of its events, `v`, identifies the table.  A cached picture is sent without asking
the ledger, and a browser may cache it, too.  It has no names, so nothing in it ever needs to be forgotten.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from ledger.review import Review
from viewer.pictures.small import SIZES, Thumbnails
from viewer.server.context import store

thumbnails = Blueprint("thumbnails", __name__)

KEEP = 7 * 24 * 3600
"""How many seconds a browser caches a picture whose address names its state."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@thumbnails.get("/g/<record_id>/thumbnail.svg")
def thumbnail(record_id: str) -> Response:
    """The table of a record at its end.  Raises UnknownRecord, NotARecord, UnknownGame."""
    made: Thumbnails = current_app.extensions["thumbnails"]
    size = "large" if request.args.get("size") == "large" else next(iter(reversed(SIZES)))
    version = request.args.get("v", "")
    picture = made.get(record_id, version, size)
    if picture is None:
        record = store().read(record_id)
        version = str(len(record.events))
        picture = made.get(record_id, version, size) or made.make(record_id, version, size, Review(record, record_id))
    answer = Response(picture, content_type="image/svg+xml")
    answer.headers["Content-Security-Policy"] = POLICY
    answer.set_etag(f"{version}-{size}")
    current = request.args.get("v") == version
    answer.headers["Cache-Control"] = f"private, max-age={KEEP}" if current else "private, no-cache"
    answer.make_conditional(request)
    return answer
