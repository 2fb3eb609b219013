"""What took long to make, kept for the next request: the latest used, up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

from viewer.server.context import own

MOST = 16 << 20
"""The bytes of all that a process keeps."""
Value = TypeVar("Value")


class Kept:
    """The values that were used last, together at most `most` bytes.  The very last one stays, however large it is.

    What is made of a record has a key with all that it was made of: the link of its last event, and a digest of the
    names, comments and causes beside it.  So a value is never out of date; one that nobody asks for is dropped in time.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, Lock()
        self._values = OrderedDict[Hashable, tuple[Any, int]]()
        self.total = 0
        """The bytes of all values."""

    def __len__(self) -> int:
        """The number of values."""
        return len(self._values)

    def get(self, key: Hashable) -> Any:
        """The value of a key, or None if it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def get_or_make(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """The value of a key, made if it is not kept.  Two that make it at once get the one that is there first."""
        value = self.get(key)
        if value is None:
            made = make()
            value = self._keep(key, made, size(made))
        kept: Value = value
        return kept

    def _keep(self, key: Hashable, value: Any, size: int) -> Any:
        with self._lock:
            if key in self._values:
                return self._values[key][0]
            self._values[key] = value, size
            self.total += size
            while self.total > self._most and len(self._values) > 1:
                _, (_, dropped) = self._values.popitem(last=False)
                self.total -= dropped
            return value


def kept() -> Kept:
    """What is kept of the ledger of this request."""
    return own(Kept)
