"""The schema of a ledger (schema.sql beside this file), and its migrations.

docs/queries.md describes the views for people.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Migrations

VERSION: Final = 1
"""The number of migrations: `PRAGMA user_version` of an up-to-date file."""
KIND: Final = 0x646F6D6C
"""``doml``, the `PRAGMA application_id` of a ledger: other programs use `user_version` too."""
IN_USE: Final = 0x646F6D77
"""``domw``, the same while the newest events may be in the write-ahead log beside the file."""
NEWER = (
    "made by a newer Domino Ledger (schema {version}, this knows {known}): install that version, or restore the backup "
    "from before the upgrade"
)
OLDER = (
    "made by an older Domino Ledger (schema {version}, this knows {known}): `domino-ledger migrate` upgrades it, "
    "after a backup"
)
OTHER_TABLES = (
    "its tables are not those of schema {version}, so an unreleased Domino Ledger made it, or another program changed "
    "it. Export its records with the version that made it, and import them into a new ledger; or restore a backup"
)


def _objects(statements: tuple[str, ...]) -> dict[str, str]:
    matches = ((re.match(r"CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER|VIEW) (\w+)", text), text) for text in statements)
    return {match[1]: text for match, text in matches if match}


STATEMENTS: Final = tuple(
    re.sub(r"^--.*\n", "", part, flags=re.MULTILINE).strip()
    for part in Path(__file__).with_name("schema.sql").read_text("utf-8").strip()[:-1].split(";\n\n")
)
"""The statements of the schema, each as SQLite keeps it."""
EXPECTED: Final = _objects(STATEMENTS)
"""Everything that an up-to-date file has, by name, as SQLite shows it in `sqlite_master`."""
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(re.findall(r"^    ([a-z_]+) [A-Z]", sql, re.MULTILINE))
    for name, sql in EXPECTED.items()
    if sql.startswith("CREATE TABLE")
}
"""The columns of each table, in their order: statements that write or compare whole rows take them from here."""
BESIDE: Final = (
    "name",
    "key",
    "comment",
    "alias",
    "renamed",
    "brought",
    "columns_said",
    "adjustment",
    "decided",
    "recovering",
)
"""The tables beside the events, whose rows are counted in `total`."""


def insert(table: str, schema: str = "main") -> str:
    """The statement that adds a row."""
    columns = COLUMNS[table]
    return f"INSERT INTO {schema}.{table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


def migrations() -> "Migrations":
    """The migrations.  Each makes the next schema."""
    from sqlite_utils import Database, Migrations

    steps = Migrations("domino-ledger")

    @steps()
    def events_and_derived_tables(db: Database) -> None:
        for statement in STATEMENTS:
            db.conn.execute(statement)

    return steps


def bring_up_to_date(connection: "sqlite3.Connection") -> None:
    """Applies the missing migrations.

    The caller holds a transaction, so only one of two programs creates a new file, and a crash leaves nothing
    half-made.
    """
    from sqlite_utils import Database

    migrations().apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA user_version = {VERSION}")
