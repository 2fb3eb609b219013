"""The list of records, their audits, and what follows from both: rows that are derived from the events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from ledger.stores.book import Book
from ledger.stores.query import Row
from ledger.stores.results import (
    JUDGED,
    Audit,
    cause_rows,
    finding_rows,
    judged_rows,
    result_rows,
)
from ledger.stores.shared import searchable
from ledger.stores.tables import COLUMNS, insert

RECORD = COLUMNS["record"]
SEARCHED, PLACE_SEARCHED, IDS, AUDITED = map(RECORD.index, ("searched", "place_searched", "ids", "audited"))
"""The places of these columns in a row of the list."""
_JUDGED = ", ".join(f"{column} = ?" for column in JUDGED)
_JUDGE = f"UPDATE result SET {_JUDGED} WHERE opened = ? AND seat = ?"  # noqa: S608  constants
_UNJUDGE = (
    f"UPDATE result SET {_JUDGED.replace('?', 'NULL')} "  # noqa: S608  constants
    "WHERE opened = (SELECT opened FROM record WHERE id = ?) AND finished IS NOT NULL"
)


class Entry(NamedTuple):
    """A record for the list, and the audit of this version, if there is one.

    `named_ids` are the ids of the players who have a name, `opened` is the position of the opening, and `ids` how many
    events have an id of their client.
    """

    row: Row
    named_ids: frozenset[str]
    opened: int
    ids: int = 0
    audit: Audit | None = None


class Audits(Book):
    """The part of a database that keeps the list, the audits and the results."""

    def enter(self, entries: Sequence[Entry]) -> None:
        """Adds records to the list, the results and the search index, with their audits, within a transaction."""
        rows = [record_row(entry.row, entry.opened, entry.ids, entry.audit) for entry in entries]
        self.many(insert("record"), rows)
        self.indexed([(row[1], row[SEARCHED], row[PLACE_SEARCHED]) for row in rows])
        results = list[tuple[object, ...]]()
        for row, named_ids, opened, _ids, audit in entries:
            if row.voided:
                continue
            summary = audit.summary if audit else None
            results += [(opened, *result) for result in result_rows(row, named_ids, summary)]
        self.many(insert("result"), results)
        self._keep([(entry.opened, entry.row.game, entry.audit) for entry in entries if entry.audit is not None])

    def leave(self, record_id: str, opened: int) -> None:
        """Takes a record out of all that `enter` adds, within a transaction."""
        self.many("DELETE FROM record WHERE id = ?", [(record_id,)])
        self.many("DELETE FROM result WHERE opened = ?", [(opened,)])
        self.unindexed(opened)
        self._drop_audit(record_id, opened)

    def outdate(self, record_id: str) -> None:
        """Removes what the audit of an earlier version says from the list and the results, within a transaction."""
        self.many("UPDATE record SET audited = 0 WHERE id = ?", [(record_id,)])
        self.many(_UNJUDGE, [(record_id,)])

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """See `Store.note_audits`."""
        with self.writing():
            for audit in audits:
                rows = self.rows("SELECT opened, version, game FROM record WHERE id = ?", (audit.record,))
                if not rows or audit.version != rows[0][1]:
                    continue
                opened, _version, game = rows[0]
                self.many("UPDATE record SET audited = 1 WHERE id = ?", [(audit.record,)])
                seats = self.rows("SELECT player, opened, seat FROM result WHERE opened = ? ORDER BY seat", (opened,))
                judged = judged_rows([player for player, *_seat in seats], audit.summary)
                self.many(_JUDGE, [(*values, *seat[1:]) for values, seat in zip(judged, seats, strict=True)])
                self._drop_audit(audit.record, opened)
                self._keep([(opened, game, audit)])

    def _drop_audit(self, record_id: str, opened: int) -> None:
        self.many("DELETE FROM audit WHERE record = ?", [(record_id,)])
        self.many("DELETE FROM broken WHERE record = ?", [(record_id,)])
        self.many("DELETE FROM finding WHERE opened = ?", [(opened,)])
        self.many("DELETE FROM cause WHERE opened = ?", [(opened,)])

    def _keep(self, audits: Iterable[tuple[int, str, Audit]]) -> None:
        """Stores the audits of records, each with the opening and the game of the record."""
        rows, broken = list[tuple[object, ...]](), list[tuple[object, ...]]()
        findings, causes = list[tuple[object, ...]](), list[tuple[object, ...]]()
        for opened, game, audit in audits:
            record_id, version, summary = audit[:3]
            text, parts = msgspec.json.encode(summary).decode(), (finding_rows(audit), cause_rows(audit))
            row = (record_id, opened, version, summary.verdict, text, int(audit.explained))
            rows.append((*row, audit_digest(row, *parts)))
            broken += [(clause, opened, record_id) for clause in dict.fromkeys(summary.clauses)]
            findings += [(opened, number, record_id, game, *finding) for number, finding in enumerate(parts[0])]
            causes += [(opened, number, record_id, game, *cause) for number, cause in enumerate(parts[1])]
        self.many(insert("audit"), rows)
        self.many(insert("broken"), broken)
        self.many(insert("finding"), findings)
        self.many(insert("cause"), causes)


def record_row(row: Row, opened: int, ids: int = 0, audit: Audit | None = None) -> tuple[Any, ...]:
    """A row of the list as the table `record` stores it."""
    players = msgspec.json.encode(row.players).decode()
    searched = searchable("\n".join(name for _id, name in row.players))
    place = searchable("\n".join(filter(None, (row.place, row.event)))) or None
    return (
        # A record without a date sorts before all others, in every database.
        row.id, opened, row.events, row.game, row.edition, row.played or "", row.place, row.event, players, searched,
        place, int(row.closed), int(row.card), int(row.voided), ids, int(audit is not None),
    )  # fmt: skip


def audit_digest(row: Sequence[Any], findings: Sequence[Sequence[Any]], causes: Sequence[Sequence[Any]]) -> bytes:
    """The digest of a row with an audit (its columns before the digest), and of the rows with what it found."""
    return sha256(msgspec.json.encode((row, findings, causes))).digest()
