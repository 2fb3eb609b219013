"""Thumbnails: the table of a record at its end, without names, ruler and shadow; of a score card, the points.

A thumbnail is a separate picture file with a transparent ground: the page behind it has the colour of the table.
Making one replays the record once.
"""

import re

from markupsafe import Markup
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.record.events import Lift
from ledger.rules.game import Standing
from viewer.pictures.colours import paint_of
from viewer.pictures.drawing import HEADING, drawing
from viewer.pictures.film import Film
from viewer.pictures.look import Look, Table, px
from viewer.pictures.scene_to_things import at_end
from viewer.pictures.table_svg import FONT
from viewer.pictures.things import Domino, Floor, Heap, Last, Thing
from viewer.pictures.tile_symbols import symbols_of

SIZES = {"large": (220, 150), "small": (112, 96)}
"""The sizes of thumbnails in pixels: for a game in play, and for others."""
MOMENT = (156, 96)
"""The size of the picture of one step."""
WIDE = 620, 400
"""The size of a picture with an arrow."""
ARROW = "M4 -4L13 -33L20 -25L54 -66L64 -57L30 -17L38 -10Z"
"""An arrow from the upper right to the origin."""
LONG = 70
"""The height of the arrow: what is nearer to the upper edge, or to the heading there, is pointed at from below."""
ROW = 23
"""The least height of a row of a score card in a thumbnail."""
BESIDE = 60
"""How many pixels of a drawing of stacks lie outside their picture, on each side: a stack is in the middle then."""


def thumbnail(review: Review, size: str = "small") -> str:
    """A self-contained SVG of the table after the last event; it has no names and needs no audit."""
    if review.card:
        together = review.game.name in catalog.together()
        return _file(_places(review.standing(), *SIZES[size], together=together), "", *SIZES[size])
    return _picture(Table(at_end(review), review.opening.names), *SIZES[size])


def _places(standing: Standing, width: int, height: int, *, together: bool) -> str:
    """The places of a score card, each in the colour of its player, with the points; the best first.

    Those who play `together` have one score.
    """
    places = [(place or len(standing.places), seat) for seat, place in enumerate(standing.places)]
    ranked = sorted(places)[: 1 if together else height // ROW]
    high = min(height // len(ranked), 2 * ROW)
    rows = []
    for n, (place, seat) in enumerate(ranked):
        middle, kind = height / 2 + (n + 0.5 - len(ranked) / 2) * high, "t-title" if place == 1 else "t-name"
        left, right = width / 2 - 1.5 * ROW, width / 2 + 1.5 * ROW
        if not together:
            rows.append(
                f'<circle class="t-chip t-f{seat % 8 + 1}" cx="{px(left + 9)}" cy="{px(middle)}" r="9"/>'
                f'<text class="t-letter" x="{px(left + 9)}" y="{px(middle + 4)}" text-anchor="middle">'
                f"{standing.places[seat] or '' if standing.finished else ''}</text>"
            )
        rows.append(
            f'<text class="{kind}" x="{px(right)}" y="{px(middle + 6)}" text-anchor="end" style="font-size:17px">'
            f"{standing.shown[seat]}</text>"
        )
    return f'<g font-family="{FONT}">{"".join(rows)}</g>'


def step(film: Film, place: int) -> str:
    """A self-contained SVG of the table after a step; of stacks, the one of its move and parts of its neighbours.

    After a lift the table is often as it was once before: the picture has the domino above it, just lifted.
    """
    table = Table([*film.at(place), *_lifted(film, place)], film.names)
    three = _beside_the_last(table)
    return _picture(Table(three, film.names), *MOMENT, BESIDE) if three else _picture(table, *MOMENT)


def pointed(film: Film, place: int, key: str) -> str:
    """A self-contained SVG of the table after a step, with an arrow to the piece whose key begins so."""
    things = film.at(place)
    if key.startswith(("hand", "pile")):  # what people hold needs the room of an empty floor
        things = [thing for thing in things if not isinstance(thing, Floor)]
    pieces = drawing(Table(things, film.names), Look(width=WIDE[0], height=WIDE[1]))
    x, y = _middle(next(svg for name, svg in pieces if name.startswith(key)))
    above = HEADING if "heading" in dict(pieces) else 0
    way, up = 1 if x < WIDE[0] / 2 else -1, 1 if y > LONG + above else -1
    arrow = f'<path class="t-arrow" transform="translate({px(x)} {px(y)})scale({way} {up})" d="{ARROW}"/>'
    body = "".join(svg for _name, svg in pieces) + arrow
    return _file(body, symbols_of(body), *WIDE)


def _middle(svg: str) -> tuple[float, float]:
    """The middle of the first shape of a piece."""
    box = re.search(r'<rect[^>]* x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg)
    at = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)scale\(([\d.]+)", svg)
    if at and (not box or at.start() < box.start()):
        return float(at[1]) + float(at[3]), float(at[2]) + float(at[3]) / 2
    if box:
        x, y, width, height = map(float, box.groups())
        return x + width / 2, y + height / 2
    line = re.search(r' d="([^"]+)"', svg)
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", line[1].partition("Z")[0] if line else "0 0")]
    return 2 * sum(numbers[::2]) / len(numbers), 2 * sum(numbers[1::2]) / len(numbers)


def _lifted(film: Film, place: int) -> list[Thing]:
    """The domino that was lifted at this step, a level above where it lay, with the ring; nothing at other steps."""
    if type(film.review.steps[place].event) is not Lift:
        return []
    gone = (film.things[number] for number in set(film.frames[place - 1]) - set(film.frames[place]))
    domino = next((thing for thing in gone if isinstance(thing, Domino)), None)
    if domino is None:
        return []
    raised = replace(domino, level=domino.level + 1)
    return [raised, Last((raised.x, raised.y, raised.level))]


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
    return _file(body, symbols_of(body), width, height, beside)


def _file(body: str, symbols: str, width: int, height: int, beside: int = 0) -> str:
    box = f"{px(beside)} 0 {px(width)} {px(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{px(width)}" '
        f'height="{px(height)}"><style>{paint_of(symbols + body, "light")}</style>{symbols}{body}</svg>'
    )
