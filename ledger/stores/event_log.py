"""The log of a ledger: its events, which only grow, and the form in which they are stored.

A record is a list of events that only grows; its version is their number.  No event can be stored that nobody could
read again.  Whether the table played by the rules is not checked here.

Source: the record format, version 1 (docs/record-format.md).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, IdReused, NotARecord, NotForNow
from ledger.record.events import Amend, AnyEvent, Insert, Open
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.stores.end_mark import NOTHING, Mark
from ledger.stores.query import MOST_ROWS
from ledger.stores.schema import COLUMNS, insert

if TYPE_CHECKING:
    from ledger.stores.connection import Connection

MOST_EVENTS = 20_000
"""The most events of one record.  The longest game of the fixtures has some hundreds."""
MOST_BYTES = 4_000_000
"""The most bytes of one record: its events with their names.  What archives and imports accept is never less."""
_INSERT = insert("event")
_AMONG_IDS = "event_id IN (SELECT value FROM json_each(?))"
_BY_ID = f"SELECT event_id, seq, body FROM event WHERE record = ? AND {_AMONG_IDS}"  # noqa: S608  constants
_END = (
    "SELECT r.version, r.bytes, r.players, r.audited, e.link, coalesce(e.seq + 1, 0), "  # noqa: S608  constants
    f"(SELECT count(*) FROM event WHERE record = r.id AND {_AMONG_IDS}) "
    "FROM record r LEFT JOIN event e ON e.record = r.id WHERE r.id = ? ORDER BY e.seq DESC LIMIT 1"
)
_LOGGED = "record, seq, body, link, event_id, id_digest"
_BODIES = "SELECT body FROM event WHERE record = ? AND seq >= ? AND seq < ? ORDER BY seq"
# Python lets go of its lock for each row, which costs as much as reading it.
_JOINED = f"SELECT count(*), CAST(group_concat(body) AS BLOB) FROM ({_BODIES})"  # noqa: S608  a constant
_SIZE_AND_LINK = "SELECT (SELECT coalesce(max(position), 0) FROM event), (SELECT link FROM event WHERE position = ?)"
_LINKS = "SELECT record, link FROM event WHERE position > ? ORDER BY position"

EventRow = tuple[int, str, int, str | None, bytes | None, bytes, bytes]
"""An event in its table: position, record, seq, event id, digest of that id, body, link."""


class Logged(NamedTuple):
    """An event in a ledger: its record and seq, its bytes and its link.

    `event_id` is the client's own id, if it has one, and `id_digest` what was stored with it (see `id_digest`).
    """

    record: str
    seq: int
    body: bytes
    link: bytes
    event_id: str | None = None
    id_digest: bytes | None = None


class Packed(NamedTuple):
    """A whole record as it is stored: see `pack`."""

    record: Record
    bodies: Sequence[bytes]
    names: Mapping[int, chain.Names]
    links: Sequence[bytes]

    @property
    def size(self) -> int:
        """The bytes of its events, with their names."""
        return size_of(self.bodies, self.names)


class Encoded(Struct, frozen=True):
    """Events as they are stored: the bytes of each, the names outside them, by seq, and the size of both."""

    bodies: list[bytes]
    names: dict[int, chain.Names]
    size: int


class End(Struct, frozen=True):
    """What an append needs to know of a record: its version, its `size` in bytes, and the ids of its players.

    `link` is that of its last event, `judged` whether its audit is of this version, and `repeated` how many of the
    new events' ids it has already.
    """

    version: int = 0
    size: int = 0
    players: frozenset[str] = frozenset()
    link: bytes = chain.FIRST
    judged: bool = False
    repeated: int = 0


class EventLog:
    """The events in their table.  Writes need a transaction."""

    def __init__(self, connection: "Connection") -> None:
        self._db = connection

    # ── Writing ────────────────────────────────────────────────────────────────────────────────────────────

    def next_position(self) -> int:
        """The position of the next event, from 1, for `insert` in the same transaction.

        Raises Corrupt if events are missing, or are not the ones that were there.
        """
        loss, mark, size = self._compare()
        if loss:
            raise Corrupt(f"{self._db.path}: {loss}. Nothing was written. {self._db.mark.advice()}")
        self._db.grown = mark if mark.size == size else mark.grown(self._db.db.execute(_LINKS, (mark.size,)))
        return size + 1

    def insert(self, rows: Sequence[EventRow]) -> None:
        """Inserts events, and counts them in the mark."""
        self._db.many(_INSERT, rows)
        self._db.grown = self._db.grown.grown((row[1], row[6]) for row in rows)

    def end_of(self, record_id: str, event_ids: Sequence[str]) -> End:
        """The end of a record; `event_ids` are those of the new events.

        Raises Corrupt if the record's row in the list and its events contradict each other.
        """
        advice = "nothing was written; `domino-ledger verify` shows more, and `domino-ledger repair` mends the list"
        list_rows = self._db.rows(_END, (listed(event_ids), record_id))
        if not list_rows:
            if self._db.rows("SELECT 1 FROM event WHERE record = ? LIMIT 1", (record_id,)):
                raise Corrupt(f"record {record_id} has events, and its row in the list is missing: {advice}")
            return End()
        version, size, players, audited, link, number, repeated = list_rows[0]
        if version != number:
            raise Corrupt(f"record {record_id} has {plural(number, 'event')}, and {version} in the list: {advice}")
        try:
            ids = frozenset([pair[0] for pair in msgspec.json.decode(players)])
        except (TypeError, LookupError, ValueError):
            raise Corrupt(f"record {record_id}: its row in the list is damaged: {advice}") from None
        return End(version, size, ids, link, bool(audited), repeated)

    def by_id(self, record_id: str, event_ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """The seq and the bytes of the events of a record that have these ids."""
        rows = self._db.rows(_BY_ID, (record_id, listed(event_ids)))
        return {event_id: (seq, body) for event_id, seq, body in rows}

    def follow_on(self, log: Iterable[Logged]) -> Iterator[Logged]:
        """The events of another ledger's log, each checked against the event that it follows here or in the log.

        Raises Corrupt for an event that does not follow from the one before it.
        """
        ends: dict[str, tuple[int, bytes]] = {}
        query = "SELECT seq + 1, link FROM event WHERE record = ? ORDER BY seq DESC LIMIT 1"
        for entry in log:
            if entry.record not in ends:
                ends[entry.record] = next(iter(self._db.rows(query, (entry.record,))), (0, chain.FIRST))
            seq, before = ends[entry.record]
            if (seq, chain.link(before, entry.body)) != (entry.seq, entry.link):
                raise Corrupt(f"record {entry.record}: event {entry.seq} does not follow from the one before it")
            ends[entry.record] = seq + 1, entry.link
            yield entry

    # ── Reading ────────────────────────────────────────────────────────────────────────────────────────────

    def events(
        self, record_id: str, since: int = 0, upto: int | None = None, names: Mapping[int, chain.Names] | None = None
    ) -> tuple[AnyEvent, ...]:
        """The events of a record from seq `since` on (and before `upto`), with these names by seq."""
        span = (record_id, since, upto if upto is not None else 1 << 30)
        ((count, bodies),) = self._db.rows(_JOINED, span)
        events = read_joined(bodies, count)
        if events is not None:
            return with_names(events, since, names)
        # Each is read by itself, so that a damaged one can be named.
        return read_back([body for (body,) in self._db.rows(_BODIES, span)], since, names)

    def log(self, begin: int, end: int, of: str | None) -> Iterator[Logged]:
        """The events after the first `begin`, up to the first `end`, in order of writing; all, or `of` a record."""
        query = f"SELECT {_LOGGED} FROM event WHERE position > ? AND position <= ? ORDER BY position"  # noqa: S608  constants
        values = tuple[object, ...]()
        if of is not None:
            query = f"SELECT {_LOGGED} FROM event WHERE seq >= ? AND seq < ? AND record = ? ORDER BY seq"  # noqa: S608
            values = (of,)
        for start in range(begin, end, MOST_ROWS):
            yield from map(Logged._make, self._db.rows(query, (start, min(start + MOST_ROWS, end), *values)))

    def loss(self) -> str:
        """What the ledger has lost by its mark, as a sentence."""
        return self._compare()[0]

    def _compare(self) -> tuple[str, Mark, int]:
        """What the ledger has lost by its mark, as a sentence; the mark, and the number of events."""
        try:
            mark = self._db.mark.read() or NOTHING  # first: others may be adding events
        except Corrupt:
            return "the high-water mark cannot be read, so it is unknown whether events are missing", NOTHING, 0
        size, link = self._db.rows(_SIZE_AND_LINK, (mark.size,))[0]
        if mark.size > size:
            return gone(mark.size, size), mark, size
        if mark.size and mark.link != link:
            other = f"event {mark.size} is not the one that was there: it was changed, or this is another ledger"
            return other, mark, size
        return "", mark, size

    def gaps(self) -> list[str]:
        """A sentence for gaps between the positions of events."""
        last, number = self._db.rows("SELECT coalesce(max(position), 0), count(*) FROM event")[0]
        if last == number:
            return []
        advice = "restore a backup, or `domino-ledger copy NEW` makes a ledger of what is left"
        return [f"{gone(last, number)}: the positions have gaps; {advice}"]

    def digest(self) -> bytes:
        """The SHA-256 of all events: the same before and after a change of the schema."""
        digest, position = sha256(), 0
        query = f"SELECT {', '.join(COLUMNS['event'])} FROM event WHERE position > ? ORDER BY position LIMIT ?"  # noqa: S608
        while rows := self._db.rows(query, (position, MOST_ROWS)):
            for row in rows:
                digest.update(msgspec.json.encode(row))
            position = rows[-1][0]
        return bytes(digest.digest())


def gone(had: int, has: int) -> str:
    """The sentence for a ledger that had more events than it has."""
    return f"{had - has} {'event is' if had - has == 1 else 'events are'} gone: it had {had} and has {has}"


def listed(values: Iterable[str]) -> str:
    """Values for `json_each` in a query."""
    return msgspec.json.encode(list(values)).decode()


def event_rows(
    position: int, record_id: str, end: End, encoded: Encoded, event_ids: Sequence[str] | None
) -> list[EventRow]:
    """The rows of events that follow the end of a record, from this position on."""
    links, ids = chain.links(encoded.bodies, end.link), event_ids or (None,) * len(encoded.bodies)
    return [
        (position + n, record_id, end.version + n, id_, id_digest(record_id, end.version + n, id_), body, link)
        for n, (id_, body, link) in enumerate(zip(ids, encoded.bodies, links, strict=True))
    ]


# ── The stored form ────────────────────────────────────────────────────────────────────────────────────────


def pack(events: Iterable[AnyEvent]) -> Packed:
    """A whole record ready to be stored.  Raises NotARecord for events that are not a record, and for too many."""
    record = codec.check_whole(events)
    encoded = encode(record.events)
    check_size(len(record.events), encoded.size)
    return Packed(record, encoded.bodies, encoded.names, chain.links(encoded.bodies))


def encode(events: Sequence[AnyEvent], version: int = 0) -> Encoded:
    """The stored form of events from this version on.  Raises NotARecord for events that could not be read again.

    Each event is read back before it is stored, because a malformed one could not be removed later.
    """
    names: dict[int, chain.Names] = {}
    try:
        bodies = list(map(codec.encode_event, events))
        # With the names: this finds a malformed name too.
        if read_joined(b",".join(bodies), len(bodies)) is None:
            read_back(bodies, version)  # and says which event it is
        for place, event in enumerate(events):
            if event.by is not None or type(event) in _NAMING:
                bare, event_names = chain.without_names(event)
                if event_names:
                    bodies[place], names[version + place] = codec.encode_event(bare), event_names
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise NotARecord(f"cannot be written: {error}") from None
    return Encoded(bodies, names, size_of(bodies, names))


_NAMING = frozenset((Open, Amend, Insert))
"""The types of events that can name others than the one who recorded them."""


def read_back(
    bodies: Sequence[bytes], version: int = 0, names: Mapping[int, chain.Names] | None = None
) -> tuple[AnyEvent, ...]:
    """The events in these bytes, from this version on, with their names.

    Raises NotARecord with the seq of a malformed event.
    """
    events: Sequence[AnyEvent] | None = None
    with suppress(TypeError):  # a damaged file has numbers where bytes were
        events = read_joined(b",".join(bodies), len(bodies))
    if events is None:
        events = []
        for seq, body in enumerate(bodies, version):
            try:
                events.append(codec.decode_event(body))
            except NotARecord as error:
                raise NotARecord(error.reason, field=error.field, event=seq) from None
            except TypeError:
                raise NotARecord("it is not text", event=seq) from None
    return with_names(events, version, names)


def read_joined(bodies: bytes | None, count: int) -> Sequence[AnyEvent] | None:
    """The events in these bytes, with commas between them; None if they are not `count` events."""
    try:
        events: tuple[AnyEvent, ...] = _events_decoder.decode(b"[%s]" % bodies)
    except (TypeError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return events if len(events) == count else None


def with_names(
    events: Sequence[AnyEvent], version: int, names: Mapping[int, chain.Names] | None
) -> tuple[AnyEvent, ...]:
    """These events of a record, from this version on, with their names."""
    if names:
        events = list(events)
        for seq, event_names in names.items():
            if version <= seq < version + len(events):
                events[seq - version] = chain.with_names(events[seq - version], event_names)
    return tuple(events)


_events_decoder = msgspec.json.Decoder(tuple[AnyEvent, ...])


def size_of(bodies: Iterable[bytes], names: Mapping[int, chain.Names]) -> int:
    """The bytes of events, with their names."""
    return sum(map(len, bodies)) + sum(len(msgspec.json.encode(event_names)) for event_names in names.values())


# ── What may be stored ─────────────────────────────────────────────────────────────────────────────────────


def checked_length(upto: int | None) -> int | None:
    """The number of events to read.  Raises NotForNow if it is below 1."""
    if upto is not None and upto < 1:
        raise NotForNow(f"a record has at least its opening: there are no first {upto} events")
    return upto


def admit(end: End, encoded: Encoded, events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that are not valid after this end of a record."""
    check_size(end.version + len(events), end.size + encoded.size)
    if not end.version:
        codec.check_whole(events)
        return
    codec.admit_all(end.version, events, end.players)


def check_size(events: int, size: int) -> None:
    """Raises NotARecord for a record of more events or bytes than any table could play."""
    if events > MOST_EVENTS:
        raise NotARecord(f"a record has at most {MOST_EVENTS} events: begin another record")
    if size > MOST_BYTES:
        raise NotARecord(
            f"a record has at most {MOST_BYTES // 1_000_000} MB, and with this it would have more: write shorter "
            "notes, or begin another record"
        )


def id_digest(record_id: str, seq: int, event_id: str | None) -> bytes | None:
    """The SHA-256 that shows whether a client's id of an event was changed: ids are outside the chain."""
    return None if event_id is None else sha256(msgspec.json.encode((record_id, seq, event_id))).digest()


def has_intact_id(entry: Logged) -> bool:
    """Whether an event has the id that its client gave it, if any."""
    return id_digest(entry.record, entry.seq, entry.event_id) == entry.id_digest


class Retry(NamedTuple):
    """The start of a batch that is stored already: how many events are `known`, and the `version` after them."""

    known: int
    version: int


def find_retry(
    record_id: str, events: Sequence[AnyEvent], event_ids: Sequence[str], stored: Mapping[str, tuple[int, bytes]]
) -> Retry | None:
    """The part of a batch that is stored already, or None; `stored` has the seq and the bytes by event id.

    Raises IdReused if there is not exactly one id per event, if an id belongs to another event, or if a new event comes
    before a stored one, which would change the order.
    """
    if len(set(event_ids)) != len(events) or len(event_ids) != len(events):
        raise IdReused(f"record {record_id}: every event of a batch needs an id of its own")
    if not stored:
        return None
    known = version = 0
    for place, (event_id, event) in enumerate(zip(event_ids, events, strict=True)):
        if event_id not in stored:
            continue
        seq, body = stored[event_id]
        if not _same_request(event, body):
            raise IdReused(f"record {record_id}: the id {event_id!r} belongs to event {seq}, which is another")
        if place != known:
            raise IdReused(f"record {record_id}: the id {event_id!r} belongs to event {seq}, but one before it is new")
        known, version = known + 1, max(version, seq + 1)
    return Retry(known, version) if known else None


def _same_request(sent: AnyEvent, body: bytes) -> bool:
    """Whether an event that a client sent is the one in these bytes: its time stamp and names do not count."""
    return chain.chained_bytes(replace(sent, when=None)) == codec.encode_event(
        replace(codec.decode_event(body), when=None)
    )
