"""`verify`, `backup` and `restore`: a ledger held against what it was, and kept elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from ledger.cli.common import ledger_at
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.heads import Checked, Head

TEXT = click.File("r", "utf-8", "replace")
"""What is no text is no head and no key either, and the reader says so."""


@click.command("verify")
@click.option("--against", type=TEXT, help="A head or a checkpoint from earlier, in a file; - reads it.")
@click.option("--proof", type=click.File("rb"), help="A proof of a record, checked without the ledger; - reads it.")
@click.option("--public", type=TEXT, help="The public key of a checkpoint or a proof, in a file.")
@click.pass_obj
def verify_(path: str, against: IO[str] | None, proof: IO[bytes] | None, public: IO[str] | None) -> None:
    """Read every event of the ledger: is each as it was written, and is all there that was there?

    It prints the head: the number of events, and a digest over all of them.  Keep a head outside this machine: held
    against it, the ledger shows whether anything of what was there then was changed or taken away.  The exit status is
    1 if something was.

    \b
    Example:
      domino-ledger verify > friday.head
      domino-ledger verify --against friday.head
      domino-ledger verify --proof final.proof --public club.public
    """
    from ledger.heads import check  # noqa: PLC0415  only here

    if proof is not None:
        _proved(proof.read(), public)
        return
    then = _noted(against.read(), public) if against else None
    with ledger_at(path) as store:
        found = check(store, then)
    _tell(found, path)
    if found.harms:
        sys.exit(1)


def _noted(text: str, public: IO[str] | None) -> Head:
    """The head that was noted, plain or signed."""
    from ledger.heads import read_head  # noqa: PLC0415  only here

    if "\u2014 " not in text:
        return read_head(text)
    if public is None:
        raise click.UsageError("this head is signed: say by --public whose signature it should bear")
    from ledger.checkpoints import Verifier, opened  # noqa: PLC0415  only here

    return opened(text, Verifier(public.read()))


def _proved(text: bytes, public: IO[str] | None) -> None:
    """Says what a proof shows."""
    from ledger.checkpoints import Verifier, proved, read_proof  # noqa: PLC0415  only here

    if public is None:
        raise click.UsageError("a proof is checked with a public key: name its file by --public")
    verifier, proof = Verifier(public.read()), read_proof(text)
    try:
        record, head = proved(proof, verifier)
    except LedgerError as error:
        click.echo(f"not proved: {error}", err=True)
        sys.exit(1)
    players = ", ".join(player.name or player.id for player in record.opening.players)
    click.echo(
        f"proved: record {proof.record} ({record.opening.game}, {players}), {len(record.events)} events, "
        f"stood like this in the ledger {verifier.name} when it had {head.size} events"
    )


def _tell(found: Checked, path: str) -> None:
    for harm in found.harms:
        where = f"record {harm.record}, event {harm.seq}" if harm.record else f"after {harm.seq} events"
        click.echo(f"{path}: {where}: {harm.reason}", err=True)
    state = "harmed" if found.harms else "whole"
    click.echo(f"{path}: {state}, {found.head.size} events in {found.records} records", err=True)
    click.echo(str(found.head))


@click.command("backup")
@click.argument("copy", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def backup_(path: str, copy: Path) -> None:
    """Copy the ledger to the file COPY while recording goes on, and verify the copy; print its head.

    COPY takes its name only when it is whole, so that what stands under that name is always a good one.

    \b
    Example:
      domino-ledger backup /mnt/elsewhere/club.sqlite > club.head
    """
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415  only here

    if copy.resolve() == Path(path).resolve():
        raise click.ClickException("a backup is another file than the ledger")
    fresh = copy.with_name(f"{copy.name}.part")
    fresh.unlink(missing_ok=True)
    with ledger_at(path) as store:
        assert isinstance(store, SqliteStore)  # noqa: S101  what a file is
        store.copy_to(fresh)
    _settle(fresh, copy)


@click.command("restore")
@click.argument("copy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--against", type=TEXT, help="A file with the head that the copy must have; - reads it.")
@click.pass_obj
def restore_(path: str, copy: Path, against: IO[str] | None) -> None:
    """Make the ledger out of the backup COPY, verified before and after.  A ledger that is there is left alone.

    \b
    Example:
      domino-ledger restore /mnt/elsewhere/club.sqlite --against club.head
    """
    from ledger.heads import check, read_head  # noqa: PLC0415  only here
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415

    there = Path(path)
    if there.exists():
        raise click.ClickException(f"there is a ledger at {path} already: move it away first, or name another")
    fresh = there.with_name(f"{there.name}.part")
    fresh.unlink(missing_ok=True)
    with SqliteStore(copy) as store:
        found = check(store, read_head(against.read()) if against else None)
        if found.harms:
            _tell(found, str(copy))
            raise click.ClickException(f"{copy} is harmed: nothing was restored")
        store.copy_to(fresh)
    _settle(fresh, there)


def _settle(fresh: Path, name: Path) -> None:
    """Verifies a copy, brings it to the disk, and gives it its name."""
    from ledger.heads import check  # noqa: PLC0415  only here
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415

    with SqliteStore(fresh) as store:
        found = check(store)
    _tell(found, str(name))
    if found.harms:
        raise click.ClickException(f"the copy is harmed: it stays as {fresh}")
    for part in (fresh, fresh.parent):
        handle = os.open(part, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    fresh.replace(name)
