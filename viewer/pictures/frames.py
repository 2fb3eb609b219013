"""From a review to a drawing: one frame per step, and the items on the table that the frames share.

A frame lists the items that are there.  Between two steps only a few appear or disappear, so a whole game is small and
stepping in the browser is fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from ledger import notation
from ledger.events import ACTS, Deal, Score
from ledger.review import Review
from viewer.pictures.projection import Item, Moment, Panel, Projection

GRAVE = ("impossible", "breach")
_ACTS = frozenset(ACTS)


class Frame(Struct, frozen=True):
    """A step for people.

    `seq` of the event, `words` and `notation` of it, `scores` by seat, `turns` the seats to act, `notes` a word
    for each seat (contractor), `status` of the table, `gained` points by seat at this step, `round_` whether a new hand
    or round begins here, `items` the numbers of the items on the table.
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
    items: frozenset[int]


class Film(NamedTuple):
    """A whole record: its panels, its items (in drawing order) and its frames."""

    panels: list[Panel]
    items: list[Item]
    frames: list[Frame]


def film(review: Review) -> Film:
    """The drawing of a record, step by step."""
    return _Maker(review).film()


class _Maker:
    def __init__(self, review: Review) -> None:
        self.review = review
        self.count = len(review.opening.players)

    @cached_property
    def gains(self) -> dict[int, list[int]]:
        """The points of each seat, by seq."""
        gains: dict[int, list[int]] = {}
        for seq, reason in self.review.scored:
            gains.setdefault(seq, [0] * self.count)[reason.player] += reason.points
        return gains

    def moments(self) -> Iterator[Moment]:
        """The scenes, with the wrong tiles that are still visible."""
        wrong: set[int] = set()
        for step in self.review.steps:
            scene = self.review.game.scene(step.after)
            found = getattr(step.event, "tile", None)
            grave = any(finding.verdict in GRAVE for finding in self.review.findings.get(step.seq, ()))
            if found is not None and type(step.event) in _ACTS:
                (wrong.add if grave else wrong.discard)(found.index)
            gained = max(self.gains.get(step.seq, [0]))
            yield Moment(scene, found, frozenset(wrong), gained)

    def film(self) -> Film:
        moments = list(self.moments())
        projection = Projection(moments, self.review.named)
        panels = projection.panels()
        shown = [[item for item in projection.items(moment) if item.svg] for moment in moments]
        items = sorted({item for step in shown for item in step}, key=lambda item: (item.panel, item.order, item.svg))
        number = {item: n for n, item in enumerate(items)}
        frames = [
            self._frame(place, moment, frozenset(number[item] for item in there))
            for place, (moment, there) in enumerate(zip(moments, shown, strict=True))
        ]
        return Film(panels, items, frames)

    def _frame(self, place: int, moment: Moment, items: frozenset[int]) -> Frame:
        step, scene = self.review.steps[place], moment.scene
        return Frame(
            seq=step.seq,
            words=self.review.words(place),
            notation=notation.write_event(step.event, self.review.record, self.review.squares),
            scores=self.review.standing(place).scores,
            turns=tuple(n for n, seat in enumerate(scene.seats) if seat.turn),
            notes=tuple(self.review.named(seat.word) for seat in scene.seats),
            status=self.review.named(scene.status),
            gained=tuple(self.gains.get(step.seq, ())),
            round_=self._begins(place),
            when=step.event.when,
            items=items,
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
    """For each frame, the items that appear and those that disappear."""
    there: frozenset[int] = frozenset()
    for frame in frames:
        yield sorted(frame.items - there), sorted(there - frame.items)
        there = frame.items
