"""Opening a ledger in PostgreSQL: its tables and their schema, triggers that keep events, what the server can do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count, groupby
from operator import itemgetter
from typing import Any

import psycopg
from psycopg import sql

from ledger.record.errors import NotALedger
from ledger.stores import postgres_schema
from ledger.stores.schema import NEWER, OLDER, OTHER_TABLES

CHANNEL = "domino_ledger"
TURN = 0x646F6D6C
"""``doml``: the advisory lock of those who write."""
Connection = psycopg.Connection[tuple[Any, ...]]


def with_percent_s(statement: str) -> Any:
    """A statement with the placeholders of psycopg."""
    return statement.replace("?", "%s")


def configure(connection: Connection) -> None:
    """Makes a new connection look for tables where a ledger has them."""
    connection.execute("SET search_path TO domino_ledger, public")


def prepare(connection: Connection, path: str, *, outdated: bool = False) -> bool:
    """Creates what is missing; returns whether the database supports notifications.

    Raises NotALedger for tables of another schema; with `outdated`, not for those of an older one.
    """
    _refuse_unsafe(connection, path)
    configure(connection)
    _create(connection)
    version, expected = version_of(connection), postgres_schema.VERSION
    if version is None:
        raise NotALedger(f"{path}: the tables of a ledger could not be created")
    if version > expected:
        raise NotALedger(f"{path}: {NEWER.format(version=version, known=expected)}")
    if version < expected and not outdated:
        raise NotALedger(f"{path}: {OLDER.format(version=version, known=expected)}")
    if version == expected:
        _refuse_other_tables(connection, path)
    try:
        connection.execute("SELECT pg_notify(%s, '')", (CHANNEL,))
    except psycopg.Error:
        return False
    return True


def _create(connection: Connection) -> None:
    for _ in range(5):
        try:
            with connection.transaction():
                if version_of(connection) is None:
                    for statement in postgres_schema.TABLES:
                        connection.execute(statement)
                    _bring_up_to_date(connection, 1)
            break
        except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable, psycopg.errors.SerializationFailure):
            continue  # another program creates it at the same moment
    if version_of(connection) == postgres_schema.VERSION and _number_of_guards(connection) is None:
        make_guards(connection)
        for statement in postgres_schema.CONVENIENCES:
            with suppress(psycopg.Error):  # only the owner may, and a relative may not support it
                connection.execute(statement)
        make_views(connection)


def upgrade(connection: Connection, path: str) -> int:
    """Applies the missing migrations within the caller's transaction; returns the schema that there was."""
    version = version_of(connection)
    if version is None:
        raise NotALedger(f"{path}: there are no tables of a ledger")
    _bring_up_to_date(connection, version)
    _refuse_other_tables(connection, path)
    return version


def _bring_up_to_date(connection: Connection, version: int) -> None:
    for statements in postgres_schema.MIGRATIONS[version - 1 :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute("UPDATE ledger SET version = %s WHERE one = 1", (postgres_schema.VERSION,))


def columns(connection: Connection) -> dict[str, tuple[str, ...]]:
    """The columns of the ledger's tables, each with its type."""
    query = (
        "SELECT c.relname, a.attname || ' ' || upper(format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a "
        "JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'domino_ledger' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped "
        "ORDER BY c.relname, a.attnum"
    )
    return {
        table: tuple(column for _table, column in rows)
        for table, rows in groupby(connection.execute(query).fetchall(), itemgetter(0))
    }


def _refuse_other_tables(connection: Connection, path: str) -> None:
    if postgres_schema.EXPECTED.items() - columns(connection).items():
        raise NotALedger(f"{path}: {OTHER_TABLES.format(version=postgres_schema.VERSION)}")


def make_guards(connection: Connection) -> None:
    """Makes the triggers that keep events, where they are missing or changed, and the count of them."""
    wrong_guards = list(_wrong_guards(connection))
    with suppress(psycopg.Error), connection.transaction():  # only the owner may, and a relative may not support it
        for name, _reason in wrong_guards:
            connection.execute(sql.SQL("DROP TRIGGER IF EXISTS {} ON event").format(sql.Identifier(name)))
        for statement in postgres_schema.FUNCTIONS:
            connection.execute(statement)
        for name, _reason in wrong_guards:
            if name in postgres_schema.TRIGGERS:
                connection.execute(postgres_schema.TRIGGERS[name])
        if _number_of_guards(connection) is None:
            row = ("trigger", len(postgres_schema.TRIGGERS))
            connection.execute("INSERT INTO total (of, number) VALUES (%s, %s)", row)


def make_views(connection: Connection) -> None:
    """Makes or replaces the views for other programs, and counts them."""
    taken = _views(connection).keys()
    for name, statement in postgres_schema.VIEWS.items():
        for first in (None, "DROP VIEW IF EXISTS {}", "ALTER VIEW {} RENAME TO {}"):
            try:
                with connection.transaction():
                    if first is not None:
                        # A view with other columns cannot be replaced, and one that another view needs not dropped:
                        # that other view keeps it, under another name.
                        aside = next(free for n in count(1) if (free := f"{name}_old_{n}") not in taken)
                        connection.execute(sql.SQL(first).format(sql.Identifier(name), sql.Identifier(aside)))
                    connection.execute(statement.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))
                break
            except psycopg.Error:  # only the owner may
                continue
    with suppress(psycopg.Error), connection.transaction():
        if _number_of(connection, "view") is None and postgres_schema.VIEWS.keys() <= _views(connection).keys():
            row = ("view", len(postgres_schema.VIEWS))
            connection.execute("INSERT INTO total (of, number) VALUES (%s, %s)", row)


def wrong_views(connection: Connection) -> list[str]:
    """What is wrong with the views for other programs; nothing in a database that never had all of them."""
    if _number_of(connection, "view") is None:
        return []
    stored, expected = _views(connection), _expected_views(connection)
    missing = [f"the view {name} is missing" for name in postgres_schema.VIEWS if name not in stored]
    changed = [name for name, definition in expected.items() if stored.get(name, definition) != definition]
    return [
        *missing,
        *(f"the view {name} was changed" for name in changed),
    ]


_OF_OTHERS = """
SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'i' THEN 'index' ELSE 'table' END,
    c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'domino_ledger' AND c.relkind IN ('v', 'm', 'r', 'p', 'f', 'i') AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)
ORDER BY 1, 2
"""


def of_others(connection: Connection) -> list[str]:
    """The views, tables and indexes among the ledger's that are not its own, such as "the view my_league"."""
    rows = connection.execute(_OF_OTHERS).fetchall()
    return [f"the {kind} {name}" for kind, name in rows if name not in postgres_schema.NAMES]


def _views(connection: Connection) -> dict[str, str]:
    """The views of the ledger and their definitions, as this server writes them."""
    query = (
        "SELECT c.relname, pg_get_viewdef(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'domino_ledger' AND c.relkind = 'v'"
    )
    return {str(name): str(definition) for name, definition in connection.execute(query).fetchall()}


def _expected_views(connection: Connection) -> dict[str, str]:
    """The definitions that the views should have, as this server writes them; none if this role may not find out."""
    query = "SELECT relname, pg_get_viewdef(oid) FROM pg_class WHERE relnamespace = pg_my_temp_schema()"
    try:
        with connection.transaction(force_rollback=True):
            for name, statement in postgres_schema.VIEWS.items():
                temporary = statement.replace(f"CREATE VIEW {name}", f"CREATE TEMPORARY VIEW expected_{name}", 1)
                connection.execute(temporary)
            rows = connection.execute(query).fetchall()
    except psycopg.Error:  # a replica, a role that only reads, or a relative without temporary views
        return {}
    return {str(name).removeprefix("expected_"): str(definition) for name, definition in rows}


def guards(connection: Connection) -> list[str]:
    """What is wrong with the triggers that keep events; nothing in a database that never had any."""
    if _number_of_guards(connection) is None:
        return []
    return [f"the trigger {name} {reason}" for name, reason in _wrong_guards(connection)]


def _number_of_guards(connection: Connection) -> int | None:
    return _number_of(connection, "trigger")


def _number_of(connection: Connection, kind: str) -> int | None:
    """How many of these the ledger was made with; None if it was made without them."""
    try:
        row = connection.execute("SELECT number FROM total WHERE of = %s", (kind,)).fetchone()
    except psycopg.Error:  # an unreleased schema has no such table
        return None
    return None if row is None else int(row[0])


def _wrong_guards(connection: Connection) -> Iterator[tuple[str, str]]:
    """The triggers of the table of events that are missing, changed, switched off or too many."""
    query = (
        "SELECT t.tgname, t.tgenabled, pg_get_triggerdef(t.oid), p.prosrc FROM pg_trigger t "
        "JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal AND t.tgrelid = 'domino_ledger.event'::regclass"
    )
    stored = {row[0]: row[1:] for row in connection.execute(query).fetchall()}
    for name, statement in postgres_schema.TRIGGERS.items():
        if name not in stored:
            yield name, "is missing"
            continue
        enabled, definition, source = stored[name]
        if enabled not in ("O", "A", b"O", b"A"):
            yield name, "is switched off"
        elif _words(definition) != _words(statement) or not any(source in text for text in postgres_schema.FUNCTIONS):
            yield name, "was changed"
    for name in stored.keys() - postgres_schema.TRIGGERS.keys():
        yield name, "does not belong to a ledger"


def _words(definition: str) -> set[str]:
    """The words of a trigger's definition: PostgreSQL writes it in another order, and with its schema."""
    return set(definition.replace("domino_ledger.", "").upper().split())


def version_of(connection: Connection) -> int | None:
    """The schema of the ledger, or None if there is none."""
    query = "SELECT count(*) FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
    row = connection.execute(query, ("domino_ledger", "ledger")).fetchone()
    if row is None or not row[0]:
        return None
    version = connection.execute("SELECT version FROM domino_ledger.ledger WHERE one = 1").fetchone()
    return None if version is None else int(version[0])


def has_advisory_locks(connection: Connection) -> bool:
    """Whether writers can take turns."""
    try:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (TURN + 1,))
    except psycopg.Error:
        return False  # a relative without them
    return True


def is_read_only(connection: Connection) -> bool:
    """Whether it is a replica, or a role or database that only reads."""
    try:
        row = connection.execute("SHOW transaction_read_only").fetchone()
    except psycopg.Error:
        return False  # a relative without that setting
    return row is not None and row[0] == "on"


def _refuse_unsafe(connection: Connection, path: str) -> None:
    """Raises NotALedger for a database that may lose acknowledged writes."""
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        try:
            row = connection.execute(f"SHOW {name}").fetchone()
        except psycopg.Error:
            continue  # a relative without that setting
        if row is not None and row[0] == "off":
            raise NotALedger(f"{path}: {name} is off, so it may lose acknowledged writes: switch it on")


def address_without_password(address: str) -> str:
    """The address without its password, for messages and logs.  Raises NotALedger if it cannot be read."""
    try:
        parts = psycopg.conninfo.conninfo_to_dict(address)
        [int(port) for port in str(parts.get("port") or 5432).split(",")]
    except (psycopg.Error, ValueError):
        # What stands where the port should be may be a part of the password, and the driver's message quotes it.
        reason = "write postgresql://USER:PASSWORD@HOST/NAME, and in a password %40 for @, %2F for /, %3A for :"
        raise NotALedger(f"the address of the database cannot be read: {reason}") from None
    host = "".join((str(parts.get("host") or ""), f":{parts['port']}" if parts.get("port") else ""))
    return f"postgresql://{host}/{parts.get('dbname') or ''}"
