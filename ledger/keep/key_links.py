"""Links: secrets that record in a game, watch it, or own the ledger.  A ledger stores only their digests."""

from ledger.keep.recorder import key_digest, new_key
from ledger.record.errors import NotForNow
from ledger.stores.beside import Key, Role
from ledger.stores.query import Query, Row
from ledger.stores.store import SqliteStore

MOST_TABLES = 60
"""The most tables of an evening."""


def new_link(store: SqliteStore, record_id: str, role: Role, *, only: bool = False) -> str:
    """The secret of a new link to a record, or to the ledger for an empty id.

    With `only`, earlier links for the same role stop working.
    """
    secret = new_key()
    if only:
        store.drop(key for key in store.kept(Key, record_id) if key.role == role)
    store.put([Key(record_id, key_digest(secret), role)])
    return secret


def end_link(store: SqliteStore, record_id: str, digest: bytes) -> None:
    """Ends a recorder's link, by the SHA-256 of its secret.  Raises NotForNow if there is no such link."""
    link = Key(record_id, digest, "record")
    keys = list(store.kept(Key, record_id))
    if link not in keys:
        raise NotForNow(f"the game {record_id} has no such link: it was ended already")
    store.drop([link])
    if len(keys) == 1:
        # A phone hands the keys of its copy back in where a record has none: this one has a key that nobody knows.
        new_link(store, record_id, "watch")


def tables(store: SqliteStore, day: str, event: str = "") -> list[Row]:
    """The games in play of a day or of an event, the earliest first."""
    query = Query(closed=False, since=day, until=day, place=event or None, reverse=True, limit=MOST_TABLES)
    return [row for row in store.find(query) if not (row.card or row.corrupt or (row.audit and row.audit.finished))]
