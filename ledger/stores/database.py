"""The base of all databases: what each one adds to the SQL that they share.

All databases here understand this SQL; placeholders are `?`.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from ledger.record import chain
from ledger.record.errors import Corrupt, LedgerError
from ledger.stores.contract import Store
from ledger.stores.listing import Search

MOST_ROWS = 5000
"""Rows held in memory at once."""
EventRow = tuple[int, str, int, str | None, bytes | None, bytes, bytes]
"""An event in its table: position, record, seq, event id, digest of that id, body, link."""


class End(Struct, frozen=True):
    """What an append needs to know of a record: its version and the ids of its players.

    `link` is that of its last event, `judged` whether its audit is of this version, and `repeated` how many of the
    new events' ids it has already.
    """

    version: int = 0
    players: frozenset[str] = frozenset()
    link: bytes = chain.FIRST
    judged: bool = False
    repeated: int = 0


class Latest(Struct, frozen=True):
    """What the last transaction of a connection left, if it was an append: it holds as long as nobody else writes.

    `seen` is SQLite's `data_version`, `size` the number of events, and `end` that of the record.
    """

    seen: int
    size: int
    record: str
    end: End


class Transaction(AbstractContextManager[None]):
    """For a `with`: `begin`, and at the end `end` with the error, if there is one.

    A generator would take as long as a statement.
    """

    def __init__(self, begin: Callable[[], None], end: Callable[[BaseException | None], None]) -> None:
        self._begin, self._end = begin, end

    def __enter__(self) -> None:
        self._begin()

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        self._end(error)


class Database(Store, ABC):
    """The base of all databases: each one adds its connection, transactions and search."""

    search: ClassVar[Search]
    read_only = False
    doubt = ""
    """Why this may not be the whole ledger, and what to do, as a sentence; empty if there is no reason to doubt it."""
    notice = ""
    """What people should know about how the ledger is read, as a sentence; empty if nothing."""
    derived: ClassVar[tuple[str, ...]] = ("record", "audit", "broken", "finding", "cause", "result")

    @abstractmethod
    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, fetched at once, because a reader that pauses must not block the ledger."""

    @abstractmethod
    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Runs a statement for each row of values."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A transaction that excludes other writers.  Raises LedgerError if nothing could be written."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A transaction in which every query sees the same state, whatever others write meanwhile."""

    @abstractmethod
    def position(self) -> int:
        """The position of the next event, from 1, within a transaction."""

    @abstractmethod
    def insert(self, rows: Sequence[EventRow]) -> None:
        """Inserts events, within a transaction."""

    @abstractmethod
    def migrate(self, backup: Path) -> tuple[int, int]:
        """Upgrades an older schema after copying the ledger to a file; returns the schema that it had, and has."""

    @abstractmethod
    def indexed(self, rows: Sequence[tuple[int, str, str | None]]) -> None:
        """Adds records to the search index, if that is a separate table: opening, names, place."""

    @abstractmethod
    def unindexed(self, opened: int) -> None:
        """Removes the record with this opening from the search index."""

    def displaced(self) -> str:
        """Why nothing more is written to the ledger that is open, and what to do, as a sentence; empty if it is."""
        return ""

    def hurry(self) -> None:
        """From now on this object waits for other writers only a moment: what it writes is not urgent."""

    def keep_turn(self) -> None:
        """For a transaction that ends without a write: the writer lost a race, and goes next if it tries again now.

        Otherwise it would lose the next race too: others write while it waits for its turn.
        """

    def together(self) -> AbstractContextManager[None]:
        """Inside it, statements without a result may be sent together, because each round trip makes others wait."""
        return nullcontext()

    def search_rows(self, openings: Iterable[int]) -> dict[int, tuple[str, str | None]] | None:  # noqa: ARG002
        """The rows of the search index by the positions of their openings, if it is a separate table."""
        return None

    def of_others(self) -> list[str]:
        """See `Store.of_others`."""
        return []

    def count(self, of: str, more: int) -> None:
        """Counts names, keys or renamings that were added, within a transaction."""
        if more:
            self.many("UPDATE total SET number = number + ? WHERE of = ?", [(more, of)])


FULL = 1 << 16
"""With fewer free bytes, a file that cannot be written is one that cannot grow."""


def gone(had: int, has: int) -> str:
    """The sentence for a ledger that had more events than it has."""
    return f"{had - has} {'event is' if had - has == 1 else 'events are'} gone: it had {had} and has {has}"


def nothing_written(where: Path, error: Exception) -> LedgerError:
    """The error for a failed transaction: busy, read-only, a full disk, or rows that contradict each other."""
    if type(error).__name__ in ("IntegrityError", "UniqueViolation", "RaiseException"):
        return Corrupt(
            f"{where}: nothing was written, because the ledger contradicts itself ({error}): `domino-ledger verify` "
            "shows what is wrong, and `domino-ledger repair` mends what is derived from the events"
        )
    why = str(error)
    if "readonly" in why and shutil.disk_usage(where.parent).free < FULL:
        why = "the disk is full"  # the index of the log could not grow
    return LedgerError(f"{where}: nothing was written: {why}")
