"""What every kind of slip works on: a record with findings, and where its acts stand."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.slip.causes import Amendment, Proposed, on_table
from ledger.audit.slip.trials import Trials
from ledger.record.events import ACTS, Aside, Correctable, Deal, Event, Layout, Place, actor
from ledger.record.tiles import TILES, Tile, size
from ledger.rules.game import Finding

NEAR = 8
"""How many acts before a finding count as nearby."""
PER_ACT, PER_FAR_ACT, AFTER = 0.15, 0.02, 0.25
"""What each act between a slip and the first finding costs: nearby, further away, and after the finding."""
A_CHOICE = 10
"""How many legal acts cost as much as an event that is audited."""
PLAYED: tuple[type[Event], ...] = tuple(kind for kind in ACTS if kind not in (Deal, Layout, Aside))
"""The acts of a turn."""

_ACTS = frozenset(ACTS)

Family = Iterable[tuple[Proposed, ...]]
"""Lists of corrections to try.  Each list undoes one slip; an empty one is none."""
Priced = tuple[float, Family]
"""A price and the corrections that cost it: the cheapest are tried first."""


class Case:
    """A record whose findings a search explains: all of them, and the place of the `first`.

    `acts` are the places of its acts, `away` has for each what its distance from the first finding costs, and `tiles`
    are those that the findings are about, `set` all of the set in use.
    """

    def __init__(self, trials: Trials, findings: Sequence[Finding], first: int) -> None:
        self.trials, self.game, self.entries = trials, trials.game, trials.entries
        self.findings, self.first = findings, first
        self.players, self.options = trials.review.opening.players, trials.review.opening.options
        self.acts = [place for place, entry in enumerate(self.entries) if type(entry.event) in _ACTS]
        nearest = sum(place < first for place in self.acts)
        self.away = {place: price_of_distance(nearest - index) for index, place in enumerate(self.acts)}
        self.places = sorted({trials.places[finding.seq] for finding in findings if finding.seq in trials.places})
        named = (getattr(self.event(place), "tile", None) for place in self.places)
        self.tiles: tuple[Tile, ...] = tuple(dict.fromkeys(tile for tile in named if tile is not None))
        largest = self.options.get("set")
        self.set = TILES[: size(largest if type(largest) is int else self.game.largest)]

    def event(self, place: int) -> Any:
        """The event at a place."""
        return self.entries[place].event

    def amend(self, events: Mapping[int, Any]) -> tuple[Proposed, ...]:
        """The correction that puts these events at these places, recorded when those there were; none off the table."""
        if any(type(event) is Place and not on_table(event.at) for event in events.values()):
            return ()
        at = ((place, self.event(place), event) for place, event in sorted(events.items()))
        amended = [(self.entries[n].seq, was, replace(now, when=was.when, by=was.by)) for n, was, now in at]
        return tuple([Amendment(seq, now) for seq, was, now in amended if now != was])

    def amends(self, *several: Mapping[int, Any]) -> Family:
        """A correction for each of these changes, made when it is tried."""
        return map(self.amend, several)

    def hand(self, place: int) -> int:
        """The number of the hand in which an event stands; 0 in a game without hands."""
        return self.game.hand_number(self.trials.steps[place].after) if self.game.hand_number else 0

    def choices(self, place: int) -> Sequence[Correctable]:
        """The legal acts at a place."""
        choices = self.game.choices(self.trials.steps[place].before) if self.game.choices else ()
        self.trials.budget.spend(len(choices) / A_CHOICE)
        return choices

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
    """The corrections that undo one slip, and the price and kind of it.

    `choices` are the acts that a forgotten one may have been, if that is open.
    """

    price: float
    corrections: tuple[Proposed, ...]
    kind: Kind
    choices: tuple[Correctable, ...] = ()


def like(one: Event, other: Event) -> bool:
    """Whether two events are the same act, no matter when they were recorded."""
    return replace(one, when=None, by=None) == replace(other, when=None, by=None)


def tile_of(event: Event) -> int | None:
    """The index of the tile that an event names, if it names one."""
    tile: Tile | None = getattr(event, "tile", None)
    return None if tile is None else tile.index


def price_of_distance(away: int) -> float:
    """What it costs that an act stands so many acts before the first finding."""
    return min(away, NEAR) * PER_ACT + max(0, away - NEAR) * PER_FAR_ACT if away >= 0 else -away * AFTER
