"""`card`, and the part of `import` that reads spreadsheets and BG Stats: games known only by their ends."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from ledger.cli.exits import REFUSED
from ledger.cli.ledger_access import agreed, at_keyboard, echo_json, failed, fault, is_sure, ledger_at, note_audit
from ledger.cli.shared_options import DAY, JSON, YES
from ledger.cli.terminal import echo
from ledger.club.dry_run import DryRun, look, read, remember, told, when_and_where
from ledger.games.catalog import title, titled
from ledger.keep import imports, sources
from ledger.keep.recorder import Recorder, folded
from ledger.keep.score_cards import Outcome, ScoreCard, here_already
from ledger.keep.score_tables import BAR, MEANS, WORDS, Column, Plan
from ledger.keep.sources import KINDS, is_export
from ledger.notation.reader import for_people
from ledger.record import clock
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.words import listed, plural
from ledger.stores import there_is

TABLES, PLAYS = (".csv", ".tsv"), (".json", ".bgstats", ".bgsplay")
"""The ends of the names of spreadsheets, and of exports of BG Stats."""
SAMPLES = 3
"""How many games a dry run shows."""
MOST_ALIKE = 4
"""The most faults with the same reason that are named one by one."""
repeated = partial(click.option, multiple=True)
"""An option that can be given again for more."""


@click.command("card")
@click.argument("game")
@click.argument("scores", nargs=-1, required=True, metavar="NAME[=SCORE]...")
@repeated("--winner", "winners", help="Who won (again for more); by default those with most points.")
@click.option("--nobody", is_flag=True, help="Nobody won.")
@click.option("--lowest", is_flag=True, help="The fewest points win.")
@repeated("--ranked", "ranks", metavar="NAME=RANK", help="Who came where, from 1 (again for each).")
@repeated("--team", "teams", metavar="NAME,NAME", help="Who played together (again for each team).")
@click.option("--edition", help="The edition of the rules, for a game with several.")
@click.option("--played", type=DAY, metavar="DAY", help="The day it was played, YYYY-MM-DD (default: today).")
@YES
@click.option("--as-new", is_flag=True, help="It is another game than the one that is here already.")
@click.option("--place", help="Where it was played.")
@click.option("--event", help="The event, such as a tournament.")
@JSON
@click.pass_obj
def card_(
    path: str, /, game: str, scores: tuple[str, ...], *, yes: bool, as_new: bool, as_json: bool, **said: Any
) -> None:
    """Enter a game known only by how it ended, and print the id of its record.

    It counts in standings, statistics and ratings, marked as not audited.  GAME may be one that the ledger has no rules
    for.  Without points and without --winner or --nobody, it is not known who won.

    \b
    Examples:
      domino-ledger card zigzag Ana=101 Ben=71 Cy=88 --event "Spring 2026"
      domino-ledger card "Mexican Train" Ana=12 Ben=40 --lowest
      domino-ledger card Block Ana Ben Cy Dee --team Ana,Cy --team Ben,Dee --winner Ana
    """
    card = _typed_card(game, scores, said)
    if not is_sure(said["played"], yes=yes):
        raise click.exceptions.Exit(REFUSED)
    with ledger_at(path, make=True) as store:
        if not as_new and (here := here_already(store, card)):
            if not at_keyboard():
                raise click.UsageError(f"{here} If this is another game, add --as-new")
            if not agreed(f"{here} Is this another game?"):
                raise click.exceptions.Exit(REFUSED)
        try:
            record_id = Recorder(store).import_record(card.record())
        except NotARecord as error:
            raise click.UsageError(for_people(error.reason)) from None
        note_audit(store, record_id)
    echo_json({"record": record_id, "game": titled(game) or game}) if as_json else echo(record_id)


def _typed_card(game: str, scores: Sequence[str], said: Mapping[str, Any]) -> ScoreCard:
    if not game.strip():
        raise click.UsageError("the game has no name")
    if said["edition"] is not None and not said["edition"].strip():
        raise click.UsageError("the edition has no name: leave --edition out if the game has only one")
    points = dict(_numbered(text, "SCORE") for text in scores)
    by_name = {folded(name): name for name in points}
    if len(by_name) < len(scores):
        raise click.UsageError("two players have one name")

    def known(name: str) -> str:
        if folded(name) not in by_name:
            raise click.UsageError(f"{name} is not among the players: {listed(points)}")
        return by_name[folded(name)]

    won = [known(name) for name in said["winners"]]
    ranks = {known(name): rank or 0 for name, rank in (_numbered(text, "RANK") for text in said["ranks"])}
    teams = [[known(name) for name in team.split(",")] for team in said["teams"]]
    winners = [] if said["nobody"] else won or None
    played = said["played"] or clock.today().isoformat()
    card = ScoreCard(
        game, points, winners, played, said["event"], said["place"], said["edition"], ranks, teams, said["lowest"]
    )
    if reason := card.wrong():
        raise click.UsageError(reason)
    return card


def _numbered(text: str, what: str) -> tuple[str, int | None]:
    name, equals, number = text.rpartition("=") if "=" in text else (text, "", "")
    try:
        value = int(number) if equals else None
    except ValueError:
        raise click.UsageError(f"{text!r} is not NAME={what}") from None
    if not name.strip():
        raise click.UsageError(f"{text!r} has no name")
    return " ".join(name.split()), value


def is_table(file: str) -> bool:
    """Whether a file has only the results of games: a spreadsheet, or an export of BG Stats."""
    path = Path(file)
    if path.suffix.lower() in TABLES:
        return True
    with suppress(OSError):
        return path.suffix.lower() in PLAYS and is_export(path.read_bytes())
    return False


def pairs(_context: click.Context, option: click.Parameter, texts: Sequence[str]) -> list[list[str]]:
    """The texts on both sides of an equals sign, of an option.  Raises click.UsageError."""
    both = [[*map(str.strip, text.split("=", 1))] for text in texts]
    for sides, text in zip(both, texts, strict=True):
        if len(sides) < 2 or not all(sides):
            raise click.UsageError(f"{option.opts[0]} {text!r}: write it with an equals sign between two texts")
    return both


def _plan(said: Mapping[str, Any]) -> Plan:
    for meaning, _title in said["columns"]:
        if meaning not in WORDS:
            raise click.UsageError(f"a column cannot mean {meaning!r}: it means {', '.join(WORDS)}")
    columns = {title: meaning for meaning, title in said["columns"]} | dict.fromkeys(said["players"], BAR)
    others = {name: value for name, value in said.items() if name in Plan._fields}
    return Plan(**{**others, "columns": columns, "same": dict(said["same"])})


def import_tables(path: str, files: Sequence[str], said: Mapping[str, Any], **how: bool) -> tuple[str, ...]:
    """Imports the games in spreadsheets as the options say, or says what would be; returns the other files.

    Raises click.UsageError for options of spreadsheets without one.
    """
    every = [file for source in files for file in sources.files(source, (*KINDS, *TABLES, *PLAYS))]
    tables = [file for file in every if is_table(file)]
    if not tables and any(said.values()):
        raise click.UsageError("--dry-run and the options on columns are for spreadsheets: name one (.csv, .tsv)")
    for file in tables:
        try:
            _import_table(path, file, said, **how)
        except NotARecord as error:
            failed(error.at(file))
    return tuple(file for file in every if file not in set(tables)) if tables else tuple(files)


def _import_table(path: str, file: str, said: Mapping[str, Any], *, yes: bool, as_json: bool, as_new: bool) -> None:
    plan, dry_run = _plan(said), said["dry_run"]
    differing: Outcome = "new" if as_new else "amended" if said["amend"] else "differs"
    with ledger_at(path, make=True) if there_is(path) or not dry_run else nullcontext() as store:
        reading = read(Path(file).read_bytes(), file, plan, store)
        seen = look(reading, store, differing)
        _say_faults(file, seen)
        asks = at_keyboard() and not as_json and not yes
        if dry_run or asks or reading.questions:
            echo("\n".join(in_words(file, seen)))
        _ask(file, reading.questions)
        last = max((card.played or "" for card in reading.cards), default="")
        if dry_run or reading.questions or not is_sure(last, yes=yes, source=file, asks=not as_json):
            return
        if asks and not agreed(f"Keep {plural(seen.count('new') + seen.count('amended'), 'game')}?"):
            return
        assert store is not None  # noqa: S101  only a dry run has none
        for match in imports.keep(store, seen.matches, file):
            if match.outcome == "differs":
                advice = "--amend takes these, --as-new keeps both"
                fault(f"{file}: {match.card.at}: {told(match.card)} But {match.why}: {advice}")
            if as_json:
                outcome = {"new": "imported", "differs": "refused"}.get(match.outcome, match.outcome)
                echo_json({"record": match.record, "outcome": outcome})
        if plan.columns or plan.sides:
            remember(store, reading.columns)
    if not as_json:
        parts = [f"{plural(seen.count('new'), 'score card')} imported"]
        parts += [f"{seen.count(outcome)} {words}" for outcome, words in _OUTCOMES if seen.count(outcome)]
        parts += [f"{plural(reading.left_out, 'row')} of other games left out"] if reading.left_out else []
        echo(f"{file}: {', '.join(parts)}")


_OUTCOMES = (("known", "known already"), ("amended", "corrected"), ("differs", "not imported"))


def _say_faults(file: str, seen: DryRun) -> None:
    """Says what is wrong with games; many with the same reason are summed up."""
    for reason, places in seen.faults.items():
        if len(places) > MOST_ALIKE:
            fault(f"{file}: {len(places)} left out: {reason}, such as {'; '.join(places[:MOST_ALIKE])}")
    for error in seen.reading.errors:
        if len(seen.faults.get(error.reason.partition(": ")[2], ())) <= MOST_ALIKE:
            failed(error)


def _ask(file: str, columns: Sequence[Column]) -> None:
    for column in columns:
        name = f"“{column.title}”" if column.title else "the column without a title"
        both = " (as rank, or where)" if folded(column.title) == "place" else ""
        fault(f"{file}: {column.letter}: what is {name}{both}? It holds {', '.join(column.first) or 'nothing'}.")
    if columns:
        title = columns[0].title
        fault(f'Say it with --column MEANING="{title}" ({", ".join(WORDS)}), or --player-column "{title}"')


def in_words(file: str, seen: DryRun) -> Iterator[str]:
    """What importing a file would do, for people, line by line."""
    reading = seen.reading
    yield f"{file}: {plural(reading.rows, 'row')}, {plural(len(reading.cards), 'game')}. A try: nothing is kept yet."
    for column in reading.columns:
        first = f", such as {column.first[0]}" if column.first else ""
        yield f"  column {column.letter} {column.title or '(without a title)'}: {MEANS[column.meaning]}{first}"
    if reading.sides and reading.questions:
        yield "  each row looks like one game between two sides: if so, add --sides"
    games = Counter(title(card.game) for card in reading.cards)
    if games:
        yield f"  games: {', '.join(f'{game} ({count})' for game, count in games.most_common())}"
    new = [f"{person.name} ({person.games})" for person in seen.people if not person.known and not person.same_as]
    if seen.people:
        known = sum(bool(person.known) for person in seen.people)
        yield f"  people: {len(seen.people)}, of whom {known} are known" + (f"; new: {', '.join(new)}" if new else "")
    for person in seen.people:
        if person.same_as:
            same = f"the same as {person.same_as}, {plural(person.others, 'game')}?"
            yield f'  {person.name}: {same} If so, add --same "{person.name}={person.same_as}"'
    for match in seen.matches[:SAMPLES]:
        yield f"  {told(match.card)} {when_and_where(match.card)}"
    yield f"  {seen.summary}."


def take_back(path: str, names: Sequence[str], *, redo: bool, as_json: bool) -> None:
    """Takes imports back, or brings them back, and says what became of them."""
    with ledger_at(path) as store:
        for name in names or ("",):
            wanted = imports.find(store, name)
            try:
                of, done, left = imports.take_back(store, wanted, redo=redo)
            except NotForNow as error:
                raise click.UsageError(f"{error}{'' if redo else '; --redo brings it back'}") from None
            if as_json:
                echo_json({"import": of.number, "file": of.file, "done": done, "left": left})
                continue
            became = "brought back" if redo else "taken back, as they were before"
            games = plural(done, "game") if done else "no other game is left to be"
            echo(f"{of.words}: {games} {became}")
            for record in left:
                echo(f"record {record} was changed since, and is left as it is", err=True)
