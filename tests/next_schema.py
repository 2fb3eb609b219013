"""A made-up next schema, 2: every record gets a colour.  For tests of upgrades.

    python next_schema.py LEDGER BACKUP N

upgrades a ledger to it, and kills itself before statement number N of the upgrade.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

import psycopg
from sqlite_utils import Database, Migrations

from ledger.stores import migrations, open_ledger, postgres_schema, schema

NEXT = (
    "ALTER TABLE record ADD COLUMN colour TEXT",
    "UPDATE record SET colour = 'ivory'",
    "CREATE TABLE palette (colour TEXT PRIMARY KEY, number INTEGER NOT NULL)",
    "INSERT INTO palette (colour, number) SELECT colour, count(*) FROM record GROUP BY colour",
    "CREATE INDEX record_by_colour ON record (colour)",
)


def next_schema() -> dict[tuple[object, str], Any]:
    """The replacements in a program of the next schema, by module and name."""
    made = Migrations("domino-ledger")
    made()(migrations.events_and_derived_tables)

    @made()
    def colours(db: Database) -> None:
        for statement in NEXT:
            db.conn.execute(statement)

    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("BEGIN")
    made.apply(Database(db, execute_plugins=False))
    there = dict(db.execute("SELECT name, sql FROM sqlite_master"))
    db.close()
    expected = {name: there[name] for name in (*schema.EXPECTED, "palette", "record_by_colour")}
    columns = {**postgres_schema.EXPECTED, "palette": ("colour TEXT", "number INTEGER")}
    columns["record"] = (*columns["record"], "colour TEXT")
    return {
        (migrations, "migrations"): made,
        (schema, "VERSION"): 2,
        (schema, "EXPECTED"): expected,
        (postgres_schema, "MIGRATIONS"): (NEXT,),
        (postgres_schema, "VERSION"): 2,
        (postgres_schema, "EXPECTED"): columns,
    }


def killing(number: int) -> Any:
    """A function that kills this program at call number `number`."""
    calls = iter(range(number))

    def called(*_statement: object) -> None:
        if next(calls, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return called


if __name__ == "__main__":
    for (module, name), value in next_schema().items():
        setattr(module, name, value)
    with open_ledger(sys.argv[1], outdated=True) as store:
        count = killing(int(sys.argv[3]))
        if hasattr(store, "_db"):
            store._db.set_trace_callback(count)
        else:
            execute = psycopg.Connection.execute

            def counted(*arguments: Any, **named: Any) -> Any:
                count()
                return execute(*arguments, **named)

            psycopg.Connection.execute = counted  # type: ignore[method-assign]
        store.migrate(Path(sys.argv[2]))
