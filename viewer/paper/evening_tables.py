"""The tables of an evening: a sheet to print, with a recorder's link for each."""

from collections.abc import Iterable
from typing import Any

from ledger.games.catalog import title
from ledger.keep.recorder import new_link
from ledger.stores.query import Row
from ledger.stores.store import SqliteStore
from viewer.every_page.templates import filled, style
from viewer.server.qr_codes import qr_code

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of the sheet as a file."""


def sheet(
    store: SqliteStore, rows: Iterable[Row], base: str, *, only: bool = False, private: bool = False
) -> list[dict[str, Any]]:
    """The tables of these games, each with a new recorder's link; with `only`, earlier ones stop working.

    In a `private` ledger nobody watches without a link, so the sheet does not say where.
    """
    return [
        {
            "title": title(row.game),
            "players": [name for _id, name in row.players],
            "event": row.event or "",
            "code": qr_code(f"{base}/r/{row.id}#{new_link(store, row.id, 'record', only=only)}"),
            "watch": "" if private else f"{base}/g/{row.id}",
        }
        for row in rows
    ]


def sheet_file(tables: list[dict[str, Any]], day: str) -> bytes:
    """The sheet as one HTML file, which fetches nothing."""
    return filled(
        "evening_tables_file.html", tables=tables, day=day, style=style("paper/static/paper.css"), policy=POLICY
    ).encode()
