"""The rules in the runtime give the same bytes as here, on another Python, another platform and with 32 bits."""

from __future__ import annotations

import json
import runpy

from golden import ARCHIVES, CASES, FIXTURES
from runtime_home import ROOT, inside


def test_fixtures_and_archives_are_the_same_on_another_python() -> None:
    there = json.loads(inside("fixtures"))
    assert there["python"] >= "3.14"
    assert (there["platform"], there["bits"]) == ("emscripten", 32)
    assert there["cases"] == len(CASES) > 300
    assert there["wrong"] == []
    lines = (FIXTURES / "audits.sha256").read_text("utf-8").splitlines()
    assert there["audits"] == {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert len(there["audits"]) == len(ARCHIVES)


def test_every_question_has_the_same_answer_there_and_here() -> None:
    there = json.loads(inside("faces"))["answers"]
    here = json.loads(runpy.run_path(str(ROOT / "tests" / "inside" / "faces.py"))["out"])["answers"]
    assert there == here
    assert len(there) > 80
