"""The chain in a record: each event is bound to all events before it, so one digest stands for a whole game.

A link is the SHA-256 of the previous link (32 zero bytes before the first) and the event's canonical bytes.  With the
last link you can tell whether any copy of the record, such as a line of an archive, is the same.  The hashed bytes
contain no names of people, only the ids of players: the players' names, the `recorder` of an opening and every `by` are
left out.  People may ask to be forgotten, and that must not break the chain.

The digest of a record is the link of its last event that is neither a confirmation nor a void, so all players confirm
the same one, and a record that is set aside and brought back keeps it.
People see it as its fingerprint: twenty letters and digits.

Source: the record format, version 1 (`confirm`); the alphabet is Crockford's base 32.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.record import codec
from ledger.record.events import Amend, AnyEvent, Confirm, Insert, Note, Open, Player, Void
from ledger.record.record import Record, effective

FIRST = bytes(32)
"""The link before the first event."""
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Letters and digits that are hard to confuse when read aloud or written by hand."""
_LETTERS = 20
"""How many letters a fingerprint has: 100 bits, more than anyone can forge."""


def link(before: bytes, body: bytes) -> bytes:
    """The link of an event, given the previous link."""
    return sha256(before + body).digest()


def links(bodies: Iterable[bytes], before: bytes = FIRST) -> list[bytes]:
    """The link of each of these events."""
    return [before := sha256(before + body).digest() for body in bodies]


# ── Names stay outside the chain ────────────────────────────────────────────────────────────────────────────────────


class Names(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The names of people in an event: `players` by id, who recorded it, and the names in the event that it contains.

    It is false if it has no names.
    """

    players: dict[str, str] = {}
    by: str | None = None
    recorder: str | None = None
    event: Names | None = None

    def __bool__(self) -> bool:
        return self != NO_NAMES

    def __iter__(self) -> Iterator[str]:
        """Every name, with repetitions."""
        yield from self.players.values()
        yield from (name for name in (self.by, self.recorder) if name is not None)
        yield from self.event or ()

    def mapped(self, change: Callable[[str], str | None]) -> Names:
        """The same with other names, and without those that become None."""
        return self.restored(self, lambda name, _before: change(name))

    def restored(self, before: Names, change: Callable[[str, str], str | None]) -> Names:
        """The same with `change(name, name before)` for each name that stood in the same place before."""

        def place(now: str | None, earlier: str | None) -> str | None:
            return now if now is None or earlier is None else change(now, earlier)

        players = {id_: place(name, before.players.get(id_, name)) for id_, name in self.players.items()}
        return Names(
            {id_: name for id_, name in players.items() if name is not None},
            place(self.by, before.by),
            place(self.recorder, before.recorder),
            (self.event.restored(before.event or NO_NAMES, change) or None) if self.event else None,
        )

    def without(self, erased: Container[str]) -> Names:
        """The names that are left when some are erased."""
        return self.mapped(lambda name: None if name in erased else name)


NO_NAMES = Names()


def without_names(event: AnyEvent) -> tuple[AnyEvent, Names]:
    """The event without names, and the names in it."""
    changes: dict[str, Any] = {} if event.by is None else {"by": None}
    players, recorder, inner = dict[str, str](), None, NO_NAMES
    if isinstance(event, Amend | Insert):
        bare, inner = without_names(event.event)
        if inner:
            changes["event"] = bare
    elif isinstance(event, Open):
        players, recorder = {player.id: player.name for player in event.players if player.name}, event.recorder
        if players:
            changes["players"] = tuple(Player(id=player.id) for player in event.players)
        if recorder is not None:
            changes["recorder"] = None
    if not changes:
        return event, NO_NAMES
    return replace(event, **changes), Names(players, event.by, recorder, inner or None)


def with_names(event: AnyEvent, names: Names) -> AnyEvent:
    """The event with exactly these names."""
    changes: dict[str, Any] = {"by": names.by}
    if isinstance(event, Amend | Insert):
        changes["event"] = with_names(event.event, names.event or NO_NAMES)
    elif isinstance(event, Open):
        players = tuple(Player(id=player.id, name=names.players.get(player.id, "")) for player in event.players)
        changes |= {"players": players, "recorder": names.recorder}
    return replace(event, **changes)


def chained_bytes(event: AnyEvent) -> bytes:
    """The bytes of an event that the chain hashes: canonical JSON without names."""
    return codec.encode_event(without_names(event)[0])


# ── The record digest ──────────────────────────────────────────────────────────────────────────────────────


UNCOUNTED = frozenset((Confirm, Void))
"""The types of events that the digest of a record does not cover where they stand at its end."""


def digest_length(events: Sequence[AnyEvent]) -> int:
    """How many events the digest of a record covers: all but the confirmations and voids at its end."""
    length = len(events)
    while length and type(events[length - 1]) in UNCOUNTED:
        length -= 1
    return length


def record_digest(events: Sequence[AnyEvent]) -> bytes:
    """The digest of a record (32 bytes)."""
    return (FIRST, *links(map(chained_bytes, events[: digest_length(events)])))[-1]


def fingerprint(digest: bytes) -> str:
    """The fingerprint of a record digest, for people: five groups of four letters and digits."""
    bits = int.from_bytes(digest[:13], "big") >> 104 - 5 * _LETTERS
    letters = "".join(ALPHABET[bits >> 5 * n & 31] for n in range(_LETTERS - 1, -1, -1))
    return "-".join(letters[n : n + 4] for n in range(0, _LETTERS, 4))


def matches(text: str, digest: bytes) -> bool:
    """Whether a typed fingerprint, or 64 hexadecimal digits, belong to this record digest."""
    plain = "".join(text.split()).replace("-", "").lower()
    alike = plain.translate(str.maketrans("oil", "011"))
    return plain == digest.hex() or alike == fingerprint(digest).replace("-", "")


class Confirmation(NamedTuple):
    """A player's agreement: the event's seq, and the fingerprint that it names.

    `true`: the record before it has that fingerprint.  `last`: only notes, confirmations and voids follow it.
    """

    seq: int
    player: str
    fingerprint: str
    true: bool
    last: bool


def confirmations(record: Record) -> Iterator[Confirmation]:
    """The confirmations in a record, each compared with the record it confirms."""
    if Confirm not in record.by_type:
        return
    standing = {entry.seq: entry.event for entry in effective(record.events, record.by_type).entries}
    digest, before, agreements = FIRST, FIRST, list[tuple[int, Confirm, bool]]()
    last_change = -1
    for seq, event in enumerate(record.events):
        before = link(before, chained_bytes(event))
        if type(event) not in UNCOUNTED:
            digest = before
            last_change = last_change if type(event) is Note else seq
        elif isinstance(event, Confirm) and standing.get(seq) is event:
            agreements.append((seq, event, matches(event.head, digest)))
    for seq, event, true in agreements:
        yield Confirmation(seq, event.player, event.head, true, seq > last_change)
