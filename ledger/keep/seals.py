"""Seals: a phone's copy of a record can be proved to a new ledger that has the old owner's key.

A ledger seals each copy that a phone keeps, with its events, names, ids and keys.  The seal is an HMAC whose secret is
the digest of the owner's key: all that a ledger stores of it, and what a new ledger has again when it is started with
the same key.  Nobody else can make or change a seal, and the phone that keeps it learns nothing from it.  A ledger
without an owner makes none.

Anyone who has a copy of the ledger's file has the digest, too: that is why backups are for their owner alone.

Source: RFC 2104 (HMAC), with SHA-256.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

import msgspec

from ledger.keep.copies import Copy
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
