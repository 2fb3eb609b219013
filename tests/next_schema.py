"""A made-up next schema, 2, for tests of upgrades: every record gets a colour.

    python next_schema.py LEDGER BACKUP N

upgrades a ledger to it, and kills itself before statement number N of the upgrade.
"""

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from ledger.stores import open_ledger, record_list, schema

NEXT = (
    "ALTER TABLE record ADD COLUMN colour TEXT",
    "UPDATE record SET colour = 'ivory'",
    "CREATE TABLE palette (colour TEXT PRIMARY KEY, number INTEGER NOT NULL)",
    "INSERT INTO palette (colour, number) SELECT colour, count(*) FROM record GROUP BY colour",
    "CREATE INDEX record_by_colour ON record (colour)",
)


def next_schema() -> dict[tuple[object, str], Any]:
    """The replacements in a program of the next schema, by module and name."""
    next_migrations = schema.migrations()

    @next_migrations()
    def colours(db: Database) -> None:
        for statement in NEXT:
            db.conn.execute(statement)

    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("BEGIN")
    next_migrations.apply(Database(db, execute_plugins=False))
    sql_by_name = dict(db.execute("SELECT name, sql FROM sqlite_master"))
    db.close()
    expected = {name: sql_by_name[name] for name in (*schema.EXPECTED, "palette", "record_by_colour")}
    return {
        (schema, "migrations"): lambda: next_migrations,
        (schema, "VERSION"): 2,
        (schema, "EXPECTED"): expected,
        (record_list, "EXPECTED"): expected,
    }


def kill_at_call(number: int) -> Any:
    """A function that kills this program at call number `number`."""
    calls = iter(range(number))

    def count_call(*_statement: object) -> None:
        if next(calls, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return count_call


if __name__ == "__main__":
    for (module, name), value in next_schema().items():
        setattr(module, name, value)
    with open_ledger(sys.argv[1], outdated=True) as store:
        store.connection.db.set_trace_callback(kill_at_call(int(sys.argv[3])))
        store.migrate(Path(sys.argv[2]))
