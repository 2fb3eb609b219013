"""What a whole ledger comes down to: a head of two words, and the check that every event is as it was written.

A head is the number of events and the Merkle root over them.  Whoever has noted one can tell later whether anything of
what was there then was changed, exchanged or taken away, even if the file itself says that all is well: a copy of the
head outside the ledger is what makes a cut tail or a deleted record visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from ledger import codec
from ledger.errors import LedgerError, NotARecord, NotForNow
from ledger.merkle import Tree, leaf
from ledger.store import Store

_WRITTEN = re.compile(r"(?P<size>0|[1-9][0-9]{0,17}) (?P<root>[0-9a-f]{64})")


class Head(Struct, frozen=True):
    """How many events a ledger has, and the root over all of them (32 bytes)."""

    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.size} {self.root.hex()}"


class Harm(Struct, frozen=True):
    """Something that is not as it was written: in which record, at which seq, and what is wrong."""

    record: str
    seq: int
    reason: str


def read_head(text: str) -> Head:
    """A head as it is written: the size, a space, 64 hexadecimal digits.  Raises NotForNow for anything else."""
    found = _WRITTEN.search(text)
    if found is None:
        raise NotForNow("this is no head: one is written as a number of events and 64 hexadecimal digits")
    return Head(int(found["size"]), bytes.fromhex(found["root"]))


def leaf_of(record_id: str, seq: int, body: bytes) -> bytes:
    """The leaf of an event: bound to its record and its place, so that none can be moved."""
    return leaf(msgspec.json.encode((record_id, seq)) + b"\n" + body)


def head_of(log: Iterable[tuple[str, int, bytes]]) -> Head:
    """The head of these events."""
    tree = Tree(leaf_of(*entry) for entry in log)
    return Head(tree.size, tree.root)


class Checked(Struct, frozen=True):
    """What a check of a ledger found: its head, how many records there are, and what is harmed."""

    head: Head
    records: int
    harms: tuple[Harm, ...]


def check(store: Store, against: Head | None = None) -> Checked:
    """Reads every event of a ledger, and compares its beginning with a head that was noted earlier."""
    tree, seen = Tree(), dict[str, int]()
    harms = list[Harm]()
    then = Tree().root
    try:
        for record_id, seq, body in store.log():
            harms += (Harm(record_id, seq, reason) for reason in _wrong(seen.get(record_id, 0), seq, body))
            seen[record_id] = seq + 1
            tree.add(leaf_of(record_id, seq, body))
            if against is not None and tree.size == against.size:
                then = tree.root
    except LedgerError:
        raise
    except Exception as error:  # noqa: BLE001  a damaged file raises whatever its damage makes of it
        harms.append(Harm("", tree.size, f"the file cannot be read further: {error}"))
    if against is not None:
        if tree.size < against.size:
            lost = against.size - tree.size
            harms.append(Harm("", tree.size, f"{lost} events are gone of the {against.size} that were there"))
        elif then != against.root:
            harms.append(Harm("", against.size, f"the first {against.size} events are not those that were there"))
    return Checked(Head(tree.size, tree.root), len(seen), tuple(harms))


def _wrong(expected: int, seq: int, body: bytes) -> Iterator[str]:
    if seq != expected:
        yield f"event {expected} should stand here"
    try:
        if codec.encode_event(codec.decode_event(body)) != body:
            yield "it is not written as a ledger writes it"
    except NotARecord as error:
        yield f"it is no event: {error}"
