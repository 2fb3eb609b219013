"""`new`, `import` and `export`: records into the ledger and out of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime
from typing import IO, Any

import click

from ledger.catalog import find
from ledger.cli.common import echo, failed, find_record, ledger_at, progress
from ledger.codec import encode, encode_lines
from ledger.errors import NotARecord
from ledger.events import Open
from ledger.record import Record
from ledger.recorder import Recorder, players_for
from ledger.visible import visible_json


def options_of(written: tuple[str, ...]) -> dict[str, Any]:
    """Parses typed options: ``set=6``, ``cut_up=true``, ``target=none``, ``hands=6/6/4``."""
    options = {}
    for part in (one for text in written for one in text.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise click.UsageError(f"write an option as name=value, not {part!r}")
        options[name.strip()] = _value(value.strip())
    return options


def _value(text: str) -> Any:
    if text.lower() in ("true", "false", "none", "null"):
        return {"true": True, "false": False}.get(text.lower())
    if text.lstrip("-").isdigit():
        return int(text)
    if "/" in text and all(part.isdigit() for part in text.split("/")):
        return tuple(int(part) for part in text.split("/"))
    return text


@click.command("new")
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@click.option("-o", "--options", multiple=True, metavar="NAME=VALUE", help="An option of the game (repeatable).")
@click.option("--edition", help="The edition of the rules, for a game with several.")
@click.option("--played", help="The day it was played, YYYY-MM-DD (default: today).")
@click.option("--place", help="Where it was played.")
@click.option("--event", help="The occasion, such as a tournament.")
@click.option("--by", help="Your name, as the recorder.")
@click.pass_obj
def new_(
    path: str,
    game: str,
    players: tuple[str, ...],
    options: tuple[str, ...],
    edition: str | None,
    played: str | None,
    place: str | None,
    event: str | None,
    by: str | None,
) -> None:
    """Begin GAME with PLAYERS, named clockwise round the table, and print the id of its record.

    \b
    Example:
      domino-ledger new zigzag Ana Ben Cy -o first_bidder=ben -o target=60 --place "the kitchen"
    """
    there = players_for(players)
    chosen = options_of(options)
    for key, value in chosen.items():
        # Options may name a player; the record needs the id.
        chosen[key] = next((player.id for player in there if value == player.name), value)
    today = datetime.now(UTC).astimezone().date().isoformat()
    if played is not None:
        _check_day(played)
    opening = Open(game, edition, chosen, there, played or today, place, event, by)
    with ledger_at(path, make=True) as store:
        try:
            echo(Recorder(store, find_game=find).open(opening, by=by))
        except NotARecord as error:  # what was typed is on the command line, so its place in a record helps nobody
            raise click.UsageError(error.reason) from None


def _check_day(played: str) -> None:
    """Raises click.UsageError for text that is no day."""
    try:
        there = date.fromisoformat(played).isoformat() == played
    except ValueError:
        there = False
    if not there:
        raise click.UsageError(f"there is no day {played!r}: write it as in 2026-11-20")


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@click.pass_context
def import_(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Import records from FILES: archives (.ndjson, .ndjson.zst), JSON, score sheets, folders, or -.

    Invalid input is reported with its line and reason, and the rest is imported; the exit status
    is then 2.

    \b
    Example:
      domino-ledger import last-night.sheet league.ndjson.zst
      domino-ledger simulate build-up --count 20 | domino-ledger import -
    """
    from ledger.sources import items  # noqa: PLC0415  only for files

    wrong = 0

    def records() -> Iterator[Record]:
        nonlocal wrong
        for file in files:
            for item in items(file):
                if isinstance(item.result, NotARecord):
                    failed(item.result)
                    wrong += 1
                else:
                    yield item.result

    with ledger_at(ctx.obj, make=True) as store:
        last, count = "", 0
        for record_id in progress(Recorder(store).import_records(records()), "importing"):
            last, count = record_id, count + 1
    echo(f"{count} record{'' if count == 1 else 's'} imported" + (f" as {last}" if count == 1 else ""))
    if wrong:
        ctx.exit(2)


@click.command("export")
@click.argument("records", nargs=-1)
@click.option("--sheet", "form", flag_value="sheet", help="Score sheets.")
@click.option("--json", "form", flag_value="json", help="JSON, one event per line.")
@click.option(
    "--ndjson", "form", flag_value="ndjson", default=True, help="An archive, one record per line (the default)."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="The file to write; .zst compresses.")
@click.pass_obj
def export_(path: str, records: tuple[str, ...], form: str, output: str | None) -> None:
    """Export RECORDS, or the whole ledger without any.

    An archive in a file gets a manifest beside it, FILE.manifest.  With it `verify FILE` can tell whether the archive
    has changed.

    \b
    Example:
      domino-ledger export 7k3m --sheet
      domino-ledger export -o ledger.ndjson.zst
    """
    if output is None:
        _write(path, records, form, sys.stdout.buffer)
        return
    from pathlib import Path  # noqa: PLC0415  only for files

    from ledger.cli.into import atomic_write  # noqa: PLC0415
    from ledger.manifest import manifest_path  # noqa: PLC0415

    there = Path(output)
    with atomic_write(there, records) as out, ExitStack() as more:
        manifest = more.enter_context(atomic_write(manifest_path(there))) if form == "ndjson" else None
        _write(path, records, form, out, manifest)
        if manifest is None:
            manifest_path(there).unlink(missing_ok=True)  # it is of what stood there before


def _write(path: str, names: tuple[str, ...], form: str, out: IO[bytes], manifest: IO[bytes] | None = None) -> None:
    for record_id, record in progress(_records(path, names), "exporting"):
        if form == "sheet":
            from ledger.review import sheet  # noqa: PLC0415  only for sheets

            out.write(sheet(record).encode())
            continue
        line = encode(record)
        text = encode_lines(record) if form == "json" else line + b"\n"
        out.write(visible_json(text.decode()).encode() if out is sys.stdout.buffer else text)
        if manifest is not None:
            from ledger.manifest import manifest_line  # noqa: PLC0415  only here

            manifest.write(manifest_line(record_id, record, line) + b"\n")
    out.flush()


def _records(path: str, names: tuple[str, ...]) -> Iterator[tuple[str, Record]]:
    for name in names:
        yield find_record(path, name)
    if not names:
        with ledger_at(path) as store:
            yield from store.records()
