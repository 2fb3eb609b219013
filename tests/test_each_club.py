"""A folder of clubs on the command line: all of them, a line for each, and a damaged one stops no other."""

from pathlib import Path

import pytest

from ledger.cli.each_club import audit_club
from ledger.keep.club_folder import new_club
from ledger.stores.store import SqliteStore
from test_cli import BROKEN, CLEAN, run  # noqa: F401  a fixture
from test_log_head import force


@pytest.fixture
def folder(run, tmp_path: Path) -> Path:  # noqa: F811
    """Three clubs: a clean one, one with a breach, and a file that is no ledger; and a file that is no club."""
    path = tmp_path / "clubs"
    path.mkdir()
    for name, record in (("north", CLEAN), ("south", BROKEN)):
        new_club(path, name)
        run("--ledger", str(path / f"{name}.sqlite"), "import", record)
    for name in ("torn", "My Club"):
        (path / f"{name}.sqlite").write_bytes(b"no ledger" * 100)
    return path


def lines(text: str) -> dict[str, str]:
    """What is said of each club."""
    return dict(line.split(": ", 1) for line in text.splitlines())


def test_audit_says_a_line_for_each_club_and_ends_with_the_worst(run, folder: Path) -> None:  # noqa: F811
    said = lines(run("--ledger", str(folder), "audit", "--jobs", "1", code=3).stdout)
    assert said["north"] == "1 record, 1 clean"
    assert said["south"] == "1 record, 1 breach"
    assert "file is not a database" in said["torn"]
    assert list(said) == ["north", "south", "torn"]


def test_verify_prints_the_head_of_each_and_finds_what_is_changed(run, folder: Path) -> None:  # noqa: F811
    (folder / "torn.sqlite").unlink()
    said = lines(run("--ledger", str(folder), "verify").stdout)
    with SqliteStore(folder / "north.sqlite") as store:
        assert said["north"].startswith(f"intact, {store.size()} events in 1 record, {store.size()} ")
    force(folder / "north.sqlite", "UPDATE event SET link = zeroblob(32) WHERE position = 3")
    said = lines(run("--ledger", str(folder), "verify", "--no-audits", code=1).stdout)
    assert said["north"].startswith("corrupt, ")
    assert said["south"].startswith("intact, ")


def test_backup_copies_each_and_a_copy_is_that_club(run, folder: Path, tmp_path: Path) -> None:  # noqa: F811
    for _ in range(2):  # the second time it replaces its own earlier copies
        said = lines(run("--ledger", str(folder), "backup", str(tmp_path / "copies"), code=3).stdout)
        assert (said["north"][:6], said["south"][:6]) == ("intact", "intact")
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["north.sqlite", "south.sqlite"]
    restored = tmp_path / "again" / "north.sqlite"
    restored.parent.mkdir()
    run("--ledger", str(restored), "restore", str(tmp_path / "copies" / "north.sqlite"))
    assert audit_club(restored) == audit_club(folder / "north.sqlite")


def test_a_folder_of_records_is_audited_as_one(run, folder: Path, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "a.json").write_bytes(Path(CLEAN).read_bytes())
    assert "1 record: 1 clean" in run("--ledger", str(folder), "audit", str(tmp_path / "sheets")).stdout


def test_where_there_is_no_club_it_says_how_to_make_one(run, tmp_path: Path) -> None:  # noqa: F811
    assert "new-club" in run("--ledger", str(tmp_path), "verify", code=2).stderr


def test_new_club_prints_the_owners_link_once(run, tmp_path: Path) -> None:  # noqa: F811
    said = run("--ledger", str(tmp_path / "new"), "new-club", "north", "--address", "https://domino.example").stdout
    assert "https://domino.example/north/owner#" in said
    assert "already" in run("--ledger", str(tmp_path / "new"), "new-club", "north", code=2).stderr
    said = run("--ledger", str(tmp_path / "new"), "link", "--address", "https://domino.example").stdout
    assert "https://domino.example/new-club#" in said
