"""A new ledger after a loss: until the phones were there, nobody may take the id of a game that they bring back.

Ids are public, and a ledger only grows: a game that a stranger begins under a lost id would keep the real one out for
ever.  So for two weeks a game that begins here gets an id that the ledger itself chooses.  Only a copy that the owner's
seal proves, or that the owner takes in, has the id that it brings.
"""

import hmac
from datetime import datetime, timedelta

from ledger.record import clock
from ledger.record.chain import ALPHABET
from ledger.stores.beside import Key, Recovering
from ledger.stores.store import SqliteStore

DAYS = 14
"""How many days a ledger waits for the phones."""
_NEW_ID = b"domino-ledger new id 1"


def begin(store: SqliteStore) -> datetime:
    """Marks a ledger as recovering from now on; returns until when."""
    until = clock.now() + timedelta(DAYS)
    store.drop(list(store.kept(Recovering)))
    store.put([Recovering(until.isoformat(timespec="seconds"))])
    return until


def until(store: SqliteStore) -> datetime | None:
    """Until when the ledger is recovering; None if it is not."""
    last = max((datetime.fromisoformat(mark.until) for mark in store.kept(Recovering)), default=None)
    return last if last is not None and clock.now() < last else None


def own_id(store: SqliteStore, record_id: str, key: str) -> str:
    """The id under which a game begins whose sender chose one: that, or the ledger's own while it is recovering.

    The same sender gets the same id again, and nobody can choose it: it follows from the owner's key.
    """
    owner = next((key.digest for key in store.kept(Key, "") if key.role == "owner"), b"")
    if not owner or until(store) is None or store.version(record_id):
        return record_id
    digest = hmac.digest(owner, _NEW_ID + f"{record_id} {key}".encode(), "sha256")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:10])
