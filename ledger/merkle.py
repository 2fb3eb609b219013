"""Merkle trees of RFC 6962: one digest for a list that only grows, and short proofs about it.

The root says what a whole ledger holds: every changed, missing or exchanged event gives another one, and a ledger that
has only grown since can prove that it has.

Source: RFC 6962, section 2.1; the checks of proofs are those of RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""
FEW = 8
"""Leaves that are added sooner one by one."""


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees, side by side."""
    return sha256(b"\1" + left + right).digest()


class Tree:
    """A tree that leaves are added to: it keeps the roots of its full subtrees, few however many leaves there are."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._full: list[bytes] = []
        self.extend(leaves)

    @classmethod
    def of(cls, size: int, full: Sequence[bytes]) -> Tree:
        """The tree of that size with these full subtrees, the greatest first."""
        tree = cls()
        tree.size, tree._full = size, list(full)
        return tree

    @property
    def full(self) -> tuple[bytes, ...]:
        """The roots of its full subtrees, the greatest first: all that must be kept of it."""
        return tuple(self._full)

    def extend(self, hashes: Iterable[bytes]) -> None:
        """Adds the hashes of many leaves: the same as one by one, but level by level, which takes half the time."""
        row, left = list(hashes), list(reversed(self._full))
        if len(row) < FEW:
            for each in row:
                self.add(each)
            return
        size, grown, full = self.size, self.size + len(row), list[bytes]()
        while row:
            if size & 1:
                row.insert(0, left.pop(0))
            if len(row) & 1:
                full.append(row.pop())
            pairs = iter(row)
            row = [sha256(b"\1" + one + other).digest() for one, other in zip(pairs, pairs, strict=True)]
            size >>= 1
        self.size, self._full = grown, [*reversed(left), *reversed(full)]

    def add(self, hash_: bytes) -> None:
        """Adds the hash of a leaf."""
        size = self.size
        # Where the size ends in ones, as many full subtrees become one.
        while size & 1:
            hash_ = node(self._full.pop(), hash_)
            size >>= 1
        self._full.append(hash_)
        self.size += 1

    @property
    def root(self) -> bytes:
        """The root."""
        if not self._full:
            return EMPTY
        found = self._full[-1]
        for left in reversed(self._full[:-1]):
            found = node(left, found)
        return found


def _split(size: int) -> int:
    """The size of the left subtree: the greatest power of two below."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The proof that a leaf stands at that index.  Raises IndexError where there is none."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"there is no leaf {index} among {len(leaves)}")
    if len(leaves) == 1:
        return []
    half = _split(len(leaves))
    if index < half:
        return [*inclusion(leaves[:half], index), Tree(leaves[half:]).root]
    return [*inclusion(leaves[half:], index - half), Tree(leaves[:half]).root]


def consistency(leaves: Sequence[bytes], before: int) -> list[bytes]:
    """The proof that the first `before` leaves are still the first.  Raises IndexError for fewer than one, or more."""
    if not 0 < before <= len(leaves):
        raise IndexError(f"there are no first {before} leaves among {len(leaves)}")
    return _consistency(leaves, before, whole=True)


def _consistency(leaves: Sequence[bytes], before: int, *, whole: bool) -> list[bytes]:
    if before == len(leaves):
        return [] if whole else [Tree(leaves).root]
    half = _split(len(leaves))
    if before <= half:
        return [*_consistency(leaves[:half], before, whole=whole), Tree(leaves[half:]).root]
    return [*_consistency(leaves[half:], before - half, whole=False), Tree(leaves[:half]).root]


def includes(proof: Sequence[bytes], index: int, size: int, hash_: bytes, root: bytes) -> bool:
    """Whether a proof shows that the leaf of this hash stands at that index of a tree of that size and root."""
    if not 0 <= index < size:
        return False
    place, last = index, size - 1
    for each in proof:
        if not last:
            return False
        if place & 1 or place == last:
            hash_ = node(each, hash_)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            hash_ = node(hash_, each)
        place, last = place >> 1, last >> 1
    return not last and hash_ == root


def grew(proof: Sequence[bytes], before: int, after: int, old: bytes, new: bytes) -> bool:
    """Whether a proof shows that a tree of one size and root has only grown into one of another."""
    if not 0 < before <= after:
        return False
    if before == after:
        return not proof and old == new
    path = [old, *proof] if before & (before - 1) == 0 else list(proof)
    if not path:
        return False
    place, last = before - 1, after - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = path[0]
    for each in path[1:]:
        if not last:
            return False
        if place & 1 or place == last:
            first, second = node(each, first), node(each, second)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            second = node(second, each)
        place, last = place >> 1, last >> 1
    return not last and first == old and second == new
