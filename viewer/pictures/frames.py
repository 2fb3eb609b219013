"""Turns a review into a film: one frame per step, and the things on the table that the frames share.

A frame lists its things.  Between two steps only a few come or go, so a whole game is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from ledger.audit.review import Review
from ledger.record.events import ACTS, Deal, Score
from ledger.record.lazy import lazy
from ledger.record.scene import Scene
from viewer.pictures.scenes import moments
from viewer.pictures.things import Thing

_ACTS = frozenset(ACTS)


class Frame(Struct, frozen=True):
    """A step for people.

    `seq` of the event, `words` and `notation` of it, `scores` by seat, `turns` the seats to act, `notes` a word
    for each seat (contractor), `status` of the table, `gained` points by seat at this step, `round_` whether a new hand
    or round begins here, `things` the numbers of the things on the table.
    """

    seq: int
    words: str
    notation: str
    scores: tuple[int, ...]
    turns: tuple[int, ...]
    notes: tuple[str, ...]
    status: str
    gained: tuple[int, ...]
    round_: bool
    when: str | None
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
    return _Maker(review).film()


class _Maker:
    def __init__(self, review: Review) -> None:
        self.review = review
        self.count = len(review.opening.players)

    @lazy
    def gains(self) -> dict[int, list[int]]:
        """The points of each seat, by seq."""
        gains: dict[int, list[int]] = {}
        for seq, reason in self.review.scored:
            gains.setdefault(seq, [0] * self.count)[reason.player] += reason.points
        return gains

    def film(self) -> Film:
        number_of: dict[Thing, int] = {}
        frames = []
        scenes = [self.review.scene(place) for place in range(len(self.review.steps))]
        for place, things in enumerate(moments(self.review, scenes, self.gains)):
            numbers = frozenset(number_of.setdefault(thing, len(number_of)) for thing in things)
            frames.append(self._frame(place, scenes[place], numbers))
        return Film(list(number_of), frames, self.review.opening.names)

    def _frame(self, place: int, scene: Scene, things: frozenset[int]) -> Frame:
        step = self.review.steps[place]
        return Frame(
            seq=step.seq,
            words=self.review.words(place),
            notation=self.review.line(place),
            scores=self.review.standing(place).scores,
            turns=tuple(n for n, seat in enumerate(scene.seats) if seat.turn),
            notes=tuple(self.review.named(seat.word) for seat in scene.seats),
            status=self.review.named(scene.status),
            gained=tuple(self.gains.get(step.seq, ())),
            round_=self._begins(place),
            when=step.event.when,
            things=things,
        )

    def _begins(self, place: int) -> bool:
        """Whether a hand begins here: with its deal, or with the first act after the points of the last hand."""
        steps = self.review.steps
        before = steps[place - 1].event if place else None
        event = steps[place].event
        if isinstance(event, Deal):
            return not isinstance(before, Deal)
        return type(event) in _ACTS and isinstance(before, Score)


def changes(frames: Sequence[Frame]) -> Iterator[tuple[list[int], list[int]]]:
    """For each frame, the things that come and those that go."""
    last_things: frozenset[int] = frozenset()
    for frame in frames:
        yield sorted(frame.things - last_things), sorted(last_things - frame.things)
        last_things = frame.things
