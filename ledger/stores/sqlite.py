"""The ledger as one SQLite file: a table of events that can only grow, and what is derived from it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Self

import msgspec

from ledger.codec import check
from ledger.errors import LedgerError, NotALedger, UnknownRecord, WrongVersion
from ledger.events import AnyEvent
from ledger.record import Record
from ledger.store import (
    Query,
    Row,
    Summary,
    admitted,
    digest,
    first,
    folded,
    read_back,
    retried,
    row_of,
    turns,
    written,
)  # fmt: skip
from ledger.stores.listing import find_sql

VERSION = 1
"""The schema that this program knows, as `PRAGMA user_version` of the file."""
KIND = 0x646F6D6C
"""``doml``, the `PRAGMA application_id` of a ledger: other programs count their schemas in `user_version` too."""
PATIENCE = 5.0
"""Seconds to wait for another program that is writing."""

_PRAGMAS = (
    # Before journal_mode: a power cut must not bring back an older journal.
    "PRAGMA synchronous = EXTRA",
    "PRAGMA journal_mode = WAL",
    "PRAGMA foreign_keys = ON",
    # Without it REPLACE would delete an event and no trigger would see it.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
)
_INSERT = "INSERT INTO event (position, record, seq, event_id, request, body) VALUES (?, ?, ?, ?, ?, ?)"
_AT_ONCE = 40
# Many rows in one statement: a third less time than a statement each.
_INSERT_MANY = _INSERT + ", (?, ?, ?, ?, ?, ?)" * (_AT_ONCE - 1)
_RECORD = (
    "INSERT INTO record (id, opened, version, game, edition, played, place, players, searched, place_searched, closed) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SEARCH = "INSERT INTO search (rowid, players, place) VALUES (?, ?, ?)"
_HELD = 5000
"""Events of an import that wait to be stored together."""
_EventRow = tuple[int, str, int, str | None, bytes | None, bytes]


class SqliteStore:
    """A ledger in one file.  See `store.Store` for what its methods do; use one object a thread, and `with`."""

    def __init__(self, path: Path | str) -> None:
        """Opens the file, or makes it.  Raises NotALedger for a file that is none, or of a newer program."""
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise NotALedger(f"{self.path}: there is no folder {self.path.parent}")
        try:
            self._db = self._connect()
        except sqlite3.Error as error:
            raise NotALedger(f"{self.path}: {error}") from None
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise NotALedger(f"{self.path}: {error}") from None
        except LedgerError:
            self._db.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        # By itself, so that tests can put a disk that fails under a ledger (tests/power.py).
        return sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)

    def _open(self) -> None:
        version = self._schema()  # before anything is written: another program's file stays as it is
        until = time.monotonic() + PATIENCE
        for pragma in _PRAGMAS:
            self._pragma(pragma, until)
        if version < VERSION:
            from ledger.stores.schema import bring_up_to_date  # noqa: PLC0415  heavy, and rarely needed

            with self._writing():
                # Another program may have made the file while this one waited for its turn.
                if self._schema() < VERSION:
                    bring_up_to_date(self._db)
                    self._db.execute(f"PRAGMA application_id = {KIND}")

    def _schema(self) -> int:
        """The schema of the file, 0 for an empty one."""
        # One statement sees one moment, however many programs are making the file.
        row = self._db.execute(
            "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_user_version, pragma_application_id"
        ).fetchone()
        version, kind, things = (int(value) for value in row)
        if kind != KIND and (kind or version or things):
            raise NotALedger(f"{self.path}: a database, but no ledger")
        if version > VERSION:
            raise NotALedger(f"{self.path}: made by a newer Domino Ledger (schema {version}, this knows {VERSION})")
        return version

    def _pragma(self, pragma: str, until: float) -> None:
        # SQLite does not wait by itself where two programs switch a new file to WAL at the same time.
        while True:
            try:
                self._db.execute(pragma).fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction.  Raises LedgerError where the file cannot be written: busy, read-only, or a full disk."""
        try:
            # IMMEDIATE: who will write says so at once, and waits for others instead of failing half-way.
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # some errors have ended it already
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise LedgerError(f"{self.path}: nothing was written: {error}") from error

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        bodies = written(events, expected)
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
                raise WrongVersion(record_id, expected, version, self._from(record_id, expected))
            if not events:
                return version
            admitted(version, players, events)
            self._insert_events(
                self._numbered(record_id, version, bodies[len(bodies) - len(events) :], events, event_ids)
            )
            self._derive(record_id, version, events)
        return version + len(events)

    def append_records(self, records: Iterable[tuple[str, Sequence[AnyEvent]]]) -> int:
        """See `Store.append_records`."""
        count, waiting = 0, list[_EventRow]()
        with self._writing():
            position = self._next_position()
            for record_id, events in records:
                record = check(events)
                version = self.version(record_id)
                if version:
                    self._insert_events(waiting)  # it may be one of these: the writer is told what stands there
                    raise WrongVersion(record_id, 0, version, self._from(record_id))
                bodies = written(record.events)
                waiting += [(position + seq, record_id, seq, None, None, body) for seq, body in enumerate(bodies)]
                self._enter(row_of(record_id, record), position)
                position += len(bodies)
                count += 1
                if len(waiting) > _HELD:
                    self._insert_events(waiting)
                    waiting.clear()
            self._insert_events(waiting)
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

    def _next_position(self) -> int:
        (position,) = self._db.execute("SELECT coalesce(max(position), 0) + 1 FROM event").fetchone()
        return int(position)

    def _numbered(
        self,
        record_id: str,
        version: int,
        bodies: Sequence[bytes],
        events: Sequence[AnyEvent],
        event_ids: Sequence[str] | None,
    ) -> list[_EventRow]:
        position = self._next_position()
        if event_ids is None:
            return [(position + n, record_id, version + n, None, None, body) for n, body in enumerate(bodies)]
        each = enumerate(zip(event_ids, events, bodies, strict=True))
        return [(position + n, record_id, version + n, id_, digest(event), body) for n, (id_, event, body) in each]

    def _insert_events(self, rows: Sequence[_EventRow]) -> None:
        many = len(rows) - len(rows) % _AT_ONCE
        together = (list(chain.from_iterable(rows[n : n + _AT_ONCE])) for n in range(0, many, _AT_ONCE))
        self._db.executemany(_INSERT_MANY, together)
        self._db.executemany(_INSERT, rows[many:])

    def _derive(self, record_id: str, version: int, events: Sequence[AnyEvent]) -> None:
        """Keeps the record's row up with events that were just stored."""
        if version and not turns(events):
            self._db.execute("UPDATE record SET version = version + ? WHERE id = ?", (len(events), record_id))
            return
        (opened,) = self._db.execute("SELECT position FROM event WHERE record = ? AND seq = 0", (record_id,)).fetchone()
        self._db.execute("DELETE FROM record WHERE id = ?", (record_id,))
        self._db.execute("DELETE FROM search WHERE rowid = ?", (opened,))
        self._enter(row_of(record_id, Record(self._from(record_id))), opened)

    def _enter(self, row: Row, opened: int) -> None:
        """Enters a record in the list, and in what is searched."""
        found = _record_row(row, opened)
        self._db.execute(_RECORD, found)
        self._db.execute(_SEARCH, (opened, *found[8:10]))

    def _from(self, record_id: str, since: int = 0, upto: int | None = None) -> tuple[AnyEvent, ...]:
        # Fetched whole: a reader that pauses half-way must not hold up the file.
        rows = self._db.execute(
            "SELECT body FROM event WHERE record = ? AND seq >= ? AND seq < ? ORDER BY seq",
            (record_id, since, upto if upto is not None else 1 << 62),
        ).fetchall()
        return read_back([body for (body,) in rows], since)

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        events = self._from(record_id, upto=first(upto))
        if not events:
            raise UnknownRecord(f"the ledger {self.path} has no record {record_id}")
        return Record(events)

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        if not self.version(record_id):
            raise UnknownRecord(f"the ledger {self.path} has no record {record_id}")
        since = max(since, 0)
        return iter(list(enumerate(self._from(record_id, since), since)))

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
            yield record_id, Record(self._from(record_id))

    def log(self, upto: int | None = None) -> Iterator[tuple[str, int, bytes]]:
        """See `Store.log`."""
        asked = "SELECT record, seq, body FROM event ORDER BY position LIMIT ?"
        yield from self._db.execute(asked, (-1 if upto is None else upto,))

    def copy_to(self, path: Path) -> None:
        """Copies the whole ledger to a file, while others may go on writing.  Raises LedgerError if it cannot."""
        try:
            with closing(sqlite3.connect(path)) as there:
                self._db.backup(there)
                # One file, without a second one beside it that somebody could forget.
                there.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise LedgerError(f"{path}: nothing was copied: {error}") from error

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        return [_row(row) for row in self._db.execute(*find_sql(query))]

    def note_audit(self, record_id: str, version: int, summary: Summary) -> None:
        """See `Store.note_audit`."""
        self.note_audits([(record_id, version, summary)])

    def note_audits(self, notes: Iterable[tuple[str, int, Summary]]) -> None:
        """See `Store.note_audits`."""
        with self._writing():
            for record_id, version, summary in notes:
                held = self._db.execute("SELECT opened, version FROM record WHERE id = ?", (record_id,)).fetchone()
                if held is None or version != held[1]:
                    continue
                self._db.execute(
                    "INSERT OR REPLACE INTO audit (record, opened, version, verdict, summary) VALUES (?, ?, ?, ?, ?)",
                    (record_id, held[0], version, summary.verdict, msgspec.json.encode(summary).decode()),
                )
                self._db.execute("DELETE FROM broken WHERE record = ?", (record_id,))
                self._db.executemany(
                    "INSERT OR IGNORE INTO broken (record, clause, opened) VALUES (?, ?, ?)",
                    [(record_id, clause, held[0]) for clause in summary.clauses],
                )

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        rows = self._db.execute(
            "SELECT r.id FROM record r LEFT JOIN audit a ON a.record = r.id AND a.version = r.version "
            "WHERE a.record IS NULL ORDER BY r.opened"
        )
        return tuple(row[0] for row in rows)

    def keep_key(self, record_id: str, digest: bytes) -> None:
        """See `Store.keep_key`."""
        with self._writing():
            self._db.execute("INSERT OR IGNORE INTO key (record, digest) VALUES (?, ?)", (record_id, digest))

    def has_key(self, record_id: str, digest: bytes) -> bool:
        """See `Store.has_key`."""
        asked = "SELECT 1 FROM key WHERE record = ? AND digest = ?"
        return self._db.execute(asked, (record_id, digest)).fetchone() is not None

    def rebuild(self) -> None:
        """See `Store.rebuild`."""
        with self._writing():
            for table in ("record", "audit", "broken", "search"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608  one of these constants
            openings = self._db.execute("SELECT record, position FROM event WHERE seq = 0 ORDER BY position").fetchall()
            for record_id, position in openings:
                self._enter(row_of(record_id, Record(self._from(record_id))), position)

    def close(self) -> None:
        """See `Store.close`."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _record_row(row: Row, opened: int) -> tuple[object, ...]:
    players = msgspec.json.encode(row.players).decode()
    searched = folded("\n".join(text for pair in row.players for text in pair))
    place = None if row.place is None else folded(row.place)
    return (
        row.id, opened, row.events, row.game, row.edition, row.played, row.place, players, searched, place,
        int(row.closed),
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
