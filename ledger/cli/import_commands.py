"""`new`, `import` and `export`: bring records into the ledger and out of it."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, nullcontext
from itertools import chain
from pathlib import Path
from typing import IO, Any

import click

from ledger.audit.review import sheet
from ledger.cli import ledger_access as access
from ledger.cli.card_commands import import_tables, pairs, repeated, take_back
from ledger.cli.exits import REFUSED
from ledger.cli.output_files import atomic_write, page_writer, refuse_overwrite
from ledger.cli.shared_options import DAY, GAME, JSON, OPTIONS, RECORDS, YES, form_of, only_one, output, typed_options
from ledger.cli.terminal import echo, progress
from ledger.club.load import club_of_reviews
from ledger.club.result_exports import bg_stats, csv_bytes
from ledger.games.catalog import find
from ledger.keep.copies import archived, event_ids, key_roles, take_all
from ledger.keep.importing import Importer
from ledger.keep.imports import note
from ledger.keep.recorder import Recorder, folded, is_blank, players_for
from ledger.keep.score_tables import TEMPLATE, WORDS
from ledger.keep.sources import items
from ledger.proof.manifest import manifest_line, manifest_path
from ledger.record import clock
from ledger.record.branches import happened
from ledger.record.codec import encode, encode_lines
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Open
from ledger.record.record import Record
from ledger.record.visible import visible_json
from ledger.record.words import plural
from ledger.stores import questions, there_is
from ledger.stores.beside import Alias
from ledger.stores.store import SqliteStore


@click.command("new")
@GAME
@click.argument("players", nargs=-1, required=True)
@OPTIONS
@click.option("--edition", help="The edition of the rules, for a game with several.")
@click.option("--played", type=DAY, metavar="DAY", help="The day it was played, YYYY-MM-DD (default: today).")
@YES
@click.option("--place", help="Where it was played.")
@click.option("--event", help="The event, such as a tournament.")
@click.option("--by", help="Your name, as the recorder.")
@JSON
@click.pass_obj
def new_(path: str, /, game: str, players: tuple[str, ...], *, yes: bool, as_json: bool, **said: Any) -> None:
    """Begin GAME with PLAYERS, named clockwise round the table, and print the id of its record.

    \b
    Example:
      domino-ledger new zigzag Ana Ben Cy -p first_bidder=Ben -p target=60 --place "the kitchen"
    """
    _check_names(players)
    seats = players_for(players)
    values = typed_options(said["options"], find(game))
    for key, value in values.items():
        # Options may name a player; the record needs the id.
        values[key] = next((player.id for player in seats if value == player.name), value)
    said |= {"options": values, "played": said["played"] or clock.today().isoformat()}
    opening = Open(game, players=seats, **said)
    if not access.is_sure(opening.played, yes=yes):
        raise click.exceptions.Exit(REFUSED)
    with access.ledger_at(path, make=True) as store:
        try:
            record_id = Recorder(store, find_game=find).open(opening, by=opening.by)
        except NotARecord as error:  # the input is the command line, so a place in a record would not help
            raise click.UsageError(error.reason) from None
        access.note_audit(store, record_id)
    access.echo_json({"record": record_id, "game": game}) if as_json else echo(record_id)


def _check_names(players: tuple[str, ...]) -> None:
    names: set[str] = set()
    for place, name in enumerate(players, 1):
        if is_blank(name):
            raise click.UsageError(f"player {place} has no name: give one")
        if folded(name) in names:
            raise click.UsageError(f"there are two players called {name}: call one of them '{name} L.'")
        names.add(folded(name))


@click.command("import")
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--as-new", is_flag=True, help="Import games that differ from known ones too, as records of their own.")
@click.option("--keep-ids", is_flag=True, help="Keep the ids, links and keys of exported records (from FILE.manifest).")
@repeated(
    "--column", "columns", metavar="MEANING=TITLE", callback=pairs, help=f"What a column means: {', '.join(WORDS)}."
)
@repeated("--player-column", "players", metavar="TITLE", help="A column with one player's points (again for more).")
@click.option("--sides", is_flag=True, help="Titles such as Player 1, Score 1 or Home, Away are two sides.")
@click.option("--game", help="The game of rows that name none.")
@click.option("--event", help="The event of rows that name none.")
@repeated("--only", metavar="GAME", help="Read only this game (again for more).")
@repeated("--same", metavar="SPELLING=NAME", callback=pairs, help="What another spelling or a cell means: oui=yes.")
@click.option("--days", type=click.Choice(("day-first", "month-first")), help="What 3/4/2026 means.")
@click.option("--thousands", is_flag=True, help="1,000 is a thousand.")
@click.option("--fill-down", "fill", is_flag=True, help="Merged cells: an empty one is that above.")
@repeated("--lowest-wins", "lowest", metavar="GAME", help="A game that the fewest points win (again for more).")
@click.option("--amend", is_flag=True, help="Where a game is here with other scores, take those of the file.")
@click.option("--dry-run", is_flag=True, help="Say what would be imported, and import nothing.")
@click.option("--template", is_flag=True, help="Write a spreadsheet to fill in, and import nothing.")
@click.option("--undo", is_flag=True, help="Take back what the last import of FILES brought, or the last import.")
@click.option("--redo", is_flag=True, help="Bring back what --undo took back.")
@YES
@JSON
@click.pass_obj
def import_(path: str, /, files: tuple[str, ...], *, yes: bool, as_json: bool, as_new: bool, **said: Any) -> None:
    """Import records from FILES: archives (.ndjson, .ndjson.zst), JSON, score sheets, folders, or -.

    Spreadsheets of results (.csv, .tsv) and the export of BG Stats (.json) become score cards: see `card`.  Columns are
    read by the titles of --template; any other title is a question.  --dry-run says first what would be imported.

    A record that the ledger has already is not stored again.  A record that goes on after the end of a stored one
    continues it.  If a record begins like a stored one and then differs, you are asked; without a terminal it is
    refused.

    With --keep-ids, records from `export -o league.ndjson` keep their ids, so links, QR codes and keys work as before.
    A record is refused if another game uses its id.

    Invalid input is reported with its line and the reason, the rest is imported, and the exit status is 2.  --undo
    takes a whole import back, by its file's name or its number in `list --import`.

    \b
    Examples:
      domino-ledger import last-night.sheet league.ndjson.zst
      domino-ledger simulate build-up --count 20 | domino-ledger import -
      domino-ledger import results.csv --game zigzag --event "League 2026" --dry-run
      domino-ledger import --undo results.csv
    """
    act, keep_ids = only_one({name: said.pop(name) for name in ("template", "undo", "redo")}), said.pop("keep_ids")
    how = {"yes": yes, "as_json": as_json, "as_new": as_new}
    if act == "template":
        access.echo_bytes(TEMPLATE.encode("utf-8-sig"))
    elif act:
        take_back(path, files, redo=act == "redo", as_json=as_json)
    elif not files:
        raise click.UsageError("name the files to import")
    elif rest := import_tables(path, files, said, **how):
        _import(path, rest, keep_ids=keep_ids, **how)


def _import(path: str, files: tuple[str, ...], *, as_new: bool, keep_ids: bool, yes: bool, as_json: bool) -> None:
    name = ""

    def records() -> Iterator[Record]:
        nonlocal name
        for name, record in _readable(files):
            if access.is_sure(record.opening.played, yes=yes, source=name, asks=not as_json):
                yield record

    def is_wanted(difference: str) -> bool:
        if access.at_keyboard() and not as_json:
            return access.agreed(f"{name}: {difference}. Import it as a record of its own?")
        access.fault(f"{name}: not imported, because {difference}; --as-new imports it as a record of its own")
        return False

    if keep_ids and as_new:
        raise click.UsageError("--keep-ids and --as-new exclude each other: a record of its own gets an id of its own")
    outcomes, last, brought = Counter[str](), "", list[tuple[str, int, int]]()
    with access.ledger_at(path, make=True) as store:
        wanted = (lambda _difference: True) if as_new else is_wanted
        kept = take_all(store, chain.from_iterable(map(archived, files))) if keep_ids else None
        for imported in progress(kept or Importer(store, wanted).run(records()), "importing"):
            outcomes[imported.outcome] += 1
            last = imported.record if imported.outcome != "refused" else ""
            if imported.stored:
                version = store.version(imported.record)
                brought.append((imported.record, version - imported.stored, version))
            if imported.outcome == "refused" and not imported.record:
                access.fault(imported.reason)
            if as_json:
                access.echo_json({"record": imported.record, "outcome": imported.outcome})
        note(store, ", ".join(Path(file).name for file in files), brought)
    if not as_json:
        echo(_import_in_words(outcomes) + (f" as {last}" if outcomes.total() == 1 and last else ""))


def _readable(files: Iterable[str]) -> Iterator[tuple[str, Record]]:
    """The records in files, each with its name; what cannot be read is reported."""
    for item in chain.from_iterable(map(items, files)):
        if isinstance(item.result, NotARecord):
            access.failed(item.result)
        else:
            yield item.name, item.result


def _import_in_words(outcomes: Counter[str]) -> str:
    """What became of the records: ``3 records imported``, ``12 imported, 3 known already, 1 continued``."""
    parts = [(outcomes[outcome], words) for outcome, words in _OUTCOMES.items() if outcomes[outcome]]
    if len(parts) > 1:
        return ", ".join(f"{count} {words}" for count, words in parts)
    count, words = parts[0] if parts else (0, _OUTCOMES["imported"])
    return f"{plural(count, 'record')} {words}"


_OUTCOMES = {"imported": "imported", "known": "known already", "continued": "continued", "refused": "not imported"}


FORMS = {
    "sheet": (".sheet", ".txt", ".sheet.zst", ".txt.zst"),
    "json": (".json", ".json.zst"),
    "html": (".html", ".htm"),
    "ndjson": (".ndjson", ".jsonl", ".ndjson.zst", ".jsonl.zst"),
    "csv": (".csv",),
}
"""What `export -o` writes, by the end of the file's name."""


@click.command("export")
@RECORDS
@click.option("--sheet", is_flag=True, help="A score sheet.")
@click.option("--json", is_flag=True, help="JSON, one event per line.")
@click.option("--ndjson", is_flag=True, help="An archive, one record per line (default without -o).")
@click.option("--csv", is_flag=True, help="Results for a spreadsheet: a line for each player and game.")
@click.option("--delimiter", default=",", type=click.Choice((",", ";")), help="The mark between the cells of --csv.")
@click.option("--bgstats", is_flag=True, help="A link for each finished game that opens it in the app BG Stats.")
@click.option("--html", is_flag=True, help="The replay as one page for a browser.")
@output("The file to write.  Its name decides the format: .sheet, .json, .html, .ndjson, .ndjson.zst or .csv.")
@click.pass_obj
def export_(path: str, /, records: tuple[str, ...], output: Path | None, *, delimiter: str, **forms: bool) -> None:
    """Export RECORDS, or the whole ledger if you name none.

    An archive in a file gets a manifest beside it, FILE.manifest.  With it `verify FILE` can tell whether the archive
    has changed, and `import --keep-ids FILE` keeps the ids, links and keys of its records.

    \b
    Examples:
      domino-ledger export 7k3m --sheet
      domino-ledger export 7k3m -o friday.sheet
      domino-ledger export 7k3m -o friday.html
      domino-ledger export -o ledger.ndjson.zst
      domino-ledger export 7k3m --bgstats
    """
    form = only_one(forms)
    if output is not None and form != "bgstats":
        form = form_of(output, FORMS, form)
    if form in ("csv", "bgstats"):
        _export_results(path, records, output, form, delimiter)
    elif output is None:
        _write(_records(path, records), form or "ndjson", sys.stdout.buffer)
    else:
        _write_file(path, records, output, form or "ndjson")


def _write_file(path: str, records: tuple[str, ...], output: Path, form: str) -> None:
    """Writes records to a file, and an archive's manifest beside it, with what keeps their links in another ledger."""
    refuse_overwrite(output, records)
    exported = _records(path, records) if form == "ndjson" else _single(_records(path, records), output)
    with atomic_write(output, records) as out, ExitStack() as files:
        manifest = files.enter_context(atomic_write(manifest_path(output))) if form == "ndjson" else None
        store = files.enter_context(access.ledger_at(path)) if manifest is not None and there_is(path) else None
        _write(exported, form, out, manifest, store)
        if manifest is None:
            manifest_path(output).unlink(missing_ok=True)  # it belongs to the earlier file


def _single(records: Iterator[tuple[str, Record]], output: Path) -> Iterator[tuple[str, Record]]:
    """The records, if there is only one.  Raises click.UsageError if there are more: only an archive holds several."""
    for count, record in enumerate(records):
        if count:
            raise click.UsageError(f"{output} can hold one record: name one, or write an archive (.ndjson)")
        yield record


def _write(
    records: Iterator[tuple[str, Record]],
    form: str,
    out: IO[bytes],
    manifest: IO[bytes] | None = None,
    store: SqliteStore | None = None,
) -> None:
    for record_id, record in progress(records, "exporting"):
        if form == "sheet":
            out.write(sheet(record).encode())
            continue
        if form == "html":
            out.write(page_writer("html")(record_id, record))
            continue
        line = encode(record)
        text = encode_lines(record) if form == "json" else line + b"\n"
        out.write(visible_json(text.decode()).encode() if out is sys.stdout.buffer else text)
        if manifest is not None:
            beside = (event_ids(store, record_id), key_roles(store, record_id)) if store is not None else ()
            manifest.write(manifest_line(record_id, record, line, *beside) + b"\n")
    out.flush()


def _records(path: str, names: tuple[str, ...], *, results: bool = False) -> Iterator[tuple[str, Record]]:
    for name in names:
        yield access.find_record(path, name)
    if not names:
        with access.ledger_at(path) as store:
            access.say_unlisted(store)
            access.say_set_aside(store, "left out" if results else "exported too, and set aside in the archive as well")
            yield from (pair for pair in questions.records(store) if not results or pair[1].void is None)


def _export_results(path: str, names: tuple[str, ...], output: Path | None, form: str, delimiter: str) -> None:
    """Writes the results of records as CSV, or prints a link to each finished game with a day for BG Stats.

    Of several games, the others are left out; raises NotForNow for a single one.
    """
    if output is not None and form == "bgstats":
        raise click.UsageError("--bgstats prints links: leave -o out")
    if output is not None:
        refuse_overwrite(output)
    reviews = [
        access.audited(name, happened(record, name))
        for name, record in progress(_records(path, names, results=True), "reading")
    ]
    if form == "bgstats":
        for review in reviews:
            try:
                echo(bg_stats(review))
            except NotForNow as error:
                if len(reviews) == 1:
                    raise
                echo(f"left out: {error}", err=True)
        return
    with access.ledger_at(path) if there_is(path) else nullcontext() as store:
        text = csv_bytes(club_of_reviews(reviews, store.kept(Alias) if store else []).games(), delimiter)
    if output is None:
        access.echo_bytes(text)
        return
    with atomic_write(output) as out:
        out.write(text)
