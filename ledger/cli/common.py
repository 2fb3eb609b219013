"""What several commands need: the ledger, a record by what a person calls it, and progress on long work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ledger.errors import LedgerError, NotARecord, UnknownRecord
from ledger.record import Record
from ledger.stores import open_ledger, there_is

if TYPE_CHECKING:
    from ledger.review import Review
    from ledger.stores.contract import Store

LONG = 300
"""From how many records on a progress bar is worth its line."""

Thing = TypeVar("Thing")


def ledger_at(path: str, *, make: bool = False) -> AbstractContextManager[Store]:
    """The ledger in this file, or at this address.

    Raises click.ClickException where there is none and none is to be made.
    """
    if not make and not there_is(path):
        raise click.ClickException(
            f"there is no ledger at {path}: make one with `domino-ledger new` or `import`, or name it with --ledger"
        )
    return open_ledger(path)


def find_record(path: str, name: str) -> tuple[str, Record]:
    """The record that a person means: a file, FILE:LINE, an id in the ledger, or the beginning of one.

    Raises NotARecord, UnknownRecord, or OSError for a file that cannot be read.
    """
    if is_file(name):
        from ledger.sources import pick  # noqa: PLC0415  only for files

        item = pick(name)
        if isinstance(item.result, NotARecord):
            raise item.result
        return item.name, item.result
    with looked_up(path, name) as store:
        record_id = resolve(store, name)
        return record_id, store.read(record_id)


def is_file(name: str) -> bool:
    """Whether a person means a file by this, a line in one, or standard input: anything but an id in the ledger."""
    return name == "-" or Path(name).exists() or Path(name.rpartition(":")[0]).is_file()


def looked_up(path: str, name: str) -> AbstractContextManager[Store]:
    """The ledger in which to look for what is no file.  Raises UnknownRecord where there is no ledger."""
    if not there_is(path):
        raise UnknownRecord(f"{name} is no file, and there is no ledger at {path} to look it up in")
    return open_ledger(path)


def resolve(store: Store, name: str) -> str:
    """The id that begins like this.  Raises UnknownRecord if none does, or several."""
    if store.version(name):
        return name
    found = [record_id for record_id in store.ids(name.lower()) if record_id.startswith(name.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownRecord(f"several records begin with {name}: {', '.join(found[:5])}")
    raise UnknownRecord(f"the ledger has no record {name}; `domino-ledger list` shows what it has")


def review_of(path: str, name: str) -> Review:
    """The review of the record that a person means."""
    from ledger.review import Review  # noqa: PLC0415  it brings the audit along

    found, record = find_record(path, name)
    return Review(record, found)


def progress(things: Iterable[Thing], what: str, total: int | None = None) -> Iterator[Thing]:
    """The same things, with a bar on the terminal where the work is long and somebody watches."""
    if not sys.stderr.isatty() or (total is not None and total < LONG):
        yield from things
        return
    from rich.console import Console  # noqa: PLC0415  heavy; only for long work
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        for thing in things:
            yield thing
            bar.advance(task)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Prints a table; plain columns where nobody watches."""
    cells = [list(map(str, row)) for row in rows]
    heads = list(columns)
    if not sys.stdout.isatty():
        wide = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
        for row in [heads, *cells]:
            click.echo("  ".join(cell.ljust(wide[n]) for n, cell in enumerate(row)).rstrip())
        return
    from rich import box  # noqa: PLC0415  heavy; only for people
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(*heads, box=box.SIMPLE, pad_edge=False)
    for row in cells:
        made.add_row(*(cell.replace("[", r"\[") for cell in row))
    Console(highlight=False).print(made)


def failed(error: LedgerError | OSError) -> None:
    """Says on the error output what could not be read; the work goes on."""
    click.echo(f"Error: {error}", err=True)
