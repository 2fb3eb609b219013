"""Pictures: the table at a step as a self-contained SVG, for files, print, cards and other sites."""

from collections.abc import Sequence
from html import escape

from msgspec.structs import replace

from viewer.pictures.colours import paint
from viewer.pictures.drawing import description, drawing
from viewer.pictures.film import Film
from viewer.pictures.flat_tiles import shorten
from viewer.pictures.look import Look, Table, px, safe, text
from viewer.pictures.tile_symbols import DEFS

NO_TEXT = dict.fromkeys({*range(32), 0xFFFE, 0xFFFF} - {9, 10, 13}, "\N{REPLACEMENT CHARACTER}")
"""Characters that a name may contain but XML may not: browsers would not draw such a picture."""
HEAD = 46
"""The height of the title above a picture."""
CAPTION, FOOT = 20, 28
"""The size of a caption below a picture, and the height of a line of it."""
FONT = "DejaVu Sans, sans-serif"
ON_PAGE = Look(width=600, height=580)
"""A size that suits phones and screens if the browser does not draw the table itself."""


def inner(table: Table, look: Look) -> str:
    """The drawing of a table as the inside of an SVG, with a title and a description for listeners."""
    return f"<desc>{safe(description(table))}</desc>{''.join(svg for _key, svg in drawing(table, look))}"


def element(table: Table, look: Look = ON_PAGE) -> str:
    """The drawing of a table as an element of a page that has `DEFS` and the style sheets."""
    return (
        f'<svg class="drawing" viewBox="0 0 {look.width:g} {look.height:g}" role="img" aria-label="The table">'
        f"{inner(table, look)}</svg>"
    )


def printed(film: Film, place: int) -> str:
    """The drawing as part of a page on paper: it keeps no room for tiles that hands have at other steps."""
    table = Table(film.at(place), film.names)
    most = max((len(hand.tiles) + (hand.unknown or 0) for hand in table.hands), default=0)
    table.room = replace(table.room, tiles=most)
    return element(table)


def position(
    film: Film, place: int, look: Look, *, theme: str = "light", title: str = "", caption: Sequence[str] = ()
) -> str:
    """A self-contained picture of one step; `theme` is ``light`` or ``dark``.

    The lines of the `caption` say why the step mattered; empty ones keep their room.
    """
    review = film.review
    words = f"{place} · {review.words(place)}"
    head = (
        f"{text(shorten(title, look.width - 32), 16, 24, 't-title')}"
        f"{text(shorten(words, look.width - 32, 12), 16, 42, 't-name')}"
    )
    body = f'<g transform="translate(0 {HEAD})">{inner(Table(film.at(place), film.names), look)}</g>'
    foot, high = "", look.height + HEAD
    for kind, line in zip(("t-headline", "t-why"), caption, strict=False):
        shown = text(shorten(line, look.width - 32, CAPTION), 16, high + CAPTION, kind)
        foot, high = f"{foot}{shown}", high + FOOT
    step = f"{words}; {review.named(review.scene(place).status)}"
    return picture_file(look.width, high, head + body + foot, theme, title=title, words=" ".join((step, *caption)))


def picture_file(width: float, height: float, body: str, theme: str, *, title: str = "", words: str = "") -> str:
    """A picture file: a body on the table's ground, with symbols and paint; `words` are for people who listen."""
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(width)} {px(height)}" '
        f'width="{px(width)}" height="{px(height)}" font-family="{FONT}">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>"
        f"<style>{paint(theme)}</style>{DEFS}"
        f'<rect class="t-table" width="{px(width)}" height="{px(height)}"/>{body}</svg>'
    )
    return picture.translate(NO_TEXT)
