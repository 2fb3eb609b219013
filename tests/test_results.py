"""The result of each player in each game, the same from every store."""

from __future__ import annotations

from pathlib import Path

from ledger.record.chain import NO_NAMES
from ledger.record.events import Close, Note, Open, Pass, Player
from ledger.stores import questions
from ledger.stores.beside import Named
from ledger.stores.contract import Store
from ledger.stores.query import Query, Summary
from ledger.stores.results import Audit, GameResults, Result
from ledger.stores.sqlite import SqliteStore

PLAYERS = (Player(id="ana", name="Ana"), Player(id="ben", name="Ben"), Player(id="cy", name="Cy"))


def opening(**fields: object) -> Open:
    return Open("zigzag", players=PLAYERS, **fields)  # type: ignore[arg-type]


def test_results_tell_how_each_player_did(store: Store) -> None:
    store.append("old", 0, [opening(played="2026-01-05", place="The Old Mill")])
    store.append("new", 0, [opening(played="2026-11-20", place="kitchen"), Close("abandoned")])
    store.append("other", 0, [Open("build-up", players=(Player(id="x1", name="Émile"), Player(id="x2")))])
    store.note_audits([Audit("new", 2, Summary("clean", True, ("ana",), (), (5, 9, 5), (), 1, 12, 3))])
    other, old, new = questions.results(store)
    assert other == GameResults(
        "other", "build-up", None, None, None, None, 2, False, False, 0, 0, 0,
        (Result("x1", "Émile", True), Result("x2", "x2", False)),
    )  # fmt: skip
    assert (old.record, old.place, old.played, old.finished) == ("old", "The Old Mill", "2026-01-05", False)
    assert new == GameResults(
        "new", "zigzag", None, None, "kitchen", "2026-11-20", 3, False, True, 1, 12, 3,
        (Result("ana", "Ana", True, 5, True, 1), Result("ben", "Ben", True, 9, False, 2),
         Result("cy", "Cy", True, 5, False, 3)),
    )  # fmt: skip
    assert new.results[0].won is True
    assert questions.results(store, ["new", "other", "nothing"]) == [other, new]
    assert questions.results(store, []) == []


def test_a_tie_shares_the_rank(store: Store) -> None:
    store.append("r", 0, [opening(event="Spring cup", edition="2")])
    store.note_audits([Audit("r", 1, Summary("clean", True, ("ben", "cy"), scores=(-4, 7, 7)))])
    (game,) = questions.results(store)
    assert [(result.score, result.rank, result.won) for result in game.results] == [
        (-4, 3, False), (7, 1, True), (7, 1, True),
    ]  # fmt: skip
    assert (game.event, game.edition) == ("Spring cup", "2")
    assert store.find(Query())[0].event == "Spring cup"


def test_every_name_and_number_is_read_as_it_was_written(store: Store) -> None:
    names = ('"\\', "\x01\t\n\x7f\u2028", "\U0001f600", "e\u0301", "p1", "null", "", "</b>", "1", "[]")
    ids = [f"id{number}" for number in range(len(names))]
    players = tuple(Player(id=id_, name=name) for id_, name in zip(ids, names, strict=True))
    store.append("r", 0, [Open("zigzag", players=players, place='a "place"', event="\\")])
    scores = (*(number - 5 for number in range(len(ids) - 2)), (1 << 63) - 1, 1 - (1 << 63))
    store.note_audits([Audit("r", 1, Summary("clean", True, (), scores=scores))])
    (game,) = questions.results(store)
    assert [result.player for result in game.results] == ids
    assert [result.name for result in game.results] == [name or id_ for id_, name in zip(ids, names, strict=True)]
    assert [result.named for result in game.results] == [bool(name) for name in names]
    assert [result.score for result in game.results] == [*scores]
    assert (game.place, game.event) == ('a "place"', "\\")


def test_sqlite_reads_results_by_seat_without_sorting(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "ledger.sqlite") as store:
        for where in ("TRUE", "opened IN (SELECT opened FROM record WHERE id IN ('a', 'b'))"):
            steps = [step[-1] for step in store.rows(f"EXPLAIN QUERY PLAN {store.results_sql.format(where)}")]
            assert steps[0] in ("SCAN result", "SEARCH result USING PRIMARY KEY (opened=?)"), steps
            assert not any("TEMP B-TREE" in step for step in steps), steps


def test_results_of_an_audit_count_until_the_record_grows(store: Store) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    unjudged = questions.results(store)
    assert [result.score for result in unjudged[0].results] == [None] * 3
    for version, event in ((2, Note("tea")), (3, Close("abandoned"))):
        store.note_audits([Audit("r", version, Summary("clean", False, scores=(1, 2, 3), moves=1))])
        (judged,) = questions.results(store)
        assert [(result.score, result.rank) for result in judged.results] == [(1, None), (2, None), (3, None)]
        assert judged.moves == 1
        store.append("r", version, [event])
        assert questions.results(store) == unjudged
    store.note_audits([Audit("r", 4, Summary("unreadable", finished=False))])
    assert questions.results(store) == unjudged
    store.note_audits([Audit("r", 4, Summary("clean", False, scores=(1, 2, 1 << 80)))])
    assert questions.results(store) == unjudged


def test_a_name_that_is_erased_is_in_no_result(store: Store) -> None:
    store.append("r", 0, [Open("zigzag", players=(Player(id="p1", name="Ana\0Lind"), Player(id="p2\0", name="Ben")))])
    assert [(result.player, result.name) for result in questions.results(store)[0].results] == [
        ("p1", "Ana\N{REPLACEMENT CHARACTER}Lind"), ("p2\N{REPLACEMENT CHARACTER}", "Ben"),
    ]  # fmt: skip
    store.note_audits([Audit("r", 1, Summary("clean", True, ("p2\0",), scores=(1, 2)))])
    assert [result.won for result in questions.results(store)[0].results] == [False, True]
    store.put([Named("r", 0, NO_NAMES)])
    assert [result.name for result in questions.results(store)[0].results] == ["p1", "p2\N{REPLACEMENT CHARACTER}"]
