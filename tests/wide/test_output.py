"""Reports in a file: complete or not there, and the same bytes however often the audit was interrupted."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import click
import duckdb
import pytest

from command_output import output_of
from golden import CASES
from ledger.bulk.output import Output
from ledger.cli import COMMANDS, cli
from ledger.record import codec
from ledger.stores.sqlite import SqliteStore

KILLS = max(4, int(os.environ.get("DOMINO_KILLS", "12")) // 3)
SEED = 5
RECORDS = [codec.decode(path.read_bytes()) for path in CASES[::3]]
LINES = [codec.encode(record) + b"\n" for record in RECORDS]

AUDIT = """
import sys
from ledger.bulk import output, chunks
from ledger.cli import main
chunks.MOST, chunks.MANY = 10_000, 5
output.Output.__init__.__kwdefaults__["every"] = 7000
main()
"""
"""The command with many chunks for few records, which saves its state often."""

KILL = """
import os, signal
from ledger.bulk import output
output.Output._flush = lambda *_, **__: os.killpg(os.getpid(), signal.SIGKILL)
"""
"""Kills the command and its processes when it would write the first reports."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "games.ndjson"
    path.write_bytes(b"".join(LINES * 3))
    return path


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", AUDIT, *map(str, arguments)]


def saved_length(state: Path) -> int:
    """The length of the file when the state was saved."""
    try:
        return int(json.loads(state.read_bytes())["written"])
    except FileNotFoundError:
        return 0


def wait_for(running: subprocess.Popen[bytes], state: Path, times: int) -> None:
    """Waits until the state was saved `times` more, or the audit has ended."""
    before = saved_length(state)
    while times and running.poll() is None:
        after = saved_length(state)
        times, before = times - (after != before), after
        time.sleep(0.002)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.ndjson", "an archive"),
        ("a.ndjson.zst", "a compressed archive"),
        ("a.parquet", "a ledger"),
        ("a.ndjson.zst", "a ledger"),
    ],
)
def test_an_audit_that_is_killed_again_and_again_ends_with_the_same_bytes(
    name: str, source: str, archive: Path, tmp_path: Path
) -> None:
    random, options, inputs = Random(SEED), list[str](), [str(archive)]
    if source == "a ledger":
        path = tmp_path / "a.sqlite"
        with SqliteStore(path) as store:
            store.append_records((f"r{n:03}", record.events) for n, record in enumerate(RECORDS * 3))
        options, inputs = ["--ledger", str(path)], []
    elif source == "a compressed archive":
        archive_copy = tmp_path / "b.ndjson.zst"
        with codec.open_bytes(archive_copy, "wb") as out:
            out.write(archive.read_bytes())
        inputs = [str(archive_copy)]
    whole, target = tmp_path / f"whole-{name}", tmp_path / name
    uninterrupted = subprocess.run(command(*options, "audit", "-o", whole, *inputs), capture_output=True, check=False)
    assert uninterrupted.returncode == 1, uninterrupted.stderr
    resuming = command(*options, "audit", "--jobs", "2", "-o", target, "--resume", *inputs)
    kills, resumed = 0, set[int]()
    while not target.exists():
        running = subprocess.Popen(resuming, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        if kills < KILLS:
            wait_for(running, tmp_path / f"{name}.state", random.randrange(5))
            time.sleep(random.uniform(0, 0.05))
            with suppress(ProcessLookupError):  # it may have ended by itself
                os.killpg(running.pid, signal.SIGKILL)
            kills += 1
        _out, err = running.communicate()
        assert not err, err
        resumed.add(saved_length(tmp_path / f"{name}.state"))
    assert target.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.glob(f"{name}*")) == [name]
    assert kills > 1
    assert resumed - {0}  # it did not start from the beginning


def test_a_file_of_reports_has_what_the_command_prints(archive: Path, tmp_path: Path) -> None:
    reports = output_of("audit", "--json", str(archive), code=1)
    for name in ("reports.ndjson", "reports.ndjson.zst"):
        assert f"{3 * len(LINES)} records: " in output_of("audit", "-o", str(tmp_path / name), str(archive), code=1)
        with codec.open_bytes(tmp_path / name) as lines:
            assert lines.read().decode() == reports


def test_parquet_has_the_same_data_as_the_reports(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    output_of("audit", "-o", str(path), str(archive), code=1)
    reports = [json.loads(line) for line in output_of("audit", "--json", str(archive), code=1).splitlines()]
    names = ("record", "game", "finished", "verdict", "scores", "winners", "findings", "rulings", "title", "balance")
    rows = duckdb.read_parquet(str(path)).select(*names).fetchall()
    assert len(rows) == len(reports)
    for row, report in zip((dict(zip(names, row, strict=True)) for row in rows), reports, strict=True):
        plain = {name: report[name] for name in ("record", "game", "finished", "verdict", "winners", "balance")}
        assert {name: row[name] for name in plain} == plain
        assert {score["player"]: score["points"] for score in row["scores"]} == report["scores"]
        assert {ruling["name"]: json.loads(ruling["value"]) for ruling in row["rulings"]} == report["rulings"]
        assert row["title"] == report.get("title")
        for stored, finding in zip(row["findings"], report["findings"], strict=True):
            assert {**{k: v for k, v in stored.items() if v is not None}, **{
                k: json.loads(stored[k]) for k in ("expected", "claimed") if stored[k] is not None
            }} == finding  # fmt: skip


def test_an_empty_ledger_gives_empty_files(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "a.sqlite").close()
    for name in ("a.ndjson", "a.ndjson.zst", "a.parquet"):
        output_of("--ledger", str(tmp_path / "a.sqlite"), "audit", "-o", str(tmp_path / name))
    assert (tmp_path / "a.ndjson").read_bytes() == b""
    with codec.open_bytes(tmp_path / "a.ndjson.zst") as lines:
        assert lines.read() == b""
    assert duckdb.read_parquet(f"{tmp_path}/a.parquet").fetchall() == []


def test_an_audit_that_was_interrupted_is_not_written_over_by_another(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "reports.ndjson"
    python, option, program, *arguments = command("audit", "-o", target, archive)
    killed = subprocess.run([python, option, KILL + program, *arguments], start_new_session=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert "continue with --resume, or delete it" in output_of("audit", "-o", str(target), str(archive), code=2)
    other_archive = tmp_path / "b.ndjson"
    other_archive.write_bytes(archive.read_bytes()[:-1])
    assert "from another input" in output_of("audit", "--resume", "-o", str(target), str(other_archive), code=2)
    assert "standard input" in output_of("audit", "--resume", "-o", str(target), "-", code=2)
    output_of("audit", "--resume", "-o", str(target), str(archive), code=1)
    assert target.read_text().count("\n") == len(LINES) * 3


@pytest.mark.parametrize("options", [[], ["--resume"]])
def test_an_interrupted_audit_whose_part_was_removed_begins_again(
    archive: Path, tmp_path: Path, options: list[str]
) -> None:
    target = tmp_path / "reports.ndjson"
    with Output(target) as out:
        out.begin("another", None, resume=False)
    (tmp_path / "reports.ndjson.part").unlink()
    output_of("audit", *options, "-o", str(target), str(archive), code=1)
    assert target.read_text().count("\n") == len(LINES) * 3
    assert sorted(path.name for path in tmp_path.glob("reports.ndjson*")) == ["reports.ndjson"]


@pytest.mark.skipif(os.name != "posix", reason="a terminal sends SIGINT to a group of processes")
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"".join(LINES * 200))
    audit = command("audit", "--jobs", "2", "-o", tmp_path / "reports.ndjson", path)
    running = subprocess.Popen(audit, stderr=subprocess.PIPE, start_new_session=True)
    while not (tmp_path / "reports.ndjson.part").exists() or not (tmp_path / "reports.ndjson.part").stat().st_size:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    message = running.communicate()[1].decode()
    assert message == f"{tmp_path}/reports.ndjson is not complete yet: continue with --resume\n\n"
    assert running.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--resume"], "name it with -o"),
        (["-o", "a.json", "--markdown"], "-o writes JSON or Parquet"),
        (["-o", "a.parquet", "--rulings", "all"], "one row per record"),
    ],
)
def test_incompatible_options_are_refused(arguments: list[str], reason: str, archive: Path) -> None:
    assert reason in output_of("audit", *arguments, str(archive), code=2)


def queries() -> list[str]:
    """The examples of the page about very many records."""
    page = (Path(__file__).parents[2] / "docs" / "at-scale.md").read_text("utf-8")
    return re.findall(r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def test_the_queries_of_the_page_give_the_right_answers(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("reports.parquet", "reports.ndjson.zst"):
        output_of("audit", "-o", name, str(archive), code=1)
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
    assert len(lines) > 6
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "domino-ledger"
        command = cli.get_command(click.Context(cli), next(word for word in words if word in COMMANDS))
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts} | {"--ledger"}
        assert {word for word in words if word.startswith("-")} <= options
