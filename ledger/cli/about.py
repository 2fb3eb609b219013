"""`games`, `clauses`, `schema`, `simulate` and `completion`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from ledger import catalog
from ledger.cli.common import echo, echo_json, progress, table
from ledger.cli.into import atomic_write
from ledger.cli.write import options_of
from ledger.codec import encode
from ledger.errors import NotForNow
from ledger.events import kind
from ledger.game import Game
from ledger.record import Record
from ledger.reports import format_value
from ledger.review import clauses
from ledger.schema import schema
from ledger.simulate import any_options, simulate


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
def games_(*, as_json: bool) -> None:
    """List the games with their editions and options; the default of each option comes first.

    \b
    Example:
      domino-ledger games
    """
    for game in catalog.games():
        options = [
            {"name": o.name, "kind": o.kind, "values": o.values, "accepts": o.accepts, "meaning": o.meaning}
            for o in game.options
        ]
        if as_json:
            plain = {"game": game.name, "title": game.title, "author": game.author, "editions": game.editions,
                     "seats": game.seats, "revisions": [g.revision for g in game.revisions],
                     "options": options}  # fmt: skip
            echo_json(msgspec.json.encode(plain))
            continue
        editions = f", editions {' and '.join(game.editions)}" if game.editions else ""
        rules = f"; rules {', '.join(g.revision for g in game.revisions)}" if game.earlier else ""
        echo(f"{game.name}: {game.title} ({game.author}{editions}), for {game.seats}{rules}")
        rows = [
            (f"  {o.name}", o.kind, o.accepts or " | ".join(format_value(value) for value in o.values), o.meaning)
            for o in game.options
        ]
        table(("  option", "kind", "values", "meaning"), rows)
        echo()


@click.command("clauses")
@click.argument("game", required=False)
@click.option("--rules", metavar="REVISION", help="The revision to show (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per clause.")
def clauses_(game: str | None, rules: str | None, *, as_json: bool) -> None:
    """Show the rules of GAME (by default all games), clause by clause.

    \b
    Example:
      domino-ledger clauses zigzag
      domino-ledger clauses zigzag --rules 1
    """
    if rules and not game:
        raise click.UsageError("--rules needs a game, as in `clauses zigzag --rules 1`")
    for found in [_under(catalog.find(game), rules)] if game else catalog.games():
        if not as_json:
            echo(found.title + (f", revision {found.revision} of the rules" if found.earlier or rules else ""))
        rows = [(clause.id, clause.meaning, clause.on) for clause in clauses(found)]
        for id_, meaning, on in rows:
            if as_json:
                plain = {"game": found.name, "rules": found.revision, "clause": id_, "meaning": meaning,
                         "events": [kind(event) for event in on]}  # fmt: skip
                echo_json(msgspec.json.encode(plain))
            else:
                echo(f"  {id_}", bold=True)
                echo(f"    {meaning}")
        if not as_json:
            echo()


def _under(game: Game[Any], rules: str | None) -> Game[Any]:
    return game.under(rules) if rules else game


@click.command("schema")
def schema_() -> None:
    """Print the JSON Schema of a record, made from the types that read it.

    \b
    Example:
      domino-ledger schema > record.schema.json
    """
    echo(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode())


@click.command("simulate")
@click.argument("game")
@click.option("--seed", type=int, default=1, show_default=True, help="The first seed.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="The number of games.")
@click.option("-p", "--options", multiple=True, metavar="NAME=VALUE", help="Options of the game, or `any`.")
@click.option("--players", type=click.IntRange(1, 26), help="The number of players (default: the fewest possible).")
@click.option("--edition", help="The edition, where there are several.")
@click.option(
    "--faults", metavar="CLAUSE", help="Plant one breach of this clause in each game; `any`: of each in turn."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="The archive to write; .zst compresses.")
def simulate_(
    game: str,
    seed: int,
    count: int,
    options: tuple[str, ...],
    players: int | None,
    edition: str | None,
    faults: str | None,
    output: str | None,
) -> None:
    """Play whole games of GAME by seed, legal from start to end or with one planted breach, as an archive.

    The same seed and options give the same games on every machine.

    \b
    Example:
      domino-ledger simulate zigzag --seed 7 --count 100 -p target=60 -o games.ndjson.zst
      domino-ledger simulate build-up --faults build-up.pass | domino-ledger audit -
    """
    found = catalog.find(game)
    if faults == "any":
        able = tuple(dict.fromkeys(clause.id for clause in found.clauses if clause.on))
    else:
        able = (faults,) if faults else ()
    with atomic_write(Path(output)) if output else nullcontext(sys.stdout.buffer) as out:
        for number in progress(range(seed, seed + count), "playing", count):
            chosen, picked, issue = options_of(options) if options != ("any",) else {}, players, edition
            if options == ("any",):
                chosen, seats, some = any_options(found, Random(number))  # noqa: S311  anybody can repeat it
                picked, issue = players or seats, edition or some
            turn = number % max(1, len(able))
            out.write(encode(_one(found, number, chosen, picked, issue, able[turn:] + able[:turn])) + b"\n")
        out.flush()


def _one(
    game: Game[Any],
    seed: int,
    options: dict[str, Any],
    players: int | None,
    edition: str | None,
    faults: tuple[str, ...],
) -> Record:
    """A game with a breach of the first of these clauses that its options allow."""
    for place, fault in enumerate(faults):
        try:
            return simulate(game, seed, options, players=players, edition=edition, fault=fault)
        except NotForNow:
            if place + 1 == len(faults):
                raise
    return simulate(game, seed, options, players=players, edition=edition)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Example:
      eval "$(domino-ledger completion bash)"
      domino-ledger completion fish > ~/.config/fish/completions/domino-ledger.fish
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415  only here

    completer = get_completion_class(shell)
    assert completer is not None  # noqa: S101  click knows all three
    echo(completer(ctx.find_root().command, {}, "domino-ledger", "_DOMINO_LEDGER_COMPLETE").source())
