"""The sixth game of CONTRIBUTING.md, built and installed as a package of its own: no file of the five is touched."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import catalog
from ledger.errors import UnknownGame

ROOT = Path(__file__).parents[1]


def run(home: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command, with what is installed in `home` beside it."""
    environment = {**os.environ, "PYTHONPATH": str(home), "DOMINO_LEDGER": str(home / "ledger.sqlite")}
    return subprocess.run(
        [sys.executable, "-m", "ledger.cli", *arguments], env=environment, input=stdin, capture_output=True, check=False
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the sixth game is installed as any package is."""
    source, target = tmp_path_factory.mktemp("block"), tmp_path_factory.mktemp("home")
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    blocks = dict(re.findall(r"^```(python|toml)\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    (source / "block.py").write_text(blocks["python"], "utf-8")
    (source / "pyproject.toml").write_text(blocks["toml"], "utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
           "--no-build-isolation", "--no-index", "--target", str(target), str(source)]  # fmt: skip
    subprocess.run(pip, check=True)
    return target


def test_it_is_found_beside_the_five(home: Path) -> None:
    listed = run(home, "games")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.count(b": ") >= 5
    assert b"block: Block (everybody), for two players" in listed.stdout
    assert b"block.fit" in run(home, "clauses", "block").stdout
    assert "block" not in catalog.built_in()


def test_its_simulated_games_audit_clean_and_its_breaches_are_found(home: Path) -> None:
    games = run(home, "simulate", "block", "--count", "200")
    audited = run(home, "audit", "-", stdin=games.stdout)
    assert audited.returncode == 0, audited.stderr
    assert audited.stdout.endswith(b"200 records: 200 clean\n")
    for clause in ("block.turn", "block.fit", "block.win", "block.unfinished", "tiles.once", "tiles.in-set"):
        planted = run(home, "simulate", "block", "--faults", clause)
        found = run(home, "audit", "--json", "-", stdin=planted.stdout)
        assert found.returncode == 1, (clause, planted.stderr)
        assert f'"clause":"{clause}"'.encode() in found.stdout


def test_it_is_recorded_replayed_and_exported_like_any_other(home: Path) -> None:
    name = run(home, "new", "block", "Ana", "Ben").stdout.decode().strip()
    scored = run(home, "record", name, stdin=b"A 5-1\nB 5-3\nA 6-6\n")
    assert b"breach at 3: the 6-6 fits neither the 3 nor the 1" in scored.stdout.replace(
        b"the 1 nor the 3", b"the 3 nor the 1"
    )
    assert b"the line" in run(home, "show", name).stdout
    sheet = run(home, "export", name, "--sheet").stdout
    assert b"A 5-1\nB 5-3\nA 6-6\n" in sheet
    assert run(home, "audit", "-", stdin=sheet).returncode == 1


def test_it_has_its_pages_in_the_viewer(home: Path) -> None:
    name = run(home, "new", "block", "Ana", "Ben").stdout.decode().strip()
    run(home, "record", name, stdin=b"A 5-1\nB 5-3\n")
    asked = f"""
from ledger.stores.sqlite import SqliteStore
from viewer.app import create_app
client = create_app(lambda: SqliteStore({str(home / "ledger.sqlite")!r})).test_client()
for path in ("/g/{name}", "/games/block", "/g/{name}/position.svg", "/api/records/{name}/steps", "/?game=block"):
    answer = client.get(path)
    print(path, answer.status_code, "5-3" in answer.text, "Block" in answer.text)
"""
    environment = {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{ROOT}"}
    said = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert [line.split()[1] for line in said.stdout.splitlines()] == ["200"] * 5
    assert "True True" in said.stdout.splitlines()[0]


def test_a_plug_in_that_cannot_be_loaded_is_said_by_name(home: Path) -> None:
    broken = home / "wrong-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[domino_ledger.games]\nwrong = nowhere:GAME\n")
    found = run(home, "clauses", "wrong")
    assert found.returncode == 2
    assert b"the plug-in nowhere:GAME of the game 'wrong' cannot be loaded" in found.stderr
    broken.joinpath("entry_points.txt").unlink()


def test_an_unknown_game_is_said_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match="zigzag"):
        catalog.find("bridge")
