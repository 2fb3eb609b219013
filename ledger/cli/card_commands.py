"""`card`, and the part of `import` that reads spreadsheets and BG Stats: games known only by their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ledger.cli.exits import REFUSED
from ledger.cli.ledger_access import echo_json, failed, is_sure, ledger_at, note_audit
from ledger.cli.shared_options import DAY, JSON, YES, F
from ledger.cli.terminal import echo
from ledger.games.catalog import titled
from ledger.keep import sources
from ledger.keep.bg_stats_import import read_plays
from ledger.keep.recorder import Recorder, folded
from ledger.keep.score_cards import CardFile, Filed, ScoreCard
from ledger.keep.score_tables import MEANINGS, Plan, Read, read_table
from ledger.keep.sources import KINDS, is_export
from ledger.notation.reader import for_people
from ledger.record import clock
from ledger.record.errors import NotARecord
from ledger.record.words import day, listed, plural

TABLES, PLAYS = (".csv", ".tsv"), (".json", ".bgstats", ".bgsplay")
"""The ends of the names of spreadsheets, and of exports of BG Stats."""
SAMPLES = 3
"""How many games a dry run shows."""


@click.command("card")
@click.argument("game")
@click.argument("scores", nargs=-1, required=True, metavar="NAME=SCORE...")
@click.option("--winner", "winners", multiple=True, help="Who won (again for more); by default those with most points.")
@click.option("--edition", help="The edition of the rules, for a game with several.")
@click.option("--played", type=DAY, metavar="DAY", help="The day it was played, YYYY-MM-DD (default: today).")
@YES
@click.option("--place", help="Where it was played.")
@click.option("--event", help="The occasion, such as a tournament.")
@JSON
@click.pass_obj
def card_(
    path: str,
    game: str,
    scores: tuple[str, ...],
    winners: tuple[str, ...],
    edition: str | None,
    played: str | None,
    place: str | None,
    event: str | None,
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Enter a game known only by its scores, and print the id of its record.

    It counts in standings, statistics and ratings, marked as not audited.  GAME may be one that the ledger has no rules
    for.

    \b
    Examples:
      domino-ledger card zigzag Ana=101 Ben=71 Cy=88 --event "Spring 2026"
      domino-ledger card "Mexican Train" Ana=12 Ben=40 --winner Ana
    """
    if not game.strip():
        raise click.UsageError("the game has no name")
    if edition is not None and not edition.strip():
        raise click.UsageError("the edition has no name: leave --edition out if the game has only one")
    points = dict[str, int]()
    for text in scores:
        name, _, score = text.rpartition("=")
        try:
            points[" ".join(name.split())] = int(score)
        except ValueError:
            raise click.UsageError(f"{text!r} is not NAME=SCORE") from None
        if not name.strip():
            raise click.UsageError(f"{text!r} has no name")
    if len({folded(name) for name in points}) < len(scores):
        raise click.UsageError("two players have one name")
    by_name = {folded(name): name for name in points}
    for winner in winners:
        if folded(winner) not in by_name:
            raise click.UsageError(f"{winner} has no score: the players are {listed(points)}")
    won = [by_name[folded(winner)] for winner in winners] or None
    card = ScoreCard(game, points, won, played or clock.today().isoformat(), event, place, edition)
    if not is_sure(played, yes=yes):
        raise click.exceptions.Exit(REFUSED)
    with ledger_at(path, make=True) as store:
        try:
            record_id = Recorder(store).import_record(card.record())
        except NotARecord as error:
            raise click.UsageError(for_people(error.reason)) from None
        note_audit(store, record_id)
    echo_json({"record": record_id, "game": titled(game) or game}) if as_json else echo(record_id)


def table_options(command: F) -> F:
    """Adds the options of `import` that say how to read a spreadsheet."""
    options = (
        click.option("--column", "columns", multiple=True, metavar="MEANING=TITLE",
                     help=f"What a column of a spreadsheet means: {', '.join(MEANINGS)}."),
        click.option("--player-column", "players", multiple=True, metavar="TITLE",
                     help="A column with the scores of one player (again for more)."),
        click.option("--game", help="The game of rows that name none."),
        click.option("--event", help="The event of rows that name none."),
        click.option("--same", multiple=True, metavar="SPELLING=NAME", help="Another spelling of a player's name."),
        click.option("--days", type=click.Choice(("day-first", "month-first")), help="What 3/4/2026 means."),
        click.option("--lowest", is_flag=True, help="The lowest score wins, where no column says who won."),
        click.option("--dry-run", is_flag=True, help="Say what a spreadsheet was understood as, and import nothing."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def is_table(file: str) -> bool:
    """Whether a file has only the results of games: a spreadsheet, or an export of BG Stats."""
    path = Path(file)
    if path.suffix.lower() in TABLES:
        return True
    with suppress(OSError):
        return path.suffix.lower() in PLAYS and is_export(path.read_bytes())
    return False


def plan_of(
    *, columns: Sequence[str], players: Sequence[str], game: str | None, event: str | None, same: Sequence[str],
    days: str | None, lowest: bool,
) -> Plan:  # fmt: skip
    """How to read spreadsheets, by the options.  Raises click.UsageError."""
    meanings = dict(_pairs("--column", columns))
    for meaning in meanings:
        if meaning not in MEANINGS:
            raise click.UsageError(f"a column cannot mean {meaning!r}: it means {', '.join(MEANINGS)}")
    return Plan(meanings, players, game or "", event, dict(_pairs("--same", same)), days or "", lowest)


def _pairs(option: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        left, equals, right = text.partition("=")
        if not (equals and left.strip() and right.strip()):
            raise click.UsageError(f"{option} {text!r}: write it with an equals sign between two texts")
        yield left.strip(), right.strip()


def import_tables(
    path: str, files: Sequence[str], options: Mapping[str, Any], *, dry_run: bool, yes: bool, as_json: bool
) -> tuple[str, ...]:
    """Imports the games in spreadsheets, or says what was understood; returns the other files.

    Raises click.UsageError for options of spreadsheets without one.
    """
    every = [file for source in files for file in sources.files(source, (*KINDS, *TABLES, *PLAYS))]
    tables = [file for file in every if is_table(file)]
    if not tables and (dry_run or any(options.values())):
        raise click.UsageError("--dry-run and the options on columns are for spreadsheets: name one (.csv, .tsv)")
    _import_tables(path, tables, plan_of(**options), dry_run=dry_run, yes=yes, as_json=as_json)
    return tuple(file for file in every if file not in set(tables)) if tables else tuple(files)


def _import_tables(path: str, files: Sequence[str], plan: Plan, *, dry_run: bool, yes: bool, as_json: bool) -> None:
    for file in files:
        try:
            table = _read(file, plan)
        except NotARecord as error:
            failed(error)
            continue
        for row_error in table.errors:
            failed(row_error)
        if dry_run:
            echo("\n".join(understood(file, table)))
            continue
        last = max((card.played or "" for card in table.cards), default="")
        if not is_sure(last, yes=yes, source=file, asks=not as_json):
            continue
        with ledger_at(path, make=True) as store:
            try:
                filed = CardFile(store).file(table.cards)
            except NotARecord as error:
                failed(error.at(file))
                continue
        if as_json:
            for card in filed:
                outcome = "imported" if card.new else "known"
                echo_json({"record": card.record, "outcome": outcome})
        else:
            echo(f"{file}: {_in_words(filed)}")


def _read(file: str, plan: Plan) -> Read:
    text = Path(file).read_bytes()
    if Path(file).suffix.lower() in TABLES:
        return read_table(text, file, plan)
    cards, errors = read_plays(text, file, plan.event)
    return Read(cards, {}, errors, {})


def _in_words(filed: Sequence[Filed]) -> str:
    new = sum(card.new for card in filed)
    known = len(filed) - new
    return f"{plural(new, 'score card')} imported" + (f", {known} known already" if known else "")


def understood(file: str, table: Read) -> Iterator[str]:
    """What was understood of a spreadsheet, for people, line by line."""
    days = sorted(card.played for card in table.cards if card.played)
    span = f" on {plural(len(set(days)), 'day')}, {day(days[0])} to {day(days[-1])}" if days else ""
    yield f"{file}: {plural(len(table.cards), 'game')}{span}. Nothing was imported."
    for title, meaning in table.columns.items():
        yield f"  column {title or '(without a title)'}: {meaning or 'left out'}"
    for what, counts in (
        ("games", Counter(card.game for card in table.cards)),
        ("events", Counter(card.event for card in table.cards if card.event)),
        ("players", Counter(name for card in table.cards for name in card.scores)),
    ):
        if counts:
            yield f"  {what}: {', '.join(f'{name} ({count})' for name, count in counts.most_common())}"
    for name, spellings in table.spellings.items():
        yield f"  {name} is also written {listed(form for form in spellings if form != name)}"
    for alike in _alike({name for card in table.cards for name in card.scores}):
        yield f'  one person? {alike[0]} and {alike[1]}: if so, add --same "{alike[1]}={alike[0]}"'
    for card in table.cards[:SAMPLES]:
        scores = ", ".join(f"{name} {score}" for name, score in card.scores.items())
        yield f"  such as: {card.game}, {day(card.played) if card.played else 'no day'}: {scores}"
    if table.errors:
        yield f"  {plural(len(table.errors), 'row')} with a fault: see above"


def _alike(names: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of names that may be one person's: without accents or a letter they are the same."""
    from difflib import SequenceMatcher

    ordered = sorted(names)
    for place, name in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if SequenceMatcher(None, folded(name), folded(other)).ratio() >= 0.85:
                yield name, other
