"""The people of a club, the pages of its players, and the statistics of its games."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from clubs import Mistake, club_with, played
from command_output import outcome_of
from ledger.cli import cli
from ledger.club.load import club_of
from ledger.club.people import Club, Person, Played, Seat, everybody, merge, split
from ledger.club.profile import longest, longest_at_end, profile
from ledger.club.ratings import LEAST, SURE, ladders, mean_cheats
from ledger.club.schedule import pairs, plan, threes
from ledger.club.standings import By, Place, events, in_halves, standings
from ledger.club.statistics import bars, spread, statistics
from ledger.games import catalog
from ledger.keep.recorder import folded
from ledger.keep.transfer import forget_aliases, transfer
from ledger.proof import log_head
from ledger.record.chain import NO_NAMES
from ledger.record.errors import NotForNow
from ledger.record.events import Close, Note, Open, Pass, Player
from ledger.stores import open_ledger
from ledger.stores.beside import Alias, Named
from ledger.stores.query import Audit, Query, Summary
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore

NAMES = st.sampled_from(["Ana", "ana ", "ANA", "Annie", "Ben", "Zoë", "Zoe\u0308", " Cy  Lind", "Cy Lind"])


# ── People ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_spellings_of_a_name_are_one_person_shown_by_the_usual_one() -> None:
    club = club_with(
        played("a", {"Zoë": 1, "ben": 2}), played("b", {"ZOE\u0308": 3, "Ben": 1}), played("c", {" Zoë ": 1, "Ben": 2})
    )
    assert [(person.name, person.games, person.wins) for person in everybody(club)] == [
        ("Ben", 3, 2),
        ("Zoë", 3, 1),
    ]
    assert club.people.key("zoë") == club.people.key(" ZOË") == club.people.key(unicodedata.normalize("NFD", "Zoë"))


def test_a_player_without_a_name_is_nobody() -> None:
    club = club_with(played("a", {"Ana": 1, "": 2}))
    assert [person.name for person in everybody(club)] == ["Ana"]
    assert club.people.key("p2") is None
    assert club.people.key("") is None
    assert profile(club, "ana").opponents == ()
    assert profile(club, "ana").form[0].outcome == "lost"


def test_a_merged_name_is_the_person_that_the_owner_chose() -> None:
    games = [played("a", {"Annie": 9, "Ben": 2}, day="2026-01-02"), played("b", {"Ana": 1, "Ben": 2}, day="2026-01-01")]
    club = club_with(*games, aliases=[Alias("Annie", "Ana")])
    assert everybody(club)[0] == Person("Ana", "ana", 2, 2, 1, "2026-01-02")
    assert club.people.find("ANNIE") == "ana"
    assert club.people.also("ana") == ("Annie",)
    with pytest.raises(NotForNow, match=r"nobody called 'Bem' has played here; did you mean Ben\?"):
        club.people.find("Bem")


def test_somebody_who_sat_at_a_table_twice_played_one_game_there() -> None:
    twice = played("a", {"Ana": 9, "ana ": 2, "Ben": 3})
    for club in (
        club_with(twice),
        club_with(played("a", {"Ana": 9, "Annie": 2, "Ben": 3}), aliases=[Alias("Annie", "Ana")]),
    ):
        (ana, _ben), results = everybody(club), profile(club, "ana")
        assert (ana.games, ana.contests, ana.wins) == (results.games, results.contests, results.wins) == (1, 1, 1)


def test_merging_takes_the_aliases_along_and_splitting_takes_one_back() -> None:
    aliases = merge([], "Annie", " Ana  Lind ")
    assert aliases == [Alias("Annie", "Ana Lind")]
    merged = merge(aliases, "ana lind", "Anastasia")
    assert sorted(merged) == [Alias("Annie", "Anastasia"), Alias("ana lind", "Anastasia")]
    assert merge(merged, "Stasi", "annie") == [Alias("Stasi", "Anastasia")]
    assert split(merged, "ANNIE") == Alias("Annie", "Anastasia")
    for name, person, reason in (
        ("Annie", "anastasia", "are one person already"),
        ("Ana", "ANA", "are one person already"),
        ("Annie", "Ben", "'Annie' is an alias of 'Anastasia'"),
        (" ", "Ben", "a name is missing"),
    ):
        with pytest.raises(NotForNow, match=reason):
            merge(merged, name, person)
    with pytest.raises(NotForNow, match="is not an alias; it is the name of a person with the aliases Annie, ana lind"):
        split(merged, "Anastasia")


@given(st.lists(st.tuples(NAMES, NAMES), max_size=8))
def test_however_names_are_merged_each_has_one_person_and_no_alias_is_a_person(
    pairs: list[tuple[str, str]],
) -> None:
    aliases: dict[str, Alias] = {}
    for name, person in pairs:
        try:
            changed = merge(list(aliases.values()), name, person)
        except NotForNow:
            continue
        aliases |= {alias.name: alias for alias in changed}
    club = club_with(played("a", {"Ana": 1, "Annie": 2, "Ben": 3, "Zoë": 4, "Cy Lind": 5}), aliases=aliases.values())
    names = [folded(alias.name) for alias in aliases.values()]
    assert len(set(names)) == len(names)
    assert not {folded(alias.person) for alias in aliases.values()} & set(names), "a person is nobody's alias"
    assert all(club.people.find(alias.name) == club.people.find(alias.person) for alias in aliases.values())


# ── A player ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_profile_counts_games_wins_opponents_and_form() -> None:
    club = club_with(
        played("a", {"Ana": 30, "Ben": 20}, day="2026-01-01"),
        played("b", {"Ana": 30, "Ben": 30, "Cy": 10}, day="2026-01-02", mistakes=2),
        played("c", {"Ben": 50, "Ana": 7}, "ziggurat", day="2026-01-03"),
        played("d", {"Ana": 4, "Ben": 4}, "gale", day="2026-01-04"),
        played("e", {"Ana": 40, "Ben": 1}, day="2026-01-05", finished=False),
        mistakes=[
            Mistake("b", "zigzag.take", "p1", 1),
            Mistake("b", "zigzag.take", "p2", 7),
            Mistake("b", "zigzag.set", None, 7),
            Mistake("c", "ziggurat.turn", "p2", 3),
            Mistake("e", "zigzag.take", "p1", 4),
        ],
    )
    ana = profile(club, "ana")
    assert (ana.games, ana.unfinished, ana.contests, ana.wins, ana.streak, ana.running) == (5, 1, 3, 1.5, 2, 0)
    assert (ana.first, ana.last) == ("2026-01-01", "2026-01-05")
    assert [(row.game, row.games, row.wins, row.score, row.mistakes) for row in ana.by_game] == [
        ("gale", 1, None, 4.0, 0.0), ("ziggurat", 1, 0, 7.0, 3.0),
        ("zigzag", 1, 1, 30.0, 0.0), ("zigzag", 1, 0.5, 30.0, 1.0),
    ]  # fmt: skip
    assert ana.by_game[2].best is not None
    assert (ana.by_game[2].best.record, ana.by_game[2].best.score) == ("a", 30)
    assert [(other.name, other.before, other.level, other.behind, other.with_them) for other in ana.opponents] == [
        ("Ben", 1, 1, 1, 1), ("Cy", 1, 0, 0, 0),
    ]  # fmt: skip
    assert [(form.record, form.outcome, form.others) for form in ana.form] == [
        ("d", "together", ("Ben",)), ("c", "lost", ("Ben",)), ("b", "shared", ("Ben", "Cy")), ("a", "won", ("Ben",)),
    ]  # fmt: skip
    assert ana.mistakes == (("zigzag.take", 5), ("ziggurat.turn", 3))


def test_the_form_has_the_latest_ten_games() -> None:
    club = club_with(*(played(f"g{n:02}", {"Ana": n, "Ben": 6}) for n in range(13)))
    form = profile(club, "ana").form
    assert [game.record for game in form] == [f"g{n:02}" for n in range(12, 2, -1)]
    assert [game.outcome for game in form] == ["won"] * 6 + ["shared"] + ["lost"] * 3


@given(st.lists(st.booleans()))
def test_runs_of_wins(won: list[bool]) -> None:
    text = "".join("W" if is_win else "." for is_win in won)
    assert longest(won) == max(map(len, text.split(".")))
    assert longest_at_end(won) == len(text) - len(text.rstrip("W"))


# ── Statistics ─────────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.integers(-10_000, 10_000), min_size=1))
def test_the_bars_of_a_distribution_hold_every_value_once(values: list[int]) -> None:
    histogram = bars(Counter(values))
    assert len(histogram) <= 12
    assert sum(bar.count for bar in histogram) == len(values)
    assert all(bar.count == sum(bar.low <= value <= bar.high for value in values) for bar in histogram)
    assert all(one.high + 1 == other.low for one, other in pairwise(histogram))
    assert histogram[0].count
    assert histogram[-1].count
    summary = spread(Counter(values))
    assert summary is not None
    assert (summary.least, summary.greatest) == (min(values), max(values))
    assert (summary.median, summary.mean) == (median(values), pytest.approx(mean(values)))


@pytest.mark.parametrize(
    ("least", "greatest", "width"),
    [(0, 0, 1), (1, 11, 1), (0, 11, 1), (0, 12, 2), (0, 23, 2), (0, 24, 5), (0, 59, 5), (0, 60, 10), (0, 119, 10),
     (0, 120, 20), (11, 12, 1), (-6, 5, 1)],
)  # fmt: skip
def test_bars_are_as_narrow_as_twelve_of_them_allow(least: int, greatest: int, width: int) -> None:
    assert bars({least: 1, greatest: 1})[0].high - bars({least: 1, greatest: 1})[0].low + 1 == width


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), max_size=12))
def test_shares_of_wins_add_up_to_the_games(games: list[list[int]]) -> None:
    club = club_with(
        *(played(f"g{n}", {f"P{seat}": score for seat, score in enumerate(scores)}) for n, scores in enumerate(games))
    )
    tables = [statistics(club, "zigzag", players).seats for players in (2, 3, 4)]
    assert sum(seat.wins for table in tables for seat in table) == pytest.approx(len(games))
    assert sum(seat.fair for table in tables for seat in table) == pytest.approx(len(games))
    assert sum(seat.alone for table in tables for seat in table) == sum(
        scores.count(max(scores)) == 1 for scores in games
    )


def test_statistics_of_a_game() -> None:
    club = club_with(
        played("a", {"Ana": 30, "Ben": 20}, moves=10, hands=2),
        played("b", {"Ana": 60, "Ben": 59}, moves=30, hands=4),
        played("c", {"Ben": 90, "Ana": 7}, moves=20, mistakes=1),
        played("d", {"Ana": 99, "Ben": 0}, finished=False),
        played("e", {"Ana": 1, "Ben": 2}, "ziggurat"),
        mistakes=[
            Mistake("a", "zigzag.take", "p1", 9),
            Mistake("a", "zigzag.turn", "p1", 1),
            Mistake("c", "zigzag.turn", "p1", 1),
            Mistake("c", "zigzag.turn", "p2", 1),
            Mistake("e", "ziggurat.turn", "p2", 1),
        ],
    )
    figures = statistics(club, "zigzag")
    assert (figures.games, figures.unfinished, figures.together, figures.players) == (3, 1, False, 2)
    assert figures.scores is not None
    assert figures.moves is not None
    assert figures.hands is not None
    assert (figures.scores.count, figures.scores.least, figures.scores.greatest) == (6, 7, 90)
    assert (figures.moves.median, figures.moves.mean, figures.hands.count) == (20, 20.0, 2)
    assert [(seat.seat, seat.games, seat.wins, seat.fair) for seat in figures.seats] == [
        (1, 3, 3.0, 1.5),
        (2, 3, 0.0, 1.5),
    ]
    assert figures.rules == (("zigzag.turn", 2), ("zigzag.take", 1))
    assert [(mark.title, mark.value, mark.record) for mark in figures.marks] == [
        ("Highest score", "60", "b"), ("Lowest score that won", "30", "a"), ("Widest win", "by 10 points", "a"),
        ("Narrowest win", "by 1 point", "b"), ("Most hands", "4 hands", "b"), ("Longest game", "30 moves", "b"),
        ("Shortest game", "10 moves", "a"),
    ]  # fmt: skip


def test_only_games_of_one_kind_are_compared_and_the_most_played_comes_first() -> None:
    two, four = {"Ana": 9, "Ben": 12}, {"Ana": 1, "Ben": 2, "Cy": 3, "Dee": 500}
    club = club_with(
        played("a", two, "ziggurat", set=6),
        played("b", four, "ziggurat", set=6),
        played("c", {"Ana": 15, "Ben": 10}, "ziggurat", set=6),
        played("d", {"Ana": 400, "Ben": 90}, "ziggurat", set=12),
        played("e", {"Ana": 8, "Ben": 8}, "ziggurat", set=6),
        played("f", {"Ana": 7, "Ben": 9}, "ziggurat", set=6),
    )
    figures = statistics(club, "ziggurat")
    assert [(kind.title, kind.games) for kind in figures.kinds] == [
        ("Double 6, two players", 4), ("Double 12, two players", 1), ("Double 6, four players", 1),
    ]  # fmt: skip
    assert figures.scores is not None
    assert (figures.games, figures.scores.greatest, figures.marks[0].value) == (4, 15, "15")
    assert figures.insight == (
        "The second seat won 2 of 4 two-player double-6 games.",
        "One was shared. Of the other 3, chance gives a seat 0 to 3 in 19 of 20 clubs.",
    )
    assert [statistics(club, "ziggurat", *kind).games for kind in ((4,), (2, 12), (None, 12), (3,))] == [1, 1, 1, 0]
    by_game = profile(club, "ana").by_game
    assert [(row.players, row.set_size, row.score) for row in by_game] == [(2, 6, 9.75), (2, 12, 400), (4, 6, 1)]


def test_chance_gives_a_seat_what_nineteen_of_twenty_clubs_have() -> None:
    games = [played(f"g{n}", {"Ana": n < 21, "Ben": n >= 21}, "ziggurat", set=6) for n in range(59)]
    ties = [played(f"t{n}", {"Ana": 3, "Ben": 3}, "ziggurat", set=6) for n in range(5)]
    assert statistics(club_with(*games, *ties), "ziggurat").insight == (
        "The second seat won 38 of 64 two-player double-6 games.",
        "Five were shared. Of the other 59, chance gives a seat 22 to 37 in 19 of 20 clubs.",
    )


def test_where_the_fewest_points_win_a_low_score_is_the_better_one() -> None:
    """The games are those of a score card: nobody has rules for them that say it."""
    club = club_with(
        played("a", {"Ana": 12, "Ben": 40, "Cy": 20}, "train", low=True),
        played("b", {"Ana": 9, "Ben": 58, "Cy": 9}, "train", low=True),
        played("c", {"Ana": 33, "Ben": 31, "Cy": 70}, "train", low=True),
    )
    assert [(mark.title, mark.value, mark.record) for mark in statistics(club, "train").marks][:4] == [
        ("Lowest score", "9", "b"), ("Highest score that won", "31", "c"), ("Widest win", "by 8 points", "a"),
        ("Narrowest win", "by 2 points", "c"),
    ]  # fmt: skip
    best = {person: profile(club, person).by_game[0].best for person in ("ana", "ben")}
    assert {person: game and game.score for person, game in best.items()} == {"ana": 9, "ben": 31}


def test_house_records_have_numbers_as_every_text_has_them() -> None:
    figures = statistics(club_with(played("a", {"Ana": 1200, "Ben": 199}, moves=1400, hands=1)), "zigzag")
    assert [mark.value for mark in figures.marks] == [
        "1200", "1200", "by 1,001 points", "by 1,001 points", "1 hand", "1,400 moves", "1,400 moves",
    ]  # fmt: skip


def test_a_game_that_all_play_together_has_no_seats() -> None:
    club = club_with(played("a", {"Ana": 30, "Ben": 30}, "gale"), played("b", {"Ana": 3, "Ben": 3}, "gale"))
    figures = statistics(club, "gale")
    assert (figures.together, figures.seats) == (True, ())
    assert figures.scores is not None
    assert figures.scores.count == 2
    assert (figures.marks[0].title, figures.marks[0].value, [name for name, _key in figures.marks[0].holders]) == (
        "Fewest cheats", "3", ["Ana", "Ben"],
    )  # fmt: skip


def test_a_game_that_nobody_has_finished_has_empty_statistics() -> None:
    club = club_with(played("a", {"Ana": 30, "Ben": 3}, finished=False))
    for game in ("zigzag", "unknown"):
        figures = statistics(club, game)
        assert (figures.games, figures.scores, figures.moves, figures.seats, figures.marks) == (0, None, None, (), ())


def test_mistakes_are_counted_in_audited_games_only() -> None:
    cards = club_with(played("a", {"Ana": 3, "Ben": 5}, card=True))
    assert profile(cards, "ana").by_game[0].mistakes is None
    both = club_with(played("a", {"Ana": 3, "Ben": 5}, card=True), played("b", {"Ana": 3, "Ben": 5}))
    assert profile(both, "ana").by_game[0].mistakes == 0


# ---- The result of each player in each game, the same from every store.


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


# ---- Events and seasons: standings, schedules and ratings.


HALF = Fraction(1, 2)


def table(club: Club, by: By = "wins", name: str = "Cup") -> tuple[Place, ...]:
    result = standings(club, name, by)
    assert result is not None
    return result.places


# ── Events ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_games_with_one_event_belong_together_however_it_is_written() -> None:
    club = club_with(
        played("a", {"Ana": 1, "Ben": 2}, event="Spring  Cup", day="2026-03-01"),
        played("b", {"Ana": 1, "Cy": 2}, event="spring cup ", day="2026-03-08", finished=False),
        played("c", {"Ana": 1, "Cy": 2}, "ziggurat", event="Autumn", day="2026-10-08"),
        played("d", {"Ana": 1, "Cy": 2}, event=" "),
        played("e", {"Ana": 1, "Cy": 2}),
    )
    autumn, spring = events(club)
    assert (autumn.name, autumn.games) == ("Autumn", 1)
    assert (spring.name, spring.games, spring.unfinished, spring.people) == ("Spring Cup", 2, 1, 3)
    assert (spring.first, spring.last) == ("2026-03-01", "2026-03-08")
    assert standings(club, "SPRING cup") is not None
    assert standings(club, "Winter") is None
    assert standings(club, " ") is None


def test_standings_by_wins_break_ties_by_the_games_among_those_who_tie() -> None:
    club = club_with(
        played("1", {"Ana": 10, "Ben": 2}, event="Cup"),
        played("2", {"Ben": 90, "Cy": 2}, event="Cup"),
        played("3", {"Cy": 50, "Dot": 2}, event="Cup"),
        played("4", {"Dot": 9, "Cy": 9}, event="Cup"),
        played("5", {"Ana": 9, "Dot": 8}, event="Another"),
    )
    places = table(club)
    assert [(place.rank, place.name, place.wins, place.points, place.direct) for place in places] == [
        (1, "Cy", Fraction(3, 2), 61, None), (2, "Ana", 1, 10, 1), (3, "Ben", 1, 92, 0), (4, "Dot", HALF, 11, None),
    ]  # fmt: skip
    assert places[0].meetings["dot"] == (Fraction(3, 2), 2)
    assert places[3].meetings["cy"] == (HALF, 2)


def test_standings_by_points_add_up_the_scores() -> None:
    club = club_with(
        played("1", {"Ana": 10, "Ben": 2}, event="Cup"),
        played("2", {"Ben": 90, "Cy": 2}, event="Cup"),
        played("3", {"Cy": 50, "Ana": 42}, event="Cup"),
        played("4", {"Ana": 3, "Ben": 3}, "gale", event="Cup"),
        played("5", {"Ana": 3, "Ben": 7}, event="Cup", finished=False),
    )
    result = standings(club, "Cup", "points")
    assert result is not None
    assert [(place.rank, place.name, place.points) for place in result.places] == [
        (1, "Ben", 92),
        (2, "Cy", 52),
        (3, "Ana", 52),
    ]
    assert [place.direct for place in result.places] == [None, 1, 0]
    assert (result.total, result.games, result.unfinished, result.together) == (5, 3, 1, 1)


def test_people_who_are_equal_in_everything_share_a_rank() -> None:
    club = club_with(
        played("1", {"Ana": 5, "Ben": 2}, event="Cup"),
        played("2", {"Ben": 5, "Cy": 2}, event="Cup"),
        played("3", {"Cy": 5, "Ana": 2}, event="Cup"),
        played("4", {"Cy": 5, "Dot": 2}, event="Elsewhere"),
    )
    assert [(place.rank, place.name, place.direct) for place in table(club)] == [
        (1, "Ana", 1),
        (1, "Ben", 1),
        (1, "Cy", 1),
    ]


@given(st.lists(st.tuples(st.permutations("ABCDE"), st.lists(st.integers(0, 3), min_size=2, max_size=4)), max_size=15))
def test_wins_add_up_and_meetings_are_seen_alike_from_both_sides(games: list[tuple[list[str], list[int]]]) -> None:
    club = club_with(
        played("0", {"A": 1, "B": 1}, event="Cup"),
        *(
            played(f"g{n}", dict(zip(names, scores, strict=False)), event="Cup")
            for n, (names, scores) in enumerate(games)
        ),
    )
    for by in ("wins", "points"):
        places = table(club, by)  # type: ignore[arg-type]
        assert sum(place.wins for place in places) == len(games) + 1
        assert [place.rank for place in places] == sorted(place.rank for place in places)
        by_key = {place.key: place for place in places}
        for one, other in combinations(places, 2):
            ours, theirs = one.meetings.get(other.key, (0, 0)), by_key[other.key].meetings.get(one.key, (0, 0))
            assert (ours[1] - ours[0], ours[1]) == theirs


def test_numbers_are_written_with_their_usual_fractions() -> None:
    written = {
        Fraction(0): "0",
        Fraction(5, 2): "2½",
        HALF: "½",
        Fraction(4, 3): "1⅓",
        Fraction(7): "7",
        Fraction(6, 5): "1.20",
    }
    assert {value: in_halves(value) for value in written} == written


# ── Schedules ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", range(2, 17))
def test_in_a_round_robin_everybody_plays_everybody_once(number: int) -> None:
    names = [f"P{n}" for n in range(number)]
    rounds = pairs(names)
    assert len(rounds) == number - 1 + number % 2
    met, first = Counter[frozenset[str]](), Counter[str]()
    for round_ in rounds:
        assert sorted([*round_.out, *(name for pair in round_.tables for name in pair)]) == sorted(names)
        assert len(round_.out) == number % 2
        met.update(map(frozenset, round_.tables))
        first.update(pair[0] for pair in round_.tables)
    assert met == Counter(map(frozenset, combinations(names, 2)))
    assert len({name for round_ in rounds for name in round_.out}) == (number if number % 2 else 0)
    assert max(first[name] for name in names) - min(first[name] for name in names) <= 1


@pytest.mark.parametrize(
    ("number", "rounds", "least", "most"), [(6, 5, 1, 3), (9, 4, 1, 1), (12, 7, 1, 2), (15, 7, 1, 1)]
)
def test_at_tables_of_three_everybody_meets_everybody(number: int, rounds: int, least: int, most: int) -> None:
    names = [f"P{n}" for n in range(number)]
    plan = threes(names)
    assert len(plan) == rounds
    met, first = Counter[frozenset[str]](), Counter[str]()
    for round_ in plan:
        assert sorted(name for group in round_.tables for name in group) == sorted(names)
        assert round_.out == ()
        met.update(frozenset(pair) for group in round_.tables for pair in combinations(group, 2))
        first.update(group[0] for group in round_.tables)
    times = [met[frozenset(pair)] for pair in combinations(names, 2)]
    assert (min(times), max(times)) == (least, most)
    assert max(first.values()) - min(first[name] for name in names) <= 2


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Ana"], "for 2 to 16 people, not 1"),
        ([f"P{n}" for n in range(17)], "not 17"),
        (["Ana", "ana "], "'Ana' is there twice"),
        (["Ana", " "], "a name is blank"),
    ],
)
def test_an_impossible_plan_is_refused(names: list[str], reason: str) -> None:
    with pytest.raises(NotForNow, match=reason):
        pairs(names)


def test_tables_of_three_are_for_these_numbers_only() -> None:
    with pytest.raises(NotForNow, match="for 6, 9, 12 or 15 people, not 7"):
        threes(list("ABCDEFG"))


# ── Ratings ────────────────────────────────────────────────────────────────────────────────────────────────


def rated_games(number: int) -> list[list[tuple[Any, ...]]]:
    """Games in which Ana mostly beats Ben, and Ben mostly beats Cy; stronger players score more points."""
    random = Random(4)
    means = (("Ana", 60), ("Ben", 50), ("Cy", 40))
    return [played(f"g{n:03}", {name: round(random.gauss(mean, 6)) for name, mean in means}) for n in range(number)]


def rated(number: int) -> Club:
    """A club with these games."""
    return club_with(*rated_games(number))


def test_ratings_rank_people_by_who_beats_whom_and_get_surer() -> None:
    (few,), (many,) = ladders(rated(LEAST)), ladders(rated(80))
    assert [rating.name for rating in many.ratings] == ["Ana", "Ben", "Cy"]
    assert [rating.games for rating in many.ratings] == [80] * 3
    assert all(one.off < other.off for one, other in zip(many.ratings, few.ratings, strict=True))
    assert (many.game, many.games, many.waiting) == ("zigzag", 80, 0)
    assert ladders(rated(80)) == [many]


@given(st.lists(st.tuples(st.permutations("ABCDE"), st.lists(st.integers(0, 3), min_size=2, max_size=5)), max_size=30))
def test_ratings_are_to_the_bit_what_openskill_says_by_ranks(games: list[tuple[list[str], list[int]]]) -> None:
    ranked = [dict(zip(names, scores, strict=False)) for names, scores in games]
    # Everybody has enough games to be shown.
    ranked += [{name: place for place, name in enumerate("ABCDE")} for _ in range(LEAST)]
    (ladder,) = ladders(club_with(*(played(f"g{n:02}", scores) for n, scores in enumerate(ranked))))
    model = BradleyTerryFull()
    expected = {name: model.rating() for name in "ABCDE"}
    for scores in ranked:
        ranks: list[float] = [1 + sum(other > score for other in scores.values()) for score in scores.values()]
        rated = model.rate([[expected[name]] for name in scores], ranks=ranks)
        expected |= {name: team[0] for name, team in zip(scores, rated, strict=True)}
    assert {one.name: (one.value, one.off) for one in ladder.ratings} == {
        name: (rating.mu, SURE * rating.sigma) for name, rating in expected.items()
    }


@pytest.mark.parametrize(
    "ranks",
    [
        "113", "1134", "11345", "11145", "12245", "12344", "11335", "11115", "113456", "111456", "113356", "123444",
        "11345678",
    ],
)  # fmt: skip
def test_nobody_is_rated_behind_people_who_always_came_after(ranks: str) -> None:
    scores = {f"P{seat}": -int(rank) for seat, rank in enumerate(ranks)}
    (ladder,) = ladders(club_with(*(played(f"g{n:02}", scores) for n in range(LEAST + 1))))
    assert {one.name: one.rank for one in ladder.ratings} == {f"P{seat}": int(rank) for seat, rank in enumerate(ranks)}


def test_a_rating_is_shown_after_ten_games() -> None:
    (ladder,) = ladders(rated(LEAST - 1))
    assert (ladder.ratings, ladder.waiting, ladder.games) == ((), 3, LEAST - 1)


@pytest.mark.parametrize(
    "results",
    [
        played("a", {"Ana": 1, "Ben": 2}, mistakes=1),
        played("a", {"Ana": 1, "Ben": 2}, finished=False),
        played("a", {"Ana": 1}),
        played("a", {"Ana": 1, "Ben": 1}, "gale"),
        played("a", {"Ana": 1, "": 2}),
        played("a", {"Ana": 1, "ANA": 2}),
    ],
    ids=["mistake", "unfinished", "alone", "together", "nameless", "twice"],
)
def test_only_a_finished_clean_game_among_known_people_is_rated(results: list[tuple[Any, ...]]) -> None:
    assert ladders(club_with(results)) == []
    (ladder,) = ladders(club_with(results, played("b", {"Ana": 1, "Ben": 2})))
    assert ladder.games == 1


def test_a_cooperative_game_has_a_mean_of_cheats_instead_of_ratings() -> None:
    games = [played(f"g{n}", {"Ana": n, "Ben": n}, "gale") for n in range(LEAST)]
    alone = [played(f"a{n}", {"Cy": 4}, "gale") for n in range(LEAST)]
    club = club_with(*games, *alone, played("x", {"Dot": 0}, "gale"), played("y", {"Ana": 99}, "gale", mistakes=1))
    assert mean_cheats(club, "gale") == [
        ("Cy", "cy", 4.0, LEAST), ("Ana", "ana", 4.5, LEAST), ("Ben", "ben", 4.5, LEAST),
    ]  # fmt: skip


def test_no_plan_is_made_for_a_game_of_other_numbers(monkeypatch) -> None:
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (4,))
    with pytest.raises(NotForNow, match=r"^Zigzag is for .*: there is no plan for it$"):
        plan(["Ana", "Ben", "Cy", "Dora"], "zigzag")
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (2, 3))
    assert plan(list("ABCD"), "zigzag") == plan(list("ABCD"), None) == pairs(list("ABCD"))
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (3, 4))
    assert plan(list("ABCDEFGHI"), "zigzag") == threes(list("ABCDEFGHI"))


# ---- Points that the owner adds to a player in an event: listed, counted, taken back, and erased with the name.


ADD = ("standings", "cup", "--adjust")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, status: int = 0) -> str:
        code, stdout, stderr = outcome_of("--ledger", "l.sqlite", *arguments)
        assert code == status, stderr
        return stdout + stderr

    command("card", "Block", "Ana=7", "Ben=5", "--event", "Cup", "--played", "2026-01-01")
    command("card", "Block", "Cy=7", "Ben=5", "--event", "Other", "--played", "2026-01-01")
    return command


def points(run) -> dict[str, tuple[int, int, int]]:
    places = map(json.loads, run("standings", "Cup", "--json").splitlines())
    return {place["name"]: (place["rank"], place["games"], place["points"]) for place in places}


def test_an_adjustment_counts_in_its_event_is_listed_and_can_be_withdrawn(run) -> None:
    before = run("standings", "Cup")
    said = run(*ADD, "ana=-3", "--why", "came late")
    assert "adjustment 1: Ana -3, came late (20 Nov 2026)" in said
    assert points(run) == {"Ana": (1, 1, 4), "Ben": (2, 1, 5)}
    assert "Ben     1" in run("standings", "Cup", "--rank", "points")
    run(*ADD, "Cy=100", "--why", "a walk-over")
    assert points(run)["Cy"] == (2, 0, 100)
    assert "adjustment" not in run("standings", "Other")
    assert "adjustment 2: Cy +100" in run("standings", "Cup", "--withdraw", "1")
    run("standings", "Cup", "--withdraw", "2")
    assert run("standings", "Cup") == before
    assert "there is no adjustment 2" in run("standings", "Cup", "--withdraw", "2", status=2)


def test_an_adjustment_follows_its_person(run) -> None:
    run(*ADD, "Ana=1", "--why", "a bye")
    run("players", "rename", "Ana", "Anna")
    assert points(run)["Anna"] == (1, 1, 8)
    run("players", "merge", "Anna", "Cy")
    assert points(run)["Cy"] == (1, 1, 8)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("standings", "cup", "--adjust", "Dot=1", "--why", "x"), "nobody called 'Dot' has played here"),
        (("standings", "nothing", "--adjust", "Ana=1", "--why", "x"), "no game names an event 'nothing'"),
        (("standings", "cup", "--adjust", "Ana=1"), "say how many points, and why"),
        (("standings", "cup", "--adjust", "Ana=0", "--why", "x"), "say how many points, and why"),
        (("standings", "cup", "--adjust", "Ana", "--why", "x"), "write --adjust NAME=POINTS"),
        (("standings", "--adjust", "Ana=1", "--why", "x"), "name the event"),
    ],
)
def test_what_cannot_be_added_is_refused(run, arguments: tuple[str, ...], reason: str) -> None:
    assert reason in run(*arguments, status=2)


def test_adjustments_are_copied_and_erased_with_the_name(run) -> None:
    run(*ADD, "Ana=1", "--why", "a bye")
    run(*ADD, "Ben=1", "--why", "Ana was late")
    run("copy", "copy.sqlite")
    code, copied, _ = outcome_of("--ledger", "copy.sqlite", "standings", "cup")
    assert (code, copied) == (0, run("standings", "cup"))
    assert "adjustments: 2 deleted" in run("forget", "Ana", "--yes")
    assert "adjustment" not in run("standings", "cup")
    run("verify")


# ---- Aliases: kept with the events in every store, checked by `verify`, copied, and erased on request.


SEATED = tuple(Player(id=f"p{n}", name=name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1))
ANNIE, ANI = Alias("Annie", "Ana"), Alias("Ani", "Ana")


@pytest.fixture
def address(tmp_path) -> str:
    """The file of a new ledger."""
    return str(tmp_path / "club.sqlite")


@pytest.fixture
def ledger(address: str) -> Iterator[SqliteStore]:
    """A ledger with one game."""
    with open_ledger(address) as store:
        store.append("game", 0, [Open("zigzag", players=SEATED)])
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


def test_a_copy_has_the_aliases_of_its_source(ledger: SqliteStore, tmp_path) -> None:
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


def test_forget_erases_aliases_and_leaves_no_byte_of_them(tmp_path) -> None:
    path = tmp_path / "club.sqlite"
    with open_ledger(str(path)) as store:
        store.append("game", 0, [Open("zigzag", players=SEATED)])
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
def test_who_has_two_names_is_one_person_in_the_list_and_in_sql(tmp_path, merged: bool) -> None:
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
