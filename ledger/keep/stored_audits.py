"""The audits that a ledger keeps: what they store, which are missing, and how they differ from new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.equal_names import LISTS, ONCE
from ledger.audit.moments import summary_line
from ledger.audit.report_in_a_sentence import slip_at
from ledger.audit.review import Review, clauses
from ledger.audit.slip.causes import ALIKE, Amendment, Cause, Insertion, InsertionForm, Proposed, Repair, Retraction
from ledger.games import catalog
from ledger.keep.sources import review
from ledger.record.errors import Corrupt, NotARecord, UnknownGame, UnknownRecord
from ledger.record.events import ACTS, CLAIMS, MOVES, Correctable, Place, actor
from ledger.record.record import Record
from ledger.record.visible import without_isolates
from ledger.record.words import did_you_mean
from ledger.rules.game import GRAVE, Finding, Opening
from ledger.stores import questions
from ledger.stores.query import Audit, CauseRow, Corruption, Query, Summary
from ledger.stores.questions import read_checked, stored_audits
from ledger.stores.record_list import REPAIR

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore


def unknown_filter(query: Query, store: SqliteStore) -> str:
    """The reason why no record can match a query: its game or its clause does not exist.  Empty if one could match."""
    if query.game and query.game not in catalog.names() and not store.count_records(Query(game=query.game)):
        try:
            catalog.find(query.game)
        except UnknownGame as error:
            return str(error)
    if query.clause:
        revisions = (revision for game in catalog.games() for revision in game.revisions)
        clause_ids = sorted({clause.id for revision in revisions for clause in clauses(revision)})
        if query.clause not in clause_ids:
            return f"no clause is called {query.clause!r}{did_you_mean(query.clause, clause_ids)}"
    return ""


def list_entry(review: Review) -> Summary:
    """The summary of a record that lists show."""
    report, game, opening = review.report, review.game, review.opening
    mistakes = [finding for finding in report.findings if finding.verdict in GRAVE]
    seats = () if report.finished else game.scene(review.end).seats
    return Summary(
        verdict=report.verdict,
        finished=report.finished,
        winners=report.winners,
        clauses=tuple(sorted({finding.clause for finding in mistakes})),
        scores=tuple(report.scores.values()),
        turn=tuple(player for player, seat in zip(opening.players, seats, strict=False) if seat.turn),
        mistakes=len({finding.seq for finding in mistakes} if report.causes is None else report.causes),
        moves=sum(type(event) in MOVES for event in review.effective.events),
        hands=game.hand_number(review.end) if game.hand_number else 0,
        last=next((event.when for event in reversed(review.record.events) if event.when), None),
        set_size=review.set_size,
        ranks=review.standing().ranked,
        teams=_teams(review.opening) if review.opening.teams else (),
        line=without_isolates(summary_line(review)),
    )


def _teams(opening: Opening) -> tuple[int | None, ...]:
    team = {player: number for number, players in enumerate(opening.teams, 1) for player in players}
    return tuple(map(team.get, opening.players))


def audit_of(record_id: str, record: Record) -> Audit:
    """The audit of a record, as a ledger stores it; ``unreadable`` if no installed game can read the record."""
    result = review(record_id, record)
    if isinstance(result, Review):
        return audit_in(result)
    return Audit(record_id, len(record.events), Summary(UNREADABLE, finished=False))


def audit_in(review: Review) -> Audit:
    """The audit in a review of a ledger's record.

    Its sentences have the names that people have today: whenever somebody is renamed, the record is audited again.
    """
    findings = tuple([replace(finding, message=review.message(finding)) for finding in review.judged])
    meanings = {clause: review.meaning(clause) for clause in {finding.clause for finding in findings}}
    causes = None if review.report.causes is None else [_row(review, cause) for cause in review.report.causes]
    miscounts = frozenset(finding.seq for finding in findings if _is_miscount(review, finding))
    return Audit(review.name, len(review.record.events), list_entry(review), findings, meanings, causes, miscounts)


def _row(review: Review, cause: Cause) -> CauseRow:
    """A cause as a ledger stores it.  The mistake counts for the player of the corrected act, if it is one player's.

    Of two equal names nobody knows which is wrong: unless all corrections are of one player, it is nobody's.
    """
    first = min((review.report.findings[index] for index in cause.findings), key=lambda finding: finding.seq)
    authors = [_author(review, repair) for repair in cause.repairs]
    miscount = _only_claims(review, cause.repairs[0]) if cause.repairs else _is_miscount(review, first)
    player = authors[0] if authors else None if cause.alike or miscount else first.player
    if first.clause == ONCE and len(set(authors)) != 1:
        player = None
    findings, repairs = (msgspec.json.encode(part).decode() for part in (cause.findings, cause.repairs))
    return CauseRow(slip_at(review, cause), first.clause, player, findings, repairs, int(miscount))


def _author(review: Review, repair: Repair) -> str | None:
    """The player whose act these corrections change; None for a claim, the heading, a hand, or several players."""
    players = set[str | None]()
    for correction in repair.made():
        was = None if isinstance(correction, Insertion) else _event(review, correction.seq)
        event = was if isinstance(correction, Retraction) else correction.event
        is_act = type(event) in ACTS and type(event) not in LISTS and not _is_claim(was, event)
        players.add(actor(event) if is_act and event is not None else None)
    return players.pop() if len(players) == 1 else None


def _event(review: Review, seq: int) -> Correctable | None:
    place = review.place(seq)
    return None if place is None else review.steps[place].event


def _is_claim(was: Correctable | None, now: Correctable | None) -> bool:
    """Whether only what was called is changed: a claim, or the points of a placement."""
    return type(now) in CLAIMS or (type(was) is Place and type(now) is Place and replace(was, points=now.points) == now)


def _only_claims(review: Review, repair: Repair) -> bool:
    return all(isinstance(one, Amendment) and _is_claim(_event(review, one.seq), one.event) for one in repair.made())


def _is_miscount(review: Review, finding: Finding) -> bool:
    """Whether a finding says that something was called wrongly, and of no act that it broke a rule."""
    event = _event(review, finding.seq)
    return type(event) in CLAIMS or (
        type(event) is Place and finding.claimed is not None and finding.claimed == event.points
    )


def stored_causes(store: SqliteStore, record_id: str) -> tuple[Cause, ...] | None:
    """The causes that a ledger has stored for what an up-to-date audit found; None while there are none."""
    rows = questions.causes(store, record_id)
    if rows is None:
        return None
    return tuple(_cause(_findings.decode(row.findings), _repairs.decode(row.repairs)) for row in rows)


class _Kept(Struct, frozen=True):
    """A repair as it is kept: its corrections are a form if there are choices."""

    message: str
    corrections: msgspec.Raw
    choices: tuple[Correctable, ...] = ()


def _cause(findings: tuple[int, ...], kept: tuple[_Kept, ...]) -> Cause:
    repairs = [
        Repair((_forms if one.choices else _proposed).decode(one.corrections), one.message, one.choices) for one in kept
    ]
    return Cause(findings, tuple(repairs), alike=not repairs and len(findings) > ALIKE)


_findings = msgspec.json.Decoder(tuple[int, ...])
_repairs = msgspec.json.Decoder(tuple[_Kept, ...])
_proposed: msgspec.json.Decoder[tuple[Proposed | InsertionForm, ...]] = msgspec.json.Decoder(tuple[Proposed, ...])
_forms: msgspec.json.Decoder[tuple[Proposed | InsertionForm, ...]] = msgspec.json.Decoder(tuple[InsertionForm, ...])


def explain_stored(store: SqliteStore, most: int, cancelled: Callable[[], bool] | None = None) -> Iterator[str]:
    """Looks for the causes of what stored audits found, and stores them, newest records first; yields each id.

    It explains at most `most` records, each within the usual time, and stops without a trace when it is `cancelled`.
    """
    from ledger.audit.slip.slip_search import explain
    from ledger.audit.slip.trials import Budget

    for record_id in questions.unexplained(store, most):
        audit = Audit(record_id, store.version(record_id), Summary(UNREADABLE, finished=False))
        with suppress(NotARecord, Corrupt, UnknownRecord):
            result = review(record_id, store.read(record_id))
            if isinstance(result, Review):
                explain(result, Budget(cancelled=cancelled))
                audit = audit_in(result)
        if cancelled is not None and cancelled():
            return
        store.note_audits([audit])
        yield record_id


UNREADABLE: Final = "unreadable"
"""The verdict on a record that no installed game can read."""


def compare_audits(store: SqliteStore, ids: Sequence[str]) -> Iterator[Corruption | None]:
    """Audits these records again; yields for each how its stored audit differs, or None.

    None also stands for a record without an up-to-date audit, and for one that could not be read then or now because
    its game was not installed.
    """
    summaries = stored_audits(store, ids)
    for record_id, record in read_checked(store, ids):
        stored, result = summaries.get(record_id), review(record_id, record)
        if stored is None or stored.verdict == UNREADABLE or not isinstance(result, Review):
            yield None
            continue
        fresh = list_entry(result)
        # Nobody looks again for what was explained.
        if stored.mistakes != fresh.mistakes and len(questions.causes(store, record_id) or ()) == stored.mistakes:
            fresh = replace(fresh, mistakes=stored.mistakes)
        yield _compare(record_id, stored, fresh)


def _compare(record_id: str, stored: Summary, fresh: Summary) -> Corruption | None:
    if stored == fresh:
        return None
    compared = ((name, getattr(stored, name), getattr(fresh, name)) for name in Summary.__struct_fields__)
    name, value, expected = next(row for row in compared if row[1] != row[2])
    reason = f"its stored audit differs from a new one: {name} is {_plain(value)}, and should be {_plain(expected)}"
    return Corruption(record_id, f"{reason}; {REPAIR}")


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def refresh(store: SqliteStore, *, unreadable: bool = False) -> Iterator[str]:
    """Audits every record whose audit is missing or out of date, and stores its summary; yields each id.

    A record that no installed game can read is stored as ``unreadable``.  With `unreadable`, such records are tried
    again: the game, or the revision of its rules, may have been installed since.
    """
    retries = [row.id for row in store.find(Query(verdict=UNREADABLE))] if unreadable else []
    for record_id in (*questions.unaudited(store), *retries):
        audit = Audit(record_id, store.version(record_id), Summary(UNREADABLE, finished=False))
        # A damaged record must not stop the others.
        with suppress(NotARecord, Corrupt, UnknownRecord):
            audit = audit_of(record_id, store.read(record_id))
        store.note_audits([audit])
        yield record_id


def audit_anew(store: SqliteStore) -> None:
    """Audits every record whose audit is missing or out of date."""
    for _ in refresh(store):
        pass
