"""`simulate`: plays games from a seed."""

import sys
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import click

from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.shared_options import GAME, OPTIONS, PLAYERS, form_of, output, typed_options
from ledger.cli.terminal import progress
from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record.codec import encode
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.record import Record
from ledger.rules.game import Game


@click.command("simulate")
@GAME
@click.option("--seed", type=int, default=1, show_default=True, help="The first seed.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="The number of games.")
@OPTIONS
@PLAYERS
@click.option("--edition", help="The edition, where there are several.")
@click.option(
    "--faults",
    metavar="CLAUSE",
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
                record = _simulated(game_, number, values, seats, edition_, planted)
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
) -> Record:
    """A game with a breach of the first of these clauses that its options allow."""
    for place, fault in enumerate(faults):
        try:
            return simulate(game, seed, options, players=players, edition=edition, fault=fault)
        except NotForNow:
            if place + 1 == len(faults):
                raise
    return simulate(game, seed, options, players=players, edition=edition)
