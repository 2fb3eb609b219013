"""One SQLite ledger: the log, the list, and what stands beside."""

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.record.private_files import real

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore


def there_is(ledger: str) -> bool:
    """Whether a ledger seems to exist, or to have existed, without opening it."""
    return Path(ledger).exists() or Path(f"{real(ledger)}.head").exists()


def open_ledger(ledger: str, *, outdated: bool = False) -> "SqliteStore":
    """Opens the ledger in a file; creates it if there is none.

    `outdated`: a ledger with an older schema is opened too, to `migrate` it.  Raises NotALedger.
    """
    from ledger.stores.store import SqliteStore

    return SqliteStore(ledger, outdated=outdated)
