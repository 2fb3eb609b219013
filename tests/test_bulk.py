"""Audits of many records: several processes give the same result as one, whatever happens to the processes."""

from __future__ import annotations

import io
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from command_output import outcome_of, results_of
from golden import CASES
from ledger.bulk import crew
from ledger.bulk.chunks import PACKED, Plan, Position
from ledger.bulk.crew import Crew, alone
from ledger.bulk.work import Format, Result, audit_chunk, read_lines
from ledger.cli import bulk_audit
from ledger.cli.bulk_audit import with_progress
from ledger.keep.sources import FileChunk, TextChunk, file_chunks, items, read
from ledger.keep.stored_audits import refresh
from ledger.record import codec
from ledger.record.errors import LedgerError
from ledger.stores import questions
from ledger.stores.checked import last_opening, read_checked, split
from ledger.stores.sqlite import SqliteStore
from waiting import PATIENCE, wait_until

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::9]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divides few records into many chunks."""
    monkeypatch.setattr("ledger.bulk.chunks.MOST", 5000)
    monkeypatch.setattr("ledger.bulk.chunks.MANY", 5)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive in which some lines are not records."""
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join([*LINES[:20], b"nonsense\n\n", *LINES[20:], b'{"format":"domino-ledger/1","events":[]}']))
    return path


@pytest.fixture
def ledger_file(tmp_path: Path) -> Path:
    """A ledger."""
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        store.append_records((f"r{number:03}", record.events) for number, record in enumerate(RECORDS))
    return path


@pytest.mark.every(3)
@pytest.mark.parametrize("form", ["--json", "--markdown", None])
def test_many_processes_give_the_same_result_as_one(form: str | None, archive: Path) -> None:
    options = [form] if form else []
    expected = outcome_of("audit", *options, str(archive))
    assert expected[0] == 2
    assert expected[2].count("Error: ") == 2
    assert outcome_of("audit", "--jobs", "3", *options, str(archive)) == expected


@pytest.mark.parametrize(
    ("large", "cores", "options", "processes"),
    [(0, 3, [], 3), (0, 1, [], 1), (0, 3, ["--jobs", "1"], 1), (1 << 40, 3, [], 1), (1 << 40, 3, ["--jobs", "2"], 2)],
)
def test_a_large_input_gets_a_process_for_each_core_unless_you_say_otherwise(
    large: int, cores: int, options: list[str], processes: int, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    monkeypatch.setattr(crew, "LARGE", large)
    monkeypatch.setattr(crew, "LARGE_FOR_COPIES", large)
    monkeypatch.setattr(crew, "cores", lambda: cores)
    monkeypatch.setattr(bulk_audit, "Crew", lambda jobs, work, **_forks: started.append(jobs) or Crew(1, work))
    assert outcome_of("audit", "--json", *options, str(archive)) == outcome_of(
        "audit", "--json", "--jobs", "1", str(archive)
    )
    assert started == ([processes] if processes > 1 else [])


@pytest.mark.parametrize(("name", "factor"), [("a.ndjson", 1), ("a.ndjson.zst", PACKED)])
def test_the_weight_of_a_compressed_file_is_that_of_its_records(name: str, factor: int, tmp_path: Path) -> None:
    path = tmp_path / name
    with codec.open_bytes(path, "wb") as out:
        out.writelines(LINES)
    with closing(Plan("", [str(path), str(path)])) as plan:
        assert plan.weight == 2 * factor * path.stat().st_size


def test_the_weight_of_a_ledger_is_about_that_of_its_archive(ledger_file: Path) -> None:
    archive = sum(len(codec.encode_lines(record)) for record in RECORDS)
    with closing(Plan(str(ledger_file), ())) as plan:
        assert archive / 2 < plan.weight < archive * 2


@pytest.mark.wide
def test_folders_and_compressed_files_are_audited_by_many_processes(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for path in CASES[:9]:
        (folder / path.name).write_bytes(path.read_bytes())
    with codec.open_bytes(folder / "z.ndjson.zst", "wb") as out:
        out.writelines(LINES)
    expected = outcome_of("audit", "--json", str(folder))
    assert len(expected[1].splitlines()) == 9 + len(LINES)
    assert outcome_of("audit", "--json", "--jobs", "2", str(folder)) == expected


def test_many_processes_audit_a_ledger_and_its_named_records_alike(ledger_file: Path) -> None:
    ids = [f"r{number:03}" for number in range(len(RECORDS))]
    expected = outcome_of("--ledger", str(ledger_file), "audit", "--json")
    assert outcome_of("--ledger", str(ledger_file), "audit", "--json", "--jobs", "2") == expected
    assert outcome_of("--ledger", str(ledger_file), "audit", "--json", *ids) == expected
    assert len(expected[1].splitlines()) == len(RECORDS)


def test_a_divided_ledger_gives_its_records_unchanged(ledger_file: Path) -> None:
    with SqliteStore(ledger_file) as store:
        openings = range(1, last_opening(store) + 1)
        pairs = [pair for part in split(store, openings, 10) for pair in read_checked(store, part)]
        assert pairs == list(questions.records(store))


CHANGES = {
    "an event": ("UPDATE event SET body = CAST(body || ' ' AS BLOB) WHERE record = 'r003' AND seq = 1", "r003"),
    "a link": ("UPDATE event SET link = zeroblob(32) WHERE record = 'r004' AND seq = 2", "r004"),
    "an end": ("DELETE FROM event WHERE record = 'r005' AND seq = (SELECT max(seq) FROM event WHERE record = 'r005')",
               "r005"),
    "all of it": ("DELETE FROM event WHERE record = 'r006'", "r006"),
    "a name": ("UPDATE name SET names = '{\"p1\":\"Zoe\"}' WHERE record = (SELECT min(record) FROM name)", ""),
}  # fmt: skip


@pytest.mark.parametrize("change", ["none", "an audit", "an event"])
def test_many_processes_verify_a_ledger_as_one_does(
    change: str, ledger_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = "UPDATE audit SET summary = replace(summary, '\"hands\":', '\"hands\":9') WHERE record > 'r00'"
    with SqliteStore(ledger_file) as store:
        assert len(list(refresh(store))) == len(RECORDS)
    db = sqlite3.connect(ledger_file)
    for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {trigger}")
    if change != "none":
        assert db.execute(CHANGES[change][0] if change in CHANGES else audit).rowcount
    db.commit()
    db.close()
    expected = outcome_of("--ledger", str(ledger_file), "verify")
    assert expected[0] == 1  # the triggers are gone
    assert ("audit differs" in expected[2]) == (change == "an audit")
    monkeypatch.setattr(crew, "LARGE", 0)
    monkeypatch.setattr(crew, "cores", lambda: 3)
    assert outcome_of("--ledger", str(ledger_file), "verify") == expected


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("options", [[], pytest.param(["--jobs", "2"], marks=pytest.mark.wide)], ids=["one", "two"])
def test_a_corrupt_record_is_reported_and_the_rest_audited(change: str, options: list[str], ledger_file: Path) -> None:
    statement, record = CHANGES[change]
    db = sqlite3.connect(ledger_file)
    for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {trigger}")
    assert db.execute(statement).rowcount
    db.commit()
    db.close()
    code, out, err = outcome_of("--ledger", str(ledger_file), "audit", "--json", *options)
    assert code == 2
    assert err.startswith(f"Error: record {record}")
    assert len(err.splitlines()) == 1
    assert len(out.splitlines()) == len(RECORDS) - 1
    assert "1 corrupt" in outcome_of("--ledger", str(ledger_file), "audit", *([record] if record else []))[1]


@pytest.mark.wide
def test_a_process_that_is_killed_loses_no_record_and_doubles_none(archive: Path) -> None:
    plan = Plan("", [str(archive)])
    expected = results_of(alone(plan.tasks(Position()), Format))
    kills, results = 0, list[Result]()
    with Crew(2, audit_chunk) as crew:
        for count, (_task, batch) in enumerate(crew.run(plan.tasks(Position()), Format)):
            results += batch
            # On a quick machine the other process may have nothing to do at that moment.
            for worker, _number in list(crew._busy.values()) if count % 2 == 0 else ():
                worker.kill()
                kills += 1
    assert results == expected
    assert kills


@pytest.mark.wide
def test_a_chunk_that_kills_every_process_is_given_up_with_a_sentence(archive: Path) -> None:
    plan, ended = Plan("", [str(archive)]), False
    with Crew(2, audit_chunk) as crew:

        def kill() -> None:
            while not ended:
                for worker, _number in list(crew._busy.values()):
                    worker.kill()
                time.sleep(0.001)

        killer = Thread(target=kill)
        killer.start()
        try:
            with pytest.raises(LedgerError, match=r"a\.ndjson, before \d+: the process was killed 3 times"):
                list(crew.run(plan.tasks(Position()), Format))
        finally:
            ended = True
            killer.join()


def test_a_fault_in_a_process_is_raised_in_the_main_one(ledger_file: Path, tmp_path: Path) -> None:
    plan = Plan(str(ledger_file), [])
    with Crew(2, audit_chunk) as crew:
        tasks = iter(list(plan.tasks(Position())))
        ledger_file.rename(tmp_path / "elsewhere")
        ledger_file.mkdir()
        with pytest.raises(LedgerError, match=r"a\.sqlite"):
            list(crew.run(tasks, Format))


def running_states(group: int) -> list[str]:
    """The states of the running processes of a group."""
    states = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have ended by now
            state, _parent, process_group = path.read_text().rpartition(") ")[2].split()[:3]
            states += [state] if int(process_group) == group and state != "Z" else []
    return states


@contextmanager
def running_audit(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command with processes of its own that has written its first results.  Afterwards, all must have ended."""
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(LINES * 900))
    command = [sys.executable, "-m", "ledger.cli", "audit", "--json", "--jobs", "3", str(path)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert running.stdout is not None
    assert running.stdout.readline()
    assert len(running_states(running.pid)) == 4
    yield running
    wait_until(lambda: not running_states(running.pid), "its processes end")


IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")


@pytest.mark.wide
@IN_PROC
def test_ctrl_c_ends_all_processes_without_a_traceback(tmp_path: Path) -> None:
    with running_audit(tmp_path) as running:
        os.killpg(running.pid, signal.SIGINT)
        _out, err = running.communicate(timeout=PATIENCE)
        assert err == b"\n"
        assert running.returncode == 130


@pytest.mark.wide
@IN_PROC
def test_no_process_outlives_a_main_one_that_is_killed(tmp_path: Path) -> None:
    with running_audit(tmp_path) as running:
        running.kill()
        running.communicate(timeout=PATIENCE)


FORKED = """
import sys
from ledger.bulk.chunks import Chunk, Plan, Position
from ledger.bulk.crew import Crew
from ledger.bulk.work import Format

def known(chunk: Chunk, _format: Format) -> list[bool]:
    return [hasattr(sys, "known_here")]

if __name__ == "__main__":
    sys.known_here = True
    with Crew(2, known, forks=len(sys.argv) == 2) as crew:
        for number, (_task, results) in enumerate(crew.run(Plan("", [sys.argv[1]] * 3).tasks(Position()), Format)):
            print(*results)
            for worker in [worker for worker, _number in crew._busy.values()] if not number else ():
                worker.kill()
"""


@pytest.mark.wide
@pytest.mark.skipif(sys.platform != "linux", reason="copies of a process are not safe elsewhere")
@pytest.mark.parametrize(("options", "copied"), [([], "True"), (["spawn"], "False")])
def test_processes_are_copies_of_a_main_one_without_threads(
    options: list[str], copied: str, archive: Path, tmp_path: Path
) -> None:
    script = tmp_path / "forked.py"
    script.write_text(FORKED)
    assert set(subprocess.check_output([sys.executable, script, archive, *options], text=True).split()) == {copied}


class Terminal(io.StringIO):
    """An error output that counts as a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_progress_and_speed(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, terminal = Plan("", [str(archive)]), Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("ledger.cli.terminal.PATIENCE", 0.0)
    batches = list(with_progress(alone(plan.tasks(Position()), Format), plan))
    assert batches == list(alone(plan.tasks(Position()), Format))
    assert [task.done for task, _results in batches] == sorted(task.done for task, _results in batches)
    assert batches[-1][0].done == plan.size == archive.stat().st_size
    shown = terminal.getvalue()
    assert re.search(rf"{len(RECORDS) + 2} records, .*/s", shown)
    assert "100%" in shown


def test_a_plan_knows_the_size_of_a_ledger(ledger_file: Path) -> None:
    plan = Plan(str(ledger_file), [])
    offsets = [task.done for task in plan.tasks(Position())]
    plan.close()
    assert offsets == sorted(offsets)
    assert offsets[-1] == plan.size


def test_an_input_that_can_be_read_only_once_cannot_be_resumed(tmp_path: Path) -> None:
    pipe, whole = tmp_path / "pipe.ndjson", tmp_path / "whole.ndjson"
    os.mkfifo(pipe)
    whole.write_bytes(LINES[0])
    for name, repeatable in ((str(pipe), False), ("-", False), (str(whole), True)):
        plan = Plan(str(tmp_path / "none.sqlite"), [name])
        assert plan.repeatable == repeatable
        if not repeatable:
            status, _out, err = outcome_of("audit", "--resume", "-o", str(tmp_path / "out.ndjson"), name)
            assert status == 2
            assert "cannot be resumed: the input is gone" in err


def test_an_input_that_can_be_read_only_once_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.ndjson"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(b"".join(LINES[:20]),))
    writer.start()
    status, out, _err = outcome_of("audit", "--json", "--jobs", "2", str(pipe))
    writer.join()
    assert status in (0, 1)
    assert out.count("\n") == 20


def test_a_line_that_is_too_long_is_reported_and_never_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.record.codec.LONGEST", 20_000)
    path = tmp_path / "all.ndjson"
    record = codec.encode(codec.decode(CASES[0].read_bytes()))
    assert len(record) < 20_000
    long = b'{"text": "%b"}' % (b"x" * 3_000_000)
    path.write_bytes(b"\n".join((record, long, record, record, long)))
    expected = [(item.name, str(item.result)) for item in items(str(path))]
    by_lines = [chunk for chunk, _lines in file_chunks(str(path), 5000)]
    by_bytes = [FileChunk(str(path), at, at + 400_000, 0) for at in range(0, path.stat().st_size, 400_000)]
    for chunks in (by_lines, by_bytes):
        assert all(len(read_lines(chunk)) < 5 * 20_000 for chunk in chunks)
        lines = [line for chunk in chunks for line in read_lines(chunk).splitlines()]
        assert [line[:20] for line in lines] == [line[:20] for line in path.read_bytes().splitlines()]
    actual = [
        (item.name, str(item.result))
        for chunk in by_lines
        for item in read(TextChunk(chunk.path, chunk.line, read_lines(chunk), chunk.end or 0, 0))
    ]
    assert actual == expected
    assert f"{path}:2: it is longer than" in expected[1][1]
