"""The tables of a ledger and their indexes.

A change is a migration (see `migrations`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

TABLES: Final = (
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
    # Derived: a row per record, updated in the same transaction as its events.  No chain binds the clients' ids of its
    # events, so `ids` counts them.  `audited` is 1 if there is an audit of this version.
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
        card INTEGER NOT NULL,
        voided INTEGER NOT NULL,
        ids INTEGER NOT NULL,
        audited INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX record_by_game ON record (game, opened)",
    "CREATE INDEX record_by_day ON record (played, opened)",
    "CREATE INDEX record_by_closed ON record (closed, opened)",
    "CREATE INDEX record_by_voided ON record (voided, opened)",
    # Finds the records that need an audit at once, however many others there are.  No column that each move changes.
    "CREATE INDEX record_waiting ON record (opened) WHERE audited = 0",
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
    # Derived: a row per player of a record, unless it was set aside, with what its audit says; NULL there without an
    # up-to-date one.
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
        card INTEGER NOT NULL,
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
    # What the owner's renamings of people replaced.  It is outside the chain, so it can be erased.
    """
    CREATE TABLE renamed (
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        seq INTEGER NOT NULL,
        old TEXT NOT NULL,
        new TEXT NOT NULL,
        renamed_at TEXT NOT NULL,
        names TEXT NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (number, record, seq)
    ) STRICT, WITHOUT ROWID
    """,
    # How many rows there are with names, with keys and so on: no chain binds them.  And how often names were replaced,
    # so that pages that show them notice.
    "CREATE TABLE total (of TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT",
    """
    INSERT INTO total (of, number)
    VALUES ('name', 0), ('key', 0), ('comment', 0), ('alias', 0), ('renamed', 0), ('renaming', 0)
    """,
)
"""`position` counts the events of the whole ledger from 1 without gaps."""


def columns(statements: Iterable[str], with_types: bool = False) -> dict[str, tuple[str, ...]]:
    """The columns of the tables that these statements create."""
    matches = (re.match(r"\s*CREATE TABLE (\w+) \((.*)\)", text, re.DOTALL) for text in statements)
    column = r"(?:^|,)\s*([a-z_]+ [A-Z]+)" if with_types else r"(?:^|,)\s*([a-z_]+) [A-Z]"
    return {match[1]: tuple(re.findall(column, match[2])) for match in matches if match}


COLUMNS: Final = columns(TABLES)
"""The columns of each table, in their order: statements that write or compare whole rows take them from here."""


def insert(table: str) -> str:
    """The statement that adds a row."""
    return f"INSERT INTO {table} ({', '.join(COLUMNS[table])}) VALUES ({', '.join('?' * len(COLUMNS[table]))})"  # noqa: S608
