"""The ledger in PostgreSQL, for a club or a league that has outgrown one machine.

The same tables, links and tree head as in a file.  Every writer locks one row that counts the events, so positions
have no gaps and no duplicates; a database sequence would leave gaps, and its order could differ from the commits.
Before that row, a writer takes an advisory lock: writers get such a lock in the order in which they came, and a row in
any order (see `turns`).

Distributed relatives of PostgreSQL understand the same SQL.  The store detects what they lack and works without it:
`pg_notify` (it then polls four times a second), advisory locks (writers then take turns in any order), trigrams (a
search for a name then reads the whole list) and triggers (the database itself then allows changes to events).
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg_pool import ConnectionPool

from ledger.record.errors import Corrupt, LedgerError, NotALedger
from ledger.record.words import plural
from ledger.stores import postgres_opening, postgres_schema
from ledger.stores.beside import Trace
from ledger.stores.contract import Difference
from ledger.stores.database import EventRow, gone, nothing_written
from ledger.stores.derived import REPAIR, copy_tables
from ledger.stores.listing import Search, within
from ledger.stores.postgres_opening import CHANNEL, TURN, Connection, address_without_password, with_percent_s
from ledger.stores.sql import SqlStore
from ledger.stores.tables import COLUMNS, insert
from ledger.stores.writer_queue import KeptTurn

PATIENCE = 10.0
"""Seconds to wait for a connection, and for another writer."""
MOST = 16
"""Maximum connections of one process."""
CALM = 0.25
"""Seconds between two looks at a database without notifications."""
LOG_KEEPS = Trace(
    "PostgreSQL's write-ahead log (pg_wal) has the name until the server has reused those files, which depends on "
    "max_wal_size and on what is written; replicas, archived logs and backups keep it as long as you keep them"
)
STILL_READ = Trace(
    "the tables still hold erased names, because another program has an old transaction open. "
    "Run `domino-ledger forget` again, without a name, when it has ended",
    again=True,
)
NOT_OWNER = Trace(
    "the tables still hold erased names until PostgreSQL reuses their space, because only the owner of the tables can "
    "rewrite them. Run `domino-ledger forget` again, without a name, as the owner",
    again=True,
)
_OWNED = (
    "SELECT 1 FROM pg_class WHERE oid = 'domino_ledger.name'::regclass AND pg_has_role(current_user, relowner, 'USAGE')"
)
_SIZES = "SELECT (SELECT size FROM ledger WHERE one = 1), (SELECT coalesce(max(position), 0) FROM event)"
# In one round trip, because others wait meanwhile.  Each statement sees what was committed before it began.
_LOCK = f"SELECT size FROM ledger WHERE one = 1 FOR UPDATE; {_SIZES}"  # noqa: S608  constants
_BEGIN = f"BEGIN; {_LOCK}"
# The first answer is whether the turn came at once.
_BEGIN_IN_TURN = f"BEGIN; SELECT pg_try_advisory_xact_lock({TURN}); SELECT pg_advisory_xact_lock({TURN}); {_LOCK}"
MANY = 100
"""From this many events on, COPY is faster."""
_INSERT = insert("event")
_COPY = "COPY event ({}) FROM STDIN".format(", ".join(COLUMNS["event"]))


class PostgresStore(SqlStore):
    """A ledger in a database.  See `Store` for what its methods do.

    Unlike the others, one object serves many threads: `reopen` returns the same object, and the last `close` ends its
    connections.  Lost connections are restored automatically.
    """

    search = Search(lambda column: f"{column} LIKE ? ESCAPE '!'", within, join="JOIN")

    def __init__(self, address: str, *, outdated: bool = False) -> None:
        """Connects to the database at a `postgresql://` address, and creates missing tables.

        `outdated`: an older schema is opened too, to `migrate` it.  Raises NotALedger if there is no database, if its
        schema is another one, or if it may lose acknowledged writes.
        """
        self.path = address_without_password(address)
        self._address, self._local = address, threading.local()
        self._lock, self._users = threading.Lock(), 1
        self._pool = ConnectionPool(
            address,
            min_size=1,
            max_size=MOST,
            timeout=PATIENCE,
            open=False,
            kwargs={"autocommit": True},
            configure=postgres_opening.configure,
            check=ConnectionPool.check_connection,
        )
        try:
            with psycopg.connect(address, autocommit=True, connect_timeout=int(PATIENCE)) as connection:
                self.read_only = postgres_opening.is_read_only(connection)
                self._notifies = postgres_opening.prepare(connection, self.path, outdated=outdated)
                self._takes_turns = not self.read_only and postgres_opening.has_advisory_locks(connection)
            self._pool.open()
        except psycopg.Error as error:
            raise NotALedger(f"{self.path}: {str(error).strip()}") from None

    def reopen(self) -> Self:
        """See `Store.reopen`."""
        with self._lock:
            self._users += 1
        return self

    # ── The database ─────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """The connection of this thread's transaction, or any other."""
        current: Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.Error as error:
            raise LedgerError(f"{self.path}: {str(error).strip()}") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See `SqlStore.writing`."""
        committing = False
        try:
            self._local.keeps_turn = False
            connection, waited = self._turn()
            try:
                self._local.connection = connection
                try:
                    yield
                finally:
                    self._local.connection = None
                    sizes, self._local.sizes = self._local.sizes, None
                committing = True
                connection.execute("COMMIT")
            finally:
                if self._local.keeps_turn and waited:
                    self._local.kept_turn = connection, KeptTurn(lambda: self._give_up(connection)), sizes
                else:
                    self._give_up(connection)
        except psycopg.Error as error:
            if committing:  # the answer to the commit was lost, not necessarily the commit
                message = "it is unknown whether this was written; sent again with the same ids it is stored once"
                raise LedgerError(f"{self.path}: {message}") from error
            raise nothing_written(self.path, error) from error

    def _turn(self) -> tuple[Connection, bool]:
        """A connection in a transaction that excludes other writers, and whether this writer had to wait for it."""
        connection, turn, sizes = getattr(self._local, "kept_turn", None) or (None, None, None)
        self._local.kept_turn = None
        if connection is not None and turn is not None and turn.resume():  # nobody could write meanwhile
            self._local.sizes = sizes
            return connection, False
        connection = self._pool.getconn()
        try:
            answers = connection.execute(_BEGIN_IN_TURN if self._takes_turns else _BEGIN)
            answers.nextset()  # the first is that of BEGIN
            waited = self._takes_turns and answers.fetchone() == (False,)
            while answers.nextset():
                pass
            self._local.sizes = answers.fetchone()
        except BaseException:
            self._give_up(connection)
            raise
        return connection, waited

    def _give_up(self, connection: Connection) -> None:
        """Ends the transaction, if it has not ended, and returns the connection."""
        with suppress(psycopg.Error):
            if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
        self._pool.putconn(connection)

    @contextmanager
    def together(self) -> Iterator[None]:
        """See `Database.together`."""
        with self._connection() as connection, connection.pipeline():
            yield

    def keep_turn(self) -> None:
        """See `Database.keep_turn`: the transaction stays open, and its locks with it."""
        self._local.keeps_turn = True

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See `Database.reading`."""
        with self._connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._local.connection = connection
            try:
                yield
            finally:
                self._local.connection = None

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `SqlStore.rows`."""
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # this database cannot store NUL in a text
        with self._connection() as connection:
            return connection.execute(with_percent_s(statement), values).fetchall()

    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """See `SqlStore.many`."""
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.executemany(with_percent_s(statement), values)

    def position(self) -> int:
        """See `SqlStore.position`.  Raises Corrupt if the counter and the events disagree."""
        size, last = self._sizes()
        if size != last:
            raise Corrupt(
                f"{self.path}: the counter of the ledger says {plural(size, 'event')}, and it has {last}. "
                "Nothing was written. `domino-ledger verify` shows more. If events are gone, restore a backup, or go "
                "on without them: `domino-ledger repair --accept-loss`; otherwise `domino-ledger repair` mends it"
            )
        return size + 1

    def _sizes(self) -> tuple[int, int]:
        """The number of events by the counter, and the last position."""
        sizes = getattr(self._local, "sizes", None)  # those that came with the turn
        size, last = sizes or self.rows(_SIZES)[0]
        return int(size or 0), int(last)

    def loss(self) -> str:
        """See `Store.loss`: by the counter of the ledger."""
        size, last = self._sizes()
        return gone(size, last) if size > last else ""

    def accept_loss(self) -> None:
        """See `Store.accept_loss`: the counter is set to what is there."""
        with self.writing():
            self.many("UPDATE ledger SET size = (SELECT coalesce(max(position), 0) FROM event) WHERE one = 1", [()])

    def damage(self) -> list[str]:
        """See `Store.damage`: also a counter that disagrees with the events."""
        size, last = self._sizes()
        if size > last:
            return [*super().damage(), gone(size, last)]
        disagreement = [f"the counter says {plural(size, 'event')}, and the ledger has {last}"] if size < last else []
        return [*super().damage(), *disagreement]

    def differences(self, of: str | None = None) -> Iterator[Difference]:
        """See `Store.differences`: also triggers and views that are missing or changed."""
        yield from super().differences(of)
        if of is not None:
            return
        with self._connection() as connection:
            messages = [*postgres_opening.guards(connection), *postgres_opening.wrong_views(connection)]
        yield from (Difference("", f"{message}; {REPAIR}") for message in messages)

    def of_others(self) -> list[str]:
        """See `Store.of_others`."""
        with self._connection() as connection:
            return postgres_opening.of_others(connection)

    def clear_derived(self) -> None:
        """See `SqlStore.clear_derived`.  A counter that is ahead of the events shows a loss, and stays.

        Wrong triggers are replaced, and so are the views, if this role may.
        """
        super().clear_derived()
        with self._connection() as connection:
            postgres_opening.make_guards(connection)
            postgres_opening.make_views(connection)
        self.many("UPDATE ledger SET size = greatest(size, (SELECT coalesce(max(position), 0) FROM event))", [()])

    def insert(self, rows: Sequence[EventRow]) -> None:
        """See `SqlStore.insert`."""
        if not rows:
            return
        self._local.sizes = None
        with self._connection() as connection, connection.cursor() as cursor:
            # Together with other statements no COPY is possible.
            if len(rows) < MANY or connection.info.pipeline_status != psycopg.pq.PipelineStatus.OFF:
                cursor.executemany(with_percent_s(_INSERT), rows)
            else:
                with cursor.copy(_COPY) as stream:
                    for row in rows:
                        stream.write_row(row)
            cursor.execute("UPDATE ledger SET size = %s WHERE one = 1", (rows[-1][0],))
            if self._notifies:
                cursor.execute("SELECT pg_notify(%s, '')", (CHANNEL,))

    def forget_traces(self) -> list[Trace]:
        """See `Store.forget_traces`: the tables are rewritten without deleted rows, and their old files removed.

        The write-ahead log cannot be rewritten.
        """
        until = time.monotonic() + PATIENCE
        while (traces := self._rewrite()) and time.monotonic() < until:
            time.sleep(CALM)
        return [*traces, LOG_KEEPS]

    def _rewrite(self) -> list[Trace]:
        """Rewrites the tables that have names; returns why a name may still be in them."""
        dead = list[int]()

        def count(notice: psycopg.errors.Diagnostic) -> None:
            number = re.match(r"\d+", notice.message_detail or "")
            dead.append(int(number[0]) if number else 0)

        with self._connection() as connection:
            if not connection.execute(_OWNED).fetchone():
                return [NOT_OWNER]
            connection.add_notice_handler(count)
            try:
                connection.execute(f"SET lock_timeout = {int(PATIENCE * 1000)}")
                connection.execute("VACUUM (FULL, VERBOSE) name, record, result, comment, alias")
                # Removes the old files.  Only some roles may; the server does it by itself within minutes.
                with suppress(psycopg.errors.InsufficientPrivilege):
                    connection.execute("CHECKPOINT")
            except psycopg.errors.LockNotAvailable:
                return [STILL_READ]
            except psycopg.Error as error:  # a relative that cannot rewrite a table
                return [
                    Trace(f"the tables could not be rewritten, and may still hold erased names: {error}", again=True)
                ]
            finally:
                connection.remove_notice_handler(count)
                with suppress(psycopg.Error):
                    connection.execute("RESET lock_timeout")
        return [STILL_READ] if any(dead) else []

    def migrate(self, backup: Path) -> tuple[int, int]:
        """Upgrades outdated tables after copying them to `backup`; returns the schema that they had, and have.

        All in one transaction: if the program ends in the middle, the tables are as they were.  Raises LedgerError if
        they could not be copied or upgraded, or their events are not the same afterwards.
        """
        with self._connection() as connection:
            if postgres_opening.version_of(connection) == postgres_schema.VERSION:
                return postgres_schema.VERSION, postgres_schema.VERSION
        copied = self.size()
        self.copy_to(backup)
        with self.writing(), self._connection() as connection:
            if self.size() != copied:
                raise LedgerError(f"{self.path}: others wrote during the backup, so nothing was changed: run it again")
            events = self.events_digest()
            before = postgres_opening.upgrade(connection, self.path)
            if self.events_digest() != events:
                raise Corrupt(f"{self.path}: the upgrade would have changed events, so nothing was changed")
        return before, postgres_schema.VERSION

    def copy_to(self, path: Path) -> None:
        """Copies all tables as they are to a new SQLite file, which is not a ledger."""
        copy_tables(self, path)

    def indexed(self, rows: Sequence[tuple[int, str, str | None]]) -> None:
        """See `SqlStore.indexed`: the trigram index belongs to the table itself."""

    def unindexed(self, opened: int) -> None:
        """See `SqlStore.unindexed`."""

    # ── Notifications ────────────────────────────────────────────────────────────────────────────────

    def wait_for_change(self, seconds: float) -> None:
        """See `Store.wait_for_change`."""
        if not self._notifies:
            time.sleep(min(seconds, CALM))
            return
        try:
            listener: Connection | None = getattr(self._local, "listener", None)
            if listener is None:
                listener = psycopg.connect(self._address, autocommit=True, connect_timeout=int(PATIENCE))
                listener.execute(f"LISTEN {CHANNEL}")
                self._local.listener = listener
            for _ in listener.notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error:
            self._local.listener = None
            time.sleep(min(seconds, CALM))

    def close(self) -> None:
        """See `Store.close`."""
        _connection, turn, _sizes = getattr(self._local, "kept_turn", None) or (None, None, None)
        if turn is not None:
            turn.end()
        listener = getattr(self._local, "listener", None)
        if listener is not None:
            listener.close()
            self._local.listener = None
        with self._lock:
            self._users -= 1
            unused = self._users == 0
        if unused:
            self._pool.close()
