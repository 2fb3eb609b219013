"""From one ledger into another, of whatever kind, and names that nobody is to read any more."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from ledger.errors import Harmed
from ledger.heads import Head, check
from ledger.merkle import Tree
from ledger.stores.contract import Named, Store
from ledger.witness import leaf_of

BATCH = 5000
"""Events that are copied in one transaction."""


def transfer(store: Store, there: Store) -> Iterator[int]:
    """Copies all that a ledger has into another, which has nothing of its own; yields how many events that makes.

    Both have the same head afterwards, event by event.  What the other has already is compared, and passed over.
    Raises Harmed where the other has something else, or where an event does not follow from those before it.
    """
    before = check(there)
    if before.harms:
        raise Harmed(f"the other ledger is harmed: {before.harms[0].reason}")
    size = before.head.size
    tree = Tree(leaf_of(each.record, each.link) for each in store.log(upto=size))
    if Head(tree.size, tree.root) != before.head:
        raise Harmed("the other ledger has events of its own: a copy needs an empty one, or an older copy")
    log = store.log(size)
    while batch := list(islice(log, BATCH)):
        there.append_log(batch)
        for each in batch:
            tree.add(leaf_of(each.record, each.link))
        size += len(batch)
        yield size
    differing = _differing(store.names(), there.names())
    while batch_of_names := list(islice(differing, BATCH)):
        there.set_names(batch_of_names)
    for key in store.kept_keys():
        there.keep_key(key)
    after = check(there)
    if after.harms or after.head != Head(tree.size, tree.root):
        raise Harmed("the copy is not what was copied: do not use it")


def _differing(ours: Iterator[Named], theirs: Iterator[Named]) -> Iterator[Named]:
    """The names of a ledger that another has otherwise, or has still; both come by record and seq."""
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
    """Where a player is called by this name, by record: what the events there say of names."""
    found: dict[str, list[Named]] = {}
    for named in store.names():
        if name in named.names.values() and (records is None or named.record in records):
            found.setdefault(named.record, []).append(named)
    return found


def forget(store: Store, name: str, found: dict[str, list[Named]]) -> list[str]:
    """Erases a name where it was found; returns the records where the player's id tells it all the same."""
    bare = [
        Named(named.record, named.seq, {id_: called for id_, called in named.names.items() if called != name})
        for several in found.values()
        for named in several
    ]
    store.set_names(bare)
    store.forget_traces()
    first = name.split(maxsplit=1)[0].casefold()
    return [
        record_id
        for record_id, several in found.items()
        if any(called == name and first in id_.casefold() for named in several for id_, called in named.names.items())
    ]
