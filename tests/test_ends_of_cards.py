"""What a score card says of its end: points, winners, places, teams, or some of them, everywhere the same."""

import json
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from ledger import notation
from ledger.audit.review import Review
from ledger.club.load import club_of, club_of_reviews
from ledger.club.people import everybody
from ledger.club.profile import profile
from ledger.club.ratings import LEAST, ladders
from ledger.club.result_exports import bg_stats
from ledger.club.standings import standings
from ledger.keep.recorder import Recorder, players_for
from ledger.keep.stored_audits import audit_anew
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Cheats, Close, Open, Result, Score, Source
from ledger.record.record import Record
from temporary import TemporaryStore

FOUR = ("Ana", "Ben", "Cy", "Dee")
PAIRS = (("p1", "p3"), ("p2", "p4"))


def card(*claims: Any, names: tuple[str, ...] = ("Ana", "Ben"), game: str = "Block", **opening: Any) -> Record:
    opened = Open(game, players=players_for(names), card=True, event="Cup", **opening)
    return codec.check_whole((opened, *claims, Close("finished")))


def points(*numbers: int | None) -> Score:
    return Score("game", {f"p{seat}": number for seat, number in enumerate(numbers, 1) if number is not None})


CASES = {
    "points": (card(points(51, 44)), ("p1",), [51, 44], [1, 2]),
    "the fewest points": (card(points(51, 44), lowest=True), ("p2",), [51, 44], [2, 1]),
    "winners against the points": (card(points(51, 44), Result(("p2",))), ("p2",), [51, 44], [2, 1]),
    "winners alone": (card(Result(("p2",))), ("p2",), [None, None], [2, 1]),
    "nobody": (card(points(51, 44), Result(())), (), [51, 44], [None, None]),
    "nobody, without points": (card(Result(())), (), [None, None], [None, None]),
    "not said": (card(points(51, None)), None, [51, None], [None, None]),
    "some points and a winner": (card(points(51, None), Result(("p1",))), ("p1",), [51, None], [1, 2]),
    "places": (card(Result(("p2",), ranks={"p2": 1, "p1": 2})), ("p2",), [None, None], [2, 1]),
    "teams": (card(points(9, 5, 3, 4), names=FOUR, teams=PAIRS), ("p1", "p3"), [9, 5, 3, 4], [1, 3, 1, 3]),
    "teams that wrote the sum for each": (
        card(points(7, 8, 7, 8), names=FOUR, teams=PAIRS), ("p2", "p4"), [7, 8, 7, 8], [3, 1, 3, 1],
    ),
    "one of the team is named": (
        card(Result(("p4",)), names=FOUR, teams=PAIRS), ("p2", "p4"), [None] * 4, [3, 1, 3, 1],
    ),
    "all together, lost": (card(Result(()), teams=(("p1", "p2"),)), (), [None, None], [None, None]),
    "all together, won": (card(Result(("p1", "p2")), teams=(("p1", "p2"),)), ("p1", "p2"), [None, None], [1, 1]),
    "cheats": (card(Cheats(3), game="domino-ziggurat"), ("p1", "p2"), [3, 3], [1, 1]),
}  # fmt: skip


@pytest.mark.parametrize(("record", "winners", "scores", "ranks"), CASES.values(), ids=CASES)
def test_the_report_the_list_and_the_tables_say_the_same(
    record: Record, winners: tuple[str, ...] | None, scores: list[int | None], ranks: list[int | None]
) -> None:
    report = Review(record).report
    assert (report.winners, [*report.scores.values()], report.finished) == (winners, scores, True)
    (game,) = club_of_reviews([Review(record)]).games()
    assert [seat.score for seat in game.seats] == scores
    assert [seat.rank for seat in game.seats] == ranks
    assert game.decided is (winners is not None)
    with TemporaryStore() as store:
        Recorder(store).import_record(record, "card")
        audit_anew(store)
        assert club_of(store).games()[0]._replace(record="") == game._replace(record="")


@pytest.mark.parametrize("record", [case[0] for case in CASES.values()], ids=CASES)
def test_a_card_goes_through_its_sheet_and_its_json(record: Record) -> None:
    assert notation.read(notation.write(record)) == record
    assert codec.decode_foreign(codec.encode(record)) == record


def test_a_source_goes_through_its_sheet() -> None:
    record = card(Result(()), source=Source(from_="bgstats", id="a b  c"))
    assert notation.read(notation.write(record)) == record


@pytest.mark.parametrize(
    ("opening", "reason"),
    [
        (Open("x", players=players_for(FOUR), teams=PAIRS), "only a score card has `teams`"),
        (Open("x", players=players_for(FOUR), card=True, teams=(("p1", "p9"),)), "no player is called 'p9'"),
        (Open("x", players=players_for(FOUR), card=True, teams=(("p1",), ("p1",))), "'p1' is twice in the teams"),
        (Open("x", players=players_for(FOUR), lowest=True), "only a score card has `lowest`"),
    ],
)
def test_what_cannot_be_is_refused(opening: Open, reason: str) -> None:
    with pytest.raises(NotARecord, match=reason):
        codec.check([opening])


def test_the_end_is_told_in_words() -> None:
    endings = {name: Review(record).words(-1).partition(". Only")[0] for name, (record, *_rest) in CASES.items()}
    assert endings["nobody"].replace("\u2068", "").replace("\u2069", "") == "Game over. Nobody won: Ana 51, Ben 44"
    assert endings["not said"].endswith("It is not known who won: Ana 51, Ben –")
    assert endings["winners alone"].endswith("Ben wins")
    assert endings["some points and a winner"].endswith("Ana wins 51 : –")


def club_with_cards(*records: Record) -> Any:
    return club_of_reviews([Review(record, str(number)) for number, record in enumerate(records)])


def test_a_team_wins_as_one_in_standings_and_everywhere() -> None:
    club = club_with_cards(CASES["teams"][0], CASES["not said"][0], CASES["all together, won"][0])
    ranking = standings(club, "cup")
    assert ranking is not None
    assert [(place.name, place.games, place.wins) for place in ranking.places] == [
        ("Ana", 1, 1), ("Cy", 1, 1), ("Ben", 1, 0), ("Dee", 1, 0),
    ]  # fmt: skip
    assert ranking.undecided == 1
    assert "cy" not in ranking.places[0].meetings
    assert {person.name: (person.contests, person.wins) for person in everybody(club)} == {
        "Ana": (1, 1.0), "Ben": (1, 0.0), "Cy": (1, 1.0), "Dee": (1, 0.0),
    }  # fmt: skip
    ana = profile(club, "ana")
    assert (ana.games, ana.contests, ana.wins) == (3, 1, 1.0)
    assert [(other.name, other.before, other.with_them) for other in ana.opponents] == [
        ("Ben", 1, 2), ("Cy", 0, 1), ("Dee", 1, 0),
    ]  # fmt: skip
    assert [form.outcome for form in ana.form] == ["together", "unknown", "won"]


def test_a_link_to_bg_stats_names_the_teams_and_comes_back() -> None:
    for case, teams in (("teams", ["1", "2", "1", "2"]), ("all together, won", [None] * 4), ("nobody", [None] * 2)):
        opening, *rest = CASES[case][0].events
        record = Record((replace(opening, played="2026-05-02"), *rest))
        link = json.loads(unquote(bg_stats(Review(record, case)).partition("?data=")[2]))
        assert [seat.get("team") for seat in link["players"]] == teams[: len(link["players"])], case


def test_teams_are_rated_and_what_nobody_said_is_not() -> None:
    won = [CASES["teams"][0]] * LEAST
    (ladder,) = ladders(club_with_cards(*won, CASES["not said"][0], CASES["nobody"][0]))
    assert ladder.games == LEAST
    assert [(rating.name, rating.rank) for rating in ladder.ratings] == [("Ana", 1), ("Cy", 1), ("Ben", 3), ("Dee", 3)]
