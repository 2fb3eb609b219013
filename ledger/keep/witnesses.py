"""What signed tree heads and other phones say about the copies that phones kept.

A signed tree head shows nothing by itself: it takes a path from the last event of a record to its root, as an
inclusion proof has it.  The owner has such proofs in files, and a phone keeps one beside a copy if its ledger had a
signed checkpoint.  They show events, but no names, keys or ids of events, because these are outside the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from ledger.keep.copies import Copy
from ledger.proof.checkpoints import CopyProof, InclusionProof, Verifier, is_under, verify_checkpoint, verify_proof
from ledger.record.chain import links
from ledger.record.errors import Contradicted, NotForNow
from ledger.record.words import plural


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
