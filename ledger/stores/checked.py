"""Reads the records of a ledger in bulk, and verifies each chain against its events.

A range of records is given by the positions of their openings in the log: two numbers, and one query, for any number
of records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, LedgerError, NotARecord, no_record
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.book import names_of_event
from ledger.stores.database import MOST_ROWS, Database
from ledger.stores.query import Summary
from ledger.stores.shared import read_back


def last_opening(store: Database) -> int:
    """The position at which the newest record was opened; 0 for an empty ledger."""
    return int(store.rows("SELECT coalesce(max(opened), 0) FROM record")[0][0])


def opening_of(store: Database, record_id: str) -> int:
    """The position at which that record was opened.  Raises UnknownRecord."""
    rows = store.rows("SELECT opened FROM record WHERE id = ?", (record_id,))
    if not rows:
        raise no_record(record_id)
    return int(rows[0][0])


def split(store: Database, openings: range, most: int) -> Iterator[range]:
    """The records opened in that range, in ranges of at most `most` records, or fewer if they have many events."""
    query = "SELECT opened, version FROM record WHERE opened >= ? AND opened < ? ORDER BY opened LIMIT ?"
    begin = openings.start
    while rows := store.rows(query, (begin, openings.stop, most)):
        total = accumulate(version for _opened, version in rows)
        full_at = (opened for (opened, _version), events in zip(rows, total, strict=True) if events >= MOST_ROWS)
        chunk = range(begin, next(full_at, rows[-1][0]) + 1)
        yield chunk
        begin = chunk.stop


def read_checked(store: Database, openings: range) -> Iterator[tuple[str, Record | Corrupt]]:
    """The records opened in that range, in order; a corrupt record is yielded as its Corrupt error."""
    bounds = openings.start, openings.stop
    where = "WHERE r.opened >= ? AND r.opened < ? ORDER BY r.opened"
    versions = store.rows(f"SELECT id, version FROM record r {where}", bounds)  # noqa: S608  a constant
    rows: list[tuple[Any, ...]] = []
    name_rows: dict[Any, list[tuple[Any, ...]]] = {}
    # If this query fails, each record is read by itself: most of them are not corrupt.
    with suppress(LedgerError):
        rows = store.rows(
            f"SELECT e.seq, e.body, e.link FROM record r JOIN event e ON e.record = r.id {where}, e.seq",  # noqa: S608
            bounds,
        )
        query = f"SELECT n.record, n.seq, n.names, n.digest FROM record r JOIN name n ON n.record = r.id {where}, n.seq"  # noqa: S608
        name_rows = {record: list(names) for record, names in groupby(store.rows(query, bounds), itemgetter(0))}
    complete = _complete(versions, rows)
    at = 0
    for record_id, version in versions:
        try:
            if complete:
                events, names, at = rows[at : at + version], name_rows.get(record_id, []), at + version
            else:
                events = store.rows("SELECT seq, body, link FROM event WHERE record = ? ORDER BY seq", (record_id,))
                names = store.rows("SELECT record, seq, names, digest FROM name WHERE record = ?", (record_id,))
            yield record_id, _verify(record_id, version, events, names)
        except Corrupt as error:
            yield record_id, error
        except LedgerError as error:
            yield record_id, Corrupt(f"record {record_id}: {error}")


def stored_audits(store: Database, openings: range) -> dict[str, Summary]:
    """The stored audits of the records opened in that range, by record; those out of date or damaged are left out."""
    rows = store.rows(
        "SELECT r.id, a.verdict, a.summary FROM record r JOIN audit a ON a.record = r.id AND a.version = r.version "
        "WHERE r.opened >= ? AND r.opened < ?",
        (openings.start, openings.stop),
    )
    audits = dict[str, Summary]()
    for record_id, verdict, text in rows:
        with suppress(TypeError, ValueError, msgspec.DecodeError):  # the check of the tables names it
            audits[record_id] = replace(msgspec.json.decode(text, type=Summary), verdict=verdict)
    return audits


def _complete(versions: Sequence[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether every record has as many events as the list says, so that each begins where the one before it ends."""
    starts = accumulate((version for _id, version in versions), initial=0)
    return [place for place, row in enumerate(rows) if not row[0]] == list(starts)[:-1] and (
        len(rows) == sum(version for _id, version in versions)
    )


def _verify(
    record_id: str, version: int, rows: Sequence[tuple[Any, ...]], name_rows: Sequence[tuple[Any, ...]]
) -> Record:
    """The record in these rows.  Raises Corrupt if they are not as they were written."""
    if len(rows) != version or not rows:
        raise Corrupt(f"record {record_id}: it should have {plural(version, 'event')}, and has {len(rows)}")
    seqs, bodies, links = zip(*rows, strict=True)
    if not {bytes}.issuperset(map(type, bodies)):
        raise Corrupt(f"record {record_id}: a row is not an event")
    expected = chain.links(bodies)
    if seqs != tuple(range(version)) or expected != list(links):
        rows_by_seq = enumerate(zip(expected, seqs, links, strict=True))
        seq = next(n for n, (expected_link, seq, link) in rows_by_seq if (seq, link) != (n, expected_link))
        raise Corrupt(f"record {record_id}: event {seq} does not follow from the one before it: it was changed")
    names = {seq: names_of_event(record_id, seq, text, digest) for _id, seq, text, digest in name_rows}
    try:
        return codec.check(read_back(bodies, 0, names))
    except NotARecord as error:
        raise Corrupt(f"record {record_id}: {error}") from None
