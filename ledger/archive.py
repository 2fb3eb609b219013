"""Auditing many records: each as it comes, in order, and none held in memory longer than that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from ledger.audit import Report
from ledger.errors import Corrupt, NotARecord, UnknownGame, UnknownRecord
from ledger.events import ACTS
from ledger.record import Record
from ledger.review import Review
from ledger.sources import Item
from ledger.stores.contract import Query, Store, Summary

_ACTS = frozenset(ACTS)


class Audited(NamedTuple):
    """One input of a bulk audit: its name, and its review or why there is none."""

    name: str
    result: Review | NotARecord | UnknownGame

    @property
    def report(self) -> Report | None:
        """The report, if the input was a record."""
        return self.result.report if isinstance(self.result, Review) else None


def audit_all(inputs: Iterable[Item]) -> Iterator[Audited]:
    """Audits each record of the input.  Errors, also for unknown games, are passed on as results."""
    for name, result in inputs:
        yield Audited(name, review(name, result) if isinstance(result, Record) else result)


def review(name: str, record: Record) -> Review | NotARecord | UnknownGame:
    """The review of one record, or why there is none."""
    try:
        return Review(record, name)
    except NotARecord as error:
        source, _, line = name.rpartition(":")
        return error.at(source, int(line)) if line.isdigit() else error.at(name)
    except UnknownGame as error:
        return error


def list_entry(review: Review) -> Summary:
    """What a list shows of a record."""
    report, game, opening = review.report, review.game, review.opening
    mistakes = [finding for finding in report.findings if finding.verdict in ("impossible", "breach")]
    seats = () if report.finished else game.scene(review.end).seats
    return Summary(
        verdict=report.verdict,
        finished=report.finished,
        winners=report.winners,
        clauses=tuple(sorted({finding.clause for finding in mistakes})),
        scores=tuple(report.scores.values()),
        turn=tuple(player for player, seat in zip(opening.players, seats, strict=False) if seat.turn),
        mistakes=len(mistakes),
        moves=sum(type(event) in _ACTS for event in review.effective.events),
        hands=game.hand_number(review.end) if game.hand_number else 0,
        last=next((event.when for event in reversed(review.record.events) if event.when), None),
    )


def refresh(store: Store, *, unreadable: bool = False, waiting: Iterable[str] | None = None) -> Iterator[str]:
    """Audits every record whose audit is missing or out of date, and stores its summary; yields each id.

    `waiting` gives their ids if they are known already.  A record that no installed game can read is stored as
    ``unreadable``.  With `unreadable` those are tried again: the game, or the revision of its rules, may have been
    installed since.
    """
    retries = [row.id for row in store.find(Query(verdict="unreadable"))] if unreadable else []
    for record_id in (*(store.unaudited() if waiting is None else waiting), *retries):
        entry, version = Summary("unreadable", finished=False), store.version(record_id)
        # A damaged record must not stop the others.
        with suppress(NotARecord, Corrupt, UnknownRecord):
            record = store.read(record_id)
            result, version = review(record_id, record), len(record.events)
            entry = list_entry(result) if isinstance(result, Review) else entry
        store.note_audit(record_id, version, entry)
        yield record_id
