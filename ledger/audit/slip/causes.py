"""What a report says of causes: a mistake that explains several findings, and the corrections that would clear them.

Source: the rules' README, "One cause, explained"; the record format, `causes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from ledger.record.events import FARTHEST, Amend, Correctable, Insert, Name, Place, Retract, Seq, Square
from ledger.record.squares import beside
from ledger.record.tiles import TILES

MOST = 3
"""The most repairs of a cause."""
ALIKE = 6
"""More findings of one clause than this that nothing explains look like one slip."""
WHY = "this explains the findings"
"""The reason of a correction that was proposed.  It names nobody, because a reason cannot be erased later."""


class _Correction(Struct, frozen=True):
    """A proposal: a correction without its author and its reason."""

    def because(self, why: str, by: str | None = None, when: str | None = None) -> Amend | Insert | Retract:
        """The proposal as an event of the record, with its author and reason."""
        kind: Any = {Amendment: Amend, Insertion: Insert, Retraction: Retract}[type(self)]
        event: Amend | Insert | Retract = kind(*astuple(self), why, by=by, when=when)
        return event


class Amendment(_Correction, frozen=True, tag="amend"):
    """A proposal: the event `seq` was really this `event`."""

    seq: Seq
    event: Correctable


class Insertion(_Correction, frozen=True, tag="insert"):
    """A proposal: this `event` was forgotten before the event `before`."""

    before: Seq
    event: Correctable


class Retraction(_Correction, frozen=True, tag="retract"):
    """A proposal: the event `seq` never happened."""

    seq: Seq


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

    @property
    def is_example(self) -> bool:
        """Whether the corrections only show what would fit: of a forgotten round nobody knows which tiles it had."""
        return sum(isinstance(one, Insertion) for one in self.corrections) > 1

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


def effect(cleared: int, *, everything: bool) -> str:
    """What a correction would clear."""
    if everything:
        return "nothing else would be wrong"
    return "this mistake would be gone" if cleared == 1 else f"these {cleared} findings would be gone"


# ── The same repair, told differently ──────────────────────────────────────────────────────────────────────


def laid(event: Any) -> object:
    """An act as it lies on the table: the same for a domino on the same squares, whichever half is written first."""
    if type(event) is not Place:
        tile = getattr(event, "tile", None)
        return event if tile is None else replace(event, tile=TILES[tile.index])
    halves = zip((event.at, beside(event.at, event.dir)), (event.tile.first, event.tile.second), strict=True)
    return event.player, event.level, frozenset(halves)


def on_table(at: Square) -> bool:
    """Whether a record can name this square."""
    return max(map(abs, at)) <= FARTHEST
