"""Tab: commands, files, games, options, clauses, records and players, each as one word of the shell."""
# ruff: noqa: F811  the fixture is imported, and pytest passes it by name

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from test_cli import run  # noqa: F401  a fixture


def completions(words: list[str], ledger: Path | None = None) -> list[str]:
    """The completions in bash after these words and the Tab key."""
    env = {**os.environ, "_DOMINO_LEDGER_COMPLETE": "bash_complete", "COMP_CWORD": str(len(words) - 1)}
    env |= {"COMP_WORDS": " ".join(words)} | ({"DOMINO_LEDGER": str(ledger)} if ledger else {})
    code = "from ledger.cli import main; main()"
    process = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return process.stdout.split()


def test_tab_completes_games_clauses_options_and_files() -> None:
    assert completions(["domino-ledger", "new", "zi"]) == ["plain,ziggurat", "plain,zigzag"]
    assert "plain,zigzag.take" in completions(["domino-ledger", "list", "--clause", "zigzag.t"])
    assert completions(["domino-ledger", "list", "--game", "bu"]) == ["plain,build-up"]
    assert completions(["domino-ledger", "import", "fri"]) == ["file,fri"]
    assert completions(["domino-ledger", "audit", "fri"]) == ["file,fri"]
    assert "plain,set=6" in completions(["domino-ledger", "simulate", "zigzag", "-p", "set="])


def test_tab_completes_records_and_players(run, tmp_path: Path) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    ledger = tmp_path / "a.sqlite"
    assert completions(["domino-ledger", "show", name[:3]], ledger) == [f"file,{name[:3]}", f"plain,{name}"]
    assert completions(["domino-ledger", "prove", name[:3]], ledger) == [f"plain,{name}"]
    assert completions(["domino-ledger", "confirm", name, "B"], ledger) == ["plain,Ben"]
    assert completions(["domino-ledger", "--ledger", str(ledger), "show", name[:3]])[1:] == [f"plain,{name}"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("word", "completion"),
    [("S", r"Spring\ Cup"), (r"Spring\ C", r"Spring\ Cup"), ('"Sp', "Spring Cup"), ("x", r"x\*")],
)
def test_bash_completes_a_name_with_a_space_as_one_word(run, tmp_path: Path, word: str, completion: str) -> None:
    ledger = tmp_path / "a.sqlite"
    for event in ("Spring Cup", "x*"):
        run("new", "build-up", "Ana", "Ben", "--event", event)
    (tmp_path / "xyz").write_text("a file that x* would find")
    command = f"{shlex.quote(sys.executable)} -m ledger.cli"
    script = f"""
        domino-ledger() {{ {command} "$@"; }}; export -f domino-ledger
        {run("completion", "bash").output.replace("$1)", f"{command})")}
        COMP_WORDS=(domino-ledger --ledger {shlex.quote(str(ledger))} standings {shlex.quote(word)}) COMP_CWORD=4
        _domino_ledger_completion domino-ledger {shlex.quote(word)} standings
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert process.stdout == f"{completion}\n", process.stderr


def test_bash_completes_files_where_the_command_has_nothing(run) -> None:
    assert "complete -o default" in run("completion", "bash").output
