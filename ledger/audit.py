"""The audit: what the table said, held against the rules.

Every act is judged and every claim compared, clause by clause; the auditor stamps each fault with the clause that
found it, so a finding cannot cite the wrong one.  It never stops at the first fault: the record stands as it is.

Source: the rules' README, "How to read a clause page" and "Common to all games"; the record format, "The audit's
report".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from ledger.common import AFTER_END, CORRECTION, UNFINISHED, is_finished_close
from ledger.events import ACTS, CLAIMS, Close, Event, Place, Result, Score, actor, kind
from ledger.game import GRAVITY, Check, Clause, Fault, Finding, Game, Moment, Opening, Option, Step, Verdict
from ledger.record import Effective, Record, effective
from ledger.replay import steps, steps_to_judge

_ACTS = frozenset(ACTS)
_CLAIMS = frozenset(CLAIMS)


class Report(Struct, frozen=True, omit_defaults=True):
    """What an audit says of a record, in the fields of the record format.

    `record` is a ledger's id, or FILE:LINE.  `scores` and `winners` are computed, by player id, never copied from a
    claim.  `rulings` names the rulings that the verdict rests on, with their values.  `title` is the one earned in
    Domino Ziggurat; `balance` is a line that says what adds up.
    """

    record: str
    game: str
    finished: bool
    verdict: Verdict | str
    scores: dict[str, int]
    winners: tuple[str, ...]
    findings: tuple[Finding, ...]
    rulings: dict[str, Any]
    title: str | None = None
    balance: str = ""


def audit(game: Game[Any], record: Record, name: str = "") -> Report:
    """Audits one record.  Raises NotARecord if its opening is none of this game's."""
    found = effective(record.events)
    return report(game, game.opening(found.opening), found, name)


def report(game: Game[Any], opening: Opening, found: Effective, name: str = "") -> Report:
    """The report on the events that are left of a record, with an opening that the game has read."""
    touched = set[str]()
    some, last, proofs = _followed(game, opening, found, touched)
    own, asked = judge(game, some, proofs)
    touched |= asked
    findings = (*own, *_of_the_record(game, found, some))
    if not findings:
        pass
    elif found.changes or found.slips:
        findings = tuple(sorted(findings, key=_in_order_of_play(found)))
    else:
        findings = tuple(sorted(findings, key=lambda finding: finding.seq))
    standing = game.standing(last)
    return Report(
        record=name,
        game=game.name,
        finished=standing.finished,
        verdict=gravest(findings),
        scores=dict(zip(opening.players, standing.scores, strict=True)),
        winners=tuple(opening.players[seat] for seat in standing.winners),
        findings=findings,
        rulings={option.name: opening.options[option.name] for option in game.rulings if option.name in touched},
        title=standing.title,
        balance=balance(game, last, found, findings),
    )


def _followed(
    game: Game[Any], opening: Opening, found: Effective, touched: set[str]
) -> tuple[Sequence[Step], Any, Mapping[int, Any]]:
    """The steps that are to be judged, the last state, and by seq what is proved about hands.

    Where nothing is to be proved, what a stride goes over need not be looked at; the rulings that it rests on are added
    to `touched`.
    """
    some, last = steps_to_judge(game, opening, found, touched)
    if game.holdings is None or not game.holdings(some):
        return some, last, {}
    all_steps = list(steps(game, opening, found.entries))
    return all_steps, last, game.holdings(all_steps)


def _in_order_of_play(found: Effective) -> Callable[[Finding], int]:
    """Where a finding belongs: at its event, wherever that stands; a failed correction where it was recorded."""
    places = {seq: place for place, seq in enumerate(found.seqs)}

    def place(finding: Finding) -> int:
        return next(places[seq] for seq in range(finding.seq, -1, -1) if seq in places)

    return place


def gravest(findings: Iterable[Finding]) -> Verdict | str:
    """The gravest verdict of these findings, notes apart: ``clean`` if there is none."""
    found = {finding.verdict for finding in findings} - {"note"}
    return next((verdict for verdict in GRAVITY if verdict in found), "clean")


class Asked(NamedTuple):
    """What is asked about a type of event in one moment: clauses with their checks, and rulings.

    The clauses are those while the game goes on, without and with a proof about the hand, and those after its end.
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
        judged, one = event in _ACTS or event in _CLAIMS, event not in game.moments
        on = [c for c in game.clauses if judged and event in c.on and (one or not c.at or moment in c.at)]
        closing = event in _CLAIMS or event in game.closing
        # After the end an act is out of place altogether, so only what no table could have shown, and the clause that
        # says so, still speak of it.
        late = on if closing else [c for c in on if c.verdict == "impossible" or c.id == game.end_clause]
        going = [clause for clause in on if not clause.late or event in _CLAIMS]
        rulings = [o for o in game.rulings if event in o.on and (one or not o.at or moment in o.at)]
        self[moment] = found = Asked(
            tuple((clause.check, clause) for clause in going if clause.check and not clause.silent),
            tuple((clause.check, clause) for clause in going if clause.check),
            tuple((clause.check, clause) for clause in late if clause.check),
            tuple(rulings),
        )
        return found


@cache
def _tables(game: Game[Any]) -> Mapping[type[Event], tuple[Moment | None, _Asked]]:
    """By type of event, how its moment is told (if there is more than one), and what is asked about it then."""
    on = {event for clause in game.clauses for event in clause.on} | {on for ruling in game.rulings for on in ruling.on}
    return {event: (game.moments.get(event), _Asked(game, event)) for event in on}


def judge(game: Game[Any], some: Iterable[Step], proofs: Mapping[int, Any]) -> tuple[list[Finding], set[str]]:
    """The findings of a game's own clauses on these steps, in their order, and the rulings that the steps rest on.

    `proofs` tell by seq what the whole record proves about the hand behind an event.  What is impossible at an act is
    said alone: nobody can judge what no table could have shown.
    """
    tables = _tables(game)
    findings: list[Finding] = []
    touched: set[str] = set()
    for seq, event, before, after in some:
        table = tables.get(type(event))
        if table is None:
            continue
        tell, asked = table
        bare, proved, ended, rulings = asked[tell(before, event, after) if tell else ""]
        proof = proofs.get(seq)
        for check, clause in ended if before.ended else bare if proof is None else proved:
            faults = check(before, event, after, proof)
            if faults:
                found = [stamp(clause, seq, event, fault) for fault in faults]
                findings += found
                if any(finding.verdict == "impossible" for finding in found):
                    break
        for option in rulings:
            if option.name not in touched and option.touched and option.touched(before, event, after):
                touched.add(option.name)
    return findings, touched


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


def _of_the_record(game: Game[Any], found: Effective, some: Sequence[Step]) -> Iterator[Finding]:
    """What is wrong with the record as such: corrections of nothing, acts after its close, a close too early."""
    for seq, reason in found.slips:
        yield Finding(seq, CORRECTION.id, "impossible", message=reason)
    if Close not in found.kinds:
        return
    closed, result = False, Result in found.kinds
    for seq, event, before, _after in some:
        if type(event) is Close:
            if is_finished_close(event) and not result and not game.standing(before).finished:
                id_ = game.unfinished_clause
                yield Finding(
                    seq, id_, UNFINISHED.verdict, message="the record is closed as finished, but the game is not"
                )
            closed = True
        elif closed and type(event) in _ACTS and not before.ended:
            said = f"the record was closed before this {kind(event)}"
            yield Finding(seq, AFTER_END.id, AFTER_END.verdict, actor(event), message=said)
            return


def balance(game: Game[Any], last: Any, found: Effective, findings: Iterable[Finding]) -> str:
    """One line on what adds up: the tiles of the set in the last state, and the claims that agree."""
    parts = [tally for tally in game.tally(last) if tally.tiles]
    total = sum(tally.tiles for tally in parts)
    tiles = " + ".join(f"{tally.tiles} {tally.where}" for tally in parts)
    points = [event.points for event in found.events if type(event) is Place] if Place in found.kinds else []
    said = len(points) - points.count(None) + sum([claims_in(e) for e in found.events if type(e) in _CLAIMS])
    wrong = {(f.seq, f.player) for f in findings if f.claimed is not None and f.verdict == "breach"}
    if wrong:
        acts = {entry.seq for entry in found.entries if type(entry.event) in _ACTS and claims_in(entry.event) == 0}
        wrong = {place for place in wrong if place[0] not in acts}
    return f"{total} tiles = {tiles}; {said - len(wrong)} of {said} claims agree with the rules"


def claims_in(event: Event) -> int:
    """How many things an event claims: points player by player, a taker, winners."""
    if type(event) is Place:
        return int(event.points is not None)
    if type(event) is Score:
        return len(event.points)
    return int(type(event) in _CLAIMS)
