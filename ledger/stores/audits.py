"""The list of records, their audits, and what follows from both: rows that are derived from the events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from ledger.rules.game import Finding
from ledger.stores.comments import Comments
from ledger.stores.query import Row, Summary
from ledger.stores.results import (
    FIXED,
    JUDGED,
    NO_MEANINGS,
    Audit,
    CauseRow,
    GameResults,
    Mistake,
    cause_rows,
    finding_rows,
    fixed_rows,
    in_order,
    judged_rows,
    read_results,
)
from ledger.stores.shared import fold

RECORD = (
    "id", "opened", "version", "game", "edition", "played", "place", "event", "players", "searched", "place_searched",
    "closed", "audited",
)  # fmt: skip
SEARCHED, PLACE_SEARCHED = RECORD.index("searched"), RECORD.index("place_searched")
AUDIT = ("record", "opened", "version", "verdict", "summary", "explained", "digest")
FINDING = ("move", "clause", "meaning", "verdict", "player", "message", "expected", "claimed")
"""The columns of a finding, in the order in which the digest of an audit has them."""
CAUSE = CauseRow._fields
"""The columns of a mistake, likewise."""


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608  constants


_RECORD, _RESULT, _AUDIT = (
    _insert("record", RECORD),
    _insert("result", ("opened", *FIXED, *JUDGED)),
    _insert("audit", AUDIT),
)
_BROKEN = _insert("broken", ("record", "clause", "opened"))
_FINDING = _insert("finding", ("opened", "record", "game", "number", *FINDING))
_CAUSE = _insert("cause", ("opened", "record", "game", "number", *CAUSE))
_JUDGED = ", ".join(f"{column} = ?" for column in JUDGED)
_JUDGE = f"UPDATE result SET {_JUDGED} WHERE opened = ? AND seat = ?"  # noqa: S608  constants
_UNJUDGE = (
    f"UPDATE result SET {_JUDGED.replace('?', 'NULL')} "  # noqa: S608  constants
    "WHERE opened = (SELECT opened FROM record WHERE id = ?) AND finished IS NOT NULL"
)
_MISTAKES = (
    "SELECT c.record, c.game, c.clause, c.player, count(*) FROM cause c JOIN record r ON r.opened = c.opened "
    "JOIN audit a ON a.record = r.id AND a.version = r.version "
    "WHERE {} GROUP BY c.opened, c.record, c.game, c.clause, c.player "
    "ORDER BY c.opened, c.clause, coalesce(c.player, '')"
)


class Entry(NamedTuple):
    """A record for the list, and the audit of this version, if there is one.

    `named_ids` are the ids of the players who have a name, and `opened` is the position of the opening.
    """

    row: Row
    named_ids: frozenset[str]
    opened: int
    audit: Audit | None = None


class Audits(Comments):
    """The part of a database that keeps the list, the audits and the results."""

    def enter(self, entries: Sequence[Entry]) -> None:
        """Adds records to the list, the results and the search index, with their audits, within a transaction."""
        rows = [record_row(entry.row, entry.opened, entry.audit) for entry in entries]
        self.many(_RECORD, rows)
        self.indexed([(row[1], row[SEARCHED], row[PLACE_SEARCHED]) for row in rows])
        results = list[tuple[object, ...]]()
        for row, named_ids, opened, audit in entries:
            judged = judged_rows([player for player, _name in row.players], audit.summary if audit else None)
            results += [
                (opened, *fixed, *values) for fixed, values in zip(fixed_rows(row, named_ids), judged, strict=True)
            ]
        self.many(_RESULT, results)
        self._keep([(opened, row.game, audit) for row, _named_ids, opened, audit in entries if audit is not None])

    def leave(self, record_id: str, opened: int) -> None:
        """Takes a record out of all that `enter` adds, within a transaction."""
        self.many("DELETE FROM record WHERE id = ?", [(record_id,)])
        self.many("DELETE FROM result WHERE opened = ?", [(opened,)])
        self.unindexed(opened)
        self._drop_audit(record_id, opened)

    def outdate(self, record_id: str) -> None:
        """Removes the values of an earlier version's audit from the results, within a transaction."""
        self.many(_UNJUDGE, [(record_id,)])

    def mistakes(self) -> list[Mistake]:
        """See `Store.mistakes`."""
        return [Mistake(*row) for row in self.rows(_MISTAKES.format("TRUE"))]

    def mistakes_of(self, ids: Sequence[str]) -> list[Mistake]:
        """See `Store.mistakes_of`."""
        return [Mistake(*row) for row in self.rows(_MISTAKES.format(_among("r.id", ids)), ids)]

    def versions(self) -> dict[str, int]:
        """See `Store.versions`."""
        return dict(self.rows("SELECT id, version FROM record ORDER BY opened"))

    def note_audit(self, record_id: str, version: int, summary: Summary, findings: Sequence[Finding] = ()) -> None:
        """See `Store.note_audit`."""
        self.note_audits([Audit(record_id, version, summary, findings, NO_MEANINGS)])

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """See `Store.note_audits`."""
        with self.writing():
            for audit in audits:
                rows = self.rows("SELECT opened, version, game FROM record WHERE id = ?", (audit.record,))
                if not rows or audit.version != rows[0][1]:
                    continue
                opened, _version, game = rows[0]
                self.many("UPDATE record SET audited = version WHERE id = ?", [(audit.record,)])
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
            broken += [(record_id, clause, opened) for clause in dict.fromkeys(summary.clauses)]
            findings += [(opened, record_id, game, number, *finding) for number, finding in enumerate(parts[0])]
            causes += [(opened, record_id, game, number, *cause) for number, cause in enumerate(parts[1])]
        self.many(_AUDIT, rows)
        self.many(_BROKEN, broken)
        self.many(_FINDING, findings)
        self.many(_CAUSE, causes)

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        rows = self.rows("SELECT id FROM record WHERE audited <> version ORDER BY opened")
        return tuple(row[0] for row in rows)

    def unexplained(self, most: int) -> tuple[str, ...]:
        """See `Store.unexplained`."""
        rows = self.rows(
            "SELECT r.id FROM audit a JOIN record r ON r.id = a.record AND r.version = a.version "
            "WHERE a.explained = 0 ORDER BY a.opened DESC LIMIT ?",
            (most,),
        )
        return tuple(row[0] for row in rows)

    def causes(self, record_id: str) -> list[CauseRow] | None:
        """See `Store.causes`."""
        audit = self.rows(
            "SELECT r.opened FROM audit a JOIN record r ON r.id = a.record AND r.version = a.version "
            "WHERE a.record = ? AND a.explained = 1",
            (record_id,),
        )
        if not audit:
            return None
        rows = self.rows(f"SELECT {', '.join(CAUSE)} FROM cause WHERE opened = ? ORDER BY number", audit[0])  # noqa: S608  constants
        return [CauseRow(*row) for row in rows]

    def results(self) -> list[GameResults]:
        """See `Store.results`."""
        return self._results("TRUE", ())

    def results_of(self, ids: Sequence[str]) -> list[GameResults]:
        """See `Store.results_of`."""
        return self._results(f"opened IN (SELECT opened FROM record WHERE {_among('id', ids)})", ids)  # noqa: S608  constants

    def _results(self, where: str, values: Sequence[object]) -> list[GameResults]:
        rows = self.rows(self.results_sql.format(where), values)
        return in_order(read_results(row[0] for row in rows))


def _among(column: str, ids: Sequence[str]) -> str:
    """The condition that a column has one of these values."""
    return f"{column} IN ({', '.join('?' * len(ids))})" if ids else "1 = 0"


def record_row(row: Row, opened: int, audit: Audit | None = None) -> tuple[Any, ...]:
    """A row of the list as the table `record` stores it."""
    players = msgspec.json.encode(row.players).decode()
    searched = fold("\n".join(text for pair in row.players for text in pair))
    place = None if row.place is None else fold(row.place)
    return (
        # A record without a date sorts before all others, in every database.
        row.id, opened, row.events, row.game, row.edition, row.played or "", row.place, row.event, players, searched,
        place, int(row.closed), audit.version if audit else 0,
    )  # fmt: skip


def audit_digest(row: Sequence[Any], findings: Sequence[Sequence[Any]], causes: Sequence[Sequence[Any]]) -> bytes:
    """The digest of a row with an audit (its columns before the digest), and of the rows with what it found."""
    return sha256(msgspec.json.encode((row, findings, causes))).digest()
