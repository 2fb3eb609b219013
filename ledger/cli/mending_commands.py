"""`repair` and `migrate`: rebuild what is derived from the events, and upgrade a ledger of an older version."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import click

from ledger.cli.exits import FAULT
from ledger.cli.ledger_access import confirm, ledger_at
from ledger.cli.shared_options import FILE
from ledger.cli.terminal import echo, progress
from ledger.cli.verify_commands import report_check
from ledger.keep.stored_audits import refresh
from ledger.proof.tree_head import check
from ledger.stores import open_ledger, questions, there_is
from ledger.stores.offsets import real
from ledger.stores.sql import SqlStore


def backup_option(end: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option that names the file for a copy of the ledger as it is; see `copy_name`."""
    words = f"The new file for a copy of the ledger as it is (default: FILE.{end})."
    return click.option("--backup", type=FILE, help=words)


def copy_name(path: str, backup: Path | None, end: str) -> Path:
    """The new file for a copy of a ledger: the `backup` that somebody named, or one beside the ledger with this end."""
    if backup is not None and backup.exists():
        raise click.ClickException(f"{backup} exists: name a new file for the copy")
    return backup or free_name(Path(path), end)


@click.command("repair")
@backup_option("before-repair")
@click.option("--accept-loss", is_flag=True, help="Go on without events that are gone and that no backup has.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def repair_(ctx: click.Context, backup: Path | None, *, accept_loss: bool, yes: bool) -> None:
    """Rebuild everything beside the events: the list of records, the search index, the audits, names and keys.

    `verify` says whether you need it.  It first copies the ledger as it is, with all its damage, to a file.  It never
    changes an event: if events are changed or gone, `restore` a backup.  Lost names come back if the list still shows
    them.  A damaged key is deleted: make a new link.  The exit status is 1 if anything is still corrupt afterwards.

    A ledger that has fewer events than it had refuses to write.  If no backup has them, or you put an older copy there
    on purpose, --accept-loss makes it forget that it had more.

    \b
    Example:
      domino-ledger verify || domino-ledger repair
    """
    path: str = ctx.obj
    copy = copy_name(path, backup, "before-repair")
    with ledger_at(path) as store:
        loss = store.loss()
        if accept_loss and loss and not yes:
            confirm(f"{loss}. Go on without them?")
        _copy(store, path, copy)
        for difference in store.rebuild():
            place = f"record {difference.record}: " if difference.record else ""
            echo(f"not restored: {place}{difference.reason}", err=True)
        if accept_loss and loss:
            store.accept_loss()
            ctx.meta.pop(FAULT, None)  # an accepted loss is no fault
            echo(f"accepted: {loss}", err=True)
        elif accept_loss:
            echo("nothing is missing: there is no loss to accept", err=True)
        for _ in progress(refresh(store), "auditing", len(questions.unaudited(store))):
            pass
        result = check(store)
    report_check(result, path)
    if result.corruptions:
        if any(corruption.seq is not None for corruption in result.corruptions):
            echo("`repair` never changes events: `restore` a backup", err=True)
        if any(corruption.seq is None for corruption in result.corruptions):
            echo("`repair` could not mend everything beside the events: `restore` a backup", err=True)
        if loss and not accept_loss:
            echo("if no backup has them, `repair --accept-loss` goes on without them", err=True)
        ctx.exit(1)


def _copy(store: SqlStore, path: str, copy: Path) -> None:
    """Copies the ledger as it is, with its high-water mark."""
    store.copy_to(copy)  # type: ignore[attr-defined]  # every ledger on a disk has it
    mark = Path(f"{real(path)}.head")
    if mark.exists():
        shutil.copy(mark, f"{copy}.head")
    echo(f"the ledger as it was is in {copy}", err=True)


def free_name(path: Path, end: str) -> Path:
    """A new name beside the ledger."""
    names = (path.with_name(f"{path.name}.{end}{'' if n == 1 else f'-{n}'}") for n in count(1))
    return next(name for name in names if not name.exists())


@click.command("migrate")
@backup_option("before-migration")
@click.pass_context
def migrate_(ctx: click.Context, backup: Path | None) -> None:
    """Upgrade a ledger that an older Domino Ledger made, so that this one can use it.

    Stop the server first.  The command copies the ledger to a file, upgrades it in one transaction, and verifies the
    whole ledger.  If it is interrupted, the ledger is as it was: run the command again.

    \b
    Example:
      domino-ledger migrate
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
