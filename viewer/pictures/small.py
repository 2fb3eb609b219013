"""Thumbnails: the table of a record at its end, without names, ruler and shadow.

A thumbnail is a separate picture file with a transparent ground: the page behind it has the colour of the table.
Making one replays the record once.
"""

from __future__ import annotations

from ledger.audit.review import Review
from viewer.pictures.colours import paint_of
from viewer.pictures.drawing import drawing
from viewer.pictures.frames import Film
from viewer.pictures.look import Look, Table, px
from viewer.pictures.scenes import at_end
from viewer.pictures.tile_look import symbols_of

SIZES = {"large": (220, 150), "small": (112, 96)}
"""The sizes of thumbnails in pixels: for a game in play, and for others."""
MOMENT = (156, 96)
"""The size of the picture of one step."""


def thumbnail(review: Review, size: str = "small") -> str:
    """A self-contained SVG of the table after the last event; it has no names and needs no audit."""
    return _picture(Table(at_end(review), review.opening.names), *SIZES[size])


def step(film: Film, place: int) -> str:
    """A self-contained SVG of the table after a step, with its last move."""
    return _picture(Table(film.at(place), film.names), *MOMENT)


def _picture(table: Table, width: int, height: int) -> str:
    body = "".join(svg for _key, svg in drawing(table, Look(width=width, height=height, quiet=True)))
    symbols = symbols_of(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(width)} {px(height)}" width="{px(width)}" '
        f'height="{px(height)}"><style>{paint_of(symbols + body, "light")}</style>{symbols}{body}</svg>'
    )
