"""The package as users get it: built, checked, installed in an empty environment, and run on every Python there is.

`make package` and `make pythons` run it; everything it makes is in .venv/nox and dist/.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nox

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
CORE = (
    "games",
    "test_codec.py",
    "test_conformance.py",
    "test_fixtures.py",
    "test_frozen.py",
    "test_audit.py",
    "test_notation.py",
    "test_chain.py",
    "test_command_line.py",
    "test_words.py",
    "test_visible.py",
    "test_game.py",
    "test_forms.py",
    "test_sources.py",
)
"""Tests of what the rules, the records and the commands do: where another Python could differ."""

nox.needs_version = ">=2025.5"
nox.options.envdir = str(ROOT / ".venv" / "nox")
nox.options.default_venv_backend = "venv"

# Of pyenv's Pythons only the active one is on the path under its own name.
_pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
_folders = [str(path) for version in PYTHONS for path in sorted(_pyenv.glob(f"versions/{version}.*/bin"))]
os.environ["PATH"] = os.pathsep.join([*_folders, os.environ["PATH"]])


def wheel() -> Path:
    """The newest wheel."""
    return max(DIST.glob("*.whl"), key=lambda path: path.stat().st_mtime)


@nox.session(python=False)
def package(session: nox.Session) -> None:
    """Builds the wheel and the source archive into dist/ and checks them as an index would."""
    session.chdir(ROOT)
    for old in DIST.glob("domino_ledger-*"):
        old.unlink()
    session.run(sys.executable, "-m", "hatchling", "build", "-d", str(DIST), silent=True)
    session.run(sys.executable, "-m", "twine", "check", "--strict", *map(str, DIST.glob("domino_ledger-*")))
    session.run(sys.executable, "-m", "check_wheel_contents", str(wheel()))


@nox.session(python=sys.executable)
def smoke(session: nox.Session) -> None:
    """Installs the wheel alone into an empty environment, and audits, imports, lists and serves a game with it."""
    session.install("--no-cache-dir", str(wheel()))
    session.chdir(session.create_tmp())
    for old in Path().glob("*"):
        old.unlink()
    command = "domino-ledger"
    session.run(command, "simulate", "zigzag", "--seed", "7", "-o", "game.ndjson")
    session.run(command, "audit", "game.ndjson")
    session.run(command, "import", "game.ndjson")
    session.run(command, "list")
    session.run("python", str(ROOT / ".ci" / "smoke.py"), "domino-ledger.sqlite")


@nox.session(python=False)
@nox.parametrize("way", ["make", "uv", "pipx", "python"])
def ways(session: nox.Session, way: str) -> None:
    """Installs it in a way of docs/install.md, and runs every command of README and docs there."""
    folder = Path(session.create_tmp()) / way
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    printed = session.run(sys.executable, str(ROOT / ".ci" / "ways.py"), way, str(folder), silent=True, stderr=None)
    python = str(printed).split()[-1]
    session.chdir(ROOT)
    commands = ["-m", "pytest", "-q", "-n", "auto", "tests/wide/test_snippets.py", "-k", "can_be_typed"]
    session.run(sys.executable, *commands, env={"DOMINO_PYTHON": python})


@nox.session(python=[version for version in PYTHONS if not sys.version.startswith(f"{version}.")])
def core(session: nox.Session) -> None:
    """Runs the tests of the core against the wheel, on a Python that is not the default one."""
    session.install(f"{wheel()}[test]")
    session.chdir(ROOT)
    # Not `python -m pytest`: it would find `ledger` in this folder instead of the wheel's.
    # From Python 3.13 on an unclosed database is a warning; the tests of the viewer still leave some to the collector.
    unclosed = ("-W", "ignore::ResourceWarning", "-W", "ignore::pytest.PytestUnraisableExceptionWarning")
    session.run("pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", *unclosed, *(f"tests/{name}" for name in CORE))
