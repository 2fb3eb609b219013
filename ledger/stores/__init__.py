"""Where ledgers are kept: one file for each kind of store, and what opens the right one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.stores.sql import SqlStore


def is_address(ledger: str) -> bool:
    """Whether a ledger is named by the address of a database, and not by a file."""
    return ledger.startswith(("postgresql://", "postgres://"))


def there_is(ledger: str) -> bool:
    """Whether there is a ledger, as far as that can be told without opening it."""
    return is_address(ledger) or Path(ledger).exists()


def open_ledger(ledger: str) -> SqlStore:
    """The ledger in a file, or at the address of a database.  Makes it where there is none.  Raises NotALedger."""
    if is_address(ledger):
        from ledger.stores.postgres import PostgresStore  # noqa: PLC0415  only who has one needs its driver

        return PostgresStore(ledger)
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415  only who needs the ledger opens it

    return SqliteStore(ledger)
