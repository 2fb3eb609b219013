"""The audit: what the table said, held against the rules.

Every act is judged and every claim compared, clause by clause; the auditor stamps each fault with the clause that
found it, so a finding cannot cite the wrong one.  It never stops at the first fault: the record stands as it is.

Source: the rules' README, "How to read a clause page" and "Common to all games"; the record format, "The audit's
report".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from ledger.common import AFTER_END, CORRECTION, UNFINISHED, is_finished_close
from ledger.events import ACTS, CLAIMS, Close, Event, Place, Result, actor, kind
from ledger.game import GRAVITY, Clause, Fault, Finding, Game, Opening, Step, Verdict
from ledger.record import Effective, Record, effective
from ledger.replay import steps

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


def audit(game: Game, record: Record, name: str = "") -> Report:
    """Audits one record.  Raises NotARecord if its opening is none of this game's."""
    opening = game.opening(record.opening)
    found = effective(record.events)
    return report(game, opening, found, tuple(steps(game, opening, found.entries)), name)


def report(game: Game, opening: Opening, found: Effective, all_steps: Sequence[Step], name: str = "") -> Report:
    """The report on a record whose steps are known already."""
    findings = (*judge(game, all_steps), *_of_the_record(game, found, all_steps))
    if found.changes or found.slips:
        findings = tuple(sorted(findings, key=_in_order_of_play(all_steps)))
    else:
        findings = tuple(sorted(findings, key=lambda finding: finding.seq))
    last = all_steps[-1].after
    standing = game.standing(last)
    return Report(
        record=name,
        game=game.name,
        finished=standing.finished,
        verdict=gravest(findings),
        scores=dict(zip(opening.players, standing.scores, strict=True)),
        winners=tuple(opening.players[seat] for seat in standing.winners),
        findings=findings,
        rulings=rests_on(game, opening, all_steps),
        title=standing.title,
        balance=balance(game, all_steps, findings),
    )


def _in_order_of_play(all_steps: Sequence[Step]) -> Callable[[Finding], int]:
    """Where a finding belongs: at its event, wherever that stands; a failed correction where it was recorded."""
    places = {step.seq: place for place, step in enumerate(all_steps)}

    def place(finding: Finding) -> int:
        return next(places[seq] for seq in range(finding.seq, -1, -1) if seq in places)

    return place


def gravest(findings: Iterable[Finding]) -> Verdict | str:
    """The gravest verdict of these findings, notes apart: ``clean`` if there is none."""
    found = {finding.verdict for finding in findings} - {"note"}
    return next((verdict for verdict in GRAVITY if verdict in found), "clean")


@cache
def _tables(game: Game) -> tuple[Mapping[type[Event], tuple[Clause, ...]], Mapping[type[Event], tuple[Clause, ...]]]:
    """The clauses that judge each type of event: while the game goes on, and when it has ended.

    After the end an act is out of place altogether, so only what no table could have shown, and the clause that says
    so, still speak of it.
    """
    going: dict[type[Event], tuple[Clause, ...]] = {}
    ended: dict[type[Event], tuple[Clause, ...]] = {}
    for event in (*ACTS, *CLAIMS):
        on = tuple(clause for clause in game.clauses if event in clause.on)
        going[event] = on
        closing = event in _CLAIMS or event in game.closing
        late = tuple(c for c in on if c.verdict == "impossible" or c.id == game.end_clause)
        ended[event] = on if closing else late
    return going, ended


def judge(game: Game, all_steps: Sequence[Step]) -> Iterator[Finding]:
    """The findings of a game's own clauses on these steps, in their order.

    What is impossible at an act is said alone: nobody can judge what no table could have shown.
    """
    going, ended = _tables(game)
    proofs = game.holdings(all_steps) if game.holdings else {}
    for seq, event, before, after in all_steps:
        clauses = (ended if before.ended else going).get(type(event))
        if not clauses:
            continue
        proof = proofs.get(seq)
        for clause in clauses:
            faults = clause.check(before, event, after, proof)  # type: ignore[misc]  # it has `on`, so it has a check
            if faults:
                impossible = False
                for fault in faults:
                    finding = stamp(clause, seq, event, fault)
                    impossible = impossible or finding.verdict == "impossible"
                    yield finding
                if impossible:
                    break


def stamp(clause: Clause, seq: int, event: Event, fault: Fault) -> Finding:
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


def _of_the_record(game: Game, found: Effective, all_steps: Sequence[Step]) -> Iterator[Finding]:
    """What is wrong with the record as such: corrections of nothing, acts after its close, a close too early."""
    for seq, reason in found.slips:
        yield Finding(seq, CORRECTION.id, "impossible", message=reason)
    closed = False
    result = any(type(step.event) is Result for step in all_steps)
    for seq, event, before, _after in all_steps:
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


def rests_on(game: Game, opening: Opening, all_steps: Sequence[Step]) -> dict[str, Any]:
    """The rulings that these steps rest on, with their values in this record."""
    waiting = list(game.rulings)
    found: set[str] = set()
    for _seq, event, before, after in all_steps:
        if not waiting:
            break
        for option in [option for option in waiting if type(event) in option.on]:
            if option.touched is not None and option.touched(before, event, after):
                found.add(option.name)
                waiting.remove(option)
    return {option.name: opening.options[option.name] for option in game.rulings if option.name in found}


def balance(game: Game, all_steps: Sequence[Step], findings: Iterable[Finding]) -> str:
    """One line on what adds up: the tiles of the set, and the claims that agree."""
    parts = [tally for tally in game.tally(all_steps[-1].after) if tally.tiles]
    total = sum(tally.tiles for tally in parts)
    tiles = " + ".join(f"{tally.tiles} {tally.where}" for tally in parts)
    said = sum(claims_in(step.event) for step in all_steps)
    wrong = {(f.seq, f.player) for f in findings if f.claimed is not None and f.verdict == "breach"}
    acts = {step.seq for step in all_steps if type(step.event) in _ACTS and claims_in(step.event) == 0}
    wrong = {place for place in wrong if place[0] not in acts}
    return f"{total} tiles = {tiles}; {said - len(wrong)} of {said} claims agree with the rules"


def claims_in(event: Event) -> int:
    """How many things an event claims: points player by player, a taker, winners."""
    if type(event) is Place:
        return int(event.points is not None)
    points = getattr(event, "points", None)
    if isinstance(points, dict):
        return len(points)
    return int(type(event) in _CLAIMS)
