"""Code that all stores share: what may be stored, what counts as a retry, and a record's row in the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple
from unicodedata import category, normalize

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, IdReused, NotARecord, NotForNow
from ledger.record.events import ABOUT_RECORDS, CORRECTIONS, Amend, AnyEvent, Close, Insert, Open
from ledger.record.record import Record, effective
from ledger.stores import questions
from ledger.stores.contract import Logged, Packed, Store
from ledger.stores.query import Row
from ledger.stores.results import plain

MOST_EVENTS = 20_000
"""The most events of one record.  The longest game of the fixtures has some hundreds."""


class Encoded(Struct, frozen=True):
    """Events as they are stored: the bytes of each, and the names outside them, by seq."""

    bodies: list[bytes]
    names: dict[int, chain.Names]


def pack(events: Iterable[AnyEvent]) -> Packed:
    """A whole record ready to be stored.  Raises NotARecord for events that are not a record."""
    record = codec.check_whole(events)
    check_length(len(record.events))
    encoded = encode(record.events)
    return Packed(record, encoded.bodies, encoded.names, chain.links(encoded.bodies))


def encode(events: Sequence[AnyEvent], version: int = 0) -> Encoded:
    """The stored form of events from this version on.  Raises NotARecord for events that could not be read again.

    Each event is read back before it is stored, because a malformed one could not be removed later.
    """
    names = dict[int, chain.Names]()
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
    return Encoded(bodies, names)


_NAMING = frozenset((Open, Amend, Insert))
"""The types of events that can name others than the one who recorded them."""


def verify_links(store: Store, log: Iterable[Logged]) -> Iterator[Logged]:
    """The events of another ledger's log, each checked against the event it follows in the store or the log.

    Raises Corrupt for an event that does not follow from the one before it.
    """
    ends: dict[str, tuple[int, bytes]] = {}
    for entry in log:
        if entry.record not in ends:
            version = store.version(entry.record)
            ends[entry.record] = version, questions.link(store, entry.record, version) or chain.FIRST
        seq, before = ends[entry.record]
        if (seq, chain.link(before, entry.body)) != (entry.seq, entry.link):
            raise Corrupt(f"record {entry.record}: event {entry.seq} does not follow from the one before it")
        ends[entry.record] = seq + 1, entry.link
        yield entry


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


def checked_length(upto: int | None) -> int | None:
    """The number of events to read.  Raises NotForNow if it is below 1."""
    if upto is not None and upto < 1:
        raise NotForNow(f"a record has at least its opening: there are no first {upto} events")
    return upto


_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})
"""Letters with a stroke or a ligature, which are no letter with an accent to Unicode."""


def fold(text: str) -> str:
    """A text in the form used for searching: case folded, accents normalised."""
    return normalize("NFC", text.replace("\0", "\N{REPLACEMENT CHARACTER}")).casefold()


def searchable(text: str) -> str:
    """A text as people type it when they search: like `fold`, but without accents, so that ``jose`` finds José."""
    letters = (letter for letter in normalize("NFD", fold(text)) if category(letter) != "Mn")
    return normalize("NFC", "".join(letters)).translate(_PLAIN)


def admit(version: int, players: frozenset[str], events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that are not valid at this version of a record with these players."""
    check_length(version + len(events))
    if not version:
        codec.check_whole(events)
        return
    codec.admit_all(version, events, players)


def check_length(number: int) -> None:
    """Raises NotARecord for a record of more events than any table could play."""
    if number > MOST_EVENTS:
        raise NotARecord(f"a record has at most {MOST_EVENTS} events: begin another record")


def same_request(sent: AnyEvent, body: bytes) -> bool:
    """Whether an event that a client sent is the one in these bytes: its time stamp and names do not count."""
    return chain.chained_bytes(replace(sent, when=None)) == codec.encode_event(
        replace(codec.decode_event(body), when=None)
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
        if not same_request(event, body):
            raise IdReused(f"record {record_id}: the id {event_id!r} belongs to event {seq}, which is another")
        if place != known:
            raise IdReused(f"record {record_id}: the id {event_id!r} belongs to event {seq}, but one before it is new")
        known, version = known + 1, max(version, seq + 1)
    return Retry(known, version) if known else None


_ROW_EVENTS = frozenset((Close, *ABOUT_RECORDS))


def changes_row(events: Iterable[AnyEvent]) -> bool:
    """Whether any event can change more of the row than its version: a close, a correction, or a void."""
    return not _ROW_EVENTS.isdisjoint(map(type, events))


def _plain(text: str | None) -> str | None:
    return None if text is None else plain(text)


def named_players(record: Record) -> frozenset[str]:
    """The ids of the players who have a name."""
    return frozenset(player.id for player in record.opening.players if player.name)


def row_of(record_id: str, record: Record) -> Row:
    """The row of a record in the list, without its audit."""
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
        event=_plain(opening.event),
        players=tuple((player.id, player.name or player.id) for player in opening.players),
        events=len(events),
        closed=closed,
        card=opening.card,
        voided=record.void is not None,
    )
