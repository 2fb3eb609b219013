"""Signed tree heads and inclusion proofs: what a ledger held, signed, so that its keeper cannot deny it later.

A checkpoint is a note of three lines (the signer's name, the number of events, their Merkle root) with an Ed25519
signature.  An inclusion proof shows that a record was in the ledger exactly like this.  Checking it takes only the
public key, not the ledger.

Source: C2SP, tlog-checkpoint and signed-note, also for the format of keys and signatures.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.proof.tree_head import TreeHead
from ledger.record import chain, codec
from ledger.record.errors import NotForNow, no_record
from ledger.record.record import Record
from ledger.stores.contract import Store
from ledger.stores.high_water import leaf_of
from ledger.stores.merkle import Tree, includes, inclusion

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\1"
"""The type of a key: its first byte, which its hash covers too."""
# A lone surrogate stands for bytes that are not text, and cannot be written to a file.
_NAME = re.compile(r"[^\s+\ud800-\udfff]{1,200}")
_SIGNATURE_LINE = re.compile("\u2014 (?P<name>[^\\s+]+) (?P<signature>[A-Za-z0-9+/=]+)\n")


class Signer:
    """A private key and its name: ``PRIVATE+KEY+name+hash+key``.  Raises NotForNow for any other text."""

    def __init__(self, text: str) -> None:
        parts = text.strip().split("+", 4)
        if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
            raise NotForNow("this is not a private key: one looks like PRIVATE+KEY+name+hash+key")
        self.name = parts[2]
        self._key = _private(_bytes(parts[4], 33)[1:])
        self.verifier = Verifier(_public_text(self.name, self._key.public_key().public_bytes_raw()))
        if self.verifier.hash.hex() != parts[3]:
            raise NotForNow("this private key is damaged: its hash does not match")

    @staticmethod
    def new_key(name: str) -> str:
        """A new private key with this name, as text.  Raises NotForNow for a name with a space or a plus."""
        if not _NAME.fullmatch(name):
            raise NotForNow("a key's name has no spaces and no plus signs, like domino.club.example/ledger")
        import secrets

        seed = secrets.token_bytes(32)
        public = _private(seed).public_key().public_bytes_raw()
        encoded = base64.b64encode(ED25519 + seed).decode()
        return f"PRIVATE+KEY+{name}+{_hash(name, public).hex()}+{encoded}"

    def sign(self, text: str) -> str:
        """The text, which must end with a newline, with a signature under it."""
        signature = base64.b64encode(self.verifier.hash + self._key.sign(text.encode())).decode()
        return f"{text}\n\u2014 {self.name} {signature}\n"


class Signed(NamedTuple):
    """A text, an Ed25519 signature under it, and the public key that should have made it."""

    text: str
    signature: bytes
    public: bytes


class Verifier:
    """A public key and its name: ``name+hash+key``.  Raises NotForNow for any other text."""

    def __init__(self, text: str) -> None:
        parts = text.strip().split("+", 2)
        if len(parts) != 3 or not _NAME.fullmatch(parts[0]):
            raise NotForNow("this is not a public key: one looks like name+hash+key")
        self.name, self._public = parts[0], _bytes(parts[2], 33)[1:]
        self.hash = _hash(self.name, self._public)
        if self.hash.hex() != parts[1]:
            raise NotForNow("this public key is damaged: its hash does not match")

    def __str__(self) -> str:
        return _public_text(self.name, self._public)

    def signed(self, note: str) -> Signed:
        """The text of a note with the signature of this key, not verified.  Raises NotForNow if there is none."""
        text, gap, signatures = note.rpartition("\n\n")
        for line in _SIGNATURE_LINE.finditer(signatures) if gap else ():
            signature = _bytes(line["signature"])
            if line["name"] == self.name and signature[:4] == self.hash:
                return Signed(f"{text}\n", signature[4:], self._public)
        raise NotForNow(f"{self.name} did not sign this")

    def open(self, note: str) -> str:
        """The text of a signed note.  Raises NotForNow if this key did not sign it."""
        _crypto()
        from cryptography.exceptions import InvalidSignature

        signed = self.signed(note)
        try:
            _key(signed.public).verify(signed.signature, _utf8(signed.text))
        except InvalidSignature:
            raise NotForNow(f"{self.name} did not sign this") from None
        return signed.text


def _crypto() -> None:
    try:
        import cryptography  # noqa: F401  only needed for signatures
    except ImportError:
        raise NotForNow("signatures need an extra: pip install 'domino-ledger[sign]'") from None


def _private(seed: bytes) -> Ed25519PrivateKey:
    _crypto()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


def _key(public: bytes) -> Ed25519PublicKey:
    _crypto()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public)


def _public_text(name: str, public: bytes) -> str:
    return f"{name}+{_hash(name, public).hex()}+{base64.b64encode(ED25519 + public).decode()}"


def _hash(name: str, public: bytes) -> bytes:
    return sha256(_utf8(name) + b"\n" + ED25519 + public).digest()[:4]


def _utf8(text: str) -> bytes:
    # No signed text has lone surrogates, but one with them must not crash the check.
    return text.encode("utf-8", "surrogatepass")


def _bytes(text: str, size: int | None = None) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:  # binascii.Error is one, and so is the error for letters beyond ASCII
        data = b""
    if not data or (size is not None and (len(data) != size or data[:1] != ED25519)):
        raise NotForNow("this is not an Ed25519 key or signature")
    return data


# ── Checkpoints ────────────────────────────────────────────────────────────────────────────────────────────


def sign_tree_head(tree_head: TreeHead, signer: Signer) -> str:
    """The checkpoint of a tree head."""
    return signer.sign(f"{signer.name}\n{tree_head.size}\n{base64.b64encode(tree_head.root).decode()}\n")


def verify_checkpoint(note: str, verifier: Verifier) -> TreeHead:
    """The tree head of a checkpoint.  Raises NotForNow if it is malformed, or not signed with that key."""
    return tree_head_in(verifier.open(note), verifier.name)


def unverified(note: str) -> TreeHead:
    """The tree head of a checkpoint whose signature was not verified.  Raises NotForNow if it is malformed."""
    text, gap, _ = note.rpartition("\n\n")
    return tree_head_in(f"{text}\n" if gap else "", text.partition("\n")[0])


def tree_head_in(text: str, name: str) -> TreeHead:
    """The tree head in the text of a checkpoint of that name.  Raises NotForNow if it is malformed."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[0] != name or not re.fullmatch(r"0|[1-9][0-9]{0,17}", lines[1]):
        raise NotForNow("this is not a checkpoint of that ledger")
    return TreeHead(int(lines[1]), _bytes(lines[2]))


# ── Inclusion proofs ─────────────────────────────────────────────────────────────────────────────────────────────────


class InclusionProof(Struct, frozen=True, forbid_unknown_fields=True):
    """Shows that a record was in a ledger, exactly like this, when the checkpoint was signed.

    `events` are the bytes that the chain hashes, without names; `index` is the place of the last one in the ledger,
    and `path` holds the hashes from there to the root.
    """

    format: Literal["domino-ledger-proof/1"]
    record: str
    checkpoint: str
    events: tuple[str, ...]
    index: int
    path: tuple[str, ...]


class CopyProof(Struct, frozen=True, forbid_unknown_fields=True):
    """Shows that the first `events` of a copy were in a ledger when the checkpoint was signed.

    A phone keeps it beside the copy; `index` and `path` are those of the last of these events.
    """

    checkpoint: str
    events: int
    index: int
    path: tuple[str, ...]


def is_under(record_id: str, link: bytes, proof: CopyProof, tree_head: TreeHead) -> bool:
    """Whether an event with this link is where a proof says, under that tree head.  Raises NotForNow for no proof."""
    return includes(_path(proof.path), proof.index, tree_head.size, leaf_of(record_id, link), tree_head.root)


def prove(store: Store, record_id: str, signer: Signer) -> InclusionProof:
    """The inclusion proof of a record, with a checkpoint of the ledger as it is now.  Raises UnknownRecord."""
    leaves, index = list[bytes](), -1
    events = []
    for entry in store.log():
        if entry.record == record_id:
            index = len(leaves)
            events.append(entry.body.decode())
        leaves.append(leaf_of(entry.record, entry.link))
    if not events:
        raise no_record(record_id)
    checkpoint = sign_tree_head(TreeHead(len(leaves), Tree(leaves).root), signer)
    path = tuple(hash_.hex() for hash_ in inclusion(leaves, index))
    return InclusionProof("domino-ledger-proof/1", record_id, checkpoint, tuple(events), index, path)


def verify_proof(proof: InclusionProof, verifier: Verifier) -> tuple[Record, TreeHead]:
    """The record that a proof shows, and the tree head at that time.  It takes only the proof and a public key.

    The last link covers every event before it, so one path is enough.  Raises NotForNow if the proof fails, NotARecord
    if its events are not a record.
    """
    tree_head = verify_checkpoint(proof.checkpoint, verifier)
    return proved(proof, tree_head), tree_head


def proved(proof: InclusionProof, tree_head: TreeHead) -> Record:
    """The record that a proof shows to be under a tree head.  Raises NotForNow if it does not, NotARecord if its events
    are not a record.
    """
    last_link = (chain.FIRST, *chain.links(event.encode() for event in proof.events))[-1]
    if not includes(_path(proof.path), proof.index, tree_head.size, leaf_of(proof.record, last_link), tree_head.root):
        raise NotForNow(f"record {proof.record} was not in the ledger like this")
    return codec.check(codec.decode_event(event) for event in proof.events)


def _path(hashes: Sequence[str]) -> list[bytes]:
    try:
        return [bytes.fromhex(hash_) for hash_ in hashes]
    except ValueError:
        raise NotForNow("this is not a proof: its hashes must be hexadecimal") from None


def parse_proof(text: bytes) -> InclusionProof:
    """Reads an inclusion proof from JSON.  Raises NotForNow for anything else."""
    try:
        return msgspec.json.decode(text, type=InclusionProof)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotForNow(f"this is not a proof: {error}") from None
