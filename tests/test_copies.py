"""Copies that several programs make at once, and who may read the files of a ledger."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner

from ledger.cli import cli
from ledger.cli.keeping_commands import DAY, _part, _settle
from ledger.keep import transfer as copying
from ledger.keep.transfer import transfer
from ledger.record.errors import NotForNow
from ledger.record.events import Note, Open, Player
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from waiting import PATIENCE

OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
AT_ONCE = 4


@pytest.fixture
def ledger(tmp_path) -> Path:
    path = tmp_path / "club.sqlite"
    with SqliteStore(path) as store:
        for record in ("r", "s"):
            store.append(record, 0, [OPENING, *(Note(f"{n}") for n in range(40))])
    return path


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ledger", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def at_once(*arguments: str) -> list[tuple[int, str]]:
    """The statuses and messages of a command that runs several times at once."""
    processes = [start(*arguments) for _ in range(AT_ONCE)]
    messages = [process.communicate(timeout=PATIENCE)[1] for process in processes]
    return [(process.returncode, message) for process, message in zip(processes, messages, strict=True)]


def test_backups_to_one_name_at_once_are_all_good(ledger: Path, tmp_path) -> None:
    backup = tmp_path / "safe" / "club.sqlite"
    backup.parent.mkdir()
    assert [status for status, _ in at_once("--ledger", str(ledger), "backup", str(backup))] == [0] * AT_ONCE
    assert [file.name for file in backup.parent.iterdir()] == ["club.sqlite"]
    assert CliRunner().invoke(cli, ["--ledger", str(backup), "verify"]).exit_code == 0
    with closing(sqlite3.connect(f"file:{backup}?mode=ro", uri=True)) as reader:
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("delete",), "any program can read it anywhere"


def test_of_restores_to_one_name_at_once_one_is_made(ledger: Path, tmp_path) -> None:
    restored = tmp_path / "new" / "club.sqlite"
    restored.parent.mkdir()
    outcomes = at_once("--ledger", str(restored), "restore", str(ledger))
    assert sorted(status for status, _ in outcomes) == [0, *[2] * (AT_ONCE - 1)]
    assert all("there is" in message and "a ledger at" in message for status, message in outcomes if status)
    assert [file.name for file in restored.parent.iterdir()] == ["club.sqlite"]


def test_what_a_killed_backup_left_is_deleted_a_day_later(ledger: Path, tmp_path) -> None:
    old, young = tmp_path / ".b.sqlite.old.part", tmp_path / ".b.sqlite.young.part"
    for file in (old, young):
        file.touch()
    os.utime(old, (old.stat().st_mtime - 2 * DAY,) * 2)
    assert CliRunner().invoke(cli, ["--ledger", str(ledger), "backup", str(tmp_path / "b.sqlite")]).exit_code == 0
    assert (old.exists(), young.exists()) == (False, True)


@pytest.mark.parametrize("batch", [7, 5000])
def test_a_copy_goes_on_where_another_copy_was_faster(ledger: Path, tmp_path, batch: int, monkeypatch) -> None:
    from ledger.stores import open_ledger

    address = str(tmp_path / "copy.sqlite")
    monkeypatch.setattr(copying, "BATCH", batch)
    with SqliteStore(ledger) as source, open_ledger(address) as first, open_ledger(address) as second:
        slow, fast = transfer(source, first), transfer(source, second)
        sizes = [next(slow, 0), next(fast, 0), next(fast, 0), *slow, *fast]
        assert max(sizes) == source.size() == first.size()
        source.append("r", 41, [Note("more")])
        assert [*transfer(source, first)] == [source.size()]
        first.append("r", 42, [Note("of its own")])
        with pytest.raises(copying.Corrupt, match="events of its own"):
            list(transfer(source, first))


def test_copies_into_one_file_at_once_all_succeed(ledger: Path, tmp_path) -> None:
    outcomes = at_once("--ledger", str(ledger), "copy", str(tmp_path / "copy.sqlite"))
    assert [status for status, _ in outcomes] == [0] * AT_ONCE, outcomes


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir() if file.is_file()}


WRITES = (
    ("backup", "b.sqlite"), ("copy", "c.sqlite"), ("export", "-o", "e.ndjson"), ("export", "-o", "e.ndjson.zst"),
    ("export", "r", "-o", "e.sheet"), ("audit", "-o", "reports.ndjson"),
    ("simulate", "zigzag", "-o", "s.ndjson"), ("repair",),
)  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_its_owner_may_read_a_new_file(ledger: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SqliteStore(ledger) as store:
        store.append("r", 41, [Note("in use")])
        in_use = modes(tmp_path)
        assert {"club.sqlite", "club.sqlite-wal", "club.sqlite.head"} <= in_use.keys()
        assert set(in_use.values()) == {0o600}

    def write() -> dict[str, int]:
        for words in WRITES:
            result = CliRunner().invoke(cli, ["--ledger", str(ledger), *words])
            assert result.exit_code in (0, 1), (words, result.output)
        return modes(tmp_path)

    written = write()
    assert {word for words in WRITES for word in words if "." in word} <= written.keys()
    assert set(written.values()) == {0o600}
    for file in tmp_path.iterdir():
        file.chmod(0o640)
    (tmp_path / "club.sqlite.head").unlink()
    again = write()
    assert {again[name] for name in (*written, "club.sqlite.head") if "before-repair" not in name} == {0o640}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
def test_a_program_that_is_told_to_end_leaves_no_half_written_file(tmp_path) -> None:
    process = start("simulate", "zigzag", "--count", "1000000", "-o", str(tmp_path / "games.ndjson"))
    while not any(tmp_path.iterdir()):
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGTERM)
    assert "Traceback" not in process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_of_a_copy_that_was_given_up_nothing_is_left(tmp_path) -> None:
    ends = ("", ".head", "-wal", "-shm", "-journal")

    def give_up() -> None:
        with _part(tmp_path / "b.sqlite") as part:
            for end in ends:
                Path(f"{part}{end}").touch()
            assert len(list(tmp_path.iterdir())) == len(ends)
            raise NotForNow

    with pytest.raises(NotForNow):
        give_up()
    assert list(tmp_path.iterdir()) == []


def test_a_restored_ledger_takes_no_others_place(tmp_path, monkeypatch) -> None:
    part, target = tmp_path / "part", tmp_path / "club.sqlite"
    part.write_bytes(TemporaryStore().path.read_bytes())
    target.touch()
    with pytest.raises(ClickException, match=r"^meanwhile there is a ledger at .*club\.sqlite: nothing was restored$"):
        _settle(part, target, new=True)
    assert target.read_bytes() == b""
    target.unlink()
    monkeypatch.setattr(os, "link", lambda *_files: (_ for _ in ()).throw(OSError("no links on this disk")))
    _settle(part, target, new=True)
    assert target.stat().st_size > 0
