"""The views of a ledger in PostgreSQL: `verify` finds one that is missing or was changed, and `repair` remakes it."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from ledger.cli import cli
from ledger.proof import tree_head
from ledger.record.events import Open, Player
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
    ],
    ids=["missing", "other rows", "other columns"],
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
        assert raw.execute("SELECT count(*) FROM pg_views WHERE viewname LIKE 'expected%'").fetchall() == [(0,)]


OF_OTHERS = (
    "CREATE VIEW my_league AS SELECT record, count(*) AS moves FROM event GROUP BY record",
    "CREATE MATERIALIZED VIEW my_copy AS SELECT name, games FROM players",
    "CREATE TABLE my_table (x INTEGER)",
    "CREATE INDEX my_index ON record (place)",
    "CREATE SCHEMA club",
    "CREATE VIEW club.first AS SELECT name FROM results WHERE won = 1",
    "CREATE VIEW club.league AS SELECT * FROM my_league",
)


@pytest.mark.parametrize(
    "harm",
    [None, "DROP VIEW rules", "CREATE OR REPLACE VIEW results AS SELECT *, 1 AS more FROM ({results}) r"],
    ids=["nothing", "a view that nobody needs", "more columns in a view that another needs"],
)
def test_what_others_made_is_noted_and_stays(address: str, tmp_path: Path, harm: str | None) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(cli, ["--ledger", address, *arguments])

    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
    assert "left alone" not in run("verify").stderr
    with psycopg.connect(address) as raw:
        raw.execute("SET search_path TO domino_ledger, public")
        for statement in OF_OTHERS:
            raw.execute(statement)  # type: ignore[arg-type]  # ours
    names = "the index my_index, the materialized view my_copy, the table my_table and the view my_league"
    verified = run("verify")
    assert (verified.exit_code, f"left alone: {names}\n" in verified.stderr) == (0, True), verified.stderr
    if harm is not None:
        with psycopg.connect(address) as raw:
            raw.execute("SET search_path TO domino_ledger, public")
            ((results,),) = raw.execute("SELECT pg_get_viewdef('results'::regclass)").fetchall()
            raw.execute(harm.format(results=results.rstrip(";")))  # type: ignore[arg-type]  # ours
        assert run("verify").exit_code == 1
    repaired = run("repair", "--backup", str(tmp_path / "before"))
    assert (repaired.exit_code, "my_league" in repaired.stderr) == (0, True), repaired.stderr
    with psycopg.connect(address) as raw:
        for view in ("domino_ledger.my_league", "domino_ledger.my_copy", "club.first", "club.league"):
            raw.execute(f"TABLE {view}").fetchall()  # type: ignore[arg-type]  # ours
        assert raw.execute("SELECT count(*) FROM pg_indexes WHERE indexname = 'my_index'").fetchall() == [(1,)]


def test_what_a_role_cannot_mend_is_not_blamed_on_the_events(address: str, tmp_path: Path) -> None:
    with PostgresStore(address) as store:
        store.append("r", 0, [OPENING])
    with psycopg.connect(address) as raw:
        raw.execute("DROP VIEW domino_ledger.rules")
        raw.execute("CREATE ROLE clerk LOGIN")
        raw.execute("GRANT USAGE ON SCHEMA domino_ledger TO clerk")
        raw.execute("GRANT ALL ON ALL TABLES IN SCHEMA domino_ledger TO clerk")
    try:
        other = address.replace("postgres@", "clerk@")
        repaired = CliRunner().invoke(cli, ["--ledger", other, "repair", "--backup", str(tmp_path / "before")])
        assert repaired.exit_code == 1
        assert "run it as the owner of the tables" in repaired.stderr
        assert "never changes events" not in repaired.stderr
    finally:
        with psycopg.connect(address) as raw:
            raw.execute("DROP OWNED BY clerk")
            raw.execute("DROP ROLE clerk")
