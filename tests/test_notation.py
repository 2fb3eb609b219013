"""The score sheet: lossless, forgiving to the hand, exact in its errors."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import codec, notation
from ledger import events as e
from ledger.catalog import find
from ledger.codec import check
from ledger.errors import NotARecord
from ledger.record import Record
from ledger.simulate import any_options, simulate
from ledger.tiles import Tile, named

DOCS = Path(__file__).parents[1] / "docs" / "score-sheet.md"
EXAMPLES = re.findall(r"```sheet\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


def without_times(record: Record) -> Record:
    """A record as a sheet can hold it."""

    def bare(event: e.AnyEvent) -> e.AnyEvent:
        if isinstance(event, e.Amend | e.Insert):
            event = replace(event, event=replace(event.event, when=None))
        return replace(event, when=None)

    return Record(tuple(bare(event) for event in record.events))


@pytest.mark.parametrize("sheet", EXAMPLES, ids=lambda sheet: sheet.split("\n")[0].split(": ")[1])
def test_the_examples_of_the_page_are_records_and_come_back(sheet: str) -> None:
    record = notation.read(sheet)
    assert notation.read(notation.write(record)) == record
    assert find(record.opening.game).opening(record.opening)
    assert len(record.events) == 1 + len(
        [line for line in sheet.split("\n\n", 1)[1].split("\n") if line[:1] not in ("", "#")]
    )


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat", "build-up", "zigzag"])
def test_simulated_games_come_back(game: str) -> None:
    for seed in range(3):
        options, players, edition = any_options(find(game), Random(seed))
        record = simulate(find(game), seed, options, players=players, edition=edition)
        for numbered in (False, True):
            assert notation.read(notation.write(record, numbered=numbered)) == record


# ── Any record at all ──────────────────────────────────────────────────────────────────────────────────────

IDS = ("ana", "b b", '"', "-", "D")
texts = st.text(max_size=30) | st.sampled_from(
    ["", " x ", '"', "two\nlines", "# no comment", "a: b {c}", "by -", "\x85", "−"]
)
names = st.sampled_from(IDS)
tiles = st.sampled_from(list(Tile))
whole = st.integers(-1_000_000_000, 1_000_000_000)
count = st.integers(0, 1_000_000_000)
recorders = st.none() | st.sampled_from(["dee", "-", "two words", '"q"', "none"])
stamps = st.none() | st.just("2026-11-20T10:00:00Z")
lists = st.lists(tiles, max_size=4).map(tuple)
places = st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000))


def of(kind: type[e.Event], **fields: st.SearchStrategy) -> st.SearchStrategy:
    return st.builds(kind, **fields, by=recorders, when=stamps)


plain = st.one_of(
    of(e.Deal, player=names, tiles=lists, partial=st.booleans()),
    of(e.Aside, tiles=lists, player=st.none() | names),
    of(e.Layout, player=names, tiles=lists),
    of(e.Draw, player=names, tile=tiles),
    of(e.Bid, player=names, bid=whole),
    of(e.Pass, player=names),
    of(e.Rank, player=names, high=whole, direction=st.sampled_from(["regular", "reverse"])),
    of(e.Over, player=names, tile=tiles),
    of(e.Place, player=names, tile=tiles, at=places, dir=st.sampled_from("eswn"), level=st.integers(1, 1000),
       points=st.none() | whole),
    of(e.Lift, player=names, tile=tiles),
    of(e.Stack, player=names, tile=tiles, stack=whole),
    of(e.Play, player=names, tile=tiles),
    of(e.Take, player=names, tiles=st.none() | whole, points=st.none() | whole),
    of(e.Score, scope=st.sampled_from(["hand", "game"]), points=st.dictionaries(names, whole)),
    of(e.Cheats, count=whole),
    of(e.Result, winners=st.lists(names, max_size=4).map(tuple), title=st.none() | texts),
    of(e.Note, text=texts, about=st.none() | count),
    of(e.Close, why=st.sampled_from(["finished", "abandoned"])),
    of(e.Confirm, player=names, head=texts.filter(bool)),
)  # fmt: skip
options = st.dictionaries(texts, st.none() | st.booleans() | st.integers(-10**9, 10**9) | texts
                          | st.lists(st.integers(-99, 99)).map(tuple), max_size=3)  # fmt: skip
free = st.none() | texts
openings = of(
    e.Open, game=texts.filter(bool), edition=st.none() | texts.filter(bool), options=options,
    players=st.just(tuple(e.Player(id=name, name=name.upper()[:1]) for name in IDS)),
    played=st.none() | st.just("2026-11-20"),
    place=free, event=free, recorder=free, rules=st.none() | texts.filter(bool),
)  # fmt: skip
corrections = st.one_of(
    of(e.Retract, seq=st.integers(1, 99), why=texts),
    of(e.Amend, seq=st.integers(1, 99), event=plain, why=texts),
    of(e.Amend, seq=st.just(0), event=openings, why=texts),
    of(e.Insert, before=count, event=plain, why=texts),
)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(openings, st.lists(plain | corrections, max_size=6))
def test_every_record_comes_back_but_for_its_times(opening: e.Open, events: list[e.AnyEvent]) -> None:
    record = check([opening, *events])
    assert notation.read(notation.write(record)) == without_times(record)


# ── Errors ─────────────────────────────────────────────────────────────────────────────────────────────────

TOP = 'Game: zigzag\nPlayers: A = ana "Ana", B = ben, C = cy\n\n'


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("A 6-14", 3, "no tile 6-14"),
        ("A plas", 3, "did you mean pass?"),
        ("A taks 5", 3, "did you mean takes?"),
        ("A bid", 6, "expected a number"),
        ("A bid many", 7, "expected a number"),
        ("D pass", 1, "nobody is D; the players are A (ana), B (ben), C (cy)"),
        ("A 5-1 2,3q", 7, "a square and a direction"),
        ('A bid 2 by "x', 12, "no closing quote"),
        ("note hello", 6, "a colon and the text"),
        ("hand A 5, A 6", 11, "named twice"),
        ("7. A pass", 1, "numbered 7, but it is event 1"),
        ("A takes 3, 4", 13, "expected"),
        ("close tomorrow", 7, "finished or abandoned"),
        ("retract 1", 10, "a colon and the text"),
        ("amend 1 {A pas}: x", 12, "did you mean pass?"),
        ("A 5-1 on 99999999999999999999", 10, "no number of any table"),
        ("A 5-1 2000,0e", 1, "<= 1000"),
    ],
)
def test_an_error_says_where_and_what_was_meant(line: str, column: int, reason: str) -> None:
    with pytest.raises(NotARecord) as caught:
        notation.read(TOP + "# a comment\n" + line + "\n", "table.sheet")
    assert (caught.value.line, caught.value.field) == (5, f"column {column}")
    assert reason in str(caught.value)
    assert str(caught.value).startswith("table.sheet:5: column")


@pytest.mark.parametrize(
    ("top", "line", "reason"),
    [
        ("", 1, "Game: ..."),
        ("Game: zigzag\n", 1, "Players: ..."),
        ("Gane: zigzag\n", 1, "did you mean Game?"),
        ("Game: zigzag\nGame: zigzag\n", 2, "said twice"),
        ("Game: zigzag\nPlayers: B = ana\n", 2, "A comes here, not B"),
        ("Game: zigzag\nPlayers: ana, ben\n", 2, "players are written"),
        ("Game: zigzag\nOptions: target\n", 2, "options are written"),
        ("Game: zigzag\nPlayers: A = a, B = a\n\n", None, "two players"),
        ("Game: zigzag\nPlayers: A = a\nPlayed: yesterday\n", 1, "regex"),
    ],
)
def test_a_top_that_is_none_is_refused(top: str, line: int | None, reason: str) -> None:
    with pytest.raises(NotARecord) as caught:
        notation.read(top, "table.sheet")
    assert caught.value.line == line
    assert reason in str(caught.value)


def test_hands_are_forgiven() -> None:
    sheet = "\ufeff" + TOP.replace("\n", "\r\n") + "\r\n   a   BID  12  # loud\r\n\r\n2. b PASSES\r\nc 2-2"
    assert notation.read(sheet).events[1:] == (e.Bid("ana", 12), e.Pass("ben"), e.Play("cy", named("2-2")))


def test_damage_ends_in_a_record_or_a_refusal() -> None:
    random = Random(20261120)
    for sheet in EXAMPLES:
        for _ in range(60):
            text = list(sheet)
            for _ in range(random.randint(1, 3)):
                place = random.randrange(len(text))
                random.choice([
                    lambda t, p: t.__setitem__(p, chr(random.randrange(0x300))),
                    lambda t, p: t.__delitem__(p),
                    lambda t, p: t.insert(p, t[random.randrange(len(t))]),
                ])(text, place)  # fmt: skip
            try:
                codec.encode(notation.read("".join(text)))
            except NotARecord as error:
                assert str(error)  # noqa: PT017  either outcome is right; anything else is raised
