"""Turns a review into a film: one frame per step, and the things on the table that the frames share.

A frame lists its things.  Between two steps only a few come or go, so a whole game is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from ledger.audit.review import Review
from ledger.record.scene import Scene
from viewer.pictures.scenes import moments
from viewer.pictures.things import Thing


class Frame(Struct, frozen=True):
    """A step for people.

    `seq` of the event, `words` and `notation` of it, `scores` by seat, `turns` the seats to act, `status` of the table,
    `gained` points by seat at this step, `things` the numbers of the things on the table.
    """

    seq: int
    words: str
    notation: str
    scores: tuple[int, ...]
    turns: tuple[int, ...]
    status: str
    gained: tuple[int, ...]
    things: frozenset[int]


class Film(NamedTuple):
    """A whole record: its things, in the order in which they come, and its frames."""

    things: list[Thing]
    frames: list[Frame]
    names: tuple[str, ...]

    def at(self, place: int) -> list[Thing]:
        """What is on the table at a step."""
        return [self.things[number] for number in sorted(self.frames[place].things)]


def film(review: Review) -> Film:
    """The drawing of a record, step by step."""
    number_of: dict[Thing, int] = {}
    frames = []
    scenes = [review.scene(place) for place in range(len(review.steps))]
    for place, things in enumerate(moments(review, scenes)):
        numbers = frozenset(number_of.setdefault(thing, len(number_of)) for thing in things)
        frames.append(_frame(review, place, scenes[place], numbers))
    return Film(list(number_of), frames, review.opening.names)


def _frame(review: Review, place: int, scene: Scene, things: frozenset[int]) -> Frame:
    seq = review.steps[place].seq
    return Frame(
        seq=seq,
        words=review.words(place),
        notation=review.line(place),
        scores=review.standing(place).scores,
        turns=tuple(n for n, seat in enumerate(scene.seats) if seat.turn),
        status=review.named(scene.status),
        gained=review.gains.get(seq, ()),
        things=things,
    )


def changes(frames: Sequence[Frame]) -> Iterator[tuple[list[int], list[int]]]:
    """For each frame, the things that come and those that go."""
    last_things: frozenset[int] = frozenset()
    for frame in frames:
        yield sorted(frame.things - last_things), sorted(last_things - frame.things)
        last_things = frame.things
