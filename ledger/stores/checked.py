"""Records of a ledger read in bulk, each with its chain held against its events while they are read.

A stretch is some records that were opened one after the other, told by the places of their openings in the log: it is
two numbers, however many records it has, and one question to the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from ledger import chain, codec
from ledger.errors import Harmed, LedgerError, NotARecord, UnknownRecord
from ledger.record import Record
from ledger.stores.database import HELD, Database, names_of_event
from ledger.stores.shared import read_back


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
    """The records that were opened in between, in stretches of so many, or of fewer with many events."""
    asked = "SELECT opened, version FROM record WHERE opened > ? AND opened <= ? ORDER BY opened LIMIT ?"
    while found := store.rows(asked, (after, upto, most)):
        total = accumulate(version for _opened, version in found)
        end = next((opened for (opened, _version), events in zip(found, total, strict=True) if events >= HELD), None)
        begin, after = after, found[-1][0] if end is None else end
        yield Stretch(begin, after)


def checked(store: Database, stretch: Stretch) -> Iterator[tuple[str, Record | Harmed]]:
    """The records of a stretch in the order of their opening; one that is not as it was written as what is wrong."""
    here = "WHERE r.opened > ? AND r.opened <= ? ORDER BY r.opened"
    listed = store.rows(f"SELECT id, version FROM record r {here}", stretch)  # noqa: S608  a constant
    rows: list[tuple[Any, ...]] = []
    named: dict[Any, list[tuple[Any, ...]]] = {}
    # Where these cannot be read together, each record is tried by itself: most of them are not harmed.
    with suppress(LedgerError):
        rows = store.rows(
            f"SELECT e.seq, e.body, e.link FROM record r JOIN event e ON e.record = r.id {here}, e.seq",  # noqa: S608
            stretch,
        )
        asked = f"SELECT n.record, n.seq, n.names, n.digest FROM record r JOIN name n ON n.record = r.id {here}, n.seq"  # noqa: S608
        named = {record: list(names) for record, names in groupby(store.rows(asked, stretch), itemgetter(0))}
    whole = _whole(listed, rows)
    at = 0
    for record_id, version in listed:
        try:
            if whole:
                own, names, at = rows[at : at + version], named.get(record_id, []), at + version
            else:
                own = store.rows("SELECT seq, body, link FROM event WHERE record = ? ORDER BY seq", (record_id,))
                names = store.rows("SELECT record, seq, names, digest FROM name WHERE record = ?", (record_id,))
            yield record_id, _held(record_id, version, own, names)
        except Harmed as error:
            yield record_id, error
        except LedgerError as error:
            yield record_id, Harmed(f"record {record_id}: {error}")


def _whole(listed: Sequence[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether all records have as many events as the list says: then each one's begin where those before it end."""
    starts = accumulate((version for _id, version in listed), initial=0)
    return [place for place, row in enumerate(rows) if not row[0]] == list(starts)[:-1] and (
        len(rows) == sum(version for _id, version in listed)
    )


def _held(record_id: str, version: int, rows: Sequence[tuple[Any, ...]], named: Sequence[tuple[Any, ...]]) -> Record:
    """The record of these rows.  Raises Harmed if they are not what was written."""
    if len(rows) != version or not rows:
        raise Harmed(f"record {record_id}: it should have {version} events, and has {len(rows)}")
    seqs, bodies, links = zip(*rows, strict=True)
    if not {bytes}.issuperset(map(type, bodies)):
        raise Harmed(f"record {record_id}: what stands there is no event")
    found = chain.links(bodies)
    if seqs != tuple(range(version)) or found != list(links):
        each = enumerate(zip(found, seqs, links, strict=True))
        seq = next(seq for seq, (own, said, link) in each if (said, link) != (seq, own))
        raise Harmed(f"record {record_id}: event {seq} does not follow from those before it: it was changed")
    names = {seq: names_of_event(record_id, seq, text, kept) for _id, seq, text, kept in named}
    try:
        return codec.check(read_back(bodies, 0, names))
    except NotARecord as error:
        raise Harmed(f"record {record_id}: {error}") from None
