"""Names of squares: ``b2`` is the second column from the left and the second row from the bottom.

A record counts columns towards the east and rows towards the south, from any square.  People read letters and positive
numbers instead.  A square has the same name at every step and wherever the record is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_lowercase
from typing import NamedTuple

from ledger.record.events import Amend, AnyEvent, Insert, Open, Place
from ledger.record.record import Record
from ledger.record.scene import Grid, Scene

At = tuple[int, int]
"""A square as records write it: its column and its row, which grows towards south."""

STEPS = {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}
"""What a direction adds to a square."""
ROOM = 3
"""How many squares a base of four by four can grow beyond a square of its first domino."""
_NAME = re.compile(r"(-?)([a-z]+)(-?[0-9]+)")
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
        return _letters(number) if number >= 0 else f"-{_letters(-1 - number)}"

    def row(self, y: int) -> str:
        """The name of a row, counted up from the bottom, from 1."""
        return str(self.bottom - y + 1)

    def name(self, at: At) -> str:
        """The name of a square: ``b2``."""
        return self.column(at[0]) + self.row(at[1])

    def pair(self, one: At, other: At) -> str:
        """The two squares that a tile covers, its first half first: ``b2-c2``."""
        return f"{self.name(one)}-{self.name(other)}"

    def of_place(self, event: Place) -> str:
        """The two squares of a placement."""
        return self.pair(event.at, beside(event.at, event.dir))

    def find(self, name: str) -> At | None:
        """The square of that name, in small or capital letters; None for any other text."""
        match = _NAME.fullmatch(name.lower())
        if match is None:
            return None
        sign, letters, number = match.groups()
        place = _number(letters)
        return self.left + (-1 - place if sign else place), self.bottom + 1 - int(number)


USUAL = Squares()
"""The names on a sheet that does not say where ``a1`` is: Domino Ziggurat's foundation begins there."""


def squares_of(events: Iterable[AnyEvent], scene: Scene | None = None, *, growing: bool = False) -> Squares:
    """The names of the squares of a record.

    They are counted from the corner of all its squares: those that its last `scene` shows, and those of every
    placement, including corrected ones.  If it has no squares, it has the usual names.

    A `growing` record leaves room for all squares that can come into use, so that its squares keep their names until
    it is closed.  The room begins as far from the first placement as a base can reach, whatever is placed or corrected
    later.
    """
    grids = [area for area in scene.areas if isinstance(area, Grid)] if scene else []
    reaches = [grid.reach for grid in grids if growing and grid.reach]
    corners = [(left, bottom) for left, _top, _right, bottom in (*(grid.bounds for grid in grids), *reaches)]
    places = [event.event if type(event) is Amend or type(event) is Insert else event for event in events]
    covered = [(place.at, beside(place.at, place.dir)) for place in places if type(place) is Place]
    corners += [at for both in covered for at in both]
    if reaches and covered:
        columns, rows = zip(*covered[0], strict=True)
        corners.append((min(columns) - ROOM, min(rows) + ROOM))
    if not corners:
        return USUAL
    return Squares(min(left for left, _bottom in corners), max(bottom for _left, bottom in corners))


def named_by(source: Record | Open) -> Squares:
    """The names of the squares of a record without its scene; for an opening, the usual names."""
    return squares_of(source.events) if isinstance(source, Record) else USUAL


def beside(at: At, direction: str) -> At:
    """The next square in a direction."""
    (x, y), (right, down) = at, STEPS[direction]
    return x + right, y + down


def _letters(number: int) -> str:
    """The letters of a column, counted from 0: a, b … z, aa, ab …"""
    letters = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        letters = ascii_lowercase[place] + letters
    return letters


def _number(letters: str) -> int:
    """The number of a column, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ascii_lowercase.index(letter) + 1
    return number - 1
