"""Results as rows for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from ledger.club.people import Played

COLUMNS = (
    "record", "day", "event", "place", "game", "edition", "seat", "player", "score", "won", "rank", "players",
    "finished", "moves", "hands", "mistakes", "card",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets treat a text that begins with one of these as a formula."""


def csv_rows(games: Iterable[Played]) -> Iterator[tuple[object, ...]]:
    """A row for each player of these games; unknown values are empty."""
    for game in games:
        for number, seat in enumerate(game.seats, 1):
            yield (
                game.record, game.day, safe(game.event), safe(game.place), safe(game.game),
                safe(game.edition), number, safe(seat.name), seat.score,
                "yes" if seat.won else "no", seat.rank, game.players, "yes" if game.finished else "no",
                game.moves, game.hands, game.mistakes, "yes" if game.card else "no",
            )  # fmt: skip


def csv_bytes(games: Iterable[Played]) -> bytes:
    """The results of these games as CSV in UTF-8.

    It begins with a byte order mark: without one, Excel takes the letters for those of another encoding.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(csv_rows(games))
    return text.getvalue().encode("utf-8-sig")


def safe(text: str | None) -> str | None:
    """A text that no spreadsheet treats as a formula: it gets an apostrophe in front if it would be one."""
    return f"'{text}" if text and text.startswith(_FORMULA) else text
