"""`simulate` and `compare`: play games from a seed, and show in figures what a rule or an option changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from math import isinf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click

from ledger.cli import complete
from ledger.cli.json_lines import ComparisonLine, GroupLine
from ledger.cli.ledger_access import echo_json
from ledger.cli.output_files import atomic_write, refuse_overwrite
from ledger.cli.shared_options import GAME, OPTIONS, PLAYERS, form_of, options_of, output, typed_options
from ledger.cli.terminal import echo, paragraph, progress, table
from ledger.club.comparison import Estimate, Figure, Lengths, Outcome, compare, lengths, outcome
from ledger.games import catalog
from ledger.keep.sources import items
from ledger.play.simulate import POLICIES, Pick, any_options, open_event, policy, simulate
from ledger.record.codec import encode
from ledger.record.errors import LedgerError, NotARecord, NotForNow
from ledger.record.record import Record
from ledger.record.words import plural
from ledger.rules.game import Game

BAR = 24
"""The columns of the longest bar."""
SIMULATED = (
    "The games are simulated: each player takes {what}. The figures show what the rules do to such players. They do "
    "not say how people would play, how long they would think, or whether they would like it."
)
PLAYED = (
    "The games of the two archives may differ in more than one thing: who played, how well, under which options. The "
    "figures cannot say which of these makes a difference."
)
CHANCE = "Marked with *: a difference that chance alone would show in fewer than 1 of 20 comparisons."


POLICY = click.option(
    "--policy",
    "pick",
    type=click.Choice(tuple(POLICIES)),
    default="whim",
    show_default=True,
    help="How players choose.  " + "; ".join(f"{name}: {what}" for name, (what, _picks) in POLICIES.items()) + ".",
)


class Group(NamedTuple):
    """One side of the comparison: its name, and what came of its games."""

    name: str
    games: list[Outcome]


@click.command("compare")
@click.argument("what", nargs=-1, required=True, shell_complete=complete.records)
@options_of("The options of one side, NAME=VALUE,NAME=VALUE; one -p compares with the defaults, two with each other.")
@click.option("--games", type=click.IntRange(2), default=1000, show_default=True, help="The games of each side.")
@click.option("--seed", type=int, default=1, show_default=True, help="The first seed.")
@PLAYERS
@click.option("--edition", help="The edition, where there are several.")
@POLICY
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def compare_(
    what: tuple[str, ...],
    options: tuple[str, ...],
    games: int,
    seed: int,
    players: int | None,
    edition: str | None,
    pick: str,
    *,
    as_json: bool,
) -> None:
    """Compare two archives A and B, or simulated games of GAME under two sets of options.

    Length, scores, what each seat is worth and how often games are decided, each with the interval in which it lies
    with 95 % confidence, and how the lengths are spread.

    \b
    Examples:
      domino-ledger compare zigzag -p target=60 -p target=100 --games 1000
      domino-ledger compare last-year.ndjson.zst this-year.ndjson.zst
    """
    if len(what) == 2 and not options:
        sides = [Group(file, list(_of_archive(file))) for file in what]
        caveat = PLAYED
    elif len(what) == 1:
        sides = list(_both_sides(what[0], options, games, seed, players, edition, pick))
        caveat = SIMULATED.format(what=POLICIES[pick][0])
    else:
        raise click.UsageError("compare two archives, or one game with -p: `compare zigzag -p target=60`")
    a, b = sides
    figures, spread = compare(a.games, b.games), lengths(a.games, b.games)
    if as_json:
        group_a, group_b = (GroupLine(group.name, len(group.games)) for group in (a, b))
        echo_json(ComparisonLine(group_a, group_b, figures, spread, caveat))
        return
    _show(a, b, figures, spread)
    paragraph(caveat)


def _of_archive(file: str) -> Iterator[Outcome]:
    """What came of the games of an archive.  Raises NotARecord or UnknownGame for a record that cannot be audited."""
    for item in progress(items(file), f"reading {Path(file).name}"):
        if isinstance(item.result, LedgerError):
            raise item.result
        if item.result.void is None:
            yield outcome(item.result)


def _both_sides(
    tag: str,
    options: tuple[str, ...],
    games: int,
    seed: int,
    players: int | None,
    edition: str | None,
    pick: str,
) -> Iterator[Group]:
    """Both sides.  Raises click.UsageError for an option that the game does not know."""
    game = catalog.find(catalog.titled(tag) or tag)
    if not 1 <= len(options) <= 2:
        raise click.UsageError("name the options of one side or of both: -p target=60 -p target=100")
    sides = {text or "the defaults": typed_options((text,), game) if text else {} for text in ("", *options)[-2:]}
    if len(sides) < 2:
        raise click.UsageError("both sides have the same options")
    try:
        for values in sides.values():  # refused before the other side has been played
            game.start(game.opening(open_event(game, values, players, edition)))
    except NotARecord as error:  # the input is the command line
        raise click.UsageError(error.reason) from None
    for side, values in sides.items():
        played = progress(range(seed, seed + games), f"playing {side}", games)
        records = (
            simulate(game, number, values, players=players, edition=edition, pick=policy(pick, game))
            for number in played
        )
        yield Group(side, [outcome(record) for record in records])


def _show(a: Group, b: Group, figures: Sequence[Figure], spread: Sequence[Lengths]) -> None:
    echo(f"A: {a.name}, {plural(len(a.games), 'game')}", bold=True)
    echo(f"B: {b.name}, {plural(len(b.games), 'game')}", bold=True)
    rows = [
        (figure.name, *(_value(figure, estimate) for estimate in (figure.a, figure.b)), _difference(figure))
        for figure in figures
    ]
    table(("", "A", "B", "B - A, and its 95 % interval"), rows)
    if any(row[-1].endswith("*") for row in rows):
        echo(CHANCE)
    if spread:
        echo()
        totals = [max(1, sum(row.a for row in spread)), max(1, sum(row.b for row in spread))]
        most = max(max(row.a / totals[0], row.b / totals[1]) for row in spread)
        cells = [
            (
                str(row.low) if row.low == row.high else f"{row.low}-{row.high}",
                _bar(row.a / totals[0], most),
                _bar(row.b / totals[1], most),
            )
            for row in spread
        ]
        table(("moves", "A", "B"), cells)
    echo()


def _value(figure: Figure, estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    return f"{estimate.value:.1%}" if figure.share else f"{estimate.value:.1f}"


def _difference(figure: Figure) -> str:
    difference = figure.difference
    if difference is None:
        return ""
    scale, unit = (100, " %") if figure.share else (1, "")
    value, low, high = (scale * part for part in (difference.value, difference.low, difference.high))
    if isinf(low):
        return f"{value:+.1f}{unit} (no interval from a single value)"
    mark = " *" if low > 0 or high < 0 else ""
    return f"{value:+.1f}{unit} ({low:+.1f} to {high:+.1f}){mark}"


def _bar(value: float, most: float) -> str:
    return f"{'█' * round(BAR * value / most)} {value:.0%}".lstrip()


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
