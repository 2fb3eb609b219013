"""Small pictures of tables, for lists of records: `/g/ID/thumbnail.svg?v=EVENTS&size=large`.

A record only grows, so the number of its events, `v`, identifies the table.  A cached picture is sent without asking
the ledger, and a browser may cache it, too.  It has no names, so nothing in it ever needs to be forgotten.

A list contains the cached ones that are small: a request for each would cost more than the list.  It links to the
others, because a list never draws.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, current_app, request, url_for

from ledger.audit.review import Review
from ledger.record.errors import LedgerError
from ledger.stores.contract import Store
from ledger.stores.query import Query
from viewer.pictures.small import SIZES, as_address
from viewer.pictures.small import thumbnail as draw
from viewer.server.bounded import MEGABYTE, Bounded, weight
from viewer.server.context import store

thumbnails = Blueprint("thumbnails", __name__)

KEEP = 7 * 24 * 3600
"""How many seconds a browser caches a picture whose address names its state."""
INLINE = 16 * 1024
"""The most bytes of a picture that a list contains."""
LATEST = 10
"""How many of the latest records, those of the home page, get their pictures before anybody asks."""
MOST = MEGABYTE
"""The bytes of all thumbnails that a process keeps: some 80, which are the home page and three pages of the list."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Thumbnail(NamedTuple):
    """A picture, and the version that it shows."""

    version: str
    svg: bytes


class Thumbnails:
    """The latest thumbnails of a process, one for each record and size.

    A newer version (number of events) takes the place of an older one, which no list shows any more.
    """

    def __init__(self, most: int = MOST) -> None:
        self._pictures = Bounded[tuple[str, str], Thumbnail](most, weight)

    def get(self, record_id: str, version: str, size: str) -> bytes | None:
        """The thumbnail of a record at a version, or None if it is not kept."""
        kept = self._pictures.get((record_id, size))
        return kept.svg if kept is not None and kept.version == version else None

    def make(self, record_id: str, version: str, size: str, review: Callable[[], Review]) -> bytes:
        """The thumbnail of a record: the kept one, or else one of its `review`.  Raises what that raises."""
        return self._pictures.get_or_make(
            (record_id, size),
            lambda: Thumbnail(version, draw(review(), size).encode()),
            lambda kept: kept.version == version,
        ).svg


@thumbnails.get("/g/<record_id>/thumbnail.svg")
def thumbnail(record_id: str) -> Response:
    """The table of a record at its end.  Raises UnknownRecord, NotARecord, UnknownGame."""
    cache: Thumbnails = current_app.extensions["thumbnails"]
    size = "large" if request.args.get("size") == "large" else next(iter(reversed(SIZES)))
    version = request.args.get("v", "")
    picture = cache.get(record_id, version, size)
    if picture is None:
        record = store().read(record_id)
        version = str(len(record.events))
        picture = cache.make(record_id, version, size, partial(Review, record, record_id))
    answer = Response(picture, content_type="image/svg+xml")
    answer.headers["Content-Security-Policy"] = POLICY
    answer.set_etag(f"{version}-{size}")
    current = request.args.get("v") == version
    answer.headers["Cache-Control"] = f"private, max-age={KEEP}" if current else "private, no-cache"
    answer.make_conditional(request)
    return answer


@thumbnails.app_template_global("thumbnail_src")
def source(record_id: str, version: int, size: str) -> str:
    """The picture of a record in a list: its data if it is cached and small, or its address."""
    cache: Thumbnails = current_app.extensions["thumbnails"]
    picture = cache.get(record_id, str(version), size)
    if picture is None or len(picture) > INLINE:
        return url_for("thumbnails.thumbnail", record_id=record_id, v=version, size=size)
    return as_address(picture.decode())


def draw_latest(store: Store, thumbnails: Thumbnails) -> None:
    """Draws the small pictures of the latest records, so that the home page has them when somebody comes."""
    for row in store.find(Query(limit=LATEST)):
        version = str(row.events)
        if thumbnails.get(row.id, version, "small") is not None:
            continue
        # A record that cannot be shown has no picture.
        with suppress(LedgerError):
            record = store.read(row.id)
            if str(len(record.events)) == version:
                thumbnails.make(row.id, version, "small", partial(Review, record, row.id))
