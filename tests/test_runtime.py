"""The rules in the runtime say what they say here: on another Python, another platform and 32 bits, byte for byte."""

from __future__ import annotations

import json

from golden import ARCHIVES, CASES, FIXTURES
from runtime_home import inside


def test_fixtures_and_archives_are_the_same_on_another_python() -> None:
    there = json.loads(inside("fixtures"))
    assert there["python"] >= "3.14"
    assert (there["platform"], there["bits"]) == ("emscripten", 32)
    assert there["cases"] == len(CASES) > 300
    assert there["wrong"] == []
    lines = (FIXTURES / "audits.sha256").read_text("utf-8").splitlines()
    assert there["audits"] == {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert len(there["audits"]) == len(ARCHIVES)
