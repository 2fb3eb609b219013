"""`standings` and `schedule`: who is ahead in an event, and who plays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ledger.cli import complete
from ledger.cli.club_commands import load_club, print_json
from ledger.cli.json_lines import PlaceLine, RoundLine
from ledger.cli.ledger_access import ledger_at
from ledger.cli.shared_options import JSON, did_you_mean
from ledger.cli.terminal import echo, table
from ledger.record.errors import NotForNow
from ledger.record.later import later
from ledger.record.visible import visible

with later():
    from ledger.club.schedule import plan
    from ledger.club.standings import events, in_halves, standings


if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.club.standings import By, Event, Standings


@click.command("standings")
@click.argument("event", required=False, shell_complete=complete.events)
@click.option(
    "--by", type=click.Choice(("wins", "points")), default="wins", show_default=True, help="Rank by this first."
)
@JSON
@click.pass_obj
def standings_(path: str, event: str | None, by: By, *, as_json: bool) -> None:
    """Show who is ahead in EVENT, a tournament or a season that records name; without one, list the events.

    Players are ranked by wins (a shared win counts in parts), or by the sum of their scores with --by points.  Players
    with the same number are ranked by the games among them, then by the other number.

    \b
    Examples:
      domino-ledger standings
      domino-ledger standings "Spring Cup" --by points
    """
    with ledger_at(path) as store:
        club = load_club(store)
    all_events = events(club)
    if event is None:
        _list_events(all_events, as_json=as_json)
        return
    standing = standings(club, event, by)
    if standing is None:
        advice = did_you_mean(event, [event_.name for event_ in all_events])
        raise NotForNow(f"no game names an event {event!r}{advice}")
    _show_standings(standing, as_json=as_json)


def _list_events(events: Sequence[Event], *, as_json: bool) -> None:
    if as_json:
        for event in events:
            print_json(event)
    elif not events:
        echo("No game belongs to an event yet: `domino-ledger new zigzag Ana Ben Cy --event NAME` begins one.")
    else:
        rows = [(e.name, str(e.games), str(e.people), e.first or "", e.last or "") for e in events]
        table(("event", "games", "players", "first day", "last day"), rows)


def _show_standings(standing: Standings, *, as_json: bool) -> None:
    if as_json:
        for place in standing.places:
            direct = None if place.direct is None else float(place.direct)
            print_json(PlaceLine(place.rank, place.name, place.games, float(place.wins), place.points, direct))
        return
    if not standing.places:
        echo("No game of this event is finished yet.")
        return
    table(
        ("player", "rank", "games", "wins", "points", "among equals"),
        [
            (
                place.name, str(place.rank), str(place.games), in_halves(place.wins), str(place.points),
                "" if place.direct is None else in_halves(place.direct),
            )
            for place in standing.places
        ],
    )  # fmt: skip
    if standing.cards:
        echo(f"{standing.cards} with the scores only: not audited")
    if standing.unfinished:
        echo(f"{len(standing.unfinished)} unfinished: not counted")


@click.command("schedule")
@click.argument("names", nargs=-1, required=True, shell_complete=complete.players)
@click.option("--game", shell_complete=complete.games, help="The game; one for three players gets tables of three.")
@JSON
def schedule_(names: tuple[str, ...], game: str | None, *, as_json: bool) -> None:
    """Plan who plays whom: a round robin for 2 to 16 NAMES, or tables of three for 6, 9, 12 or 15.

    In a round robin everybody plays everybody once; if the number is odd, one person sits out each round.  The first
    named at a table begins.

    \b
    Examples:
      domino-ledger schedule Ana Ben Cy Dot
      domino-ledger schedule --game zigzag Ana Ben Cy Dot Eva Finn
    """
    for number, round_ in enumerate(plan(names, game), 1):
        if as_json:
            print_json(RoundLine(number, round_.tables, round_.out))
            continue
        echo(f"Round {number}", bold=True)
        for people in round_.tables:
            echo(f"  {' – '.join(map(visible, people))}")
        if round_.out:
            echo(f"  {visible(round_.out[0])} sits out")
