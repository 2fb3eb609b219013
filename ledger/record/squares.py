"""Names of squares: ``b2`` is the second column from the left and the second row from the bottom.

A record counts columns towards the east and rows towards the south, from any square.  People read letters and positive
numbers instead.  A square has the same name at every step and wherever the record is shown.  This is the rule:

- Squares that are fixed beforehand (a foundation, a base drawn on the table) are counted from their corner.
- Where a base lies anywhere, ``a1`` is three columns left of the first half that was written down, and three rows below
  it: no base can reach farther.  So every square that can come into use has a letter and a positive number from the
  first tile on, and keeps them while the game grows and after it is closed.
- A game that was typed from paper keeps the paper's names as long as they suffice: its tiles have no time of recording,
  its first half lies on one of the squares a1 to d4 of a sheet, and nothing lies left of a1 or below it.  Phones
  propose d4 for the first half, where both rules give the same names.  Squares beyond a1 have no name on screens until
  a tile lies there.
- A tile that lies left of ``a1`` or below it all the same moves ``a1`` as far as it has to.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ledger.record.events import FARTHEST, Amend, AnyEvent, Insert, Open, Place
from ledger.record.record import Record
from ledger.record.scene import Grid, Scene

At = tuple[int, int]
"""A square as records write it: its column and its row, which grows towards south."""

STEPS = {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}
"""What a direction adds to a square."""
ROOM = 3
"""How many squares a base of four by four can reach beyond a square of its first domino."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Those of `string`, which each start would import for them alone."""
_NAME = r"(-?)([a-z]+)(-?[0-9]+)"
COORDINATES = r"\((-?[0-9]+), (-?[0-9]+)\)"
"""How a message writes a square, as a regular expression: ``(1, -2)``."""


class Squares(NamedTuple):
    """The names of squares, counted from ``a1``, the square in the column `left` and the row `bottom` of a record.

    Squares left of it or below it can be written too: ``-a1`` is the square left of ``a1``, ``a0`` the one below it.
    No screen and no sheet shows such a name.  A person who types a game from paper can need one.
    """

    left: int = 0
    bottom: int = 5

    def column(self, x: int) -> str:
        """The name of a column: ``a`` to ``z``, then ``aa``."""
        number = x - self.left
        return letters(number) if number >= 0 else f"-{letters(-1 - number)}"

    def row(self, y: int) -> str:
        """The name of a row, counted up from the bottom, from 1."""
        return str(self.bottom - y + 1)

    def name(self, at: At) -> str:
        """The name of a square: ``b2``."""
        return self.column(at[0]) + self.row(at[1])

    def of_place(self, event: Place) -> str:
        """The two squares that a placement covers, that of its first half first: ``b2-c2``."""
        return f"{self.name(event.at)}-{self.name(beside(event.at, event.dir))}"

    def find(self, name: str) -> At | None:
        """The square of that name, in small or capital letters; None for any other text."""
        match = re.fullmatch(_NAME, name.lower())
        if match is None:
            return None
        sign, column, number = match.groups()
        place = _number(column)
        return self.left + (-1 - place if sign else place), self.bottom + 1 - int(number)


USUAL = Squares()
"""The names on a sheet that does not say where ``a1`` is, and on an empty table."""


def squares_of(events: Iterable[AnyEvent], scene: Scene | None = None) -> Squares:
    """The names of the squares of a record, by the rule at the top of this module.

    `scene` is the last one of the record; without it every record counts as one whose base lies anywhere.
    """
    grids = [area for area in scene.areas if isinstance(area, Grid)] if scene else []
    events = [event.event if type(event) is Amend or type(event) is Insert else event for event in events]
    places = [event for event in events if type(event) is Place]
    covered = [at for place in places for at in (place.at, beside(place.at, place.dir))]
    if not grids and not covered:
        return USUAL
    bounds = [grid.reach or grid.bounds for grid in grids]
    corners = [*covered, *((left, bottom) for left, _top, _right, bottom in bounds)]
    if covered and not any(grid.reach is None for grid in grids):
        if not any(place.when for place in places) and _fits_a_sheet(covered):
            return USUAL
        x, y = covered[0]
        corners.append((max(x - ROOM, -FARTHEST), min(y + ROOM, FARTHEST)))
    return Squares(min(left for left, _bottom in corners), max(bottom for _left, bottom in corners))


def _fits_a_sheet(covered: Sequence[At]) -> bool:
    """Whether the first half lies on one of the squares a1 to d4 of a sheet, and nothing left of a1 or below it."""
    x, y = covered[0]
    near = x - USUAL.left <= ROOM and USUAL.bottom - y <= ROOM
    return near and all(x >= USUAL.left and y <= USUAL.bottom for x, y in covered)


def named_by(source: Record | Open) -> Squares:
    """The names of the squares of a record without its scene; for an opening, the usual names."""
    if not isinstance(source, Record):
        return USUAL
    return squares_of(source.events)


def beside(at: At, direction: str) -> At:
    """The next square in a direction."""
    (x, y), (right, down) = at, STEPS[direction]
    return x + right, y + down


def letters(number: int) -> str:
    """The letters of a column, counted from 0: a, b … z, aa, ab …"""
    return (letters(number // 26 - 1) if number >= 26 else "") + _LETTERS[number % 26]


def _number(column: str) -> int:
    """The number of a column, from 0."""
    number = 0
    for letter in column:
        number = number * 26 + _LETTERS.index(letter) + 1
    return number - 1
