"""`games`, `clauses`, `schema` and `simulate`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from ledger.audit.review import clauses
from ledger.cli import complete, json_shapes
from ledger.cli.json_lines import ClauseLine, GameLine, OptionLine
from ledger.cli.ledger_access import echo_json
from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.policy_option import POLICY
from ledger.cli.shared_options import ANY_GAME, GAME, OPTIONS, PLAYERS, form_of, output, typed_options
from ledger.cli.terminal import echo, paragraph, progress, table
from ledger.games import catalog
from ledger.play.policies import policy
from ledger.play.simulate import Pick, any_options, simulate
from ledger.record.codec import encode
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import kind
from ledger.record.json_schema import schema
from ledger.record.record import Record
from ledger.record.words import format_value
from ledger.rules.game import Game, Option


@click.command("games")
@ANY_GAME
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
def games_(game: str | None, *, as_json: bool) -> None:
    """List the games, or show GAME: its editions and options; the default of each option comes first.

    \b
    Examples:
      domino-ledger games
      domino-ledger games zigzag
    """
    for game_ in [catalog.find(game)] if game else catalog.games():
        if as_json:
            echo_json(_plain(game_))
        else:
            _show(game_)


def _plain(game: Game[Any]) -> GameLine:
    options = tuple(OptionLine(o.name, o.kind, o.values, o.accepts, o.meaning) for o in game.options)
    revisions = tuple(g.revision for g in game.revisions)
    return GameLine(game.name, game.title, game.author, tuple(game.editions), game.seats, revisions, options)


def _show(game: Game[Any]) -> None:
    editions = f", editions {' and '.join(game.editions)}" if game.editions else ""
    rules = f"; rules {', '.join(g.revision for g in game.revisions)}" if game.earlier else ""
    paragraph(f"{game.name}: {game.title} ({game.author}{editions}), for {game.seats}{rules}")
    rows = [(f"  {option.name}", option.kind, _values(option), option.meaning) for option in game.options]
    table(("  option", "kind", "values", "meaning"), rows)
    echo()


def _values(option: Option) -> str:
    """The values of an option, its default first; or its default, and what else it accepts."""
    if option.accepts:
        return f"{format_value(option.values[0])}; {option.accepts}"
    return " | ".join(format_value(value) for value in option.values)


@click.command("clauses")
@ANY_GAME
@click.option("--rules", metavar="REVISION", help="The revision to show (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per clause.")
def clauses_(game: str | None, rules: str | None, *, as_json: bool) -> None:
    """Show the rules of GAME (by default all games), clause by clause.

    \b
    Examples:
      domino-ledger clauses zigzag
      domino-ledger clauses zigzag --rules 1
    """
    if rules and not game:
        raise click.UsageError("--rules needs a game, as in `clauses zigzag --rules 1`")
    named = [catalog.find(game)] if game else catalog.games()
    for game_ in [game_.under(rules) for game_ in named] if rules else named:
        if not as_json:
            echo(game_.title + (f", revision {game_.revision} of the rules" if game_.earlier or rules else ""))
        for clause in clauses(game_):
            if as_json:
                events = tuple(kind(event) for event in clause.on)
                line = ClauseLine(game_.name, game_.revision, clause.id, clause.meaning, events)
                echo_json(line)
            else:
                echo(f"  {clause.id}", bold=True)
                paragraph(clause.meaning, "    ")
        if not as_json:
            echo()


@click.command("schema")
@click.argument("command", required=False)
def schema_(command: str | None) -> None:
    """Print the JSON Schema of a record, made from the types that read it; or of a line that COMMAND --json prints.

    \b
    Examples:
      domino-ledger schema > record.schema.json
      domino-ledger schema list
    """
    if command is None:
        made = schema()
    elif command in (known := json_shapes.commands()):
        made = json_shapes.schema_of(command)
    else:
        raise click.UsageError(f"{command} prints no JSON; these do: {', '.join(known)}")
    echo(msgspec.json.format(msgspec.json.encode(made), indent=2).decode())


@click.command("simulate")
@GAME
@click.option("--seed", type=int, default=1, show_default=True, help="The first seed.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="The number of games.")
@OPTIONS
@PLAYERS
@click.option("--edition", help="The edition, where there are several.")
@POLICY
@click.option(
    "--faults",
    metavar="CLAUSE",
    shell_complete=complete.clauses,
    help="Plant one breach of this clause in each game; `any`: of all clauses in turn.",
)
@output("The archive to write, .ndjson or .ndjson.zst (default: standard output).")
def simulate_(
    game: str,
    seed: int,
    count: int,
    options: tuple[str, ...],
    players: int | None,
    edition: str | None,
    pick: str,
    faults: str | None,
    output: Path | None,
) -> None:
    """Simulate whole games of GAME as an archive, legal from start to end or with one planted breach.

    The same seed and options give the same games on every machine.  With `-p any`, each game has random options.

    \b
    Examples:
      domino-ledger simulate zigzag --seed 7 --count 100 -p target=60 -o games.ndjson.zst
      domino-ledger simulate build-up --faults build-up.pass | domino-ledger audit -
    """
    game_ = catalog.find(game)
    if output:
        refuse_overwrite(output)
        form_of(output, {"ndjson": (".ndjson", ".jsonl", ".ndjson.zst", ".jsonl.zst")})
    if faults == "any":
        plantable = tuple(dict.fromkeys(clause.id for clause in game_.clauses if clause.on))
    else:
        plantable = (faults,) if faults else ()
    with atomic_write(output) if output else nullcontext(sys.stdout.buffer) as out:
        for number in progress(range(seed, seed + count), "playing", count):
            if options != ("any",):
                values, seats, edition_ = typed_options(options, game_), players, edition
            else:
                values, any_players, any_edition = any_options(game_, Random(number))  # noqa: S311  anybody can repeat it
                seats, edition_ = players or any_players, edition or any_edition
            turn = number % max(1, len(plantable))
            planted = plantable[turn:] + plantable[:turn]
            try:
                record = _simulated(game_, number, values, seats, edition_, planted, policy(pick, game_))
            except NotARecord as error:  # as in `new`: the input is the command line
                raise click.UsageError(error.reason) from None
            out.write(encode(record) + b"\n")
        out.flush()


def _simulated(
    game: Game[Any],
    seed: int,
    options: dict[str, Any],
    players: int | None,
    edition: str | None,
    faults: tuple[str, ...],
    pick: Pick,
) -> Record:
    """A game with a breach of the first of these clauses that its options allow."""
    for place, fault in enumerate(faults):
        try:
            return simulate(game, seed, options, players=players, edition=edition, fault=fault)
        except NotForNow:
            if place + 1 == len(faults):
                raise
    return simulate(game, seed, options, players=players, edition=edition, pick=pick)
