"""The one reader: a record with its steps and its report, for every face.

The terminal, the pages and the programs that use this package ask here, so that they cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit import Report, report_and_state
from ledger.catalog import find
from ledger.common import RECORD_CLAUSES
from ledger.game import Clause, Finding, Game, Opening, Points, Standing, Step
from ledger.record import Effective, Record, as_written, effective
from ledger.replay import fingerprint, steps
from ledger.scene import Scene
from ledger.visible import visible, visible_lines
from ledger.words import in_words


class Scored(NamedTuple):
    """A reason for points, and the seq of the event that scored them."""

    seq: int
    reason: Points


class Review:
    """A record as people look at it.

    `record` as it was read, `name` (a ledger's id, or FILE:LINE), `opening` (its names safe to show); `game` as its
    rules were in the revision that the record was made under, `newest` as they are now; `effective` its events after
    corrections.  `steps` and `report` are made when they are first asked for.
    """

    def __init__(
        self, record: Record, name: str = "", game: Game[Any] | None = None, *, as_recorded: bool = False
    ) -> None:
        """Reads the record after its corrections, or `as_recorded` before them; by another `game` if one is told.

        Raises UnknownGame, or NotARecord if the game cannot read the opening.
        """
        self.record, self.name = record, name
        self.effective: Effective = as_written(record.events) if as_recorded else effective(record.events)
        opening = self.effective.opening
        self.newest: Game[Any] = game or find(opening.game)
        self.game: Game[Any] = game or self.newest.under(record.rules if self.effective.changes else opening.rules)
        read = self.game.opening(opening)
        self.opening: Opening = replace(read, names=tuple(map(visible, read.names)))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """A step for each event that is left after corrections."""
        return tuple(steps(self.game, self.opening, self.effective.entries))

    @property
    def report(self) -> Report:
        """The audit of the whole record."""
        return self._audited[0]

    @property
    def end(self) -> Any:
        """The state after the last event."""
        return self._audited[1]

    @cached_property
    def _audited(self) -> tuple[Report, Any]:
        return report_and_state(self.game, self.opening, self.effective, self.name)

    @cached_property
    def names(self) -> dict[str, str]:
        """By player id, what people read."""
        return dict(zip(self.opening.players, self.opening.names, strict=True))

    @cached_property
    def findings(self) -> dict[int, list[Finding]]:
        """The findings of the report by seq."""
        by_seq: dict[int, list[Finding]] = {}
        for finding in self.report.findings:
            by_seq.setdefault(finding.seq, []).append(finding)
        return by_seq

    @cached_property
    def scored(self) -> tuple[Scored, ...]:
        """Every reason for points, in the order in which they were scored."""
        return tuple(
            Scored(step.seq, reason)
            for step in self.steps
            if step.after is not step.before
            for reason in self.game.points(step.before, step.event, step.after)
        )

    def place(self, seq: int) -> int | None:
        """The place among the steps of the event of that seq; None if no effective event has it."""
        return next((place for place, step in enumerate(self.steps) if step.seq == seq), None)

    def scene(self, place: int = -1) -> Scene:
        """The table after the step at that place (from 0; negative ones count from the end)."""
        return self.game.scene(self.steps[place].after)

    def standing(self, place: int = -1) -> Standing:
        """How the game stood after the step at that place."""
        return self.game.standing(self.steps[place].after)

    def fingerprints(self) -> Sequence[str]:
        """The fingerprint of the state after each step."""
        return [fingerprint(step.after) for step in self.steps]

    def words(self, place: int) -> str:
        """The event at that place, as a sentence."""
        return in_words(self.steps[place].event, self.names)

    def named(self, text: str) -> str:
        """A sentence of the audit with the players' names instead of their ids, safe to show."""
        return visible_lines(self._ids.sub(lambda found: self.names[found[0]], text) if self.names else text)

    @cached_property
    def _ids(self) -> re.Pattern[str]:
        longest = sorted(map(re.escape, self.names), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)")

    def meaning(self, clause: str) -> str:
        """What a clause says, for a finding; empty for one that only the record itself has."""
        return next((known.meaning for known in clauses(self.game) if known.id == clause), "")


def clauses(game: Game[Any]) -> tuple[Clause[Any], ...]:
    """Every clause that can be cited against a record of this game: its own, and those that all records share."""
    own = {clause.id for clause in game.clauses}
    return (*game.clauses, *(clause for clause in RECORD_CLAUSES if clause.id not in own))
