"""The counters behind the limits, in memory, on a clock that nobody can set.

If somebody sets the clock back by two hours, nobody must be locked out for two hours, so times here are monotonic.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

from limits.storage import Storage

SCHEME = "monotonic"
MANY = 1000
"""From this many counters on, expired ones are removed."""


class Counters(Storage):
    """How often each key was counted in its window, which begins with its first count."""

    STORAGE_SCHEME = [SCHEME]

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **more: Any) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._most, self._lock = MANY, Lock()
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **more)

    @property
    def base_exceptions(self) -> type[Exception]:
        """The errors of the storage; there are none."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Counts a key in a window of `expiry` seconds; returns how often it was counted there."""
        now = time.monotonic()
        with self._lock:
            if len(self._counts) >= self._most:
                self._counts = {key: window for key, window in self._counts.items() if window[1] > now}
                self._most = max(MANY, 2 * len(self._counts))
            count, until = self._counts.get(key, (0, 0.0))
            count, until = (count + amount, until) if until > now else (amount, now + expiry)
            self._counts[key] = count, until
        return count

    def get(self, key: str) -> int:
        """How often a key was counted in its window."""
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """When the window of a key ends, on the monotonic clock."""
        now = time.monotonic()
        return max(now, self._counts.get(key, (0, now))[1])

    def check(self) -> bool:
        """Whether it can count: always."""
        return True

    def clear(self, key: str) -> None:
        """Forgets a key."""
        with self._lock:
            self._counts.pop(key, None)

    def reset(self) -> int:
        """Forgets all keys; returns their number."""
        with self._lock:
            count = len(self._counts)
            self._counts.clear()
        return count
