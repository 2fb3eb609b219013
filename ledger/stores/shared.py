"""What every store does alike: what may be stored, what a retry is, and what the list says of a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple
from unicodedata import normalize

import msgspec
from msgspec.structs import replace

from ledger import chain, codec
from ledger.errors import Corrupt, IdReused, NotARecord, NotForNow
from ledger.events import CORRECTIONS, Amend, AnyEvent, Close, Open
from ledger.record import Record, effective
from ledger.stores.contract import Logged, Row, Store


class Encoded(NamedTuple):
    """Events as they are stored: the bytes of each, and the names that stand outside them, by seq and player."""

    bodies: list[bytes]
    names: dict[int, dict[str, str]]


def encode(events: Sequence[AnyEvent], version: int = 0) -> Encoded:
    """What to store of events from this version on.  Raises NotARecord for events that nobody could read again.

    They are read back once before they are stored, because an event of the wrong shape could not be taken back later.
    """
    names, bare = dict[int, dict[str, str]](), list(events)
    try:
        for place, event in enumerate(events):
            if type(event) is Open or type(event) is Amend:
                bare[place], called = chain.without_names(event)
                if called:
                    # As they will be read: a name of the wrong shape is found here too.
                    read_back([codec.encode_event(event)], version + place)
                    names[version + place] = called
        bodies = list(map(codec.encode_event, bare))
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise NotARecord(f"cannot be written: {error}") from None
    read_back(bodies, version)
    return Encoded(bodies, names)


def verify_links(store: Store, log: Iterable[Logged]) -> Iterator[Logged]:
    """The same events of another ledger's log, each held against what it follows in a store, or in the log itself.

    Raises Corrupt for one that does not follow from the one before it.
    """
    ends: dict[str, tuple[int, bytes]] = {}
    for each in log:
        if each.record not in ends:
            version = store.version(each.record)
            ends[each.record] = version, store.link(each.record, version) or chain.FIRST
        seq, before = ends[each.record]
        if (seq, chain.link(before, each.body)) != (each.seq, each.link):
            raise Corrupt(f"record {each.record}: event {each.seq} does not follow from the one before it")
        ends[each.record] = seq + 1, each.link
        yield each


def read_back(
    bodies: Sequence[bytes], version: int = 0, names: Mapping[int, Mapping[str, str]] | None = None
) -> tuple[AnyEvent, ...]:
    """The events that these bytes say, from this version on, with their names.

    Raises NotARecord with the seq that fails.
    """
    events: Sequence[AnyEvent]
    try:
        events = _several.decode(b"[%s]" % b",".join(bodies))
    except (TypeError, msgspec.DecodeError, UnicodeError, RecursionError):
        events = []
        for seq, body in enumerate(bodies, version):
            try:
                events.append(codec.decode_event(body))
            except NotARecord as error:
                raise NotARecord(error.reason, field=error.field, event=seq) from None
            except TypeError:  # a damaged file has numbers where bytes were
                raise NotARecord("what stands there is no text", event=seq) from None
    if names:
        events = list(events)
        for seq, said in names.items():
            if version <= seq < version + len(events):
                events[seq - version] = chain.with_names(events[seq - version], said)
    return tuple(events)


_several = msgspec.json.Decoder(tuple[AnyEvent, ...])


def checked_length(upto: int | None) -> int | None:
    """How many events to read.  Raises NotForNow for fewer than the opening."""
    if upto is not None and upto < 1:
        raise NotForNow(f"a record has at least its opening: its first {upto} events are none")
    return upto


def fold(text: str) -> str:
    """A text as it is looked for: whatever its case, and however its accents were typed."""
    return normalize("NFC", text.replace("\0", "\N{REPLACEMENT CHARACTER}")).casefold()


def admit(version: int, players: frozenset[str], events: Sequence[AnyEvent]) -> None:
    """Raises NotARecord for events that cannot stand at this version of a record of these players."""
    if not version:
        codec.check(events)
        return
    for seq, event in enumerate(events, version):
        codec.admit(seq, event, players)
        if type(event) is Amend and type(event.event) is Open:
            players |= codec.ids(event.event, seq)


def request_digest(event: AnyEvent) -> bytes:
    """The SHA-256 of what a client sent: a retry is stamped with another time, but says the same.

    Names are left out: a digest of a name that was forgotten would tell it to whoever guesses.
    """
    return sha256(chain.chained_bytes(replace(event, when=None, by=None))).digest()


class Retry(NamedTuple):
    """The head of a batch that is stored already: how many events are `known`, and the `version` after them."""

    known: int
    version: int


def find_retry(
    record_id: str, events: Sequence[AnyEvent], event_ids: Sequence[str], stored: Mapping[str, tuple[int, bytes]]
) -> Retry | None:
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
        if said != request_digest(event):
            raise IdReused(f"record {record_id}: the id {event_id!r} stands for event {seq}, which is another")
        if place != known:
            raise IdReused(f"record {record_id}: the id {event_id!r} stands for event {seq}, but one before it is new")
        known, version = known + 1, max(version, seq + 1)
    return Retry(known, version) if known else None


_ROW_EVENTS = frozenset((Close, *CORRECTIONS))


def changes_row(events: Iterable[AnyEvent]) -> bool:
    """Whether any of these can change more of a row than its version: a close, or a correction."""
    return not _ROW_EVENTS.isdisjoint(map(type, events))


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
