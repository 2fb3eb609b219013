"""A ledger that lasts as long as the tests of this process, for tests to which the file does not matter."""

import atexit
import os
import shutil
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

from ledger.stores.store import SqliteStore

_numbers = count()


class TemporaryStore(SqliteStore):
    """An empty ledger in a file of its own, which is deleted when the process ends; it waits for no disk."""

    def __init__(self, *file: Path) -> None:
        """`reopen` names the file."""
        super().__init__(*file or (shutil.copy(_empty(), _folder() / f"{next(_numbers)}.sqlite"),))
        self.connection.db.execute("PRAGMA synchronous = OFF")


@cache
def _empty() -> Path:
    """The ledger that all others are copies of: a copy takes a quarter of the work of a new one."""
    path = _folder() / "empty.sqlite"
    SqliteStore(path).close()
    return path


@cache
def _folder() -> Path:
    folder = Path(mkdtemp(prefix="domino-ledger-tests-"))
    atexit.register(_delete, folder, os.getpid())
    return folder


def _delete(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a process that was forked ends earlier
        shutil.rmtree(folder, ignore_errors=True)
