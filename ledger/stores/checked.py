"""Records of a ledger read in bulk, each with its chain held against its events while they are read.

A stretch is some records that were opened one after the other, told by the places of their openings in the log: it is
two numbers, however many records it has, and one question to the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from ledger import chain
from ledger.errors import Harmed, NotARecord, UnknownRecord
from ledger.record import Record
from ledger.stored import read_back
from ledger.stores.database import Database, names_of_event


class Stretch(NamedTuple):
    """The records that were opened after one place in the log, up to another."""

    after: int
    upto: int


def last(store: Database) -> int:
    """The place where the newest record was opened, 0 for an empty ledger."""
    return int(store.rows("SELECT coalesce(max(opened), 0) FROM record")[0][0])


def opened(store: Database, record_id: str) -> Stretch:
    """The stretch of that one record.  Raises UnknownRecord."""
    found = store.rows("SELECT opened FROM record WHERE id = ?", (record_id,))
    if not found:
        raise UnknownRecord(f"the ledger has no record {record_id}")
    return Stretch(int(found[0][0]) - 1, int(found[0][0]))


def stretches(store: Database, after: int, upto: int, most: int) -> Iterator[Stretch]:
    """The records that were opened in between, in stretches of so many."""
    asked = (
        "SELECT max(opened) FROM "
        "(SELECT opened FROM record WHERE opened > ? AND opened <= ? ORDER BY opened LIMIT ?) AS few"
    )
    while (found := store.rows(asked, (after, upto, most))[0][0]) is not None:
        yield Stretch(after, found)
        after = found


def checked(store: Database, stretch: Stretch) -> Iterator[tuple[str, Record | Harmed]]:
    """The records of a stretch in the order of their opening; one that is not as it was written as what is wrong."""
    named = {
        record: [row[1:] for row in rows]
        for record, rows in groupby(
            store.rows(
                "SELECT n.record, n.seq, n.names, n.digest FROM record r JOIN name n ON n.record = r.id "
                "WHERE r.opened > ? AND r.opened <= ? ORDER BY r.opened, n.seq",
                stretch,
            ),
            itemgetter(0),
        )
    }
    rows = store.rows(
        "SELECT r.id, r.version, e.seq, e.body, e.link FROM record r LEFT JOIN event e ON e.record = r.id "
        "WHERE r.opened > ? AND r.opened <= ? ORDER BY r.opened, e.seq",
        stretch,
    )
    for record_id, events in groupby(rows, itemgetter(0)):
        try:
            yield record_id, _held(record_id, list(events), named.get(record_id, ()))
        except Harmed as error:
            yield record_id, error


def _held(record_id: str, rows: Sequence[tuple[Any, ...]], named: Sequence[tuple[Any, ...]]) -> Record:
    """The record of these rows.  Raises Harmed if they are not what was written."""
    version, there = rows[0][1], len(rows) if rows[0][2] is not None else 0
    if there != version:
        raise Harmed(f"record {record_id}: it should have {version} events, and has {there}")
    bodies = [bytes(row[3]) for row in rows]
    for seq, (row, link) in enumerate(zip(rows, chain.links(bodies), strict=True)):
        if row[2] != seq or link != row[4]:
            raise Harmed(f"record {record_id}: event {seq} does not follow from those before it: it was changed")
    names = {seq: names_of_event(record_id, seq, text, kept) for seq, text, kept in named}
    try:
        return Record(read_back(bodies, 0, names))
    except NotARecord as error:
        raise Harmed(f"record {record_id}: {error}") from None
