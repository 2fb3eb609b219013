"""The command `domino-ledger` in this process, and the results of an audit."""

import subprocess
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner, Result

from ledger.cli import cli


def run_in(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What the command does in that folder, as if it were a process of its own."""
    with chdir(folder):
        result = CliRunner().invoke(cli, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def run_on(ledger: Path | str, *words: str) -> Result:
    """What the command does with that ledger."""
    return CliRunner().invoke(cli, ["--ledger", str(ledger), *words])


def outcome_of(*arguments: str) -> tuple[int, str, str]:
    """The exit status of the command, its stdout and its stderr."""
    result = CliRunner().invoke(cli, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.exit_code, result.stdout, result.stderr


def output_of(*arguments: str, code: int = 0) -> str:
    """The whole output of the command, which must end with this status."""
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == code, result.output
    return result.output
