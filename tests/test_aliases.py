"""Aliases: kept with the events in every store, checked by `verify`, copied, and erased on request."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.cli import cli
from ledger.keep.transfer import forget_aliases, transfer
from ledger.proof import log_head
from ledger.record.events import Open, Player
from ledger.stores import open_ledger
from ledger.stores.beside import Alias
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore

PLAYERS = tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1))
ANNIE, ANI = Alias("Annie", "Ana"), Alias("Ani", "Ana")


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The file of a new ledger."""
    return str(tmp_path / "club.sqlite")


@pytest.fixture
def ledger(address: str) -> Iterator[SqliteStore]:
    """A ledger with one game."""
    with open_ledger(address) as store:
        store.append("game", 0, [Open("zigzag", players=PLAYERS)])
        yield store


def check_contract(store: SqliteStore) -> None:
    assert list(store.kept(Alias)) == []
    store.put([ANNIE, ANI])
    store.put([Alias("Annie", "Ana Lind")])
    assert list(store.kept(Alias)) == [ANI, Alias("Annie", "Ana Lind")]
    assert store.drop([ANNIE, Alias("nobody", "Ana")]) == 1
    assert list(store.kept(Alias)) == [ANI]


def test_a_database_keeps_aliases_and_counts_them(ledger: SqliteStore) -> None:
    check_contract(ledger)
    assert log_head.check(ledger).corruptions == ()
    with ledger.reopen() as reopened:
        assert list(reopened.kept(Alias)) == [ANI]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE alias SET person = 'Eva' WHERE name = 'Annie'", "the alias 'Annie' was changed"),
        ("UPDATE alias SET name = 'Eva' WHERE name = 'Annie'", "the alias 'Eva' was changed"),
        ("DELETE FROM alias WHERE name = 'Annie'", "the table alias has 1 row, and should have 2"),
        ("DELETE FROM total WHERE of = 'alias'", "the table alias has 2 rows, and should have None"),
    ],
)
def test_an_alias_that_was_changed_is_found_and_repaired(ledger: SqliteStore, statement: str, reason: str) -> None:
    ledger.put([ANNIE, ANI])
    with ledger.connection.writing():
        ledger.connection.many(statement, [()])
    assert any(reason in corruption.reason for corruption in log_head.check(ledger).corruptions)
    losses = ledger.rebuild()
    assert [difference.reason for difference in losses] == (
        [f"{reason} and is deleted: merge it anew"] if "changed" in reason else []
    )
    assert log_head.check(ledger).corruptions == ()
    assert ANI in ledger.kept(Alias)


def test_a_copy_has_the_aliases_of_its_source(ledger: SqliteStore, tmp_path: Path) -> None:
    ledger.put([ANNIE, ANI])
    with open_ledger(str(tmp_path / "copy.sqlite")) as copy:
        list(transfer(ledger, copy))
        assert list(copy.kept(Alias)) == [ANI, ANNIE]
        ledger.drop([ANI])
        ledger.put([Alias("Annie", "Eva")])
        list(transfer(ledger, copy))
        assert list(copy.kept(Alias)) == [Alias("Annie", "Eva")]
        assert log_head.check(copy).corruptions == ()


@pytest.mark.parametrize("name", ["Annie", " annie ", "ANNIE"])
def test_a_name_that_is_forgotten_is_no_alias(name: str) -> None:
    store = TemporaryStore()
    store.put([ANNIE, ANI])
    assert forget_aliases(store, name) == [ANNIE]
    assert forget_aliases(store, "Ana") == [ANI]
    assert list(store.kept(Alias)) == []


def test_forget_erases_aliases_and_leaves_no_byte_of_them(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with open_ledger(str(path)) as store:
        store.append("game", 0, [Open("zigzag", players=PLAYERS)])
        store.put([Alias("Zuzanna", "Ana"), Alias("Benny", "Ben")])
    result = CliRunner().invoke(cli, ["--ledger", str(path), "forget", "--yes", "zuzanna"])
    assert result.exit_code == 0, result.output
    assert "aliases: 1 deleted" in result.output
    with open_ledger(str(path)) as store:
        assert list(store.kept(Alias)) == [Alias("Benny", "Ben")]
        assert log_head.check(store).corruptions == ()
    assert b"Zuzanna" not in path.read_bytes()
    refused = CliRunner().invoke(cli, ["--ledger", str(path), "forget", "--yes", "zuzanna"])
    assert refused.exit_code == 2
    assert "no player or recorder is called" in refused.output


@pytest.mark.parametrize("merged", [True, False])
def test_who_has_two_names_is_one_person_in_the_list_and_in_sql(tmp_path: Path, merged: bool) -> None:
    path = tmp_path / "club.sqlite"

    def game(*names: str) -> Open:
        return Open("zigzag", players=tuple(Player(id=f"p{number}", name=name) for number, name in enumerate(names)))

    with open_ledger(str(path)) as store:
        for number, names in enumerate((("Ben", "Ana", "Cy"), ("Dot", "Ana", "Eve"), ("Dotty", "Ana", "Eve"))):
            store.append(f"game{number}", 0, [game(*names)])
    if merged:
        result = CliRunner().invoke(cli, ["--ledger", str(path), "players", "merge", "Dot", "Ben"])
        assert result.exit_code == 0, result.output
    both = ["game1", "game0"]
    with open_ledger(str(path)) as store:
        for typed, found in {
            "Ben": both, "be": both, "ben cy": ["game0"], "ana ben": both, "Dot": ["game2", *both], "dotty": ["game2"],
            "eve ben": ["game1"], "zoe": [],
        }.items():  # fmt: skip
            words = typed.casefold().split()
            if not merged:
                found = [  # noqa: PLW2901  without the alias
                    name
                    for name in ("game2", "game1", "game0")
                    if all(word in str(store.read(name).opening.players).casefold() for word in words)
                ]
            query = Query(player=typed)
            assert [row.id for row in store.find(query)] == found, typed
            assert store.count_records(query) == len(found), typed
        assert dict(store.rows("SELECT name, games FROM players WHERE name IN ('Ben', 'Dot')")) == (
            {"Ben": 2} if merged else {"Ben": 1, "Dot": 1}
        )
        (name,) = store.rows("SELECT name FROM results WHERE record = 'game1' AND seat = 0")[0]
        assert name == ("Ben" if merged else "Dot")
        assert store.rows("SELECT players FROM games WHERE record = 'game1'") == [(f"{name}, Ana, Eve",)]
        assert log_head.check(store).corruptions == ()
    listed = CliRunner().invoke(cli, ["--ledger", str(path), "list", "--player", "Ben"])
    assert ("game1" in listed.output) == merged
