"""How a clause of Build Up judges an event when the record leaves open in which way the game has gone.

Where hands are hidden, a row of passes may have ended a hand or not (see `rows`).  A player is at fault only if that is
so in every such way: what one of them excuses is no fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.common import NOTHING
from ledger.events import Event
from ledger.game import GRAVITY, Check, Clause, Fault, Verdict, clause
from ledger.games.build_up.state import BuildUp


def rule(
    id_: str, meaning: str, *on: type[Event], verdict: Verdict = "breach", proved: bool = False
) -> Callable[[Check[BuildUp]], Clause[BuildUp]]:
    """Makes a clause of the check below it, as `clause` does; the check is asked about every way."""

    def make(check: Check[BuildUp]) -> Clause[BuildUp]:
        return in_every_way(clause(id_, meaning, *on, verdict=verdict, proved=proved)(check))

    return make


def in_every_way(clause_: Clause[BuildUp]) -> Clause[BuildUp]:
    """The same clause, asked about every way; it gives the mildest of the answers.

    It says nothing of an act past the end: that is for the end clause.
    """
    check = clause_.check
    assert check is not None  # noqa: S101  only a clause that judges is asked
    assert clause_.when is None  # noqa: S101  a condition would be evaluated in one way only

    def ask(before: BuildUp, event: Any, after: BuildUp, evidence: Any) -> Sequence[Fault]:
        if after.past:
            return NOTHING
        if type(evidence) is not tuple:
            return check(before, event, after, evidence)  # type: ignore[return-value]  # each check gives a sequence
        answers = [list(check(way.before, event, way.after, way.evidence)) for way in evidence]
        return max(answers, key=_mildness)

    return replace(clause_, check=ask)


def _mildness(faults: Sequence[Fault]) -> int:
    """How mild the gravest of these faults is; a fault without a verdict is a breach."""
    return min((GRAVITY.index(fault.verdict or "breach") for fault in faults), default=len(GRAVITY))
