"""The schema of a ledger in SQLite: what each of its tables, indexes, triggers and views should be.

A change of the schema is a migration (see `migrations`), and is entered in `EXPECTED` too.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.stores.views import SQLITE, views

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

SEARCH: Final = "CREATE VIRTUAL TABLE search USING fts5 (players, place, tokenize = 'trigram case_sensitive 1')"
"""Derived: parts of names and places, by the trigrams of their folded text."""

_FIRST = (
    """
    CREATE TABLE event (
        position INTEGER PRIMARY KEY,
        record TEXT NOT NULL,
        seq INTEGER NOT NULL CHECK (seq >= 0),
        event_id TEXT,
        id_digest BLOB CHECK (id_digest IS NULL OR length(id_digest) = 32),
        body BLOB NOT NULL,
        link BLOB NOT NULL CHECK (length(link) = 32),
        UNIQUE (record, seq)
    ) STRICT
    """,
    "CREATE INDEX event_by_opening ON event (link) WHERE seq = 0",
    "CREATE UNIQUE INDEX event_by_its_id ON event (record, event_id) WHERE event_id IS NOT NULL",
    """
    CREATE TRIGGER event_only_grows BEFORE INSERT ON event WHEN
        NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM event)
        OR NEW.seq IS NOT (SELECT coalesce(max(seq), -1) + 1 FROM event WHERE record = NEW.record)
        OR (NEW.event_id IS NOT NULL
            AND EXISTS (SELECT 1 FROM event WHERE record = NEW.record AND event_id = NEW.event_id))
    BEGIN SELECT raise(ABORT, 'a ledger only grows: this is not the next event'); END
    """,
    """
    CREATE TRIGGER event_is_kept BEFORE DELETE ON event
    BEGIN SELECT raise(ABORT, 'a ledger only grows: no event is deleted'); END
    """,
    """
    CREATE TRIGGER event_is_immutable BEFORE UPDATE ON event
    BEGIN SELECT raise(ABORT, 'a ledger only grows: no event is changed'); END
    """,
    # The names of people in events, as JSON.  They are outside the chain, so they can be erased.
    """
    CREATE TABLE name (
        record TEXT NOT NULL,
        seq INTEGER NOT NULL,
        names TEXT NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (record, seq)
    ) STRICT, WITHOUT ROWID
    """,
    # Derived: a row per record, updated in the same transaction as its events.
    """
    CREATE TABLE record (
        id TEXT PRIMARY KEY,
        opened INTEGER NOT NULL UNIQUE,
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
    ) STRICT
    """,
    "CREATE INDEX record_by_game ON record (game, opened)",
    "CREATE INDEX record_by_day ON record (played, opened)",
    "CREATE INDEX record_by_closed ON record (closed, opened)",
    # Finds the records that need an audit at once, however many others there are.
    "CREATE INDEX record_waiting ON record (opened) WHERE audited <> version",
    # Derived: the summary of the last audit, and its version.
    """
    CREATE TABLE audit (
        record TEXT PRIMARY KEY,
        opened INTEGER NOT NULL,
        version INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        summary TEXT NOT NULL,
        explained INTEGER NOT NULL,
        digest BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX audit_by_verdict ON audit (verdict, opened)",
    # Finds the audits whose mistakes nobody has explained yet.
    "CREATE INDEX audit_unexplained ON audit (opened) WHERE explained = 0",
    """
    CREATE TABLE broken (
        clause TEXT NOT NULL,
        opened INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (clause, opened)
    ) STRICT
    """,
    "CREATE INDEX broken_by_record ON broken (record)",
    # Derived: the findings of the last audit.  The digest of the audit covers them.
    """
    CREATE TABLE finding (
        opened INTEGER NOT NULL,
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
    ) STRICT, WITHOUT ROWID
    """,
    # Derived: the mistakes that explain the findings.  The digest of the audit covers them.
    """
    CREATE TABLE cause (
        opened INTEGER NOT NULL,
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        game TEXT NOT NULL,
        move INTEGER NOT NULL,
        clause TEXT NOT NULL,
        player TEXT,
        findings TEXT NOT NULL,
        repairs TEXT NOT NULL,
        PRIMARY KEY (opened, number)
    ) STRICT, WITHOUT ROWID
    """,
    # Derived: a row per player of a record, with what its audit says; NULL there without an up-to-date one.
    """
    CREATE TABLE result (
        opened INTEGER NOT NULL,
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
        score INTEGER,
        won INTEGER,
        rank INTEGER,
        finished INTEGER,
        mistakes INTEGER,
        moves INTEGER,
        hands INTEGER,
        PRIMARY KEY (opened, seat)
    ) STRICT, WITHOUT ROWID
    """,
    # What secrets allow with a record; only their digests are stored.
    """
    CREATE TABLE key (
        record TEXT NOT NULL,
        digest BLOB NOT NULL CHECK (length(digest) = 32),
        role TEXT NOT NULL CHECK (role IN ('record', 'watch', 'owner')),
        row_digest BLOB NOT NULL,
        PRIMARY KEY (record, digest, role)
    ) STRICT, WITHOUT ROWID
    """,
    # Remarks of readers on moves.  They are outside the chain, so they can be erased.
    """
    CREATE TABLE comment (
        record TEXT NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        text TEXT NOT NULL,
        author TEXT NOT NULL,
        written TEXT NOT NULL,
        folded INTEGER NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (record, number)
    ) STRICT, WITHOUT ROWID
    """,
    # Names of people whom the club knows by another name.  They are outside the chain, so they can be erased.
    """
    CREATE TABLE alias (
        name TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        digest BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # How many rows there are with names, with keys, and with a client's id of an event: no chain binds them.
    # And how often names were replaced, so that pages that show them notice.
    "CREATE TABLE total (of TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT",
    """
    INSERT INTO total (of, number)
    VALUES ('name', 0), ('key', 0), ('event_id', 0), ('comment', 0), ('alias', 0), ('renaming', 0)
    """,
    SEARCH,
)
FIRST: Final = (*(statement.strip() for statement in _FIRST), *views(SQLITE))
"""The statements of the first schema.

`position` counts the events of the whole ledger from 1 without gaps.  Triggers make the file itself refuse to change or
delete an event.  An insert must have the next position, the next seq and a new event id; this also blocks INSERT OR
REPLACE, which would delete the old row without firing a trigger.
"""


def objects(statements: tuple[str, ...]) -> dict[str, str]:
    """What these statements create, by name, in the form in which SQLite keeps it."""
    matches = (
        (re.match(r"CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) (\w+)", text), text) for text in statements
    )
    return {match[1]: text for match, text in matches if match}


EXPECTED: Final = objects(FIRST)
"""Everything that an up-to-date file has, as SQLite shows it in `sqlite_master`."""
