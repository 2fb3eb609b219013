"""What a game's clauses say of the steps of a record, and which rulings the steps rest on.

Source: the rules' README, "One slip, one finding" and "Common to all games".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ledger.common import EVENT
from ledger.events import ACTS, CLAIMS, Correctable, Event, Open, Score, actor, kind
from ledger.game import Check, Clause, Fault, Finding, Game, Moment, Option, Step

_ACTS = frozenset(ACTS)
_CLAIMS = frozenset(CLAIMS)


class Asked(NamedTuple):
    """What is asked about a type of event: clauses with their checks, and rulings.

    `bare` are the clauses without evidence about a hand, `proved` those with it, `ended` those that speak of an act
    past the end.
    """

    bare: tuple[tuple[Check[Any], Clause[Any]], ...]
    proved: tuple[tuple[Check[Any], Clause[Any]], ...]
    ended: tuple[tuple[Check[Any], Clause[Any]], ...]
    rulings: tuple[Option, ...]


class _Asked(dict[str, Asked]):
    """By moment, what is asked about a type of event; a moment is read from the clauses when it first comes up."""

    def __init__(self, game: Game[Any], event: type[Event]) -> None:
        self.game, self.event = game, event

    def __missing__(self, moment: str) -> Asked:
        game, event = self.game, self.event
        one = event not in game.moments
        on = [c for c in game.clauses if event in c.on and (one or not c.at or moment in c.at)]
        played_on = event in _ACTS and event not in game.closing
        late = [c for c in on if c.id == game.end_clause] if played_on else on
        going = [clause for clause in on if not clause.late or event in _CLAIMS]
        rulings = [o for o in game.rulings if event in o.on and (one or not o.at or moment in o.at)]
        self[moment] = asked = Asked(
            tuple((clause.check, clause) for clause in going if clause.check and not clause.silent),
            tuple((clause.check, clause) for clause in going if clause.check),
            tuple((clause.check, clause) for clause in late if clause.check),
            tuple(rulings),
        )
        return asked


@cache
def _tables(game: Game[Any]) -> Mapping[type[Event], tuple[Moment | None, _Asked]]:
    """By type of event, how its moment is told (if there is more than one), and what is asked about it then."""
    judged = {*game.events, Open}
    parts: tuple[Clause[Any] | Option, ...] = (*game.clauses, *game.rulings)
    on = {event for part in parts for event in part.on if event in judged}
    return {event: (game.moments.get(event), _Asked(game, event)) for event in on}


class Judgement:
    """What clauses say of `steps`: the `findings` in their order, and the names of the rulings `touched`.

    `wrong_claims` are the claims that contradict the rules, each by (seq, player), also where a difference was said
    before.  `foreign` are the seqs of the events that the game does not have.
    """

    def __init__(self, game: Game[Any], steps: Sequence[Step], touched: set[str]) -> None:
        self.game, self.steps, self.touched = game, steps, touched
        self.findings: list[Finding] = []
        self.wrong_claims: set[tuple[int, str | None]] = set()
        self.foreign: set[int] = set()
        self._differences: dict[str | None, int] = {}

    def reject(self, seq: int, event: Event) -> None:
        """Says that the game has no such event."""
        hands = type(event) is Score and Score in self.game.events
        message = f"{self.game.title} has no {'hands to score' if hands else kind(event)}"
        self.foreign.add(seq)
        self.findings.append(stamp(EVENT, seq, event, Fault(message)))

    def add(self, clause: Clause[Any], seq: int, event: Event, faults: Iterable[Fault]) -> bool:
        """Adds the faults that a clause found with an event; whether one of them is impossible."""
        found = [stamp(clause, seq, event, fault) for fault in self._said_once(seq, event, faults)]
        self.findings += found
        return any(finding.verdict == "impossible" for finding in found)

    # A difference in points that stays is said where it first appears and where it changes, not at each running total.
    def _said_once(self, seq: int, event: Event, faults: Iterable[Fault]) -> Iterator[Fault]:
        """The faults without those that only carry on a difference that was said before, player by player."""
        differences = self._differences
        for fault in faults:
            player = fault.player or actor(event)
            if fault.claimed is not None and (fault.verdict or "breach") == "breach":
                self.wrong_claims.add((seq, player))
            if fault.running is None:
                yield fault
                continue
            difference, carried = fault.claimed - (fault.expected or 0), differences.get(player, 0)
            differences[player] = difference if fault.running == "total" else carried + difference
            if fault.running == "part" or difference != carried:
                yield fault

    def settle(self, seq: int, event: Correctable) -> None:
        """Forgets the differences of the players whose totals are right."""
        if self._differences and type(event) is Score and event.scope == "game":
            for player in event.points:
                if (seq, player) not in self.wrong_claims:
                    self._differences.pop(player, None)


def judge(game: Game[Any], steps: Sequence[Step], evidence: Mapping[int, Any], touched: set[str]) -> Judgement:
    """What a game's own clauses say of these steps; rulings that they rest on are added to those `touched` already.

    `evidence` tells by seq what the whole record proves about the hand behind an event.  A fault that is impossible is
    said alone: nobody can judge an act that no table could have shown.  After the first act past the end nothing is
    judged any more.
    """
    tables, own, partly = _tables(game), frozenset((*game.events, Open)), len(game.scores) == 1
    judgement = Judgement(game, steps, touched)
    for seq, event, before, after in steps:
        kind_ = type(event)
        if kind_ not in own or (partly and kind_ is Score and not game.has(event)):
            if kind_ in _ACTS or kind_ in _CLAIMS:
                judgement.reject(seq, event)
            continue
        table = tables.get(kind_)
        if table is None or before.past:
            continue
        tell, asked = table
        bare, proved, ended, rulings = asked[tell(before, event, after) if tell else ""]
        known = evidence.get(seq)
        for check, clause in ended if before.ended else bare if known is None else proved:
            faults = check(before, event, after, known)
            if faults and judgement.add(clause, seq, event, faults):
                break
        judgement.settle(seq, event)
        for option in rulings:
            if option.name not in touched and option.touched and option.touched(before, event, after):
                touched.add(option.name)
    return judgement


def stamp(clause: Clause[Any], seq: int, event: Event, fault: Fault) -> Finding:
    """A fault as a finding of this clause at this event."""
    return Finding(
        seq=seq,
        clause=clause.id,
        verdict=fault.verdict or clause.verdict,
        player=fault.player or actor(event),
        expected=fault.expected,
        claimed=fault.claimed,
        message=fault.message,
    )
