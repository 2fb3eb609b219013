"""The stores: their contract, the code they share, one file for each kind, and `open_ledger`."""

from __future__ import annotations

import re
from pathlib import Path

from ledger.record.errors import NotForNow
from ledger.record.later import later

with later():
    from ledger.stores.sql import SqlStore
    from ledger.stores.sqlite import SqliteStore


def is_address(ledger: str) -> bool:
    """Whether this names a database, not a file."""
    return ledger.startswith(("postgresql://", "postgres://"))


def there_is(ledger: str) -> bool:
    """Whether a ledger seems to exist, or to have existed, without opening it."""
    return is_address(ledger) or Path(ledger).exists() or Path(f"{ledger}.head").exists()


def open_ledger(ledger: str, *, outdated: bool = False) -> SqlStore:
    """Opens the ledger in a file or at a database address; creates it if there is none.

    `outdated`: a ledger with an older schema is opened too, to `migrate` it.  Raises NotALedger, and NotForNow where
    PostgreSQL's driver is not installed.
    """
    if is_address(ledger):
        try:
            from ledger.stores.postgres import PostgresStore  # noqa: PLC0415  needs its driver
        except ModuleNotFoundError as error:
            raise NotForNow("PostgreSQL needs an extra: pip install 'domino-ledger[postgres]'") from error

        return PostgresStore(ledger, outdated=outdated)
    return SqliteStore(ledger, outdated=outdated)


# A password may hold signs that belong elsewhere in an address, so it goes up to the last @.
_IN_ADDRESS = r"(?i)(postgres(?:ql)?:/+[^\s:/@]*):\S*@"
_AS_SETTING = r"(?i)(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&']+)"


def without_password(text: str) -> str:
    """The text, an address or a message that quotes one, without any password."""
    if ":/" not in text and "password" not in text.lower():
        return text
    return re.sub(_AS_SETTING, r"\1…", re.sub(_IN_ADDRESS, r"\1@", text))
