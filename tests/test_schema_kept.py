"""The first schema stays readable: a ledger of today opens in every later version, and upgrades are safe.

`fixtures/schema-1.sqlite` has records of each game.  Until the first release, make it again after a schema change:

    pytest tests/test_schema_kept.py --golden-update

After the release it never changes: a new schema is then a migration.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

import next_schema
from golden import FIXTURES
from ledger.cli import cli
from ledger.keep.recorder import Recorder, key_digest
from ledger.keep.stored_audits import refresh
from ledger.proof import log_head
from ledger.record import codec
from ledger.record.errors import NotALedger
from ledger.record.events import Note
from ledger.stores import open_ledger, questions, schema
from ledger.stores.beside import Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore

KEPT = FIXTURES / "schema-1.sqlite"
GAMES = ("build-up", "domino-ziggurat", "ziggurat", "zigzag")
RECORDS_PER_GAME = 2
STRIDE = 1 if os.environ.get("DOMINO_KILLS") else 7
"""Statements of an upgrade between two kills; `make torture` kills at each one."""


def make(path: Path) -> None:
    """Makes a small ledger with records of each game, their audits, a key and a phone's id."""
    path.unlink(missing_ok=True)
    with SqliteStore(path) as store:
        for game in GAMES:
            records = sorted(p for p in (FIXTURES / game).glob("*.json") if not p.name.endswith(".report.json"))
            for number, record in enumerate(records[:: len(records) // RECORDS_PER_GAME][:RECORDS_PER_GAME]):
                Recorder(store).import_record(codec.decode(record.read_bytes()), f"{game.replace('-', '')[:8]}{number}")
        store.append(store.ids()[0], store.version(store.ids()[0]), [Note("from a phone")], ["phone-0001"])
        store.put([Key(store.ids()[0], key_digest("kept"))])
        for _ in refresh(store):
            pass
    path.with_name(f"{path.name}.head").unlink()


def run(path: str, *arguments: str) -> str:
    """The output of a command about a ledger, which must succeed."""
    result = CliRunner().invoke(cli, ["--ledger", path, *arguments])
    assert result.exit_code in ((0, 1) if arguments[0] == "audit" else (0,)), result.output
    return result.output


def objects(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT name, sql FROM sqlite_master"))


@pytest.fixture
def kept_ledger(tmp_path, golden_update: bool) -> Path:
    """A copy of the kept ledger."""
    if golden_update:
        make(KEPT)
    return Path(shutil.copy(KEPT, tmp_path / "club.sqlite"))


def test_the_ledger_that_is_kept_has_the_schema_of_a_new_one(kept_ledger: Path, tmp_path) -> None:
    SqliteStore(tmp_path / "new.sqlite").close()
    assert objects(kept_ledger) == objects(tmp_path / "new.sqlite"), "--golden-update writes it anew"
    assert schema.EXPECTED.items() <= objects(kept_ledger).items()


def test_the_ledger_that_is_kept_is_used_like_a_new_one(kept_ledger: Path, tmp_path) -> None:
    path = str(kept_ledger)
    assert "intact" in run(path, "verify")
    with SqliteStore(kept_ledger) as store:
        assert {row.game for row in store.find(Query())} == set(GAMES)
        assert questions.unaudited(store) == ()
        first = store.ids()[0]
        assert questions.roles(store, first, key_digest("kept")) == {"record"}
        assert store.append(first, 1, [Note("from a phone")], ["phone-0001"]) == store.version(first)
    assert all(record in run(path, "list") for record in SqliteStore(kept_ledger).ids())
    run(path, "audit")
    run(path, "export", "-o", str(tmp_path / "out.ndjson"))
    run(str(tmp_path / "again.sqlite"), "import", str(tmp_path / "out.ndjson"))
    with SqliteStore(tmp_path / "again.sqlite") as copy, SqliteStore(kept_ledger) as store:
        assert [record for _id, record in questions.records(copy)] == [
            record for _id, record in questions.records(store)
        ]
    assert "up to date (schema 1)" in run(path, "migrate")
    assert not list(tmp_path.glob("*before*"))


# ── Another schema ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ledger(kept_ledger: Path) -> str:
    """The kept ledger."""
    return str(kept_ledger)


def change(ledger: str, *statements: str) -> None:
    """Changes a ledger from outside."""
    with closing(sqlite3.connect(ledger, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            ("PRAGMA user_version = 2",),
            r"newer Domino Ledger \(schema 2, this knows 1\): install that version, or restore the backup",
        ),
        (("DROP TABLE comment",), "an unreleased Domino Ledger made it.*Export its records"),
        (
            ("DROP INDEX record_waiting", "ALTER TABLE record DROP COLUMN audited"),
            "an unreleased Domino Ledger made it.*import them",
        ),
    ],
)
def test_another_schema_is_refused_with_what_to_do(ledger: str, statements: tuple[str, ...], message: str) -> None:
    change(ledger, *statements)
    with pytest.raises(NotALedger, match=message):
        open_ledger(ledger)


def is_whole(store: SqliteStore, head: object) -> bool:
    """Whether a ledger is intact and has all the events that it had."""
    result = log_head.check(store)
    return result.corruptions == () and result.log_head == head


@pytest.mark.wide
def test_an_upgrade_that_is_killed_anywhere_changes_nothing_and_goes_on(ledger: str, tmp_path, monkeypatch) -> None:
    with open_ledger(ledger) as store:
        head, version = log_head.check(store).log_head, store.version(store.ids()[0])
    kills = 0
    while True:
        command = [
            sys.executable,
            next_schema.__file__,
            ledger,
            str(tmp_path / f"killed-{kills}"),
            str(kills * STRIDE),
        ]
        if subprocess.run(command, check=False, capture_output=True).returncode == 0:
            break
        try:
            with open_ledger(ledger) as store:
                assert is_whole(store, head), command
        except NotALedger:  # it was killed after the commit
            break
        kills += 1
    assert kills > 3
    with pytest.raises(NotALedger, match="newer Domino Ledger"):
        open_ledger(ledger)
    for (module, name), value in next_schema.next_schema().items():
        monkeypatch.setattr(module, name, value)
    with open_ledger(ledger) as store:
        assert is_whole(store, head)
        assert store.rows("SELECT colour, number FROM palette") == [("ivory", len(GAMES) * RECORDS_PER_GAME)]
        store.append(store.ids()[0], version, [Note("it goes on")])
        assert log_head.check(store).corruptions == ()


def test_an_older_schema_is_upgraded_by_a_command_after_a_backup(ledger: str, tmp_path, monkeypatch) -> None:
    backup = tmp_path / "backup.sqlite"
    with monkeypatch.context() as patch:
        for (module, name), value in next_schema.next_schema().items():
            patch.setattr(module, name, value)
        with pytest.raises(
            NotALedger, match=r"older Domino Ledger \(schema 1, this knows 2\): `domino-ledger migrate`"
        ):
            open_ledger(ledger)
        output = run(ledger, "migrate", "--backup", str(backup))
        assert "upgraded from schema 1 to 2; the ledger as it was is in" in output
        assert "intact" in output
    with closing(sqlite3.connect(backup)) as db:
        assert db.execute("SELECT count(*) FROM record").fetchone() == (len(GAMES) * RECORDS_PER_GAME,)
        assert "colour" not in {row[1] for row in db.execute("PRAGMA table_info (record)")}
    assert "intact" in run(str(backup), "verify")


@pytest.mark.parametrize("damage", ["missing", "changed", "extra"])
def test_a_wrong_trigger_is_named_and_mended(ledger: str, damage: str) -> None:
    drop = "DROP TRIGGER event_is_immutable"
    statements = {
        "missing": (drop,),
        "changed": (drop, "CREATE TRIGGER event_is_immutable BEFORE UPDATE ON event BEGIN SELECT 1; END"),
        "extra": ("CREATE TRIGGER extra BEFORE INSERT ON event BEGIN SELECT 1; END",),
    }[damage]
    change(ledger, *statements)
    reason = {"missing": "is missing", "changed": "was changed", "extra": "does not belong to a ledger"}[damage]
    with open_ledger(ledger) as store:
        (corruption,) = log_head.check(store).corruptions
        assert reason in corruption.reason
        assert "`domino-ledger repair` mends it" in corruption.reason
        store.rebuild()
        assert log_head.check(store).corruptions == ()
    with pytest.raises(sqlite3.IntegrityError, match="a ledger only grows"):
        change(ledger, "UPDATE event SET seq = 5")
