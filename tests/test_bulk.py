"""Audits of many records: several processes give the same result as one, and end with a sentence if one is killed."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from command_output import outcome_of
from golden import CASES
from ledger.bulk import executors
from ledger.bulk.auditing import Format, Input, LedgerChunk, audit_chunk
from ledger.bulk.executors import _over, processes
from ledger.cli import audit_command
from ledger.cli.terminal import progress
from ledger.keep.sources import items
from ledger.keep.stored_audits import refresh
from ledger.record import codec
from ledger.record.errors import LedgerError
from ledger.stores import questions
from ledger.stores.questions import read_checked
from ledger.stores.store import SqliteStore
from test_log_head import force
from waiting import PATIENCE, wait_until

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::9]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch) -> None:
    """Divides few records into many chunks."""
    monkeypatch.setattr("ledger.bulk.auditing.MOST", 5000)
    monkeypatch.setattr("ledger.bulk.auditing.MANY", 5)


@pytest.fixture
def archive(tmp_path) -> Path:
    """An archive in which some lines are not records."""
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join([*LINES[:20], b"nonsense\n\n", *LINES[20:], b'{"format":"domino-ledger/1","events":[]}']))
    return path


@pytest.fixture
def ledger_file(tmp_path) -> Path:
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
    ("large", "cores", "options", "count"),
    [(0, 3, [], 3), (0, 1, [], 1), (0, 3, ["--jobs", "1"], 1), (1 << 40, 3, [], 1), (1 << 40, 3, ["--jobs", "2"], 2)],
)
def test_a_large_input_gets_a_process_for_each_core_unless_you_say_otherwise(
    large: int, cores: int, options: list[str], count: int, archive: Path, monkeypatch
) -> None:
    started = []
    monkeypatch.setattr(executors, "LARGE", large)
    monkeypatch.setattr(executors, "cores", lambda: cores)
    monkeypatch.setattr(audit_command, "processes", lambda jobs: started.append(jobs) or processes(1))
    assert outcome_of("audit", "--json", *options, str(archive)) == outcome_of(
        "audit", "--json", "--jobs", "1", str(archive)
    )
    assert started == [count, 1]


@pytest.mark.wide
def test_folders_and_compressed_files_are_audited_by_many_processes(tmp_path) -> None:
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
    chunks = [chunk for chunk, _done in Input(str(ledger_file), ()).chunks() if isinstance(chunk, LedgerChunk)]
    assert len(chunks) > 1
    with SqliteStore(ledger_file) as store:
        pairs = [pair for chunk in chunks for pair in read_checked(store, chunk.ids)]
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
def test_many_processes_verify_a_ledger_as_one_does(change: str, ledger_file: Path, monkeypatch) -> None:
    audit = "UPDATE audit SET summary = replace(summary, '\"hands\":', '\"hands\":9') WHERE record > 'r00'"
    with SqliteStore(ledger_file) as store:
        assert len(list(refresh(store))) == len(RECORDS)
    force(ledger_file, *([] if change == "none" else [CHANGES[change][0] if change in CHANGES else audit]))
    expected = outcome_of("--ledger", str(ledger_file), "verify")
    assert expected[0] == 1  # the triggers are gone
    assert ("audit differs" in expected[2]) == (change == "an audit")
    monkeypatch.setattr(executors, "LARGE", 0)
    monkeypatch.setattr(executors, "cores", lambda: 3)
    assert outcome_of("--ledger", str(ledger_file), "verify") == expected


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("options", [[], pytest.param(["--jobs", "2"], marks=pytest.mark.wide)], ids=["one", "two"])
def test_a_corrupt_record_is_reported_and_the_rest_audited(change: str, options: list[str], ledger_file: Path) -> None:
    statement, record = CHANGES[change]
    force(ledger_file, statement)
    code, out, err = outcome_of("--ledger", str(ledger_file), "audit", "--json", *options)
    assert code == 2
    assert err.startswith(f"Error: record {record}")
    assert len(err.splitlines()) == 1
    assert len(out.splitlines()) == len(RECORDS) - 1
    assert "1 corrupt" in outcome_of("--ledger", str(ledger_file), "audit", *([record] if record else []))[1]


def kill(number: int) -> int:
    """Kills the process that it runs in, at one number."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_a_process_that_is_killed_ends_the_audit_with_a_sentence() -> None:
    with (
        pytest.raises(LedgerError, match=r"^a process was killed, .*: begin again with fewer --jobs$"),
        processes(2) as run,
    ):
        list(run(kill, range(9)))


def test_only_a_few_things_are_read_ahead_and_the_order_stays() -> None:
    read = []

    def numbers() -> Iterator[int]:
        for number in range(50):
            read.append(number)
            yield number

    with ThreadPoolExecutor(2) as executor:
        squares: Iterator[Any] = _over(executor, 4, lambda number: number**2, numbers())
        assert next(squares) == (0, 0)
        assert len(read) <= 5
        assert list(squares) == [(number, number**2) for number in range(1, 50)]


def test_a_fault_in_a_process_is_raised_in_the_main_one(ledger_file: Path, tmp_path) -> None:
    parts = list(Input(str(ledger_file), ()).chunks())
    ledger_file.rename(tmp_path / "elsewhere")
    ledger_file.mkdir()
    with pytest.raises(LedgerError, match=r"a\.sqlite"), processes(2) as run:
        list(run(partial(audit_chunk, Format()), parts))


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
    command = [sys.executable, "-m", "ledger", "audit", "--json", "--jobs", "3", str(path)]
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Tests that run behind a shell ignore Ctrl+C, and so would this.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  one thread
    )
    assert running.stdout is not None
    assert running.stdout.readline()
    assert len(running_states(running.pid)) >= 4
    yield running
    wait_until(lambda: not running_states(running.pid), "its processes end")


IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")


@pytest.mark.wide
@IN_PROC
def test_ctrl_c_ends_all_processes_without_a_traceback(tmp_path) -> None:
    with running_audit(tmp_path) as running:
        os.killpg(running.pid, signal.SIGINT)
        _out, err = running.communicate(timeout=PATIENCE)
        assert err == b"\n"
        assert running.returncode == 130


@pytest.mark.wide
@IN_PROC
def test_no_process_outlives_a_main_one_that_is_killed(tmp_path) -> None:
    with running_audit(tmp_path) as running:
        running.kill()
        running.communicate(timeout=PATIENCE)


class Terminal(io.StringIO):
    """An error output that counts as a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_at_once(monkeypatch) -> Terminal:
    """A terminal on which bars appear at once."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("ledger.cli.terminal.PATIENCE", 0.0)
    return terminal


def test_a_terminal_shows_how_much_of_the_input_is_audited(archive: Path, monkeypatch) -> None:
    terminal = terminal_at_once(monkeypatch)
    size = Input("", [str(archive)]).size
    parts = Input("", (str(archive),)).chunks()
    done = [part[1] for part in progress(parts, "auditing", size, lambda part: part[1])]
    assert done == sorted(done)
    assert done[-1] == size == archive.stat().st_size
    assert "100%" in terminal.getvalue()


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_that_wants_no_control_codes_gets_no_bar(plain: dict[str, str], monkeypatch) -> None:
    terminal = terminal_at_once(monkeypatch)
    assert list(progress(range(3), "counting")) == [0, 1, 2]
    assert "\x1b[" in terminal.getvalue()
    terminal = terminal_at_once(monkeypatch)
    for name, value in plain.items():
        monkeypatch.setenv(name, value)
    assert list(progress(range(3), "counting")) == [0, 1, 2]
    assert terminal.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert list(progress(range(3), "counting")) == [0, 1, 2]
    assert file.getvalue() == ""


def test_the_size_of_a_ledger_is_where_its_last_chunk_ends(ledger_file: Path) -> None:
    records = Input(str(ledger_file), ())
    done = [done for _chunk, done in records.chunks()]
    assert done == sorted(done)
    assert done[-1] == records.size


def test_an_input_that_can_be_read_only_once_is_read_once(tmp_path) -> None:
    pipe = tmp_path / "pipe.ndjson"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(b"".join(LINES[:20]),))
    writer.start()
    status, out, _err = outcome_of("audit", "--json", "--jobs", "2", str(pipe))
    writer.join()
    assert status in (0, 1)
    assert out.count("\n") == 20


def test_a_line_that_is_too_long_is_reported_and_never_held_in_memory(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("ledger.record.codec.LONGEST", 20_000)
    path = tmp_path / "all.ndjson"
    record = codec.encode(codec.decode(CASES[0].read_bytes()))
    assert len(record) < 20_000
    long = b'{"text": "%b"}' % (b"x" * 3_000_000)
    path.write_bytes(b"\n".join((record, long, record, record, long)))
    expected = [(item.name, str(item.result)) for item in items(str(path))]
    chunks = [chunk for chunk, _done in Input("", (str(path),)).chunks()]
    assert all(len(chunk.data) < 5 * 20_000 for chunk in chunks)
    results = [result for part in Input("", (str(path),)).chunks() for result in audit_chunk(Format(), part)]
    assert [result.error for result in results if result.error] == [
        text for _name, text in expected if "longer than" in text
    ]
    assert f"{path}:2: it is longer than" in expected[1][1]
