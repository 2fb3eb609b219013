"""Proofs for phones: the path from a record to the signed checkpoint that the server was started with.

The server cannot sign: the key is kept away from it.  It knows only the checkpoint of a moment in the past, so it
proves what the ledger had then.
"""

from __future__ import annotations

from itertools import islice
from threading import Lock

from ledger.proof.checkpoints import CopyProof, unverified
from ledger.stores.contract import Store
from ledger.stores.high_water import leaf_of
from ledger.stores.merkle import Levels


class Notary:
    """A checkpoint, and the tree below it, which is read from the ledger when the first phone asks."""

    def __init__(self, checkpoint: str) -> None:
        """Raises NotForNow for a text that is no checkpoint."""
        self.checkpoint, self.tree_head = checkpoint, unverified(checkpoint)
        self._lock, self._levels = Lock(), Levels(())

    @property
    def name(self) -> str:
        """What tells one checkpoint from another."""
        return self.tree_head.root.hex()[:8]

    def is_of(self, store: Store) -> bool:
        """Whether the ledger has the events of the checkpoint, as they were."""
        with self._lock:
            if len(self._levels) != self.tree_head.size:
                log = islice(store.log(0, self.tree_head.size), self.tree_head.size)
                self._levels = Levels(leaf_of(entry.record, entry.link) for entry in log)
            return len(self._levels) == self.tree_head.size and self._levels.root == self.tree_head.root

    def events(self, store: Store, record_id: str) -> int:
        """How many events of a record are under the checkpoint."""
        query = "SELECT count(*) FROM event WHERE record = ? AND position <= ?"
        return int(next(count for (count,) in store.rows(query, (record_id, self.tree_head.size))))

    def proof(self, store: Store, record_id: str) -> CopyProof | None:
        """The proof of the events of a record that are under the checkpoint; None if there are none."""
        query = "SELECT count(*), max(position) FROM event WHERE record = ? AND position <= ?"
        count, last = next(iter(store.rows(query, (record_id, self.tree_head.size))))
        if not count or not self.is_of(store):
            return None
        path = tuple(hash_.hex() for hash_ in self._levels.inclusion(last - 1))
        return CopyProof(self.checkpoint, count, last - 1, path)
