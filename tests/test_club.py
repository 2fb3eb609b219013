"""The people of a club, the pages of its players, and the statistics of its games."""

import unicodedata
from collections import Counter
from itertools import pairwise
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs import Mistake, club_with, played
from ledger.club.people import Person, everybody, merge, split
from ledger.club.profile import longest, longest_at_end, profile
from ledger.club.statistics import bars, spread, statistics
from ledger.keep.recorder import folded
from ledger.record.errors import NotForNow
from ledger.stores.beside import Alias

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
