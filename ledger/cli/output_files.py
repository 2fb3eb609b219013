"""Writes files for commands: completely or not at all, and never over an input or a ledger."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import click

from ledger.cli.exits import Missing
from ledger.keep.sources import files
from ledger.record.codec import open_bytes
from ledger.record.private_files import keep_mode, open_private

DATABASE = b"SQLite format 3\0"
"""The first bytes of every SQLite file, including ledgers.  Source: sqlite.org/fileformat.html, 1.3."""
EXPORTS = "domino_ledger.exports"
"""The group of entry points for pages: `html`, a function of a record's id and the record, and `season`, a function of
an event, its games, how each was won, and the address of a server."""


def refuse_overwrite(path: Path, inputs: Iterable[str] = ()) -> None:
    """Raises click.ClickException for a folder, and if writing would destroy an input or a ledger."""
    if path.is_dir():
        raise click.ClickException(f"{path} is a folder: name a file in it")
    if not path.is_file():
        return
    for name in inputs:
        for file in files(name) if Path(name).exists() else (name.rpartition(":")[0],):
            if Path(file).is_file() and path.samefile(file):
                raise click.ClickException(f"{path} is also an input: write to another file")
    with path.open("rb") as present:
        if present.read(len(DATABASE)) == DATABASE:
            raise click.ClickException(f"{path} is a ledger or another database: write to another file")


def require_folder(path: Path) -> None:
    """Raises Missing if there is no folder for the file."""
    if not path.parent.is_dir():
        raise Missing(f"{path}: there is no folder {path.parent}")


@contextmanager
def atomic_write(path: Path, inputs: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    """A file to write, compressed if its name ends in ``.zst``.  It gets its name only when it is complete.

    An earlier file stays until then, and its permissions longer; a new file is for its owner alone.  Raises
    click.ClickException as `refuse_overwrite` and `require_folder`.
    """
    refuse_overwrite(path, inputs)
    if path.exists() and not path.is_file():
        # A pipe or a terminal cannot be replaced.
        with open_bytes(path, "wb") as out:
            yield out
        return
    require_folder(path)
    path = path.resolve()
    # The name is unique, because two programs that write the same file at once must not mix their bytes.
    part = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        os.close(open_private(part, os.O_WRONLY | os.O_CREAT))
        with open_bytes(part, "wb") as out:
            out.write(b"")  # else an empty file would lack what zstd begins and ends with
            yield out
        keep_mode(part, path)
        part.replace(path)
    except OSError as error:
        if error.errno == errno.ENOSPC or error.filename in (str(part), part):
            error.filename, error.filename2 = str(path), None  # the user knows only the final name
        raise
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def page_writer(name: str) -> Callable[..., bytes]:
    """The function that writes a page, from a package above this one.  Raises click.ClickException if there is none."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=EXPORTS):
        if entry.name == name:
            writer: Callable[..., bytes] = entry.load()
            return writer
    raise click.ClickException("no installed package writes pages: install Domino Ledger again")
