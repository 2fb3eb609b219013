"""The chain in a record: each event is bound to all before it, so that one digest speaks for a whole game.

A link is the SHA-256 of the link before (32 zero bytes before the first) and the event's canonical bytes.  Whoever has
the last link can tell of any copy of the record, a line of an archive too, whether it is the same.  What is hashed has
no names: people may ask to be forgotten, and no chain breaks when they are.  Players are known by their ids.

The fingerprint of a record is the link after its last event that is no confirmation, so that all players confirm the
same one.

Source: the record format, version 1 (`confirm`); the alphabet is Crockford's base 32.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from ledger import codec
from ledger.events import Amend, AnyEvent, Confirm, Note, Open, Player
from ledger.record import Record, effective

FIRST = bytes(32)
"""What stands before the first link."""
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Letters and digits that nobody takes for one another, read aloud or written by hand."""
_LETTERS = 20
"""Letters of a fingerprint that are read aloud: 100 bits, more than anybody at a table can bend to their will."""


def link(before: bytes, body: bytes) -> bytes:
    """The link of an event, after the link before it."""
    return sha256(before + body).digest()


def links(bodies: Iterable[bytes], before: bytes = FIRST) -> list[bytes]:
    """The link of each of these events."""
    return [before := sha256(before + body).digest() for body in bodies]


# ── Names stand outside ────────────────────────────────────────────────────────────────────────────────────


def nameless(event: AnyEvent) -> tuple[AnyEvent, dict[str, str]]:
    """An event as it is chained, and the names that it gives, by the ids of their players."""
    if isinstance(event, Amend):
        bare, names = nameless(event.event)
        return (replace(event, event=bare), names) if names else (event, names)
    names = {player.id: player.name for player in event.players if player.name} if isinstance(event, Open) else {}
    if names:
        players = tuple(Player(id=player.id) for player in event.players)  # type: ignore[union-attr]  # an opening
        return replace(event, players=players), names
    return event, names


def named(event: AnyEvent, names: Mapping[str, str]) -> AnyEvent:
    """The event with these names in it."""
    if isinstance(event, Amend):
        return replace(event, event=named(event.event, names))
    if isinstance(event, Open):
        players = tuple(Player(id=player.id, name=names.get(player.id, "")) for player in event.players)
        return replace(event, players=players)
    return event


def chained(event: AnyEvent) -> bytes:
    """The bytes of an event that are chained."""
    return codec.encode_event(nameless(event)[0])


# ── The fingerprint ────────────────────────────────────────────────────────────────────────────────────────


def agreed_upto(events: Sequence[AnyEvent]) -> int:
    """How many events of a record its fingerprint is of: all but the confirmations at its end."""
    upto = len(events)
    while upto and type(events[upto - 1]) is Confirm:
        upto -= 1
    return upto


def fingerprint(events: Sequence[AnyEvent]) -> bytes:
    """The fingerprint of a record (32 bytes)."""
    return (FIRST, *links(map(chained, events[: agreed_upto(events)])))[-1]


def aloud(fingerprint: bytes) -> str:
    """A fingerprint as it is read aloud: five groups of four letters and digits."""
    bits = int.from_bytes(fingerprint[:13], "big") >> 104 - 5 * _LETTERS
    letters = "".join(ALPHABET[bits >> 5 * n & 31] for n in range(_LETTERS - 1, -1, -1))
    return "-".join(letters[n : n + 4] for n in range(0, _LETTERS, 4))


def heard(text: str) -> str:
    """A fingerprint as somebody typed or said it, as `aloud` or in 64 hexadecimal digits, ready to be compared."""
    plain = "".join(text.split()).replace("-", "").lower()
    return plain if len(plain) == 64 else plain.translate(str.maketrans("oil", "011"))


def is_of(text: str, fingerprint: bytes) -> bool:
    """Whether a fingerprint that somebody typed is this one."""
    return heard(text) in (fingerprint.hex(), aloud(fingerprint).replace("-", ""))


class Confirmed(NamedTuple):
    """What a player agreed to: the event's seq, and the fingerprint that it names.

    `true` tells that the record before it has that fingerprint, `last` that nothing but notes and confirmations has
    come since.
    """

    seq: int
    player: str
    head: str
    true: bool
    last: bool


def confirmations(record: Record) -> Iterator[Confirmed]:
    """The confirmations that stand in a record, each held against what it confirms."""
    if not any(type(event) is Confirm for event in record.events):
        return
    standing = {entry.seq: entry.event for entry in effective(record.events).entries}
    agreed, before, found = FIRST, FIRST, list[tuple[int, Confirm, bool]]()
    changed = -1
    for seq, event in enumerate(record.events):
        before = link(before, chained(event))
        if not isinstance(event, Confirm):
            agreed = before
            changed = changed if type(event) is Note else seq
        elif standing.get(seq) is event:
            found.append((seq, event, is_of(event.head, agreed)))
    for seq, event, true in found:
        yield Confirmed(seq, event.player, event.head, true, seq > changed)
