"""What a ledger keeps: the contract of a store, what all stores do alike, and what a list of it is asked.

A record is a list of events that only grows; its version is how many there are.  A writer says which version it has
seen, so that no two can win the same place.  The list of the records is derived from the events, and can be made anew
from them at any time.

A store holds records and nothing else: what would make one unreadable, or no record, is refused here, for every
writer alike.  Whether the table played by the rules is no business of a store.

Source: the record format, version 1 (docs/record-format.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol, Self
from unicodedata import normalize

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger import chain, codec
from ledger.errors import IdReused, NotARecord, NotForNow
from ledger.events import CORRECTIONS, Amend, AnyEvent, Close, Open
from ledger.record import Record, effective


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


Role = Literal["record", "watch", "rule"]
"""What a secret is for: to record, to watch, or (for no record of its own) to rule over the ledger."""


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

    def ids(self) -> tuple[str, ...]:
        """The ids of all records, in the order in which they were opened."""
        ...

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every record with its id, in the order in which they were opened, never all held at once."""
        ...

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """Every event after the first `since` (up to the first `upto`), in the order of writing: of all, or `of` one
        record.
        """
        ...

    def witnessed(self) -> tuple[int, bytes] | None:
        """What a witness outside the ledger remembers of it: how many events, and their Merkle root; None if none does.

        Raises Harmed if the witness cannot be read.
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

    def adopt(self, log: Iterable[Logged]) -> int:
        """Adds events of another ledger as they stand there, all of them or none; returns how many.

        The other's log goes on where this ledger ends: both then have the same head.  Raises Harmed for an event that
        does not follow from those before it.
        """
        ...

    def names(self) -> Iterator[Named]:
        """The names that events give, which stand outside the chain."""
        ...

    def forget_traces(self) -> None:
        """Makes sure that nothing which was taken away can still be read in what lies behind the store."""
        ...

    def call(self, names: Iterable[Named]) -> None:
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

    def pause(self, seconds: float) -> None:
        """Waits until somebody may have written something, at the most so long."""
        ...

    def rebuild(self) -> None:
        """Makes the list anew from the events.  What audits found is forgotten: no event tells it."""
        ...

    def again(self) -> Self:
        """The same ledger for another thread, which closes it for itself."""
        ...

    def close(self) -> None:
        """Lets go of what the store holds open."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exc: object) -> None: ...


# What every store does alike: what may be stored, what a retry is, and what the list says of a record.


class Written(NamedTuple):
    """Events as they are stored: the bytes of each, and the names that stand outside them, by seq and player."""

    bodies: list[bytes]
    names: dict[int, dict[str, str]]


def written(events: Sequence[AnyEvent], version: int = 0) -> Written:
    """What to store of events from this version on.  Raises NotARecord for events that nobody could read again.

    They are read back once before they are stored, because an event of the wrong shape could not be taken back later.
    """
    names, bare = dict[int, dict[str, str]](), list(events)
    try:
        for place, event in enumerate(events):
            if type(event) is Open or type(event) is Amend:
                bare[place], called = chain.nameless(event)
                if called:
                    # As they will be read: a name of the wrong shape is found here too.
                    read_back([codec.encode_event(event)], version + place)
                    names[version + place] = called
        bodies = list(map(codec.encode_event, bare))
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise NotARecord(f"cannot be written: {error}") from None
    read_back(bodies, version)
    return Written(bodies, names)


def read_back(
    bodies: Sequence[bytes], version: int = 0, names: Mapping[int, Mapping[str, str]] | None = None
) -> tuple[AnyEvent, ...]:
    """The events that these bytes say, from this version on, with their names.

    Raises NotARecord with the seq that fails.
    """
    events: Sequence[AnyEvent]
    try:
        events = _several.decode(b"[%s]" % b",".join(bodies))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        events = []
        for seq, body in enumerate(bodies, version):
            try:
                events.append(codec.decode_event(body))
            except NotARecord as error:
                raise NotARecord(error.reason, field=error.field, event=seq) from None
    if names:
        return tuple(
            chain.named(event, names[seq]) if seq in names else event for seq, event in enumerate(events, version)
        )
    return tuple(events)


_several = msgspec.json.Decoder(tuple[AnyEvent, ...])


def first(upto: int | None) -> int | None:
    """How many events to read.  Raises NotForNow for fewer than the opening."""
    if upto is not None and upto < 1:
        raise NotForNow(f"a record has at least its opening: its first {upto} events are none")
    return upto


def folded(text: str) -> str:
    """A text as it is looked for: whatever its case, and however its accents were typed."""
    return normalize("NFC", text.replace("\0", "\N{REPLACEMENT CHARACTER}")).casefold()


def admitted(version: int, players: frozenset[str], events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that cannot stand at this version of a record of these players."""
    if not version:
        codec.check(events)
        return
    for seq, event in enumerate(events, version):
        codec.admit(seq, event, players)
        if type(event) is Amend and type(event.event) is Open:
            players |= codec.ids(event.event, seq)


def digest(event: AnyEvent) -> bytes:
    """The SHA-256 of what a client sent: a retry is stamped with another time, but says the same.

    Names are left out: a digest of a name that was forgotten would tell it to whoever guesses.
    """
    return sha256(chain.chained(replace(event, when=None, by=None))).digest()


class Retried(NamedTuple):
    """The head of a batch that is stored already: how many events are `known`, and the `version` after them."""

    known: int
    version: int


def retried(
    record_id: str, events: Sequence[AnyEvent], event_ids: Sequence[str], stored: Mapping[str, tuple[int, bytes]]
) -> Retried | None:
    """What of a batch is stored already, where `stored` has the seq and the digest by event id; None if nothing is.

    Raises IdReused for ids that are not one for each event, for an id with another event, and for a retry behind
    something new: it would change the order.
    """
    if len(set(event_ids)) != len(events) or len(event_ids) != len(events):
        raise IdReused(f"record {record_id}: every event of a batch has one id, and no two have the same")
    known = version = 0
    for place, (event_id, event) in enumerate(zip(event_ids, events, strict=True)):
        if event_id not in stored:
            continue
        seq, said = stored[event_id]
        if said != digest(event):
            raise IdReused(f"record {record_id}: the id {event_id!r} stands for event {seq}, which is another")
        if place != known:
            raise IdReused(f"record {record_id}: the id {event_id!r} stands for event {seq}, but one before it is new")
        known, version = known + 1, max(version, seq + 1)
    return Retried(known, version) if known else None


_TURNS = frozenset((Close, *CORRECTIONS))


def turns(events: Iterable[AnyEvent]) -> bool:
    """Whether any of these can change more of a row than its version: a close, or a correction."""
    return not _TURNS.isdisjoint(map(type, events))


def _plain(text: str | None) -> str | None:
    # Not every database has a place for it in a text.
    return None if text is None else text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def row_of(record_id: str, record: Record) -> Row:
    """What the list says of a record, without its audit."""
    opening, events = record.opening, record.events
    kinds = set(map(type, events))
    closed = Close in kinds
    if not kinds.isdisjoint(CORRECTIONS):
        closed = any(type(entry.event) is Close for entry in effective(events).entries)
    return Row(
        id=record_id,
        game=_plain(opening.game) or "",
        edition=_plain(opening.edition),
        played=opening.played,
        place=_plain(opening.place),
        players=tuple((player.id, player.name or player.id) for player in opening.players),
        events=len(events),
        closed=closed,
    )
