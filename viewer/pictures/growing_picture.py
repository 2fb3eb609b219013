"""A picture that grows: a whole game in a few seconds, as one SVG that needs no script.

It grows once and then stands still.  A picture that stands from the start is for pages where less motion is asked for:
not every browser tells that to a picture.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from viewer.pictures.colours import paint_of
from viewer.pictures.drawing import drawing
from viewer.pictures.film import Film
from viewer.pictures.look import Look, Piece, Table, px
from viewer.pictures.things import Domino, Gain, Heap, Outcome, Sky, Thing
from viewer.pictures.tile_symbols import symbols_of

SECONDS = 4.6
"""How long it grows: what moves by itself for more than five seconds would need a button that stops it."""
GROWING = (520, 440)
"""Its size on the home page."""
MOST = 48
"""The most steps that are drawn."""
_MOTION = (
    "@keyframes on{{to{{visibility:visible}}}}@keyframes off{{to{{visibility:hidden}}}}"
    "@keyframes done{{from{{transform:scaleX(0)}}}}"
    ".step{{visibility:hidden}}.done{{animation:done {seconds:g}s linear}}{steps}"
    "@media (prefers-reduced-motion:reduce){{.step,.done{{animation:none}}.stays{{visibility:visible}}}}"
)


class Span(NamedTuple):
    """A piece of the drawing, and the pictures that it is in: from the first one up to the last, which is left out."""

    svg: str
    first: int
    last: int


def growing(film: Film, width: float, height: float, *, still: bool = False) -> str:
    """A self-contained SVG of a game that grows, without names; its ground is transparent.

    If it is `still`, it shows only what it would have grown to.
    """
    look = Look(width=width, height=height - 18, quiet=True)
    pictures = [drawing(Table(things, film.names), look) for things in _steps(film)]
    pictures = pictures[-1:] if still else pictures
    spans, count = _spans(pictures), len(pictures)
    body = "".join(_element(span, count) for span in spans)
    styles = sorted({(span.first, span.last) for span in spans if (span.first, span.last) != (0, count)})
    steps = "".join(_style(first, last, count) for first, last in styles)
    symbols = symbols_of(body)
    paint = paint_of(symbols + body, "light") + _MOTION.format(seconds=SECONDS, steps=steps)
    at = f'x="16" y="{px(height - 16)}" height="4" rx="2" width="{px(width - 32)}"'
    bar = f'<rect class="t-track" {at}/><rect class="t-white done" {at} style="transform-origin:16px 0"/>'
    bar = "" if still else bar
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(width)} {px(height)}" width="{px(width)}" '
        f'height="{px(height)}"><style>.t-track{{fill:#fff;opacity:.3}}.t-white{{fill:#fff}}{paint}</style>'
        f"{symbols}{body}{bar}</svg>"
    )


def _steps(film: Film) -> Iterable[list[Thing]]:
    """What lies on the table at some steps, from the first tile to the last move; the scale is the last one's."""
    tables = ([thing for thing in film.at(n) if not isinstance(thing, Gain | Outcome)] for n in range(len(film.frames)))
    shown = [things for things in tables if _count(things)]
    # Some games end with every tile taken: the picture ends earlier.
    fullest = max(range(len(shown)), key=lambda n: (_count(shown[n]), n), default=0)
    shown = shown[: fullest + 1]
    chosen = shown if len(shown) <= MOST else [shown[round(n * fullest / (MOST - 1))] for n in range(MOST)]
    skies = [thing for thing in chosen[-1] if isinstance(thing, Sky)] if chosen else []
    for things in chosen:
        yield [*(thing for thing in things if not isinstance(thing, Sky)), *skies]


def _count(things: Iterable[Thing]) -> int:
    return sum(len(thing.tiles) if isinstance(thing, Heap) else isinstance(thing, Domino) for thing in things)


def _spans(pictures: Sequence[Sequence[Piece]]) -> list[Span]:
    """The pieces of all pictures, each once as long as it stays, in an order that is right for every picture."""
    order: list[Piece] = []
    begun: dict[Piece, int] = {}
    ended: list[tuple[Piece, int, int]] = []
    for number, picture in enumerate([*pictures, []]):
        gone = begun.keys() - set(picture)
        ended += [(piece, begun.pop(piece), number) for piece in gone]
        place = 0
        for piece in picture:
            begun.setdefault(piece, number)
            if piece in order[place:]:
                place = order.index(piece, place) + 1
            elif piece not in order:
                order.insert(place, piece)
                place += 1
    rank = {piece: place for place, piece in enumerate(order)}
    ended.sort(key=lambda entry: (rank[entry[0]], entry[1]))
    return [Span(svg, first, last) for (_key, svg), first, last in ended]


def _element(span: Span, count: int) -> str:
    if (span.first, span.last) == (0, count):
        return span.svg
    stays = " stays" if span.last == count else ""
    return f'<g class="step s{span.first}-{span.last}{stays}">{span.svg}</g>'


def _style(first: int, last: int, count: int) -> str:
    """When the pieces of a span come and go."""
    on, off = (f"{number * SECONDS / count:.2f}s" for number in (first, last))
    leaves = f",off 1ms {off} forwards" if last < count else ""
    return f".s{first}-{last}{{animation:on 1ms {on} forwards{leaves}}}"
