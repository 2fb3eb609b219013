"""An event as one HTML file, which needs no network and runs no script."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from ledger.club.people import Played
from ledger.club.standings import Standings, in_halves
from ledger.games.catalog import title, together
from viewer.every_page.templates import filled, style

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of the file: it fetches nothing, and runs nothing."""
COLUMNS = 24
"""The most people of whom the standings show how each other did against them."""


def event_parts(event: Standings, games: Sequence[Played], line_of: Mapping[str, str]) -> dict[str, Any]:
    """What the page of an event shows: `evenings` are a day and its games, the latest first."""
    evenings = [(day, [*of_day]) for day, of_day in groupby(games, attrgetter("day"))][::-1]
    return {
        "s": event,
        "columns": event.places[:COLUMNS],
        "evenings": evenings,
        "shown": len(games),
        "line_of": line_of,
        "cooperative": together(),
        "in_halves": in_halves,
    }


def event_file(event: Standings, games: Sequence[Played], line_of: Mapping[str, str], address: str = "") -> bytes:
    """The page of an event with these games; `line_of` says how the game of a record was won.

    Games are linked to the server at `address`, such as ``https://domino.example``, or to nothing.
    """
    return filled(
        "event_file.html",
        **event_parts(event, games, line_of),
        game_href=lambda record_id: f"{address}/g/{record_id}" if address else "",
        game_title=title,
        private=True,
        style=style("club/static/club.css"),
        policy=POLICY,
    ).encode()
