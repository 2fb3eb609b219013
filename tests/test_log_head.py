"""The head of the log reveals events that were changed, moved, cut off or deleted, even if the file hides it."""

import os
import re
import shutil
import sqlite3
import subprocess
import threading
from collections import Counter
from contextlib import closing
from functools import cache
from itertools import count, islice, takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from command_output import run_in, run_on
from golden import FIXTURES
from ledger.cli import cli
from ledger.keep.recorder import Recorder
from ledger.keep.sources import items
from ledger.keep.stored_audits import refresh
from ledger.proof import log_head
from ledger.proof.log_head import check
from ledger.record import chain
from ledger.record.errors import Corrupt, LedgerError, NotForNow
from ledger.record.events import Note, Open, Player
from ledger.stores import open_ledger, questions
from ledger.stores.end_mark import NOTHING, EndMark
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from test_store import opening
from viewer.app import create_app

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


def test_two_stores_of_the_same_events_have_the_same_log_head(tmp_path) -> None:
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


def test_a_ledger_that_nobody_changed_is_intact(tmp_path) -> None:
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
def test_every_manipulation_of_a_ledger_is_found(tmp_path, statement: str, reason: str) -> None:
    path = tmp_path / "a.sqlite"
    head = fill(path, 30)
    force(path, statement)
    for against in (head, None):  # the high-water mark is enough
        result = check_file(path, against)
        assert result is not None
        assert any(reason in corruption.reason for corruption in result.corruptions), result.corruptions


def test_a_log_head_reveals_a_chain_that_was_computed_anew(tmp_path) -> None:
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


def test_every_flipped_bit_that_changes_an_event_is_found(tmp_path) -> None:
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


def test_a_loss_in_the_journal_is_noticed_and_not_overwritten(tmp_path) -> None:
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


def test_a_read_only_high_water_mark_is_read(tmp_path) -> None:
    fill(tmp_path / "a.sqlite")
    mark = EndMark(tmp_path / "a.sqlite.head")
    (tmp_path / "a.sqlite.head").chmod(0o444)
    before = mark.read()
    assert before is not None
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert before == store.connection.mark.read()
        assert log_head.check(store).corruptions == ()
    mark.close()


def test_a_high_water_mark_catches_up_with_events_stored_without_it(tmp_path) -> None:
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


def test_backups_under_load_are_whole_and_restore_to_the_same_log_head(tmp_path) -> None:
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


def test_verify_says_intact_or_corrupt_and_where(tmp_path) -> None:
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


# ---- A ledger that has lost events: every command and page reports it, and none starts a new one in its place.


CAPITALS = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))


def client_of(store: SqliteStore) -> FlaskClient:
    return create_app(lambda: store).test_client()


@pytest.fixture
def path(tmp_path) -> Path:
    """An older copy of a ledger with the high-water mark of the newer one."""
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        store.append("kept", 0, [CAPITALS, Note("one")])
        list(refresh(store))
    shutil.copy(path, tmp_path / "older")
    with SqliteStore(path) as store:
        store.append("late", 0, [CAPITALS, Note("two")])
    shutil.copy(tmp_path / "older", path)
    return path


@pytest.mark.parametrize(
    "words",
    [("list",), ("show", "kept"), ("export",), ("audit",), ("history", "kept"), ("replay", "kept", "--steps"),
     ("backup", "b.sqlite")],
)  # fmt: skip
def test_every_command_says_that_events_are_gone(path: Path, words: tuple[str, ...], monkeypatch) -> None:
    monkeypatch.chdir(path.parent)
    result = run_on(path, *words)
    assert "2 events are gone: it had 4 and has 2; `domino-ledger verify` shows more" in result.stderr
    assert result.exit_code == 2
    assert result.stdout, "what is left is shown"


def test_verify_finds_the_loss_and_new_events_are_refused(path: Path) -> None:
    verified = run_on(path, "verify")
    assert (verified.exit_code, verified.stderr.count("2 events are gone")) == (1, 1)
    assert "`domino-ledger verify`" not in verified.stderr
    refused = run_on(path, "new", "zigzag", "Ana", "Ben", "Cy")
    assert refused.exit_code == 2
    assert "Nothing was written" in refused.stderr


def test_every_page_says_that_events_are_gone(path: Path) -> None:
    with SqliteStore(path) as store:
        client = client_of(store)
        for page in ("/", "/g/kept", "/embed/kept", "/g/kept/print", "/rules", "/r/kept", "/new", "/g/late"):
            assert "2 events are gone: it had 4 and has 2" in client.get(page).text, page
        assert "2 events are gone" in client.get("/api/v1/records").json["loss"]  # type: ignore[index]
        health = client.get("/healthz")
        assert (health.status_code, "2 events are gone" in health.text) == (503, True)
        store.connection.mark.close()
        store.connection.mark.path.unlink()
        assert "events are gone" not in client.get("/g/kept").text, "no page is cached with it"


@pytest.mark.parametrize("remains", ["nothing", "an empty file", "the first page"])
def test_no_new_ledger_takes_the_place_of_a_lost_one(path: Path, remains: str) -> None:
    path.unlink()
    if remains != "nothing":
        path.touch()
    if remains == "the first page":
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
    before = path.read_bytes() if path.exists() else None
    for words in (("list",), ("verify",), ("new", "zigzag", "Ana", "Ben", "Cy"), ("serve",)):
        result = run_on(path, *words)
        assert result.exit_code == 2, words
        assert "the ledger is gone or empty, and it had 4 events. Nothing was made in its place" in result.stderr
    assert (path.read_bytes() if path.exists() else None) == before
    Path(f"{path}.head").unlink()  # the decision to begin a new one
    if remains == "the first page":  # it may as well be a copy without its journal
        assert "put a.sqlite-wal and a.sqlite.head" in run_on(path, "new", "zigzag", "Ana", "Ben", "Cy").stderr.lower()
        path.unlink()
    assert run_on(path, "new", "zigzag", "Ana", "Ben", "Cy").exit_code == 0


def test_restore_brings_back_a_ledger_that_is_gone(path: Path) -> None:
    path.unlink()
    assert run_on(path, "restore", str(path.with_name("older"))).exit_code == 0
    assert run_on(path, "list").exit_code == 0


def test_nothing_is_appended_to_another_ledger_in_the_same_place(path: Path, tmp_path) -> None:
    with SqliteStore(tmp_path / "other.sqlite") as other_ledger:
        other_ledger.append("other", 0, [CAPITALS, *(Note(f"note {number}") for number in range(20))])
    shutil.copy(tmp_path / "other.sqlite", path)
    with SqliteStore(path) as store:
        with pytest.raises(Corrupt, match="event 4 is not the one that was there: it was changed, or this is another"):
            store.append("other", 21, [Note("x")])
        assert store.version("other") == 21
    assert "this is another ledger" in run_on(path, "list").stderr
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        assert store.append("other", 21, [Note("x")]) == 22


def test_an_unreadable_high_water_mark_says_what_to_do(path: Path) -> None:
    mark = Path(f"{path}.head")
    mark.write_bytes(bytes(8192))
    with SqliteStore(path) as store, pytest.raises(Corrupt) as caught:
        store.append("new", 0, [CAPITALS])
    reason = str(caught.value)
    assert "Run `domino-ledger verify --against` a head of the log that you kept; if the ledger is intact" in reason
    assert "`domino-ledger repair --accept-loss` makes a new mark" in reason
    listing = run_on(path, "list")
    assert "kept" in listing.stdout
    assert "the high-water mark cannot be read, so it is unknown whether events are missing" in listing.stderr
    assert run_on(path, "repair", "--accept-loss", "--yes").exit_code == 0
    with SqliteStore(path) as store:
        store.append("new", 0, [CAPITALS])
        assert store.loss() == ""
        assert head_of(store) == check(store).log_head


@pytest.fixture
def ledger(path: Path) -> str:
    """A ledger that has lost its newest event, which is in no backup."""
    return str(path)


def test_a_loss_can_be_accepted_on_purpose(ledger: str, tmp_path) -> None:
    def repair(*words: str) -> Result:
        return run_on(ledger, "repair", "--backup", str(tmp_path / f"{uuid4().hex}"), *words)

    refused = repair()
    assert refused.exit_code == 1
    assert "if no backup has them, `repair --accept-loss` goes on without them" in refused.stderr
    unanswered = run_on(ledger, "repair", "--accept-loss", "--backup", str(tmp_path / "no"))
    assert unanswered.exit_code == 130, "nobody said yes"
    with open_ledger(ledger) as store:
        assert "gone: it had" in store.loss()
    accepted = repair("--accept-loss", "--yes")
    assert (accepted.exit_code, "accepted: " in accepted.stderr) == (0, True), accepted.stderr
    with open_ledger(ledger) as store:
        assert store.loss() == ""
        assert store.append("kept", 2, [Note("three")]) == 3
    check = run_on(ledger, "verify")
    assert (check.exit_code, "intact, 3 events" in check.stderr) == (0, True), check.stderr
    assert "there is no loss to accept" in repair("--accept-loss").stderr


def test_a_server_that_runs_goes_on_after_a_loss_was_accepted(path: Path) -> None:
    with SqliteStore(path) as running:
        assert running.loss()
        assert run_on(path, "repair", "--accept-loss", "--yes").exit_code == 0
        assert running.loss() == ""
        running.append("kept", 2, [Note("two")])
        assert head_of(running) == check(running).log_head


def test_one_damaged_row_hides_no_other(path: Path) -> None:
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        store.append("bad", 0, [CAPITALS])
        store.append("third", 0, [CAPITALS])
        with store.connection.writing():
            store.connection.many("UPDATE record SET players = '[[' WHERE id = 'bad'", [()])
        client = client_of(store)
        rows = {row.id: row for row in store.find(Query())}
        assert [rows[id_].corrupt for id_ in ("kept", "bad", "third")] == [False, True, False]
        for page in ("/", "/?player=A", "/?game=zigzag", "/api/v1/records"):
            answer = client.get(page)
            assert answer.status_code == 200, page
            assert "kept" in answer.text
        assert "damaged" in client.get("/").text
        assert [row["id"] for row in client.get("/api/v1/records").json["records"] if row["corrupt"]] == ["bad"]  # type: ignore[index]
        assert client.get("/g/bad").status_code == 200
    listing = run_on(path, "list")
    assert listing.exit_code == 2
    assert "record bad: its row in the list is damaged; `domino-ledger repair` restores it" in listing.stderr
    assert "third" in listing.stdout


def test_bytes_that_are_not_text_hide_no_other_row(path: Path) -> None:
    Path(f"{path}.head").unlink()
    with SqliteStore(path) as store:
        store.append("bad", 0, [CAPITALS])
        for statement in (
            "UPDATE record SET players = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
            "UPDATE record SET game = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
            "UPDATE record SET place = CAST(x'5b5bff' AS TEXT) WHERE id = 'bad'",
        ):
            with store.connection.writing():
                store.connection.many(statement, [()])
            assert {"kept", "bad"} <= {row.id for row in store.find(Query())}
            assert client_of(store).get("/").status_code == 200
        store.rebuild()
        assert not [row for row in store.find(Query()) if row.corrupt]


def test_a_mark_follows_the_events_of_all_writers(tmp_path) -> None:
    log = [("r", bytes([number]) * 32) for number in range(6)]
    mine, other = (EndMark(tmp_path / "a.head") for _ in range(2))
    for event, mark in zip(log, (mine, mine, other, mine, other, other), strict=True):
        mark.write((mark.read() or NOTHING).grown([event]))
    whole = NOTHING.grown(log)
    assert (whole.size, whole.link) == (6, log[-1][1])
    for n in range(6):
        assert NOTHING.grown(log[:n]).grown(log[n:]) == whole
        assert NOTHING.grown([*log[:n], ("s", log[n][1]), *log[n + 1 :]]).digest != whole.digest
    for mark in (mine, other):
        assert mark.read() == whole
        mark.close()


def test_a_mark_whose_newer_slot_was_cut_off_is_the_one_before(tmp_path) -> None:
    log = [("r", bytes([number]) * 32) for number in range(3)]
    mark = EndMark(tmp_path / "a.head")
    for event in log:
        mark.write((mark.read() or NOTHING).grown([event]))
    contents = (tmp_path / "a.head").read_bytes()
    for at, size in ((0, 2), (4096, 3)):
        (tmp_path / "a.head").write_bytes(contents[:at] + bytes(40) + contents[at + 40 :])
        assert mark.read() == NOTHING.grown(log[:size])
    mark.close()


def test_a_file_that_was_copied_without_its_log_is_doubted(tmp_path) -> None:
    path, left = tmp_path / "a.sqlite", tmp_path / "left.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [opening()])
    with SqliteStore(path) as store:
        store.append("r", 1, [Note("in the log")])
        shutil.copy(path, left)
        head = (tmp_path / "a.sqlite.head").read_bytes()
    with SqliteStore(path) as store:
        assert (store.connection.doubt, store.connection.read_only) == ("", False)
    with SqliteStore(left) as copy:
        assert copy.connection.read_only
        assert copy.connection.doubt == (
            f"{left} was in use when it was copied, and left.sqlite-wal is missing: its newest events may be lost. "
            "Put left.sqlite-wal and left.sqlite.head from the original beside it. If they are gone, "
            "`domino-ledger --ledger left.sqlite copy NEW.sqlite` makes a ledger of what is left"
        )
    (tmp_path / "left.sqlite.head").write_bytes(head)
    with SqliteStore(left) as copy:
        assert copy.connection.doubt == ""


# ---- A damaged ledger: whichever bit is wrong, users get a sentence, and the undamaged parts can still be used.


BITS = int(os.environ.get("DOMINO_FLIPS", "60")) // 4
FLIP_SEED = 6


@pytest.fixture
def damaged_ledger(tmp_path) -> Path:
    """A ledger of some fixtures, read once, so that its derived tables are complete."""
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for item in islice(items(str(FIXTURES / "build-up")), 0, None, 3):
            recorder.import_record(item.result)  # type: ignore[arg-type]  # fixtures are records
    assert CliRunner().invoke(cli, ["--ledger", str(path), "list"]).exit_code == 0
    return path


@pytest.mark.usefixtures("compiled")
def test_no_flipped_bit_shows_anybody_a_traceback(damaged_ledger: Path, tmp_path) -> None:
    random, whole = Random(FLIP_SEED), damaged_ledger.read_bytes()
    with SqliteStore(damaged_ledger) as store:
        name = random.choice(list(store.ids()))
    outcomes: Counter[str] = Counter()
    for number in range(BITS):
        at = random.randrange(100, len(whole))
        broken = tmp_path / f"{number}.sqlite"
        broken.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :])
        for command in (["list"], ["audit", "--json"], ["verify"], ["show", name], ["export"], ["list", "--game", "x"]):
            result = CliRunner().invoke(cli, ["--ledger", str(broken), *command])
            assert isinstance(result.exception, SystemExit | None), (at, command, result.exception)
            outcomes[f"{command[0]} {result.exit_code}"] += 1
        try:
            store = SqliteStore(broken)
        except LedgerError:
            continue
        with store:
            client = create_app(lambda store=store: store).test_client()  # type: ignore[misc]
            for page in (
                "/",
                f"/g/{name}",
                f"/api/v1/records/{name}/report",
                f"/api/v1/records/{name}/screen",
                "/api/v1/records",
            ):
                status = client.get(page).status_code
                assert status in (200, 404, 422, 503), (at, page)
                outcomes[f"{page[:3]} {status}"] += 1
    # Most bits belong to events, and damage to one record does not affect the others.
    assert outcomes["verify 1"] > BITS / 4, outcomes
    assert outcomes["list 0"] > BITS / 2, outcomes


def test_one_damaged_record_is_reported_and_the_others_are_audited(damaged_ledger: Path) -> None:
    text = damaged_ledger.read_bytes()
    at = text.index(b'"type":"stack","player":"') + len(b'"type":"stack","player":"')
    damaged_ledger.write_bytes(text[:at] + b"\x7f" + text[at + 1 :])
    listing = CliRunner().invoke(cli, ["--ledger", str(damaged_ledger), "list"])
    assert listing.exit_code == 0
    audit = CliRunner().invoke(cli, ["--ledger", str(damaged_ledger), "audit"])
    assert audit.exit_code == 2
    assert audit.stderr.count("Error: record ") == 1
    assert "does not follow from the one before it: it was changed" in audit.stderr


def test_a_schema_that_not_even_sqlite_can_quote_is_no_traceback(damaged_ledger: Path, tmp_path) -> None:
    whole = damaged_ledger.read_bytes()
    starts = [match.end() for match in re.finditer(rb"CREATE (TABLE|INDEX|TRIGGER|VIEW)", whole)]
    refused = 0
    for at in starts:
        broken = tmp_path / f"{at}.sqlite"
        broken.write_bytes(whole[:at] + b"\xa8" + whole[at + 1 :])
        for command in (["list"], ["verify"], ["export"], ["repair"], ["backup", str(tmp_path / f"{at}.copy")]):
            result = CliRunner().invoke(cli, ["--ledger", str(broken), *command])
            assert isinstance(result.exception, SystemExit | None), (at, command, result.exception)
            refused += bool(result.exit_code)
    assert refused > len(starts)


def test_a_list_of_ids_that_cannot_be_read_is_no_500(damaged_ledger: Path, monkeypatch) -> None:
    def unreadable(_start: str = "") -> list[str]:
        raise LedgerError("the ledger is damaged: database disk image is malformed")

    with SqliteStore(damaged_ledger) as store:
        monkeypatch.setattr(store, "ids", unreadable)
        client = create_app(lambda: store).test_client()
        # The page looks for records whose id begins with these words.
        answer = client.get("/?q=0000000000")
        assert answer.status_code == 503
        assert "The ledger cannot do that now" in answer.text


@pytest.mark.parametrize("left", [100, 5000, -4096])
def test_a_file_that_was_cut_off_says_what_to_do(tmp_path, left: int) -> None:
    path = tmp_path / "cut.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
    path.write_bytes(path.read_bytes()[:left])
    for words in ("list", "verify", "export", "repair"):
        result = CliRunner().invoke(cli, ["--ledger", str(path), words])
        assert (result.exit_code, "cut off or is too damaged to be read. Keep it" in result.stderr) == (3, True), words
    restored = CliRunner().invoke(cli, ["--ledger", str(tmp_path / "new.sqlite"), "restore", str(path)])
    assert "cut off or is too damaged" in restored.stderr
    assert not (tmp_path / "new.sqlite").exists()
