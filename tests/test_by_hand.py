"""Score sheets as people write them: each way is read as it is meant, or answered with what would be right."""

# ruff: noqa: RUF001  people write characters that look like others

from __future__ import annotations

import re

import pytest

from ledger.notation import read
from ledger.record.codec import encode
from ledger.record.errors import NotARecord

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

REFUSED = [
    (ZIGZAG.encode(), b"Ana", "Añá".encode("latin-1"), 2, 13, "if it is meant as 'ñ', save the sheet as UTF-8"),
    (ZIGZAG.encode(), b"2-2", "2–2".encode("cp1252"), 6, 8, "if it is meant as '–', save the sheet as UTF-8"),
    (ZIGZAG, "A 2-2", "A 2:2", 10, 3, "did you mean 2-2?"),
    (ZIGZAG, "A 2-2", "A 2 2", 10, 3, "did you mean 2-2?"),
    (ZIGZAG, "A 2-2", "A 2 - 2", 10, 3, "did you mean 2-2?"),
    (ZIGZAG, "A 2-2", "A 2,2", 10, 3, "did you mean 2-2?"),
    (ZIGZAG, "A 2-2", "A O-3", 10, 3, "did you mean 0-3?"),
    (ZIGZAG, "A 2-2", "A l-2", 10, 3, "did you mean 1-2?"),
    (ZIGZAG, "A 2-2", "A 112", 10, 3, "did you mean 1-12 or 11-2?"),
    (ZIGZAG, "A bids 12", "A 12", 7, 3, "12 could be a tile or a bid: write `A 1-2` or `A bids 12`"),
    (ZIGZAG, "A bids 12", "A bids twelve", 7, 8, "expected a number; did you mean 12?"),
    (ZIGZAG, "A bids 12", "A says 12", 7, 3, "did you mean bids?"),
    (ZIGZAG, "A bids 12", "A bids 12 (or 13)", 7, 11, "One that could be read as more begins with #"),
    (ZIGZAG, "B passes", "B knocks", 8, 3, "did you mean passes?"),
    (ZIGZAG, "B passes\nC", "B passes; C", 8, 9, "each event has a line of its own"),
    (ZIGZAG, "B passes\nC", "B passes, C", 8, 9, "each event has a line of its own"),
    (ZIGZAG, "\nA 2-2", "\nnote Ben looked twice\nA 2-2", 10, 6, "did you mean note: Ben looked twice?"),
    (ZIGZAG, "C 1-1", "winner: A", 20, 1, "did you mean result:?"),
    (ZIGZAG, "Game", "Friday evening\n\nGame", 1, 1, "did you mean # Friday evening?"),
    (ZIGZAG, "Played", "Date", 4, 1, "did you mean Played:?"),
    (ZIGZAG, "2026-11-20", "3/4/2026", 4, 9, "this day could be 2026-04-03 or 2026-03-04"),
    (ZIGZAG, "2026-11-20", "last Friday", 4, 9, "a day is written as in 2026-11-20"),
    (ZIGZAG, "A Ana, B Ben, C Cy", "Ana Ben Cy", 2, 10, "did you mean Players: Ana, Ben, Cy?"),
    (ZIGZAG, "first_bidder = A", "first player: A", 3, 16, "'player' is not understood here: expected \"=\""),
    (BUILD_UP, "on 10", "on 5-5", 6, 10, "a stack is named by its number, counted from 1: write `on 10`"),
    (BUILD_UP, "on 10", "10", 6, 7, "expected on; did you mean on 10?"),
    (BUILD_UP, " on 10", "", 6, 6, "on which stack? write `A 6-6 on 10`"),
    (ZIGGURAT, "=0", "(0)", 4, 13, "did you mean =0?"),
    (ZIGGURAT, "a3-b3", "a3", 4, 7, "expected two squares such as b2-c2"),
]
"""A part of a sheet, something that could mean more than one thing, and where and how it is answered."""


def refusal(sheet: str | bytes) -> NotARecord:
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


@pytest.mark.parametrize(
    ("sheet", "usual", "way", "line", "column", "answer"), REFUSED, ids=[str(row[2]) for row in REFUSED]
)
def test_another_way_is_answered_with_what_would_be_right(
    sheet: str, usual: str, way: str, line: int, column: int, answer: str
) -> None:
    error = refusal(sheet.replace(usual, way, 1))
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
    assert refusal(ZIGZAG.replace("A has 2-2 4-7 3-5 ...", "A has 15")).reason.endswith("did you mean 1-5?")
