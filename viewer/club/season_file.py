"""A season as one HTML file, which needs no network and runs no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ledger.audit.moments import Moment
from ledger.club.standings import Season, in_halves
from ledger.games.catalog import title
from viewer.pages.templates import environment, style

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of the file: it fetches nothing, and runs nothing."""


def season_file(season: Season, moments_of: Callable[[str], Sequence[Moment]], address: str = "") -> bytes:
    """The page of a season.  `moments_of` tells the moments of a record; games are linked to the server at `address`,
    such as ``https://domino.example``, or to nothing.
    """

    def game_href(record_id: str, seq: int | None = None) -> str:
        if not address:
            return ""
        return f"{address}/g/{record_id}{'' if seq is None else f'?ply={seq}'}"

    template = environment().get_template("season_file.html")
    page = template.render(
        season=season,
        moments_of=moments_of,
        game_href=game_href,
        game_title=title,
        in_halves=in_halves,
        style=style("club"),
        policy=POLICY,
    )
    return page.encode()
