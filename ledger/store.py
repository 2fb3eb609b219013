"""What a ledger keeps, the contract of the stores that keep it, and the store that keeps it in memory.

A record is a list of events that only grows; its version is how many there are.  A writer says which version it has
seen, so that no two can win the same place.  What is stored are the canonical bytes of each event, never written
again.  A list of the records is derived from the events and can be made anew from them at any time.

A store holds records and nothing else: what would make one unreadable, or no record, is refused here, for every
writer alike.  Whether the table played by the rules is no business of a store.

Source: the record format, version 1 (docs/record-format.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger import codec
from ledger.errors import IdReused, NotARecord, NotForNow, UnknownRecord, WrongVersion
from ledger.events import CORRECTIONS, Amend, AnyEvent, Close, Open, Player
from ledger.record import Record, effective

RECORD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
"""A record's id: safe in a file's name, in an address and on a score sheet."""
EVENT_ID = re.compile(r"[\x21-\x7e]{1,64}\Z")
"""A client's event id: a UUID, or whatever is unique among those of one record."""


class Summary(Struct, frozen=True, kw_only=True):
    """What the list of a ledger shows of an audit, as the auditor tells it.

    `clauses` are the ids of the clauses that were broken, `winners` ids of players, `program` what did the audit: a
    new release may judge otherwise.
    """

    verdict: str
    finished: bool = False
    winners: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    program: str = ""


class Listing(Struct, frozen=True, kw_only=True):
    """A record in the list of a ledger, as its opening stands after corrections.

    `opened` is the place of its opening among all events of the ledger, from 1.  `closed` is why the record was
    closed, `audit` what is known of its audit: None unless it was of this `version`.
    """

    id: str
    opened: int
    version: int
    game: str
    players: tuple[Player, ...]
    edition: str | None = None
    played: str | None = None
    place: str | None = None
    closed: Literal["finished", "abandoned"] | None = None
    audit: Summary | None = None

    @property
    def people(self) -> str:
        """Every id and name at the table, as `Query.player` looks for them."""
        return folded("\n".join(part for player in self.players for part in (player.id, player.name)))


class Query(Struct, frozen=True, kw_only=True):
    """Which records to list, and how.  What is None does not matter.

    `player` is a part of an id or name, `place` a part of a place, both whatever their case.  `since` and `until`
    are days (both included) of records that say when they were `played`.  `verdict` and `clause` (the id of a broken
    one) find only records whose audit is known.  In the order of `played`, records without a day come first.
    Raises NotForNow for a negative `limit` or `offset`.
    """

    game: str | None = None
    player: str | None = None
    place: str | None = None
    since: str | None = None
    until: str | None = None
    closed: bool | None = None
    verdict: str | None = None
    clause: str | None = None
    order: Literal["opened", "played"] = "opened"
    reverse: bool = False
    limit: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        if self.offset < 0 or (self.limit or 0) < 0:
            raise NotForNow("a list begins at its first record or later, and is no shorter than nothing")


class Store(Protocol):
    """Where records are kept.  All stores pass one contract test (tests/test_store.py).

    One object serves one thread; several processes may write to what lies behind it.  Close it, or use it as a
    context manager.
    """

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], ids: Sequence[str | None] | None = None
    ) -> int:
        """Appends all of these events or none, and returns the version after them.

        `expected` is the version that the writer has seen; 0 opens a record, whose first event is its opening.
        `ids` are the client's ids of the events, one each (None for an event without).  A retry is no second event:
        events at the head of the batch that are stored already under their ids, with the very same bytes, are passed
        over, and the rest is expected directly after them.  If that was the whole batch, the version after the last
        of them is returned, however far the record has come since.

        Raises WrongVersion with the events that the writer has missed, IdReused for an id that stands for something
        else, UnknownRecord, NotARecord for events that would make it no record, NotForNow for an id that is none.
        """
        ...

    def add(self, records: Iterable[tuple[str, Record]]) -> None:
        """Adds whole records under new ids, all of them or none.  Raises as `append` does."""
        ...

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """The record, or its first `upto` events.  Raises UnknownRecord; NotForNow for an `upto` below 1."""
        ...

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """The events from seq `since` on, each with its seq, for whoever follows a record.  Raises UnknownRecord."""
        ...

    def recorded(self, record_id: str, event_id: str) -> tuple[int, AnyEvent] | None:
        """The seq and the event that a client's event id stands for in that record, if it stands for any."""
        ...

    def version(self, record_id: str) -> int:
        """How many events the record has.  Raises UnknownRecord."""
        ...

    def listing(self, record_id: str) -> Listing:
        """The record as it stands in the list.  Raises UnknownRecord."""
        ...

    def ids(self) -> Iterator[str]:
        """The ids of all records, in the order in which they were opened."""
        ...

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every record with its id, in the order in which they were opened, never all held at once."""
        ...

    def find(self, query: Query) -> list[Listing]:
        """The records that a query asks for, in its order."""
        ...

    def count(self, query: Query) -> int:
        """How many records a query asks for, whatever its limit and offset."""
        ...

    def note_audit(self, record_id: str, version: int, summary: Summary) -> bool:
        """Keeps what an audit of that version found, until the next event; False if the record has moved on."""
        ...

    def note_audits(self, notes: Iterable[tuple[str, int, Summary]]) -> int:
        """As `note_audit`, for many audits at once: their id, version and summary.  Returns how many were kept."""
        ...

    def unaudited(self, program: str = "") -> list[str]:
        """The ids of the records without an audit of their last version by that program, in order of opening."""
        ...

    def rebuild(self) -> None:
        """Makes the list anew from the events.  What audits found is forgotten: no event tells it."""
        ...

    def close(self) -> None:
        """Lets go of what the store holds open."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


# What every store does alike: what may be stored, what a retry is, and what the list says of a record.


class Batch(NamedTuple):
    """Events to append, each with the bytes that are stored and the client's id, if it has one."""

    events: tuple[AnyEvent, ...]
    bodies: tuple[bytes, ...]
    ids: tuple[str | None, ...]


_several = msgspec.json.Decoder(tuple[AnyEvent, ...])


def batch(record_id: str, events: Sequence[AnyEvent], ids: Sequence[str | None] | None = None) -> Batch:
    """Events ready to be stored: written, and read back once, because nothing can be taken back later.

    Raises NotARecord, NotForNow and IdReused as `Store.append` does.
    """
    if not RECORD_ID.match(record_id):
        raise NotForNow(f"{record_id!r} is no id for a record: letters, digits, - and _, at most 40 of them")
    ids = tuple(ids) if ids is not None else (None,) * len(events)
    named = [id_ for id_ in ids if id_ is not None]
    for id_ in named:
        if not EVENT_ID.match(id_):
            raise NotForNow(f"{id_!r} is no id for an event: printable ASCII without spaces, at most 64 characters")
    if len(ids) != len(events) or len(set(named)) != len(named):
        raise IdReused("every event of a batch has an id of its own, or None")
    bodies = []
    for seq, event in enumerate(events):
        try:
            bodies.append(codec.encode_event(event))
        except (TypeError, ValueError, OverflowError) as error:  # what no reader could have made
            raise NotARecord(f"cannot be written: {error}", event=seq) from None
    return Batch(decoded(bodies), tuple(bodies), ids)


def decoded(bodies: Sequence[bytes], first: int = 0) -> tuple[AnyEvent, ...]:
    """The events that these bytes say, the first of them at seq `first`.  Raises NotARecord with the seq."""
    try:
        return _several.decode(b"[%s]" % b",".join(bodies))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        for seq, body in enumerate(bodies, first):
            try:
                codec.decode_event(body)
            except NotARecord as error:
                raise NotARecord(error.reason, field=error.field, event=seq) from None
        raise


class Due(NamedTuple):
    """What is left of a batch once its retried head is passed over: `skip` events, and the version then expected."""

    skip: int
    expected: int


def due(batch: Batch, expected: int, known: Mapping[str, tuple[int, bytes]]) -> Due:
    """What of a batch is still to be stored, where `known` are the seq and the bytes stored under its ids.

    Raises IdReused for an id with other bytes, and for a retry behind something new: it would change the order.
    """
    skip = after = 0
    for place, (id_, body) in enumerate(zip(batch.ids, batch.bodies, strict=True)):
        if id_ is None or id_ not in known:
            continue
        seq, stored = known[id_]
        if stored != body:
            raise IdReused(f"the event id {id_!r} stands for event {seq} already, which says something else")
        if place != skip:
            raise IdReused(f"the event id {id_!r} stands for event {seq} already, but what comes before it is new")
        skip, after = skip + 1, max(after, seq + 1)
    return Due(skip, after if skip else expected)


def admit(now: Listing | None, events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that cannot follow a record that is listed so; None is one to be opened."""
    if now is None:
        codec.check(events)
        return
    players = frozenset(player.id for player in now.players)
    for seq, event in enumerate(events, now.version):
        codec.admit(seq, event, players)
        if type(event) is Amend and type(event.event) is Open:
            players |= codec.ids(event.event, seq)


_TURNS = frozenset((Close, *CORRECTIONS))


def turns(events: Iterable[AnyEvent]) -> bool:
    """Whether any of these can change more than the version in the list: a close, or a correction."""
    return not _TURNS.isdisjoint(map(type, events))


def outline(record_id: str, opened: int, record: Record) -> Listing:
    """What the list says of a record, without its audit."""
    opening, closed = record.opening, None
    if turns(record.events):
        for entry in effective(record.events).entries:
            if type(entry.event) is Close:
                closed = entry.event.why
    return Listing(
        id=record_id,
        opened=opened,
        version=len(record.events),
        game=opening.game,
        players=opening.players,
        edition=opening.edition,
        played=opening.played,
        place=opening.place,
        closed=closed,
    )


def folded(text: str) -> str:
    """A text as it is looked for: whatever its case, and however its accents were typed."""
    return unicodedata.normalize("NFC", text).casefold()


class MemoryStore:
    """A ledger in memory, for tests and for trying things out: `Store` in plain Python."""

    def __init__(self) -> None:
        self._bodies: dict[str, list[bytes]] = {}
        self._known: dict[str, dict[str, tuple[int, bytes]]] = {}
        self._list: dict[str, Listing] = {}
        self._size = 0

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], ids: Sequence[str | None] | None = None
    ) -> int:
        """See `Store.append`."""
        new = batch(record_id, events, ids)
        skip, expected = due(new, expected, self._known.get(record_id, {}))
        if skip and skip == len(events):
            return expected
        now = self._list.get(record_id)
        if now is None and (expected or not events):
            raise UnknownRecord(f"there is no record {record_id!r}")
        if now is not None and now.version != expected:
            missed = decoded(self._bodies[record_id][max(expected, 0) :], expected)
            raise WrongVersion(record_id, expected, now.version, missed)
        admit(now, new.events[skip:])
        self._keep(record_id, now, Batch(*(part[skip:] for part in new)))  # type: ignore[arg-type]
        return self._list[record_id].version

    def _keep(self, record_id: str, now: Listing | None, new: Batch) -> None:
        if not new.events:
            return
        bodies = self._bodies.setdefault(record_id, [])
        known = self._known.setdefault(record_id, {})
        for seq, (id_, body) in enumerate(zip(new.ids, new.bodies, strict=True), len(bodies)):
            if id_ is not None:
                known[id_] = (seq, body)
        bodies.extend(new.bodies)
        if now is None or turns(new.events):
            opened = now.opened if now else self._size + 1
            self._list[record_id] = outline(record_id, opened, Record(decoded(bodies)))
        else:
            self._list[record_id] = replace(now, version=len(bodies), audit=None)
        self._size += len(new.bodies)

    def add(self, records: Iterable[tuple[str, Record]]) -> None:
        """See `Store.add`."""
        new = {}
        for record_id, record in records:
            new_batch = batch(record_id, record.events)
            admit(None, new_batch.events)
            if record_id in self._list or record_id in new:
                raise WrongVersion(record_id, 0, len((new.get(record_id) or self.read(record_id)).events))
            new[record_id] = new_batch
        for record_id, new_batch in new.items():
            self._keep(record_id, None, new_batch)

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        self.listing(record_id)
        return Record(decoded(self._bodies[record_id][: first(upto)]))

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        self.listing(record_id)
        since = max(since, 0)
        return iter(list(enumerate(decoded(self._bodies[record_id][since:], since), since)))

    def recorded(self, record_id: str, event_id: str) -> tuple[int, AnyEvent] | None:
        """See `Store.recorded`."""
        seq, body = self._known.get(record_id, {}).get(event_id, (0, b""))
        return (seq, codec.decode_event(body)) if body else None
