"""Spellings of people on paper: what is clear is read as it is meant, and what is not is refused in plain words."""

import pytest

from ledger import notation
from ledger.notation.spellings import as_meant
from ledger.record.errors import NotARecord

HEAD = "Game: ziggurat\nPlayers: A Ana, B Ben\n\n"
ACTS = "A 4-2 d4-d3\nB 2-0 e4-e3\n"
WANTED = notation.read(HEAD + ACTS).events


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
        ("Ziggurat\nPlayers: A Ana, B Ben\n" + ACTS, HEAD + ACTS),
        (HEAD + "A O-O d4-d3", HEAD + "A 0-0 d4-d3"),
        (HEAD + "A 4-2 d4-d3 1\nB 2-0 e4-e3 L1 2", HEAD + "A 4-2 d4-d3 +1\nB 2-0 e4-e3 L1 +2"),
        (HEAD + "A 4-2 d4-d3    B 2-0 e4-e3", HEAD + ACTS),
        (HEAD + "A 4-2 d4-d3 | B 2-0 e4-e3", HEAD + ACTS),
        (HEAD + "A 4-2 d4-d3\n2-0 e4-e3\n", HEAD + ACTS),
        (HEAD + "1. Ana 4-2 d4-d3\n2. 2-0 e4-e3\n", HEAD + ACTS),
        (HEAD + ACTS + "Score: A 0, B 0", HEAD + ACTS + "total: A 0, B 0"),
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
    text = HEAD + ACTS + "note: at 4:30, 3 - 1 for Ana; O-O\nA 1-0 d1-e1 +1 # 4 - 2\n"
    assert as_meant(text)[0].split("note")[0] == text.split("note")[0]
    assert "note: at 4:30, 3 - 1 for Ana; O-O" in as_meant(text)[0]


def test_two_games_that_can_be_meant_are_not_guessed() -> None:
    assert "Game:" not in as_meant("Players: A Ana\nnote: no move\n")[0]


def test_a_line_without_its_player_is_asked_about() -> None:
    with pytest.raises(NotARecord, match="whose move\\? Write the player's letter first, as in `A 4-2 d4-d3`"):
        notation.read(HEAD + "4-2 d4-d3")
