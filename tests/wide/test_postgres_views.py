"""The views of a ledger in PostgreSQL: `verify` finds one that is missing or was changed, and `repair` remakes it."""

from __future__ import annotations

import psycopg
import pytest

from ledger import tree_head
from ledger.events import Open, Player
from ledger.stores.postgres import PostgresStore
from postgres import needs_postgres

OPENING = Open("zigzag", players=tuple(Player(id=name, name=name.upper()) for name in "abc"))

pytestmark = needs_postgres


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["DROP VIEW rules"], "the view rules is missing"),
        (["CREATE OR REPLACE VIEW results AS {results} WHERE won = 1"], "the view results was changed"),
        (["DROP VIEW players", "CREATE VIEW players AS SELECT 1 AS name"], "the view players was changed"),
        (["CREATE VIEW mine AS SELECT 1 AS one"], "the view mine does not belong to a ledger"),
    ],
    ids=["missing", "other rows", "other columns", "another"],
)
def test_a_view_that_was_changed_is_found_and_mended(address: str, statements: list[str], reason: str) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
        assert tree_head.check(store).corruptions == ()
        with psycopg.connect(address) as raw:
            raw.execute("SET search_path TO domino_ledger, public")
            ((results,),) = raw.execute("SELECT pg_get_viewdef('results'::regclass)").fetchall()
            for statement in statements:
                raw.execute(statement.format(results=results.rstrip(";")))  # type: ignore[arg-type]  # ours
        (corruption,) = tree_head.check(store).corruptions
        assert corruption.reason.startswith(reason)
        assert "repair" in corruption.reason
        store.rebuild()
        assert tree_head.check(store).corruptions == ()
    with psycopg.connect(address) as raw:
        assert raw.execute("SELECT name FROM domino_ledger.players ORDER BY name").fetchall() == [
            ("A",),
            ("B",),
            ("C",),
        ]
        assert raw.execute("SELECT count(*) FROM domino_ledger.results").fetchall() == [(3,)]
        assert raw.execute("SELECT count(*) FROM pg_views WHERE viewname = 'mine'").fetchall() == [(0,)]
        assert raw.execute("SELECT count(*) FROM pg_views WHERE viewname LIKE 'expected%'").fetchall() == [(0,)]
