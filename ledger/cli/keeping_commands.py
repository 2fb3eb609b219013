"""`backup`, `restore`, `copy`, `repair`, `migrate` and `forget`: copies a ledger, mends it, and erases names."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from glob import escape
from itertools import count
from pathlib import Path
from tempfile import mkstemp
from typing import IO

import click

from ledger.cli.each_club import CLUSTER, Summary, checked, each_club
from ledger.cli.exits import FAULT, FINDING
from ledger.cli.ledger_access import confirm, ledger_at, resolve
from ledger.cli.output_files import require_folder
from ledger.cli.shared_options import FILE
from ledger.cli.terminal import echo, progress
from ledger.cli.verify_commands import TEXT, report_check
from ledger.keep import transfer
from ledger.keep.recorder import folded
from ledger.keep.stored_audits import refresh
from ledger.proof.log_head import CheckResult, check, parse_log_head
from ledger.record.errors import LedgerError
from ledger.record.private_files import keep_mode, real
from ledger.record.words import plural
from ledger.stores import open_ledger, questions, there_is
from ledger.stores.beside import Alias, Comment, Trace
from ledger.stores.store import SqliteStore

WINDOWS = os.name == "nt"
DAY = 86400
"""Seconds after which a copy that was not completed is no longer written."""


@click.command("backup")
@click.argument("copy", type=click.Path(path_type=Path))
@CLUSTER
@click.pass_obj
def backup_(path: str, copy: Path, cluster: str | None) -> None:
    """Copy the ledger to the file COPY while recording goes on, verify the copy, and print its head of the log.
    A folder of clubs is copied to the folder COPY, with a line for each club.

    COPY gets its name only when it is complete, so a file with that name is always good.  It may replace an earlier
    backup of the same ledger, but no other file.

    \b
    Example:
      domino-ledger backup /mnt/elsewhere/club.sqlite > club.head
    """
    if copy.resolve() == Path(path).resolve():
        raise click.ClickException("a backup must be a different file from the ledger")
    if Path(path).is_dir():
        each_club(path, partial(_back_up_club, copy.resolve()), cluster)
        return
    if copy.is_dir():
        raise click.ClickException(f"{copy} is a folder: name a file for the backup")
    require_folder(copy)
    with ledger_at(path) as store:
        report_check(_back_up(store, copy), str(copy))


def _back_up(store: SqliteStore, copy: Path) -> CheckResult:
    """The check of a copy, which has its name only if nothing is wrong with it."""
    with _part(copy) as part:
        if copy.exists() and not _is_earlier(copy, store):
            raise click.ClickException(f"{copy} is not an earlier backup of {store.path}, and was left alone")
        store.connection.copy_to(part)
        return _settle(part, copy)


def _back_up_club(folder: Path, file: Path) -> Summary:
    folder.mkdir(mode=0o700, exist_ok=True)
    with SqliteStore(file) as store:
        return checked(_back_up(store, folder / file.name))


def _is_earlier(copy: Path, store: SqliteStore) -> bool:
    """Whether a file is a ledger whose last event is at the same place in this ledger."""
    try:
        with SqliteStore(copy) as earlier:
            size = earlier.size()
            return list(earlier.log(size - 1)) == list(store.log(size - 1, size)) if size else True
    except LedgerError:
        return False


@click.command("restore")
@click.argument("copy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--against", type=TEXT, help="A file with the head of the log that the backup must have; - reads stdin.")
@click.pass_obj
def restore_(path: str, copy: Path, against: IO[str] | None) -> None:
    """Make the ledger from the backup COPY, verified before and after.  An existing ledger is never overwritten.

    \b
    Example:
      domino-ledger restore /mnt/elsewhere/club.sqlite --against club.head
    """
    target = real(path)
    if target.exists():
        raise click.ClickException(f"there is already a ledger at {path}: move it away first, or name another")
    mark = target.with_name(f"{target.name}.head")
    with SqliteStore(copy) as store, _part(target) as part:
        result = check(store, parse_log_head(against.read()) if against else None)
        if result.corruptions:
            report_check(result, str(copy))
            raise click.ClickException(f"{copy} is corrupt: nothing was restored")
        store.connection.copy_to(part)
        with SqliteStore(part) as restored:
            restored.connection.log_ahead()  # nobody reads it yet
        report_check(_settle(part, target, new=True), str(target))
    if mark.exists():
        # The mark belongs to the lost ledger.  Under another name it still shows what the backup lacks.
        mark.replace(mark.with_name(f"{mark.name}.before"))
        echo(f"{mark.name}.before is the high-water mark of the old ledger; events after the backup are gone", err=True)


@contextmanager
def _part(name: Path) -> Iterator[Path]:
    """A new file for a copy until it is complete, readable like the file that it replaces.

    Its name is its own, because several programs may copy to one name at once.  What a program left that was killed is
    deleted a day later.
    """
    handle, part = mkstemp(prefix=f".{name.name}.", suffix=".part", dir=name.parent)
    os.close(handle)
    now = Path(part).stat().st_mtime  # by the clock of the disk, which may be another machine's
    for left in name.parent.glob(f".{escape(name.name)}.*.part*"):
        with suppress(OSError):
            if now - left.stat().st_mtime > DAY:
                left.unlink()
    try:
        keep_mode(Path(part), name)
        yield Path(part)
    finally:
        for end in ("", ".head", "-wal", "-shm", "-journal"):
            Path(f"{part}{end}").unlink(missing_ok=True)


def _settle(part: Path, target: Path, *, new: bool = False) -> CheckResult:
    """Verifies a copy, flushes it to the disk, and gives it its final name, where with `new` no file may be.

    Returns the check.
    """
    with SqliteStore(part) as store:
        result = check(store)
    if result.corruptions:
        report_check(result, str(target))
        raise click.ClickException(f"the copy is corrupt, and was deleted; {target} is as it was")
    _bring_to_disk(part)
    if not new:
        part.replace(target)
    else:
        try:
            os.link(part, target)
        except FileExistsError:
            raise click.ClickException(f"meanwhile there is a ledger at {target}: nothing was restored") from None
        except OSError:  # a disk without links
            part.replace(target)
    _bring_to_disk(target.parent)
    return result


def _bring_to_disk(path: Path) -> None:
    """Waits until a file or a folder is on the disk.  Windows cannot open folders, and needs no such wait for them."""
    if path.is_dir() and WINDOWS:
        return
    # Windows flushes only files that are open for writing.
    handle = os.open(path, os.O_RDWR if WINDOWS else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@click.command("copy")
@click.argument("target", type=click.Path())
@click.pass_obj
def copy_(path: str, target: str) -> None:
    """Copy the ledger into another one, TARGET, verifying along the way.  Both are the same at the end.

    Events that TARGET has already are skipped, so you can continue an interrupted copy, or repeat one to bring only
    what is new.

    \b
    Example:
      domino-ledger copy /mnt/elsewhere/club.sqlite
    """
    if target == path or (Path(target).exists() and Path(path).exists() and Path(target).samefile(path)):
        raise click.UsageError(f"{target} is the ledger itself: name another file")
    with ledger_at(path) as store, ledger_at(target, make=True) as target_store:
        for _ in progress(transfer.transfer(store, target_store), "copying"):
            pass
        echo(f"{target} now has everything in {path}", err=True)
        report_check(check(target_store), target)


@click.command("forget")
@click.argument("name", required=False)
@click.option("--record", "records", multiple=True, help="Only in this record; may be repeated.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget_(path: str, name: str | None, records: tuple[str, ...], *, yes: bool) -> None:
    """Erase the NAME of a person from the ledger, on their request: as player, recorder or alias, and in comments.

    Names are outside the chain, so the game stays as it was and each fingerprint still holds.  The player is then known
    only by the id of a seat.  A running server stops showing the name.  You cannot undo this.

    It then lists what still has the name: notes and other text in events, and ids, which are part of the chain.
    Earlier exports, backups and copies are not changed: erase the name there too, or delete them.  It lists those
    beside the ledger.

    If another program is still reading, the name can stay in the database's files.  Then the command says so and ends
    with 1; run it again without a NAME when the other program has ended.

    \b
    Examples:
      domino-ledger forget "Ana Lind"
      domino-ledger forget
    """
    with ledger_at(path) as store:
        if name is None:
            _report_traces(store.forget_traces())
            return
        record_ids = {resolve(store, record) for record in records} or None
        named = transfer.known_as(store, name, record_ids)
        if not named and not _is_beside_the_games(store, name):
            near = _near(store, name, record_ids)
            advice = f"; did you mean {near}?" if near else ""
            raise click.ClickException(f"no player or recorder is called {name!r} there{advice}")
        count = f"{plural(len(named), 'record')}"
        if not yes:
            confirm(f"Erase the name {name!r} from {count}, and their comments?")
        deleted, changed = transfer.forget_comments(store, name, record_ids)
        aliases = [] if record_ids else transfer.forget_aliases(store, name)
        transfer.forget_renamings(store, name)
        if adjusted := 0 if record_ids else transfer.forget_adjustments(store, name):
            echo(f"adjustments: {adjusted} deleted")
        traces = transfer.forget(store, name, named)
        echo(f"the name is erased from {count}")
        if deleted or changed:
            echo(f"comments: {deleted} by this person deleted, the name taken out of {changed} others")
        if aliases:
            echo(f"aliases: {len(aliases)} deleted")
        for record_id, place in transfer.mentions(store, name, named):
            echo(f"record {record_id}: {place} still has the name, and is part of the chain", err=True)
        if similar := _near(store, name, record_ids):
            echo(f"similar names are still there: {similar}", err=True)
        for copy in transfer.copies_with(Path(path), named, name):
            echo(f"{copy} still has the name: run `forget` there (--ledger FILE), or delete it", err=True)
        echo("exports, backups and copies made before still have it: erase it there, or delete them", err=True)
        _report_traces(traces)


def _is_beside_the_games(store: SqliteStore, name: str) -> bool:
    aliases = {folded(spelling) for alias in store.kept(Alias) for spelling in alias}
    return folded(name) in aliases or any(
        transfer.same_name(comment.author) == transfer.same_name(name) for comment in store.kept(Comment)
    )


def _near(store: SqliteStore, name: str, records: set[str] | None) -> str:
    return ", ".join(repr(near) for near in transfer.near_names(store, name, records))


def _report_traces(traces: list[Trace]) -> None:
    """Prints where the database still has erased names; the exit status is 1 if the command must run again."""
    for trace in traces:
        echo(trace.sentence, err=True)
    if any(trace.again for trace in traces):
        raise click.exceptions.Exit(FINDING)
    if not traces:
        echo("no file of the ledger holds an erased name")


def backup_option(end: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option that names the file for a copy of the ledger as it is; see `copy_name`."""
    words = f"The new file for a copy of the ledger as it is (default: FILE.{end})."
    return click.option("--backup", type=FILE, help=words)


def copy_name(path: str, backup: Path | None, end: str) -> Path:
    """The new file for a copy of a ledger: the `backup` that somebody named, or one beside the ledger with this end."""
    if backup is not None and backup.exists():
        raise click.ClickException(f"{backup} exists: name a new file for the copy")
    names = (Path(f"{path}.{end}{'' if n == 1 else f'-{n}'}") for n in count(1))
    return backup or next(name for name in names if not name.exists())


@click.command("repair")
@backup_option("before-repair")
@click.option("--accept-loss", is_flag=True, help="Go on without events that are gone and that no backup has.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def repair_(ctx: click.Context, backup: Path | None, *, accept_loss: bool, yes: bool) -> None:
    """Rebuild everything beside the events: the list of records, the audits, names and keys.

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
        if any(corruption.event is not None for corruption in result.corruptions):
            echo("`repair` never changes events: `restore` a backup", err=True)
        if any(corruption.event is None for corruption in result.corruptions):
            echo("`repair` could not mend everything beside the events: `restore` a backup", err=True)
        if loss and not accept_loss:
            echo("if no backup has them, `repair --accept-loss` goes on without them", err=True)
        ctx.exit(1)


def _copy(store: SqliteStore, path: str, copy: Path) -> None:
    store.connection.copy_to(copy)
    mark = Path(f"{real(path)}.head")
    if mark.exists():
        shutil.copy(mark, f"{copy}.head")
    echo(f"the ledger as it was is in {copy}", err=True)


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
