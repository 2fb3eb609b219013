"""What a report says of causes: a mistake that explains several findings, and the corrections that would clear them.

Source: the rules' README, "One cause, explained"; the record format, `causes`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ledger.record.events import FARTHEST, Amend, Correctable, Direction, Insert, Place, Retract, Seq, Square
from ledger.record.squares import beside

OPPOSITE: dict[str, Direction] = {"e": "w", "w": "e", "n": "s", "s": "n"}
SECONDS = 1.0
"""The processor time that the search for a record's causes gets by default."""
WHY = "this explains the findings"
"""The reason of a correction that was proposed.  It names nobody, because a reason cannot be erased later."""


class Amendment(Struct, frozen=True, tag="amend"):
    """A proposal: the event `seq` was really this `event`."""

    seq: Seq
    event: Correctable

    def because(self, why: str, by: str | None = None, when: str | None = None) -> Amend:
        """The proposal as an event of the record, with its author and reason."""
        return Amend(self.seq, self.event, why, by=by, when=when)


class Insertion(Struct, frozen=True, tag="insert"):
    """A proposal: this `event` was forgotten before the event `before`."""

    before: Seq
    event: Correctable

    def because(self, why: str, by: str | None = None, when: str | None = None) -> Insert:
        """The proposal as an event of the record, with its author and reason."""
        return Insert(self.before, self.event, why, by=by, when=when)


class Retraction(Struct, frozen=True, tag="retract"):
    """A proposal: the event `seq` never happened."""

    seq: Seq

    def because(self, why: str, by: str | None = None, when: str | None = None) -> Retract:
        """The proposal as an event of the record, with its author and reason."""
        return Retract(self.seq, why, by=by, when=when)


Proposed = Amendment | Insertion | Retraction
"""A correction that nobody has made yet: without its author and its reason."""


class Repair(Struct, frozen=True):
    """One way to correct a slip: the corrections (two amendments for two acts swapped), and a sentence about them."""

    corrections: tuple[Proposed, ...]
    message: str = ""


class Cause(Struct, frozen=True):
    """Findings that one slip explains, as indices into the report's findings, and at most three repairs.

    The likeliest repair comes first: it clears all these findings and adds none.  There may be no repair.
    """

    findings: tuple[int, ...]
    repairs: tuple[Repair, ...] = ()


# ── The same repair, told differently ──────────────────────────────────────────────────────────────────────


def distinct(repairs: Iterable[Repair]) -> tuple[Repair, ...]:
    """The repairs that differ for people: not the same forgotten act a move earlier, or from its other half."""
    by_act = dict[object, Repair]()
    for number, repair in enumerate(repairs):
        (correction, *_others) = repair.corrections
        by_act.setdefault(laid(correction.event) if isinstance(correction, Insertion) else number, repair)
    return tuple(by_act.values())


def laid(event: Correctable) -> object:
    """An act as it lies on the table: the same for a domino on the same squares, whichever half is written first."""
    if type(event) is not Place:
        return event
    halves = zip((event.at, beside(event.at, event.dir)), (event.tile.first, event.tile.second), strict=True)
    return event.player, event.level, frozenset(halves)


def from_the_other_half(place: Place) -> Place:
    """The same domino on the same squares, written from its other half; as it is if that half is off the table."""
    at = beside(place.at, place.dir)
    return replace(place, tile=place.tile.turned, at=at, dir=OPPOSITE[place.dir]) if on_table(at) else place


def on_table(at: Square) -> bool:
    """Whether a record can name this square."""
    return max(map(abs, at)) <= FARTHEST
