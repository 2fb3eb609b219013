"""Events and seasons: standings, schedules and ratings."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from clubs import club_with, played
from ledger.club.people import Club
from ledger.club.ratings import LEAST, SURE, ladders, mean_cheats
from ledger.club.schedule import pairs, plan, threes
from ledger.club.standings import By, Place, events, in_halves, standings
from ledger.games import catalog
from ledger.record.errors import NotForNow

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


def test_no_plan_is_made_for_a_game_of_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (4,))
    with pytest.raises(NotForNow, match=r"^Zigzag is for .*: there is no plan for it$"):
        plan(["Ana", "Ben", "Cy", "Dora"], "zigzag")
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (2, 3))
    assert plan(list("ABCD"), "zigzag") == plan(list("ABCD"), None) == pairs(list("ABCD"))
    monkeypatch.setattr(catalog, "player_counts", lambda _game: (3, 4))
    assert plan(list("ABCDEFGHI"), "zigzag") == threes(list("ABCDEFGHI"))
