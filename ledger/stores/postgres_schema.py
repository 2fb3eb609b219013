"""The tables of a ledger in PostgreSQL: those of `schema`, for that database.

They have a schema of their own, so the database can be shared.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.stores.views import POSTGRES, views

MIGRATIONS: tuple[tuple[str, ...], ...] = ()
"""The statements that lead from each schema to the next, the first ones from schema 1."""
VERSION: Final = 1 + len(MIGRATIONS)
"""The schema of this program."""

TABLES = (
    "CREATE SCHEMA IF NOT EXISTS domino_ledger",
    # One row: every writer locks it, and reads the position of the next event from it.
    """
    CREATE TABLE ledger (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        size BIGINT NOT NULL
    )
    """,
    """
    CREATE TABLE event (
        position BIGINT PRIMARY KEY,
        record TEXT NOT NULL,
        seq INTEGER NOT NULL CHECK (seq >= 0),
        event_id TEXT,
        id_digest BYTEA CHECK (id_digest IS NULL OR octet_length(id_digest) = 32),
        body BYTEA NOT NULL,
        link BYTEA NOT NULL CHECK (octet_length(link) = 32),
        UNIQUE (record, seq)
    )
    """,
    "CREATE INDEX event_by_opening ON event (link) WHERE seq = 0",
    "CREATE UNIQUE INDEX event_by_its_id ON event (record, event_id) WHERE event_id IS NOT NULL",
    """
    CREATE TABLE name (
        record TEXT NOT NULL,
        seq INTEGER NOT NULL,
        names TEXT NOT NULL,
        digest BYTEA NOT NULL,
        PRIMARY KEY (record, seq)
    )
    """,
    """
    CREATE TABLE record (
        id TEXT PRIMARY KEY,
        opened BIGINT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        game TEXT NOT NULL,
        edition TEXT,
        played TEXT NOT NULL,
        place TEXT,
        event TEXT,
        players TEXT NOT NULL,
        searched TEXT NOT NULL,
        place_searched TEXT,
        closed INTEGER NOT NULL,
        audited INTEGER NOT NULL
    )
    """,
    "CREATE INDEX record_by_game ON record (game, opened)",
    "CREATE INDEX record_by_day ON record (played, opened)",
    "CREATE INDEX record_by_closed ON record (closed, opened)",
    # Finds the records that need an audit at once, however many others there are.
    "CREATE INDEX record_waiting ON record (opened) WHERE audited <> version",
    """
    CREATE TABLE audit (
        record TEXT PRIMARY KEY,
        opened BIGINT NOT NULL,
        version INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        summary TEXT NOT NULL,
        explained INTEGER NOT NULL,
        digest BYTEA NOT NULL
    )
    """,
    "CREATE INDEX audit_by_verdict ON audit (verdict, opened)",
    # Finds the audits whose mistakes nobody has explained yet.
    "CREATE INDEX audit_unexplained ON audit (opened) WHERE explained = 0",
    """
    CREATE TABLE broken (
        clause TEXT NOT NULL,
        opened BIGINT NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (clause, opened)
    )
    """,
    "CREATE INDEX broken_by_record ON broken (record)",
    # Derived: the findings of the last audit.  The digest of the audit covers them.
    """
    CREATE TABLE finding (
        opened BIGINT NOT NULL,
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        game TEXT NOT NULL,
        move INTEGER NOT NULL,
        clause TEXT NOT NULL,
        meaning TEXT NOT NULL,
        verdict TEXT NOT NULL,
        player TEXT,
        message TEXT NOT NULL,
        expected TEXT,
        claimed TEXT,
        PRIMARY KEY (opened, number)
    )
    """,
    # Derived: the mistakes that explain the findings.  The digest of the audit covers them.
    """
    CREATE TABLE cause (
        opened BIGINT NOT NULL,
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        game TEXT NOT NULL,
        move INTEGER NOT NULL,
        clause TEXT NOT NULL,
        player TEXT,
        findings TEXT NOT NULL,
        repairs TEXT NOT NULL,
        PRIMARY KEY (opened, number)
    )
    """,
    # Derived: a row per player of a record, with what its audit says; NULL there without an up-to-date one.
    """
    CREATE TABLE result (
        opened BIGINT NOT NULL,
        record TEXT NOT NULL,
        game TEXT NOT NULL,
        edition TEXT,
        event TEXT,
        place TEXT,
        played TEXT,
        seat INTEGER NOT NULL,
        player TEXT NOT NULL,
        name TEXT NOT NULL,
        named INTEGER NOT NULL,
        players INTEGER NOT NULL,
        score BIGINT,
        won INTEGER,
        rank INTEGER,
        finished INTEGER,
        mistakes INTEGER,
        moves INTEGER,
        hands INTEGER,
        PRIMARY KEY (opened, seat)
    )
    """,
    """
    CREATE TABLE key (
        record TEXT NOT NULL,
        digest BYTEA NOT NULL CHECK (octet_length(digest) = 32),
        role TEXT NOT NULL CHECK (role IN ('record', 'watch', 'owner')),
        row_digest BYTEA NOT NULL,
        PRIMARY KEY (record, digest, role)
    )
    """,
    """
    CREATE TABLE comment (
        record TEXT NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        text TEXT NOT NULL,
        author TEXT NOT NULL,
        written TEXT NOT NULL,
        folded INTEGER NOT NULL,
        digest BYTEA NOT NULL,
        PRIMARY KEY (record, number)
    )
    """,
    """
    CREATE TABLE alias (
        name TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        digest BYTEA NOT NULL
    )
    """,
    # How many rows there are with names, with keys, and with a client's id of an event: no chain binds them.
    # And how often names were replaced, so that pages that show them notice.
    "CREATE TABLE total (of TEXT PRIMARY KEY, number BIGINT NOT NULL)",
    """
    INSERT INTO total (of, number)
    VALUES ('name', 0), ('key', 0), ('event_id', 0), ('comment', 0), ('alias', 0), ('renaming', 0)
    """,
    "INSERT INTO ledger (one, version, size) VALUES (1, 1, 0)",
)

FUNCTIONS = (
    """
    CREATE OR REPLACE FUNCTION event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a ledger only grows: no event is changed or deleted';
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION event_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.position IS DISTINCT FROM (SELECT coalesce(max(position), 0) + 1 FROM event)
            OR NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), -1) + 1 FROM event WHERE record = NEW.record)
        THEN
            RAISE EXCEPTION 'a ledger only grows: this is not the next event';
        END IF;
        RETURN NEW;
    END $$
    """,
)
"""Not every relative of PostgreSQL has triggers: there only permissions protect the events."""

# The first two per statement: this also refuses statements that match no row, and TRUNCATE.
TRIGGERS = {
    "event_is_immutable": """
    CREATE TRIGGER event_is_immutable BEFORE UPDATE OR DELETE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_kept()
    """,
    "event_is_not_emptied": """
    CREATE TRIGGER event_is_not_emptied BEFORE TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_kept()
    """,
    "event_is_the_next": """
    CREATE TRIGGER event_is_the_next BEFORE INSERT ON event
    FOR EACH ROW EXECUTE FUNCTION event_only_grows()
    """,
}

CONVENIENCES = (
    # The planner's statistics would keep samples of names outside these tables.
    "ALTER TABLE name ALTER COLUMN names SET STATISTICS 0",
    "ALTER TABLE record ALTER COLUMN players SET STATISTICS 0",
    "ALTER TABLE record ALTER COLUMN searched SET STATISTICS 0",
    "ALTER TABLE result ALTER COLUMN name SET STATISTICS 0",
    "ALTER TABLE alias ALTER COLUMN name SET STATISTICS 0",
    "ALTER TABLE alias ALTER COLUMN person SET STATISTICS 0",
    "CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public",
    "CREATE INDEX IF NOT EXISTS record_searched ON record USING gin (searched gin_trgm_ops)",
    "CREATE INDEX IF NOT EXISTS record_place_searched ON record USING gin (place_searched gin_trgm_ops)",
)
"""Indexes that make searches fast, and no statistics about names."""
VIEWS: Final = {text.split()[2]: text for text in views(POSTGRES)}
"""The statements that create the views, by their names."""


def _columns(statements: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns of the tables that these statements create, each with its type."""
    matches = (re.match(r"\s*CREATE TABLE (\w+) \((.*)\)\s*$", text, re.DOTALL) for text in statements)
    column = r"(?:^|,)\s*([a-z_]+ [A-Z]+)"
    return {match[1]: tuple(re.findall(column, match[2])) for match in matches if match}


NAMES: Final = frozenset(VIEWS) | frozenset(
    re.findall(r"CREATE (?:UNIQUE )?(?:TABLE|INDEX)(?: IF NOT EXISTS)? (\w+)", "\n".join(TABLES + CONVENIENCES))
)
"""The names of all tables, views and indexes of a ledger, without the indexes that PostgreSQL makes for a key."""
EXPECTED: Final = _columns(TABLES)
"""The columns of every table, each with its type.  A migration changes them too."""
