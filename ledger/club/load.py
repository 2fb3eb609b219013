"""The club of a ledger, or of games that are in none."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

from ledger.audit.review import Review, clauses
from ledger.club.people import Club, People
from ledger.games import catalog
from ledger.keep.stored_audits import audit_in
from ledger.stores.beside import Alias
from ledger.stores.query import CauseRow
from ledger.stores.questions import Tables
from ledger.stores.record_list import cause_rows, named_players, result_rows, row_of
from ledger.stores.schema import EXPECTED, insert

if TYPE_CHECKING:
    from ledger.stores.sqlite import SqliteStore


def club_of(store: SqliteStore) -> Club:
    """The club of a ledger's games.  Games without an up-to-date audit are included, as unfinished ones."""
    return club_in(store, store.kept(Alias))


def club_in(tables: Tables, aliases: Iterable[Alias] = ()) -> Club:
    """The club of the games in these tables."""
    return Club(tables, People(tables, aliases), catalog.together())


def club_of_reviews(reviews: Iterable[Review], aliases: Iterable[Alias] = ()) -> Club:
    """A club with only these games, and the names that are one person; a game that was set aside is left out."""
    tables = LooseResults()
    for review in reviews:
        if review.record.void is None:
            audit = audit_in(review)
            row = row_of(review.name, review.record)
            tables.add(result_rows(row, named_players(review.record), audit.summary), cause_rows(audit))
    return club_in(tables, aliases)


def meaning(clause: str) -> str:
    """The meaning of a clause; empty if its game is not installed."""
    return _meanings().get(clause, "")


@cache
def _meanings() -> dict[str, str]:
    """The meaning of every clause of every revision, by its id."""
    return {
        clause.id: clause.meaning
        for game in catalog.games()
        for revision in game.revisions
        for clause in clauses(revision)
    }


class LooseResults:
    """The tables `result` and `cause` with the games that were added."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        for table in ("result", "cause"):
            self._db.execute(EXPECTED[table])
        self._openings = count(1)

    def add(self, results: Sequence[Sequence[object]], causes: Iterable[CauseRow] = ()) -> None:
        """Adds a game: its rows of `results.result_rows`, and its mistakes."""
        opened, (record, game) = next(self._openings), results[0][:2]
        self._db.executemany(insert("result"), [(opened, *row) for row in results])
        self._db.executemany(
            insert("cause"), [(opened, number, record, game, *cause) for number, cause in enumerate(causes)]
        )

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `SqliteStore.rows`."""
        return self._db.execute(statement, values).fetchall()
