"""What a whole ledger comes down to: a head of two words, and the check that every event is as it was written.

A head is the number of events and the Merkle root over them.  Whoever has noted one can tell later whether anything of
what was there then was changed, exchanged or taken away, even if the file itself says that all is well: a copy of the
head outside the ledger is what makes a cut tail or a deleted record visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ledger import chain, codec
from ledger.errors import Harmed, LedgerError, NotARecord, NotForNow
from ledger.merkle import Tree
from ledger.record import Record
from ledger.stores.contract import Logged, Store
from ledger.witness import leaf_of

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


def head_of(log: Iterable[Logged]) -> Head:
    """The head of these events."""
    tree = Tree(leaf_of(each.record, each.link) for each in log)
    return Head(tree.size, tree.root)


class Checked(Struct, frozen=True):
    """What a check of a ledger found: its head, how many records there are, and what is harmed."""

    head: Head
    records: int
    harms: tuple[Harm, ...]


def check(store: Store, against: Head | None = None) -> Checked:
    """Reads every event of a ledger, and holds its beginning against what its witness remembers, and a noted head."""
    harms, noted = list[Harm](), [] if against is None else [against]
    try:
        known = store.high_water_mark()
    except LedgerError as error:
        harms.append(Harm("", 0, str(error)))
    else:
        noted += [] if known is None else [Head(*known)]
    tree, records = Tree(), set[str]()
    roots = {0: tree.root}
    sizes = {head.size for head in noted}
    try:
        for each, wrong in _walked(store.log()):
            harms += wrong
            records.add(each.record)
            tree.add(leaf_of(each.record, each.link))
            if tree.size in sizes:
                roots[tree.size] = tree.root
        for _ in store.names():
            pass  # each is held against its digest as it is read
        harms += (Harm("", tree.size, said) for said in store.damage())
    except Harmed as error:
        harms.append(Harm("", tree.size, str(error)))
    except Exception as error:  # noqa: BLE001  a damaged file raises whatever its damage makes of it
        harms.append(Harm("", tree.size, f"the file cannot be read further: {error}"))
    harms += (Harm("", *lost) for head in noted for lost in _lost(head, tree.size, roots))
    return Checked(Head(tree.size, tree.root), len(records), tuple(dict.fromkeys(harms)))


def check_record(store: Store, record_id: str) -> tuple[Harm, ...]:
    """What is harmed in one record: its chain, its names, and the confirmations that are not of what stands there.

    Raises UnknownRecord.
    """
    harms = [harm for _, wrong in _walked(store.log(of=record_id)) for harm in wrong]
    if not harms:
        harms += misconfirmed(record_id, store.read(record_id))
    return tuple(harms)


def misconfirmed(name: str, record: Record) -> Iterator[Harm]:
    """The confirmations of a record that somebody made of another."""
    for said in chain.confirmations(record):
        if not said.true:
            yield Harm(name, said.seq, f"{said.player} confirmed another record than the one that stands here")


def _lost(head: Head, size: int, roots: Mapping[int, bytes]) -> Iterator[tuple[int, str]]:
    if size < head.size:
        yield size, f"{head.size - size} events are gone of the {head.size} that were there"
    elif roots[head.size] != head.root:
        yield head.size, f"the first {head.size} events are not those that were there"


def _walked(log: Iterable[Logged]) -> Iterator[tuple[Logged, list[Harm]]]:
    """Each event of a log, with what is wrong with it after those of its record that came before."""
    ends: dict[str, tuple[int, bytes]] = {}
    for each in log:
        version, before = ends.get(each.record, (0, chain.FIRST))
        ends[each.record] = each.seq + 1, each.link
        yield each, [Harm(each.record, each.seq, reason) for reason in _wrong(each, version, before)]


def _wrong(each: Logged, version: int, before: bytes) -> Iterator[str]:
    if each.seq != version:
        yield f"event {version} should stand here"
    if chain.link(before, each.body) != each.link:
        yield "it does not follow from what stands before it: it was changed"
    try:
        if codec.encode_event(codec.decode_event(each.body)) != each.body:
            yield "it is not written as a ledger writes it"
    except NotARecord as error:
        yield f"it is no event: {error}"
