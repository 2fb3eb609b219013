"""The rules in the runtime give the same bytes as here, on another Python, another platform and with 32 bits."""

import json
import os
import runpy

from golden import ARCHIVES, CASES, FIXTURES
from runtime_home import ROOT, inside


def test_fixtures_and_archives_are_the_same_on_another_python() -> None:
    every = 1 if "DOMINO_EXAMPLES" in os.environ else 3
    report = json.loads(inside("fixtures", str(every)))
    assert report["python"] >= "3.14"
    assert (report["platform"], report["bits"]) == ("emscripten", 32)
    assert report["cases"] == len(CASES[::every]) > 100
    assert report["wrong"] == []
    lines = (FIXTURES / "audits.sha256").read_text("utf-8").splitlines()
    assert report["audits"] == {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert len(report["audits"]) == len(ARCHIVES)


def test_every_question_has_the_same_answer_in_the_runtime() -> None:
    runtime_answers = json.loads(inside("faces"))["answers"]
    local_answers = json.loads(runpy.run_path(str(ROOT / "tests" / "inside" / "faces.py"))["out"])["answers"]
    assert runtime_answers == local_answers
    assert len(runtime_answers) > 80
