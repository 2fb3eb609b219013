"""Small pictures of tables, for lists of records: `/g/ID/thumbnail.svg?v=EVENTS&size=large`.

A record only grows, so the number of its events, `v`, identifies the table.  A cached picture is sent without asking
the ledger, and a browser may cache it, too.  It has no names, so nothing in it ever needs to be forgotten.

A list contains the cached ones that are small: a request for each would cost more than the list.  It links to the
others, because a list never draws.
"""

from flask import Blueprint, Response, request, url_for

from ledger.audit.review import Review
from viewer.pictures.small_pictures import SIZES, as_address
from viewer.pictures.small_pictures import thumbnail as draw
from viewer.server.context import store
from viewer.server.kept import kept
from viewer.server.policy import PICTURE

thumbnails = Blueprint("thumbnails", __name__)

KEEP = 7 * 24 * 3600
"""How many seconds a browser caches a picture whose address names its state."""
INLINE = 16 * 1024
"""The most bytes of a picture that a list contains."""


@thumbnails.get("/g/<record_id>/thumbnail.svg")
def thumbnail(record_id: str) -> Response:
    """The table of a record at its end.  Raises UnknownRecord, NotARecord, UnknownGame."""
    size = "large" if request.args.get("size") == "large" else next(iter(reversed(SIZES)))
    version = request.args.get("v", "")
    picture = kept().get(("thumbnail", record_id, version, size))
    if picture is None:
        record = store().read(record_id)
        version = str(len(record.events))
        key = "thumbnail", record_id, version, size
        picture = kept().get_or_make(key, lambda: draw(Review(record, record_id), size).encode(), len)
    answer = Response(picture, content_type="image/svg+xml")
    answer.headers["Content-Security-Policy"] = PICTURE
    answer.set_etag(f"{version}-{size}")
    current = request.args.get("v") == version
    answer.headers["Cache-Control"] = f"private, max-age={KEEP}" if current else "private, no-cache"
    answer.make_conditional(request)
    return answer


@thumbnails.app_template_global("thumbnail_src")
def source(record_id: str, version: int, size: str) -> str:
    """The picture of a record in a list: its data if it is cached and small, or its address."""
    picture: bytes | None = kept().get(("thumbnail", record_id, str(version), size))
    if picture is None or len(picture) > INLINE:
        return url_for("thumbnails.thumbnail", record_id=record_id, v=version, size=size)
    return as_address(picture.decode())
