"""`compare`: what a rule or an option changes, in figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from ledger.cli import complete
from ledger.cli.json_lines import ComparisonLine, GroupLine
from ledger.cli.ledger_access import echo_json
from ledger.cli.policy_option import POLICY
from ledger.cli.shared_options import PLAYERS, typed_options
from ledger.cli.terminal import echo, paragraph, progress, table
from ledger.club.comparison import Estimate, Figure, Lengths, Outcome, compare, lengths, outcome
from ledger.games import catalog
from ledger.keep.sources import items
from ledger.play.policies import POLICIES, policy
from ledger.play.simulate import open_event, simulate
from ledger.record.errors import LedgerError, NotARecord

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


class Group(NamedTuple):
    """One side of the comparison: its name, and what came of its games."""

    name: str
    games: list[Outcome]


@click.command("compare")
@click.argument("what", nargs=-1, required=True, shell_complete=complete.records)
@click.option(
    "-p",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete.options,
    help="The options of one side, NAME=VALUE,NAME=VALUE; one -p compares with the defaults, two with each other.",
)
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
        sides = list(_simulated(what[0], options, games, seed, players, edition, pick))
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


def _simulated(
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
    echo(f"A: {a.name}, {len(a.games)} games", bold=True)
    echo(f"B: {b.name}, {len(b.games)} games", bold=True)
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
    mark = " *" if low > 0 or high < 0 else ""
    return f"{value:+.1f}{unit} ({low:+.1f} to {high:+.1f}){mark}"


def _bar(value: float, most: float) -> str:
    return f"{'█' * round(BAR * value / most)} {value:.0%}".lstrip()
