"""The build of the runtime: from pinned downloads and nothing else."""

import json
import re
import runpy
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.games import catalog
from viewer.in_browser.runtime import sources

ROOT = Path(__file__).parents[2]
PINS = json.loads((ROOT / ".ci" / "runtime" / "pins.json").read_text("utf-8"))


@pytest.fixture
def build(tmp_path) -> dict[str, Any]:
    """The script as a module, with downloads into a folder of the test."""
    names = runpy.run_path(str(ROOT / ".ci" / "runtime" / "build.py"))
    names["fetch"].__globals__["FETCHED"] = tmp_path
    return names


def test_everything_is_pinned_by_its_digest() -> None:
    for name, pin in PINS.items():
        assert re.fullmatch(r"[0-9a-f]{64}", pin["sha256"]), name
        assert pin["version"] in pin["file"]
        assert pin["from"] in ("npm", "PyPI")


def test_a_file_that_was_not_pinned_is_refused_and_forgotten(build: dict[str, Any], tmp_path) -> None:
    pin = PINS["jinja2"]
    (tmp_path / pin["file"]).write_bytes(b"another jinja2")
    with pytest.raises(build["CannotBuildError"], match="is not the file that was pinned"):
        build["fetch"]("jinja2", pin)
    assert not (tmp_path / pin["file"]).exists()


def test_a_failed_download_is_reported_in_a_sentence(build: dict[str, Any], monkeypatch) -> None:
    failed = SimpleNamespace(returncode=1, stderr="first\nno such package\n", stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *_words, **_how: failed)
    with pytest.raises(build["CannotBuildError"], match=r"pip cannot fetch jinja2 [\d.]+: no such package"):
        build["fetch"]("jinja2", PINS["jinja2"])


def test_the_runtime_has_all_games_and_all_that_they_need() -> None:
    names = sources()
    for game in catalog.built_in():
        assert f"ledger/games/{game.replace('-', '_')}/__init__.py" in names
    assert "viewer/browser_app.py" in names
    assert "ledger/notation/reader.py" in names
    modules = [name for name in names if name.endswith(".py")]
    assert not [name for name in modules if name.startswith(("ledger/cli", "viewer/server", "viewer/in_browser/built"))]


def test_the_hook_of_the_wheel_is_where_the_project_says() -> None:
    assert 'path = ".ci/runtime/hook.py"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert (ROOT / ".ci" / "runtime" / "hook.py").exists()
    # pip builds a wheel in an environment of its own, which has only this.
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert any(part.startswith("pip>") for part in requires)
