"""Keeps the memory of a server level: what a request needed goes back to the system after it.

Python hands every string and list of more than 512 bytes to the C library.  On Linux that is mostly glibc, which is
made for speed: it gives each thread an arena of its own, up to eight for each core, and hardly ever returns one to the
system, because a single small object at its end holds all of it.  Pages of some 100 kB, made by turns in many threads,
so leave holes in every arena, and the process grows for hours while Python's own objects stay level.

One arena is enough here, because the threads of Python take turns anyway.  Large strings get pages of their own, which
go back to the system at once; otherwise glibc raises that threshold to 32 MB with the first large string that is freed.
"""

from __future__ import annotations

import ctypes
import platform

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""The parameters of `mallopt`, from glibc's malloc.h."""
SETTINGS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 128 << 10, M_TRIM_THRESHOLD: 1 << 20}
"""Arenas; bytes of a block with pages of its own; free bytes at the end of the arena that stay."""


def return_memory() -> bool:
    """Sets up the allocator, before there are threads; returns False where it is not glibc, and nothing is done."""
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    accepted = [library.mallopt(parameter, value) for parameter, value in SETTINGS.items()]
    return all(accepted)
