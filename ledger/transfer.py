"""Copying one ledger into another, of any kind, and erasing names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from ledger.errors import Corrupt
from ledger.high_water import leaf_of
from ledger.merkle import Tree
from ledger.stores.contract import Named, Store
from ledger.tree_head import TreeHead, check

BATCH = 5000
"""Events copied in one transaction."""


def transfer(source: Store, target: Store) -> Iterator[int]:
    """Copies everything in a ledger into another one; yields the number of events copied so far.

    Both have the same tree head afterwards.  Events that the target has already are compared and skipped.  Raises
    Corrupt if the target has events of its own, or if an event does not follow from the one before it.
    """
    before = check(target)
    if before.corruptions:
        raise Corrupt(f"the target ledger is corrupt: {before.corruptions[0].reason}")
    size = before.tree_head.size
    tree = Tree(leaf_of(entry.record, entry.link) for entry in source.log(upto=size))
    if TreeHead(tree.size, tree.root) != before.tree_head:
        raise Corrupt("the target ledger has events of its own: copy into an empty one, or into an older copy")
    log = source.log(size)
    while batch := list(islice(log, BATCH)):
        target.append_log(batch)
        for entry in batch:
            tree.add(leaf_of(entry.record, entry.link))
        size += len(batch)
        yield size
    changed_names = _changed_names(source.names(), target.names())
    while names := list(islice(changed_names, BATCH)):
        target.set_names(names)
    for key in source.kept_keys():
        target.keep_key(key)
    after = check(target)
    if after.corruptions or after.tree_head != TreeHead(tree.size, tree.root):
        raise Corrupt("the copy differs from its source: do not use it")


def _changed_names(ours: Iterator[Named], theirs: Iterator[Named]) -> Iterator[Named]:
    """Names that differ, as ours have them: a merge join of both sides, each sorted by record and seq."""
    last = Named("\U0010ffff" * 300, 0, {})
    one, other = next(ours, last), next(theirs, last)
    while one is not last or other is not last:
        if one[:2] <= other[:2]:
            if one[:2] < other[:2] or one.names != other.names:
                yield one
            one, other = next(ours, last), other if one[:2] < other[:2] else next(theirs, last)
        else:
            yield Named(other.record, other.seq, {})
            other = next(theirs, last)


def known_as(store: Store, name: str, records: Collection[str] | None = None) -> dict[str, list[Named]]:
    """The events that call a player by this name, by record."""
    by_record: dict[str, list[Named]] = {}
    for named in store.names():
        if name in named.names.values() and (records is None or named.record in records):
            by_record.setdefault(named.record, []).append(named)
    return by_record


def forget(store: Store, name: str, by_record: dict[str, list[Named]]) -> list[str]:
    """Erases a name from these events; returns the records where a player's id still reveals it."""
    erased = [
        Named(named.record, named.seq, {id_: called for id_, called in named.names.items() if called != name})
        for events in by_record.values()
        for named in events
    ]
    store.set_names(erased)
    store.forget_traces()
    first = name.split(maxsplit=1)[0].casefold()
    return [
        record_id
        for record_id, events in by_record.items()
        if any(called == name and first in id_.casefold() for named in events for id_, called in named.names.items())
    ]
