"""Events in words: one sentence each, with the names of the players and the squares."""

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.audit.reports import markdown, step_lines, text
from ledger.audit.review import Review, game_over, sheet
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record import events as e
from ledger.record.event_words import Phrase, change_in_words, in_words
from ledger.record.events import AnyEvent
from ledger.record.record import Change, Record
from ledger.record.squares import Squares
from ledger.record.tiles import named
from ledger.record.words import day, format_value, moment, number, plural
from ledger.rules.game import Standing
from sheets import review

ARABIC, HEBREW = "محمد", "יוסף"
NAMES = {"ana": "Ana", "ben": "Ben", "cy": "Cy"}
TILE = named("5-1")


def play(**more: object) -> e.Place:
    return e.Place(player="ana", tile=named("9-1"), at=(0, -1), dir="e", level=7, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (e.Open(game="domino-ziggurat", edition="2", players=(e.Player(id="ana", name="Ana"), e.Player(id="b"))),
         "A new game of Domino Ziggurat, edition 2: Ana and b"),
        (e.Deal(player="ana", tiles=(TILE,)), "Ana holds 5-1"),
        (e.Deal(player="ana", tiles=(TILE,), partial=True), "Ana holds 5-1 and others"),
        (e.Deal(player="ana", tiles=()), "Ana holds no tiles"),
        (e.Aside(tiles=(TILE,)), "Out of the game: 5-1"),
        (e.Aside(tiles=(TILE,), player="ana"), "Ana sets aside 5-1"),
        (e.Layout(player="ana", tiles=(TILE, named("0-0"))), "Ana lays out 5-1, 0-0"),
        (e.Draw(player="ana", tile=TILE), "Ana draws 5-1"),
        (e.Bid(player="ana", bid=12), "Ana bids 12"),
        (e.Pass(player="ana"), "Ana passes"),
        (e.Rank(player="ana", high=6, direction="reverse"), "Ana names 6 as the highest number, in reverse order"),
        (e.Over(player="ana", tile=TILE), "Ana takes the tile over, 5-1"),
        (play(points=0), "Ana plays 9-1 on level 7, b2-c2 · no points"),
        (play(points=1), "Ana plays 9-1 on level 7, b2-c2 · 1 point"),
        (play(), "Ana plays 9-1 on level 7, b2-c2"),
        (e.Lift(player="ana", tile=TILE), "Ana lifts 5-1"),
        (e.Stack(player="ana", tile=TILE, stack=4), "Ana plays 5-1 on stack 4"),
        (e.Play(player="ana", tile=TILE), "Ana plays 5-1"),
        (e.Play(player="ana", tile=TILE, end="left"), "Ana plays 5-1 on the left end"),
        (e.Take(player="cy", tiles=1), "Cy takes 1 tile (as called)"),
        (e.Take(player="cy", tiles=6, points=9), "Cy takes 6 tiles worth 9 points (as called)"),
        (e.Score(scope="game", points={"ana": 45, "ben": 54}), "Scores as called: Ana 45, Ben 54"),
        (e.Score(scope="hand", points={"ana": 45}), "Points of the hand as called: Ana 45"),
        (e.Cheats(count=3), "Cheats as called: 3"),
        (e.Result(winners=("ana",)), "Result as called: Ana won"),
        (e.Result(winners=("ana", "ben", "cy"), title="Master"),
         "Result as called: Ana, Ben and Cy won and earned the title Master"),
        (e.Result(winners=()), "Result as called: nobody won"),
        (e.Note(text="the cat\x1b", about=7), "Note on move 7: the cat␛"),
        (e.Close(why="finished"), "Game over"),
        (e.Close(why="abandoned"), "Game left unfinished"),
        (e.Confirm(player="ana", head="9f2c"), "Ana agrees to the record"),
        (e.Retract(seq=3, why="tapped twice"), "Move 3 deleted (tapped twice)"),
        (e.Amend(seq=2, event=play(), why="a slip"), "Move 2 changed: Ana plays 9-1 on level 7, b2-c2 (a slip)"),
        (e.Void(why="a test"), "Set aside by the owner of the ledger (a test)"),
        (e.Void(why="", undo=True), "Brought back"),
        (e.Insert(before=2, event=e.Pass(player="ben"), why=""), "Inserted before move 2: Ben passes"),
    ],
)  # fmt: skip
def test_an_event_is_a_sentence(event: AnyEvent, sentence: str) -> None:
    assert in_words(event, NAMES, Squares(-1, 0)) == sentence


def test_every_type_of_event_has_a_sentence() -> None:
    table = test_an_event_is_a_sentence.pytestmark[0].args[1]  # type: ignore[attr-defined]  # the table above
    assert {type(event) for event, _sentence in table} == set(e.EVENTS)


def test_without_names_of_squares_a_placement_says_its_level() -> None:
    assert in_words(play()) == "ana plays 9-1 on level 7"


@pytest.mark.parametrize(
    ("standing", "sentence"),
    [
        (Standing(True, (118, 137), (1,)), "Game over. Ben wins 137 : 118"),
        (Standing(True, (5, 7, 9), (2,)), "Game over. Cy wins: Cy 9, Ben 7, Ana 5"),
        (Standing(True, (9, 7, 9), (0, 2)), "Game over. Ana and Cy win: Ana 9, Cy 9, Ben 7"),
        (Standing(True, (2, 2), (0, 1), "Reputable Architect"), "Game over. Ana and Ben win: Reputable Architect"),
        (Standing(True, (2, 2, 2), (0, 1, 2), "Reputable Architect"), "Game over. All 3 win: Reputable Architect"),
        (Standing(False, (2, 3)), "Closed as finished, but the game is not over"),
    ],
)
def test_the_end_says_who_won(standing: Standing, sentence: str) -> None:
    assert game_over(standing, ("Ana", "Ben", "Cy")[: len(standing.scores)]) == sentence


def test_a_step_comes_in_parts() -> None:
    game_review = review(
        "Game: ziggurat\nPlayers: A Ana, B Ben\nOptions: first = A\n\n"
        "B has 2-5 ...\nA 1-2 a4-b4 =0\ntotal: A 0\nend abandoned\n"
    )
    assert [game_review.phrase(place) for place in range(5)] == [
        Phrase(0, None, None, "", "A new game of Ziggurat: Ana and Ben", "A new game of Ziggurat: Ana and Ben"),
        Phrase(1, 1, None, "", "holds 1 tile or more", "Ben holds 2-5 and others"),
        Phrase(2, 0, named("1-2"), "level 1, a4-b4", "", "Ana plays 1-2 on level 1, a4-b4 · no points"),
        Phrase(3, None, None, "", "Scores as called: Ana 0", "Scores as called: Ana 0"),
        Phrase(4, None, None, "", "Game left unfinished", "Game left unfinished"),
    ]


@pytest.mark.parametrize(
    ("line", "place", "act"),
    [("A draws 3-3", "", "draws"), ("A lays 0-1 2-3", "", "lays out 2 tiles"), ("A 5-3 on 4", "on stack 4", "")],
)
def test_the_parts_of_a_step_in_build_up(line: str, place: str, act: str) -> None:
    phrase = review(f"Game: build-up\nPlayers: A Ana, B Ben\n\n{line}\n").phrase(1)
    assert (phrase.seat, phrase.place, phrase.act) == (0, place, act)


def heading(**fields: Any) -> e.Open:
    return e.Open(game="zigzag", players=(e.Player(id="ana", name="Ana"),), **fields)


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        (play(points=0), play(points=3), "Ana's 9-1 on level 7, b2-c2: no points → 3 points"),
        (play(points=None), play(points=1), "Ana's 9-1 on level 7, b2-c2: points not called → 1 point"),
        (play(points=3), play(points=0), "Ana's 9-1 on level 7, b2-c2: 3 points → no points"),
        (play(points=3), e.Pass(player="ana"), "Ana's 9-1 on level 7, b2-c2 was changed to “Ana passes”"),
        (play(points=3), play(points=3), "Ana's 9-1 on level 7, b2-c2 was recorded again, unchanged"),
        (play(points=3), None, "Ana's 9-1 on level 7, b2-c2 was taken out"),
        (None, play(points=3), "Ana's 9-1 on level 7, b2-c2 was put in as move 4"),
        (
            e.Open(game="zigzag", options={"target": 100}, place="Kiel", players=(e.Player(id="ana", name="Ana"),)),
            e.Open(game="zigzag", options={"target": 50}, place="Ulm", players=(e.Player(id="ana", name="Ana"),)),
            "“A new game of Zigzag: Ana”: target 100 → 50, place Kiel → Ulm",
        ),
        *(
            (heading(**was), heading(**now), f"“A new game of Zigzag: Ana”: {difference}")
            for was, now, difference in [
                ({}, {"options": {"hands": (6, 6, 4)}}, "hands usual → 6, 6, 4"),
                ({"options": {"hands": None}}, {"options": {"hands": 4}}, "hands none → 4"),
                ({"options": {"rankings": True}}, {"options": {"rankings": False}}, "rankings true → false"),
                ({"options": {"first_bidder": "ana"}}, {"options": {"first_bidder": None}}, "first_bidder Ana → none"),
                ({"played": "2026-11-20"}, {"played": "2026-11-21"}, "played 20 Nov 2026 → 21 Nov 2026"),
                ({"place": HEBREW}, {}, f"place \u2068{HEBREW}\u2069 → none"),
            ]
        ),
    ],
)
def test_a_correction_says_what_differs(was: AnyEvent | None, now: AnyEvent | None, sentence: str) -> None:
    change = Change(9, e.Retract(4, "a slip"), 4, was, now)
    assert change_in_words(change, NAMES, Squares(-1, 0), 4) == sentence


KEPT_APART = re.compile("\u2068[^\u2068\u2069]+\u2069")


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat", "build-up", "zigzag"])
def test_a_name_from_right_to_left_is_kept_apart_in_every_sentence(game: str) -> None:
    record = simulate(catalog.find(game), 2)
    names = (ARABIC, HEBREW, f"{ARABIC} 7", "Ana")
    players = tuple(replace(p, name=name) for p, name in zip(record.opening.players, names, strict=False))
    reviewed = Review(Record((replace(record.opening, players=players), *record.events[1:])))
    lines = [
        *text(reviewed),
        *markdown(reviewed).split("\n"),
        *step_lines(reviewed),
    ]
    lines += [reviewed.named(f"{player} 12") for player in reviewed.opening.players]
    lines += [reviewed.phrase(place).sentence for place in range(len(reviewed.steps))]
    apart = [line for line in lines if ARABIC in line or HEBREW in line]
    assert len(apart) > 20
    assert [line for line in apart if ARABIC in KEPT_APART.sub("", line) or HEBREW in KEPT_APART.sub("", line)] == []
    assert all("U+2068" not in line for line in lines)
    machine = codec.encode(reviewed.record) + sheet(reviewed.record).encode() + msgspec.json.encode(reviewed.report)
    assert "\u2068".encode() not in machine


@pytest.mark.parametrize("name", ["Ana", "José", "王", "Ana\u2068", "\u2069Ana", f"\u2068{ARABIC}\u2069 {HEBREW}"])
def test_only_a_name_from_right_to_left_gets_marks_and_nobody_can_type_them(name: str) -> None:
    reviewed = review(f"Game: zigzag\nPlayers: A {name}, B Ben, C Cy\nOptions: first_bidder = A\n\nA bids 12\n")
    inner = reviewed.names["A"] if "A" in reviewed.names else next(iter(reviewed.names.values()))
    has_marks = ARABIC in name
    assert inner.count("\u2068") == inner.count("\u2069") == int(has_marks)
    assert reviewed.opening.names[0].count("\u2068") == 0
    assert ("⟨U+206" in inner) == ("\u2068" in name or "\u2069" in name)


def test_a_time_is_a_day_and_the_time_of_day_and_another_text_stays() -> None:
    assert re.fullmatch(r"(19|20|21) Nov 2026, \d\d:\d\d", moment("2026-11-20T12:00:00Z"))
    assert [moment("soon"), moment(""), moment("0001-01-01T00:00:00Z")[:4] in ("1 Ja", "31 D", "0001")] == [
        "soon",
        "",
        True,
    ]
    assert (day("2026-11-02"), day("soon")) == ("2 Nov 2026", "soon")


def test_values_and_numbers_are_said_as_people_say_them() -> None:
    values = (None, True, False, 12, "equal", [1, 2], (3,), ())
    assert [*map(format_value, values)] == ["none", "true", "false", "12", "equal", "1, 2", "3", ""]
    assert [number(count) for count in (0, 1, 2, 12, 13)] == ["no", "one", "two", "twelve", "13"]
    assert [plural(count, "tile") for count in (0, 1, 3, 1200)] == ["0 tiles", "1 tile", "3 tiles", "1,200 tiles"]
    assert plural(2, "finding follows", "findings follow") == "2 findings follow"
