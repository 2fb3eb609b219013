"""Events in words: one sentence each, with the names of the players and the squares."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from golden import CASES, name_of, review_of
from ledger import notation
from ledger.audit.reports import markdown, step_lines, text
from ledger.audit.review import Review, game_over, sheet
from ledger.cli.text_drawing import draw
from ledger.games import catalog
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record import events as e
from ledger.record.event_words import Phrase, change_in_words, in_words
from ledger.record.events import AnyEvent, Close, Place
from ledger.record.record import Change, Record
from ledger.record.scene import Grid, Scene, hand_title
from ledger.record.squares import USUAL, Squares, squares_of
from ledger.record.tiles import named
from ledger.record.visible import cells, unbroken
from ledger.record.words import day, format_value, moment, number, plural
from ledger.rules.game import Standing
from sheets import review
from viewer.pictures.film import film
from viewer.pictures.things import Floor

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


# ---- Names of squares: the same for a square at every step, wherever it is shown.


POSITIVE = re.compile("[a-z]+|[1-9][0-9]*|[a-z]+[1-9][0-9]*-[a-z]+[1-9][0-9]*")
FAR = st.integers(-1000, 1000)


def test_columns_are_letters_from_the_left_and_rows_numbers_from_the_bottom() -> None:
    squares = Squares(-1, 3)
    assert [squares.column(x) for x in (-1, 0, 24, 25, 50, 51)] == ["a", "b", "z", "aa", "az", "ba"]
    assert [squares.row(y) for y in (3, 2, -6)] == ["1", "2", "10"]
    assert squares.of_place(e.Place("a", named("5-1"), (0, 2), "e", 1)) == "b2-c2"


def test_a_square_outside_has_a_name_too() -> None:
    assert (USUAL.name((-1, 6)), USUAL.name((-27, 7))) == ("-a0", "-aa-1")


@given(FAR, FAR, FAR, FAR)
def test_a_name_leads_back_to_its_square(left: int, bottom: int, x: int, y: int) -> None:
    squares = Squares(left, bottom)
    assert squares.find(squares.name((x, y)).upper()) == (x, y)


@pytest.mark.parametrize("text", ["", "b", "2", "2b", "b2c", "é2", "b²"])
def test_any_other_text_is_no_square(text: str) -> None:
    assert USUAL.find(text) is None


GAME = "Game: {}\nPlayers: A Ana, B Ben\nOptions: {}\n\n"


def names_while_it_grows(record: Record) -> set[Squares]:
    """Its names at its first and its last lengths, and at every seventh between."""
    end = len(record.events)
    lengths = {*range(1, 9), *range(9, end, 7), *range(end - 2, end + 1)}
    return {Review(Record(record.events[:length])).squares for length in lengths}


def test_squares_that_are_fixed_beforehand_are_counted_from_their_corner() -> None:
    assert review(GAME.format("ziggurat", "window = drawn")).squares == Squares(0, 3)
    assert review("Game: domino-ziggurat\nEdition: 2\nPlayers: A Ana, B Ben\n").squares == USUAL
    assert squares_of(()) == USUAL


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat"])
@pytest.mark.parametrize("seed", range(3))
def test_a_square_has_the_same_name_before_the_first_tile_and_after_the_last(game: str, seed: int) -> None:
    record = simulate(catalog.find(game), seed)
    assert isinstance(record.events[-1], Close)
    assert names_while_it_grows(record) == {USUAL}


@pytest.mark.parametrize("x", [-4, -3, -1, 0, 4])
@pytest.mark.parametrize("y", [-2, 0, 3, 4])
def test_a_game_that_begins_elsewhere_keeps_its_names_from_its_first_tile_to_its_close(x: int, y: int) -> None:
    record = simulate(catalog.find("ziggurat"), 1)
    there = tuple(
        replace(event, at=(event.at[0] + x, event.at[1] + y), when="2026-11-20T20:00:00Z")
        if isinstance(event, Place)
        else event
        for event in record.events
    )
    first = next(place for place, event in enumerate(there) if isinstance(event, Place))
    names = {Review(Record(there[:length])).squares for length in range(first + 1, len(there) + 1)}
    assert names == {Squares(x, 5 + y)}


@pytest.mark.parametrize("end", ["", "end abandoned\n"])
def test_a_game_typed_from_paper_keeps_the_names_of_the_paper(end: str) -> None:
    typed = review(GAME.format("ziggurat", "first = A") + "A 1-2 b1-c1\nB 2-5 d1-d2\n" + end)
    assert (typed.squares, typed.words(1)) == (USUAL, "Ana plays 1-2 on level 1, b1-c1")
    assert "Squares:" not in notation.write(typed.record, squares=typed.squares)


def test_a_tile_left_of_the_paper_moves_the_names() -> None:
    sheet = GAME.format("ziggurat", "first = A") + "A 1-2 a1-b1\nA 1-2 -a1--b1\n"
    assert review(sheet).squares == Squares(-3, 8)


def test_corrections_do_not_change_the_names() -> None:
    floating = GAME.format("ziggurat", "first = A")
    for rows in ("A 1-2 d4-e4\nB 2-5 f4-f3\nretract 2 because I misread it\n", "A 1-2 d4-e4\namend 1: A 1-2 d4-d3\n"):
        assert names_while_it_grows(review(floating + rows).record) == {USUAL}


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "A 1-2 a1-b1\n",
        "A 1-2 b2-a2\n",
        "A 1-2 z20-z21\n",
        "A 1-2 c3-d3\nretract 1 because it was not there\nA 1-2 c3-c2\n",
        "A 1-2 c3-d3\namend 1: A 1-2 -h-9--h-8\nB 2-5 c3-c2\n",
        "A 1-2 c3-d3\nB 2-5 f0-f-1\n",
        "A 1-2 c-1-c0\nB 2-5 d0-d-1\n",
        "A 1-2 z20-z21 L2\nB 2-5 f1-f2\n",
    ],
)
@pytest.mark.parametrize("end", ["", "end abandoned\n"])
@pytest.mark.parametrize("options", ["first = A", "window = drawn"])
@pytest.mark.parametrize("when", [None, "2026-11-20T20:00:00Z"])
def test_every_square_that_can_be_shown_has_a_letter_and_a_positive_number(
    sheet: str, end: str, options: str, when: str | None
) -> None:
    events = review(GAME.format("ziggurat", options) + sheet + end).record.events
    reviewed = Review(Record((replace(events[0], when=when), *events[1:])))
    names = [reviewed.phrase(place).place.partition(", ")[2] for place in range(len(reviewed.steps))]
    floors = [thing for thing in film(reviewed).things if isinstance(thing, Floor)]
    names += [name for floor in floors for name in (*floor.columns, *floor.rows)]
    for place in range(len(reviewed.steps)):
        drawn = draw(reviewed.scene(place), squares=reviewed.squares)
        names += re.findall(r"(?m)^ *(-?[0-9]+) ", drawn) + re.findall(r"(?<= )-[a-z]+(?= )", drawn)
    assert floors
    written = notation.write(reviewed.record, squares=reviewed.squares)
    names += re.findall(r" [0-9]-[0-9] (\S+)", written)
    assert {name for name in names if name and not POSITIVE.fullmatch(name)} == set()
    assert notation.read(written).events[1:] == reviewed.record.events[1:]


def test_a_sentence_names_players_and_squares_and_mistakes_neither_for_the_other() -> None:
    reviewed = review("Game: ziggurat\nPlayers: A Ana (b2), B Ben\n\nA 1-2 a2-b2\nend abandoned\n")
    assert reviewed.named("{0} plays on (1, 5), not {1} on (1, 0)") == "Ana plays on b1, not Ben on b6"


def test_no_line_ends_within_a_tile_or_a_square() -> None:
    sentence = unbroken("Ana plays 9-1 on level 7, b2-c2 · 4 points")
    assert sentence == "Ana plays 9\u20111 on level\u00a07, b2\u2011c2 · 4\u00a0points"


# ---- The drawing for terminals: each half of a tile stands on its square, and squares have their usual names.


WITH_SQUARES = [path for path in CASES if path.parent.name in ("ziggurat", "domino-ziggurat")]


def levels_of(drawing: list[str], grid: Grid) -> Iterator[tuple[int, list[str], str]]:
    """The number, the lines and the foot of each level of a drawing with one level in a line."""
    _left, top, _right, bottom = grid.bounds
    count = 2 * (bottom - top) + 1
    for at, line in enumerate(drawing):
        if line.startswith("level "):
            yield int(line.removeprefix("level ")), drawing[at + 1 : at + 1 + count], drawing[at + 1 + count]


def expected(grid: Grid, level: int) -> dict[tuple[int, int], str]:
    """What is to be read on each square of a level: pips, or a dot where nothing lies."""
    left, top, right, bottom = grid.bounds
    texts = {(x, y): "·" for x in range(left, right + 1) for y in range(top, bottom + 1)}
    for laid in grid.laid:
        if laid.level == level:
            for square, half in ((laid.at, laid.tile.first), (laid.to, laid.tile.second)):
                if square in texts:
                    texts[square] = f"({half})" if "last" in laid.marks and half < 10 else str(half)
    return texts


def check(scene: Scene, squares: Squares) -> int:
    """Compares a drawing with its scene; returns the number of levels."""
    drawing, count = draw(scene, squares=squares, width=1).splitlines(), 0
    (grid,) = (area for area in scene.areas if isinstance(area, Grid))
    left, top, right, bottom = grid.bounds
    if left < squares.left or bottom > squares.bottom:
        squares = Squares(left, bottom)
    for level, lines, foot in levels_of(drawing, grid):
        columns, rows = range(left, right + 1), range(top, bottom + 1)
        assert [foot[4 * n + 4 :][:3].strip() for n in range(len(columns))] == [squares.column(x) for x in columns]
        assert [line[:3].strip() for line in lines[::2]] == [squares.row(y) for y in rows]
        read = {(x, y): lines[2 * (y - top)][4 * (x - left) + 4 :][:3].strip() for x in columns for y in rows}
        assert read == expected(grid, level)
        for laid in grid.laid:
            (x1, y1), (_x2, y2) = sorted((laid.at, laid.to))
            if laid.level == level and {laid.at, laid.to} <= set(read):
                line, column = lines[y1 + y2 - 2 * top].ljust(4 * len(columns) + 4), 4 * (x1 - left) + 5
                assert (line[column + 2] if y1 == y2 else line[column]) == ("-" if y1 == y2 else "|")
        count += 1
    return count


@pytest.mark.every(3)
@pytest.mark.parametrize("path", WITH_SQUARES[::3], ids=name_of)
def test_every_half_stands_on_its_square(path: Path) -> None:
    review = review_of(path)
    last = len(review.steps) - 1
    for place in {0, last // 3, last // 2, last}:
        assert check(review.scene(place), review.squares)


def test_squares_are_named_by_the_scene_unless_the_record_names_them() -> None:
    review = next(review for review in map(review_of, WITH_SQUARES) if review.squares != squares_of((), review.scene()))
    scene = review.scene()
    assert draw(scene) == draw(scene, squares=squares_of((), scene)) != draw(scene, squares=review.squares)
    assert check(scene, squares_of((), scene))


def test_a_hand_is_titled_by_its_number_from_the_first_on() -> None:
    assert [hand_title(0), hand_title(2), hand_title(2, 4)] == ["", "Hand 2", "Hand 2 of 4"]


def test_stacks_stand_in_columns_whatever_people_are_called() -> None:
    record = simulate(find("build-up"), 4, players=4)
    names = ("山田 花子", "علي", "🦊 Fuchs", "Ana")
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, names, strict=True))
    review = Review(Record((replace(record.opening, players=players), *record.events[1:])))
    drawn = draw(review.scene(60), review.names).splitlines()
    scores = [re.search(r" (\d+)(  |$)", line) for line in drawn[: len(names)]]
    assert len({cells(line[: score.end(1)]) for line, score in zip(drawn, scores, strict=False) if score}) == 1
    blocks = [block.splitlines()[1:] for block in "\n".join(drawn).split("\n\n") if block.startswith("stacks ")]
    assert len(blocks) > 1
    for block in blocks:
        columns = {cells(line[: stack.start()]) for line in block for stack in re.finditer(r"(?<=  )\d+: ", line)}
        assert len(columns) == max(len(re.findall(r"\d+: ", line)) for line in block)
