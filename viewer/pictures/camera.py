"""Where things are in a picture of the building: camera, quarter turns, and the scale that fits.

The camera looks down at 40°, turned by 45°: x = (x − y) · 0.707, y = (x + y) · 0.455 − z · 0.766, in sides of a square.
"""

from collections.abc import Callable, Hashable, Sequence
from math import cos, radians, sin, sqrt
from typing import NamedTuple, TypeVar

from viewer.pictures.things import Domino, Floor

A = sqrt(0.5)
B = A * sin(radians(40))
C = cos(radians(40))
RIM = 26
"""Pixels around the floor for the names of the squares."""
THICK, THIN = 40, 22
"""The thickness of a course in hundredths of a square: thinner if the building would be higher than its space."""

Point = tuple[float, float]
Made = TypeVar("Made")


class Box(NamedTuple):
    """A part of the picture: its edges in pixels."""

    left: float
    top: float
    right: float
    bottom: float


class Standing(NamedTuple):
    """A tile of the building after the quarter turns, seen from the corner of the floor."""

    laid: Domino
    x: int
    y: int
    dx: int
    dy: int
    level: int


class Space:
    """The floor `wide` by `deep` squares after `turn` quarter turns, fitted to a box of the picture."""

    def __init__(self, floor: Floor, sky: Sequence[tuple[int, int, int]], turn: int, box: Box, *, names: bool) -> None:
        self.floor, self.turn = floor, turn % 4
        self._made: dict[Hashable, object] = {}
        self._size = floor.right - floor.left + 1, floor.bottom - floor.top + 1
        self.wide, self.deep = self._size if self.turn % 2 == 0 else self._size[::-1]
        self._box, self._rim = box, RIM if names else 0
        for hundredths in range(THICK, THIN - 1, -1):
            self.course = hundredths / 100 * C
            widest, self.scale, self.left, self.top = self._fit(sky)
            if self.scale == widest:
                break

    def _fit(self, sky: Sequence[tuple[int, int, int]]) -> tuple[float, float, float, float]:
        """For a building of this skyline: the scale of its width, the scale that fits, and where its floor begins."""
        columns = [(*self.square(x, y), level) for x, y, level in sky]
        box, room = self._box, self._box.bottom - self._box.top - self._rim
        widest = (box.right - box.left - 1.8 * self._rim) / ((self.wide + self.deep) * A)
        above = min([0.0, *((x + y) * B - level * self.course for x, y, level in columns)])
        rise = (self.wide + self.deep) * B - above
        scale = min(widest, room / rise)
        left = (box.left + box.right) / 2 + (self.deep - self.wide) / 2 * A * scale
        return widest, scale, left, box.top + (room - rise * scale) / 2 - above * scale

    def closer(self, sky: Sequence[tuple[int, int, int]]) -> tuple[float, float, float]:
        """The zoom that fits a lower building, and how far the picture moves to the right and down with it."""
        _widest, scale, left, top = self._fit(sky)
        zoom = scale / self.scale
        return zoom, left - zoom * self.left, top - zoom * self.top

    def at(self, x: float, y: float, z: float) -> Point:
        """The point of the picture for a point over the floor; z in levels."""
        return (
            self.left + (x - y) * A * self.scale,
            self.top + ((x + y) * B - z * self.course) * self.scale,
        )

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """A part of the drawing that is the same whenever its key is.  One space draws all steps of a game."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]  # a key always has the same maker

    def along(self, x: float, y: float) -> Point:
        """A step over the floor, in pixels."""
        return (x - y) * A * self.scale, (x + y) * B * self.scale

    def square(self, x: int, y: int) -> tuple[int, int]:
        """The place of a square after the quarter turns, counted from the farthest corner of the floor."""
        x, y = x - self.floor.left, y - self.floor.top
        for quarter in range(self.turn):
            x, y = self._size[1 - quarter % 2] - 1 - y, x
        return x, y

    def standing(self, laid: Domino) -> Standing:
        """A tile after the quarter turns."""
        x, y = self.square(laid.x, laid.y)
        dx, dy = laid.dx, laid.dy
        for _ in range(self.turn):
            dx, dy = -dy, dx
        return Standing(laid, x, y, dx, dy, laid.level)

    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """The names of the squares by x and by y: along the front edges of the building, or the edges of a plan."""
        columns, rows = self.floor.columns, self.floor.rows
        return ((columns, rows), (rows[::-1], columns), (columns[::-1], rows[::-1]), (rows, columns[::-1]))[self.turn]
