"""Exit statuses, also of commands that reported a fault and went on."""

import click

from ledger.record.errors import LedgerError, NotALedger, UnknownRecord

FINDING = 1
"""The answer is no: a breach, corruption, a difference."""
REFUSED = 2
"""The command line or the input cannot be used."""
MISSING = 3
"""A ledger, a record or a file is not there, or cannot be opened."""
STOPPED = 130
"""Ctrl+C, or a question that was not answered with yes."""
FAULT = "domino_ledger.fault"
"""The key in a command's `meta` for the status of the worst fault that it reported before it went on."""


class Missing(click.ClickException):
    """A ledger, a record or a file that is not there."""

    exit_code = MISSING


class Refused(click.ClickException):
    """An input that cannot be used."""

    exit_code = REFUSED


def status_of(error: Exception) -> int:
    """The exit status for an error."""
    if isinstance(error, OSError | NotALedger | UnknownRecord):
        return MISSING
    # click marks a missing file in no other way.
    if isinstance(error, click.BadParameter) and error.message.endswith(
        ("does not exist.", "No such file or directory")
    ):
        return MISSING
    # click gives the status 1 to errors that name none, but here 1 is a finding.
    status = error.exit_code if isinstance(error, click.ClickException) else REFUSED
    return REFUSED if status == FINDING else status


def refusal(error: LedgerError | OSError, message: str) -> click.ClickException:
    """The error that ends a command with this message and the status for `error`."""
    return Missing(message) if status_of(error) == MISSING else Refused(message)
