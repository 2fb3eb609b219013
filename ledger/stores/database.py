"""Names and secrets, which a database keeps beside the events.

All databases here understand this SQL; placeholders are `?`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec

from ledger.record.chain import Names
from ledger.record.errors import Corrupt, LedgerError
from ledger.stores.beside import Key, Named, Role, Trace
from ledger.stores.listing import Search

MOST_ROWS = 5000
"""Rows held in memory at once."""
EventRow = tuple[int, str, int, str | None, bytes | None, bytes, bytes]
"""An event in its table: position, record, seq, event id, digest of that id, body, link."""


class Database(ABC):
    """The base of all databases: each one adds its connection, transactions and search."""

    search: ClassVar[Search]
    results_sql: ClassVar[str]
    """The query for the results of the games that fulfil the condition `{}`: a row for each game, by opening, with one
    text, an array in JSON (see `GameResults`).  One text is read faster than the numbers and names of every player.
    """
    read_only = False
    doubt = ""
    """Why this may not be the whole ledger, and what to do, as a sentence; empty if there is no reason to doubt it."""
    notice = ""
    """What people should know about how the ledger is read, as a sentence; empty if nothing."""
    derived: ClassVar[tuple[str, ...]] = ("record", "audit", "broken", "finding", "cause", "result")

    @abstractmethod
    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, fetched at once, because a reader that pauses must not block the ledger."""

    @abstractmethod
    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Runs a statement for each row of values."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A transaction that excludes other writers.  Raises LedgerError if nothing could be written."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A transaction in which every query sees the same state, whatever others write meanwhile."""

    @abstractmethod
    def position(self) -> int:
        """The position of the next event, from 1, within a transaction."""

    @abstractmethod
    def insert(self, rows: Sequence[EventRow]) -> None:
        """Inserts events, within a transaction."""

    @abstractmethod
    def migrate(self, backup: Path) -> tuple[int, int]:
        """Upgrades an older schema after copying the ledger to a file; returns the schema that it had, and has."""

    @abstractmethod
    def close(self) -> None:
        """See `Store.close`."""

    @abstractmethod
    def wait_for_change(self, seconds: float) -> None:
        """See `Store.wait_for_change`."""

    @abstractmethod
    def reopen(self) -> Self:
        """See `Store.reopen`."""

    @abstractmethod
    def forget_traces(self) -> list[Trace]:
        """See `Store.forget_traces`."""

    @abstractmethod
    def indexed(self, rows: Sequence[tuple[int, str, str | None]]) -> None:
        """Adds records to the search index, if that is a separate table: opening, names, place."""

    @abstractmethod
    def unindexed(self, opened: int) -> None:
        """Removes the record with this opening from the search index."""

    def hurry(self) -> None:  # noqa: B027  not every database can
        """From now on this object waits for other writers only a moment: what it writes is not urgent."""

    def keep_turn(self) -> None:  # noqa: B027  not every database can
        """For a transaction that ends without a write: the writer lost a race, and goes next if it tries again now.

        Otherwise it would lose the next race too: others write while it waits for its turn.
        """

    def together(self) -> AbstractContextManager[None]:
        """Inside it, statements without a result may be sent together, because each round trip makes others wait."""
        return nullcontext()

    def search_rows(self, openings: Iterable[int]) -> dict[int, tuple[str, str | None]] | None:  # noqa: ARG002
        """The rows of the search index by the positions of their openings, if it is a separate table."""
        return None

    def of_others(self) -> list[str]:
        """See `Store.of_others`."""
        return []

    def count(self, of: str, more: int) -> None:
        """Counts names, keys, clients' ids of events or renamings that were added, within a transaction."""
        if more:
            self.many("UPDATE total SET number = number + ? WHERE of = ?", [(more, of)])

    # ── Names ──────────────────────────────────────────────────────────────────────────────────────────────

    def names(self) -> Iterator[Named]:
        """See `Store.names`."""
        query = "SELECT record, seq, names, digest FROM name WHERE (record, seq) > (?, ?) ORDER BY record, seq LIMIT ?"
        last: tuple[str, int] = ("", -1)
        while rows := self.rows(query, (*last, MOST_ROWS)):
            for record, seq, text, digest in rows:
                yield Named(record, seq, names_of_event(record, seq, text, digest))
            last = rows[-1][:2]

    def renamings(self) -> int:
        """See `Store.renamings`."""
        rows = self.rows("SELECT number FROM total WHERE of = 'renaming'")
        return int(rows[0][0]) if rows else 0

    def keep_names(self, names: Iterable[tuple[str, Mapping[int, Names]]]) -> None:
        """Stores the names in events of records, by record and seq, within a transaction."""
        rows = []
        for record_id, by_seq in names:
            for seq, event_names in by_seq.items():
                if event_names:
                    text = msgspec.json.encode(event_names, order="sorted")
                    rows.append((record_id, seq, text.decode(), _names_digest(record_id, seq, text)))
        if rows:
            self.many("INSERT INTO name (record, seq, names, digest) VALUES (?, ?, ?, ?)", rows)
            self.count("name", len(rows))

    def names_of(self, record_id: str, since: int = 0, upto: int | None = None) -> dict[int, Names]:
        """The names in the events of a record from seq `since` on (and before `upto`), by seq.  Raises Corrupt."""
        query = "SELECT seq, names, digest FROM name WHERE record = ? AND seq >= ? AND seq < ?"
        rows = self.rows(query, (record_id, since, upto if upto is not None else 1 << 30))
        return {seq: names_of_event(record_id, seq, text, digest) for seq, text, digest in rows}

    # ── Keys ───────────────────────────────────────────────────────────────────────────────────────────────

    def keep_key(self, key: Key) -> None:
        """See `Store.keep_key`."""
        with self.writing():
            if not self.rows("SELECT 1 FROM key WHERE record = ? AND digest = ? AND role = ?", key):
                row = (*key, key_row_digest(key))
                self.many("INSERT INTO key (record, digest, role, row_digest) VALUES (?, ?, ?, ?)", [row])
                self.count("key", 1)

    def drop_keys(self, record_id: str, role: Role) -> int:
        """See `Store.drop_keys`."""
        with self.writing():
            rows = self.rows("SELECT count(*) FROM key WHERE record = ? AND role = ?", (record_id, role))
            self.many("DELETE FROM key WHERE record = ? AND role = ?", [(record_id, role)])
            self.count("key", -int(rows[0][0]))
        return int(rows[0][0])

    def kept_keys(self) -> Iterator[Key]:
        """See `Store.kept_keys`."""
        for record, digest, role in self.rows("SELECT record, digest, role FROM key ORDER BY record, digest, role"):
            yield Key(record, digest, role)

    def roles(self, record_id: str, digest: bytes) -> frozenset[Role]:
        """See `Store.roles`."""
        rows = self.rows("SELECT role FROM key WHERE record = ? AND digest = ?", (record_id, digest))
        return frozenset(row[0] for row in rows)


def _names_digest(record_id: str, seq: int, text: bytes) -> bytes:
    return sha256(msgspec.json.encode((record_id, seq)) + text).digest()


def key_row_digest(key: Key) -> bytes:
    """The digest of a row with a key."""
    return sha256(msgspec.json.encode(key)).digest()


def names_of_event(record_id: str, seq: int, text: str, digest: bytes) -> Names:
    """The names of an event.  Raises Corrupt if they were changed: they have a digest of their own."""
    if not isinstance(text, str) or _names_digest(record_id, seq, text.encode()) != digest:
        raise Corrupt(f"record {record_id}: the names at event {seq} are not as they were written")
    return _names.decode(text)


_names = msgspec.json.Decoder(Names)


def gone(had: int, has: int) -> str:
    """The sentence for a ledger that had more events than it has."""
    return f"{had - has} {'event is' if had - has == 1 else 'events are'} gone: it had {had} and has {has}"


def nothing_written(where: object, error: Exception) -> LedgerError:
    """The error for a failed transaction: busy, read-only, a full disk, or rows that contradict each other."""
    if type(error).__name__ in ("IntegrityError", "UniqueViolation", "RaiseException"):
        return Corrupt(
            f"{where}: nothing was written, because the ledger contradicts itself ({error}): `domino-ledger verify` "
            "shows what is wrong, and `domino-ledger repair` mends what is derived from the events"
        )
    return LedgerError(f"{where}: nothing was written: {error}")
