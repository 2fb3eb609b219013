"""The stores: their contract, the code they share, one file for each kind, and `open_ledger`."""

from __future__ import annotations

from pathlib import Path

from ledger.record.later import later
from ledger.stores.offsets import real

with later():
    from ledger.stores.sql import SqlStore
    from ledger.stores.sqlite import SqliteStore


def there_is(ledger: str) -> bool:
    """Whether a ledger seems to exist, or to have existed, without opening it."""
    return Path(ledger).exists() or Path(f"{real(ledger)}.head").exists()


def open_ledger(ledger: str, *, outdated: bool = False) -> SqlStore:
    """Opens the ledger in a file; creates it if there is none.

    `outdated`: a ledger with an older schema is opened too, to `migrate` it.  Raises NotALedger.
    """
    return SqliteStore(ledger, outdated=outdated)
