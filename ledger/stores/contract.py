"""What a ledger keeps: the contract of a store, and what a list of it is asked.

A record is a list of events that only grows; its version is how many there are.  A writer says which version it has
seen, so that no two can win the same place.  The list of the records is derived from the events, and can be made anew
from them at any time.

A store holds records and nothing else: what would make one unreadable, or no record, is refused (see `shared`), for
every writer alike.  Whether the table played by the rules is no business of a store.

Source: the record format, version 1 (docs/record-format.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, Self

from msgspec import Struct

from ledger.errors import NotForNow
from ledger.events import AnyEvent
from ledger.record import Record


class Summary(Struct, frozen=True):
    """What the list of a ledger shows of an audit, as the auditor tells it.

    `winners` are ids of players, `clauses` the ids of the clauses that were broken.
    """

    verdict: str
    finished: bool
    winners: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class Row(Struct, frozen=True, kw_only=True):
    """A record in the list of a ledger, as its opening stands after corrections.

    `players` are the id and the name of each, by seat; `events` is the version.  `closed` tells whether it was closed
    and still is; `audit` is what was noted of this very version, if anything.
    """

    id: str
    game: str
    edition: str | None
    played: str | None
    place: str | None
    players: tuple[tuple[str, str], ...]
    events: int
    closed: bool
    audit: Summary | None = None


class Query(Struct, frozen=True, kw_only=True):
    """Which records to list.  What is None does not matter.

    `player` is a part of an id or a name, `place` a part of a place, both whatever their case.  `since` and `until`
    are days, both included, of records that say when they were played.  `verdict` and `clause` (the id of a broken
    one) find records with an audit of their last version.

    The last that was opened (or played, in that `order`) comes first, or last with `reverse`; a record that does not
    say when it was played counts as the oldest.  Raises NotForNow for a negative `limit` or `offset`.
    """

    game: str | None = None
    player: str | None = None
    place: str | None = None
    since: str | None = None
    until: str | None = None
    verdict: str | None = None
    clause: str | None = None
    order: Literal["opened", "played"] = "opened"
    reverse: bool = False
    limit: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        if self.offset < 0 or (self.limit or 0) < 0:
            raise NotForNow("a list starts at its first record or later, and has no fewer records than none")


Role = Literal["record", "watch", "owner"]
"""What a secret allows: to record, to watch, or (for no record of its own) everything, as the ledger's owner."""


class Key(NamedTuple):
    """What a ledger keeps of a secret: for which record, the SHA-256 of it, and what its holder may do."""

    record: str
    digest: bytes
    role: Role = "record"


class Logged(NamedTuple):
    """An event as it stands in a ledger: its record and seq, its bytes and its link.

    `event_id` and `request` are the client's own id and the digest of what was sent under it, where there is one.
    """

    record: str
    seq: int
    body: bytes
    link: bytes
    event_id: str | None = None
    request: bytes | None = None


class Named(NamedTuple):
    """The names that the event at a seq gives to players, by their ids."""

    record: str
    seq: int
    names: Mapping[str, str]


class Store(Protocol):
    """Where records are kept.  All stores pass one contract test (tests/test_store.py).

    One object serves one thread; several processes may write to what lies behind it.  Close it, or use it in a `with`.
    """

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """Appends all of these events or none, and returns the version after them.

        `expected` is the version that the writer has seen; 0 opens a record, whose first event is its opening.
        `event_ids` are the client's own, one for each event.  With them a retry is harmless: events at the head of the
        batch that are stored already are passed over, and the rest is expected directly after them.  If that was the
        whole batch, the version after the last of them is returned, however far the record has come since.

        Raises WrongVersion with the events that the writer has missed, IdReused for an id that stands for something
        else, UnknownRecord for a record that should be there, NotARecord for events that would make it none.
        """
        ...

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """Adds whole records under new ids, all of them or none; returns how many.

        Raises WrongVersion for an id in use, NotARecord for events that are no record.
        """
        ...

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """The record, or its first `upto` events.  Raises UnknownRecord, and NotForNow for an `upto` below 1."""
        ...

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """The events from seq `since` on, each with its seq, for whoever follows a record.  Raises UnknownRecord."""
        ...

    def version(self, record_id: str) -> int:
        """How many events the record has: 0 for one that is not there."""
        ...

    def ids(self, part: str = "") -> tuple[str, ...]:
        """The ids of all records, or of those whose id has this part in it, in the order in which they were opened."""
        ...

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every record with its id, in the order in which they were opened, never all held at once."""
        ...

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """Every event after the first `since` (up to the first `upto`), in the order of writing: of all, or `of` one
        record.
        """
        ...

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """What a witness outside the ledger remembers of it: how many events, and their Merkle root; None if none does.

        Raises Corrupt if the witness cannot be read.
        """
        ...

    def size(self) -> int:
        """How many events the whole ledger has."""
        ...

    def openings(self, since: int, upto: int) -> int:
        """How many records were opened by the events after the first `since`, up to the first `upto`."""
        ...

    def link(self, record_id: str, version: int) -> bytes | None:
        """The link of a record's event at seq `version` - 1; None where there is none (see `chain`)."""
        ...

    def damage(self) -> list[str]:
        """What the database says of damage to itself, such as an index that does not agree with its table."""
        ...

    def append_log(self, log: Iterable[Logged]) -> int:
        """Adds events of another ledger as they stand there, all of them or none; returns how many.

        The other's log goes on where this ledger ends: both then have the same head.  Raises Corrupt for an event that
        does not follow from the one before it.
        """
        ...

    def names(self) -> Iterator[Named]:
        """The names that events give, which stand outside the chain."""
        ...

    def forget_traces(self) -> None:
        """Makes sure that nothing which was taken away can still be read in what lies behind the store."""
        ...

    def set_names(self, names: Iterable[Named]) -> None:
        """Keeps these names instead of those that were kept of the same events: an empty one is forgotten."""
        ...

    def find(self, query: Query) -> list[Row]:
        """The records that a query asks for, in its order."""
        ...

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """Keeps what an audit of that version found, until the record grows; does nothing if it has grown already."""
        ...

    def note_audits(self, notes: Iterable[tuple[str, int, Summary]]) -> None:
        """The same for many audits at once: the record's id, its version, and what was found."""
        ...

    def unaudited(self) -> tuple[str, ...]:
        """The ids of the records without an audit of their last version, in the order of their opening."""
        ...

    def keep_key(self, key: Key) -> None:
        """Keeps what is known of a secret: whose holder may do what.  The record need not be there yet."""
        ...

    def drop_keys(self, record_id: str, role: Role) -> int:
        """Forgets every secret of that role for the record; returns how many there were."""
        ...

    def kept_keys(self) -> Iterator[Key]:
        """What is known of all secrets."""
        ...

    def roles(self, record_id: str, digest: bytes) -> frozenset[Role]:
        """What the secret of this SHA-256 lets its holder do with the record."""
        ...

    def wait_for_change(self, seconds: float) -> None:
        """Waits until somebody may have written something, at the most so long."""
        ...

    def rebuild(self) -> None:
        """Makes the list anew from the events.  What audits found is forgotten: no event tells it."""
        ...

    def reopen(self) -> Self:
        """The same ledger for another thread, which closes it for itself."""
        ...

    def close(self) -> None:
        """Lets go of what the store holds open."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exc: object) -> None: ...
