"""A fault that a command reports and then goes on: it ends with status 2."""

from __future__ import annotations

import click

FAULT = "domino_ledger.fault"
"""Its entry in the `meta` of a command."""


def fault(message: str) -> None:
    """Prints a fault to stderr; the command ends with status 2 although it goes on."""
    click.echo(f"Error: {message}", err=True)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[FAULT] = True
