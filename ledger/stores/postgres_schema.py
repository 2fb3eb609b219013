"""The tables of a ledger in PostgreSQL: those of `schema`, in the words of that database.

They stand in a schema of their own, so that a database may be shared.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 1
"""The schema that this program knows."""

TABLES = (
    "CREATE SCHEMA IF NOT EXISTS domino_ledger",
    # One row: every writer locks it, and reads there where the next event stands.
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
        request BYTEA CHECK (request IS NULL OR octet_length(request) = 32),
        body BYTEA NOT NULL,
        link BYTEA NOT NULL CHECK (octet_length(link) = 32),
        UNIQUE (record, seq)
    )
    """,
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
        players TEXT NOT NULL,
        searched TEXT NOT NULL,
        place_searched TEXT,
        closed INTEGER NOT NULL,
        audited INTEGER NOT NULL
    )
    """,
    "CREATE INDEX record_by_game ON record (game, opened)",
    "CREATE INDEX record_by_day ON record (played, opened)",
    # What waits for an audit is found at once, however much there is that does not.
    "CREATE INDEX record_waiting ON record (opened) WHERE audited <> version",
    """
    CREATE TABLE audit (
        record TEXT PRIMARY KEY,
        opened BIGINT NOT NULL,
        version INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        summary TEXT NOT NULL
    )
    """,
    "CREATE INDEX audit_by_verdict ON audit (verdict, opened)",
    """
    CREATE TABLE broken (
        clause TEXT NOT NULL,
        opened BIGINT NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (clause, opened)
    )
    """,
    "CREATE INDEX broken_by_record ON broken (record)",
    """
    CREATE TABLE key (
        record TEXT NOT NULL,
        digest BYTEA NOT NULL CHECK (octet_length(digest) = 32),
        role TEXT NOT NULL CHECK (role IN ('record', 'watch', 'owner')),
        PRIMARY KEY (record, digest, role)
    )
    """,
    "INSERT INTO ledger (one, version, size) VALUES (1, 1, 0)",
)

TRIGGERS = (
    # Not in every relative of PostgreSQL: there only the roles that it gives out keep events as they are.
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
    # For each statement: one that finds no row is refused too, and so is TRUNCATE, which sees no rows.
    """
    CREATE TRIGGER event_is_immutable BEFORE UPDATE OR DELETE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_kept()
    """,
    """
    CREATE TRIGGER event_is_not_emptied BEFORE TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_kept()
    """,
    """
    CREATE TRIGGER event_is_the_next BEFORE INSERT ON event
    FOR EACH ROW EXECUTE FUNCTION event_only_grows()
    """,
)

CONVENIENCES = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public",
    "CREATE INDEX IF NOT EXISTS record_searched ON record USING gin (searched gin_trgm_ops)",
    "CREATE INDEX IF NOT EXISTS record_place_searched ON record USING gin (place_searched gin_trgm_ops)",
)
"""What makes a search fast."""
