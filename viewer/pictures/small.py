"""Thumbnails: the table of a record at its end, without names, ruler and shadow.

A thumbnail is a separate picture file with a transparent ground: the page behind it has the colour of the table.
Making one replays the record once.
"""

from __future__ import annotations

from markupsafe import Markup
from msgspec.structs import replace

from ledger.audit.review import Review
from viewer.pictures.colours import paint_of
from viewer.pictures.drawing import drawing
from viewer.pictures.frames import Film
from viewer.pictures.look import Look, Table, px
from viewer.pictures.scenes import at_end
from viewer.pictures.things import Heap
from viewer.pictures.tile_look import symbols_of

SIZES = {"large": (220, 150), "small": (112, 96)}
"""The sizes of thumbnails in pixels: for a game in play, and for others."""
MOMENT = (156, 96)
"""The size of the picture of one step."""
BESIDE = 60
"""How many pixels of a drawing of stacks lie outside their picture, on each side: a stack is in the middle then."""


def thumbnail(review: Review, size: str = "small") -> str:
    """A self-contained SVG of the table after the last event; it has no names and needs no audit."""
    return _picture(Table(at_end(review), review.opening.names), *SIZES[size])


def step(film: Film, place: int) -> str:
    """A self-contained SVG of the table after a step; of stacks, the one of its move and parts of its neighbours."""
    table = Table(film.at(place), film.names)
    three = _beside_the_last(table)
    return _picture(Table(three, film.names), *MOMENT, BESIDE) if three else _picture(table, *MOMENT)


def as_address(picture: str) -> Markup:
    """A small picture as the address of itself, for an attribute."""
    # In an address % and # have a meaning, and quotation marks end an attribute.
    text = picture.replace("%", "%25").replace("#", "%23").replace("&", "%26").replace('"', "'")
    return Markup(f"data:image/svg+xml,{text}")  # noqa: S704  our own drawing, which has no text of anybody


def _beside_the_last(table: Table) -> list[Heap]:
    """The stack of the last move between its neighbours; empty if no stack is meant.  Nothing lies beyond the ends."""
    stacks = [heap for row in table.rows.values() for heap in row.heaps if heap.label.isdecimal()]
    at = next((n for n, heap in enumerate(stacks) if (heap.row, heap.place) == table.last), None)
    if at is None:
        return []
    nothing = Heap(0, 0, "0", 0, (), ())
    three = [nothing, *stacks, nothing][at : at + 3]
    return [replace(heap, row=0, place=place) for place, heap in enumerate(three)]


def _picture(table: Table, width: int, height: int, beside: int = 0) -> str:
    """The table; `beside` pixels at its left and right are outside the picture."""
    body = "".join(svg for _key, svg in drawing(table, Look(width=width + 2 * beside, height=height, quiet=True)))
    symbols = symbols_of(body)
    box = f"{px(beside)} 0 {px(width)} {px(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{px(width)}" '
        f'height="{px(height)}"><style>{paint_of(symbols + body, "light")}</style>{symbols}{body}</svg>'
    )
