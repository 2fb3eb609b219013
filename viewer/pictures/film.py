"""Turns a review into a film: one frame per step, and the things on the table that the frames share.

A frame lists its things.  Between two steps only a few come or go, so a whole game is small.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.audit.review import Review
from viewer.pictures.scene_to_things import moments
from viewer.pictures.things import Thing


class Film(NamedTuple):
    """A whole record: its review, everything that is drawn in it, and for each step the numbers of the things to draw.

    The numbers of a step ascend.  As sets they would be a third of a replay.
    """

    review: Review
    things: list[Thing]
    frames: list[array[int]]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return self.review.opening.names

    def at(self, place: int) -> list[Thing]:
        """What is on the table at a step."""
        return [self.things[number] for number in self.frames[place]]


def film(review: Review) -> Film:
    """The drawing of a record, step by step."""
    number_of: dict[Thing, int] = {}
    scenes = [review.scene(place) for place in range(len(review.steps))]
    frames = [
        array("I", sorted({number_of.setdefault(thing, len(number_of)) for thing in things}))
        for things in moments(review, scenes)
    ]
    return Film(review, list(number_of), frames)


def changes(frames: Sequence[array[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """For each frame, the things that come and those that go."""
    last = set[int]()
    for things in map(set, frames):
        yield sorted(things - last), sorted(last - things)
        last = things
