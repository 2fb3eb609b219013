"""`standings` and `schedule`: who is ahead in an event, and who plays whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ledger.audit.moments import Moment, moments
from ledger.cli.club_commands import load_club
from ledger.cli.ledger_access import echo_json, echo_rows, ledger_at
from ledger.cli.output_files import atomic_write, page_writer
from ledger.cli.shared_options import JSON, did_you_mean, form_of, output, server_address
from ledger.cli.terminal import echo
from ledger.club.result_exports import csv_bytes
from ledger.club.standings import By, Standings, events, in_halves, standings
from ledger.keep.sources import review
from ledger.keep.stored_audits import stored_causes
from ledger.record.errors import LedgerError, NotForNow
from ledger.record.visible import visible

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore


@click.command("standings")
@click.argument("event", required=False)
@click.option(
    "--rank", "by", type=click.Choice(("wins", "points")), default="wins", show_default=True, help="Rank by this first."
)
@output("Write the season of EVENT: a page (.html), or the results of its games for a spreadsheet (.csv).")
@click.option(
    "--address", help="Address of the server, such as https://domino.example, to which the page links its games."
)
@JSON
@click.pass_obj
def standings_(
    path: str, event: str | None, by: By, output: Path | None, address: str | None, *, as_json: bool
) -> None:
    """Show who is ahead in EVENT, a tournament or a season that records name; without one, list the events.

    Players are ranked by wins (a shared win counts in parts), or by the sum of their scores with --rank points.  Those
    with the same number are ranked by the games among them, then by the other number.

    With -o season.html, the season is one page to read, print or send: the standings, the games evening by evening, and
    the moments of each.  The page is a single file, which needs no network.

    \b
    Examples:
      domino-ledger standings
      domino-ledger standings "Spring Cup" --rank points
      domino-ledger standings "Spring Cup" -o season.html
    """
    form = None if output is None else form_of(output, FORMS)
    if output is not None and (event is None or as_json):
        raise click.UsageError("-o writes the season of one event: name the event, and leave --json out")
    if address is not None and form != "html":
        raise click.UsageError("--address is for the links of a page: add -o season.html")
    base = "" if address is None else server_address(address)
    with ledger_at(path) as store:
        club = load_club(store)
        all_events = events(club)
        if event is None:
            echo_rows(
                all_events,
                ("event", "games", "players", "first day", "last day"),
                lambda e: (e.name, e.games, e.people, e.first or "", e.last or ""),
                "No game belongs to an event yet: `domino-ledger new zigzag Ana Ben Cy --event NAME` begins one.",
                as_json=as_json,
            )
            return
        standing = standings(club, event, by)
        if standing is None:
            advice = did_you_mean(event, [event_.name for event_ in all_events])
            raise NotForNow(f"no game names an event {event!r}{advice}")
        if output is None:
            _show_standings(standing, as_json=as_json)
        elif form == "csv":
            _write(output, csv_bytes(standing.season))
        else:
            _write(output, page_writer("season")(standing, lambda record_id: _moments(store, record_id), base))


FORMS = {"html": (".html", ".htm"), "csv": (".csv",)}
"""What `standings -o` writes, by the end of the file's name."""


def _moments(store: SqliteStore, record_id: str) -> tuple[Moment, ...]:
    """The moments of a record; none if its game is not installed."""
    result = review(record_id, store.read(record_id))
    if isinstance(result, LedgerError):
        return ()
    result.explain(stored_causes(store, record_id) or ())
    return moments(result)


def _write(output: Path, text: bytes) -> None:
    with atomic_write(output) as out:
        out.write(text)
    echo(f"Wrote {output}")


def _show_standings(standing: Standings, *, as_json: bool) -> None:
    if as_json:
        for place in standing.places:
            echo_json(place.view())
        return
    echo_rows(
        standing.places,
        ("player", "rank", "games", "wins", "points", "among equals"),
        lambda place: (
            place.name, place.rank, place.games, in_halves(place.wins), place.points,
            "" if place.direct is None else in_halves(place.direct),
        ),
        "No game of this event is finished yet.",
    )  # fmt: skip
    if standing.places and standing.cards:
        echo(f"{standing.cards} with the scores only: not audited")
    if standing.places and standing.unfinished:
        echo(f"{len(standing.unfinished)} unfinished: not counted")


@click.command("schedule")
@click.argument("names", nargs=-1, required=True)
@click.option("--game", help="The game; one for three players gets tables of three.")
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
    from ledger.club.schedule import plan

    for number, round_ in enumerate(plan(names, game), 1):
        if as_json:
            echo_json({"round": number, "tables": round_.tables, "out": round_.out})
            continue
        echo(f"Round {number}", bold=True)
        for people in round_.tables:
            echo(f"  {' – '.join(map(visible, people))}")
        if round_.out:
            echo(f"  {visible(round_.out[0])} sits out")
