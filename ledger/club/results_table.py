"""Results as rows for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from ledger.club.people import Club, Played

COLUMNS = (
    "record", "day", "event", "place", "game", "edition", "seat", "player", "score", "won", "rank", "players",
    "finished", "moves", "hands", "mistakes", "card",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets treat a text that begins with one of these as a formula."""


def csv_rows(club: Club, games: Iterable[Played]) -> Iterator[tuple[object, ...]]:
    """A row for each player of these games; unknown values are empty."""
    for played in games:
        shared = played.game
        for seat, (key, result) in enumerate(zip(played.people, shared.results, strict=True), 1):
            yield (
                shared.record, shared.played, safe(shared.event), safe(shared.place), safe(shared.game),
                safe(shared.edition), seat, safe(club.shown.get(key, result.name)), result.score,
                "yes" if result.won else "no", result.rank, shared.players, "yes" if shared.finished else "no",
                shared.moves, shared.hands, shared.mistakes, "yes" if shared.card else "no",
            )  # fmt: skip


def csv_bytes(club: Club, games: Iterable[Played] | None = None) -> bytes:
    """The results of these games, or of all, as CSV in UTF-8.

    It begins with a byte order mark: without one, Excel takes the letters for those of another encoding.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(csv_rows(club, club.games if games is None else games))
    return text.getvalue().encode("utf-8-sig")


def safe(text: str | None) -> str | None:
    """A text that no spreadsheet treats as a formula: it gets an apostrophe in front if it would be one."""
    return f"'{text}" if text and text.startswith(_FORMULA) else text
