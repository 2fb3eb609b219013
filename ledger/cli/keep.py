"""`backup`, `restore`, `copy` and `forget`: a ledger kept elsewhere, and names that are kept no longer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from ledger.cli.common import ledger_at, progress, resolve
from ledger.cli.verify import TEXT, tell
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.stores.contract import Store


@click.command("backup")
@click.argument("copy", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def backup_(path: str, copy: Path) -> None:
    """Copy the ledger to the file COPY while recording goes on, and verify the copy; print its head.

    COPY takes its name only when it is whole, so that what stands under that name is always a good one.  An earlier
    backup of the ledger may stand there, and nothing else.

    \b
    Example:
      domino-ledger backup /mnt/elsewhere/club.sqlite > club.head
    """
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415  only here
    from ledger.transfer import transfer  # noqa: PLC0415

    if copy.is_dir():
        raise click.ClickException(f"{copy} is a folder: name the file of the backup")
    if copy.resolve() == Path(path).resolve():
        raise click.ClickException("a backup is another file than the ledger")
    fresh = copy.with_name(f"{copy.name}.part")
    fresh.unlink(missing_ok=True)
    with ledger_at(path) as store:
        if copy.exists() and not _is_earlier(copy, store):
            raise click.ClickException(f"{copy} is no earlier backup of {path}, and stays as it is: name another file")
        if isinstance(store, SqliteStore):
            store.copy_to(fresh)
        else:
            with SqliteStore(fresh) as there:
                for _ in progress(transfer(store, there), "copying"):
                    pass
    _settle(fresh, copy)


def _is_earlier(copy: Path, store: Store) -> bool:
    """Whether a file is a ledger whose last event stands at the same place in this one."""
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415  only here

    try:
        with SqliteStore(copy) as kept:
            size = kept.size()
            return list(kept.log(size - 1)) == list(store.log(size - 1, size)) if size else True
    except LedgerError:
        return False


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
    witness = there.with_name(f"{there.name}.head")
    with SqliteStore(copy) as store:
        found = check(store, read_head(against.read()) if against else None)
        if found.harms:
            tell(found, str(copy))
            raise click.ClickException(f"{copy} is harmed: nothing was restored")
        store.copy_to(fresh)
    _settle(fresh, there)
    if witness.exists():
        # It remembers the ledger that was lost.  Kept aside, it still tells what the copy lacks.
        witness.replace(witness.with_name(f"{witness.name}.before"))
        click.echo(
            f"{witness.name}.before remembers the ledger that was here; events after the backup are gone", err=True
        )


def _settle(fresh: Path, name: Path) -> None:
    """Verifies a copy, brings it to the disk, and gives it its name."""
    from ledger.heads import check  # noqa: PLC0415  only here
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415

    with SqliteStore(fresh) as store:
        found = check(store)
    tell(found, str(name))
    if found.harms:
        raise click.ClickException(f"the copy is harmed: it stays as {fresh}")
    for part in (fresh, fresh.parent):
        handle = os.open(part, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    fresh.replace(name)


@click.command("copy")
@click.argument("target")
@click.pass_obj
def copy_(path: str, target: str) -> None:
    """Copy the ledger into another one, TARGET, and verify as it goes: both have the same head at the end.

    A ledger is a file or a PostgreSQL database (postgresql://…), either way round.  What is there already is passed
    over, so that a copy which was interrupted goes on, and one that is repeated brings only what is new.

    \b
    Example:
      domino-ledger copy postgresql:///club
      DOMINO_LEDGER=postgresql:///club domino-ledger copy elsewhere.sqlite
    """
    from ledger.transfer import transfer  # noqa: PLC0415  only here

    with ledger_at(path) as store, ledger_at(target, make=True) as there:
        for _ in progress(transfer(store, there), "copying"):
            pass
        click.echo(f"{target} has all that {path} has", err=True)
        from ledger.heads import check  # noqa: PLC0415  as above

        tell(check(there), target)


@click.command("forget")
@click.argument("name")
@click.option("--record", "records", multiple=True, help="Only in this record; may be repeated.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget_(path: str, name: str, records: tuple[str, ...], *, yes: bool) -> None:
    """Erase the NAME of a player from the ledger, on their request.

    Names stand outside the chain: what was played stays as it is, and every proof holds.  The player is known only by
    the id of a seat then.  It cannot be undone.  Notes, exports and backups that were made before are not touched.

    \b
    Example:
      domino-ledger forget "Ana Lind"
    """
    from ledger.transfer import forget, known_as  # noqa: PLC0415  only here

    with ledger_at(path) as store:
        wanted = {resolve(store, record) for record in records} or None
        found = known_as(store, name, wanted)
        if not found:
            raise click.ClickException(f"nobody is called {name!r} there")
        where = f"{len(found)} record{'' if len(found) == 1 else 's'}"
        if not yes:
            click.confirm(f"Erase the name {name!r} from {where}?", abort=True)
        told = forget(store, name, found)
        for record_id in told:
            click.echo(f"record {record_id}: the player's id tells the name too, and an id cannot be erased", err=True)
    click.echo(f"the name is erased from {where}")
