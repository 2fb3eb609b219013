"""Small pictures of tables, for lists of records: `/g/ID/thumbnail.svg?v=EVENTS&size=large`.

A list gives the number of events as `v`: the address is another one as soon as the record has grown, so a browser may
keep the picture.  A record that was corrected or forgotten in between has another digest, and is asked for again.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from ledger import chain
from ledger.review import Review
from viewer.pictures.small import SIZES, Thumbnails
from viewer.server.context import store

thumbnails = Blueprint("thumbnails", __name__)

KEEP = 7 * 24 * 3600
"""Seconds for which a browser keeps a picture whose address names its state."""


@thumbnails.get("/g/<record_id>/thumbnail.svg")
def thumbnail(record_id: str) -> Response:
    """The table of a record in the end.  Raises UnknownRecord, NotARecord, UnknownGame."""
    record = store().read(record_id)
    size = "large" if request.args.get("size") == "large" else next(iter(reversed(SIZES)))
    digest = chain.record_digest(record.events)
    kept: Thumbnails = current_app.extensions["thumbnails"]
    picture = kept.get(record_id, digest, size, lambda: Review(record, record_id))
    answer = Response(picture, content_type="image/svg+xml")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    answer.set_etag(f"{digest.hex()[:16]}-{size}")
    current = request.args.get("v") == str(len(record.events))
    answer.headers["Cache-Control"] = f"private, max-age={KEEP}" if current else "private, no-cache"
    answer.make_conditional(request)
    return answer
