"""The score sheet: a record written and read again is unchanged."""

# ruff: noqa: RUF001  people write characters that look like others

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import soup
from golden import CASES
from ledger import notation
from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.games.catalog import find
from ledger.notation import letters, read, read_line, write, write_event
from ledger.notation.spellings import as_meant
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record import events as e
from ledger.record.codec import check, decode, encode
from ledger.record.errors import NotARecord, every
from ledger.record.events import ABOUT_RECORDS, ACTS, CLAIMS, EVENTS, Amend, AnyEvent, Event, Insert, Open, Player
from ledger.record.record import Record
from ledger.record.squares import Squares
from ledger.record.tiles import Tile, named
from refused import answers_of, sections
from soup import made_up

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/score-sheet.md").read_text("utf-8")
SHEETS = re.findall(r"^```sheet\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
REFUSED = re.findall(r"^```refused\n([A-Z][A-Za-z ]*): (.*)\n(.*)\n```$", PAGE, re.MULTILINE)
WRITTEN = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)

THREE = Open(game="any", players=tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben", "Cy")))
HEADING = "Game: any\nPlayers: A Ana, B Ben, C Cy\n\n"

SMALL = [
    [{"type": "open", "game": "zigzag", "players": [{"id": "p1"}]}],
    [
        {"type": "open", "game": "zigzag", "options": {"a": None, "b": "p2", "c": "A", "d": [], "e": "7", "f": "p2 "},
         "players": [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Ana"}, {"id": "A", "name": "because"}],
         "played": "2026-11-20", "place": "", "event": " a; b ", "recorder": '"Dee"', "rules": "#1", "by": "A"},
        {"type": "bid", "player": "p2", "bid": 12, "by": "p1", "when": "2026-11-20T10:00:00Z"},
        {"type": "amend", "seq": 0, "why": "Di came", "by": "di", "event":
         {"type": "open", "game": "zigzag", "options": {"first_bidder": "di"}, "place": "a; b", "by": "di", "players":
          [{"id": "p1", "name": "A B C"}, {"id": "p2"}, {"id": "A"}, {"id": "di", "name": "Di"}]}},
        {"type": "pass", "player": "di", "by": "di"},
        {"type": "insert", "before": 1, "why": "", "event": {"type": "note", "text": "a\nb", "by": "p1"}},
    ],
    [
        {"type": "open", "game": "ziggurat", "players": [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Ben"}]},
        {"type": "place", "player": "p1", "tile": "0-6", "at": [-4, 1], "dir": "w", "level": 2, "points": -1},
        {"type": "take", "player": "p2", "tiles": 0},
        {"type": "result", "winners": [], "title": "because"},
        {"type": "score", "scope": "game", "points": {}},
        {"type": "close", "why": "finished"},
    ],
]  # fmt: skip
"""Records that were once read or written wrongly."""


def small_records() -> list[Record]:
    return [decode(json.dumps({"format": "domino-ledger/1", "events": events})) for events in SMALL]


def conformance() -> Iterable[bytes]:
    """The records of the conformance set, in JSON."""
    for file in sorted((ROOT.parent / "shared/conformance-2").rglob("*.ndjson")):
        if ".expect" not in file.name:
            yield from file.read_bytes().splitlines()


def timeless(record: Record) -> Record:
    """A record without its recording times."""
    return Record(tuple(map(_timeless, record.events)))


def _timeless(event: AnyEvent) -> AnyEvent:
    if isinstance(event, Amend | Insert):
        event = replace(event, event=replace(event.event, when=None))
    return replace(event, when=None)


def check_round_trip(record: Record, *, numbered: bool = False) -> None:
    # Bytes are compared, not events: to Python 1 and true are equal.
    sheet = write(record, numbered=numbered)
    assert encode(read(sheet)) == encode(timeless(record))
    assert write(read(sheet), numbered=numbered) == sheet
    assert encode(read(sheet.encode())) == encode(timeless(record))


def refusal(reading: Callable[[], Any]) -> NotARecord:
    with pytest.raises(NotARecord) as error:
        reading()
    return error.value


# ---- Round trips


@pytest.mark.parametrize("record", small_records())
def test_small_records_come_back(record: Record) -> None:
    check_round_trip(record)
    check_round_trip(record, numbered=True)


@pytest.mark.every(4)
@pytest.mark.parametrize("part", range(4))
def test_every_record_of_the_conformance_set_comes_back(part: int) -> None:
    for record in map(decode, islice(conformance(), part, None, 4)):
        sheet = write(record)
        assert encode(read(sheet)) == encode(timeless(record))


# Characters that people write in names and remarks, and those that the notation itself uses.
MARKS = '"\\\n\r\t \u00a0\u2028\x00\x85\ufeff#;,:=()[]\u017fßé日'
NASTY = [*MARKS, "because", "BECAUSE", "nothing", "nobody", "A", "b2", "12", "-3", "12.", "5-1", "none", "Yes", "...",
         "as", "by A:", "\\n", "\\u0041", "👩‍👧"]  # fmt: skip
piece = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
text = st.lists(piece, max_size=4).map("".join)
name = text.filter(bool)
number = st.integers(-1_000_000_000, 1_000_000_000)
seq = st.integers(1, 40)
tile = st.sampled_from(list(Tile))
tiles = st.lists(tile, max_size=7).map(tuple)
option = text | st.booleans() | st.none() | number | st.lists(st.integers(-9, 99), max_size=4).map(tuple)


def event_strategies(players: st.SearchStrategy[str], by: st.SearchStrategy[str | None]) -> dict[type[Event], Any]:
    """The possible events of players with these ids, by type."""
    may = st.none() | number
    who: dict[str, Any] = {"player": players, "by": by, "when": st.none() | st.just("2026-11-20T10:00:00.5Z")}
    base: dict[str, Any] = {"by": by}
    points = st.dictionaries(players, number, max_size=3)
    square = st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000))
    builders: dict[type[Event], Any] = {
        e.Deal: st.builds(e.Deal, tiles=tiles, partial=st.booleans(), **who),
        e.Aside: st.builds(e.Aside, tiles=tiles, **who | {"player": st.none() | players}),
        e.Rank: st.builds(e.Rank, high=number, direction=st.sampled_from(["regular", "reverse"]), **who),
        e.Place: st.builds(e.Place, tile=tile, at=square, dir=st.sampled_from("eswn"), level=st.integers(1, 1000),
                           points=may, **who),
        e.Play: st.builds(e.Play, tile=tile, end=st.sampled_from([None, "left", "right"]), **who),
        e.Take: st.builds(e.Take, tiles=number, points=may, **who) | st.builds(e.Take, points=number, **who),
        e.Score: st.builds(e.Score, scope=st.sampled_from(["hand", "game"]), points=points, **base),
        e.Cheats: st.builds(e.Cheats, count=number, **base),
        e.Result: st.builds(e.Result, winners=st.lists(players, max_size=3).map(tuple), title=st.none() | text, **base),
        e.Note: st.builds(e.Note, text=text, about=st.none() | st.integers(0, 10**9), **base),
        e.Close: st.builds(e.Close, why=st.sampled_from(["finished", "abandoned"]), **base),
        e.Confirm: st.builds(e.Confirm, head=name, **who),
    }  # fmt: skip
    for kind in {*ACTS, *CLAIMS} - builders.keys():
        builders[kind] = st.builds(partial(made_up, kind), st.lists(players, min_size=1), st.randoms())
    inner = st.one_of(*builders.values())
    builders |= {
        e.Retract: st.builds(e.Retract, seq=seq, why=text, **base),
        e.Amend: st.builds(e.Amend, seq=seq, event=inner, why=text, **base),
        e.Insert: st.builds(e.Insert, before=seq, event=inner, why=text, **base),
        e.Void: st.builds(e.Void, why=text, undo=st.booleans(), **base),
    }
    return builders


def openings(ids: list[str], by: st.SearchStrategy[str | None]) -> st.SearchStrategy[Open]:
    may = st.none() | text
    values = option | st.sampled_from(ids)
    players = st.tuples(*(st.builds(Player, id=st.just(id_), name=text | st.just(id_.title())) for id_ in ids))
    return st.builds(Open, game=name, edition=st.none() | name, options=st.dictionaries(name, values, max_size=4),
                     players=players, played=st.none() | st.just("2026-11-20"), place=may, event=may, recorder=may,
                     rules=st.none() | name, card=st.booleans(), by=by)  # fmt: skip


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of any events; its opening may be amended, possibly with a new player."""
    ids = draw(st.lists(name | st.sampled_from(["p1", "ana", "a", "A"]), min_size=1, max_size=4, unique=True))
    late = [id_ for id_ in draw(st.lists(name, max_size=2, unique=True)) if id_ not in ids]
    by = st.none() | st.sampled_from([*ids, *late]) | name
    first = draw(openings(ids, by))
    events: list[AnyEvent] = [first]
    events += draw(st.lists(st.one_of(*event_strategies(st.sampled_from(ids), by).values()), max_size=5))
    if draw(st.booleans()):
        everybody = draw(st.permutations([*ids, *late]))
        events.append(Amend(seq=0, event=draw(openings(everybody, by)), why=draw(text), by=draw(by)))
        events += draw(st.lists(st.one_of(*event_strategies(st.sampled_from(everybody), by).values()), max_size=5))
    try:
        return decode(encode(Record(tuple(events))))
    except NotARecord:  # a card without all scores
        events[0] = replace(first, card=False)
        return decode(encode(Record(tuple(events))))


def test_every_type_of_event_is_tried() -> None:
    assert {*event_strategies(st.just("a"), st.none()), Open} == set(EVENTS)


@given(records(), st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_record_comes_back_and_any_event_as_a_line(record: Record, numbered: bool) -> None:
    check_round_trip(record, numbered=numbered)
    for event in record.events:
        line = write_event(event, record)
        assert "\n" not in line
        assert encode(Record((read_line(line, record),))) == encode(timeless(Record((event,))))


@pytest.mark.parametrize("at", [(3, 2), (-1, 3), (-1000, 1000), (990, -7)])
def test_a_sheet_keeps_the_coordinates_of_its_record(at: tuple[int, int]) -> None:
    first, second = e.Place("ana", named("5-1"), at, "n", 1), e.Place("ben", named("6-1"), at, "e", 2)
    edge = (
        [e.Place("cy", named("0-0"), at, "w", 1), e.Place("cy", named("0-1"), at, "s", 1)]
        if at == (-1000, 1000)
        else []
    )
    record = Record((THREE, first, Insert(1, second, "it was forgotten"), *edge))
    sheet = write(record)
    assert ("Squares: " in sheet) == (at != (3, 2))
    assert ("A 5-1 b2-b3\n" if edge else "A 5-1 d4-d5\n") in sheet
    assert read(sheet) == record
    assert write(read(sheet)) == sheet


def test_a_quoted_text_is_written_as_people_read_it() -> None:
    players = tuple(Player(id=name) for name in ("ana", "ben", "cy"))
    opening = Open("zigzag", players=players, by="Zo\u00eb \u674e, a friend\x07")
    assert 'By: "Zo\u00eb \u674e, a friend\\u0007"\n' in write(Record((opening,)))


def test_a_sheet_without_placements_mentions_no_squares() -> None:
    assert "Squares" not in write(Record((THREE, e.Bid("ana", 12))), squares=Squares(0, 3))


# ---- Real input


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("A 5-1", e.Play("ana", named("5-1"))),
        ("  a   PLAYS  5–1  # well done", e.Play("ana", named("5-1"))),
        ("A 5-1 left", e.Play("ana", named("5-1"), "left")),
        ("b plays 5-1 RIGHT  # of the line", e.Play("ben", named("5-1"), "right")),
        ("amend 1: A 5-1 right because of a slip", Amend(1, e.Play("ana", named("5-1"), "right"), "of a slip")),
        ("B 5-1 C9 – D9 level 4 = 4", e.Place("ben", named("5-1"), (2, -3), "e", 4, 4)),
        ("B 5-1 c3-c4 4 points", e.Place("ben", named("5-1"), (2, 3), "n", 1, 4)),
        ("B 5-1 -a0-−a−1", e.Place("ben", named("5-1"), (-1, 6), "s", 1)),
        ("b play 5-1 on 3", e.Stack("ben", named("5-1"), 3)),
        ("C has 1-1, 2-2 …", e.Deal("cy", (named("1-1"), named("2-2")), True)),
        ("C has ...", e.Deal("cy", (), True)),
        ("C has nothing", e.Deal("cy", ())),
        ("ASIDE: 1-1", e.Aside((named("1-1"),))),
        ("A bid 12", e.Bid("ana", 12)),
        ("A pass", e.Pass("ana")),
        ("A rank 6 Regular", e.Rank("ana", 6, "regular")),
        ("A takes 6 tiles 9 points", e.Take("ana", 6, 9)),
        ("A takes =9", e.Take("ana", None, 9)),
        ("hand A 5,C -3", e.Score("hand", {"ana": 5, "cy": -3})),
        ("Total: nobody", e.Score("game", {})),
        ("result nobody", e.Result(())),
        ('result: "ana" as "x"', e.Result(("ana",), "x")),
        ("note: # no comment; because 12. \\n", e.Note("# no comment; because 12. \\n")),
        ('note 3: "a\\n\\"b\\u0041"   # a comment', e.Note('a\n"bA', 3)),
        ("end Abandoned", e.Close("abandoned")),
        ("retract 3", e.Retract(3, "")),
        ("insert 3: A pass because of tea # and cake", Insert(3, e.Pass("ana"), "of tea # and cake")),
        ('amend 3 by "dee": A pass', Amend(3, e.Pass("ana", by="dee"), "")),
        ("by nobody: A pass", e.Pass("ana")),
        ("7. by b: A pass", e.Pass("ana", by="ben")),
        ("Ana bids 12", e.Bid("ana", 12)),
        ("ana: bids 12", e.Bid("ana", 12)),
        ("1) A: passes", e.Pass("ana")),
        ("by Ben: Ana passes", e.Pass("ana", by="ben")),
        ("result: ana, Ben", e.Result(("ana", "ben"))),
        ("total: Ana 5, Cy -3", e.Score("game", {"ana": 5, "cy": -3})),
        ("amend 1 Ben passes because of tea", Amend(1, e.Pass("ben"), "of tea")),
    ],
)  # fmt: skip
def test_a_line_as_people_write_it(line: str, event: Event) -> None:
    assert read_line(line, THREE) == event


def test_a_heading_as_people_write_it() -> None:
    sheet = "\ufeff# a comment\r\n\r\nplayers: Ana, x Ben  Smith (b7),Al\r\n options : set=9, first = X\r\n"
    sheet += "Options: hands=[6,4 4], cut_up = yes, title = x1, why = 'a'\rGAME:Ziggurat  \nBy: x\n\n01. a 1-1 b2-c2\n"
    opening, play = read(sheet).events
    assert isinstance(opening, Open)
    assert opening.players == (
        Player(id="ana", name="Ana"),
        Player(id="b7", name="Ben Smith"),
        Player(id="al", name="Al"),
    )
    assert opening.options == {
        "set": 9, "first": "b7", "hands": (6, 4, 4), "cut_up": True, "title": "x1", "why": "'a'",
    }  # fmt: skip
    assert (opening.game, opening.by) == ("ziggurat", "b7")
    assert play == e.Place("ana", named("1-1"), (1, 4), "e", 1, by="b7")


def test_letters_are_initials_where_they_can_be() -> None:
    def letters_of(*names: str) -> str:
        return "".join(letters(Open(game="x", players=tuple(Player(id=name, name=name) for name in names))))

    assert letters_of("Ana", "Ben", "Cy") == "ABC"
    assert letters_of("Zoe", "Yan") == "ZY"
    assert letters_of("Ben", "Bob", "Ana", "Çem", "") == "BCADE"
    assert letters_of("ﬆan", "Zoe") == "AZ"  # in capitals this ligature is two letters
    many = [chr(97 + n) for n in range(26)]
    assert letters_of(*many, "one more") == "".join(map(str.upper, many)) + "A1"


def test_letters_stay_when_somebody_joins() -> None:
    more = Open(game="zigzag", players=(Player(id="bob", name="Bob"), *reversed(THREE.players)))
    record = Record((THREE, Amend(0, more, "Bob came")))
    assert letters(record) == {"D": "bob", "C": "cy", "B": "ben", "A": "ana"}
    check_round_trip(Record((*record.events, e.Pass("bob"))))


def test_a_sheet_may_change_its_letters_with_its_heading() -> None:
    swapped = "amend 0: open Game: zigzag; Players: B Ana, A Ben, C Cy\nA passes\n"
    assert read(HEADING + swapped).events[2] == e.Pass("ben")


# ---- The page


def test_the_page_has_an_example_for_each_game() -> None:
    openings = [read(sheet).opening for sheet in SHEETS]
    assert {(opening.game, opening.edition) for opening in openings} >= {
        ("ziggurat", None), ("domino-ziggurat", "1.1"), ("domino-ziggurat", "2"), ("build-up", None), ("zigzag", None),
    }  # fmt: skip


@pytest.mark.parametrize("sheet", SHEETS, ids=range(len(SHEETS)))
def test_the_sheets_of_the_page_are_games_without_a_fault(sheet: str) -> None:
    record = read(sheet)
    check_round_trip(record)
    assert audit(find(record.opening.game), record).verdict in ("clean", "unproven")


@pytest.mark.parametrize("line", WRITTEN)
def test_the_lines_of_the_page_are_read(line: str) -> None:
    if re.match(r"[A-Z][a-z ]+:", line):
        heading = "".join(f"{entry}\n" for entry in ("Game: x", "Players: A, B, C, D") if entry[:6] != line[:6])
        of_card = line.startswith(("Lowest:", "Teams:", "Source:"))
        heading += "Card: yes\n" if of_card else ""
        totals = "\ntotal: A 12, B 9, C 7" if of_card or line.startswith("Card:") else ""  # no card without an end
        check_round_trip(read(heading + line + totals))
    else:
        event = read_line(line, THREE)
        assert read_line(write_event(event, THREE), THREE) == event


@pytest.mark.parametrize(("game", "line", "reason"), REFUSED)
def test_the_refusals_on_the_page_are_the_programs_own(game: str, line: str, reason: str) -> None:
    opening = replace(THREE, game=catalog.titled(game))
    assert str(refusal(lambda: read_line(line, opening))) == reason


def test_the_program_of_the_page_runs() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(program, "docs/score-sheet.md", "exec"), {})  # noqa: S102  our own page


# ---- The score sheet: every mistake in it is reported in plain words with its place.


SEATS = {
    "zigzag": "A Ana, B Ben, C Cy",
    "build-up": "A Ana, B Ben",
    "ziggurat": "A Ana, B Ben",
    "domino-ziggurat": "A Ana",
}
ABOVE = {
    "heading": "",
    "a line of any game": HEADING,
    **{f"a line of {game}": f"Game: {game}\nPlayers: {players}\n\n" for game, players in SEATS.items()},
}
"""For each section of the table of refusals, what stands above its lines on a sheet."""


@pytest.mark.parametrize("section", ABOVE)
def test_each_refusal_says_what_is_wrong_and_what_would_be_right(section: str, golden_update: bool) -> None:
    def answer(line: str) -> list[str]:
        try:
            read(ABOVE[section] + line)
        except NotARecord as error:
            return [str(mistake) for mistake in (error, *error.others)]
        return ["(is read)"]

    answers_of(section, answer, golden_update=golden_update)


def test_a_refusal_names_its_file() -> None:
    error = refusal(lambda: read(HEADING + "A pas\n", "sheet.txt"))
    assert (error.source, error.line, error.field) == ("sheet.txt", 4, "column 3")
    assert str(error).startswith("sheet.txt:4: column 3: 'pas' is not understood here: ")


@pytest.mark.parametrize(
    ("sheet", "line", "reason"),
    [
        (f"{HEADING}A bids {'9' * 5000}", 4, "this number is too long"),
        (f"{HEADING}note: {'x' * 2001}", 4, "a text of at most 2000 characters"),
        ("Game: x\nPlayers: " + ", ".join(["Ana"] * 3000), 2, "at most 26"),
        ("Game: x\nPlayers: \ud800", 2, "not a character"),
        (b"Game: x\nPlayers: \xff", 2, "UTF-8"),
    ],
    ids=["5000 digits", "2001 characters", "3000 players", "half a character", "another encoding"],
)
def test_what_is_too_long_or_no_text_is_refused_in_plain_words(sheet: str | bytes, line: int, reason: str) -> None:
    error = refusal(lambda: read(sheet))
    assert (error.source, error.line) == (None, line)
    assert reason in error.reason


def places_of_mistakes(sheet: str) -> list[tuple[int | None, str | None]]:
    """The line and the column of each mistake in a sheet."""
    error = refusal(lambda: read(sheet))
    return [(mistake.line, mistake.field) for mistake in (error, *error.others)]


def test_all_mistakes_are_listed_at_once_without_those_that_only_follow() -> None:
    body = "A bids 12\nB pases\nC passes\nA 2-13\nZ passes\nretract 2\n"
    assert places_of_mistakes(HEADING + body) == [(5, "column 3"), (7, "column 3"), (8, "column 1")]
    # Without players a letter cannot be checked, but an unreadable line can.
    broken = "Gmae: zigzag\nDate: 3\n\nA bids 12\nZ pases\nZ passes\n"
    assert places_of_mistakes(broken) == [(1, "column 1"), (2, "column 1"), (5, "column 3")]
    assert places_of_mistakes("some\nother\ntext") == [(1, "column 1")]
    assert len(places_of_mistakes(HEADING + "x y\n" * 500)) == 100


def test_a_name_that_two_players_have_is_refused() -> None:
    sheet = "Game: zigzag\nPlayers: A Ana (a1), B Ana (b1), C Cy\n\nAna bids 12\n"
    assert places_of_mistakes(sheet) == [(4, "column 1")]


def test_columns_are_those_of_the_line_as_it_was_typed() -> None:
    assert refusal(lambda: read(HEADING + "Ana bids twelve")).field == "column 10"


def test_a_line_typed_alone_is_an_event() -> None:
    assert refusal(lambda: read_line("Game: zigzag", THREE)).reason.startswith("this belongs in the heading")
    assert refusal(lambda: read_line("  ", THREE)).reason.startswith("nothing is written here")
    error = refusal(lambda: read_line("7. A 9-19", THREE, 7))
    assert (error.line, error.field) == (None, "column 6")
    assert refusal(lambda: read_line("7. A 9-1", THREE, 8)).field == "column 1"
    assert "a heading" not in refusal(lambda: read_line("xyz", THREE)).reason


def test_a_mutated_sheet_is_read_or_refused() -> None:
    random = Random(20261120)
    seeds = [write(record, numbered=random.random() < 0.3) for record in small_records()] + SHEETS
    alphabet = [*NASTY, *"0123456789-,;:.#\"'()[]=ABCabcL \n", " because ", "by ", "open ", "amend 0: ", "\ud800", "…"]
    for _ in range(1500):
        sheet = random.choice(seeds)
        for _ in range(random.randint(1, 4)):
            start = random.randrange(len(sheet) + 1)
            end = start + random.choice([0, 0, 1, 1, 5])
            sheet = sheet[:start] + random.choice(["", random.choice(alphabet)]) + sheet[end:]
        try:
            record = read(sheet)
        except NotARecord as error:
            assert error.reason  # noqa: PT017  the point is that nothing else is raised
        else:
            check_round_trip(record)


@given(st.text(max_size=60) | st.binary(max_size=60))
@settings(max_examples=2 * settings.default.max_examples)
def test_any_text_at_all_is_refused(text: str | bytes) -> None:
    refusal(lambda: read(text))


@pytest.mark.parametrize("piece", ['note: "', "amend 1: ", "(", "1-1 "])
def test_long_lines_are_refused_like_short_ones(piece: str) -> None:
    refusal(lambda: read(HEADING + "A has " + piece * 20_000))
    refusal(lambda: read(HEADING + piece * 20_000))


# ---- Score sheets as people write them: each way is read as it is meant, or answered with what would be right.


ZIGZAG = """Game: zigzag
Players: A Ana, B Ben, C Cy
Options: first_bidder = A
Played: 2026-11-20

A has 2-2 4-7 3-5 ...
A bids 12
B passes
C passes
A 2-2
B 2-5
C 4-5
A 4-7
B 4-8
C 6-8
A 3-5
C takes 6
B 0-1
A takes 1
C 1-1
"""
BUILD_UP = """Game: build-up
Players: A Ana, B Ben

A lays 0-3 1-3 2-2 3-3 5-6 1-6
B lays 0-1 1-4 0-0 5-5 4-6 2-5
A 6-6 on 10
B 3-5 on 8
"""
ZIGGURAT = """Game: ziggurat
Players: A Ana, B Ben

A 1-2 a3-b3 =0
B 2-5 c3-c2 =1
A 1-5 a2-b2 =2
"""

CHANGED = {
    "small letters": str.lower,
    "capital letters": str.upper,
    "tabs": lambda sheet: sheet.replace(" ", "\t"),
    "lines as on Windows": lambda sheet: sheet.replace("\n", "\r\n"),
    "lines as on an old Mac": lambda sheet: sheet.replace("\n", "\r"),
    "empty lines": lambda sheet: sheet.replace("\n", "\n\n"),
    "spaces behind the lines": lambda sheet: sheet.replace("\n", "   \n"),
    "spaces before the lines": lambda sheet: sheet.replace("\n", "\n   "),
    "no end of the last line": str.rstrip,
    "a mark of UTF-8": lambda sheet: b"\xef\xbb\xbf" + sheet.encode(),
    "UTF-16": lambda sheet: sheet.encode("utf-16"),
    "a list of Markdown": lambda sheet: re.sub("^(?=[ABC] )", "- ", sheet, flags=re.MULTILINE),
    "a fence of Markdown": lambda sheet: f"```\n{sheet}```\n",
    "a title": lambda sheet: f"# Friday evening\n\n{sheet}",
}
"""Changes of a whole sheet that change nothing."""

READ = [
    (ZIGZAG, "2-2", ["2–2", "2—2", "2−2", "2‑2", "2/2", "2|2", "２-２"]),
    (ZIGZAG, "A 2-2", ["A [2|2]", "A 22", "A2-2", "A 2-2,", "A 2-2.", "A 2-2 // his best", "A 2-2 (his best)",
                       "A\u00a02-2", "A plays 2-2;", "A [2-2]", "A - 2-2", "ANA 2-2", "A 🁁", "A 🁳"]),
    (ZIGZAG, "A bids 12", ["A bids12", "A: bids 12", "Ana: bids 12", "Ana bids 12", "a bids 12", "A. bids 12",
                           "A - bids 12", "A bid 12", "A bids 12.", "aNA bid12 // loud", "* A bids 12",
                           "2) A bids 12"]),
    (ZIGZAG, "A has", ["1) A has", "1. A has", "- 1. A has"]),
    (ZIGZAG, "...", ["…", ", …", "..., "]),
    (ZIGZAG, "B passes", ["B pass", "B passes.", "B: PASSES"]),
    (ZIGZAG, "2026-11-20", ["20 Nov 2026", "20.11.2026", "11/20/2026", "20/11/2026", "Nov 20, 2026", "2026/11/20",
                            "Fri, 20 November 2026", "20th of November 2026"]),
    (ZIGZAG, "Game: zigzag", ["Game: Zigzag", "Game: Zig Zag", "Game = zigzag", "GAME: ZIG-ZAG", "game:zigzag"]),
    (ZIGZAG, "Players: A Ana, B Ben, C Cy", [
        "Players: Ana, Ben and Cy", "Players: Ana, Ben, and Cy", "Players: A=Ana, B=Ben, C=Cy",
        "Players: Ana & Ben & Cy", "Players: A: Ana; B: Ben; C: Cy", "Player: A Ana, B Ben, C Cy",
        "Players: A - Ana, B - Ben, C - Cy,"]),
    (ZIGZAG, "first_bidder = A", ["first_bidder = Ana", "first bidder: A", "first-bidder = ana", "First Bidder = ANA"]),
    (ZIGZAG, "C takes 6", ["C takes6", "C take 6 tiles", "C takes 6 tiles."]),
    (ZIGZAG, "\nA 2-2", ["\n// a remark\nA 2-2"]),
    (BUILD_UP, "on 10", ["on stack 10", "-> 10", "to 10", "→ 10", "on10", "onto stack 10", "on 10."]),
    (BUILD_UP, "build-up", ["Build Up", "buildup", "BUILD-UP"]),
    (ZIGGURAT, "a3-b3", ["A3-B3", "a3 b3", "a3b3", "a3/b3", "a3–b3", "a3 - b3", "a3-b3 L1"]),
    (ZIGGURAT, "=0", ["= 0", "+0", "0 points", "=0."]),
]  # fmt: skip
"""For a part of a sheet, other ways to write it."""

BYTES = [
    (b"Ana", "Añá".encode("latin-1"), 2, 13, "if it is meant as 'ñ', save the file as UTF-8"),
    (b"2-2", "2–2".encode("cp1252"), 6, 8, "if it is meant as '–', save the file as UTF-8"),
]
"""A part of a sheet in another encoding, and where and how it is answered; tests/refused.py has all other refusals."""


def refused_sheet(sheet: str | bytes) -> NotARecord:
    with pytest.raises(NotARecord) as error:
        read(sheet)
    return error.value


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("sheet", [ZIGZAG, BUILD_UP, ZIGGURAT], ids=["zigzag", "build-up", "ziggurat"])
def test_what_people_do_to_a_whole_sheet_changes_nothing(sheet: str, change: str) -> None:
    names = CHANGED[change] if change in ("small letters", "capital letters") else str
    as_meant = re.sub('(?<="name":")[^"]*', lambda name: names(name[0]), encode(read(sheet)).decode())
    assert encode(read(CHANGED[change](sheet))).decode() == as_meant


@pytest.mark.parametrize(
    ("sheet", "usual", "way"), [pytest.param(sheet, usual, way, id=way) for sheet, usual, ways in READ for way in ways]
)
def test_a_way_with_one_meaning_is_read(sheet: str, usual: str, way: str) -> None:
    assert encode(read(sheet.replace(usual, way))) == encode(read(sheet))


@pytest.mark.parametrize(("usual", "way", "line", "column", "answer"), BYTES, ids=["latin-1", "cp1252"])
def test_another_encoding_is_named(usual: bytes, way: bytes, line: int, column: int, answer: str) -> None:
    error = refused_sheet(ZIGZAG.encode().replace(usual, way, 1))
    assert (error.line, error.field) == (line, f"column {column}"), str(error)
    assert answer in error.reason


def test_points_without_commas_are_read() -> None:
    assert encode(read(ZIGZAG + "total: A 5 B 3 C 2\n")) == encode(read(ZIGZAG + "total: A 5, B 3, C 2\n"))


def test_the_programs_own_titles_are_read() -> None:
    opening = read("Game: Domino Ziggurat, edition 2\nPlayers: Ana, Ben\n").opening
    assert (opening.game, opening.edition) == ("domino-ziggurat", "2")


def test_two_digits_are_a_tile_where_nobody_can_bid() -> None:
    assert encode(read(ZIGZAG.replace("B 2-5", "B 25"))) == encode(read(ZIGZAG))
    assert encode(read(ZIGGURAT.replace("A 1-2", "A 12"))) == encode(read(ZIGGURAT))
    assert refused_sheet(ZIGZAG.replace("A has 2-2 4-7 3-5 ...", "A has 15")).reason.endswith("did you mean 1-5?")


# ---- Spellings of people on paper: what is clear is read as it is meant, and what is not is refused in plain words.


HEAD = "Game: ziggurat\nPlayers: A Ana, B Ben\n\n"
SPELLED = "A 4-2 d4-d3\nB 2-0 e4-e3\n"
WANTED = notation.read(HEAD + SPELLED).events


@pytest.mark.parametrize(
    "line",
    [
        "a 4-2 d4-d3", "A 4\u20132 d4-d3", "A 4\u20142 d4\u2014d3", "A 4\u22122 d4-d3", "A 4\u20112 d4-d3",
        "A\t4-2\td4-d3", "A 4/2 d4-d3", "A [4|2] d4-d3", "A 42 d4-d3", "A: 4-2 d4-d3", "Ana 4-2 d4-d3",
        "Ana: 4-2 d4-d3", "1. A 4-2 d4-d3", "1) A 4-2 d4-d3", "A 4-2 d4 d3", "A 4-2 d4d3",
        "A plays 4-2 d4-d3", "A 4-2 d4/d3", "A 4-2 D4-D3",
        # Not in the notation:
        "A 4 - 2 d4-d3", "A 4- 2 d4-d3", "A 4:2 d4-d3", "A 4 : 2 d4 - d3", "A, 4-2, d4-d3", "A 4-2, d4-d3",
        "1. A, 4-2, d4-d3", "A 4-2 d4 down", "A, 4 - 2, d4 down", "; it begins\nA 4-2 d4-d3",
        "A 4-2 d4-d3 ; a remark",
    ],
)  # fmt: skip
def test_a_line_is_read_as_it_is_meant(line: str) -> None:
    text, spelled = as_meant(f"{HEAD}{line}\nB 2-O e4-e3\n")
    assert notation.read(text).events == WANTED
    assert spelled[-1][1:] == ("B 2-O e4-e3", "B 2-0 e4-e3")


@pytest.mark.parametrize(
    ("sheet", "wanted"),
    [
        ("Ziggurat\nPlayers: A Ana, B Ben\n" + SPELLED, HEAD + SPELLED),
        (HEAD + "A O-O d4-d3", HEAD + "A 0-0 d4-d3"),
        (HEAD + "A 4-2 d4-d3 1\nB 2-0 e4-e3 L1 2", HEAD + "A 4-2 d4-d3 +1\nB 2-0 e4-e3 L1 +2"),
        (HEAD + "A 4-2 d4-d3    B 2-0 e4-e3", HEAD + SPELLED),
        (HEAD + "A 4-2 d4-d3 | B 2-0 e4-e3", HEAD + SPELLED),
        (HEAD + "A 4-2 d4-d3\n2-0 e4-e3\n", HEAD + SPELLED),
        (HEAD + "1. Ana 4-2 d4-d3\n2. 2-0 e4-e3\n", HEAD + SPELLED),
        (HEAD + SPELLED + "Score: A 0, B 0", HEAD + SPELLED + "total: A 0, B 0"),
        ("Players: A Ana, B Ben, C Cy\nA bids 12\nB passes\nC passes\n",
         "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nA bids 12\nB passes\nC passes\n"),
    ],
)  # fmt: skip
def test_a_sheet_is_read_as_it_is_meant(sheet: str, wanted: str) -> None:
    with pytest.raises(NotARecord):
        notation.read(sheet)
    text, spelled = as_meant(sheet)
    assert spelled
    assert notation.read(text).events == notation.read(wanted).events


def test_what_is_written_as_the_notation_has_it_stays() -> None:
    text = HEAD + SPELLED + "note: at 4:30, 3 - 1 for Ana; O-O\nA 1-0 d1-e1 +1 # 4 - 2\n"
    assert as_meant(text)[0].split("note")[0] == text.split("note")[0]
    assert "note: at 4:30, 3 - 1 for Ana; O-O" in as_meant(text)[0]


def test_two_games_that_can_be_meant_are_not_guessed() -> None:
    assert "Game:" not in as_meant("Players: A Ana\nnote: no move\n")[0]


def test_a_line_without_its_player_is_asked_about() -> None:
    with pytest.raises(NotARecord, match="whose move\\? Write the player's letter first, as in `A 4-2 d4-d3`"):
        notation.read(HEAD + "4-2 d4-d3")


# ---- A sheet knows its game: a line of another game is a slip of the pen, unless it says that it is meant.


GAMES = catalog.built_in()
SIZES = {"build-up": 2, "ziggurat": 2, "domino-ziggurat": 1, "zigzag": 3}


def opening(game: str) -> Open:
    names = ("Ana", "Ben", "Cy")[: SIZES[game]]
    return Open(game=game, players=tuple(Player(id=name.lower(), name=name) for name in names))


def refused_line(line: str, game: str) -> NotARecord:
    with pytest.raises(NotARecord) as error:
        read_line(line, opening(game))
    return error.value


def test_in_a_sheet_it_is_a_mistake_with_its_line_like_any_other() -> None:
    sheet = "Game: Build Up\nPlayers: Ana, Ben\n\nA 6-6\nB passes\nA bids 12\nB 3-5 on 8\nZ passes\n"
    with pytest.raises(NotARecord) as error:
        read(sheet, "friday.sheet")
    places = [(mistake.line, mistake.field) for mistake in every(error.value)]
    assert places == [(4, "column 6"), (6, "column 3"), (8, "column 1")]
    assert str(error.value) == "friday.sheet:4: column 6: on which stack? write `A 6-6 on 10`"


def test_what_is_expected_is_what_the_game_has() -> None:
    assert "bids" not in refused_line("A xyz", "build-up").reason
    assert " lays" not in refused_line("A xyz", "zigzag").reason
    assert "cheats" in refused_line("xyz", "domino-ziggurat").reason
    assert "cheats" not in refused_line("xyz", "zigzag").reason


def test_a_game_that_is_not_installed_may_have_any_line() -> None:
    unknown = Open(game="unheard-of", players=opening("zigzag").players)
    for line in ("A 6-6", "A 6-6 on 4", "A 6-6 b2-c2", "A 6-6 left", "A bids 3", "cheats 4", "hand: A 3"):
        assert write_event(read_line(line, unknown), unknown) == line


def test_an_exclamation_mark_says_that_a_line_is_meant() -> None:
    table = opening("zigzag")
    event = e.Stack("ana", named("1-2"), 4)
    assert read_line("! A 1-2 on 4", table) == read_line("!A 1-2 on 4", table) == event
    assert write_event(event, table) == "! A 1-2 on 4"
    assert write_event(e.Bid("ana", 4), table) == "A bids 4"
    record = check([table, event])
    assert read(write(record)) == record
    assert [finding.clause for finding in audit(catalog.find("zigzag"), record).findings] == ["record.event"]


def records_in(game: str) -> list[Record]:
    """Games of one kind, and every event of any game in it, also in corrections."""
    random, rules = Random(3), catalog.find(game)
    games = [simulate(rules, seed, options, players=players, edition=edition)
             for seed in range(3) for options, players, edition in [any_options(rules, random)]]  # fmt: skip
    first = opening(game)
    players = [player.id for player in first.players]
    kinds = [kind for kind in EVENTS if kind not in (Open, *ABOUT_RECORDS)]
    events = [soup.event(kind, players, random) for kind in kinds * 6]
    corrections = [soup.correction(90, kinds, players, random) for _ in range(90)]
    return [*games, check([first, *events, *corrections])]


@pytest.mark.parametrize("game", GAMES)
def test_every_record_of_a_game_comes_back_from_its_sheet(game: str) -> None:
    foreign = 0
    for record in records_in(game):
        sheet = write(record)
        foreign += len(re.findall(r"(?:^|: )! ", sheet, re.MULTILINE))
        assert encode(read(sheet)) == encode(timeless(record))
    assert foreign > 20


def test_names_and_titles_that_the_reader_explains_are_quoted() -> None:
    players = (Player(id="p1", name="Ana"), Player(id="p2", name="Ann and Bob"), Player(id="p3", name="- x"))
    options = {"First_Bidder": "x", "first-bidder": "Ana", "scoring": "Points", "first_bidder": "ANA"}
    for game in ("Zigzag", "zig-zag", "zigzag", "Zigzag, edition 2", "Zig Zag", "unheard of"):
        record = check([Open(game=game, players=players, options=options)])
        assert encode(read(write(record))) == encode(record)
        assert encode(check([read_line(write_event(record.opening, record), record)])) == encode(record)


# ---- The grammar on the page of the score sheet, held against the reader and the writer.


(GRAMMAR,) = re.findall(r"^```ebnf\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
RULES = dict(re.findall(r"^(\w+)\s+= (.*?) ;$", GRAMMAR, re.DOTALL | re.MULTILINE))
PART = re.compile(r'"[^"]+"|/(?:[^/\\]|\\.)+/|\w+|[\[\]{}()|]')
EXAMPLES = {
    "letter": ("A", "b", "C"), "tile": ("5-1", "12-0", "3-3"), "squares": ("b2-c2", "-a0--a-1", "z9-aa9"),
    "level": ("L1", "L12"), "nth": ("1", "2"), "number": ("4", "-12", "0"), "word": ("x", '"a b"', "9f2c"),
    "text": ("a # b", '"a\\nb"', "x; because: y"), "quoted": ('"ana"', '"ben"'), "name": ("Ana", "Ben Smith"),
    "player": ("A", '"ana"', "B"),
}  # fmt: skip
"""For each terminal, some of what it stands for; players are those of the test."""
Alternative = list[tuple[str, Any]]
"""The parts of an alternative in their order, each with the alternatives in its brackets, if it is one that opens."""


@cache
def parts(rule: str) -> list[str]:
    return PART.findall(RULES[rule])


def expression(rule: str) -> str:
    """The rule as a regular expression: no rule contains itself."""
    pieces = []
    for part in parts(rule):
        if part[0] == '"':
            pieces.append(rf"(?i:{re.escape(part[1:-1])})\s*")
        elif part[0] == "/":
            pieces.append(rf"(?:{part[1:-1]})\s*")
        else:
            signs = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:", ")": ")", "|": "|"}
            pieces.append(signs.get(part) or f"(?:{expression(part)})")
    return "".join(pieces)


LINE = re.compile(expression("line"))
HEADING_RULE = re.compile(expression("heading"))


@cache
def alternatives(rule: str) -> list[Alternative]:
    return _alternatives(iter(parts(rule)))


def _alternatives(rest: Iterator[str]) -> list[Alternative]:
    """The alternatives up to the sign that closes them."""
    found: list[Alternative] = [[]]
    for part in rest:
        if part in "]})":
            break
        if part == "|":
            found.append([])
        else:
            found[-1].append((part, _alternatives(rest) if part in "[{(" else []))
    return found


def example(rule: str, random: Random) -> str:
    """A random text that the rule describes."""
    return random.choice(EXAMPLES[rule]) if rule in EXAMPLES else _example(alternatives(rule), random)


def _example(among: list[Alternative], random: Random) -> str:
    text = ""
    for part, inner in random.choice(among):
        if inner:
            for _ in range({"(": 1, "[": random.randrange(2), "{": random.randrange(3)}[part]):
                text += _example(inner, random)
        else:
            text += " " + (part[1:-1] if part[0] == '"' else example(part, random))
    return text


def is_described(line: str) -> bool:
    return bool(LINE.fullmatch(line) or HEADING_RULE.fullmatch(line))


def is_understood(answer_to: str) -> bool:
    """Whether it is not the words that are refused: a wrong number, or squares that do not touch, are no grammar."""
    return "not understood" not in answer_to and "too early" not in answer_to


def answer_to(sheet: str) -> str:
    """What a sheet is answered; nothing if it can be read."""
    try:
        read(sheet)
    except NotARecord as error:
        return error.reason
    return ""


def lines_of(sheet: str) -> list[str]:
    return [line for line in sheet.splitlines() if line.strip() and not line.startswith("#")]


def test_every_rule_is_used_and_no_other() -> None:
    used = {part for rule in RULES for part in parts(rule) if part.isidentifier()}
    assert used | {"line", "heading"} == set(RULES)


def test_the_grammar_describes_every_line_that_is_written() -> None:
    random = Random(1)
    sources = [codec.decode(path.read_bytes()) for path in CASES] + small_records()
    for name in catalog.built_in():
        game = catalog.find(name)
        options, players, edition = any_options(game, random)
        sources.append(simulate(game, 1, options, players=players, edition=edition))
    ids = [player.id for player in THREE.players]
    kinds = [kind for kind in EVENTS if kind not in (Open, *ABOUT_RECORDS)]
    events = [soup.event(kind, ids, random) for kind in kinds * 6]
    sources.append(check([THREE, *events, *(soup.correction(90, kinds, ids, random) for _ in range(90))]))
    sheets = (write(record, numbered=number % 4 == 0) for number, record in enumerate(sources))
    written = dict.fromkeys(line for sheet in sheets for line in lines_of(sheet))
    assert [line for line in written if not is_described(line)] == []
    assert len(written) > 5000


def test_the_grammar_describes_the_lines_of_the_page() -> None:
    shown = [*WRITTEN, *(line for sheet in SHEETS for line in lines_of(sheet))]
    assert [line for line in shown if not is_described(re.sub(r"\s+# .*", "", line))] == []


def test_the_grammar_does_not_describe_what_is_not_understood() -> None:
    table = sections()["a line of any game"]
    slips = [line for line, answer in table.items() if not is_understood(answer[0])]
    assert len(slips) > 100
    assert [slip for slip in slips if is_described(slip)] == []


def test_what_the_grammar_describes_is_read() -> None:
    random, seen = Random(7), set[str]()
    for _ in range(1000):
        line = example(random.choice(("line", "act")), random).strip()
        seen |= set(re.findall("[a-z]{3,}", line))
        assert is_understood(answer_to(f"Game: any\nPlayers: A Ana, B Ben, C Cy\n\n{line}")), line
    words = {word for rule in RULES for part in parts(rule) for word in re.findall('^"([a-z]{3,})"$', part)}
    assert words - seen == set()


def test_what_the_grammar_describes_as_a_heading_is_read() -> None:
    random = Random(7)
    for _ in range(500):
        line = example("heading", random).strip()
        others = "".join(f"{other}\n" for other in ("Game: any", "Players: A, B, C") if other[:5] != line[:5])
        assert is_understood(answer_to(others + line)), line
