"""The audit: compares what the table said with the rules.

Every act is judged and every claim compared, clause by clause; the auditor stamps each fault with the clause that
found it, so a finding cannot cite the wrong one.  It never stops at the first fault.

Source: the rules' README, "How to read a clause page" and "Common to all games"; the record format, "The audit's
report".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.equal_names import reread
from ledger.audit.judge import Judgement, judge_record
from ledger.audit.replay import steps
from ledger.audit.slip.causes import Cause
from ledger.record.events import ACTS, CLAIMS, Close, Place, Result, Score, actor
from ledger.record.record import ByType, Effective, Record, by_type, effective
from ledger.record.sentences import literal
from ledger.rules.game import GRAVITY, Finding, Game, Judged, Opening, Standing, Step, Verdict
from ledger.rules.shared_clauses import AFTER_END, CORRECTION, UNFINISHED, is_finished_close

SCORES_ONLY: Final = "scores-only"
"""The verdict on a score card: nothing was audited."""
CLEAN: Final = "clean"
_ACTS = frozenset(ACTS)


class Report(Struct, frozen=True, omit_defaults=True):
    """What an audit says of a record, in the fields of the record format.

    `record` is a ledger's id, or FILE:LINE.  `scores` and `winners` are computed, by player id, never copied from a
    claim; of a score card they are the claims, and None where nobody said them.  `rulings` names the rulings that the
    verdict depends on, with their values.  `title` is the title earned in
    Domino Ziggurat; `balance` is a line that says what adds up.  `causes` are there if the report explains its findings
    (see `ledger.audit.slip.slip_search`).
    """

    record: str
    game: str
    finished: bool
    verdict: Verdict | str
    scores: dict[str, int | None]
    winners: tuple[str, ...] | None
    findings: tuple[Finding, ...]
    rulings: dict[str, Any]
    title: str | None = None
    balance: str = ""
    causes: tuple[Cause, ...] | None = None


def audit(game: Game[Any], record: Record, name: str = "") -> Report:
    """Audits one record.  Raises NotARecord if the game cannot read its opening."""
    played = effective(record.events, record.by_type)
    return report(game, game.opening(played.opening), played, name)


def report(game: Game[Any], opening: Opening, played: Effective, name: str = "") -> Report:
    """The report on the effective events of a record; `opening` is its opening as the game reads it."""
    return outcome(game, opening, played, name).report


class Outcome(NamedTuple):
    """An audit: the report, its findings with places for people's names, and the state after the last event."""

    report: Report
    findings: tuple[Judged, ...]
    end: Any


def outcome(game: Game[Any], opening: Opening, played: Effective, name: str = "") -> Outcome:
    """The audit of the effective events of a record; `opening` is its opening as the game reads it."""
    if played.opening.card:
        return _card(game, opening, played, name)
    judgement = judge_record(game, opening, played)
    end = judgement.steps[-1].after
    judgement = reread(game, opening, played, judgement)
    standing = game.standing(judgement.steps[-1].after)
    own_findings = record_findings(game, played, judgement.steps)
    findings = _in_order(opening, played, (*judgement.findings, *own_findings))
    rulings = {name: opening.options[name] for name in ruling_names(game) if name in judgement.touched}
    summed_up = balance(game, end, played, judgement)
    return Outcome(_report(game, opening, name, standing, findings, rulings, summed_up), findings, end)


def _in_order(opening: Opening, played: Effective, findings: Sequence[Judged]) -> tuple[Judged, ...]:
    """The gravest findings first, with the players' ids in their messages."""
    ids = {player: player for player in opening.players}
    ordered = sorted(findings, key=_gravest_first(played)) if findings else ()
    return tuple([replace(one, message=one.filled(ids)) for one in ordered])


def _report(
    game: Game[Any], opening: Opening, name: str, standing: Standing,
    findings: Sequence[Judged], rulings: dict[str, Any], summed_up: str,
) -> Report:  # fmt: skip
    """The report with these findings; the verdict is the gravest of theirs."""
    return Report(
        record=name,
        game=game.name,
        finished=standing.finished,
        verdict=gravest(findings) if findings else CLEAN,
        scores=dict(zip(opening.players, standing.points, strict=True)),
        winners=tuple([opening.players[seat] for seat in standing.winners]) if standing.decided else None,
        findings=tuple([one.plain() for one in findings]),
        rulings=rulings,
        title=standing.title,
        balance=summed_up,
    )


def _card(game: Game[Any], opening: Opening, played: Effective, name: str) -> Outcome:
    """The audit of a score card: its scores and winners as they were claimed, and no verdict of the rules."""
    judged = list(steps(game, opening, played.entries))
    judgement = Judgement(game, judged, set())
    for step in judged:
        if not game.has(step.event):
            judgement.reject(step.seq, step.event)
    slips = [Judged(seq, CORRECTION.id, CORRECTION.verdict, sentence=literal(reason)) for seq, reason in played.slips]
    findings = _in_order(opening, played, (*judgement.findings, *slips))
    end = judged[-1].after
    summed_up = "only the result is known: nothing was audited"
    report = _report(game, opening, name, game.standing(end), findings, {}, summed_up)
    if report.verdict == CLEAN:
        report = replace(report, verdict=SCORES_ONLY)
    return Outcome(report, findings, end)


@cache
def ruling_names(game: Game[Any]) -> tuple[str, ...]:
    """The names of the game's rulings, in order."""
    return tuple(ruling.name for ruling in game.rulings)


def _gravest_first(played: Effective) -> Callable[[Finding], tuple[int, int]]:
    """The sort key of findings: gravity, then place.

    The place is that of the event after corrections; a failed correction has the place where it was recorded.
    """
    if not played.changes and not played.slips:
        return lambda finding: (GRAVITY.index(finding.verdict), finding.seq)
    places = {seq: place for place, seq in enumerate(played.seqs)}

    def order(finding: Finding) -> tuple[int, int]:
        place = next(places[seq] for seq in range(finding.seq, -1, -1) if seq in places)
        return GRAVITY.index(finding.verdict), place

    return order


def gravest(findings: Iterable[Finding]) -> Verdict | str:
    """The gravest verdict of these findings, except notes; ``clean`` if there is none."""
    verdicts = {finding.verdict for finding in findings} - {"note"}
    return next((verdict for verdict in GRAVITY if verdict in verdicts), CLEAN)


def record_findings(game: Game[Any], played: Effective, judged: Sequence[Step]) -> Iterator[Judged]:
    """What is wrong with the record itself: corrections of nothing, acts after its close, a close too early."""
    for seq, reason in played.slips:
        yield Judged(seq, CORRECTION.id, CORRECTION.verdict, sentence=literal(reason))
    if Close not in played.by_type:
        return
    closed, has_result = False, Result in played.by_type
    first_close = [type(step.event) for step in judged].index(Close)
    for step in judged[first_close:]:
        seq, event, before = step.seq, step.event, step.before
        if type(event) is Close:
            if is_finished_close(event) and not (has_result or game.standing(before).finished):
                sentence = "The record was closed as finished, but the game is not over"
                yield Judged(seq, game.unfinished_clause, UNFINISHED.verdict, sentence=sentence)
            closed = True
        elif closed and type(event) in _ACTS and not before.ended:
            sentence = "The record was already closed"
            yield Judged(seq, AFTER_END.id, AFTER_END.verdict, actor(event), sentence=sentence)
            return


def balance(game: Game[Any], end: Any, played: Effective, judgement: Judgement) -> str:
    """One line on what adds up: the tiles of the set in the last state, and the claims that agree."""
    total, parts = 0, []
    for tally in game.tally(end):
        if tally.tiles:
            total += tally.tiles
            parts.append(f"{tally.tiles} {tally.where}")
    claims = _claims(_judged(played, judgement))
    agreement = _agreement(claims - len(judgement.wrong_claims), claims)
    return f"{total} tiles = {' + '.join(parts)} · {agreement}" if parts else agreement[0].upper() + agreement[1:]


def _claims(events: ByType) -> int:
    """How many points, takers and winners these events claim; it counts as `makes_claims` does."""
    places = events.get(Place, ())
    claims = len(places) - [place.points for place in places].count(None)
    for kind in CLAIMS:
        called = events.get(kind, ())
        claims += sum([len(score.points) for score in called]) if kind is Score else len(called)
    return claims


def _agreement(right: int, claims: int) -> str:
    """How many of the scores, counts and winners that the table called are right."""
    if not claims:
        return "no scores were called"
    if right < claims:
        return f"{right} of {claims} called scores check out"
    return f"all {claims} called scores check out" if claims > 1 else "the one called score checks out"


def _judged(played: Effective, judgement: Judgement) -> ByType:
    """The events of the game up to the first act past its end, by type: only their claims were judged."""
    first_past = None
    if judgement.steps[-1].after.past:  # a game never comes back from there
        first_past = next(step.seq for step in judgement.steps if step.after.past)
    if first_past is None and not judgement.foreign:
        return played.by_type
    seqs = played.seqs if first_past is None else islice(played.seqs, played.seqs.index(first_past))
    events = zip(seqs, played.events, strict=False)
    return by_type(event for seq, event in events if seq not in judgement.foreign)
