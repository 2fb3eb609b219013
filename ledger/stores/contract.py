"""The contract of a store.

A record is a list of events that only grows; its version is their number.  A writer states the version it has seen, so
two writers cannot both write the next event.  The list of records is derived from the events and can be rebuilt at any
time.

A store accepts only valid records: it refuses events that nobody could read again, from every writer (see `shared`).
It does not check whether the table played by the rules.

Source: the record format, version 1 (docs/record-format.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self

from ledger.record.chain import Names
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.stores.beside import K, Kept, Trace
from ledger.stores.query import Query, Row
from ledger.stores.results import Audit

NO_AUDITS: Mapping[str, Audit] = MappingProxyType({})


class Logged(NamedTuple):
    """An event in a ledger: its record and seq, its bytes and its link.

    `event_id` is the client's own id, if it has one, and `id_digest` what was stored with it (see `shared.id_digest`).
    """

    record: str
    seq: int
    body: bytes
    link: bytes
    event_id: str | None = None
    id_digest: bytes | None = None


class Difference(NamedTuple):
    """A row beside the events that is not as it should be: the record ("" for none), and what is wrong with it."""

    record: str
    reason: str


class Packed(NamedTuple):
    """A whole record as it is stored: see `shared.pack`."""

    record: Record
    bodies: Sequence[bytes]
    names: Mapping[int, Names]
    links: Sequence[bytes]


class EventLog(Protocol):
    """The events: all that is written, in order, and the chain that binds them."""

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """Appends all of these events or none, and returns the version after them.

        `expected` is the version that the writer has seen; 0 opens a record, whose first event is its opening.
        `event_ids` are the client's own, one per event, and make retries safe: events at the start of the batch that
        are stored already are skipped, and the rest must follow directly.  If the whole batch was stored already, the
        version after its last event is returned, even if the record has grown since.

        Raises WrongVersion with the events that the writer has missed, IdReused for an id of another event,
        UnknownRecord for a missing record, NotARecord for events that would make the record invalid.
        """
        ...

    def append_records(
        self, records: Iterable[tuple[str, Sequence[AnyEvent] | Packed]], audits: Mapping[str, Audit] = NO_AUDITS
    ) -> int:
        """Adds whole records under new ids, with their audits by id, all of them or none; returns their number.

        Raises WrongVersion for an id in use, NotARecord for events that are not a record.
        """
        ...

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """The record, or its first `upto` events.  Raises UnknownRecord, and NotForNow for an `upto` below 1."""
        ...

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """The events from seq `since` on, each with its seq.  Raises UnknownRecord."""
        ...

    def version(self, record_id: str) -> int:
        """The number of events in the record; 0 if there is no such record."""
        ...

    def ids(self, part: str = "") -> tuple[str, ...]:
        """The ids of all records, or of those whose id contains `part`, in the order of opening."""
        ...

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """The events after the first `since` (up to the first `upto`), in order of writing; all, or `of` a record."""
        ...

    def append_log(self, log: Iterable[Logged]) -> int:
        """Adds events from the log of another ledger, all of them or none; returns their number.

        They must continue where this ledger ends: both then have the same tree head.  Raises Corrupt for an event that
        does not follow from the one before it.
        """
        ...

    def size(self) -> int:
        """The number of events in the ledger."""
        ...

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """The high-water mark outside the ledger: the number of events and their Merkle root, or None if there is none.

        Raises Corrupt if it cannot be read.
        """
        ...

    def loss(self) -> str:
        """What the ledger has lost, as far as that is known without reading all of it; empty if nothing."""
        ...

    def displaced(self) -> str:
        """Why nothing more is written to the ledger that is open, and what to do, as a sentence; empty if it is."""
        ...

    def accept_loss(self) -> None:
        """Goes on without the events that are gone from the end: from now on nothing misses them."""
        ...

    def damage(self) -> list[str]:
        """Damage that the database reports, such as an index that does not match its table."""
        ...

    def of_others(self) -> list[str]:
        """What lies among the ledger's tables and is not its own, such as "the view my_league": nobody touches it."""
        ...


class Index(Protocol):
    """What is derived from the events: the list of records and their audits."""

    def find(self, query: Query) -> list[Row]:
        """The records that match a query, in its order."""
        ...

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a question in SQL (placeholders are `?`) to the ledger's tables and views.

        Every database understands those in `questions`.
        """
        ...

    def count_records(self, query: Query) -> int:
        """The number of records that match a query, whatever its limit and offset."""
        ...

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """Stores audits, each of its version.  One of a record that has grown since is left out."""
        ...

    def differences(self, of: str | None = None) -> Iterator[Difference]:
        """The rows of the list, of names, audits and keys that are missing, too many, or not as they were written.

        All of them, or those `of` a record.
        """
        ...

    def rebuild(self) -> list[Difference]:
        """Rebuilds the list from the events, and mends names and keys; returns what could not be restored.

        Stored audits are deleted: no event contains them, and they are made again.
        """
        ...


class Beside(Protocol):
    """What is outside the chain and can be erased: names in events, keys, comments on moves, and aliases."""

    def kept(self, kind: type[K], record: str | None = None) -> Iterator[K]:
        """What is kept of this kind, of a record or of all, in the order of its key; an alias belongs to no record."""
        ...

    def put(self, items: Iterable[Kept]) -> None:
        """Keeps these, each in place of what has the same key.  The record need not exist yet.

        A comment with the number 0 gets the next one of its record.  An event whose `Named` has no names loses them.
        Raises NotForNow for too many comments.
        """
        ...

    def drop(self, items: Iterable[Kept]) -> int:
        """Deletes what has the keys of these; returns how many there were."""
        ...

    def forget_traces(self) -> list[Trace]:
        """Removes erased names from the underlying files; returns what may still have them.

        It waits a while for readers that hold an old state.
        """
        ...


class Store(EventLog, Index, Beside, Protocol):
    """A place that keeps records.  All stores pass one contract test (tests/test_store.py).

    One object serves one thread; several processes may write to the same ledger.  Close it, or use it in a `with`.
    """

    read_only: bool
    """Whether nothing can be written: a read-only file, folder, disk or replica.  Everything can be read there."""

    def wait_for_change(self, seconds: float) -> None:
        """Waits until something may have been written, at most that long."""
        ...

    def reopen(self) -> Self:
        """The same ledger for another thread, which must close it too."""
        ...

    def close(self) -> None:
        """Closes files and connections."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exc: object) -> None: ...
