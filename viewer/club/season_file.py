"""A season as one HTML file, which needs no network and runs no script."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

from ledger.club.standings import Standings, in_halves
from ledger.games.catalog import title, together
from viewer.every_page.templates import filled, style

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of the file: it fetches nothing, and runs nothing."""


def season_parts(event: Standings, most: int | None = None) -> dict[str, Any]:
    """What the page of a season shows, with its latest `most` games or with all: `evenings` are a day and its games."""
    shown = event.season if most is None else event.season[-most:]
    evenings = [(day, [*games]) for day, games in groupby(shown, key=lambda played: played.day)]
    left_out = len(event.season) - len(shown)
    return {"s": event, "evenings": evenings, "left_out": left_out, "cooperative": together(), "in_halves": in_halves}


def season_file(event: Standings, line_of: Callable[[str], str], address: str = "", most: int | None = None) -> bytes:
    """The page of a season; `line_of` says how the game of a record was won.

    Games are linked to the server at `address`, such as ``https://domino.example``, or to nothing.
    """

    def game_href(record_id: str) -> str:
        return f"{address}/g/{record_id}" if address else ""

    return filled(
        "season_file.html",
        **season_parts(event, most),
        line_of=line_of,
        game_href=game_href,
        game_title=title,
        style=style("club/static/club.css"),
        policy=POLICY,
    ).encode()
