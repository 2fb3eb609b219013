"""Keeps the memory of a server level: what a request needed goes back to the system after it.

Python hands every string and list of more than 512 bytes to the C library.  On Linux that is mostly glibc, which is
made for speed: it gives each thread an arena of its own, up to eight for each core, and hardly ever returns one to the
system, because a single small object at its end holds all of it.  Pages of some 100 kB, made by turns in many threads,
so leave holes in every arena, and the process grows for hours while Python's own objects stay level.

One arena is enough here, because the threads of Python take turns anyway.  Large strings get pages of their own, which
go back to the system at once; otherwise glibc raises that threshold to 32 MB with the first large string that is freed.
What is smaller still leaves holes: after ten minutes of load a third of the arena.  Every few seconds their pages go
back, too.

Python's own allocator, for what is smaller than that, never returns a megabyte that holds a single object.  So the most
that was ever needed at once stays, and a server is level only if that has a bound: caches have one in bytes
(`Bounded`), and few answers are made at a time (`ReplayCache`).  docs/operating.md has the sum.
"""

from __future__ import annotations

import ctypes
import platform
import time
from typing import Any

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""The parameters of `mallopt`, from glibc's malloc.h."""
SETTINGS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 32 << 10, M_TRIM_THRESHOLD: 1 << 20}
"""Arenas; bytes of a block with pages of its own; free bytes at the end of the arena that stay."""


EVERY = 5.0
"""Seconds between two times when the holes are returned.  It takes about a millisecond."""


def return_memory() -> bool:
    """Sets up the allocator, before there are threads; returns False where it is not glibc, and nothing is done."""
    library = _glibc()
    return library is not None and all(library.mallopt(parameter, value) for parameter, value in SETTINGS.items())


class Holes:
    """The free pages between what is in use; `give_back` returns them to the system, if that was long ago."""

    def __init__(self) -> None:
        self._library, self._at = _glibc(), 0.0

    def give_back(self) -> bool:
        """Returns whether the system got any."""
        now = time.monotonic()
        if self._library is None or now < self._at:
            return False
        self._at = now + EVERY
        return bool(self._library.malloc_trim(0))


def _glibc() -> Any:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
