"""What a ledger's store does, and the one that keeps everything in memory.

A store keeps records as events, each with its seq, and lets them only grow.  It judges nothing, but it never holds
what could not be read back as a record.  `Row` and what a store remembers of audits are derived: they can be thrown
away and made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

from ledger.codec import admit, check, encode_event, ids
from ledger.errors import IdReused, UnknownRecord, WrongVersion
from ledger.events import Amend, AnyEvent, Close, Open
from ledger.record import Record


class Summary(Struct, frozen=True):
    """What a list shows of an audit: the verdict, whether the game was finished, who won, which clauses were broken."""

    verdict: str
    finished: bool
    winners: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class Row(Struct, frozen=True):
    """A record in a list: what its opening says, how many events it has, and its audit if that is up to date.

    `players` are (id, name) by seat.
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


class Query(Struct, frozen=True):
    """Which records to list: each field that is not None narrows.

    `player` is part of a player's id or name and `place` part of the place, in any case; `since` and `until` bound the
    day it was played (YYYY-MM-DD, inclusive); `clause` is one that the audit found broken.  The newest come first.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    place: str | None = None
    verdict: str | None = None
    clause: str | None = None
    limit: int | None = None
    offset: int = 0


class Store(Protocol):
    """A ledger's store.  A record's version is the number of its events."""

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """Appends events, all or none, and returns the version after the last of them.

        `expected` is the version that the writer knows; 0 begins a record, with its opening first.  `event_ids` are the
        writer's own, one for each event: a retry with the same ids and the same events (recording times apart) changes
        nothing and returns what the first try did, however old `expected` is.

        Raises WrongVersion with what the writer missed, IdReused, NotARecord for an event that would make the record
        unreadable, UnknownRecord where `expected` is not 0 and there is none.
        """
        ...

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """Appends whole new records in one go, all or none; returns how many.  Raises as `append` does."""
        ...

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """A record, or its first `upto` events.  Raises UnknownRecord."""
        ...

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """The events from seq `since` on, each with its seq.  Raises UnknownRecord."""
        ...

    def version(self, record_id: str) -> int:
        """How many events a record has; 0 where there is none."""
        ...

    def ids(self) -> tuple[str, ...]:
        """Every record's id, in the order in which they were opened."""
        ...

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every record with its id, in that order, one at a time."""
        ...

    def find(self, query: Query) -> list[Row]:
        """The records that a query asks for, the newest first."""
        ...

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """Keeps what an audit of that version said, for lists.  It counts only until the record grows."""
        ...

    def unaudited(self) -> tuple[str, ...]:
        """The ids of the records whose audit is missing or of an older version."""
        ...

    def rebuild(self) -> None:
        """Makes everything derived again from the events.  Audits are forgotten."""
        ...

    def close(self) -> None:
        """Gives back what the store holds open."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exc: object) -> None: ...


class Retry(NamedTuple):
    """How a batch stands to what is stored: how many of its first events are there already, and the version then."""

    known: int
    version: int


def digest(event: AnyEvent) -> bytes:
    """What tells a retried event from another: the SHA-256 of its text without the recording time."""
    return hashlib.sha256(encode_event(replace(event, when=None) if event.when else event)).digest()


def retried(
    record_id: str, events: Sequence[AnyEvent], event_ids: Sequence[str], stored: dict[str, tuple[int, bytes]]
) -> Retry | None:
    """Whether a batch was stored before; `stored` gives (seq, digest) by event id.  None if nothing of it was.

    Raises IdReused for an id that stands for something else, or in another order.
    """
    if len(event_ids) != len(events) or len(set(event_ids)) != len(events):
        raise IdReused(f"a batch for {record_id} needs one id for each of its {len(events)} events, all different")
    seqs: list[int] = []
    for event, event_id in zip(events, event_ids, strict=True):
        if event_id not in stored:
            continue
        seq, first = stored[event_id]
        if first != digest(event):
            raise IdReused(f"the event id {event_id} already stands for event {seq} of {record_id}, which is another")
        seqs.append(seq)
    if not seqs:
        return None
    known = len(seqs)
    if seqs != list(range(seqs[0], seqs[0] + known)) or any(i not in stored for i in event_ids[:known]):
        raise IdReused(f"some events of this batch for {record_id} were stored before, in another order")
    return Retry(known, seqs[-1] + 1)


def admitted(version: int, players: frozenset[str], events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that cannot follow a record of that version and these players."""
    if version == 0:
        check(events)
        return
    for seq, event in enumerate(events, version):
        admit(seq, event, players)
        if type(event) is Amend and type(event.event) is Open:
            players |= ids(event.event, seq)


def row_of(record_id: str, record: Record) -> Row:
    """What a list shows of a record, before any audit."""
    opening = record.opening
    return Row(
        id=record_id,
        game=opening.game,
        edition=opening.edition,
        played=opening.played,
        place=opening.place,
        players=tuple((player.id, player.name or player.id) for player in opening.players),
        events=len(record.events),
        closed=any(type(event) is Close for event in record.events),
    )


def wanted(row: Row, query: Query) -> bool:
    """Whether a query asks for this row."""
    audit = row.audit
    return (
        (query.game is None or row.game == query.game)
        and (query.player is None or any(_part(query.player, text) for pair in row.players for text in pair))
        and (query.place is None or _part(query.place, row.place or ""))
        and (query.since is None or (row.played is not None and row.played >= query.since))
        and (query.until is None or (row.played is not None and row.played <= query.until))
        and (query.verdict is None or (audit is not None and audit.verdict == query.verdict))
        and (query.clause is None or (audit is not None and query.clause in audit.clauses))
    )


def _part(part: str, text: str) -> bool:
    return part.casefold() in text.casefold()


class MemoryStore:
    """A store that forgets everything when it is dropped: for tests, and for games that nobody keeps."""

    def __init__(self) -> None:
        self._events: dict[str, list[AnyEvent]] = {}
        self._ids: dict[str, dict[str, tuple[int, bytes]]] = {}
        self._audits: dict[str, tuple[int, Summary]] = {}

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        held = self._events.get(record_id, [])
        version = len(held)
        stored = self._ids.get(record_id, {})
        again = retried(record_id, events, event_ids, stored) if event_ids is not None else None
        if again is not None:
            if again.known == len(events):
                return again.version
            events, event_ids, expected = events[again.known :], (event_ids or ())[again.known :], again.version
        if not version and expected:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        if expected != version:
            raise WrongVersion(record_id, expected, version, held[expected:])
        if not events:
            return version
        admitted(version, _players(held), events)
        self._events[record_id] = [*held, *events]
        if event_ids is not None:
            fresh = {i: (version + n, digest(e)) for n, (i, e) in enumerate(zip(event_ids, events, strict=True))}
            self._ids[record_id] = stored | fresh
        return version + len(events)

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """See `Store.append_records`."""
        fresh: dict[str, list[AnyEvent]] = {}
        for record_id, events in records:
            if record_id in self._events or record_id in fresh:
                raise WrongVersion(record_id, 0, self.version(record_id), self._events.get(record_id, ()))
            fresh[record_id] = list(check(events).events)
        self._events |= fresh
        return len(fresh)

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        return Record(tuple(event for _seq, event in self.events(record_id))[:upto])

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        if record_id not in self._events:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        return iter(list(enumerate(self._events[record_id]))[since:])

    def version(self, record_id: str) -> int:
        """See `Store.version`."""
        return len(self._events.get(record_id, ()))

    def ids(self) -> tuple[str, ...]:
        """See `Store.ids`."""
        return tuple(self._events)

    def records(self) -> Iterator[tuple[str, Record]]:
        """See `Store.records`."""
        for record_id in self.ids():
            yield record_id, self.read(record_id)

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        rows = [row for record_id in reversed(self.ids()) if wanted(row := self._row(record_id), query)]
        return rows[query.offset :][: query.limit]

    def _row(self, record_id: str) -> Row:
        version, summary = self._audits.get(record_id, (-1, None))
        row = row_of(record_id, self.read(record_id))
        return replace(row, audit=summary if version == row.events else None)

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """See `Store.note_audit`."""
        self._audits[record_id] = (version, summary)

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        return tuple(i for i in self.ids() if self._audits.get(i, (-1, None))[0] != self.version(i))

    def rebuild(self) -> None:
        """See `Store.rebuild`."""
        self._audits.clear()

    def close(self) -> None:
        """See `Store.close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _players(events: Sequence[AnyEvent]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for event in events:
        opening = event.event if type(event) is Amend else event
        if type(opening) is Open:
            found |= ids(opening)
    return found
