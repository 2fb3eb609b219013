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
from click.shell_completion import ShellComplete

from ledger.cli import cli
from test_cli import run  # noqa: F401  a fixture


def completions(words: list[str], ledger: Path | None = None) -> list[str]:
    """The completions after these words and the Tab key: the type and the text of each, and its help."""
    _program, *arguments, incomplete = words
    with pytest.MonkeyPatch.context() as patch:
        if ledger:
            patch.setenv("DOMINO_LEDGER", str(ledger))
        found = ShellComplete(cli, {}, "domino-ledger", "_DOMINO_LEDGER_COMPLETE").get_completions(
            arguments, incomplete
        )
    return [f"{item.type},{item.value}" + (f" ({item.help})" if item.help else "") for item in found]


def test_a_process_answers_tab_in_the_words_of_bash() -> None:
    env = {
        **os.environ,
        "_DOMINO_LEDGER_COMPLETE": "bash_complete",
        "COMP_CWORD": "2",
        "COMP_WORDS": "domino-ledger new zi",
    }
    code = "from ledger.cli import main; main()"
    process = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["plain,ziggurat", "plain,zigzag"]


def test_tab_completes_games_clauses_options_and_files() -> None:
    assert completions(["domino-ledger", "new", "ZI"]) == ["plain,ziggurat", "plain,zigzag"]
    assert completions(["domino-ledger", "list", "--clause", "zigzag.t"]) == ["plain,zigzag.take", "plain,zigzag.turn"]
    assert "plain,build-up.pass" in completions(["domino-ledger", "list", "--clause", ""])
    assert completions(["domino-ledger", "list", "--game", "bu"]) == ["plain,build-up"]
    assert completions(["domino-ledger", "import", "fri"]) == ["file,fri"]
    assert completions(["domino-ledger", "audit", "fri"]) == ["file,fri"]
    sets = [f"plain,set={size}" for size in (8, 6, 7, 9)]
    assert completions(["domino-ledger", "simulate", "zigzag", "-p", "set="]) == sets
    assert completions(["domino-ledger", "simulate", "build-up", "-p", "hands="]) == []  # values with a space
    assert completions(["domino-ledger", "simulate", "whist", "-p", "set="]) == []
    faults = completions(["domino-ledger", "simulate", "zigzag", "--faults", ""])
    assert "plain,zigzag.take" in faults
    assert not any("build-up" in word for word in faults)
    assert completions(["domino-ledger", "statistics", "zigz"]) == ["file,zigz", "plain,zigzag"]


def test_tab_completes_records_players_and_events(run, tmp_path: Path) -> None:
    first, second = (
        run("new", "zigzag", *names, "--event", event).output.strip()
        for names, event in ((("Ana", "Ben", "Cy"), "Spring Cup"), (("Bea", "Ada", "Dee"), "League"))
    )
    ledger = tmp_path / "a.sqlite"
    shown = f"plain,{first} (zigzag, Ana, Ben, Cy)"
    assert completions(["domino-ledger", "show", first[:6].upper()], ledger) == [f"file,{first[:6].upper()}", shown]
    assert completions(["domino-ledger", "confirm", first[:6]], ledger) == [shown]
    assert len(completions(["domino-ledger", "confirm", ""], ledger)) == 2
    assert completions(["domino-ledger", "confirm", first, "b"], ledger) == ["plain,Ben"]
    assert completions(["domino-ledger", "confirm", second[:6].upper(), "b"], ledger) == ["plain,Bea"]
    assert sorted(completions(["domino-ledger", "player", "b"], ledger)) == ["plain,Bea", "plain,Ben"]
    assert completions(["domino-ledger", "standings", "s"], ledger) == ["plain,Spring Cup"]
    assert completions(["domino-ledger", "--ledger", str(ledger), "show", first[:6]])[1:] == [shown]


def test_tab_says_nothing_about_a_ledger_that_is_not_there_or_cannot_be_read(tmp_path: Path) -> None:
    assert completions(["domino-ledger", "confirm", ""], tmp_path / "none.sqlite") == []
    (tmp_path / "broken.sqlite").write_bytes(b"not a ledger")
    assert completions(["domino-ledger", "confirm", ""], tmp_path / "broken.sqlite") == []
    assert not (tmp_path / "none.sqlite").exists()


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
