"""Results as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.club.people import Club, Played

COLUMNS = (
    "record", "day", "event", "place", "game", "edition", "seat", "player", "score", "won", "rank", "players",
    "finished", "moves", "hands", "mistakes",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins like this for a formula."""


def csv_rows(club: Club, game: str | None = None) -> Iterator[tuple[object, ...]]:
    """A row for each player and game, of all games or of one kind; what is not known is empty."""
    return rows_of(club, (one for one in club.games if game in (None, one.game.game)))


def rows_of(club: Club, games: Iterable[Played]) -> Iterator[tuple[object, ...]]:
    """A row for each player of these games."""
    for one in games:
        for key, result in zip(one.people, one.results, strict=True):
            yield (
                result.record, result.played, safe(result.event), safe(result.place), safe(result.game),
                safe(result.edition), result.seat + 1, safe(club.shown.get(key, result.name)), result.score,
                "yes" if result.won else "no", result.rank, result.players, "yes" if result.finished else "no",
                result.moves, result.hands, result.mistakes,
            )  # fmt: skip


def safe(text: str | None) -> str | None:
    """A text that no spreadsheet takes for a formula: with an apostrophe before what would begin one."""
    return f"'{text}" if text and text.startswith(_FORMULA) else text
