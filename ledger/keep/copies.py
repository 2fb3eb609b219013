"""Whole records under their own ids: as an archive with its manifest has them, or a phone that kept a game.

A copy has everything that a ledger has of a record: its events with their names, the ids that phones gave to events,
and the digests of its keys.  So its links, QR codes and keys work in another ledger, too.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.keep.importing import Imported
from ledger.keep.sources import items
from ledger.keep.stored_audits import audit_of
from ledger.proof.manifest import ManifestLine, manifest_path, read_manifest
from ledger.record import codec
from ledger.record.branches import happened
from ledger.record.chain import record_digest
from ledger.record.errors import Corrupt, IdReused, LedgerError, NotARecord, NotForNow
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Key, Named
from ledger.stores.event_log import Logged, Packed, has_intact_id, id_digest, pack
from ledger.stores.store import SqliteStore

KeyRole = Literal["record", "watch"]
"""What a key of one record allows."""
RECORD_ID = re.compile(r"[0-9a-z]{10}")
_DIGEST, _EVENT_ID = re.compile(r"[0-9a-f]{64}"), re.compile(r"[A-Za-z0-9_-]{8,64}")
TRIES = 5
"""How often a copy is taken in anew because somebody else wrote meanwhile."""


class Different(LedgerError):
    """The ledger has another game under the id of a copy, or another end of the same one."""


class Copy(NamedTuple):
    """A record as another place kept it: its id, its events, the id of each event that has one, and its keys.

    `ids` are by seq; `keys` have the role by the SHA-256 of the secret, in hexadecimal digits.
    """

    record: str
    events: Sequence[AnyEvent]
    ids: Mapping[int, str]
    keys: Mapping[str, KeyRole]


def event_ids(store: SqliteStore, record_id: str) -> dict[int, str]:
    """The ids that phones gave to the events of a record, by seq."""
    return {
        entry.seq: entry.event_id
        for entry in store.log(of=record_id)
        if entry.event_id is not None and has_intact_id(entry)
    }


def key_roles(store: SqliteStore, record_id: str) -> dict[str, KeyRole]:
    """The keys of a record as a copy has them."""
    return {key.digest.hex(): key.role for key in store.kept(Key, record_id) if key.role != "owner"}


def names_digest(store: SqliteStore, record_id: str, version: int) -> str:
    """A digest of the names of people in the first events of a record: it changes when a name is replaced."""
    names = [(named.seq, named.names) for named in store.kept(Named, record_id) if named.seq < version]
    return sha256(msgspec.json.encode(names)).hexdigest()[:16]


def restore_copy(store: SqliteStore, copy: Copy) -> int:
    """Adds to the ledger what it lacks of a copy, with the same chain; returns how many events that are.

    What the ledger has already stays as it is, its names too: one that was erased does not come back.  The keys are
    added where the record has none, so one that was revoked does not come back either.
    Raises Different if the ledger has other events in the record, NotARecord or NotForNow if the copy is malformed.
    """
    packed = checked(copy)
    for tries_left in reversed(range(TRIES)):
        version = store.version(copy.record)
        common = min(version, len(packed.links))
        if common and questions.link(store, copy.record, common) != packed.links[common - 1]:
            raise Different(f"the ledger has something else in the record {copy.record}")
        try:
            _append(store, copy, packed, version)
        except Corrupt:  # another writer was faster
            if not tries_left:
                raise
        else:
            break
    if copy.keys and not any(store.kept(Key, copy.record)):
        store.put([Key(copy.record, bytes.fromhex(digest), role) for digest, role in copy.keys.items()])
    return max(0, len(packed.links) - version)


def checked(copy: Copy) -> Packed:
    """The record of a copy, as it is stored.  Raises NotARecord or NotForNow if anything about it is malformed."""
    if not RECORD_ID.fullmatch(copy.record):
        raise NotForNow(f"{copy.record!r} is not the id of a record: one has ten digits and small letters")
    packed = pack(copy.events)
    if len(set(copy.ids.values())) < len(copy.ids):
        raise IdReused(f"record {copy.record}: two events have the same id")
    for seq, event_id in copy.ids.items():
        if not (0 <= seq < len(packed.links) and _EVENT_ID.fullmatch(event_id)):
            raise NotForNow(f"record {copy.record}: {event_id!r} is not the id of an event in it")
    for digest, role in copy.keys.items():
        if role not in ("record", "watch") or not _DIGEST.fullmatch(digest):
            raise NotForNow(f"record {copy.record}: {digest!r} is not the digest of a key")
    return packed


def _append(store: SqliteStore, copy: Copy, packed: Packed, version: int) -> None:
    """Appends the events after the first `version`, with their ids.  Raises Corrupt if the record has grown since."""
    known = set(event_ids(store, copy.record).values()) if version else set[str]()
    entries = []
    for seq in range(version, len(packed.links)):
        event_id = copy.ids.get(seq)
        if event_id in known:
            raise IdReused(f"record {copy.record}: the id {event_id!r} belongs to another event")
        digest = id_digest(copy.record, seq, event_id)
        entries.append(Logged(copy.record, seq, packed.bodies[seq], packed.links[seq], event_id, digest))
    if not entries:
        return
    # The names first: the row in the list, which the events make, has them.
    names = [Named(copy.record, seq, names) for seq, names in packed.names.items() if seq >= version]
    if names:
        store.put(names)
    try:
        store.append_log(entries)
    except LedgerError:
        store.drop(name for name in names if name.seq >= store.version(copy.record))
        raise


def archived(file: str) -> Iterator[Copy | NotARecord]:
    """The records of an archive under the ids that its manifest gives them.

    Raises NotForNow for an archive without a manifest, OSError for one that cannot be read.
    """
    manifest = manifest_path(Path(file))
    if not manifest.exists():
        raise NotForNow(f"{file} has no manifest beside it ({manifest.name}), so it has no ids to keep")
    for item, line in zip_longest(items(file), read_manifest(manifest)):
        result, name = (None, file) if item is None else (item.result, item.name)
        if isinstance(result, NotARecord):
            yield result
        elif result is None or line is None or not _is_of(result, line):
            yield NotARecord("its events are not those in the manifest, so its id is not known", source=name)
        else:
            try:
                yield Copy(line.record, happened(result, name).events, line.ids, line.keys)
            except NotARecord as error:
                yield error


def _is_of(record: Record, line: ManifestLine) -> bool:
    return (len(record.events), record_digest(record.events).hex()) == (line.events, line.fingerprint)


def take_all(store: SqliteStore, copies: Iterable[Copy | NotARecord]) -> Iterator[Imported]:
    """Takes in copies under their own ids; yields what became of each.

    One is refused if its id is in use by another game, or if the ledger has the game under another id.
    """
    for copy in copies:
        try:
            if isinstance(copy, NotARecord):
                raise copy
            yield _taken(store, copy)
        except LedgerError as error:
            yield Imported("refused", "", str(error))


def _taken(store: SqliteStore, copy: Copy) -> Imported:
    links = checked(copy).links
    kin = questions.same_opening(store, links[0])
    if other := next(
        (stored.record for stored in kin if stored.last == links[-1] and stored.record != copy.record), ""
    ):
        raise NotForNow(f"the ledger has the record {copy.record} as {other}")
    version = store.version(copy.record)
    try:
        stored = restore_copy(store, copy)
    except Different:
        raise NotForNow(f"the id {copy.record} is in use by another game") from None
    if stored:
        store.note_audits([audit_of(copy.record, store.read(copy.record))])
    outcome: Literal["imported", "continued", "known"] = (
        "known" if not stored else "continued" if version else "imported"
    )
    return Imported(outcome, copy.record, stored=stored)


# ── The copies that phones kept ────────────────────────────────────────────────────────────────────────

# The page *On this phone* saves a file with one JSON object on each line.
#
# A ledger that has an owner **seals** each copy that a phone keeps, with its events, names, ids and keys.  The seal is
# an HMAC whose secret is the digest of the owner's key: all that a ledger stores of it, and what a new ledger has again
# when it is started with the same key.  Nobody else can make or change a seal, and the phone that keeps it learns
# nothing from it.  Anyone who has a copy of the ledger's file has the digest, too: that is why backups are for their
# owner alone.
#
# Source: RFC 2104 (HMAC), with SHA-256.


_NAME, _SEAL = b"domino-ledger seal name 1", b"domino-ledger seal 1"


def owners(store: SqliteStore) -> list[bytes]:
    """The digests of the owner's keys."""
    return [key.digest for key in store.kept(Key, "") if key.role == "owner"]


def seal(owner: bytes, copy: Copy, packed: Packed) -> str:
    """The seal of a copy, after eight digits that tell with which owner's key it was made."""
    name, proof = (hmac.digest(owner, text, "sha256").hex() for text in (_NAME, _SEAL + _sealed(copy, packed)))
    return f"{name[:8]}:{proof}"


def is_sealed(store: SqliteStore, copy: Copy, packed: Packed, text: str) -> bool:
    """Whether a seal of this ledger's owner shows that the copy is exactly as a ledger had it."""
    return any(hmac.compare_digest(seal(owner, copy, packed), text) for owner in owners(store)) if text else False


def _sealed(copy: Copy, packed: Packed) -> bytes:
    """What a seal covers.  The last link stands for all events; names, ids and keys are outside the chain."""
    beside = (sorted(packed.names.items()), sorted(copy.ids.items()), sorted(copy.keys.items()))
    head = (copy.record, len(packed.links), packed.links[-1].hex())
    return sha256(msgspec.json.encode((head, beside))).digest()


class PhoneCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a file that a phone saved: what the ledger gave the phone, with its seal if there is one."""

    format: Literal["domino-ledger-copy/1"]
    record: str
    events: tuple[AnyEvent, ...]
    ids: dict[str, str] = {}
    keys: dict[str, KeyRole] = {}
    seal: str = ""


class Kept(NamedTuple):
    """A copy in the file of a phone, with its seal."""

    copy: Copy
    seal: str


def phone_copies(file: str) -> Iterator[Kept]:
    """The copies in a file.  Raises NotForNow for a line that is not a copy."""
    with codec.open_bytes(Path(file)) as stream:
        for number, (line, _length) in enumerate(codec.read_lines(stream), 1):
            if line.isspace():
                continue
            try:
                copy = msgspec.json.decode(line, type=PhoneCopy)
                ids = {int(seq): event_id for seq, event_id in copy.ids.items()}
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                raise NotForNow(f"{file}:{number}: this is not a phone's copy: {error}") from None
            yield Kept(Copy(copy.record, copy.events, ids, copy.keys), copy.seal)
