"""What a ledger asks of PostgreSQL and makes of its answers; a stand-in answers here, the real one in `make check`.

`tests/printed/postgres.statements` has the statements of a new ledger, of writing and of forgetting, word for word.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import ledger.stores
from ledger.record.errors import Corrupt, LedgerError, NotALedger
from ledger.stores import postgres_schema
from ledger.stores.schema import NEWER, OTHER_TABLES

KEPT = Path(__file__).parent / "printed" / "postgres.statements"
MODULES = ("ledger.stores.postgres", "ledger.stores.postgres_opening")
COLUMNS = [(table, column) for table, columns in postgres_schema.EXPECTED.items() for column in columns]
GUARDS = [
    (name, "O", re.sub(r"\bON event\b", "ON domino_ledger.event", statement), postgres_schema.FUNCTIONS[number == 2])
    for number, (name, statement) in enumerate(postgres_schema.TRIGGERS.items())
]
WHOLE: dict[str, Any] = {
    "FROM information_schema.tables": [(1,)],
    "SELECT version FROM": [(postgres_schema.VERSION,)],
    "SHOW": [("on",)],
    "pg_attribute": COLUMNS,
    "FROM total": [(3,)],
    "FROM pg_trigger": GUARDS,
}
"""What a ledger that is in order answers, by a part of the question; the first that fits counts."""


class Error(Exception):
    """The driver's error."""


class Answer:
    """The rows of an answer."""

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.rows = list(rows)

    def fetchone(self) -> tuple[Any, ...] | None:
        return self.rows[0] if self.rows else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows

    def nextset(self) -> bool:
        return False


class Connection:
    """A connection that notes what it is asked."""

    def __init__(self, answers: dict[str, Any], *, whole: bool = False) -> None:
        """With these answers; if it is `whole`, then those of a ledger that is in order."""
        more = WHOLE if whole else {}
        self.answers = answers | {part: rows for part, rows in more.items() if part not in answers}
        self.asked, self.handlers = list[str](), list[Any]()
        self.info = SimpleNamespace(pipeline_status="off", transaction_status="idle")
        self.closed = False

    def execute(self, statement: str, values: Sequence[object] = ()) -> Answer:
        self.asked.append(" ".join([*statement.split(), *map(repr, values)]))
        found = next((rows for part, rows in self.answers.items() if part in self.asked[-1]), ())
        if isinstance(found, Exception):
            raise found
        return Answer(found)

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        self.execute(f"{statement} {len(list(rows))} times")

    @contextmanager
    def copy(self, statement: str) -> Iterator[Any]:
        rows = list[Sequence[object]]()
        yield SimpleNamespace(write_row=rows.append)
        self.execute(f"{statement} {len(rows)} rows")

    @contextmanager
    def transaction(self, *, force_rollback: bool = False) -> Iterator[None]:
        self.asked.append("BEGIN")
        try:
            yield
        except Error:
            self.asked.append("ROLLBACK")
            raise
        self.asked.append("ROLLBACK" if force_rollback else "COMMIT")

    @contextmanager
    def cursor(self) -> Iterator[Connection]:
        yield self

    def add_notice_handler(self, handler: Any) -> None:
        self.handlers.append(handler)

    def remove_notice_handler(self, handler: Any) -> None:
        self.handlers.remove(handler)


def text_of(address: str) -> dict[str, str]:
    """The parts of an address, as the driver reads it."""
    parts = re.fullmatch(r"postgresql://(?:[^@]*@)?([^:/]*)(?::([^/]*))?(?:/(.*))?", address)
    if parts is None:
        raise Error("no address")
    return {name: text for name, text in zip(("host", "port", "dbname"), parts.groups(), strict=True) if text}


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A stand-in for the driver; the modules that use it are imported with it, and forgotten afterwards."""
    names = ("UniqueViolation", "DuplicateTable", "SerializationFailure", "LockNotAvailable", "InsufficientPrivilege")
    module, pool = ModuleType("psycopg"), ModuleType("psycopg_pool")
    vars(module).update(
        Error=Error,
        Connection=dict,
        errors=SimpleNamespace(**{name: type(name, (Error,), {}) for name in names}),
        conninfo=SimpleNamespace(conninfo_to_dict=text_of),
        pq=SimpleNamespace(PipelineStatus=SimpleNamespace(OFF="off"), TransactionStatus=SimpleNamespace(IDLE="idle")),
        sql=SimpleNamespace(SQL=str, Identifier=str),
    )
    vars(pool).update(ConnectionPool=SimpleNamespace(check_connection=None))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "psycopg", module)
        patch.setitem(sys.modules, "psycopg.sql", module.sql)
        patch.setitem(sys.modules, "psycopg_pool", pool)
        for name in MODULES:
            patch.delitem(sys.modules, name, raising=False)
            patch.delattr(ledger.stores, name.rpartition(".")[2], raising=False)
        yield module
        for name in MODULES:
            if sys.modules.pop(name, None):
                delattr(ledger.stores, name.rpartition(".")[2])


@pytest.fixture
def opening(driver: Any) -> Any:
    """The module that opens a ledger."""
    assert sys.modules["psycopg"] is driver
    return import_module("ledger.stores.postgres_opening")


def store_of(connection: Connection) -> Any:
    """A ledger in PostgreSQL on this connection."""
    module = import_module("ledger.stores.postgres")

    class Store(module.PostgresStore):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.path, self._local, self._notifies, self._takes_turns = "club", SimpleNamespace(), True, True
            self._pool = SimpleNamespace(getconn=lambda: connection, putconn=lambda _: None)

        @contextmanager
        def _connection(self) -> Iterator[Any]:
            yield connection

    return Store()


def test_a_database_is_asked_what_is_written_down(opening: Any, golden_update: bool) -> None:
    lines = list[str]()

    def note(heading: str, connection: Connection) -> None:
        lines.extend([f"# {heading}", *connection.asked, ""])
        connection.asked.clear()

    new = Connection({"FROM information_schema.tables": [(0,)]})
    with pytest.raises(NotALedger, match=r"^club: the tables of a ledger could not be created$"):
        opening.prepare(new, "club")
    note("A new ledger", new)
    old = Connection({"FROM total": (), "FROM pg_trigger": ()}, whole=True)
    opening.prepare(old, "club")
    note("Guards and views that were never made", old)
    wrong = Connection({"FROM pg_trigger": (), "CREATE OR REPLACE VIEW games": Error("no")}, whole=True)
    opening.make_guards(wrong)
    opening.make_views(wrong)
    note("Guards that are gone, and a view that cannot be replaced", wrong)
    connection = Connection({}, whole=True)
    assert opening.upgrade(connection, "club") == postgres_schema.VERSION
    note("An upgrade", connection)
    opening.of_others(connection)
    opening.wrong_views(connection)
    opening.is_read_only(connection)
    opening.has_advisory_locks(connection)
    note("Questions", connection)
    sizes = Connection({"SELECT (SELECT size": [(2, 2)], "pg_has_role": [(1,)]}, whole=True)
    store = store_of(sizes)
    row = (3, "r", 0, None, None, b"{}", b"link")
    store.insert([])
    with store.writing():
        store.insert([row])
    store._notifies = store._takes_turns = False
    with store.writing():
        store.insert([row] * 99)
        store.insert([row] * 100)
    note("Few events, then many, without notifications and turns", sizes)
    store.accept_loss()
    store._rewrite()
    note("A loss that is accepted, and names that are forgotten", sizes)
    now = "\n".join(lines)
    if golden_update:
        KEPT.write_text(now, "utf-8")
    assert KEPT.read_text("utf-8") == now


# ── What is made of the answers ──────────────────────────────────────────────────────────────────────────────


def test_a_ledger_in_order_is_opened_and_says_whether_it_tells_news(opening: Any) -> None:
    assert opening.prepare(Connection({}, whole=True), "club") is True
    assert opening.prepare(Connection({"pg_notify": Error("none")}, whole=True), "club") is False
    assert opening.guards(Connection({}, whole=True)) == []
    assert opening.guards(Connection({"FROM total": ()}, whole=True)) == []
    assert opening.wrong_views(Connection({"FROM total": Error("no table")}, whole=True)) == []


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"SHOW fsync": [("off",)]}, "fsync is off, so it may lose acknowledged writes: switch it on"),
        (
            {"SHOW full_page_writes": [("off",)]},
            "full_page_writes is off, so it may lose acknowledged writes: switch it on",
        ),
        (
            {"SHOW fsync": Error("?"), "SHOW synchronous_commit": [("off",)]},
            "synchronous_commit is off, so it may lose acknowledged writes: switch it on",
        ),
        ({"SELECT version FROM": [(9,)]}, NEWER.format(version=9, known=postgres_schema.VERSION)),
        ({"pg_attribute": COLUMNS[1:]}, OTHER_TABLES.format(version=postgres_schema.VERSION)),
    ],
)  # fmt: skip
def test_a_database_that_is_no_safe_ledger_is_refused(opening: Any, answers: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotALedger) as refused:
        opening.prepare(Connection(answers, whole=True), "club")
    assert str(refused.value) == f"club: {reason}"


def test_an_older_schema_is_opened_only_to_migrate_it(opening: Any) -> None:
    older = {"SELECT version FROM": [(0,)]}
    with pytest.raises(NotALedger, match="migrate"):
        opening.prepare(Connection(older, whole=True), "club")
    assert opening.prepare(Connection(older, whole=True), "club", outdated=True)
    with pytest.raises(NotALedger, match=r"^club: there are no tables of a ledger$"):
        opening.upgrade(Connection({"FROM information_schema.tables": [(0,)]}), "club")


def test_another_program_may_create_the_tables_at_the_same_moment(driver: Any, opening: Any) -> None:
    for name in ("UniqueViolation", "DuplicateTable", "SerializationFailure"):
        connection = Connection({"CREATE TABLE": getattr(driver.errors, name)(), "FROM information_schema": [(0,)]})
        with pytest.raises(NotALedger):
            opening.prepare(connection, "club")
        assert connection.asked.count("ROLLBACK") == 5, "it is tried five times"
    with pytest.raises(Error):
        opening.prepare(Connection({"CREATE TABLE": Error("full"), "FROM information_schema": [(0,)]}), "club")


def test_guards_and_views_that_are_wrong_are_named(opening: Any) -> None:
    first, second, third = GUARDS
    stored = [(first[0], "D", *first[2:]), (second[0], "O", second[2], "BEGIN END"), ("mine", "O", "x", "y")]
    assert opening.guards(Connection({"FROM pg_trigger": stored}, whole=True)) == [
        f"the trigger {first[0]} is switched off",
        f"the trigger {second[0]} was changed",
        f"the trigger {third[0]} is missing",
        "the trigger mine does not belong to a ledger",
    ]
    names = list(postgres_schema.VIEWS)
    views = {
        "pg_my_temp_schema": [(f"expected_{name}", "as made") for name in names],
        "relkind = 'v'": [(name, "as made") for name in names[2:]] + [(names[1], "changed")],
    }
    assert opening.wrong_views(Connection(views, whole=True)) == [
        f"the view {names[0]} is missing", f"the view {names[1]} was changed",
    ]  # fmt: skip
    assert opening.wrong_views(Connection({"TEMPORARY": Error("no")} | views, whole=True)) == [
        f"the view {names[0]} is missing"
    ]
    others = [("view", "my_league"), ("table", "event"), ("index", "mine")]
    assert opening.of_others(Connection({"relispartition": others})) == ["the view my_league", "the index mine"]


def test_what_a_relative_of_postgresql_lacks_is_no_error(opening: Any) -> None:
    assert opening.has_advisory_locks(Connection({}))
    assert not opening.has_advisory_locks(Connection({"pg_advisory": Error("unknown")}))
    assert opening.is_read_only(Connection({"SHOW": [("on",)]}))
    assert not opening.is_read_only(Connection({"SHOW": [("off",)]}))
    assert not opening.is_read_only(Connection({"SHOW": Error("unknown")}))
    assert not opening.is_read_only(Connection({}))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ana:secret@host:5433/club", "postgresql://host:5433/club"),
        ("postgresql://host/club", "postgresql://host/club"),
        ("postgresql:///club", "postgresql:///club"),
        ("postgresql://host", "postgresql://host/"),
    ],
)
def test_an_address_is_shown_without_its_password(opening: Any, address: str, shown: str) -> None:
    assert opening.address_without_password(address) == shown
    with pytest.raises(NotALedger) as refused:
        opening.address_without_password("postgresql://ana:sec/ret@host:x1/club")
    assert str(refused.value) == (
        "the address of the database cannot be read: write postgresql://USER:PASSWORD@HOST/NAME, "
        "and in a password %40 for @, %2F for /, %3A for :"
    )


@pytest.mark.usefixtures("driver")
def test_a_counter_that_disagrees_stops_writing_and_is_shown() -> None:
    ahead, behind = (
        store_of(Connection({"SELECT (SELECT size": [sizes], "count(*) FROM event": [(3, 3)]}))
        for sizes in ((5, 3), (3, 5))
    )
    assert store_of(Connection({"SELECT (SELECT size": [(None, 0)]})).position() == 1
    assert store_of(Connection({"SELECT (SELECT size": [(4, 4)]})).position() == 5
    with pytest.raises(Corrupt) as refused:
        ahead.position()
    assert str(refused.value).startswith(
        "club: the counter of the ledger says 5 events, and it has 3. Nothing was written. "
    )
    assert ahead.loss() == "2 events are gone: it had 5 and has 3"
    assert behind.loss() == ""
    assert ahead.damage()[-1] == "2 events are gone: it had 5 and has 3"
    assert behind.damage()[-1] == "the counter says 3 events, and the ledger has 5"


@pytest.mark.usefixtures("driver")
def test_a_name_with_nul_is_in_no_row() -> None:
    connection = Connection({"SELECT": [(1,)]})
    assert store_of(connection).rows("SELECT ?", ("a\0b",)) == []
    assert connection.asked == []
    assert store_of(connection).rows("SELECT ?", ("ab",)) == [(1,)]


def test_names_that_tables_still_hold_are_reported(driver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("ledger.stores.postgres")
    owned = {"pg_has_role": [(1,)]}
    assert store_of(Connection({}))._rewrite() == [module.NOT_OWNER]
    assert store_of(Connection(owned))._rewrite() == []
    locked = {"VACUUM": driver.errors.LockNotAvailable()}
    assert store_of(Connection(owned | locked))._rewrite() == [module.STILL_READ]
    (trace,) = store_of(Connection(owned | {"VACUUM": Error("no such option")}))._rewrite()
    assert trace.sentence == "the tables could not be rewritten, and may still hold erased names: no such option"
    assert trace.again
    assert store_of(Connection(owned | {"CHECKPOINT": driver.errors.InsufficientPrivilege()}))._rewrite() == []
    for detail, left in (("2 dead row versions", [module.STILL_READ]), ("0 dead row versions", []), ("?", [])):
        connection = Connection(owned)
        execute = connection.execute

        def notice(statement: str, *values: Any, real: Any = execute, at: Any = connection, words: str = detail) -> Any:
            for handler in at.handlers if "VACUUM" in statement else ():
                handler(SimpleNamespace(message_detail=words))
            return real(statement, *values)

        monkeypatch.setattr(connection, "execute", notice)
        assert store_of(connection)._rewrite() == left
        assert connection.handlers == []
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    assert store_of(Connection({})).forget_traces() == [module.NOT_OWNER, module.LOG_KEEPS]
    assert (module.NOT_OWNER.again, module.STILL_READ.again, module.LOG_KEEPS.again) == (True, True, False)


@pytest.mark.usefixtures("driver")
def test_an_answer_to_a_commit_that_is_lost_is_not_called_a_failure() -> None:
    lost = Connection({"COMMIT": Error("gone"), "SELECT (SELECT size": [(2, 2)]})
    with pytest.raises(LedgerError) as raised, store_of(lost).writing():
        pass
    assert str(raised.value) == (
        "club: it is unknown whether this was written; sent again with the same ids it is stored once"
    )
    refused = Connection({"COPY": Error("read only"), "UPDATE ledger": Error("read only")})
    with pytest.raises(LedgerError, match=r"^club: .*read only"), store_of(refused).writing():
        store_of(refused).insert([(3, "r", 0, None, None, b"", b"")])
