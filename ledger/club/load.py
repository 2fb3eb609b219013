"""The club of a ledger, or of games that are in none."""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from ledger.audit.review import Review, clauses
from ledger.club.people import Club, People
from ledger.games import catalog
from ledger.keep.renaming import person_of
from ledger.keep.stored_audits import audit_in
from ledger.stores.beside import Adjustment, Alias
from ledger.stores.query import CauseRow
from ledger.stores.record_list import cause_rows, named_players, result_rows, row_of
from ledger.stores.schema import EXPECTED, insert
from ledger.stores.store import SqliteStore


def club_of(store: SqliteStore) -> Club:
    """The club of a ledger's games.  Games without an up-to-date audit are included, as unfinished ones."""
    people = People(store, store.kept(Alias))
    return Club(store, people, catalog.together(), adjustments_of(store, people))


def adjustments_of(store: SqliteStore, people: People) -> list[Adjustment]:
    """The points that the owner added to players in events, with the names of today."""
    person = person_of(store)
    return [one._replace(player=people.name(person(one.player))) for one in store.kept(Adjustment)]


def club_of_reviews(reviews: Iterable[Review], aliases: Iterable[Alias] = ()) -> Club:
    """A club with only these games, and the names that are one person; a game that was set aside is left out."""
    games = ((review, audit_in(review)) for review in reviews if review.record.void is None)
    tables = LooseResults(
        (result_rows(row_of(r.name, r.record), named_players(r.record), audit.summary), cause_rows(audit))
        for r, audit in games
    )
    return Club(tables, People(tables, aliases), catalog.together())


def meaning(clause: str) -> str:
    """The meaning of a clause; empty if its game is not installed."""
    return _meanings().get(clause, "")


@cache
def _meanings() -> dict[str, str]:
    return {
        clause.id: clause.meaning
        for game in catalog.games()
        for revision in game.revisions
        for clause in clauses(revision)
    }


class LooseResults:
    """The tables `result` and `cause` of games that are in no ledger."""

    def __init__(self, games: Iterable[tuple[Sequence[Sequence[object]], Iterable[CauseRow]]]) -> None:
        """`games`: of each, its rows of `result_rows`, and its mistakes."""
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        for table in ("result", "cause"):
            self._db.execute(EXPECTED[table])
        for opened, (results, causes) in enumerate(games, 1):
            game = results[0][:2]
            self._db.executemany(insert("result"), [(opened, *row) for row in results])
            self._db.executemany(insert("cause"), [(opened, n, *game, *cause) for n, cause in enumerate(causes)])

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `SqliteStore.rows`."""
        return self._db.execute(statement, values).fetchall()
