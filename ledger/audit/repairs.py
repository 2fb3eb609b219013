"""What a report says of causes: a mistake that explains several findings, and the corrections that would clear them.

Source: the rules' README, "One cause, explained"; the record format, `causes`.
"""

from __future__ import annotations

from msgspec import Struct

from ledger.record.events import Amend, Correctable, Insert, Retract, Seq

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
