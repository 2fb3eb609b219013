"""The result of each player in each game, the same from every store."""

from __future__ import annotations

from ledger.chain import NO_NAMES
from ledger.events import Close, Note, Open, Pass, Player
from ledger.stores.beside import Named
from ledger.stores.contract import Store
from ledger.stores.query import Query, Summary

PLAYERS = (Player(id="ana", name="Ana"), Player(id="ben", name="Ben"), Player(id="cy", name="Cy"))


def opening(**fields: object) -> Open:
    return Open("zigzag", players=PLAYERS, **fields)  # type: ignore[arg-type]


def test_results_tell_how_each_player_did(store: Store) -> None:
    store.append("old", 0, [opening(played="2026-01-05", place="The Old Mill")])
    store.append("new", 0, [opening(played="2026-11-20", place="kitchen"), Close("abandoned")])
    store.append("other", 0, [Open("build-up", players=(Player(id="x1", name="Émile"), Player(id="x2")))])
    store.note_audit("new", 2, Summary("clean", True, ("ana",), (), (5, 9, 5), (), 1, 12, 3))
    (latest, *_others), results = store.results(Query(limit=1)), store.results()
    assert (latest.record, latest.player, latest.name, latest.seat, latest.players) == ("other", "x1", "Émile", 0, 2)
    assert (latest.played, latest.score, latest.won, latest.rank, latest.finished) == (None, None, False, None, False)
    assert [(result.record, result.seat) for result in results] == [
        *(("other", seat) for seat in (0, 1)), *(("old", seat) for seat in (0, 1, 2)),
        *(("new", seat) for seat in (0, 1, 2)),
    ]  # fmt: skip
    new = store.results(Query(place="kitchen"))
    assert new == results[-3:]
    assert [(result.name, result.score, result.won, result.rank) for result in new] == [
        ("Ana", 5, True, 1), ("Ben", 9, False, 2), ("Cy", 5, False, 3),
    ]  # fmt: skip
    assert new[0].won is True
    assert {(result.finished, result.mistakes, result.moves, result.hands) for result in new} == {(True, 1, 12, 3)}
    assert {(result.game, result.place, result.played) for result in new} == {("zigzag", "kitchen", "2026-11-20")}


def test_a_tie_shares_the_rank(store: Store) -> None:
    store.append("r", 0, [opening(event="Spring cup", edition="2")])
    store.note_audit("r", 1, Summary("clean", True, ("ben", "cy"), scores=(-4, 7, 7)))
    assert [(result.score, result.rank, result.won) for result in store.results()] == [
        (-4, 3, False), (7, 1, True), (7, 1, True),
    ]  # fmt: skip
    assert {(result.event, result.edition) for result in store.results()} == {("Spring cup", "2")}
    assert store.find(Query())[0].event == "Spring cup"


def test_results_of_an_audit_count_until_the_record_grows(store: Store) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    unjudged = store.results()
    assert [result.score for result in unjudged] == [None] * 3
    for version, event in ((2, Note("tea")), (3, Close("abandoned"))):
        store.note_audit("r", version, Summary("clean", False, scores=(1, 2, 3), moves=1))
        assert [(result.score, result.rank, result.moves) for result in store.results()] == [
            (1, None, 1), (2, None, 1), (3, None, 1),
        ]  # fmt: skip
        store.append("r", version, [event])
        assert store.results() == unjudged
    store.note_audit("r", 4, Summary("unreadable", finished=False))
    assert store.results() == unjudged
    store.note_audit("r", 4, Summary("clean", False, scores=(1, 2, 1 << 80)))
    assert store.results() == unjudged


def test_a_name_that_is_erased_is_in_no_result(store: Store) -> None:
    store.append("r", 0, [Open("zigzag", players=(Player(id="p1", name="Ana\0Lind"), Player(id="p2\0", name="Ben")))])
    assert [(result.player, result.name) for result in store.results()] == [
        ("p1", "Ana\N{REPLACEMENT CHARACTER}Lind"), ("p2\N{REPLACEMENT CHARACTER}", "Ben"),
    ]  # fmt: skip
    store.note_audit("r", 1, Summary("clean", True, ("p2\0",), scores=(1, 2)))
    assert [result.won for result in store.results()] == [False, True]
    store.set_names([Named("r", 0, NO_NAMES)])
    assert [result.name for result in store.results()] == ["p1", "p2\N{REPLACEMENT CHARACTER}"]
