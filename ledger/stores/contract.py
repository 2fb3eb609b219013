"""The contract of a store, and the queries for its list of records.

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
from typing import Annotated, Literal, NamedTuple, Protocol, Self

from msgspec import Meta, Struct

from ledger.chain import Names
from ledger.errors import NotForNow
from ledger.events import AnyEvent
from ledger.game import Finding
from ledger.record import Record
from ledger.stores.alias_book import AliasBook
from ledger.stores.beside import CommentBook, KeyRing, NameBook
from ledger.stores.results import Audit, Mistake, Result


class Summary(Struct, frozen=True):
    """What the list of a ledger shows of a record besides its opening: the result of its audit.

    `winners` and `turn` (who acts next) are ids of players, `clauses` the ids of broken clauses.  `scores` are by seat
    and by the rules.  `mistakes` counts the findings that are breaches or impossible, `moves` the acts, and `hands` the
    hands begun, in games that have them.  `last` is the time of the last event that has one.
    """

    verdict: str
    finished: bool
    winners: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    turn: tuple[str, ...] = ()
    mistakes: int = 0
    moves: int = 0
    hands: int = 0
    last: str | None = None


class Row(Struct, frozen=True, kw_only=True):
    """A record in the list of a ledger, with its opening after corrections.

    `event` is the occasion, such as a tournament; `players` are the id and name of each, by seat; `events` is the
    version.  `closed`: it was closed and still is.
    `audit` is the stored audit of this version, if any.  `corrupt`: the row cannot be read as it is.
    """

    id: str
    game: str
    edition: str | None
    played: str | None
    place: str | None
    event: str | None = None
    players: tuple[tuple[str, str], ...]
    events: int
    closed: bool
    audit: Summary | None = None
    corrupt: bool = False


Verdict = Literal["clean", "unproven", "breach", "impossible", "unreadable"]
"""What an audit says of a whole record."""
_Text = Annotated[str, Meta(max_length=200)]
_Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


class Query(Struct, frozen=True, kw_only=True):
    """Which records to list.  None means any.

    `player` is a part of a player's id or name; of several parts, separated by spaces, a record must have all.  `place`
    is a part of a place.  Case does not matter.  `since` and `until` are days, both included.  `verdict` and `clause`
    (the id of a broken clause) find records with an up-to-date audit.  `closed` finds the records that are closed, or
    are not.

    The command, the API and the pages take their filters from these fields, with their descriptions and bounds; Python
    itself does not check the bounds.

    The record opened last comes first (or played last, by `order`); `reverse` turns that round.  A record without a
    date counts as the oldest.  Raises NotForNow for a negative `limit` or `offset`.
    """

    game: Annotated[_Text | None, Meta(description="Only this game, such as zigzag.")] = None
    player: Annotated[_Text | None, Meta(description="Only games with a player of this name, or part of it.")] = None
    place: Annotated[_Text | None, Meta(description="Only games at this place, or part of its name.")] = None
    since: Annotated[_Day | None, Meta(description="Played on or after this day (YYYY-MM-DD).")] = None
    until: Annotated[_Day | None, Meta(description="Played on or before this day.")] = None
    verdict: Annotated[Verdict | None, Meta(description="Only games with this verdict.")] = None
    clause: Annotated[_Text | None, Meta(description="Only games that break this clause, such as zigzag.take.")] = None
    closed: Annotated[bool | None, Meta(description="Only games that are closed, or that are not.")] = None
    order: Literal["opened", "played"] = "opened"
    reverse: bool = False
    limit: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        if self.offset < 0 or (self.limit or 0) < 0:
            raise NotForNow("limit and offset must not be negative")


NO_AUDITS: Mapping[str, Audit] = MappingProxyType({})
ALL = Query()
"""Every record."""
FILTERS = Query.__struct_fields__[: Query.__struct_fields__.index("closed")]
"""The fields of a query that are typed as text."""

Role = Literal["record", "watch", "owner"]
"""What a secret allows: to record, to watch, or (for no record of its own) everything, as the ledger's owner."""


class Key(NamedTuple):
    """What a ledger stores of a secret: its record, its SHA-256, and what it allows."""

    record: str
    digest: bytes
    role: Role = "record"


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


class Comment(Struct, frozen=True):
    """A short remark of a reader on a move, outside the record: no chain binds it, and it can be erased.

    `number` counts from 1 in each record, `seq` is the event that it is about, `author` a name or empty, `written` a
    time (RFC 3339, UTC).  A `folded` one is shown only to those who ask for it.
    """

    record: str
    number: int
    seq: int
    text: str
    author: str = ""
    written: str = ""
    folded: bool = False


class Named(NamedTuple):
    """The names of people in the event at a seq."""

    record: str
    seq: int
    names: Names


class Trace(NamedTuple):
    """A place where erased names can still be read, as a sentence.  `again`: a second run may remove them."""

    sentence: str
    again: bool = False


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

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every record with its id, in the order of opening, never all in memory at once."""
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

    def same_opening(self, link: bytes) -> list[tuple[str, int, bytes, bytes]]:
        """The records whose opening has this link: id, version, the link of the event in the middle, the last link.

        In the middle is the last event of the first half.
        """
        ...

    def size(self) -> int:
        """The number of events in the ledger."""
        ...

    def link(self, record_id: str, version: int) -> bytes | None:
        """The link of a record's event at seq `version` - 1, or None if there is none (see `chain`)."""
        ...

    def openings(self, since: int, upto: int) -> int:
        """The number of records opened by the events after the first `since`, up to the first `upto`."""
        ...

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """The high-water mark outside the ledger: the number of events and their Merkle root, or None if there is none.

        Raises Corrupt if it cannot be read.
        """
        ...

    def loss(self) -> str:
        """What the ledger had and has no more, as far as that is known without reading it all; empty if nothing."""
        ...

    def accept_loss(self) -> None:
        """Goes on without the events that are gone from the end: from now on nothing misses them."""
        ...

    def damage(self) -> list[str]:
        """Damage that the database reports, such as an index that does not match its table."""
        ...


class Index(Protocol):
    """What is derived from the events: the list of records and their audits."""

    def find(self, query: Query) -> list[Row]:
        """The records that match a query, in its order."""
        ...

    def count_records(self, query: Query) -> int:
        """The number of records that match a query, whatever its limit and offset."""
        ...

    def results(self, query: Query = ALL) -> list[Result]:
        """How each player did in the records that match a query, by the day played, then by opening and seat."""
        ...

    def results_of(self, ids: Sequence[str]) -> list[Result]:
        """The same for these records."""
        ...

    def mistakes(self) -> list[Mistake]:
        """The mistakes that up-to-date audits found, by opening, clause and player."""
        ...

    def mistakes_of(self, ids: Sequence[str]) -> list[Mistake]:
        """The same in these records."""
        ...

    def audited_versions(self) -> dict[str, tuple[int, int]]:
        """By record id, in the order of opening: its version, and the version that its audit is of (0 without one)."""
        ...

    def note_audit(self, record_id: str, version: int, summary: Summary, findings: Sequence[Finding] = ()) -> None:
        """Stores the audit of that version.  Does nothing if the record has grown since."""
        ...

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """The same for many audits at once."""
        ...

    def unaudited(self) -> tuple[str, ...]:
        """The ids of the records without an up-to-date audit, in the order of opening."""
        ...

    def differences(self) -> Iterator[Difference]:
        """The rows of the list, of names, audits and keys that are missing, too many, or not as they were written."""
        ...

    def rebuild(self) -> list[Difference]:
        """Rebuilds the list from the events, and mends names and keys; returns what could not be restored.

        Stored audits are deleted: no event contains them, and they are made again.
        """
        ...


class Store(EventLog, Index, NameBook, KeyRing, CommentBook, AliasBook, Protocol):
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
