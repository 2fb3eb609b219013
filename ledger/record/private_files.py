"""Opening files that only their owner may read, and reading and writing at an offset, on every system."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Lock

BINARY: int = getattr(os, "O_BINARY", 0)
"""A flag for opening a file: without it Windows changes the bytes at line ends."""
PRIVATE = 0o600
"""The permissions of a new file: records have the names of people, and nobody else on the machine may read them."""
_lock = Lock()


def real(path: str | Path) -> Path:
    """The file that a name leads to: what lies beside a ledger lies beside its file, not beside a link to it."""
    path = Path(path)
    return path.resolve() if path.is_symlink() else path


def open_private(path: str | Path, flags: int) -> int:
    """Opens a file as `os.open`; only its owner may read it if this makes it."""
    return os.open(path, flags, PRIVATE)


def open_beside(path: Path, flags: int) -> int:
    """Opens the file `NAME.end` beside the file `NAME`, whose permissions it gets if this makes it."""
    with suppress(FileNotFoundError):
        return os.open(path, flags & ~os.O_CREAT)
    handle = open_private(path, flags)
    keep_mode(path, path.with_suffix(""))
    return handle


def keep_mode(new: Path, old: Path) -> None:
    """Gives a file the permissions of another one, such as the one that it will replace, if there is one."""
    with suppress(OSError):  # somebody else's file, or a disk without permissions
        new.chmod(stat.S_IMODE(old.stat().st_mode))


def read_at(handle: int, size: int, offset: int) -> bytes:
    """Up to `size` bytes of an open file, from the offset on."""
    with _lock:
        os.lseek(handle, offset, os.SEEK_SET)
        return os.read(handle, size)


def write_at(handle: int, data: bytes, offset: int) -> None:
    """Writes to an open file at the offset."""
    with _lock:
        os.lseek(handle, offset, os.SEEK_SET)
        os.write(handle, data)
