"""The result of each player in each game, the same from every store."""

from typing import NamedTuple

from ledger.club.load import club_of
from ledger.club.people import Played, Seat
from ledger.club.profile import profile
from ledger.club.statistics import statistics
from ledger.record.chain import NO_NAMES
from ledger.record.events import Close, Note, Open, Pass, Player
from ledger.stores.beside import Named
from ledger.stores.query import Audit, Query, Summary
from ledger.stores.store import SqliteStore
from sheets import PLAYERS


class Result(NamedTuple):
    """What a ledger has of a player in a game."""

    player: str
    name: str
    named: int
    score: int | None = None
    won: int | None = None
    rank: int | None = None


def results(store: SqliteStore, record: str) -> list[Result]:
    """The results of a game, by seat."""
    query = f"SELECT {', '.join(Result._fields)} FROM result WHERE record = ? ORDER BY seat"  # noqa: S608  constants
    return [Result(*row) for row in store.rows(query, (record,))]


def opening(**fields: object) -> Open:
    return Open("zigzag", players=PLAYERS, **fields)  # type: ignore[arg-type]


def test_results_tell_how_each_player_did(store: SqliteStore) -> None:
    store.append("old", 0, [opening(played="2026-01-05", place="The Old Mill")])
    store.append("new", 0, [opening(played="2026-11-20", place="kitchen"), Close("abandoned")])
    store.append("other", 0, [Open("build-up", players=(Player(id="x1", name="Émile"), Player(id="x2")))])
    store.note_audits([Audit("new", 2, Summary("clean", True, ("ana",), (), (9, 9, 5), (), 1, 12, 3))])
    other, old, new = club_of(store).games()
    assert other == Played(
        "other", "build-up", None, None, None, None, 2, False, False, 0, 0, 0,
        (Seat("émile", "Émile", None, False, None, -1), Seat("", "x2", None, False, None, -2)), False,
    )  # fmt: skip
    assert (old.record, old.place, old.day, old.finished) == ("old", "The Old Mill", "2026-01-05", False)
    assert new == Played(
        "new", "zigzag", None, None, "kitchen", "2026-11-20", 3, False, True, 1, 12, 3,
        (Seat("ana", "Ana", 9, True, 1, -1), Seat("ben", "Ben", 9, False, 2, -2), Seat("cy", "Cy", 5, False, 3, -3)),
        True,
    )  # fmt: skip
    assert new.seats[0].won is True
    assert results(store, "other") == [Result("x1", "Émile", 1), Result("x2", "x2", 0)]
    assert results(store, "new")[1] == Result("ben", "Ben", 1, 9, 0, 2)
    assert club_of(store).games("record IN (?, ?)", ("new", "other")) == [other, new]


def test_a_tie_shares_the_rank(store: SqliteStore) -> None:
    store.append("r", 0, [opening(event="Spring cup", edition="2")])
    store.note_audits([Audit("r", 1, Summary("clean", True, ("ben", "cy"), scores=(-4, 7, 7)))])
    (game,) = club_of(store).games()
    assert [(seat.score, seat.rank, seat.won) for seat in game.seats] == [
        (-4, 3, False), (7, 1, True), (7, 1, True),
    ]  # fmt: skip
    assert (game.event, game.edition) == ("Spring cup", "2")
    assert store.find(Query())[0].event == "Spring cup"


def test_every_name_and_number_is_read_as_it_was_written(store: SqliteStore) -> None:
    names = ('"\\', "\x01\t\n\x7f\u2028", "\U0001f600", "e\u0301", "p1", "null", "", "</b>", "1", "[]")
    ids = [f"id{number}" for number in range(len(names))]
    players = tuple(Player(id=id_, name=name) for id_, name in zip(ids, names, strict=True))
    store.append("r", 0, [Open("zigzag", players=players, place='a "place"', event="\\")])
    scores = (*(number - 5 for number in range(len(ids) - 2)), (1 << 63) - 1, 1 - (1 << 63))
    store.note_audits([Audit("r", 1, Summary("clean", True, (), scores=scores))])
    assert [result.player for result in results(store, "r")] == ids
    (game,) = club_of(store).games()
    expected = [(name or id_, int(bool(name))) for id_, name in zip(ids, names, strict=True)]
    assert [(result.name, result.named) for result in results(store, "r")] == expected
    assert [bool(seat.key) for seat in game.seats] == [bool(name) for name in names]
    assert [seat.score for seat in game.seats] == [*scores]
    # The sum of these scores is too large for a database: no question adds or compares them.
    assert profile(club_of(store), "null").by_game[0].score == scores[5]
    assert statistics(club_of(store), "zigzag").marks[0].value == str((1 << 63) - 1)
    assert (game.place, game.event) == ('a "place"', "\\")


def test_results_of_an_audit_count_until_the_record_grows(store: SqliteStore) -> None:
    store.append("r", 0, [opening(), Pass("ana")])
    unjudged = results(store, "r")
    assert [result.score for result in unjudged] == [None] * 3
    for version, event in ((2, Note("tea")), (3, Close("abandoned"))):
        store.note_audits([Audit("r", version, Summary("clean", False, scores=(1, 2, 3), moves=1))])
        assert [(result.score, result.rank) for result in results(store, "r")] == [(1, None), (2, None), (3, None)]
        assert club_of(store).games()[0].moves == 1
        store.append("r", version, [event])
        assert results(store, "r") == unjudged
    store.note_audits([Audit("r", 4, Summary("unreadable", finished=False))])
    assert results(store, "r") == unjudged
    store.note_audits([Audit("r", 4, Summary("clean", False, scores=(1, 2, 1 << 80)))])
    assert results(store, "r") == unjudged


def test_a_name_that_is_erased_is_in_no_result(store: SqliteStore) -> None:
    store.append("r", 0, [Open("zigzag", players=(Player(id="p1", name="Ana\0Lind"), Player(id="p2\0", name="Ben")))])
    assert [(result.player, result.name) for result in results(store, "r")] == [
        ("p1", "Ana\N{REPLACEMENT CHARACTER}Lind"), ("p2\N{REPLACEMENT CHARACTER}", "Ben"),
    ]  # fmt: skip
    store.note_audits([Audit("r", 1, Summary("clean", True, ("p2\0",), scores=(1, 2)))])
    assert [result.won for result in results(store, "r")] == [0, 1]
    store.put([Named("r", 0, NO_NAMES)])
    assert [result.name for result in results(store, "r")] == ["p1", "p2\N{REPLACEMENT CHARACTER}"]
