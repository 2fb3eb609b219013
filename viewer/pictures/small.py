"""Thumbnails: the table of a record at its end, without names, ruler and shadow.

A thumbnail is a separate picture file with a transparent ground: the page behind it has the colour of the table.
Making one replays the record once.  `Thumbnails` caches the latest by the version of the record, and a browser caches
them while the number of events in their address is the same.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ledger.review import Review
from viewer.pictures.colours import paint_of
from viewer.pictures.drawing import drawing
from viewer.pictures.look import Look, Table, px
from viewer.pictures.scenes import at_end
from viewer.pictures.shapes import symbols_of

SIZES = {"large": (220, 150), "small": (112, 96)}
"""The sizes of thumbnails in pixels: for a game in play, and for others."""
MOST = 2000
"""The most thumbnails that a process caches: some 20 MB."""


def thumbnail(review: Review, size: str = "small") -> str:
    """A self-contained SVG of the table after the last event; it has no names and needs no audit."""
    width, height = SIZES[size]
    table = Table(at_end(review), review.opening.names)
    body = "".join(svg for _key, svg in drawing(table, Look(width=width, height=height, quiet=True)))
    symbols = symbols_of(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(width)} {px(height)}" width="{px(width)}" '
        f'height="{px(height)}"><style>{paint_of(symbols + body, "light")}</style>{symbols}{body}</svg>'
    )


class Thumbnails:
    """The latest thumbnails of a process, by record, version (its number of events) and size."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, Lock()
        self._pictures: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()

    def get(self, record_id: str, version: str, size: str) -> bytes | None:
        """The thumbnail of a record at a version, or None if it is not cached."""
        key = record_id, version, size
        with self._lock:
            picture = self._pictures.get(key)
            if picture is not None:
                self._pictures.move_to_end(key)
        return picture

    def make(self, record_id: str, version: str, size: str, review: Review) -> bytes:
        """Makes the thumbnail of a record and caches it."""
        picture = thumbnail(review, size).encode()
        with self._lock:
            self._pictures[record_id, version, size] = picture
            while len(self._pictures) > self._most:
                self._pictures.popitem(last=False)
        return picture
