"""The results of games that are in no ledger, in tables in memory, so that the same questions can be put to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from ledger.stores.results import CauseRow
from ledger.stores.tables import TABLES, for_sqlite, insert


class LooseResults:
    """The tables `result` and `cause` with the games that were added."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        for statement in TABLES:
            if "CREATE TABLE result" in statement or "CREATE TABLE cause" in statement:
                self._db.execute(for_sqlite(statement))
        self._openings = count(1)

    def add(self, results: Sequence[Sequence[object]], causes: Iterable[CauseRow] = ()) -> None:
        """Adds a game: its rows of `results.result_rows`, and its mistakes."""
        opened, (record, game) = next(self._openings), results[0][:2]
        self._db.executemany(insert("result"), [(opened, *row) for row in results])
        self._db.executemany(
            insert("cause"), [(opened, number, record, game, *cause) for number, cause in enumerate(causes)]
        )

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """See `Store.rows`."""
        return self._db.execute(statement, values).fetchall()
