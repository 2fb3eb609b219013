"""Signed heads: what a ledger held, said under a name, so that nobody can say otherwise later.

A checkpoint is a note of three lines (who says it, how many events, their Merkle root) and a signature by Ed25519.
With the public key alone, and without the ledger, a proof shows that a record stood in it just as it is.

Source: C2SP, tlog-checkpoint and signed-note; keys and signatures are written as there.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from ledger import chain, codec
from ledger.errors import NotForNow, UnknownRecord
from ledger.heads import Head
from ledger.merkle import Tree, includes, inclusion
from ledger.record import Record
from ledger.stores.contract import Store
from ledger.witness import leaf_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\1"
"""The kind of key, in a key's bytes and in its hash."""
# Half of a character is what bytes become that are no text: it could not be written down.
_NAME = re.compile(r"[^\s+\ud800-\udfff]{1,200}")
_SIGNATURE = re.compile("\u2014 (?P<name>[^\\s+]+) (?P<said>[A-Za-z0-9+/=]+)\n")


class Signer:
    """A private key and its name: ``PRIVATE+KEY+name+hash+key``.  Raises NotForNow for what is no such key."""

    def __init__(self, text: str) -> None:
        parts = text.strip().split("+", 4)
        if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
            raise NotForNow("this is no private key: one is written PRIVATE+KEY+name+hash+key")
        self.name = parts[2]
        self._key = _private(_bytes(parts[4], 33)[1:])
        self.verifier = Verifier(_written(self.name, self._key.public_key().public_bytes_raw()))
        if self.verifier.hash.hex() != parts[3]:
            raise NotForNow("this private key is damaged: its hash is another one")

    @staticmethod
    def made(name: str) -> str:
        """A new private key under this name, as text.  Raises NotForNow for a name with a space or a plus."""
        if not _NAME.fullmatch(name):
            raise NotForNow("a key's name has no spaces and no plus signs: such as domino.club.example/ledger")
        import secrets  # noqa: PLC0415  only where a key is made

        seed = secrets.token_bytes(32)
        public = _private(seed).public_key().public_bytes_raw()
        kept = base64.b64encode(ED25519 + seed).decode()
        return f"PRIVATE+KEY+{name}+{_hash(name, public).hex()}+{kept}"

    def sign(self, text: str) -> str:
        """A text, which ends with a line's end, with a signature under it."""
        said = base64.b64encode(self.verifier.hash + self._key.sign(text.encode())).decode()
        return f"{text}\n\u2014 {self.name} {said}\n"


class Verifier:
    """A public key and its name: ``name+hash+key``.  Raises NotForNow for what is no such key."""

    def __init__(self, text: str) -> None:
        parts = text.strip().split("+", 2)
        if len(parts) != 3 or not _NAME.fullmatch(parts[0]):
            raise NotForNow("this is no public key: one is written name+hash+key")
        self.name, self._public = parts[0], _bytes(parts[2], 33)[1:]
        self.hash = _hash(self.name, self._public)
        if self.hash.hex() != parts[1]:
            raise NotForNow("this public key is damaged: its hash is another one")

    def __str__(self) -> str:
        return _written(self.name, self._public)

    def open(self, note: str) -> str:
        """The text of a signed note.  Raises NotForNow if this key has not signed it."""
        _crypto()
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  only where something is signed

        text, gap, signatures = note.rpartition("\n\n")
        text += "\n"
        for found in _SIGNATURE.finditer(signatures) if gap else ():
            said = _bytes(found["said"])
            if found["name"] != self.name or said[:4] != self.hash:
                continue
            try:
                _key(self._public).verify(said[4:], _utf8(text))
            except InvalidSignature:
                break
            return text
        raise NotForNow(f"{self.name} has not signed this")


def _crypto() -> None:
    try:
        import cryptography  # noqa: F401, PLC0415  only where something is signed
    except ImportError:
        raise NotForNow("signatures need an extra: pip install 'domino-ledger[sign]'") from None


def _private(seed: bytes) -> Ed25519PrivateKey:
    _crypto()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    return Ed25519PrivateKey.from_private_bytes(seed)


def _key(public: bytes) -> Ed25519PublicKey:
    _crypto()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    return Ed25519PublicKey.from_public_bytes(public)


def _written(name: str, public: bytes) -> str:
    return f"{name}+{_hash(name, public).hex()}+{base64.b64encode(ED25519 + public).decode()}"


def _hash(name: str, public: bytes) -> bytes:
    return sha256(_utf8(name) + b"\n" + ED25519 + public).digest()[:4]


def _utf8(text: str) -> bytes:
    # Halves of characters are no text that anybody has signed, but no reason to fall over either.
    return text.encode("utf-8", "surrogatepass")


def _bytes(text: str, size: int | None = None) -> bytes:
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:  # binascii.Error is one, and so is the refusal of letters beyond ASCII
        found = b""
    if not found or (size is not None and (len(found) != size or found[:1] != ED25519)):
        raise NotForNow("this is no Ed25519 key or signature")
    return found


# ── Checkpoints ────────────────────────────────────────────────────────────────────────────────────────────


def signed(head: Head, signer: Signer) -> str:
    """A head as a checkpoint."""
    return signer.sign(f"{signer.name}\n{head.size}\n{base64.b64encode(head.root).decode()}\n")


def opened(note: str, verifier: Verifier) -> Head:
    """The head of a checkpoint.  Raises NotForNow if it is none, or not signed by that key."""
    lines = verifier.open(note).split("\n")
    if len(lines) < 4 or lines[0] != verifier.name or not re.fullmatch(r"0|[1-9][0-9]{0,17}", lines[1]):
        raise NotForNow("this is no checkpoint of that ledger")
    return Head(int(lines[1]), _bytes(lines[2]))


# ── Proofs ─────────────────────────────────────────────────────────────────────────────────────────────────


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """That a record stood in a ledger, just as it is, when the checkpoint was signed.

    `events` are the texts that are chained, without names; `index` is the place of the last in the ledger, and `path`
    the hashes that lead from there to the root.
    """

    format: Literal["domino-ledger-proof/1"]
    record: str
    checkpoint: str
    events: tuple[str, ...]
    index: int
    path: tuple[str, ...]


def prove(store: Store, record_id: str, signer: Signer) -> Proof:
    """The proof of a record, with a checkpoint of the ledger as it is.  Raises UnknownRecord."""
    leaves, index = list[bytes](), -1
    events = []
    for each in store.log():
        if each.record == record_id:
            index = len(leaves)
            events.append(each.body.decode())
        leaves.append(leaf_of(each.record, each.link))
    if not events:
        raise UnknownRecord(f"the ledger has no record {record_id}")
    head = Head(len(leaves), Tree(leaves).root)
    path = tuple(each.hex() for each in inclusion(leaves, index))
    return Proof("domino-ledger-proof/1", record_id, signed(head, signer), tuple(events), index, path)


def proved(proof: Proof, verifier: Verifier) -> tuple[Record, Head]:
    """The record that a proof shows, and the head at that time: from the proof and a public key alone.

    The last link speaks for every event before it, so one path is enough.  Raises NotForNow if the proof does not show
    it, NotARecord if what it shows is no record.
    """
    head = opened(proof.checkpoint, verifier)
    last = (chain.FIRST, *chain.links(event.encode() for event in proof.events))[-1]
    if not includes(_path(proof.path), proof.index, head.size, leaf_of(proof.record, last), head.root):
        raise NotForNow(f"record {proof.record} did not stand in the ledger like this")
    return codec.check(codec.decode_event(event) for event in proof.events), head


def _path(hashes: Sequence[str]) -> list[bytes]:
    try:
        return [bytes.fromhex(each) for each in hashes]
    except ValueError:
        raise NotForNow("this is no proof: its hashes are written in hexadecimal digits") from None


def read_proof(text: bytes) -> Proof:
    """A proof as it is written.  Raises NotForNow for anything else."""
    try:
        return msgspec.json.decode(text, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotForNow(f"this is no proof: {error}") from None
