"""The tree head of a ledger, and the check that no event was changed.

A tree head is two words: the number of events and the Merkle root over them.  If you note one somewhere else, you can
tell later whether anything that was in the ledger then was changed, swapped or removed, even if the file itself looks
intact.  Only a tree head kept outside the ledger reveals a cut tail or a deleted record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, LedgerError, NotARecord, NotForNow
from ledger.record.record import Record
from ledger.stores.contract import Difference, Logged, Store
from ledger.stores.database import gone
from ledger.stores.high_water import leaf_of
from ledger.stores.merkle import Tree
from ledger.stores.shared import has_intact_id

_PATTERN = re.compile(r"(?P<size>0|[1-9][0-9]{0,17}) (?P<root>[0-9a-f]{64})")


class TreeHead(Struct, frozen=True):
    """How many events a ledger has, and the Merkle root over them (32 bytes)."""

    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.size} {self.root.hex()}"


class Corruption(Struct, frozen=True):
    """Something that is not as it was written: the record, the seq of the event, and what is wrong.

    Without a seq, it is in the tables beside the events.
    """

    record: str
    seq: int | None
    reason: str


def parse_tree_head(text: str) -> TreeHead:
    """Reads a tree head: the size, a space, 64 hexadecimal digits.  Raises NotForNow for anything else."""
    match = _PATTERN.search(text)
    if match is None:
        raise NotForNow("this is not a tree head: write a number of events and 64 hexadecimal digits")
    return TreeHead(int(match["size"]), bytes.fromhex(match["root"]))


class CheckResult(Struct, frozen=True):
    """The result of checking a ledger: its tree head, the number of records, and everything that is corrupt.

    `of_others` is what lies beside it and is left alone, such as "the view my_league".
    """

    tree_head: TreeHead
    records: int
    corruptions: tuple[Corruption, ...]
    of_others: tuple[str, ...] = ()


def check(store: Store, against: TreeHead | None = None) -> CheckResult:
    """Reads every event of a ledger and compares it with its high-water mark, and with a noted tree head.

    The list of records, the audits, names and keys are compared with the events.
    """
    corruptions, noted_heads = list[Corruption](), [] if against is None else [against]
    try:
        mark = store.high_water_mark()
    except LedgerError as error:
        corruptions.append(Corruption("", 0, str(error)))
    else:
        noted_heads += [] if mark is None else [TreeHead(*mark)]
    tree, records = Tree(), set[str]()
    roots = {0: tree.root}
    sizes = {tree_head.size for tree_head in noted_heads}
    try:
        for entry, entry_corruptions in _checked_log(store.log()):
            corruptions += entry_corruptions
            records.add(entry.record)
            tree.add(leaf_of(entry.record, entry.link))
            if tree.size in sizes:
                roots[tree.size] = tree.root
        corruptions += (Corruption("", tree.size, damage) for damage in store.damage())
    except Corrupt as error:
        corruptions.append(Corruption("", tree.size, str(error)))
    except Exception as error:  # noqa: BLE001  a damaged file can raise anything
        corruptions.append(Corruption("", tree.size, f"the file cannot be read further: {error}"))
    corruptions += (Corruption("", *loss) for tree_head in noted_heads for loss in _losses(tree_head, tree.size, roots))
    result = CheckResult(TreeHead(tree.size, tree.root), len(records), tuple(corruptions), _of_others(store))
    return add_differences(result, store.differences())


def add_differences(result: CheckResult, differences: Iterable[Difference]) -> CheckResult:
    """The result, with the differences in the tables beside the events added."""
    corruptions = list(result.corruptions)
    try:
        corruptions += (Corruption(record, None, reason) for record, reason in differences)
    except Exception as error:  # noqa: BLE001  a damaged file can raise anything
        corruptions.append(Corruption("", None, f"the tables beside the events cannot be read: {error}"))
    return replace(result, corruptions=tuple(dict.fromkeys(corruptions)))


def _of_others(store: Store) -> tuple[str, ...]:
    with suppress(LedgerError):  # a damaged file
        return tuple(store.of_others())
    return ()


def check_record(store: Store, record_id: str) -> tuple[Corruption, ...]:
    """What is corrupt in one record: its chain, its names, its rows beside the events, confirmations of another record.

    Raises UnknownRecord.
    """
    corruptions = [
        corruption for _, entry_corruptions in _checked_log(store.log(of=record_id)) for corruption in entry_corruptions
    ]
    if not corruptions:
        corruptions += check_confirmations(record_id, store.read(record_id))
    corruptions += (Corruption(record, None, reason) for record, reason in store.differences(record_id))
    return tuple(corruptions)


def check_confirmations(name: str, record: Record) -> Iterator[Corruption]:
    """The confirmations in a record that name a fingerprint other than its own."""
    for confirmation in chain.confirmations(record):
        if not confirmation.true:
            reason = f"{confirmation.player} confirmed another record than this one"
            yield Corruption(name, confirmation.seq, reason)


def _losses(tree_head: TreeHead, size: int, roots: Mapping[int, bytes]) -> Iterator[tuple[int, str]]:
    if size < tree_head.size:
        yield size, gone(tree_head.size, size)
    elif roots[tree_head.size] != tree_head.root:
        yield tree_head.size, f"the first {tree_head.size} events are not the ones that were there"


def _checked_log(log: Iterable[Logged]) -> Iterator[tuple[Logged, list[Corruption]]]:
    """Each event of a log, with everything that is wrong with it after the earlier events of its record."""
    ends: dict[str, tuple[int, bytes]] = {}
    for entry in log:
        version, before = ends.get(entry.record, (0, chain.FIRST))
        ends[entry.record] = entry.seq + 1, entry.link
        yield entry, [Corruption(entry.record, entry.seq, reason) for reason in _reasons(entry, version, before)]


def _reasons(entry: Logged, version: int, before: bytes) -> Iterator[str]:
    if entry.seq != version:
        yield f"event {version} should be here"
    if chain.link(before, entry.body) != entry.link:
        yield "it does not follow from the event before it: it was changed"
    if not has_intact_id(entry):
        yield "the id that a phone gave it was changed; `domino-ledger copy NEW` makes a ledger without that id"
    try:
        if codec.encode_event(codec.decode_event(entry.body)) != entry.body:
            yield "it is not written as a ledger writes it"
    except NotARecord as error:
        yield f"it is not an event: {error}"
