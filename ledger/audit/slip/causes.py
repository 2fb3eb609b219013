"""What a report says of causes: a mistake that explains several findings, and the corrections that would clear them.

Source: the rules' README, "One cause, explained"; the record format, `causes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.record.events import FARTHEST, Amend, Correctable, Direction, Insert, Name, Place, Retract, Seq, Square
from ledger.record.squares import beside

OPPOSITE: dict[str, Direction] = {"e": "w", "w": "e", "n": "s", "s": "n"}
ALIKE = 6
"""More findings of one clause than this that nothing explains look like one slip."""
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


class Unfilled(Struct, frozen=True):
    """A forgotten act.  Only its `type` and its player are known."""

    type: str
    player: Name | None


class InsertionForm(Struct, frozen=True, tag="insert"):
    """A proposal that cannot be recorded unfilled: somebody says first which of the choices was forgotten."""

    before: Seq
    event: Unfilled


if TYPE_CHECKING:
    Corrections = tuple[Proposed | InsertionForm, ...]
else:  # msgspec tells types apart by their tags, and a form has that of an insertion
    Corrections = tuple[Proposed, ...]


class Repair(Struct, frozen=True, omit_defaults=True):
    """One way to correct a slip: a list of corrections that are made together, and a sentence about them.

    `choices` are the acts that a forgotten one may have been, if the record leaves that open, the likeliest first.  The
    only correction is then a form.
    """

    corrections: Corrections
    message: str
    choices: tuple[Correctable, ...] = ()

    def made(self, choice: int = 0) -> tuple[Proposed, ...]:
        """The corrections.  If they leave open what was forgotten, it is this one of the choices."""
        return tuple(
            Insertion(one.before, self.choices[choice]) if isinstance(one, InsertionForm) else one
            for one in self.corrections
        )


class Cause(Struct, frozen=True, omit_defaults=True):
    """Findings that one slip explains, as indices into the report's findings, and at most three repairs.

    The likeliest repair comes first: it clears all these findings and adds none.  There may be no repair.  Findings of
    one clause that nothing explains may be `alike`: too many to be anything but one slip.
    """

    findings: tuple[int, ...]
    repairs: tuple[Repair, ...]
    alike: bool = False


# ── In words ───────────────────────────────────────────────────────────────────────────────────────────────


def repair(corrections: tuple[Proposed, ...], condition: str, would_be: str) -> Repair:
    """These corrections with their sentence: ``If Ben's bid at move 113 was 60, nothing else would be wrong.``"""
    return Repair(corrections, f"If {condition}, {would_be}.")


def effect(cleared: int, *, everything: bool) -> str:
    """What a correction would clear."""
    if everything:
        return "nothing else would be wrong"
    return "this mistake would be gone" if cleared == 1 else f"these {cleared} findings would be gone"


# ── The same repair, told differently ──────────────────────────────────────────────────────────────────────


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
