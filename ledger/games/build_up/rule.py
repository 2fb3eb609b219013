"""How a clause of Build Up judges an event if the record leaves open which way the game went.

If hands are hidden, a row of passes may have ended a hand or not (see `rows`).  A player is at fault only if the act is
wrong in every such way.
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
    """Turns a check into a clause, as `clause` does; the check judges every way."""

    def make(check: Check[BuildUp]) -> Clause[BuildUp]:
        return in_every_way(clause(id_, meaning, *on, verdict=verdict, proved=proved)(check))

    return make


def in_every_way(clause_: Clause[BuildUp]) -> Clause[BuildUp]:
    """The same clause, judging every way; it returns the mildest result.

    It ignores acts past the end, which the end clause judges.
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
