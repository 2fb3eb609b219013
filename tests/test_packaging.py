"""The contents of the wheel, and the manual page in it."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs" / "make"))

import man  # noqa: E402  found beside the docs


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    assert not [name for name in names - {page} if not name.startswith(("ledger/", "viewer/"))]


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
    text = str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Author"]
    assert text.strip().startswith("# Domino Ledger")
    assert "domino-ledger audit friday.sheet" in text
    links = re.findall(r"\]\(([^)]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    assert all("".join(link).startswith("https://") for link in links), links
    assert "<!--" not in text


def test_the_manual_page_says_what_help_says() -> None:
    assert man.PAGE.read_text("utf-8") == man.manual(), "python docs/make/man.py writes it anew"
