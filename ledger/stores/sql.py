"""The store that all databases share: the same tables, and SQL that all of them understand.

Each kind of database adds its connection, its transactions, its search and its counter.  Placeholders are `?`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Self

import msgspec

from ledger.record import chain, codec
from ledger.record.chain import Names
from ledger.record.errors import Corrupt, NotARecord, WrongVersion, no_record
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.audits import Audits, Entry
from ledger.stores.beside import Named
from ledger.stores.contract import NO_AUDITS, Difference, Logged, Packed
from ledger.stores.database import MOST_ROWS, End, EventRow, gone
from ledger.stores.derived import differences, differences_of, mend
from ledger.stores.listing import count_sql, find_sql, read_row
from ledger.stores.query import Query, Row
from ledger.stores.results import Audit
from ledger.stores.shared import (
    Encoded,
    admit,
    changes_row,
    checked_length,
    encode,
    find_retry,
    has_intact_id,
    id_digest,
    named_players,
    pack,
    read_back,
    read_joined,
    row_of,
    verify_links,
    with_names,
)
from ledger.stores.tables import COLUMNS

LOGGED = "record, seq, body, link, event_id, id_digest"

BODIES = "SELECT body FROM event WHERE record = ? AND seq >= ? AND seq < ? ORDER BY seq"

LENGTHEN = "UPDATE record SET version = version + ?, ids = ids + ? WHERE id = ?"

AT_ONCE = 500
"""Ids of events in one query."""


def batched(values: Iterable[str], most: int) -> Iterator[tuple[str, ...]]:
    """The values in groups of at most `most`."""
    waiting = iter(values)
    while group := tuple(islice(waiting, most)):
        yield group


@cache
def _end_sql(ids: int) -> str:
    """The query for the end of a record and that number of ids: all in one, because each round trip costs more."""
    repeated = f"(SELECT count(*) FROM event WHERE record = r.id AND event_id IN ({', '.join('?' * ids)}))"  # noqa: S608
    return (
        "SELECT version, players, audited, (SELECT link FROM event WHERE record = r.id AND seq = r.version - 1), "  # noqa: S608
        f"(SELECT max(seq) + 1 FROM event WHERE record = r.id), {repeated if ids else '0'} FROM record r WHERE id = ?"
    )


def _named(record_id: str, names: Mapping[int, Names]) -> Iterator[Named]:
    """The rows with the names in events of a record."""
    return (Named(record_id, seq, event_names) for seq, event_names in names.items() if event_names)


def _entry(record_id: str, record: Record, opened: int, ids: int = 0, audit: Audit | None = None) -> Entry:
    """A record for the list: see `Entry`."""
    return Entry(row_of(record_id, record), named_players(record), opened, ids, audit)


def event_rows(
    position: int, record_id: str, end: End, encoded: Encoded, event_ids: Sequence[str] | None
) -> list[EventRow]:
    """The rows of events that follow the end of a record, from this position on."""
    rows, link = list[EventRow](), end.link
    ids = event_ids or (None,) * len(encoded.bodies)
    for n, (body, id_) in enumerate(zip(encoded.bodies, ids, strict=True)):
        seq, link = end.version + n, chain.link(link, body)
        rows.append((position + n, record_id, seq, id_, id_digest(record_id, seq, id_), body, link))
    return rows


class SqlStore(Audits):
    """A ledger in a database.  See `Store` for what its methods do."""

    joined = ""
    """A query for the number of events that `BODIES` gives, and for their bodies with commas between them in one value.

    It is empty where a row for each costs no more.
    """

    # ── Appending ──────────────────────────────────────────────────────────────────────────────────────────

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        encoded = encode(events, expected)
        with self.writing():
            if self.append_next(record_id, expected, events, encoded, event_ids):
                return expected + len(events)
            end = self._end_of(record_id, event_ids or ())
            version = end.version
            if event_ids is not None:
                stored = self._events_by_id(record_id, event_ids) if end.repeated else {}
                retry = find_retry(record_id, events, event_ids, stored)
                if retry is not None and retry.known == len(events):
                    return retry.version
                if retry is not None:
                    events, event_ids, expected = events[retry.known :], event_ids[retry.known :], retry.version
                    encoded = encode(events, expected)
            if not version and expected:
                raise no_record(record_id)
            if expected != version:
                self.keep_turn()
                raise WrongVersion(record_id, expected, version, self._events_from(record_id, expected))
            if not events:
                return version
            admit(version, end.players, events)
            rows = event_rows(self.position(), record_id, end, encoded, event_ids)
            with self.together():
                self.insert(rows)
                if encoded.names:
                    self.keep(_named(record_id, encoded.names))
                if version and not changes_row(events):
                    self.lengthen(rows, end.players)
                    if end.judged:
                        self.outdate(record_id)
                else:
                    self._rebuild_row(record_id, len(event_ids or ()))
        return version + len(events)

    def append_next(
        self,
        record_id: str,  # noqa: ARG002
        expected: int,  # noqa: ARG002
        events: Sequence[AnyEvent],  # noqa: ARG002
        encoded: Encoded,  # noqa: ARG002
        event_ids: Sequence[str] | None,  # noqa: ARG002
    ) -> bool:
        """Appends events without reading the record, if this object wrote last; returns whether it did."""
        return False

    def _end_of(self, record_id: str, event_ids: Sequence[str]) -> End:
        """What an append needs to know of a record; `event_ids` are those of the new events.

        Raises Corrupt if the record's row in the list and its events contradict each other.
        """
        advice = "nothing was written; `domino-ledger verify` shows more, and `domino-ledger repair` mends the list"
        first, more = event_ids[:AT_ONCE], len(event_ids[AT_ONCE:])
        list_rows = self.rows(_end_sql(len(first)), (*first, record_id))
        if not list_rows:
            if self.rows("SELECT 1 FROM event WHERE record = ? LIMIT 1", (record_id,)):
                raise Corrupt(f"record {record_id} has events, and its row in the list is missing: {advice}")
            return End()
        version, players, audited, link, number, repeated = list_rows[0]
        if version != number:
            raise Corrupt(f"record {record_id} has {plural(number, 'event')}, and {version} in the list: {advice}")
        try:
            ids = frozenset([pair[0] for pair in msgspec.json.decode(players)])
        except (TypeError, LookupError, ValueError):
            raise Corrupt(f"record {record_id}: its row in the list is damaged: {advice}") from None
        return End(version, ids, link, bool(audited), repeated + more)

    def append_records(
        self, records: Iterable[tuple[str, Sequence[AnyEvent] | Packed]], audits: Mapping[str, Audit] = NO_AUDITS
    ) -> int:
        """See `Store.append_records`."""
        count, rows, entries = 0, list[EventRow](), dict[str, Entry]()
        names = list[Named]()

        def flush() -> None:
            self._refuse_known(entries)
            self.insert(rows)
            self.keep(names)
            self.enter(list(entries.values()))
            for waiting in (rows, names, entries):
                waiting.clear()

        with self.writing():
            position = self.position()
            for record_id, contents in records:
                if len(rows) > MOST_ROWS or record_id in entries:
                    flush()
                packed = contents if isinstance(contents, Packed) else pack(contents)
                rows += [
                    (position + seq, record_id, seq, None, None, body, link)
                    for seq, (body, link) in enumerate(zip(packed.bodies, packed.links, strict=True))
                ]
                names += _named(record_id, packed.names)
                audit = audits.get(record_id)
                fits = audit is not None and audit.version == len(packed.bodies)
                entries[record_id] = _entry(record_id, packed.record, position, audit=audit if fits else None)
                position += len(packed.bodies)
                count += 1
            flush()
        return count

    def _refuse_known(self, ids: Collection[str]) -> None:
        """Raises WrongVersion if one of these records is there already."""
        for batch in batched(ids, AT_ONCE):
            placeholders = ", ".join("?" * len(batch))
            for record_id, version in self.rows(f"SELECT id, version FROM record WHERE id IN ({placeholders})", batch):  # noqa: S608
                raise WrongVersion(record_id, 0, version, self._events_from(record_id))

    def _events_by_id(self, record_id: str, event_ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        stored = dict[str, tuple[int, bytes]]()
        for ids in batched(event_ids, AT_ONCE):
            placeholders = ", ".join("?" * len(ids))
            query = f"SELECT event_id, seq, body FROM event WHERE record = ? AND event_id IN ({placeholders})"  # noqa: S608
            stored.update((row[0], (row[1], row[2])) for row in self.rows(query, (record_id, *ids)))
        return stored

    def lengthen(self, rows: Sequence[EventRow], players: frozenset[str]) -> None:  # noqa: ARG002
        """Counts new events in the row of their record, which has these players."""
        ids = sum(row[3] is not None for row in rows)
        self.many(LENGTHEN, [(len(rows), ids, rows[0][1])])

    def _rebuild_row(self, record_id: str, more_ids: int = 0) -> None:
        """Rebuilds the record's row, without the audit, which was of an earlier version.

        The number of ids is not read off the events, because they may have lost some.
        """
        opened = self.rows("SELECT position FROM event WHERE record = ? AND seq = 0", (record_id,))[0][0]
        counted = self.rows("SELECT ids FROM record WHERE id = ?", (record_id,))
        ids = more_ids + (int(counted[0][0]) if counted else 0)
        self.leave(record_id, opened)
        self.enter([_entry(record_id, Record(self._events_from(record_id)), opened, ids)])

    # ── Reading ────────────────────────────────────────────────────────────────────────────────────────────

    def _events_from(self, record_id: str, since: int = 0, upto: int | None = None) -> tuple[AnyEvent, ...]:
        span = (record_id, since, upto if upto is not None else 1 << 30)
        if self.joined:
            ((count, bodies),) = self.rows(self.joined, span)
            events = read_joined(bodies, count)
            if events is not None:
                return with_names(events, since, self.names_of(record_id, since, upto))
        # Each is read by itself, so that a damaged one can be named.
        rows = self.rows(BODIES, span)
        return read_back([body for (body,) in rows], since, self.names_of(record_id, since, upto))

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        events = self._events_from(record_id, upto=checked_length(upto))
        if not events:
            raise no_record(record_id)
        return codec.check(events)

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        if not self.version(record_id):
            raise no_record(record_id)
        since = max(since, 0)
        return iter(list(enumerate(self._events_from(record_id, since), since)))

    def version(self, record_id: str) -> int:
        """See `Store.version`."""
        rows = self.rows("SELECT version FROM record WHERE id = ?", (record_id,))
        return int(rows[0][0]) if rows else 0

    def ids(self, part: str = "") -> tuple[str, ...]:
        """See `Store.ids`."""
        where, values = (f"WHERE {self.search.contains('id')}", (self.search.within(part),)) if part else ("", ())
        return tuple(row[0] for row in self.rows(f"SELECT id FROM record {where} ORDER BY opened", values))  # noqa: S608  constants

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        return [read_row(row) for row in self.rows(*find_sql(query, self.search))]

    def count_records(self, query: Query) -> int:
        """See `Store.count_records`."""
        return int(self.rows(*count_sql(query, self.search))[0][0])

    # ── The chain and the log ──────────────────────────────────────────────────────────────────────────────

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """See `Store.log`."""
        query = f"SELECT {LOGGED} FROM event WHERE position > ? AND position <= ? ORDER BY position"  # noqa: S608  constants
        size, values = self.size(), tuple[object, ...]()
        if of is not None:
            query = f"SELECT {LOGGED} FROM event WHERE seq >= ? AND seq < ? AND record = ? ORDER BY seq"  # noqa: S608
            size, values = self.version(of), (of,)
        end = size if upto is None else min(upto, size)
        for begin in range(since, end, MOST_ROWS):
            yield from map(Logged._make, self.rows(query, (begin, min(begin + MOST_ROWS, end), *values)))

    def size(self) -> int:
        """See `Store.size`."""
        return int(self.rows("SELECT coalesce(max(position), 0) FROM event")[0][0])

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """See `Store.high_water_mark`."""
        return None

    def loss(self) -> str:
        """See `Store.loss`."""
        return ""

    def accept_loss(self) -> None:
        """See `Store.accept_loss`."""

    def damage(self) -> list[str]:
        """See `Store.damage`: also gaps between the positions of events."""
        last, number = self.rows("SELECT coalesce(max(position), 0), count(*) FROM event")[0]
        if last == number:
            return []
        advice = "restore a backup, or `domino-ledger copy NEW` makes a ledger of what is left"
        return [f"{gone(last, number)}: the positions have gaps; {advice}"]

    def events_digest(self) -> bytes:
        """The SHA-256 of all events: the same before and after a change of the schema."""
        digest, position = sha256(), 0
        query = f"SELECT {', '.join(COLUMNS['event'])} FROM event WHERE position > ? ORDER BY position LIMIT ?"  # noqa: S608
        while rows := self.rows(query, (position, MOST_ROWS)):
            for row in rows:
                digest.update(msgspec.json.encode(row))
            position = rows[-1][0]
        return bytes(digest.digest())

    def differences(self, of: str | None = None) -> Iterator[Difference]:
        """See `Store.differences`."""
        return differences(self) if of is None else differences_of(self, of)

    def append_log(self, log: Iterable[Logged]) -> int:
        """See `Store.append_log`."""
        with self.writing():
            rows: list[EventRow] = [
                (position, entry.record, entry.seq, *_id_of(entry), entry.body, entry.link)
                for position, entry in enumerate(verify_links(self, log), self.position())
            ]
            self.insert(rows)
            ids = Counter(row[1] for row in rows if row[3] is not None)
            for record_id in dict.fromkeys(row[1] for row in rows):
                self._rebuild_row(record_id, ids[record_id])
        return len(rows)

    # ── Names ──────────────────────────────────────────────────────────────────────────────────────────────

    def renamed(self, records: Iterable[str]) -> None:
        """See `Book.renamed`."""
        for number, record in enumerate(records):
            if not number:
                self.count("renaming", 1)
            if self.version(record):
                self._rebuild_row(record)

    # ── Rebuilding the list ────────────────────────────────────────────────────────────────────────────────

    def rebuild(self) -> list[Difference]:
        """See `Store.rebuild`."""
        with self.writing():
            unrestored = list(mend(self))
            self.clear_derived()
            self.count("renaming", 1)  # what others have read may have been damaged
            for record_id, position in self.rows("SELECT record, position FROM event WHERE seq = 0 ORDER BY position"):
                try:
                    record = codec.check(self._events_from(record_id))
                except (NotARecord, Corrupt) as error:
                    unrestored.append(
                        Difference(record_id, f"its events cannot be read, only a backup has them: {error}")
                    )
                else:
                    ids = self.rows("SELECT count(event_id) FROM event WHERE record = ?", (record_id,))[0][0]
                    self.enter([_entry(record_id, record, position, ids)])
        return unrestored

    def clear_derived(self) -> None:
        """Empties the tables that are derived from the events, within a transaction."""
        for table in self.derived:
            self.many(f"DELETE FROM {table}", [()])  # noqa: S608  one of these constants

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _id_of(entry: Logged) -> tuple[str | None, bytes | None]:
    """The client's id of an event in another ledger and its digest, or neither if the id was changed there."""
    return (entry.event_id, entry.id_digest) if has_intact_id(entry) else (None, None)
