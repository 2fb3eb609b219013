"""The ledger as one SQLite file: a table of events that can only grow, and what is derived from it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from ledger.codec import check, decode_event, encode_event
from ledger.errors import NotALedger, UnknownRecord, WrongVersion
from ledger.events import Amend, AnyEvent, Close, Open
from ledger.record import Record
from ledger.store import Query, Row, Summary, admitted, digest, retried, row_of

VERSION = 1
"""The schema that this program knows, as `PRAGMA user_version` of the file."""

_PRAGMAS = (
    # Before journal_mode: a power cut must not bring back an older journal.
    "PRAGMA synchronous = EXTRA",
    "PRAGMA journal_mode = WAL",
    "PRAGMA busy_timeout = 5000",
    "PRAGMA foreign_keys = ON",
    # Without it REPLACE would delete an event and no trigger would see it.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
)
_INSERT = "INSERT INTO event (position, record, seq, event_id, request, body) VALUES (?, ?, ?, ?, ?, ?)"
_RECORD = (
    "INSERT INTO record (id, opened, version, game, edition, played, place, players, searched, closed) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_LIST = (
    "SELECT r.id, r.game, r.edition, r.played, r.place, r.players, r.version, r.closed, a.summary "
    "FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version"
)


class SqliteStore:
    """A ledger in one file.  See `store.Store` for what its methods do; use one object a thread, and `with`."""

    def __init__(self, path: Path | str) -> None:
        """Opens the file, or makes it.  Raises NotALedger for a file that is none, or of a newer program."""
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise NotALedger(f"{self.path}: there is no folder {self.path.parent}")
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:
            raise NotALedger(f"{self.path}: {error}") from None
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise NotALedger(f"{self.path}: {error}") from None
        except NotALedger:
            self._db.close()
            raise

    def _open(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()
        if version > VERSION:
            raise NotALedger(f"{self.path}: made by a newer Domino Ledger (schema {version}, this knows {VERSION})")
        if not version and tables:
            raise NotALedger(f"{self.path}: a database, but no ledger")
        for pragma in _PRAGMAS:
            self._db.execute(pragma)
        if version < VERSION:
            from ledger.stores.schema import bring_up_to_date  # noqa: PLC0415  heavy, and rarely needed

            bring_up_to_date(self._db)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        # IMMEDIATE: who will write says so at once, and waits for others instead of failing half-way.
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        with self._writing():
            held = self._db.execute("SELECT version, players FROM record WHERE id = ?", (record_id,)).fetchone()
            version, players = (held[0], _ids_of(held[1])) if held else (0, frozenset[str]())
            if event_ids is not None:
                again = retried(record_id, events, event_ids, self._stored(record_id, event_ids))
                if again is not None and again.known == len(events):
                    return again.version
                if again is not None:
                    events, event_ids, expected = events[again.known :], event_ids[again.known :], again.version
            if not version and expected:
                raise UnknownRecord(f"the ledger has no record {record_id}")
            if expected != version:
                missed = [event for _seq, event in self._rows(record_id, expected)]
                raise WrongVersion(record_id, expected, version, missed)
            if not events:
                return version
            admitted(version, players, events)
            self._insert(record_id, version, events, event_ids)
            self._derive(record_id, version, events)
        return version + len(events)

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """See `Store.append_records`."""
        count = 0
        with self._writing():
            position = self._last_position()
            for record_id, events in records:
                record = check(events)
                version = self.version(record_id)
                if version:
                    raise WrongVersion(record_id, 0, version, [e for _s, e in self._rows(record_id, 0)])
                rows = [
                    (position + seq, record_id, seq, None, None, encode_event(event))
                    for seq, event in enumerate(events)
                ]
                self._db.executemany(_INSERT, rows)
                self._db.execute(_RECORD, _record_row(row_of(record_id, record), position))
                position += len(rows)
                count += 1
        return count

    def _stored(self, record_id: str, event_ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        found = {}
        for event_id in event_ids:
            row = self._db.execute(
                "SELECT seq, request FROM event WHERE record = ? AND event_id = ?", (record_id, event_id)
            ).fetchone()
            if row:
                found[event_id] = (row[0], row[1])
        return found

    def _last_position(self) -> int:
        (last,) = self._db.execute("SELECT coalesce(max(position), 0) + 1 FROM event").fetchone()
        return int(last)

    def _insert(
        self, record_id: str, version: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None
    ) -> None:
        position = self._last_position()
        self._db.executemany(
            _INSERT,
            [
                (
                    position + n,
                    record_id,
                    version + n,
                    event_ids[n] if event_ids is not None else None,
                    digest(event) if event_ids is not None else None,
                    encode_event(event),
                )
                for n, event in enumerate(events)
            ],
        )

    def _derive(self, record_id: str, version: int, events: Sequence[AnyEvent]) -> None:
        """Keeps the record's row up with events that were just stored."""
        if not version or any(type(event) is Amend and type(event.event) is Open for event in events):
            record = self._read(record_id)
            (opened,) = self._db.execute(
                "SELECT position FROM event WHERE record = ? AND seq = 0", (record_id,)
            ).fetchone()
            self._db.execute("DELETE FROM record WHERE id = ?", (record_id,))
            self._db.execute(_RECORD, _record_row(row_of(record_id, record), opened))
            return
        closed = any(type(event) is Close for event in events)
        self._db.execute(
            "UPDATE record SET version = version + ?, closed = closed OR ? WHERE id = ?",
            (len(events), closed, record_id),
        )

    def _rows(self, record_id: str, since: int, upto: int | None = None) -> Iterator[tuple[int, AnyEvent]]:
        rows = self._db.execute(
            "SELECT seq, body FROM event WHERE record = ? AND seq >= ? AND seq < ? ORDER BY seq",
            (record_id, since, upto if upto is not None else 1 << 62),
        )
        for seq, body in rows:
            yield seq, decode_event(body)

    def _read(self, record_id: str, upto: int | None = None) -> Record:
        return Record(tuple(event for _seq, event in self._rows(record_id, 0, upto)))

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        record = self._read(record_id, upto)
        if not record.events and not self.version(record_id):
            raise UnknownRecord(f"the ledger {self.path} has no record {record_id}")
        return record

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        if not self.version(record_id):
            raise UnknownRecord(f"the ledger {self.path} has no record {record_id}")
        return self._rows(record_id, since)

    def version(self, record_id: str) -> int:
        """See `Store.version`."""
        row = self._db.execute("SELECT version FROM record WHERE id = ?", (record_id,)).fetchone()
        return int(row[0]) if row else 0

    def ids(self) -> tuple[str, ...]:
        """See `Store.ids`."""
        return tuple(row[0] for row in self._db.execute("SELECT id FROM record ORDER BY opened"))

    def records(self) -> Iterator[tuple[str, Record]]:
        """See `Store.records`."""
        for record_id in self.ids():
            yield record_id, self._read(record_id)

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        where, values = _where(query)
        # The parts of the condition are constants of this file; what a query says is bound.
        rows = self._db.execute(
            f"{_LIST} {where} ORDER BY r.opened DESC LIMIT ? OFFSET ?",
            (*values, -1 if query.limit is None else query.limit, query.offset),
        )
        return [_row(row) for row in rows]

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """See `Store.note_audit`."""
        with self._writing():
            self._db.execute(
                "INSERT INTO audit (record, version, verdict, summary) VALUES (?, ?, ?, ?) ON CONFLICT (record) "
                "DO UPDATE SET version = excluded.version, verdict = excluded.verdict, summary = excluded.summary",
                (record_id, version, summary.verdict, msgspec.json.encode(summary).decode()),
            )
            self._db.execute("DELETE FROM broken WHERE record = ?", (record_id,))
            self._db.executemany(
                "INSERT OR IGNORE INTO broken (record, clause) VALUES (?, ?)",
                [(record_id, clause) for clause in summary.clauses],
            )

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        rows = self._db.execute(
            "SELECT r.id FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version "
            "WHERE a.record IS NULL ORDER BY r.opened"
        )
        return tuple(row[0] for row in rows)

    def rebuild(self) -> None:
        """See `Store.rebuild`."""
        with self._writing():
            for table in ("record", "audit", "broken"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608  one of three constants
            openings = self._db.execute("SELECT record, position FROM event WHERE seq = 0 ORDER BY position").fetchall()
            for record_id, position in openings:
                self._db.execute(_RECORD, _record_row(row_of(record_id, self._read(record_id)), position))

    def close(self) -> None:
        """See `Store.close`."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _record_row(row: Row, opened: int) -> tuple[object, ...]:
    players = msgspec.json.encode(row.players).decode()
    searched = "\n".join(text for pair in row.players for text in pair).casefold()
    return (
        row.id, opened, row.events, row.game, row.edition, row.played, row.place, players, searched, int(row.closed),
    )  # fmt: skip


def _ids_of(players: str) -> frozenset[str]:
    return frozenset(pair[0] for pair in msgspec.json.decode(players))


def _row(found: tuple[Any, ...]) -> Row:
    id_, game, edition, played, place, players, version, closed, summary = found
    return Row(
        id=id_,
        game=game,
        edition=edition,
        played=played,
        place=place,
        players=tuple((pair[0], pair[1]) for pair in msgspec.json.decode(players)),
        events=version,
        closed=bool(closed),
        audit=msgspec.json.decode(summary, type=Summary) if summary else None,
    )


def _where(query: Query) -> tuple[str, list[object]]:
    parts: list[tuple[str, object]] = []
    if query.game is not None:
        parts.append(("r.game = ?", query.game))
    if query.player is not None:
        parts.append(("instr(r.searched, ?)", query.player.casefold()))
    if query.place is not None:
        parts.append(("instr(lower(r.place), lower(?))", query.place))
    if query.since is not None:
        parts.append(("r.played >= ?", query.since))
    if query.until is not None:
        parts.append(("r.played <= ?", query.until))
    if query.verdict is not None:
        parts.append(("a.verdict = ?", query.verdict))
    if query.clause is not None:
        clause = "a.record IS NOT NULL AND EXISTS (SELECT 1 FROM broken b WHERE b.clause = ? AND b.record = r.id)"
        parts.append((clause, query.clause))
    where = "WHERE " + " AND ".join(part for part, _ in parts) if parts else ""
    return where, [value for _, value in parts]
