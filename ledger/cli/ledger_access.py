"""Shared by several commands: opening the ledger, finding a record by name, reporting errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ledger.cli.exits import FAULT, REFUSED, Missing, status_of
from ledger.cli.terminal import Thing, echo, table
from ledger.record import clock
from ledger.record.errors import LedgerError, NotARecord, NotForNow, UnknownGame, UnknownRecord, every
from ledger.record.record import Record
from ledger.record.visible import visible, visible_json, visible_lines
from ledger.record.words import day, plural
from ledger.stores import open_ledger, there_is
from ledger.stores.query import Query

if TYPE_CHECKING:
    from ledger.audit.review import Review
    from ledger.stores.store import SqliteStore


_SUFFIXES = (".json", ".jsonl", ".ndjson", ".sheet", ".txt", ".zst")


def ledger_at(path: str, *, make: bool = False, warn: bool = True) -> AbstractContextManager[SqliteStore]:
    """The ledger in this file.

    Raises Missing if there is none, unless `make`.  It says what may be lost, unless the caller does (not `warn`).
    """
    if not make and not there_is(path):
        raise Missing(
            f"there is no ledger at {path}: make one with `domino-ledger new` or `import`, or name it with --ledger"
        )
    return (_with_warning if warn else open_ledger)(path)


@contextmanager
def _with_warning(path: str) -> Iterator[SqliteStore]:
    """The ledger, with a warning on stderr if it may have lost something.

    If it certainly has, that is an error, and the command ends with status 2.
    """
    with open_ledger(path) as store:
        if store.connection.doubt:
            echo(f"Warning: {store.connection.doubt}", err=True)
        loss = store.loss()
        if loss:
            fault(f"{store.path}: {loss}; `domino-ledger verify` shows more")
        yield store


def find_record(path: str, name: str) -> tuple[str, Record]:
    """The record with this name: a file, FILE:LINE, an id in the ledger, or the beginning of one.

    Raises NotARecord, UnknownRecord, or OSError for a file that cannot be read.
    """
    from ledger.keep.sources import pick

    if is_file(name):
        item = pick(name)
        if isinstance(item.result, NotARecord):
            raise item.result
        return item.name, item.result
    with ledger_for(path, name) as store:
        record_id = resolve(store, name)
        return record_id, store.read(record_id)


def is_file(name: str) -> bool:
    """Whether a name means a file, a line in one, or standard input, not an id in the ledger."""
    return name == "-" or bool(name and Path(name).exists()) or Path(name.rpartition(":")[0]).is_file()


def is_path(name: str) -> bool:
    """Whether a name looks like a file name: no id has a slash or an ending."""
    return "/" in name or "\\" in name or Path(name.rpartition(":")[0] or name).suffix in _SUFFIXES


def ledger_for(path: str, name: str) -> AbstractContextManager[SqliteStore]:
    """The ledger to look up a name that is not a file.  Raises UnknownRecord if there is no ledger."""
    if is_path(name):
        raise UnknownRecord(f"there is no file {name}")
    if not there_is(path):
        raise UnknownRecord(f"{name} is not a file, and there is no ledger at {path} to look it up in")
    return _with_warning(path)


def resolve(store: SqliteStore, name: str) -> str:
    """The full id that begins with this text.  Raises UnknownRecord if none does, or several do."""
    from ledger.stores import questions

    if not name:
        raise UnknownRecord("name a record: an id, the beginning of one, or a file")
    if store.version(name):
        return name
    if is_path(name):
        is_here = Path(name).exists()
        advice = (
            f"{name} is a file: import it, and name the record by its id" if is_here else f"there is no file {name}"
        )
        raise UnknownRecord(advice)
    ids = [record_id for record_id in store.ids(name.lower()) if record_id.startswith(name.lower())]
    if len(ids) == 1:
        return ids[0]
    if ids:
        raise UnknownRecord(f"several records begin with {name}: {', '.join(ids[:5])}")
    if name in questions.unlisted(store):
        raise UnknownRecord(f"record {name} has events, and its row in the list is missing: run `domino-ledger repair`")
    raise UnknownRecord(f"the ledger has no record {name}; `domino-ledger list` shows what it has")


def review_of(path: str, name: str) -> Review:
    """The review of the record with this name."""
    return audited(*find_record(path, name))


def audited(record_id: str, record: Record) -> Review:
    """The review of a record.  Raises the LedgerError for which there is none."""
    from ledger.keep.sources import review

    result = review(record_id, record)
    if isinstance(result, LedgerError):
        raise result
    return result


def note_audit(store: SqliteStore, record_id: str) -> None:
    """Stores the audit of a record that has just been written.  If that fails, the next `list` does it."""
    from ledger.keep.stored_audits import audit_of

    with suppress(LedgerError):
        store.note_audits([audit_of(record_id, store.read(record_id))])


def failed(error: LedgerError | OSError) -> None:
    """Prints an error and later ones of the same text to stderr; the command goes on, and ends with their status."""
    for single in every(error):
        fault(sentence(single), status_of(single))


def sentences(error: Exception) -> str:
    """The messages of an error and of the later ones of the same text, a line each."""
    return "\n".join(("" if single is error else "Error: ") + sentence(single) for single in every(error))


def sentence(error: Exception) -> str:
    """The message of an error, safe to show: without control characters and passwords."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    # These errors quote a record, so they must stay on one line.
    of_a_record = isinstance(error, NotARecord | NotForNow | UnknownGame | UnknownRecord)
    return visible(text) if of_a_record else visible_lines(text)


def fault(message: str, status: int = REFUSED) -> None:
    """Prints a fault to stderr; the command goes on, and ends with that status or a worse one."""
    echo(f"Error: {message}", err=True)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[FAULT] = max(status, context.meta.get(FAULT, 0))


MOST_NAMED = 5
"""Records that are named in one sentence."""


def say_unlisted(store: SqliteStore) -> None:
    """Says which records are not shown because the list of the ledger lacks them; the command ends with status 2."""
    from ledger.stores import questions

    unlisted = questions.unlisted(store)
    if unlisted:
        more = f" and {len(unlisted) - MOST_NAMED} more" if len(unlisted) > MOST_NAMED else ""
        fault(
            f"not shown: {', '.join(unlisted[:MOST_NAMED])}{more}, whose row in the list is missing; "
            "`domino-ledger repair` restores it, and `domino-ledger verify` checks the whole ledger"
        )


def say_set_aside(store: SqliteStore, what_becomes: str) -> None:
    """Says how many records of the ledger its owner set aside, and what a command does with them."""
    count = store.count_records(Query(voided=True))
    if count:
        echo(f"Note: {plural(count, 'record')} set aside (`void`): {what_becomes}", err=True)


def echo_json(value: object) -> None:
    """Prints a value as a line of JSON, with escapes for the characters that a terminal obeys."""
    echo_bytes(visible_json(msgspec.json.encode(value).decode()).encode() + b"\n")


def echo_rows(
    things: Iterable[Thing],
    columns: Sequence[str],
    cells: Callable[[Thing], Iterable[object]],
    empty: str,
    *,
    as_json: bool = False,
) -> None:
    """Prints things: each as JSON for programs, or in a table for people; `empty` if there is none."""
    rows = [*things]
    if as_json:
        for thing in rows:
            echo_json(thing)
    elif rows:
        table(columns, map(cells, rows))
    else:
        echo(empty)


def echo_bytes(text: bytes) -> None:
    """Prints a text for programs in UTF-8, whatever the encoding of the terminal is."""
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def agreed(question: str) -> bool:
    """Whether the person at the keyboard answers yes.  Ctrl+C stops the command, as it does everywhere."""
    try:
        return click.confirm(visible(question), err=True)  # noqa: TID251  the one place that asks
    except click.Abort:
        raise KeyboardInterrupt from None


def answer_to(question: str) -> str:
    """What the person at the keyboard types.  Raises click.Abort for Ctrl+C, and where nobody is."""
    text: str = click.prompt(visible(question), "", show_default=False, prompt_suffix="", err=True)  # noqa: TID251
    return text


def at_keyboard() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def is_sure(played: str | None, *, yes: bool, source: str = "", asks: bool = True) -> bool:
    """Whether the day of a game has come, or somebody is sure of it; where nobody can be asked, it is a fault."""
    if yes or not clock.is_ahead(played):
        return True
    sentence = f"{source and f'{source}: '}{day(played or '')} has not come yet"
    if asks and at_keyboard():
        return agreed(f"{sentence}. Is it the day of the game?")
    fault(f"{sentence}: add --yes if it is the day of the game")
    return False


def confirm(question: str) -> None:
    """Asks the person at the keyboard.  Raises click.Abort if they say no."""
    with suppress(KeyboardInterrupt):
        if agreed(question):
            return
    raise click.Abort
