"""The tables of a ledger in PostgreSQL: those of `tables`, for that database.

They have a schema of their own, so the database can be shared.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.stores import tables
from ledger.stores.tables import for_postgres
from ledger.stores.views import POSTGRES, views

MIGRATIONS: tuple[tuple[str, ...], ...] = ()
"""The statements that lead from each schema to the next, the first ones from schema 1."""
VERSION: Final = 1 + len(MIGRATIONS)
"""The schema of this program."""

TABLES: Final = (
    "CREATE SCHEMA IF NOT EXISTS domino_ledger",
    # One row: every writer locks it, and reads the position of the next event from it.
    """
    CREATE TABLE ledger (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        size BIGINT NOT NULL
    )
    """,
    *map(for_postgres, tables.TABLES),
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
    *(f"ALTER TABLE renamed ALTER COLUMN {column} SET STATISTICS 0" for column in ("old", "new", "names")),
    "CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public",
    "CREATE INDEX IF NOT EXISTS record_searched ON record USING gin (searched gin_trgm_ops)",
    "CREATE INDEX IF NOT EXISTS record_place_searched ON record USING gin (place_searched gin_trgm_ops)",
)
"""Indexes that make searches fast, and no statistics about names."""
VIEWS: Final = {text.split()[2]: text for text in views(POSTGRES)}
"""The statements that create the views, by their names."""


NAMES: Final = frozenset(VIEWS) | frozenset(
    re.findall(r"CREATE (?:UNIQUE )?(?:TABLE|INDEX)(?: IF NOT EXISTS)? (\w+)", "\n".join(TABLES + CONVENIENCES))
)
"""The names of all tables, views and indexes of a ledger, without the indexes that PostgreSQL makes for a key."""
EXPECTED: Final = tables.columns(TABLES, with_types=True)
"""The columns of every table, each with its type.  A migration changes them too."""
