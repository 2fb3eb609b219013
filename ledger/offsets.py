"""Reading and writing a file at an offset, also on Windows, which has no call for it."""

from __future__ import annotations

import os
import sys
from threading import Lock

BINARY: int = getattr(os, "O_BINARY", 0)
"""A flag for opening a file: without it Windows changes the bytes at line ends."""
_lock = Lock()


def read_at(handle: int, size: int, offset: int) -> bytes:
    """Up to `size` bytes of an open file, from the offset on."""
    if sys.platform != "win32" and hasattr(os, "pread"):
        return os.pread(handle, size, offset)
    with _lock:
        os.lseek(handle, offset, os.SEEK_SET)
        return os.read(handle, size)


def write_at(handle: int, data: bytes, offset: int) -> None:
    """Writes to an open file at the offset."""
    if sys.platform != "win32" and hasattr(os, "pread"):
        os.pwrite(handle, data, offset)
        return
    with _lock:
        os.lseek(handle, offset, os.SEEK_SET)
        os.write(handle, data)
