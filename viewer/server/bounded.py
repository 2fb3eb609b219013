"""What took long to make, kept for the next request: bounded in bytes, and never made twice at once."""

from __future__ import annotations

import gc
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Generic, TypeVar

from msgspec import Struct

MEGABYTE = 1 << 20
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Kinds of objects that exist once in a process, whatever refers to them."""


class Bounded(Generic[Key, Value]):
    """The latest used values of a process, together at most `most` bytes; `size` says how many a value has.

    A value that alone has more is made for each request, and not kept.
    """

    def __init__(self, most: int, size: Callable[[Value], int] = sys.getsizeof) -> None:
        self._most, self._size, self._lock = most, size, Lock()
        self._kept = OrderedDict[Key, tuple[Value, int]]()
        self._total = 0
        self._turns: dict[Key, _Turn] = {}

    @property
    def total(self) -> int:
        """The bytes of all values."""
        with self._lock:
            return self._total

    def __len__(self) -> int:
        """The number of values."""
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        """The value of a key, if it is kept."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def get_or_make(self, key: Key, make: Callable[[], Value], fits: Callable[[Value], bool] = bool) -> Value:
        """The value of a key: the kept one if it `fits`, or else a new one.

        Others that ask for this key meanwhile wait for it; other keys wait for nobody.  Raises what `make` raises; then
        the next one that waits makes the value.
        """
        value = self.get(key)
        if value is not None and fits(value):
            return value
        with self.turn(key):
            value = self.get(key)
            if value is None or not fits(value):
                value = make()
                self._keep(key, value)
            return value

    def weigh(self, key: Key, value: Value) -> None:
        """Counts a value again that has grown, if it is still kept."""
        with self._lock:
            current = self._kept.get(key)
        if current is not None and current[0] is value:
            self._keep(key, value, only_if=value)

    def _keep(self, key: Key, value: Value, only_if: Value | None = None) -> None:
        size = self._size(value) + weight(key)
        with self._lock:
            before, counted = self._kept.get(key, (None, 0))
            if only_if is not None and before is not only_if:
                return  # another took its place, or it was dropped
            self._total += size - counted
            self._kept[key] = value, size
            self._kept.move_to_end(key)
            if size > self._most:  # the others stay
                del self._kept[key]
                self._total -= size
            while self._total > self._most:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._total -= dropped

    @contextmanager
    def turn(self, key: Key) -> Iterator[None]:
        """Lets one thread at a time make the value of a key, or work with it."""
        with self._lock:
            turn = self._turns.setdefault(key, _Turn())
            turn.threads += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.threads -= 1
                if not turn.threads:
                    del self._turns[key]


class _Turn:
    """A lock for one key, and the number of threads that have it or wait for it."""

    def __init__(self) -> None:
        self.lock, self.threads = RLock(), 0


def weight(root: object, shared: tuple[object, ...] = ()) -> int:
    """The bytes of an object and of all that it refers to, each counted once; without `shared` objects.

    Source of each size: `sys.getsizeof`.  What the allocator adds, some tenth, does not count.
    """
    counted, waiting, total = {id(item) for item in shared}, [root], 0
    while waiting:
        item = waiting.pop()
        if id(item) in counted or isinstance(item, _SHARED):
            continue
        counted.add(id(item))
        total += sys.getsizeof(item)
        # The garbage collector does not see into Structs that it does not track.
        fields = [getattr(item, name) for name in item.__struct_fields__] if isinstance(item, Struct) else ()
        waiting.extend(fields or gc.get_referents(item))
    return total
