"""Files that commands write: never over an input or a ledger, and either complete or not at all."""

from pathlib import Path

import pytest

from command_output import output_of
from golden import CASES
from ledger.record import codec

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[:2]]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Two records."""
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(codec.encode(record) + b"\n" for record in RECORDS))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "-o", "{a}", "{a}"],
        ["audit", "-o", "{a}", "{a}:2"],
        ["audit", "-o", "{a}", "{folder}"],
        ["export", "-o", "{a}", "{a}:1"],
        ["export", "-o", "{a}", "{folder}/b.ndjson:1", "{a}:2"],
    ],
    ids=" ".join,
)
def test_no_command_writes_over_what_it_reads(archive: Path, command: list[str]) -> None:
    before = archive.read_bytes()
    (archive.parent / "b.ndjson").write_bytes(before)
    message = output_of(*(part.format(a=archive, folder=archive.parent) for part in command), code=2)
    assert "a.ndjson is also an input: write to another file" in message
    assert archive.read_bytes() == before
    assert sorted(path.name for path in archive.parent.iterdir()) == ["a.ndjson", "b.ndjson"]


def test_a_link_to_an_input_counts_as_the_input(archive: Path) -> None:
    link = archive.with_name("link.ndjson")
    link.symlink_to(archive)
    assert "is also an input" in output_of("export", "-o", str(link), f"{archive}:1", code=2)
    assert archive.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize(
    "command",
    [["audit", "-o"], ["export", "-o"], ["export", "--json", "-o"], ["simulate", "zigzag", "-o"]],
    ids=" ".join,
)
def test_no_command_writes_over_a_ledger(archive: Path, command: list[str]) -> None:
    ledger = archive.with_name("club.sqlite")
    output_of("--ledger", str(ledger), "import", str(archive))
    assert "club.sqlite is a ledger" in output_of("--ledger", str(ledger), *command, str(ledger), code=2)
    assert "2 records" in output_of("--ledger", str(ledger), "verify")


def test_the_old_file_stays_until_the_new_one_is_complete(archive: Path) -> None:
    target = archive.with_name("games.ndjson.zst")
    output_of("export", "-o", str(target), f"{archive}:1")
    before = target.read_bytes()
    output_of("export", "-o", str(target), f"{archive}:1", f"{archive}:3", code=2)
    assert target.read_bytes() == before
    assert "intact, 1 record," in output_of("verify", str(target))
    output_of("export", "-o", str(target), f"{archive}:1", f"{archive}:2")
    assert "intact, 2 records" in output_of("verify", str(target))
    files = sorted(path.name for path in archive.parent.glob("games*"))
    assert files == ["games.ndjson.zst", "games.ndjson.zst.manifest"]


def test_a_file_that_is_not_an_archive_keeps_no_old_manifest(archive: Path) -> None:
    target = archive.with_name("games.json")
    output_of("export", "-o", str(target), f"{archive}:1")
    output_of("export", "--json", "-o", str(target), f"{archive}:1")
    assert [path.name for path in archive.parent.glob("games*")] == ["games.json"]


def test_a_link_stays_and_the_file_behind_it_is_written(archive: Path) -> None:
    target, link = archive.with_name("there.ndjson"), archive.with_name("link.ndjson")
    target.write_bytes(b"")
    link.symlink_to(target)
    output_of("simulate", "ziggurat", "-o", str(link))
    assert link.is_symlink()
    assert codec.decode(target.read_bytes()).opening.game == "ziggurat"


def test_a_backup_replaces_an_earlier_one_and_nothing_else(archive: Path) -> None:
    ledger, copy, other_ledger = (archive.with_name(f"{name}.sqlite") for name in ("club", "copy", "other"))
    output_of("--ledger", str(ledger), "import", str(archive))
    output_of("--ledger", str(ledger), "backup", str(copy))
    output_of("--ledger", str(ledger), "new", "zigzag", "Ana", "Ben", "Cy")
    output_of("--ledger", str(ledger), "backup", str(copy))
    output_of("--ledger", str(other_ledger), "import", str(archive))
    for target in (other_ledger, archive):
        before = target.read_bytes()
        message = output_of("--ledger", str(ledger), "backup", str(target), code=2)
        assert "is not an earlier backup" in message
        assert target.read_bytes() == before
    # An older state of the ledger does not replace a newer one either.
    older = archive.with_name("older.sqlite")
    output_of("--ledger", str(older), "restore", str(copy))
    output_of("--ledger", str(ledger), "new", "zigzag", "Ana", "Ben", "Cy")
    output_of("--ledger", str(ledger), "backup", str(copy))
    assert "is not an earlier backup" in output_of("--ledger", str(older), "backup", str(copy), code=2)
    assert "4 records" in output_of("--ledger", str(copy), "verify")


@pytest.mark.parametrize("name", [".", "", "a folder"])
def test_a_folder_is_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a folder").mkdir()
    for command in (["list"], ["new", "zigzag", "Ana", "Ben", "Cy"]):
        assert "is a folder, not a ledger" in output_of("--ledger", name, *command, code=3)
    for every_club in (["backup", "copy"], ["verify"], ["audit"]):
        assert "there is no club in" in output_of("--ledger", name, *every_club, code=2)
    assert not (tmp_path / "copy").exists()


def test_a_folder_is_no_file_and_no_record(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive.parent)
    (archive.parent / "a folder").mkdir()
    output_of("--ledger", "club.sqlite", "import", str(archive))
    for command in (["audit", "-o"], ["audit", "a.ndjson:1", "-o"], ["export", "-o"]):
        assert "is a folder: name" in output_of("--ledger", "club.sqlite", *command, "", code=2)
        assert "is a directory" in output_of("--ledger", "club.sqlite", *command, "a folder", code=2)
    for folder in ("", "a folder"):
        assert "is a folder: name" in output_of("--ledger", "club.sqlite", "backup", folder, code=2)
    for command in (["show"], ["replay"], ["export"], ["history"]):
        assert "there is no record in it" in output_of(*command, "a folder", code=2)
