"""The head of a ledger: what was changed, moved, cut off or deleted is found, whatever the file itself says."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from golden import FIXTURES
from ledger import heads
from ledger.errors import LedgerError, NotForNow
from ledger.events import Note, Open, Player
from ledger.recorder import Recorder
from ledger.sources import items
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore

FLIPS = int(os.environ.get("DOMINO_FLIPS", "300"))
SEED = 5
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))


RENAMED = """
    UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '"player":"', '"player":"x') AS BLOB) WHERE position = 9
"""


def filled(path: Path) -> heads.Head:
    """A ledger of some fixtures, and its head."""
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for item in items(str(FIXTURES / "zigzag")):
            recorder.import_record(item.found)  # type: ignore[arg-type]  # fixtures are records
        return heads.check(store).head


def checked(path: Path, against: heads.Head | None = None) -> heads.Checked | None:
    """What a check finds; None for a file that does not even open as a ledger."""
    try:
        with SqliteStore(path) as store:
            return heads.check(store, against)
    except (LedgerError, sqlite3.Error, UnicodeDecodeError):
        return None


def forced(path: Path, *statements: str) -> None:
    """What somebody does to the file who knows how to take the triggers off first."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_two_stores_of_the_same_events_have_the_same_head(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as one, MemoryStore() as other:
        for store in (one, other):
            store.append("r", 0, [OPENING, Note("one")])
            store.append("s", 0, [OPENING])
            store.append("r", 2, [Note("two")])
        found = heads.check(one)
        assert found == heads.check(other)
        assert found.head == heads.head_of(one.log())
        assert (found.head.size, found.records, found.harms) == (4, 2, ())
        before = heads.head_of(one.log(3))
        assert heads.check(one, before).harms == ()
        assert heads.read_head(f"noted on Friday: {found.head}\n") == found.head
    with pytest.raises(NotForNow, match="no head"):
        heads.read_head("12 abc")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM event WHERE position > (SELECT max(position) - 2 FROM event)", "2 events are gone"),
        ("DELETE FROM event WHERE record = (SELECT min(record) FROM event)", "are gone of the"),
        (RENAMED, "are not those that were there"),
        ("UPDATE event SET body = CAST(body || ' ' AS BLOB) WHERE position = 9", "not written as a ledger writes it"),
        ("UPDATE event SET body = CAST('{}' AS BLOB) WHERE position = 9", "it is no event"),
        ("UPDATE event SET seq = 1000 WHERE position = 9", "should stand here"),
        ("UPDATE event SET record = 'other' WHERE record = (SELECT min(record) FROM event)", "are not those"),
    ],
)
def test_what_was_done_to_a_ledger_is_found(tmp_path: Path, statement: str, said: str) -> None:
    path = tmp_path / "a.sqlite"
    head = filled(path)
    assert checked(path, head) == heads.Checked(head, checked(path).records, ())  # type: ignore[union-attr]
    forced(path, statement)
    found = checked(path, head)
    assert found is not None
    assert any(said in harm.reason for harm in found.harms), found.harms


def test_every_flipped_bit_that_changes_an_event_is_found(tmp_path: Path) -> None:
    random = Random(SEED)
    path, broken = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    head = filled(path)
    whole = path.read_bytes()
    found = harmless = 0
    for _ in range(FLIPS):
        at = random.randrange(len(whole))
        changed = bytes([whole[at] ^ 1 << random.randrange(8)])
        broken.write_bytes(whole[:at] + changed + whole[at + 1 :])
        for other in ("-wal", "-shm"):
            broken.with_name(broken.name + other).unlink(missing_ok=True)
        result = checked(broken, head)
        if result is None or result.harms:
            found += 1
        else:
            # Free space, an index, what is derived: every event is still as it was.
            assert result.head == head
            harmless += 1
    assert found > FLIPS / 10
    assert found + harmless == FLIPS


def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ledger.cli", *arguments], capture_output=True, text=True, cwd=home, check=False
    )


def test_backups_under_load_are_whole_and_restore_to_the_same_head(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    filled(path)
    ended = threading.Event()

    def write() -> None:
        with SqliteStore(path) as store:
            store.append("busy", 0, [OPENING])
            number = 0
            while not ended.is_set():
                number += 1
                store.append("busy", number, [Note(f"note {number}")])

    writers = threading.Thread(target=write)
    writers.start()
    try:
        for number in range(5):
            made = run("--ledger", "a.sqlite", "backup", f"copy{number}.sqlite", home=tmp_path)
            assert made.returncode == 0, made.stderr
            (tmp_path / "head").write_text(made.stdout)
            again = run(
                "--ledger", f"again{number}.sqlite", "restore", f"copy{number}.sqlite", "--against", "head",
                home=tmp_path,
            )  # fmt: skip
            assert again.returncode == 0, again.stderr
            assert again.stdout == made.stdout
            with SqliteStore(path) as store:  # what the copy has is the beginning of what the ledger has now
                assert heads.check(store, heads.read_head(made.stdout)).harms == ()
    finally:
        ended.set()
        writers.join()


def test_verify_says_whole_or_harmed_and_where(tmp_path: Path) -> None:
    filled(tmp_path / "a.sqlite")
    noted = run("--ledger", "a.sqlite", "verify", home=tmp_path)
    assert noted.returncode == 0
    assert re.search(r"whole, \d+ events in \d+ records", noted.stderr)
    (tmp_path / "head").write_text(noted.stdout)
    assert run("--ledger", "a.sqlite", "verify", "--against", "head", home=tmp_path).returncode == 0
    shutil.copy(tmp_path / "a.sqlite", tmp_path / "b.sqlite")
    forced(tmp_path / "b.sqlite", "DELETE FROM event WHERE position > (SELECT max(position) - 2 FROM event)")
    cut = run("--ledger", "b.sqlite", "verify", "--against", "head", home=tmp_path)
    assert cut.returncode == 1
    assert "2 events are gone" in cut.stderr
    refused = run("--ledger", "c.sqlite", "restore", "b.sqlite", "--against", "head", home=tmp_path)
    assert refused.returncode == 1
    assert "nothing was restored" in refused.stderr
    assert not (tmp_path / "c.sqlite").exists()
    assert run("--ledger", "a.sqlite", "restore", "b.sqlite", home=tmp_path).returncode == 1
    assert run("--ledger", "a.sqlite", "backup", "a.sqlite", home=tmp_path).returncode == 1
