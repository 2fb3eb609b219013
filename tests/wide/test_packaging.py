"""The contents of the wheel, and the manual page in it."""

import json
import os
import re
import runpy
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PINS = json.loads((ROOT / ".ci" / "runtime" / "pins.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def dist(tmp_path_factory) -> Path:
    """A folder with the wheel and the source archive of this tree."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
    return folder


def tracked(*folders: str) -> set[str]:
    """The files of these folders in the repository or in its next commit."""
    if not (ROOT / ".git").exists():
        pytest.skip("only the repository knows which files are its own")
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return {name for name in listing.stdout.splitlines() if (ROOT / name).is_file()}


def test_the_wheel_has_the_program_its_parts_and_the_manual_page(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    names = {name for name in zipfile.ZipFile(path).namelist() if ".dist-info/" not in name}
    (page,) = (name for name in names if name.endswith("/share/man/man1/domino-ledger.1"))
    assert tracked("ledger", "viewer") <= names
    assert {"ledger/py.typed", "viewer/py.typed"} <= names
    assert [name for name in names - {page} if not name.startswith(("ledger/", "viewer/"))] == ["domino_ledger.py"]
    command, environment = [sys.executable, "-m", "domino_ledger", "--version"], os.environ | {"PYTHONPATH": str(path)}
    answer = subprocess.run(command, env=environment, cwd=dist, check=True, capture_output=True)
    assert b"domino-ledger" in answer.stdout


def test_the_wheel_has_the_licences_of_all_that_it_carries(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    archive = zipfile.ZipFile(path)
    (info,) = {name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name}
    metadata = message_from_bytes(archive.read(f"{info}/METADATA"))
    notice = archive.read(f"{info}/licenses/NOTICE").decode()
    parts = dict(re.findall(r"^\| ([\w*]+)[^|]* \|[^|]*\| ([^|]+) \|", notice, re.MULTILINE))
    for name, pin in PINS.items():
        assert parts[name if name != "pyodide" else "Pyodide"] == pin["licence"]
        assert pin["version"] in notice
    licences = set(metadata["License-Expression"].split(" AND "))
    assert licences == {"MIT", *(licence.partition(" (")[0] for name, licence in parts.items() if name != "part")}
    for title in (
        "Mozilla Public License",
        "MIT licence",
        "BSD 3-clause",
        "BSD 2-clause",
        "Apache License",
        "zlib licence",
    ):
        assert re.search(rf"^{title}", notice, re.MULTILINE)


def test_the_source_archive_has_the_tests_and_the_docs(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked("ledger", "viewer", "tests", "docs", ".ci") <= names


def test_an_index_can_show_the_description(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    archive = zipfile.ZipFile(path)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = message_from_bytes(archive.read(name))
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Author"]
    assert str(metadata.get_payload()).strip() == (ROOT / "README.md").read_text("utf-8").strip()


@pytest.fixture(scope="session")
def metadata_hook() -> dict[str, Any]:
    """The script that finds the addresses of the project."""
    pytest.importorskip("hatchling")
    return runpy.run_path(str(ROOT / ".ci" / "addresses.py"))


@pytest.mark.parametrize(
    "clone",
    [
        "https://git.example.org/club/domino-ledger.git\n",
        "https://git.example.org/club/domino-ledger",
        "https://somebody:secret@git.example.org/club/domino-ledger/",
        "git@git.example.org:club/domino-ledger.git",
        "ssh://git@git.example.org:2222/club/domino-ledger.git",
    ],
)
def test_the_addresses_are_those_of_the_clone(metadata_hook: dict[str, Any], clone: str) -> None:
    assert metadata_hook["addresses"](clone) == {
        "Repository": "https://git.example.org/club/domino-ledger",
        "Issues": "https://git.example.org/club/domino-ledger/issues",
        "Changelog": "https://git.example.org/club/domino-ledger/blob/HEAD/CHANGELOG.md",
    }


@pytest.mark.parametrize(
    "clone", ["", "/home/ana/domino-ledger", "file:///srv/x", "http://localhost/x", "../x", "git@h:x"]
)
def test_an_address_that_nobody_else_can_open_is_not_named(metadata_hook: dict[str, Any], clone: str) -> None:
    assert metadata_hook["addresses"](clone) == {}


def test_a_source_archive_keeps_its_addresses(metadata_hook: dict[str, Any], tmp_path) -> None:
    assert metadata_hook["addresses_of"](tmp_path) == {}
    home = "Project-URL: Repository, https://git.example.org/x"
    (tmp_path / "PKG-INFO").write_text(f"Metadata-Version: 2.4\nName: domino-ledger\n{home}\n\nText", "utf-8")
    assert metadata_hook["addresses_of"](tmp_path) == {"Repository": "https://git.example.org/x"}


def test_the_versions_for_developers_name_no_place_to_get_them_from() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    names = [re.fullmatch(r"([A-Za-z0-9._-]+)==[\w.+!]+", line) for line in lines]
    assert all(names)
    assert {"msgspec", "Flask", "pytest", "mypy"} <= {name[1] for name in names if name}
