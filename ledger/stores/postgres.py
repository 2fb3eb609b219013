"""The ledger in PostgreSQL, for a club or a league that has outgrown one machine.

The same tables, the same links and the same head as in a file.  A row that every writer locks counts the events, so
that no two take one place and none is left out; a sequence of the database would leave gaps, and number events in
another order than they are committed in.

The SQL is such that the relatives of PostgreSQL that spread over many machines speak it too.  What they may lack is
asked for once and done without: `pg_notify` (watchers look four times a second then), trigrams (a search for a name
reads the whole list then) and triggers (the database itself does not refuse to change an event then).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self

from ledger.errors import LedgerError, NotALedger, NotForNow
from ledger.stores.database import EventRow, nothing_written
from ledger.stores.listing import Search
from ledger.stores.postgres_schema import CONVENIENCES, TABLES, TRIGGERS, VERSION
from ledger.stores.sql import EVENT, SqlStore

try:
    import psycopg
    from psycopg_pool import ConnectionPool
except ImportError as error:
    raise NotForNow("PostgreSQL needs an extra: pip install 'domino-ledger[postgres]'") from error

PATIENCE = 10.0
"""Seconds to wait for a connection, and for another writer."""
MOST = 16
"""Connections of one process."""
CALM = 0.25
"""Seconds between two looks where the database does not tell who watches."""
CHANNEL = "domino_ledger"
MANY = 100
"""Events from which on they are copied in one stream."""
_INSERT = f"INSERT INTO event ({', '.join(EVENT)}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  a constant
_COPY = f"COPY event ({', '.join(EVENT)}) FROM STDIN"

Connection = psycopg.Connection[tuple[Any, ...]]


def _within(text: str) -> str:
    for special in "!%_":
        text = text.replace(special, f"!{special}")
    return f"%{text}%"


class PostgresStore(SqlStore):
    """A ledger in a database.  See `Store` for what its methods do.

    Unlike the others one object serves many threads; `reopen` gives it out once more, and the last that closes it ends
    its connections.  A connection that was lost is made again by itself.
    """

    search = Search(lambda column: f"{column} LIKE ? ESCAPE '!'", _within, join="JOIN")

    def __init__(self, address: str) -> None:
        """Connects to the database at a `postgresql://` address, and makes the tables where there are none.

        Raises NotALedger where there is no database, or one that does not keep what it acknowledges.
        """
        self.path = _without_password(address)
        self._address, self._here = address, threading.local()
        self._lock, self._held = threading.Lock(), 1
        self._pool = ConnectionPool(
            address,
            min_size=1,
            max_size=MOST,
            timeout=PATIENCE,
            open=False,
            kwargs={"autocommit": True},
            configure=_configure,
            check=ConnectionPool.check_connection,
        )
        try:
            with psycopg.connect(address, autocommit=True, connect_timeout=int(PATIENCE)) as connection:
                self._notifies = _made(connection, self.path)
            self._pool.open()
        except psycopg.Error as error:
            raise NotALedger(f"{self.path}: {str(error).strip()}") from None

    def reopen(self) -> Self:
        """See `Store.reopen`."""
        with self._lock:
            self._held += 1
        return self

    # ── What a database brings ─────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """The connection of the transaction that this thread is in, or any."""
        held: Connection | None = getattr(self._here, "connection", None)
        if held is not None:
            yield held
            return
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.Error as error:
            raise LedgerError(f"{self.path}: {str(error).strip()}") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See `SqlStore.writing`."""
        done = False
        try:
            with self._pool.connection() as connection, connection.transaction():
                connection.execute("SELECT size FROM ledger WHERE one = 1 FOR UPDATE")
                self._here.connection = connection
                try:
                    yield
                finally:
                    self._here.connection = None
                done = True
        except psycopg.Error as error:
            if done:  # the answer to the commit was lost, not necessarily the commit
                said = "it is not known whether this was written; sent again under the same ids it is stored once"
                raise LedgerError(f"{self.path}: {said}") from error
            raise nothing_written(self.path, error) from error

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `SqlStore.rows`."""
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # this database has no such text, and nobody will find one in it
        with self._connection() as connection:
            return connection.execute(_asked(statement), values).fetchall()

    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """See `SqlStore.many`."""
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.executemany(_asked(statement), values)

    def position(self) -> int:
        """See `SqlStore.position`."""
        return int(self.rows("SELECT size FROM ledger WHERE one = 1")[0][0]) + 1

    def insert(self, rows: Sequence[EventRow]) -> None:
        """See `SqlStore.insert`."""
        if not rows:
            return
        with self._connection() as connection, connection.cursor() as cursor:
            if len(rows) < MANY:
                cursor.executemany(_asked(_INSERT), rows)
            else:
                with cursor.copy(_COPY) as stream:
                    for row in rows:
                        stream.write_row(row)
            cursor.execute("UPDATE ledger SET size = %s WHERE one = 1", (rows[-1][0],))
            if self._notifies:
                cursor.execute("SELECT pg_notify(%s, '')", (CHANNEL,))

    def forget_traces(self) -> None:
        """See `Store.forget_traces`: rows that were deleted are overwritten by the database when it next tidies up."""
        for table in ("name", "record"):
            # Who only uses the tables may not; then the database does it in its own time.
            with suppress(LedgerError), self._connection() as connection:
                connection.execute(f"VACUUM {table}")

    def indexed(self, opened: int, searched: str, place: str | None) -> None:
        """See `SqlStore.indexed`: the index of trigrams is one of the table itself."""

    def unindexed(self, opened: int) -> None:
        """See `SqlStore.unindexed`."""

    # ── Who watches is told ────────────────────────────────────────────────────────────────────────────────

    def wait_for_change(self, seconds: float) -> None:
        """See `Store.wait_for_change`."""
        if not self._notifies:
            time.sleep(min(seconds, CALM))
            return
        try:
            listener: Connection | None = getattr(self._here, "listener", None)
            if listener is None:
                listener = psycopg.connect(self._address, autocommit=True, connect_timeout=int(PATIENCE))
                listener.execute(f"LISTEN {CHANNEL}")
                self._here.listener = listener
            for _ in listener.notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error:
            self._here.listener = None
            time.sleep(min(seconds, CALM))

    def close(self) -> None:
        """See `Store.close`."""
        listener = getattr(self._here, "listener", None)
        if listener is not None:
            listener.close()
            self._here.listener = None
        with self._lock:
            self._held -= 1
            last = self._held == 0
        if last:
            self._pool.close()


def _asked(statement: str) -> Any:
    return statement.replace("?", "%s")


def _configure(connection: Connection) -> None:
    connection.execute("SET search_path TO domino_ledger, public")


def _made(connection: Connection, path: str) -> bool:
    """Makes what is missing; returns whether the database tells who listens.  Raises NotALedger."""
    _safe(connection, path)
    _configure(connection)
    for _ in range(5):
        try:
            with connection.transaction():
                found = _version(connection)
                if found is None:
                    for statement in TABLES:
                        connection.execute(statement)
            break
        except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable, psycopg.errors.SerializationFailure):
            continue  # another program makes it at the same moment
    if not _guarded(connection):
        for statement in (*TRIGGERS, *CONVENIENCES):
            with suppress(psycopg.Error):  # who only uses the tables may not, and a relative may not know how
                connection.execute(statement)
    version = _version(connection)
    if version is None:
        raise NotALedger(f"{path}: the tables of a ledger could not be made there")
    if version > VERSION:
        raise NotALedger(f"{path}: made by a newer Domino Ledger (schema {version}, this knows {VERSION})")
    try:
        connection.execute("SELECT pg_notify(%s, '')", (CHANNEL,))
    except psycopg.Error:
        return False
    return True


def _version(connection: Connection) -> int | None:
    asked = "SELECT count(*) FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
    row = connection.execute(asked, ("domino_ledger", "ledger")).fetchone()
    if row is None or not row[0]:
        return None
    held = connection.execute("SELECT version FROM domino_ledger.ledger WHERE one = 1").fetchone()
    return None if held is None else int(held[0])


def _guarded(connection: Connection) -> bool:
    """Whether the table of events has its triggers."""
    asked = "SELECT count(*) FROM information_schema.triggers WHERE trigger_schema = %s AND event_object_table = %s"
    row = connection.execute(asked, ("domino_ledger", "event")).fetchone()
    return row is not None and row[0] > 0


def _safe(connection: Connection, path: str) -> None:
    """Raises NotALedger for a database that acknowledges what it may lose."""
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        try:
            row = connection.execute(f"SHOW {name}").fetchone()
        except psycopg.Error:
            continue  # a relative that has no such thing to switch off
        if row is not None and row[0] == "off":
            raise NotALedger(f"{path}: {name} is off, so that it may lose what it has acknowledged: switch it on")


def _without_password(address: str) -> str:
    """An address as it may be shown and logged."""
    parts = psycopg.conninfo.conninfo_to_dict(address)
    place = "".join((str(parts.get("host") or ""), f":{parts['port']}" if parts.get("port") else ""))
    return f"postgresql://{place}/{parts.get('dbname') or ''}"
