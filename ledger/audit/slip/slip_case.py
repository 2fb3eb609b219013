"""What every kind of slip works on: a record with findings, and where its acts stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.slip.causes import Amendment, Proposed
from ledger.audit.slip.trials import Trials
from ledger.record.events import ACTS, Correctable, Event, actor
from ledger.record.tiles import Tile
from ledger.rules.game import Finding

NEAR = 8
"""How many acts before a finding count as nearby."""
PER_ACT, PER_FAR_ACT, AFTER = 0.15, 0.02, 0.25
"""What each act between a slip and the first finding costs: nearby, further away, and after the finding."""

_ACTS = frozenset(ACTS)

Family = Iterator[tuple[Proposed, ...]]
"""Lists of corrections to try.  Each list undoes one slip."""
Priced = tuple[float, Family]
"""A price and the corrections that cost it: the cheapest are tried first."""


class Case:
    """A record whose findings a search explains: all of them, and the place of the `first`.

    `acts` are the places of its acts, `away` has for each what its distance from the first finding costs, and `tiles`
    are those that the findings are about.
    """

    def __init__(self, trials: Trials, findings: Sequence[Finding], first: int) -> None:
        self.trials, self.game, self.entries = trials, trials.game, trials.entries
        self.findings, self.first = findings, first
        self.players, self.options = trials.review.opening.players, trials.review.opening.options
        self.acts = [place for place, entry in enumerate(self.entries) if type(entry.event) in _ACTS]
        self.away = dict(zip(self.acts, _distances(self.acts, first), strict=True))
        self.places = sorted({trials.places[finding.seq] for finding in findings if finding.seq in trials.places})
        named = (getattr(self.event(place), "tile", None) for place in self.places)
        self.tiles: tuple[Tile, ...] = tuple(dict.fromkeys(tile for tile in named if tile is not None))

    def event(self, place: int) -> Any:
        """The event at a place."""
        return self.entries[place].event

    def amended(self, place: int, **fields: Any) -> Amendment:
        """The correction that changes these fields of the event at a place."""
        return Amendment(self.entries[place].seq, replace(self.event(place), **fields))

    def alike(self, place: int, other: int, *fields: str) -> bool:
        """Whether two events agree in these fields."""
        return all(getattr(self.event(place), name) == getattr(self.event(other), name) for name in fields)

    def hand(self, place: int) -> int:
        """The number of the hand in which an event stands; 0 in a game without hands."""
        return self.game.hand_number(self.trials.steps[place].after) if self.game.hand_number else 0

    def choices(self, place: int) -> Sequence[Correctable]:
        """The legal acts at a place."""
        return self.game.choices(self.trials.steps[place].before) if self.game.choices else ()

    def choices_like(self, event: Correctable, place: int) -> Iterator[Correctable]:
        """The legal acts at a place that have the type and the player of this event."""
        for choice in self.choices(place):
            if type(choice) is type(event) and actor(choice) == actor(event):
                yield choice


class Kind(NamedTuple):
    """A kind of slip: what it may have been in a case, and what a list of its corrections says happened."""

    candidates: Callable[[Case], Iterable[Priced]]
    condition: Callable[[Trials, Sequence[Proposed]], str]


class Slip(NamedTuple):
    """The corrections that undo one slip, and the price and kind of it."""

    price: float
    corrections: tuple[Proposed, ...]
    kind: Kind


def like(one: Event, other: Event) -> bool:
    """Whether two events are the same act, no matter when they were recorded."""
    return replace(one, when=None, by=None) == replace(other, when=None, by=None)


def in_place_of(case: Case, place: int, other: int) -> Amendment:
    """The event at another place, with the time and recorder of the one whose place it takes."""
    was = case.event(place)
    return Amendment(case.entries[place].seq, replace(case.event(other), when=was.when, by=was.by))


def _distances(acts: Sequence[int], first: int) -> list[float]:
    """By the index of an act, the price of its distance from the first finding."""
    nearest = sum(place < first for place in acts)
    prices = []
    for index in range(len(acts)):
        away = nearest - index
        prices.append(min(away, NEAR) * PER_ACT + max(0, away - NEAR) * PER_FAR_ACT if away >= 0 else -away * AFTER)
    return prices
