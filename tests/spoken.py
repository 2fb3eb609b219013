"""The output of the command line and the results of an audit, for the tests of bulk audits."""

from __future__ import annotations

from collections.abc import Iterator

from click.testing import CliRunner

from ledger.bulk.crew import Done
from ledger.bulk.work import Result
from ledger.cli import cli


def said(*arguments: str) -> tuple[int, str, str]:
    """The exit status of the command, its stdout and its stderr."""
    found = CliRunner().invoke(cli, arguments)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.output
    return found.exit_code, found.stdout, found.stderr


def spoken(*arguments: str, code: int = 0) -> str:
    """The whole output of the command, which must end with this status."""
    found = CliRunner().invoke(cli, arguments)
    assert found.exit_code == code, found.output
    return found.output


def told(done: Iterator[Done]) -> list[Result]:
    """All results, in order."""
    return [each for _task, all_told in done for each in all_told]
