"""Judges the steps of a record by the game's clauses, and collects the rulings that the steps depend on.

Source: the rules' README, "One slip, one finding" and "Common to all games".
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from msgspec import Struct

from ledger.audit.replay import steps
from ledger.record.events import ACTS, CLAIMS, Cheats, Correctable, Event, Open, Place, Play, Score, actor, kind
from ledger.record.record import Effective
from ledger.record.sentences import literal
from ledger.rules.evidence import Ways
from ledger.rules.game import GRAVE, GRAVITY, Check, Clause, Fault, Game, Judged, Opening, Option, Step, Touched, When
from ledger.rules.shared_clauses import EVENT, is_past_end

_ACTS = frozenset(ACTS)
_CLAIMS = frozenset(CLAIMS)


_NOUNS = {
    "aside": "tiles set aside",
    "pass": "passes",
    "rank": "rankings",
    "over": "tile over",
    "place": "squares to lay tiles on",
    "cheats": "cheats",
}
"""What a game lacks if it has no event of this type, in words; by default the plural of its tag."""
_IN_PART: Mapping[type[Event], str] = {Score: "points for a hand", Play: "line with two ends"}
"""What a game lacks if it has events of this type, but not this one."""


PARTLY_HAD = (Score, Play)
"""Types of events that a game may have in part: see `Game.has`."""
SETTLING = (Score, Cheats)
"""The claims that may show that a difference in points is gone."""

Stays = Callable[[], frozenset[Hashable]]
"""See `Fault.stays`."""
Group = tuple[When[Any] | None, tuple[tuple[Check[Any], Clause[Any]], ...]]
"""Clauses in a row that have the same `when`, with their checks."""
RulingGroup = tuple[When[Any], tuple[tuple[str, Touched[Any]], ...]]
"""A condition, and the rulings that an event can touch only if it holds: their names and their own conditions."""


class Judges(Struct, frozen=True, gc=False):
    """What judges a type of event: groups of clauses.

    `going` are the clauses that judge it while the game goes on, `proved` those that judge it then if there is evidence
    about it, and `ended` those after the end of the game.  `settles`: such an event may show that a difference in
    points is gone.
    """

    going: tuple[Group, ...]
    proved: tuple[Group, ...]
    ended: tuple[Group, ...]
    settles: bool


def _events(game: Game[Any]) -> tuple[type[Event], ...]:
    """The types of events that clauses and rulings are about."""
    return (*game.events, Open)


@cache
def _judges_by_type(game: Game[Any]) -> Mapping[type[Event], Judges]:
    """What judges each type of event of the game, and its opening."""
    table: dict[type[Event], Judges] = {}
    for event in _events(game):
        clauses = [clause for clause in game.clauses if event in clause.on and clause.check]
        proved = [clause for clause in clauses if clause.when is not is_past_end]
        going = [clause for clause in proved if not clause.needs_evidence]
        # An act past the end is judged only for being one.
        past = event in _ACTS and event not in game.closing
        ended = [clause for clause in clauses if clause.id == game.end_clause] if past else clauses
        table[event] = Judges(_groups(going), _groups(proved), _groups(ended), event in SETTLING)
    return table


@cache
def _rulings_by_type(game: Game[Any], touched: frozenset[str]) -> Mapping[type[Event], tuple[RulingGroup, ...]]:
    """The rulings that each type of event may touch, without those that are `touched` already."""
    left = [ruling for ruling in game.rulings if ruling.name not in touched]
    return {event: _ruling_groups([ruling for ruling in left if event in ruling.on]) for event in _events(game)}


def _groups(clauses: Iterable[Clause[Any]]) -> tuple[Group, ...]:
    return tuple(
        (when, tuple((clause.check, clause) for clause in row if clause.check))
        for when, row in groupby(clauses, key=attrgetter("when"))
    )


def _ruling_groups(rulings: Iterable[Option]) -> tuple[RulingGroup, ...]:
    groups: dict[When[Any], list[tuple[str, Touched[Any]]]] = {}
    for ruling in rulings:
        if ruling.touched:
            groups.setdefault(ruling.when or ruling.touched, []).append((ruling.name, ruling.touched))
    return tuple((when, tuple(group)) for when, group in groups.items())


class Judgement:
    """What clauses say about `steps`: the `findings` in order, and the names of the rulings `touched`.

    `wrong_claims` are the claims that contradict the rules, as (seq, player), including those whose difference was
    reported before.  `foreign` are the seqs of the events that the game does not have.
    """

    def __init__(self, game: Game[Any], steps: Sequence[Step], touched: set[str]) -> None:
        self.game, self.steps, self.touched = game, steps, touched
        self.findings: list[Judged] = []
        self.wrong_claims: set[tuple[int, str | None]] = set()
        self.foreign: set[int] = set()
        self.differences: dict[str | None, int] = {}
        self.lasting: dict[str | None, tuple[int, Stays]] = {}

    def going_on(self) -> "Judgement":
        """A judgement of later steps that remembers what was judged before, without its findings."""
        later = Judgement(self.game, self.steps, set(self.touched))
        later.differences, later.lasting = dict(self.differences), dict(self.lasting)
        later.wrong_claims = set(self.wrong_claims)
        return later

    def reject(self, seq: int, event: Event) -> None:
        """Adds the finding that the game has no such act or claim."""
        if type(event) not in _ACTS and type(event) not in _CLAIMS:
            return
        noun = _NOUNS.get(kind(event), f"{kind(event)}s")
        opening = self.steps[0].event if self.steps else None  # a trial of corrections has no steps behind it
        subject = "A score card" if type(opening) is Open and opening.card else literal(self.game.title)
        message = f"{subject} has no {_IN_PART[type(event)] if type(event) in self.game.events else noun}"
        self.foreign.add(seq)
        self.findings.append(stamp(EVENT, seq, event, Fault(message)))

    def add(self, clause: Clause[Any], seq: int, event: Event, faults: Iterable[Fault]) -> bool:
        """Adds the faults that a clause found in an event; returns whether one of them is impossible."""
        findings = [stamp(clause, seq, event, fault) for fault in self._without_repeats(clause, seq, event, faults)]
        self.findings += findings
        return any(finding.verdict == "impossible" for finding in findings)

    # A difference in points is reported where it first appears and where it changes, not at each running total.
    def _without_repeats(self, clause: Clause[Any], seq: int, event: Event, faults: Iterable[Fault]) -> Iterator[Fault]:
        """The faults, without those that only carry on a difference that was reported before, player by player."""
        differences = self.differences
        for fault in faults:
            player = fault.player or actor(event)
            if fault.claimed is not None and (fault.verdict or clause.verdict) in GRAVE and makes_claims(event):
                self.wrong_claims.add((seq, player))
            if fault.running is None:
                yield fault
                continue
            difference, carried = fault.claimed - (fault.expected or 0), differences.get(player, 0)
            differences[player] = difference if fault.running == "total" else carried + difference
            if fault.stays is not None:
                if not self._lasts(player, difference, fault.stays):
                    yield fault
            elif fault.running == "part" or difference != carried:
                yield fault

    def _lasts(self, player: str | None, difference: int, stays: Stays) -> bool:
        """Whether the same thing on the table can explain this difference and the same one in the hand before."""
        before, explained = self.lasting.get(player, (0, stays))
        if difference != before:
            self.lasting[player] = difference, stays
            return False
        now = stays()
        still = explained() & now
        self.lasting[player] = difference, lambda: still or now
        return bool(still)

    def settle(self, seq: int, event: Correctable) -> None:
        """Forgets the differences of the players whose totals, or points in this hand, are right.

        The number of cheats is one total for all players.
        """
        players: Iterable[str | None] = ()
        differences: MutableMapping[str | None, Any] = self.differences
        if isinstance(event, Cheats):
            players = tuple(differences)
        elif isinstance(event, Score):
            players = event.points
            differences = differences if event.scope == "game" else self.lasting
        for player in players:
            if (seq, player) not in self.wrong_claims:
                differences.pop(player, None)

    def touch(self, rulings: Iterable[tuple[str, Touched[Any]]], before: Any, event: Event, after: Any) -> bool:
        """Adds those of these rulings that an event touches; returns whether there are any."""
        touched = False
        for name, touches in rulings:
            if touches(before, event, after):
                self.touched.add(name)
                touched = True
        return touched


def judge(
    game: Game[Any],
    steps: Iterable[Step],
    evidence: Mapping[int, Any],
    touched: set[str],
    judgement: Judgement | None = None,
) -> Judgement:
    """Judges these steps by a game's own clauses.  The rulings that they depend on are added to `touched`.

    `evidence` has, by seq, what the whole record proves about the hand behind an event, or the ways in which the game
    may have gone.  After an impossible fault no other clause judges the event, because it cannot have happened like
    that.  After the first act past the end nothing is judged.
    """
    table, rulings = _judges_by_type(game), _rulings_by_type(game, frozenset(touched))
    judgement = judgement or Judgement(game, steps, touched)  # type: ignore[arg-type]  # then it is a sequence
    for step in steps:
        seq, event, before, after = step.seq, step.event, step.before, step.after
        kind_ = type(event)
        judges = table.get(kind_)
        if judges is None or (kind_ in PARTLY_HAD and not game.has(event)):
            judgement.reject(seq, event)
            continue
        if before.past:
            continue
        groups = judges.ended if before.ended or after.past else judges.going
        event_evidence = evidence.get(seq) if evidence else None
        if event_evidence is not None:
            groups = _by_evidence(judges, before.ended or after.past, event_evidence)
        for when, checks in groups:
            if when is not None and not when(before, event, after):
                continue
            for check, clause in checks:
                faults = check(before, event, after, event_evidence)
                if faults and judgement.add(clause, seq, event, faults):
                    break
            else:
                continue
            break
        if judges.settles:
            judgement.settle(seq, event)
        for when, group in rulings[kind_]:
            if when(before, event, after) and judgement.touch(group, before, event, after):
                rulings = _rulings_by_type(game, frozenset(touched))
    return judgement


def makes_claims(event: Event) -> bool:
    """Whether an event claims something: points player by player, a taker, winners."""
    kind_ = type(event)
    if kind_ is Place:
        return event.points is not None  # type: ignore[attr-defined]  # a place has it
    return kind_ in _CLAIMS


def judge_record(game: Game[Any], opening: Opening, played: Effective) -> Judgement:
    """What the clauses say of a record."""
    all_steps = list(steps(game, opening, played.entries))
    evidence = game.holdings(all_steps) if game.holdings else {}
    return judge(game, all_steps, evidence, set())


def _by_evidence(judges: Judges, ended: bool, evidence: Any) -> tuple[Group, ...]:
    """The clauses that judge an event with this evidence."""
    groups = judges.ended if ended else judges.proved
    return _in_every_way(groups, evidence) if type(evidence) is tuple else groups


# If the record leaves open which way the game went, a player is at fault only if the act is wrong in every way.
def _in_every_way(groups: Iterable[Group], ways: Ways) -> tuple[Group, ...]:
    """The same clauses; each judges every way, and its answer is the mildest."""

    def asking(clause: Clause[Any]) -> Check[Any]:
        def check(_before: Any, event: Any, _after: Any, _evidence: Any) -> Sequence[Fault]:
            answers = [list(clause.faults(way.before, event, way.after, way.evidence)) for way in ways]
            return max(answers, key=_mildness)

        return check

    return ((None, tuple((asking(clause), clause) for _when, checks in groups for _check, clause in checks)),)


def _mildness(faults: Sequence[Fault]) -> int:
    """How mild the gravest of these faults is; a fault without a verdict is a breach."""
    return min((GRAVITY.index(fault.verdict or "breach") for fault in faults), default=len(GRAVITY))


def stamp(clause: Clause[Any], seq: int, event: Event, fault: Fault) -> Judged:
    """A fault as a finding of this clause about this event."""
    return Judged(
        seq=seq,
        clause=clause.id,
        verdict=fault.verdict or clause.verdict,
        player=fault.player or actor(event),
        expected=fault.expected,
        claimed=fault.claimed,
        sentence=fault.message,
    )
