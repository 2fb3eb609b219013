"""The ledger as one SQLite file: a table of events that can only grow, and tables derived from it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from ledger.record.errors import Corrupt, LedgerError, NotARecord
from ledger.record.events import AnyEvent
from ledger.record.words import plural
from ledger.stores import read_only, schema
from ledger.stores.beside import Trace
from ledger.stores.contract import Difference
from ledger.stores.database import End, EventRow, Latest, gone
from ledger.stores.derived import REPAIR
from ledger.stores.high_water import leaf_of
from ledger.stores.listing import FULL_TEXT
from ledger.stores.offsets import open_private
from ledger.stores.shared import Encoded, admit, changes_row
from ledger.stores.sql import BODIES, LENGTHEN, event_rows
from ledger.stores.sqlite_file import UNREADABLE, SqliteFile
from ledger.stores.tables import insert

_INSERT = insert("event")
MACHINERY = {"_sqlite_migrations", *(f"search_{part}" for part in ("config", "content", "data", "docsize", "idx"))}
"""The tables that the migrations and the search index make for a ledger."""
_AT_ONCE = 40
# Many rows in one statement take a third less time.
_INSERT_MANY = _INSERT + ", (?, ?, ?, ?, ?, ?, ?)" * (_AT_ONCE - 1)


class SqliteStore(SqliteFile):
    """A ledger in one file.  See `Store` for what its methods do.  Use one object for each thread, in a `with`.

    Beside the file is its high-water mark (`FILE.head`).  If the file has fewer events than the mark says, some were
    lost, and the store refuses to write until you have looked.

    Reading writes nothing.  The first write turns the write-ahead log on (`FILE-wal`) for good, so that readers and
    writers never wait for each other.  The last program that closes the ledger moves everything into the file, which is
    then the whole ledger, and says so (`PRAGMA application_id`).  `doubt` says why a file may not be whole.
    """

    search = FULL_TEXT
    # Python lets go of its lock for each row, which costs as much as reading it.
    joined = f"SELECT count(*), CAST(group_concat(body) AS BLOB) FROM ({BODIES})"  # noqa: S608  a constant

    def position(self) -> int:
        """See `SqlStore.position`.  Raises Corrupt if events are missing, or are not the ones that were there."""
        loss, size = self._loss_and_size()
        if loss:
            raise Corrupt(f"{self.path}: {loss}. Nothing was written. {self.high_water.advice()}")
        return size + 1

    def loss(self) -> str:
        """See `Store.loss`: by the high-water mark."""
        return self.displaced() or self._loss_and_size()[0]

    def _loss_and_size(self) -> tuple[str, int]:
        """What the ledger has lost, and its number of events."""
        unreadable, mark = "", None
        try:
            mark = self.high_water.read()  # first: others may be adding events
        except Corrupt:
            unreadable = "the high-water mark cannot be read, so it is unknown whether events are missing"
        newest = self.rows("SELECT position, record, link FROM event ORDER BY position DESC LIMIT 1")
        size = int(newest[0][0]) if newest else 0
        before = mark.tree.size if mark is not None else 0
        self.high_water.begin(mark, level=before == size)
        if unreadable or mark is None or not before:
            return unreadable, size
        if before > size:
            return gone(before, size), size
        if before < size:
            newest = self.rows("SELECT position, record, link FROM event WHERE position = ?", (before,))
        if [leaf_of(*row[1:]) for row in newest] != [mark.last]:
            return f"event {before} is not the one that was there: it was changed, or this is another ledger", size
        return "", size

    def accept_loss(self) -> None:
        """See `Store.accept_loss`: the events in the file give a new high-water mark."""
        with self.writing(), self.high_water.alone():
            rows = self._db.execute("SELECT record, link FROM event ORDER BY position")
            self.high_water.start_over(leaf_of(record, link) for record, link in rows)

    def migrate(self, backup: Path) -> tuple[int, int]:
        """Upgrades an outdated file after copying it to `backup`; returns the schema that it had, and has.

        All in one transaction: if the program ends in the middle, the file is as it was.  Raises LedgerError if the
        file could not be copied or upgraded, or its events are not the same afterwards.
        """
        before = self._schema()
        if before == schema.VERSION:
            return before, before
        with self.writing():
            before = self._schema()
            if before < schema.VERSION:  # else another program was faster
                # SQLite copies nothing for a connection that holds the lock.
                with closing(self._connect()) as reader:
                    self._copy(reader, backup)
                events = self.events_digest()
                from ledger.stores.migrations import bring_up_to_date

                bring_up_to_date(self._db)
                self._schema()  # refuses other tables than the expected ones
                if self.events_digest() != events:
                    raise Corrupt(f"{self.path}: the upgrade would have changed events, so nothing was changed")
        return before, schema.VERSION

    def copy_to(self, path: Path) -> None:
        """Copies the ledger to a file while others may write.  Raises LedgerError if it cannot."""
        self._copy(self._db, path)

    @staticmethod
    def _copy(source: sqlite3.Connection, path: Path) -> None:
        try:
            os.close(open_private(path, os.O_RDWR | os.O_CREAT))
            with closing(sqlite3.connect(path)) as target:
                source.backup(target)
            read_only.one_file(path)
        except (*UNREADABLE, OSError) as error:
            raise LedgerError(f"{path}: nothing was copied: {error}") from error

    def append_next(
        self,
        record_id: str,
        expected: int,
        events: Sequence[AnyEvent],
        encoded: Encoded,
        event_ids: Sequence[str] | None,
    ) -> bool:
        """See `SqlStore.append_next`: one event that changes no more of the record's row than any move."""
        latest = self._recalled
        if latest is None or latest.record != record_id or latest.end.version != expected or len(events) != 1:
            return False
        if len(event_ids or events) != 1 or encoded.names or changes_row(events) or not self.high_water.begin_again():
            return False
        rows, players = event_rows(latest.size + 1, record_id, latest.end, encoded, event_ids), latest.end.players
        try:
            admit(expected, players, events)
            self.insert(rows)
        except (NotARecord, sqlite3.IntegrityError):  # it may be there already
            return False
        self._cursor.execute(LENGTHEN, (1, len(event_ids or ()), record_id))
        self._latest = Latest(latest.seen, rows[0][0], record_id, End(expected + 1, players, rows[0][6]))
        return True

    def lengthen(self, rows: Sequence[EventRow], players: frozenset[str]) -> None:
        """See `SqlStore.lengthen`."""
        super().lengthen(rows, players)
        position, record_id, seq, *_, link = rows[-1]
        self._latest = Latest(self._data_version(), position, record_id, End(seq + 1, players, link))

    def insert(self, rows: Sequence[EventRow]) -> None:
        """See `SqlStore.insert`."""
        grouped = len(rows) - len(rows) % _AT_ONCE
        if grouped:
            groups = (list(chain.from_iterable(rows[n : n + _AT_ONCE])) for n in range(0, grouped, _AT_ONCE))
            self._cursor.executemany(_INSERT_MANY, groups)
        self._cursor.executemany(_INSERT, rows[grouped:])
        if rows:
            self._grew = True
            self.high_water.grow([leaf_of(row[1], row[6]) for row in rows])

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """See `Store.high_water_mark`."""
        mark = self.high_water.read()
        return None if mark is None else (mark.tree.size, mark.tree.root)

    def damage(self) -> list[str]:
        """See `Store.damage`."""
        messages = [str(row[0]) for row in self.rows("PRAGMA integrity_check (20)")]
        messages = [] if messages == ["ok"] else messages
        try:
            self._db.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        except sqlite3.OperationalError:
            pass  # it counts as a write, which a busy or read-only file refuses
        except UNREADABLE:
            messages.append("the search index does not match the list")
        extra = self.rows("SELECT count(*) FROM search WHERE rowid NOT IN (SELECT opened FROM record)")[0][0]
        if extra:
            messages.append(f"the search index has {plural(extra, 'record')} that the list does not have")
        return [*filter(None, (self.doubt, self.displaced())), *super().damage(), *messages]

    def differences(self, of: str | None = None) -> Iterator[Difference]:
        """See `Store.differences`: also triggers, views and indexes that are missing or changed."""
        yield from super().differences(of)
        if of is not None:
            return
        yield from (Difference("", message) for message in self._wrong_objects())

    def _wrong_objects(self) -> list[str]:
        """The triggers, views and indexes that are missing or changed, and strange triggers on the ledger's tables."""
        stored = dict(self.rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        messages = []
        for name, sql in schema.EXPECTED.items():
            if stored.get(name) != sql:
                kind = next(word for word in ("trigger", "view", "table", "index") if word.upper() in sql[:21])
                messages.append(f"the {kind} {name} {'was changed' if name in stored else 'is missing'}; {REPAIR}")
        return messages + [
            f"the trigger {name} does not belong to a ledger; {REPAIR}" for name in self._strange_triggers()
        ]

    def _strange_triggers(self) -> list[str]:
        """The triggers on the ledger's tables that no ledger has: they could change what is written."""
        rows = self.rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        return [name for name, table in rows if name not in schema.EXPECTED and table.lower() in schema.EXPECTED]

    def of_others(self) -> list[str]:
        """See `Store.of_others`."""
        triggers = self._strange_triggers()
        rows = self.rows("SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
        return [
            f"the {type_} {name}"
            for type_, name, table in rows
            if name not in schema.EXPECTED
            and name not in triggers
            and table not in MACHINERY
            and not table.startswith("sqlite_")
        ]

    def search_rows(self, openings: Iterable[int]) -> dict[int, tuple[str, str | None]] | None:
        """See `Database.search_rows`."""
        rowids = list(openings)
        placeholders = ", ".join("?" * len(rowids))
        rows = self.rows(f"SELECT rowid, players, place FROM search WHERE rowid IN ({placeholders})", rowids)  # noqa: S608
        return {opened: (players, place) for opened, players, place in rows}

    def clear_derived(self) -> None:
        """See `SqlStore.clear_derived`.  Wrong triggers, views and indexes are replaced, and so is the search index.

        A damaged search index cannot be emptied.  What others made stays, except for triggers on the ledger's tables.
        """
        for table in self.derived:
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608  one of these constants
        self._db.execute("DROP TABLE IF EXISTS search")
        self._db.execute(schema.SEARCH)
        query = (
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view', 'index') AND sql IS NOT NULL"
        )
        triggers = self._strange_triggers()
        for type_, name, sql in self.rows(query):
            if name in triggers or schema.EXPECTED.get(name, sql) != sql:
                quoted = name.replace('"', '""')
                self._db.execute(f'DROP {type_} "{quoted}"')
        names = {name for (name,) in self.rows("SELECT name FROM sqlite_master")}
        for name in schema.EXPECTED.keys() - names:
            self._db.execute(schema.EXPECTED[name])
        self._db.execute("REINDEX")

    def indexed(self, rows: Sequence[tuple[int, str, str | None]]) -> None:
        """See `SqlStore.indexed`."""
        self._db.executemany("INSERT INTO search (rowid, players, place) VALUES (?, ?, ?)", rows)

    def unindexed(self, opened: int) -> None:
        """See `SqlStore.unindexed`."""
        self._db.execute("DELETE FROM search WHERE rowid = ?", (opened,))

    def forget_traces(self) -> list[Trace]:
        """See `Store.forget_traces`: also in the search index and the journal."""
        with self.writing():
            self._db.execute("INSERT INTO search (search) VALUES ('optimize')")
        if self.empty_journal():
            return []
        reason = (
            f"{self.path} and its -wal still hold erased names, because another program is reading an old state. "
            "Run `domino-ledger forget` again, without a name, when that program has ended"
        )
        return [Trace(reason, again=True)]

    def empty_journal(self) -> bool:
        """Moves everything from the journal into the file, waiting for readers; returns whether that worked."""
        try:
            busy = self._db.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError:  # the disk is full
            return False
        return not busy
