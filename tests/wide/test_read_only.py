"""A ledger that cannot be written is read and served, and a server that stops leaves one complete file.

A program under root may write anywhere, so the tests remove that right from the programs that they start.
"""

import ctypes
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from golden import FIXTURES
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.record import codec
from ledger.record.errors import LedgerError
from ledger.record.events import Note, Open, Player
from ledger.stores.store import SqliteStore
from serve_process import ServeProcess

CASE = codec.decode((FIXTURES / "zigzag" / "take-broken.json").read_bytes())
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
_DROP_FROM_BOUNDING_SET, _OVERRIDE_WRITE, _OVERRIDE_READ = 24, 1, 2


def obey() -> None:
    """Makes the program that starts now obey permissions even as root."""
    with suppress(OSError, AttributeError):
        for right in (_OVERRIDE_WRITE, _OVERRIDE_READ):
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, right, 0, 0, 0)


def command(path: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-u", "-m", "ledger", "--ledger", str(path), *arguments]


def run(path: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command on a ledger, in a program that obeys permissions."""
    return subprocess.run(
        command(path, *arguments), capture_output=True, text=True, check=False, preexec_fn=obey, **options
    )


READS = (("list",), ("show", "r"), ("verify",), ("export",))
ONE_BY_ONE = """
import json, sys
from click.testing import CliRunner
from ledger.cli import cli
for arguments in json.loads(sys.argv[1]):
    done = CliRunner().invoke(cli, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, done.exception)
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""
"""Many commands in one program, each with its exit status and its output."""


def run_each(path: Path, commands: Sequence[Sequence[str]]) -> list[tuple[int, str, str]]:
    """The commands on a ledger, one after the other, in a program that obeys permissions."""
    arguments = json.dumps([["--ledger", str(path), *command] for command in commands])
    process = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, arguments], capture_output=True, text=True, check=False, preexec_fn=obey,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    return [tuple(json.loads(line)) for line in process.stdout.splitlines()]  # type: ignore[misc]  # three of them


def append_and_kill(path: Path) -> None:
    """Appends a note in a program that is killed immediately afterwards."""
    code = (
        "import os, sys; from ledger.stores.store import SqliteStore; from ledger.record.events import Note; "
        "from pathlib import Path; store = SqliteStore(Path(sys.argv[1])); "
        "store.append('r', store.version('r'), [Note('the last word')]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size


def make_read_only(folder: Path) -> None:
    """Removes write permission from a folder and all files in it."""
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


@pytest.fixture(params=["closed", "killed", "never audited", "only the file is read-only"])
def read_only_ledger(request, tmp_path) -> Iterator[Path]:
    """A ledger with one record that cannot be written to."""
    folder = tmp_path / "kept"
    folder.mkdir()
    path = folder / "club.sqlite"
    with SqliteStore(path) as store:
        Recorder(store).import_record(CASE, "r")
        if request.param != "never audited":
            list(refresh(store))
    if "killed" in request.param:
        append_and_kill(path)
    if request.param == "only the file is read-only":
        path.chmod(0o444)
    else:
        make_read_only(folder)
    yield path
    folder.chmod(0o755)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of each file in a folder, except for the index of SQLite's log, which readers make."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


def test_every_command_reads_a_ledger_that_cannot_be_written(read_only_ledger: Path, tmp_path) -> None:
    before = contents(read_only_ledger.parent)
    has_last_word = b"the last word" in before.get("club.sqlite-wal", b"")
    reads = (
        ("list",),
        ("show", "r"),
        ("history", "r"),
        ("verify",),
        ("verify", "r"),
        ("export", "-o", str(tmp_path / "out.ndjson")),
        ("backup", str(tmp_path / "copy.sqlite")),
        ("copy", str(tmp_path / "other.sqlite")),
    )
    *outcomes, audit, listing, new, refused = run_each(
        read_only_ledger,
        [*reads, ("audit",), ("list",), ("new", "zigzag", "Ana", "Ben", "Cy"), ("serve", "--port", "0")],
    )
    for arguments, (status, _out, err) in zip(reads, outcomes, strict=True):
        assert status == 0, (arguments, err)
    assert audit[0] == 1  # it has a breach
    assert ("the last word" in (tmp_path / "out.ndjson").read_text()) == has_last_word
    assert listing[1].splitlines()[1].split()[0] == "r"
    assert new[0] == 2
    assert "nothing was written" in new[2]
    assert refused[0] == 2
    assert "show it with --read-only" in refused[2]
    assert contents(read_only_ledger.parent) == before


def test_a_ledger_that_cannot_be_written_is_served(read_only_ledger: Path) -> None:
    with ServeProcess(read_only_ledger, "--read-only", preexec_fn=obey) as server:
        assert 'href="/g/r"' in server.page()
        assert "the last word" in server.page("g/r/sheet.txt") or not has_log(read_only_ledger)
        assert '"ok"' in server.page("healthz")
        assert server.stop() == 0


def has_log(path: Path) -> bool:
    return path.with_name(f"{path.name}-wal").exists()


def test_a_stop_leaves_one_complete_file_although_people_watched(tmp_path) -> None:
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
    with ServeProcess(path, preexec_fn=obey) as server:
        for _ in range(30):
            server.page("api/v1/records/r/news")
        with SqliteStore(path) as store:
            for n in range(10):
                store.append("r", n + 1, [Note(f"{n}")])
        for _ in range(10):
            server.page("g/r")
        assert has_log(path)
        assert server.stop() == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["club.sqlite", "club.sqlite.head"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(path, elsewhere)
    process = run(elsewhere / "club.sqlite", "verify")
    assert (process.returncode, "intact, 11 events" in process.stderr, "Warning" in process.stderr) == (0, True, False)


def test_a_stop_says_if_another_program_keeps_the_log(tmp_path) -> None:
    path = tmp_path / "club.sqlite"
    with ServeProcess(path, preexec_fn=obey) as server, SqliteStore(path) as store:
        store.append("r", 0, [OPENING])
        assert server.stop() == 0
        assert f"{path}-wal belongs to the ledger" in server.errors()


def test_opening_a_ledger_again_keeps_the_locks_of_this_program(tmp_path) -> None:
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store, store.connection.writing():
        SqliteStore(path).close()
        process = run(path, "new", "zigzag", "A", "B", "C")
        assert "database is locked" in process.stderr


@pytest.mark.parametrize("with_tables", [True, False], ids=["with tables", "without"])
def test_a_file_that_left_its_log_behind_is_noticed(tmp_path, with_tables: bool) -> None:
    path, alone = tmp_path / "club.sqlite", tmp_path / "alone.sqlite"
    if with_tables:
        with SqliteStore(path) as store:
            store.append("r", 0, [OPENING])
            shutil.copy(path, alone)
            assert store.connection.split
    else:
        with closing(sqlite3.connect(path)) as bare:
            bare.execute("PRAGMA journal_mode = WAL")
        shutil.copy(path, alone)
    commands = (("list",), ("show", "r"), ("export",), ("verify",), ("new", "zigzag", "A", "B", "C"))
    for arguments, (status, _out, err) in zip(commands, run_each(alone, commands), strict=True):
        assert "alone.sqlite-wal is missing" in err, arguments
        assert ("Put alone.sqlite-wal and alone.sqlite.head" in err) == (err != ""), arguments
        if not with_tables or arguments[0] in ("verify", "new"):
            assert status != 0, arguments
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith("alone")) == ["alone.sqlite"]
    if with_tables:
        with pytest.raises(LedgerError, match=r"alone\.sqlite-wal is missing"):
            SqliteStore(alone).append("s", 0, [OPENING])
        assert run(alone, "copy", str(tmp_path / "rest.sqlite")).returncode == 0


def test_a_busy_writer_stops_no_reader(tmp_path) -> None:
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store:
        Recorder(store).import_record(CASE, "r")
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            *reads, listing, audit = run_each(path, (*READS, ("list",), ("audit",)))
            assert [(status, err) for status, _out, err in reads if status] == []
            assert "1 record not audited" in listing[2]
            assert audit[0] == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk needs root")
def test_a_full_disk_stops_no_reader(tmp_path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        path = folder / "club.sqlite"
        with SqliteStore(path) as store:
            Recorder(store).import_record(CASE, "r")
        with suppress(OSError), (folder / "rest").open("wb", buffering=0) as rest:
            while rest.write(b"x" * 512):
                pass
        *reads, listing, new = run_each(path, (*READS, ("list",), ("new", "zigzag", "Ana", "Ben", "Cy")))
        assert [(status, err) for status, _out, err in reads if status] == []
        assert "1 record not audited" in listing[2]
        assert "nothing was written" in new[2]
        (folder / "rest").unlink()
        assert run(path, "new", "zigzag", "Ana", "Ben", "Cy").returncode == 0
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="a mount needs root")
@pytest.mark.parametrize("ended", ["closed", "killed"])
def test_a_disk_that_is_mounted_read_only_is_read(tmp_path, ended: str) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    path = folder / "club.sqlite"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with SqliteStore(path) as store:
            Recorder(store).import_record(CASE, "r")
        if "killed" in ended:
            append_and_kill(path)
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        commands = (
            ("list",), ("show", "r"), ("verify",), ("export", "-o", str(tmp_path / "out.ndjson")),
            ("backup", str(tmp_path / "copy.sqlite")), ("copy", str(tmp_path / "other.sqlite")),
            ("new", "zigzag", "Ana", "Ben", "Cy"),
        )  # fmt: skip
        *outcomes, new = run_each(path, commands)
        for arguments, (status, _out, err) in zip(commands[:-1], outcomes, strict=True):
            assert status == 0, (arguments, err)
        assert ("the last word" in (tmp_path / "out.ndjson").read_text()) == ("killed" in ended)
        assert "nothing was written" in new[2]
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_log_that_cannot_be_read_without_writing_says_what_to_do(tmp_path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    path = folder / "club.sqlite"
    with SqliteStore(path) as store:
        Recorder(store).import_record(CASE, "r")
    append_and_kill(path)
    path.with_name("club.sqlite-shm").unlink()
    make_read_only(folder)
    try:
        for _command, (status, _out, err) in zip(READS, run_each(path, READS), strict=True):
            assert (status, "copy club.sqlite, club.sqlite-wal and club.sqlite.head to a folder" in err) == (3, True)
    finally:
        folder.chmod(0o755)
    copy = tmp_path / "copy"
    copy.mkdir()
    for end in ("", "-wal", ".head"):
        shutil.copyfile(f"{path}{end}", copy / f"club.sqlite{end}")
    shown = run(copy / "club.sqlite", "export")
    assert (shown.returncode, "the last word" in shown.stdout) == (0, True), shown.stderr
