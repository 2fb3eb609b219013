"""Score sheets as people write them: each way is read as it is meant, or answered with what would be right."""

# ruff: noqa: RUF001  people write characters that look like others

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
    (b"Ana", "Añá".encode("latin-1"), 2, 13, "if it is meant as 'ñ', save the file as UTF-8"),
    (b"2-2", "2–2".encode("cp1252"), 6, 8, "if it is meant as '–', save the file as UTF-8"),
]
"""A part of a sheet in another encoding, and where and how it is answered; tests/refused.py has all other refusals."""


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


@pytest.mark.parametrize(("usual", "way", "line", "column", "answer"), REFUSED, ids=["latin-1", "cp1252"])
def test_another_encoding_is_named(usual: bytes, way: bytes, line: int, column: int, answer: str) -> None:
    error = refusal(ZIGZAG.encode().replace(usual, way, 1))
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
