"""The tables of an evening: a sheet to print, with a recorder's link for each."""

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from ledger.games.catalog import title
from ledger.keep.recorder import new_link
from ledger.stores.query import Row
from ledger.stores.store import SqliteStore
from viewer.every_page.templates import filled, style
from viewer.server.qr_codes import qr_code

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of the sheet as a file."""


class Table(NamedTuple):
    """A table on the sheet: its game, who plays, the code of its recorder's link, and where people watch, or ""."""

    title: str
    players: tuple[str, ...]
    event: str
    code: Markup
    watch: str


def sheet(
    store: SqliteStore, rows: Iterable[Row], base: str, *, only: bool = False, private: bool = False
) -> tuple[Table, ...]:
    """The tables of these games, each with a new recorder's link; with `only`, earlier ones stop working.

    In a `private` ledger nobody watches without a link, so the sheet does not say where.
    """
    return tuple(
        Table(
            title(row.game),
            tuple(name for _id, name in row.players),
            row.event or "",
            qr_code(f"{base}/r/{row.id}#{new_link(store, row.id, 'record', only=only)}"),
            "" if private else f"{base}/g/{row.id}",
        )
        for row in rows
    )


def sheet_file(tables: tuple[Table, ...], day: str) -> bytes:
    """The sheet as one HTML file, which fetches nothing."""
    return filled(
        "evening_tables_file.html", tables=tables, day=day, style=style("paper/static/paper.css"), policy=POLICY
    ).encode()
