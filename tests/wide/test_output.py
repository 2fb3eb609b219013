"""Reports in a file: complete or not there, what the command prints, and what the page about them asks."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import click
import duckdb
import pytest

from command_output import output_of
from golden import CASES
from ledger.cli import COMMANDS, cli
from ledger.record import codec
from ledger.stores.store import SqliteStore
from waiting import PATIENCE, wait_until

RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::3]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]


@pytest.fixture
def archive(tmp_path) -> Path:
    path = tmp_path / "games.ndjson"
    path.write_bytes(b"".join(LINES * 3))
    return path


def test_a_file_of_reports_has_what_the_command_prints(archive: Path, tmp_path) -> None:
    reports = output_of("audit", "--json", str(archive), code=1)
    for name in ("reports.ndjson", "reports.ndjson.zst"):
        assert f"{3 * len(LINES)} records: " in output_of("audit", "-o", str(tmp_path / name), str(archive), code=1)
        with codec.open_bytes(tmp_path / name) as lines:
            assert lines.read().decode() == reports


def test_an_empty_ledger_gives_empty_files(tmp_path) -> None:
    SqliteStore(tmp_path / "a.sqlite").close()
    for name in ("a.ndjson", "a.ndjson.zst"):
        output_of("--ledger", str(tmp_path / "a.sqlite"), "audit", "-o", str(tmp_path / name))
    assert (tmp_path / "a.ndjson").read_bytes() == b""
    with codec.open_bytes(tmp_path / "a.ndjson.zst") as lines:
        assert lines.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="a terminal sends SIGINT to a group of processes")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_audit_that_is_stopped_leaves_the_file_as_it_was(jobs: str, tmp_path) -> None:
    path, reports = tmp_path / "a.ndjson", tmp_path / "reports.ndjson"
    path.write_bytes(b"".join(LINES * 200))
    reports.write_text("those of yesterday")
    audit = [sys.executable, "-m", "ledger", "audit", "--jobs", jobs, "-o", str(reports), str(path)]
    running = subprocess.Popen(audit, stderr=subprocess.PIPE, start_new_session=True)
    wait_until(lambda: any(part.stat().st_size for part in tmp_path.glob(".reports.*")), "the first reports are there")
    os.killpg(running.pid, signal.SIGINT)
    assert running.communicate(timeout=PATIENCE)[1] == b"\n"
    assert running.returncode == 130
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.ndjson", "reports.ndjson"]
    assert reports.read_text() == "those of yesterday"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-o", "a.json", "--markdown"], "-o writes JSON"),
        (["-o", "a.parquet"], "should end in .ndjson"),
    ],
)
def test_incompatible_options_are_refused(arguments: list[str], reason: str, archive: Path) -> None:
    assert reason in output_of("audit", *arguments, str(archive), code=2)


def queries() -> list[str]:
    """The examples of the page about very many records."""
    page = (Path(__file__).parents[2] / "docs" / "at-scale.md").read_text("utf-8")
    return re.findall(r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def test_the_queries_of_the_page_give_the_right_answers(archive: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    output_of("audit", "-o", "reports.ndjson.zst", str(archive), code=1)
    reports = [json.loads(line) for line in output_of("audit", "--json", str(archive), code=1).splitlines()]
    findings = [(report["record"], finding) for report in reports for finding in report["findings"]]
    grave = [(record, finding) for record, finding in findings if finding["verdict"] in ("breach", "impossible")]
    clauses, judged, people = (duckdb.sql(query).fetchall() for query in queries())
    times = Counter(finding["clause"] for _record, finding in grave)
    assert clauses == [
        (clause, count, len({record for record, finding in grave if finding["clause"] == clause}))
        for clause, count in sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:10]
    ]
    best: dict[tuple[str, str], list[int]] = {}
    for report in reports:
        if report["finished"]:
            best.setdefault((report["game"], report["verdict"]), []).append(max(report["scores"].values()))
    assert [row[:3] for row in judged] == [(*kind, len(most)) for kind, most in sorted(best.items())]
    assert [row[3] for row in judged] == pytest.approx([sum(m) / len(m) for _, m in sorted(best.items())], abs=0.051)
    blamed = Counter(f["player"] for _record, f in findings if f["verdict"] == "breach" and f.get("player"))
    assert people == sorted(blamed.items(), key=lambda pair: (-pair[1], pair[0]))


def test_the_commands_of_the_page_have_options_that_exist() -> None:
    page = (Path(__file__).parents[2] / "docs" / "at-scale.md").read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) == 5
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "domino-ledger"
        command = cli.get_command(click.Context(cli), next(word for word in words if word in COMMANDS))
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts} | {"--ledger"}
        assert {word for word in words if word.startswith("-")} <= options
