"""`migrate`: upgrades a ledger that an older version made."""

from __future__ import annotations

from pathlib import Path

import click

from ledger.cli.repair_command import backup_option, copy_name
from ledger.cli.terminal import echo
from ledger.cli.verify_commands import report_check
from ledger.record.later import later
from ledger.stores import open_ledger, there_is

with later():
    from ledger.proof.tree_head import check


@click.command("migrate")
@backup_option("before-migration")
@click.pass_context
def migrate_(ctx: click.Context, backup: Path | None) -> None:
    """Upgrade a ledger that an older Domino Ledger made, so that this one can use it.

    Stop the server first.  The command copies the ledger to a file, upgrades it in one transaction, and verifies the
    whole ledger.  If it is interrupted, the ledger is as it was: run the command again.

    \b
    Examples:
      domino-ledger migrate
      DOMINO_LEDGER=postgresql:///club domino-ledger migrate --backup club.before-migration
    """
    path: str = ctx.obj
    if not path or not there_is(path):
        raise click.ClickException(f"there is no ledger at {path}")
    copy = copy_name(path, backup, "before-migration")
    with open_ledger(path, outdated=True) as store:
        before, after = store.migrate(copy)
        if before == after:
            echo(f"{path} is up to date (schema {after})", err=True)
            return
        echo(f"upgraded from schema {before} to {after}; the ledger as it was is in {copy}", err=True)
        result = check(store)
    report_check(result, path)
    if result.corruptions:
        ctx.exit(1)
