"""The migrations of a ledger in SQLite.  Imported only to create or upgrade a file."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database, Migrations

from ledger.stores import schema

migrations = Migrations("domino-ledger")


@migrations()
def events_and_derived_tables(db: Database) -> None:
    """The table of events, which can only grow, and the tables beside it."""
    for statement in schema.FIRST:
        db.conn.execute(statement)


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Applies the missing migrations.

    The caller holds a transaction, so only one of two programs creates a new file, and a crash leaves nothing
    half-made.
    """
    migrations.apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA user_version = {schema.VERSION}")
