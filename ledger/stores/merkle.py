"""Merkle trees of RFC 6962: one digest for a list that only grows.

The root stands for everything a ledger holds: a changed, missing or swapped event gives a different root.

Source: RFC 6962, section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()
"""The root of an empty tree."""
FEW = 8
"""Up to this many leaves, it is faster to add them one by one."""


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees, side by side."""
    return sha256(b"\1" + left + right).digest()


class Tree:
    """A tree that grows.  It keeps only the roots of its full subtrees: at most one for each power of two.

    Its `size` and those roots, `full`, the largest first, are all that is needed to restore it.
    """

    def __init__(self, leaves: Iterable[bytes] = (), size: int = 0, full: Iterable[bytes] = ()) -> None:
        """A tree of that size, with the roots `full` of its full subtrees, the largest first, and then these leaves."""
        self.size, self.full = size, list(full)
        if leaves:
            self.extend(leaves)

    def grown(self, hashes: Sequence[bytes]) -> Tree:
        """A tree with the hashes of more leaves; this one stays as it is."""
        tree = Tree((), self.size, self.full)
        if len(hashes) == 1:
            tree.add(hashes[0])
        else:
            tree.extend(hashes)
        return tree

    def extend(self, hashes: Iterable[bytes]) -> None:
        """Adds the hashes of many leaves, level by level, which takes half as long as one by one."""
        row, unmerged = list(hashes), list(reversed(self.full))
        if len(row) < FEW:
            for hash_ in row:
                self.add(hash_)
            return
        size, total, full = self.size, self.size + len(row), list[bytes]()
        while row:
            if size & 1:
                row.insert(0, unmerged.pop(0))
            if len(row) & 1:
                full.append(row.pop())
            pairs = iter(row)
            row = [sha256(b"\1" + one + other).digest() for one, other in zip(pairs, pairs, strict=True)]
            size >>= 1
        self.size, self.full = total, [*reversed(unmerged), *reversed(full)]

    def add(self, hash_: bytes) -> None:
        """Adds the hash of a leaf."""
        size = self.size
        # Each 1 at the end of the size, in binary, is a full subtree that the new leaf merges with.
        while size & 1:
            hash_ = sha256(b"\1" + self.full.pop() + hash_).digest()
            size >>= 1
        self.full.append(hash_)
        self.size += 1

    @property
    def root(self) -> bytes:
        """The root."""
        if not self.full:
            return EMPTY
        root = self.full[-1]
        for left in reversed(self.full[:-1]):
            root = node(left, root)
        return root
