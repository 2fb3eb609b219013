"""The schema of a ledger in SQLite: its tables, and the triggers, the search index and the views beside them.

A change of the schema is a migration (see `migrations`), and is entered in `EXPECTED` too.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.stores.tables import TABLES
from ledger.stores.views import VIEWS

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

_GUARDS = (
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
)
"""Triggers that make the file itself refuse to change or delete an event.

An insert must have the next position, the next seq and a new event id; this also blocks INSERT OR REPLACE, which would
delete the old row without firing a trigger.
"""
FIRST: Final = (*(statement.strip() for statement in (*TABLES, *_GUARDS)), SEARCH, *VIEWS)
"""The statements of the first schema."""


def objects(statements: tuple[str, ...]) -> dict[str, str]:
    """What these statements create, by name, in the form in which SQLite keeps it."""
    matches = (
        (re.match(r"CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) (\w+)", text), text) for text in statements
    )
    return {match[1]: text for match, text in matches if match}


EXPECTED: Final = objects(FIRST)
"""Everything that an up-to-date file has, as SQLite shows it in `sqlite_master`."""
