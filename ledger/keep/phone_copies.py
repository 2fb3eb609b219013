"""Copies that phones kept: the files of them, and what proves a copy to a new ledger.

The page *On this phone* saves a file with one JSON object on each line.

A ledger that has an owner **seals** each copy that a phone keeps, with its events, names, ids and keys.  The seal is an
HMAC whose secret is the digest of the owner's key: all that a ledger stores of it, and what a new ledger has again when
it is started with the same key.  Nobody else can make or change a seal, and the phone that keeps it learns nothing from
it.  Anyone who has a copy of the ledger's file has the digest, too: that is why backups are for their owner alone.

A **signed tree head** shows nothing by itself: it takes a path from the last event of a record to its root, as an
inclusion proof has it.  The owner has such proofs in files, and a phone keeps one beside a copy if its ledger had a
signed checkpoint.  They show events, but no names, keys or ids of events, because these are outside the chain.

Source: RFC 2104 (HMAC), with SHA-256.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.keep.copies import Copy, KeyRole
from ledger.proof.checkpoints import CopyProof, InclusionProof, Verifier, is_under, verify_checkpoint, verify_proof
from ledger.record import codec
from ledger.record.chain import links
from ledger.record.errors import Contradicted, NotForNow
from ledger.record.events import AnyEvent
from ledger.record.words import plural
from ledger.stores.beside import Key
from ledger.stores.contract import Packed, Store

_NAME, _SEAL = b"domino-ledger seal name 1", b"domino-ledger seal 1"


def owners(store: Store) -> list[bytes]:
    """The digests of the owner's keys."""
    return [key.digest for key in store.kept(Key, "") if key.role == "owner"]


def seal_name(owner: bytes) -> str:
    """Eight digits that tell with which owner's key a seal was made."""
    return hmac.digest(owner, _NAME, "sha256").hex()[:8]


def seal(owner: bytes, copy: Copy, packed: Packed) -> str:
    """The seal of a copy."""
    return f"{seal_name(owner)}:{hmac.digest(owner, _SEAL + _sealed(copy, packed), 'sha256').hex()}"


def is_sealed(store: Store, copy: Copy, packed: Packed, text: str) -> bool:
    """Whether a seal of this ledger's owner shows that the copy is exactly as a ledger had it."""
    return any(hmac.compare_digest(seal(owner, copy, packed), text) for owner in owners(store)) if text else False


def _sealed(copy: Copy, packed: Packed) -> bytes:
    """What a seal covers.  The last link stands for all events; names, ids and keys are outside the chain."""
    beside = (sorted(packed.names.items()), sorted(copy.ids.items()), sorted(copy.keys.items()))
    head = (copy.record, len(packed.links), packed.links[-1].hex())
    return sha256(msgspec.json.encode((head, beside))).digest()


class Shown(NamedTuple):
    """What a signed tree head shows of a record: the links of its first events."""

    record: str
    links: Sequence[bytes]
    tree_head: str


class Opinion(NamedTuple):
    """What speaks for a copy that nothing proves as a whole, and against it.

    A signed tree head proves the first `proved` events; `alike` are the other sources that have the same events, as
    far as both go, and `unlike` those that have others, with the number of events that both have alike.
    """

    proved: int
    tree_head: str
    alike: tuple[str, ...]
    unlike: tuple[tuple[str, int], ...]


def shown_by_file(proof: InclusionProof, verifier: Verifier) -> Shown:
    """What an inclusion proof shows.  Raises NotForNow if it fails, NotARecord if its events are not a record."""
    _, tree_head = verify_proof(proof, verifier)
    return Shown(proof.record, links(event.encode() for event in proof.events), _named(tree_head.size, verifier))


def shown_by_phone(record_id: str, of_copy: Sequence[bytes], proof: CopyProof, verifier: Verifier) -> Shown | None:
    """What the proof beside a copy with these links shows; None if its checkpoint is not signed with that key.

    Raises Contradicted if the checkpoint is, and the copy is not under it.
    """
    try:
        tree_head = verify_checkpoint(proof.checkpoint, verifier)
    except NotForNow:
        return None
    first = of_copy[: proof.events]
    name = _named(tree_head.size, verifier)
    if not 0 < proof.events <= len(of_copy) or not is_under(record_id, first[-1], proof, tree_head):
        raise Contradicted(f"the proof beside it is for {name}, which does not have these events in that record")
    return Shown(record_id, first, name)


def _named(size: int, verifier: Verifier) -> str:
    return f"the tree head of {plural(size, 'event')} that {verifier.name} signed"


def opinion(
    copy: Copy, of_copy: Sequence[bytes], shown: Iterable[Shown], others: Iterable[tuple[str, Sequence[bytes]]]
) -> Opinion:
    """What speaks for and against a copy with these links: signed tree heads, and the links that other sources have.

    Raises Contradicted if a signed tree head has other events.
    """
    proved, name = 0, ""
    for one in shown:
        if one.record != copy.record:
            continue
        common = alike_events(one.links, of_copy)
        if common < min(len(one.links), len(of_copy)):
            raise Contradicted(f"{one.tree_head} has something else in the record {copy.record} after {_first(common)}")
        if common > proved:
            proved, name = common, one.tree_head
    alike, unlike = list[str](), list[tuple[str, int]]()
    for source, of_other in others:
        common = alike_events(of_other, of_copy)
        if common == min(len(of_other), len(of_copy)):
            alike.append(source)
        else:
            unlike.append((source, common))
    return Opinion(proved, name, tuple(dict.fromkeys(alike)), tuple(dict.fromkeys(unlike)))


def _first(common: int) -> str:
    return f"{plural(common, 'event')} that are the same" if common else "no event that is the same"


def alike_events(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many events two records with these links begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def first_events(copy: Copy, count: int) -> Copy:
    """The first events of a copy, as a signed tree head proves them: without ids of events and without keys."""
    if not 0 < count <= len(copy.events):
        raise NotForNow(f"record {copy.record} has no first {plural(count, 'event')}")
    return Copy(copy.record, copy.events[:count], {}, {})


class PhoneCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of such a file: what the ledger gave the phone, with its seal and with a proof, where it had these."""

    format: Literal["domino-ledger-copy/1"]
    record: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: str = ""
    proof: CopyProof | None = None


class Kept(NamedTuple):
    """A copy in the file of a phone, with its seal and its proof."""

    source: str
    copy: Copy
    seal: str
    proof: CopyProof | None


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
            yield Kept(path.name, Copy(copy.record, copy.events, ids, copy.keys), copy.seal, copy.proof)
