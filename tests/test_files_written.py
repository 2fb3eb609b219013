"""Files that commands write: whole or not at all, never over an input or a ledger; and what a list says unaudited."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from ledger.cli import output_files
from ledger.cli.keeping_commands import copy_name
from ledger.cli.list_commands import audit_new
from ledger.cli.output_files import atomic_write, page_writer
from ledger.examples.season import season
from ledger.keep.recorder import Recorder
from ledger.record.codec import open_bytes
from ledger.record.errors import NotForNow
from ledger.stores import questions
from temporary import TemporaryStore


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.ndjson"
    with atomic_write(path) as out:
        out.write(b"first")
        assert names(tmp_path) == [f".games.{os.getpid()}.ndjson"]
    assert (path.read_bytes(), names(tmp_path)) == (b"first", ["games.ndjson"])
    path.chmod(0o640)

    def write_half() -> None:
        with atomic_write(path) as out:
            out.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert (path.read_bytes(), names(tmp_path)) == (b"first", ["games.ndjson"])
    with atomic_write(path) as out:
        out.write(b"second")
    assert path.read_bytes() == b"second"
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o640
        with atomic_write(tmp_path / "new.ndjson.zst") as out:
            out.write(b"packed")
        assert (tmp_path / "new.ndjson.zst").stat().st_mode & 0o777 == 0o600
        with open_bytes(tmp_path / "new.ndjson.zst") as packed:
            assert packed.read() == b"packed"


@pytest.mark.parametrize("names_of", [lambda part: [str(part)], lambda _part: []])  # to open it, or to write to it
def test_a_file_that_cannot_be_written_is_named_as_the_user_named_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_of: Callable[[Path], list[str]]
) -> None:
    def full(part: Path, *_options: object) -> None:
        raise OSError(28, "No space left on device", *names_of(part))

    monkeypatch.setattr(output_files, "open_bytes", full)
    with pytest.raises(OSError, match="No space left") as error, atomic_write(tmp_path / "games.ndjson"):
        pass
    assert (error.value.filename, error.value.filename2) == (str((tmp_path / "games.ndjson").resolve()), None)
    assert names(tmp_path) == []


def test_pages_are_written_by_an_installed_package_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(page_writer("html"))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_group: [SimpleNamespace(name="event")])
    with pytest.raises(click.ClickException, match="no installed package writes pages: install Domino Ledger again"):
        page_writer("html")


@pytest.mark.parametrize("games", [1, 2])
def test_a_list_says_how_many_records_could_not_be_audited(
    games: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = TemporaryStore()
    for example in season()[:games]:
        Recorder(store).import_record(example.record, example.id)
    which = (
        "1 record not audited, so --verdict and --clause do not find it: "
        if games == 1
        else ("2 records not audited, so --verdict and --clause do not find them: ")
    )

    def busy(*_of: object, **_more: object) -> Any:
        raise NotForNow("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("ledger.keep.stored_audits.refresh", busy)
        audit_new(store)
    assert capsys.readouterr().err == f"{which}the disk is full\n"
    with monkeypatch.context() as patch:
        patch.setattr(store.connection, "read_only", True)
        audit_new(store)
    assert capsys.readouterr().err == f"{which}the ledger cannot be written\n"
    audit_new(store)
    assert (capsys.readouterr().err, questions.unaudited(store)) == ("", ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with atomic_write(pipe) as out:
            out.write(b"game")
        assert (os.read(reader, 9), pipe.is_fifo(), names(tmp_path)) == (b"game", True, ["pipe"])
    finally:
        os.close(reader)


def test_a_copy_of_a_ledger_gets_a_free_name_or_one_that_is_named(tmp_path: Path) -> None:
    ledger = tmp_path / "club.sqlite"
    assert copy_name(str(ledger), None, "old") == tmp_path / "club.sqlite.old"
    (tmp_path / "club.sqlite.old").touch()
    (tmp_path / "club.sqlite.old-2").touch()
    assert copy_name(str(ledger), None, "old") == tmp_path / "club.sqlite.old-3"
    assert copy_name(str(ledger), ledger, "old") == ledger
    with pytest.raises(click.ClickException, match=r"club\.sqlite\.old exists: name a new file for the copy$"):
        copy_name(str(ledger), tmp_path / "club.sqlite.old", "old")
