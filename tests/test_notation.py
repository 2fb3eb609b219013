"""The score sheet: a record written and read again is unchanged."""

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.games.catalog import find
from ledger.notation import letters, read, read_line, write, write_event
from ledger.record import events as e
from ledger.record.codec import decode, encode
from ledger.record.errors import NotARecord
from ledger.record.events import ACTS, CLAIMS, EVENTS, Amend, AnyEvent, Event, Insert, Open, Player
from ledger.record.record import Record
from ledger.record.squares import Squares
from ledger.record.tiles import Tile, named
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
