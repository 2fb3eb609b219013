"""The head of the log reveals events that were changed, moved, cut off or deleted, even if the file hides it."""

import os
import re
import shutil
import sqlite3
import subprocess
import threading
from collections import Counter
from functools import cache
from itertools import count, islice, takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from command_output import run_in
from golden import FIXTURES
from ledger.keep.recorder import Recorder
from ledger.keep.sources import items
from ledger.proof import log_head
from ledger.record import chain
from ledger.record.errors import Corrupt, LedgerError, NotForNow
from ledger.record.events import Note, Open, Player
from ledger.stores import questions
from ledger.stores.end_mark import NOTHING, EndMark
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

FLIPS = int(os.environ.get("DOMINO_FLIPS", "60"))
BACKUPS = int(os.environ.get("DOMINO_BACKUPS", "3"))
SEED = 5
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))


RENAMED = """
    UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '"player":"', '"player":"x') AS BLOB) WHERE position = 9
"""


def fill(path: Path, count: int | None = None) -> log_head.LogHead:
    """Makes a ledger of some fixtures, and returns its head of the log."""
    files, head = _ledger_of_fixtures(count)
    for end, content in files.items():
        path.with_name(path.name + end).write_bytes(content)
    return head


@cache
def _ledger_of_fixtures(count: int | None) -> tuple[dict[str, bytes], log_head.LogHead]:
    """The files of a ledger of the first `count` fixtures by the ends of their names, and its head of the log."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.sqlite"
        with SqliteStore(path) as store:
            recorder = Recorder(store)
            for item in islice(items(str(FIXTURES / "zigzag")), count):
                recorder.import_record(item.result)  # type: ignore[arg-type]  # fixtures are records
            head = log_head.check(store).log_head
        return {file.name.removeprefix(path.name): file.read_bytes() for file in path.parent.iterdir()}, head


def check_file(path: Path, against: log_head.LogHead | None = None) -> log_head.CheckResult | None:
    """The result of a check; None for a file that does not open as a ledger."""
    try:
        with SqliteStore(path) as store:
            return log_head.check(store, against)
    except (LedgerError, sqlite3.Error, UnicodeDecodeError):
        return None


def force(path: Path, *statements: str) -> None:
    """A change to the file by somebody who knows how to remove the triggers first."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        assert db.execute(statement).rowcount
    db.commit()
    db.close()


def head_of(store: SqliteStore) -> log_head.LogHead | None:
    mark = store.connection.mark.read()
    return mark and log_head.LogHead(mark.size, mark.digest)


def test_two_stores_of_the_same_events_have_the_same_log_head(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as database, TemporaryStore() as other:
        for store in (database, other):
            store.append("r", 0, [OPENING, Note("one")])
            store.append("s", 0, [OPENING])
            store.append("r", 2, [Note("two")])
        result = log_head.check(database)
        assert result == log_head.check(other)
        assert (result.log_head.size, result.records, result.corruptions) == (4, 2, ())
        before = log_head.LogHead(3, NOTHING.grown((entry.record, entry.link) for entry in database.log(upto=3)).digest)
        assert log_head.check(database, before).corruptions == ()
        assert log_head.parse_log_head(f"noted on Friday: {result.log_head}\n") == result.log_head
    with pytest.raises(NotForNow, match="not a head of the log"):
        log_head.parse_log_head("12 abc")


def test_a_ledger_that_nobody_changed_is_intact(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    head = fill(path)
    result = check_file(path)
    assert result is not None
    assert (result.log_head, result.corruptions) == (head, ())
    assert check_file(path, head) == result


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM event WHERE position > (SELECT max(position) - 2 FROM event)", "2 events are gone"),
        ("DELETE FROM event WHERE record = (SELECT min(record) FROM event)", "events are gone"),
        (RENAMED, "it does not follow from the event before it"),
        ("UPDATE event SET link = zeroblob(32) WHERE position = 9", "it does not follow"),
        ("UPDATE name SET names = replace(names, 'A', 'E')", "the names at event 0 are not as they were written"),
        ("UPDATE event SET body = CAST(body || ' ' AS BLOB) WHERE position = 9", "not written as a ledger writes it"),
        ("UPDATE event SET body = CAST('{}' AS BLOB) WHERE position = 9", "it is not an event"),
        ("UPDATE event SET seq = 1000 WHERE position = 9", "should be here"),
        ("UPDATE event SET record = 'other' WHERE record = (SELECT min(record) FROM event)", "are not the ones"),
    ],
)
def test_every_manipulation_of_a_ledger_is_found(tmp_path: Path, statement: str, reason: str) -> None:
    path = tmp_path / "a.sqlite"
    head = fill(path, 30)
    force(path, statement)
    for against in (head, None):  # the high-water mark is enough
        result = check_file(path, against)
        assert result is not None
        assert any(reason in corruption.reason for corruption in result.corruptions), result.corruptions


def test_a_log_head_reveals_a_chain_that_was_computed_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    head = fill(path)
    with SqliteStore(path) as store:
        name = store.ids()[0]
        log = [(entry.seq, entry.body) for entry in store.log(of=name)]
    changed = [(seq, re.sub(rb'"bid":\d', b'"bid":5', body)) for seq, body in log]
    assert changed != log
    db = sqlite3.connect(path)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for trigger, _sql in triggers:
        db.execute(f"DROP TRIGGER {trigger}")
    for (seq, body), link in zip(changed, chain.links(body for _seq, body in changed), strict=True):
        db.execute("UPDATE event SET body = ?, link = ? WHERE record = ? AND seq = ?", (body, link, name, seq))
    for _trigger, sql in triggers:  # a careful hand puts them back
        db.execute(sql)
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        assert log_head.check_record(store, name) == ()
        for against in (head, None):
            assert [corruption.reason for corruption in log_head.check(store, against).corruptions] == [
                f"the first {head.size} events are not the ones that were there"
            ]


def test_every_flipped_bit_that_changes_an_event_is_found(tmp_path: Path) -> None:
    random = Random(SEED)
    path, broken = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    fill(path, 20)  # every flip is followed by a check of the whole ledger
    with SqliteStore(path) as store:  # while it is open the newest events stand in the write-ahead log
        store.append("late", 0, [OPENING])
        for number in range(1, 12):
            store.append("late", number, [Note(f"note {number}")], [f"note-{number:04}"])
        head, records = log_head.check(store).log_head, dict(questions.records(store))
        parts = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("", "-wal", ".head")}
    detected: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    for _ in range(FLIPS):
        suffix = random.choice(("", "", "-wal", ".head"))
        at = random.randrange(len(parts[suffix]))
        changed = bytes([parts[suffix][at] ^ 1 << random.randrange(8)])
        broken.with_name(broken.name + "-shm").unlink(missing_ok=True)
        for part, text in parts.items():
            text = text[:at] + changed + text[at + 1 :] if part == suffix else text  # noqa: PLW2901  the one that is hit
            broken.with_name(broken.name + part).write_bytes(text)
        result = check_file(broken)  # against the high-water mark, which needs no note
        if result is None or result.corruptions:
            detected[suffix] += 1
            continue
        # Free space, an index, what is derived, the older slot of the high-water mark: every event is still as it was.
        assert result.log_head == head
        with SqliteStore(broken) as store:
            assert dict(questions.records(store)) == records
        harmless[suffix] += 1
    assert min(detected[suffix] for suffix in ("", "-wal")) > FLIPS / 40, detected
    assert detected.total() + harmless.total() == FLIPS


def test_a_loss_in_the_journal_is_noticed_and_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    fill(path)
    with SqliteStore(path) as store:
        store.append("early", 0, [OPENING])  # the first write goes into the file, with the mark that it is in use
        size = store.size()
        store.append("late", 0, [OPENING, Note("one")])
        shutil.copy(path, tmp_path / "b.sqlite")  # without its journal, as if its first bit were damaged
        shutil.copy(f"{path}.head", tmp_path / "b.sqlite.head")
    with SqliteStore(tmp_path / "b.sqlite") as store:
        assert store.size() == size
        with pytest.raises(Corrupt, match=r"2 events are gone: .* `domino-ledger verify` shows more"):
            store.append("new", 0, [OPENING])
        assert [corruption.reason for corruption in log_head.check(store).corruptions] == [
            f"2 events are gone: it had {size + 2} and has {size}"
        ]
    (tmp_path / "b.sqlite.head").unlink()  # somebody looked, and goes on
    with SqliteStore(tmp_path / "b.sqlite") as store:
        store.append("new", 0, [OPENING])
        assert log_head.check(store).corruptions == ()
        assert head_of(store) == log_head.check(store).log_head


def test_a_read_only_high_water_mark_is_read(tmp_path: Path) -> None:
    fill(tmp_path / "a.sqlite")
    mark = EndMark(tmp_path / "a.sqlite.head")
    (tmp_path / "a.sqlite.head").chmod(0o444)
    before = mark.read()
    assert before is not None
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert before == store.connection.mark.read()
        assert log_head.check(store).corruptions == ()
    mark.close()


def test_a_high_water_mark_catches_up_with_events_stored_without_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    fill(path)
    before = (tmp_path / "a.sqlite.head").read_bytes()
    with SqliteStore(path) as store:
        store.append("late", 0, [OPENING, Note("one")])
    (tmp_path / "a.sqlite.head").write_bytes(before)  # as after a kill between the commit and the high-water mark
    with SqliteStore(path) as store:
        assert log_head.check(store).corruptions == ()
        store.append("late", 2, [Note("two")])
        assert head_of(store) == log_head.check(store).log_head
        before = (tmp_path / "a.sqlite.head").read_bytes()
        assert store.loss() == ""
        with SqliteStore(path) as other:
            other.append("late", 3, [Note("three")])
        (tmp_path / "a.sqlite.head").write_bytes(before)  # the other was killed, while this one goes on
        store.append("late", 4, [Note("four")])
        assert head_of(store) == log_head.check(store).log_head
    (tmp_path / "a.sqlite.head").write_bytes(b"x" * 8192)
    with SqliteStore(path) as store:
        with pytest.raises(Corrupt, match="high-water mark cannot be read"):
            store.append("late", 5, [Note("five")])
        assert log_head.check(store).corruptions


def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return run_in(home, *arguments)


def test_backups_under_load_are_whole_and_restore_to_the_same_log_head(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    fill(path)
    ended = threading.Event()

    def write() -> None:
        with SqliteStore(path) as store:
            # However fast the machine, no record grows longer than a record may be.
            for number in takewhile(lambda _number: not ended.is_set(), count()):
                record, seq = divmod(number, 1000)
                store.append(f"busy{record}", seq, [Note(f"note {number}") if seq else OPENING])

    writers = threading.Thread(target=write)
    writers.start()
    try:
        for number in range(BACKUPS):
            backup = run("--ledger", "a.sqlite", "backup", f"copy{number}.sqlite", home=tmp_path)
            assert backup.returncode == 0, backup.stderr
            (tmp_path / "head").write_text(backup.stdout)
            restored = run(
                "--ledger", f"again{number}.sqlite", "restore", f"copy{number}.sqlite", "--against", "head",
                home=tmp_path,
            )  # fmt: skip
            assert restored.returncode == 0, restored.stderr
            assert restored.stdout == backup.stdout
            with SqliteStore(path) as store:  # what the copy has is the beginning of what the ledger has now
                assert log_head.check(store, log_head.parse_log_head(backup.stdout)).corruptions == ()
    finally:
        ended.set()
        writers.join()


def test_verify_says_intact_or_corrupt_and_where(tmp_path: Path) -> None:
    fill(tmp_path / "a.sqlite")
    intact = run("--ledger", "a.sqlite", "verify", home=tmp_path)
    assert intact.returncode == 0
    assert re.search(r"intact, [\d,]+ events in \d+ records", intact.stderr)
    (tmp_path / "head").write_text(intact.stdout)
    assert run("--ledger", "a.sqlite", "verify", "--against", "head", home=tmp_path).returncode == 0
    shutil.copy(tmp_path / "a.sqlite", tmp_path / "b.sqlite")
    force(tmp_path / "b.sqlite", "DELETE FROM event WHERE position > (SELECT max(position) - 2 FROM event)")
    cut = run("--ledger", "b.sqlite", "verify", "--against", "head", home=tmp_path)
    assert cut.returncode == 1
    assert "events are gone" in cut.stderr
    refused = run("--ledger", "c.sqlite", "restore", "b.sqlite", "--against", "head", home=tmp_path)
    assert refused.returncode == 2
    assert "nothing was restored" in refused.stderr
    assert not (tmp_path / "c.sqlite").exists()
    assert run("--ledger", "a.sqlite", "restore", "b.sqlite", home=tmp_path).returncode == 2
    assert run("--ledger", "a.sqlite", "backup", "a.sqlite", home=tmp_path).returncode == 2
