"""Copies that phones kept: the files of them, and the seal that proves a copy to a new ledger.

The page *On this phone* saves a file with one JSON object on each line.

A ledger that has an owner **seals** each copy that a phone keeps, with its events, names, ids and keys.  The seal is an
HMAC whose secret is the digest of the owner's key: all that a ledger stores of it, and what a new ledger has again when
it is started with the same key.  Nobody else can make or change a seal, and the phone that keeps it learns nothing from
it.  Anyone who has a copy of the ledger's file has the digest, too: that is why backups are for their owner alone.

Source: RFC 2104 (HMAC), with SHA-256.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.keep.copies import Copy, KeyRole
from ledger.record import codec
from ledger.record.errors import NotForNow
from ledger.record.events import AnyEvent
from ledger.stores.beside import Key
from ledger.stores.event_log import Packed

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore

_NAME, _SEAL = b"domino-ledger seal name 1", b"domino-ledger seal 1"


def owners(store: SqliteStore) -> list[bytes]:
    """The digests of the owner's keys."""
    return [key.digest for key in store.kept(Key, "") if key.role == "owner"]


def seal_name(owner: bytes) -> str:
    """Eight digits that tell with which owner's key a seal was made."""
    return hmac.digest(owner, _NAME, "sha256").hex()[:8]


def seal(owner: bytes, copy: Copy, packed: Packed) -> str:
    """The seal of a copy."""
    return f"{seal_name(owner)}:{hmac.digest(owner, _SEAL + _sealed(copy, packed), 'sha256').hex()}"


def is_sealed(store: SqliteStore, copy: Copy, packed: Packed, text: str) -> bool:
    """Whether a seal of this ledger's owner shows that the copy is exactly as a ledger had it."""
    return any(hmac.compare_digest(seal(owner, copy, packed), text) for owner in owners(store)) if text else False


def _sealed(copy: Copy, packed: Packed) -> bytes:
    """What a seal covers.  The last link stands for all events; names, ids and keys are outside the chain."""
    beside = (sorted(packed.names.items()), sorted(copy.ids.items()), sorted(copy.keys.items()))
    head = (copy.record, len(packed.links), packed.links[-1].hex())
    return sha256(msgspec.json.encode((head, beside))).digest()


class Opinion(NamedTuple):
    """What speaks for a copy without a seal, and against it.

    `alike` are the other sources that have the same events, as far as both go, `unlike` those that have others, with
    the number of events that both have alike.
    """

    alike: tuple[str, ...]
    unlike: tuple[tuple[str, int], ...]


def opinion(of_copy: Sequence[bytes], others: Iterable[tuple[str, Sequence[bytes]]]) -> Opinion:
    """What speaks for and against a copy with these links: the links that other sources have."""
    alike, unlike = list[str](), list[tuple[str, int]]()
    for source, of_other in others:
        common = _alike_events(of_other, of_copy)
        if common == min(len(of_other), len(of_copy)):
            alike.append(source)
        else:
            unlike.append((source, common))
    return Opinion(tuple(dict.fromkeys(alike)), tuple(dict.fromkeys(unlike)))


def _alike_events(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many events two records with these links begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


class PhoneCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of such a file: what the ledger gave the phone, with its seal, where it had one."""

    format: Literal["domino-ledger-copy/1"]
    record: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: str = ""


class Kept(NamedTuple):
    """A copy in the file of a phone, with its seal."""

    source: str
    copy: Copy
    seal: str


def phone_copies(file: str) -> Iterator[Kept]:
    """The copies in a file.  Raises NotForNow for a line that is none."""
    path = Path(file)
    with codec.open_bytes(path) as stream:
        for number, (line, _length) in enumerate(codec.read_lines(stream), 1):
            if line.isspace():
                continue
            try:
                copy = msgspec.json.decode(line, type=PhoneCopy)
                ids = {int(seq): event_id for seq, event_id in copy.ids.items()}
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                raise NotForNow(f"{file}:{number}: this is not a phone's copy: {error}") from None
            yield Kept(path.name, Copy(copy.record, copy.events, ids, copy.keys), copy.seal)
