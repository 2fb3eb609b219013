"""Many records at once: each audited as it comes, in order, none of them held longer than that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from ledger.audit import Report
from ledger.errors import Harmed, NotARecord, UnknownGame
from ledger.record import Record
from ledger.review import Review
from ledger.sources import Item
from ledger.stores.contract import Query, Store, Summary


class Audited(NamedTuple):
    """One input of a bulk audit: its name, and the review or why there is none."""

    name: str
    found: Review | NotARecord | UnknownGame

    @property
    def report(self) -> Report | None:
        """The report, if the input was a record."""
        return self.found.report if isinstance(self.found, Review) else None


def audit_all(inputs: Iterable[Item]) -> Iterator[Audited]:
    """Audits each record of the input.  What is none, or of an unknown game, is passed on as the error it is."""
    for name, found in inputs:
        yield Audited(name, reviewed(name, found) if isinstance(found, Record) else found)


def reviewed(name: str, record: Record) -> Review | NotARecord | UnknownGame:
    """The review of one record, or why there can be none."""
    try:
        return Review(record, name)
    except NotARecord as error:
        source, _, line = name.rpartition(":")
        return error.at(source, int(line)) if line.isdigit() else error.at(name)
    except UnknownGame as error:
        return error


def summary(report: Report) -> Summary:
    """What a list shows of a report."""
    broken = {finding.clause for finding in report.findings if finding.verdict in ("impossible", "breach")}
    return Summary(report.verdict, report.finished, report.winners, tuple(sorted(broken)))


def refresh(store: Store, *, unreadable: bool = False, waiting: Iterable[str] | None = None) -> Iterator[str]:
    """Audits every record of a ledger whose audit is missing or old, and keeps what lists show; yields each id.

    `waiting` are their ids, where they are known already.  A record that no game here can read is kept as
    ``unreadable``.  With `unreadable` those are tried again: the game, or the revision of its rules, may have been
    installed since.
    """
    again = [row.id for row in store.find(Query(verdict="unreadable"))] if unreadable else []
    for record_id in (*(store.unaudited() if waiting is None else waiting), *again):
        kept, version = Summary("unreadable", finished=False), store.version(record_id)
        # One that was damaged is not in the way of the others.
        with suppress(NotARecord, Harmed):
            record = store.read(record_id)
            found, version = reviewed(record_id, record), len(record.events)
            kept = summary(found.report) if isinstance(found, Review) else kept
        store.note_audit(record_id, version, kept)
        yield record_id
