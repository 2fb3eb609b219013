"""What commands say is right to the last letter: one event, a day, a folder that may not be written."""

import json
from pathlib import Path

import pytest

from command_output import outcome_of
from golden import FIXTURES

CLEAN = FIXTURES / "zigzag" / "win-broken.json"
BROKEN = FIXTURES / "zigzag" / "take-broken.json"
PEOPLE = ("Ana", "Ben", "Cy")


@pytest.fixture
def ledger(tmp_path) -> str:
    """A ledger with one game that has only begun."""
    path = str(tmp_path / "club.sqlite")
    assert outcome_of("--ledger", path, "new", "zigzag", *PEOPLE)[0] == 0
    return path


@pytest.fixture
def archive(tmp_path) -> str:
    """An archive with three games of Zigzag and one of Build Up."""
    path = tmp_path / "games.ndjson"
    texts = [outcome_of("simulate", "zigzag", "--count", "3")[1], outcome_of("simulate", "build-up")[1]]
    path.write_text("".join(texts), "utf-8")
    return str(path)


def test_one_of_a_thing_is_not_several(ledger: str, tmp_path) -> None:
    assert "intact, 1 event in 1 record\n" in outcome_of("--ledger", ledger, "verify")[2]
    assert outcome_of("--ledger", ledger, "player", "Ana")[1].splitlines()[1] == "1 game, 1 unfinished"
    one = tmp_path / "one.ndjson"
    assert outcome_of("simulate", "zigzag", "-o", str(one))[0] == 0
    assert outcome_of("verify", str(one))[2].endswith("intact, 1 record, without a manifest\n")
    assert outcome_of("--ledger", ledger, "import", str(one))[0] == 0
    assert outcome_of("--ledger", ledger, "statistics", "zigzag")[1].startswith("Zigzag: 1 finished game, 1 unfinished")


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("Game: zigzag\nPlayers: A, B, C\nOptions: hands = 1\n\nresult: A", "but 1 of 1 hand is still to be played"),
        ("Game: zigzag\nPlayers: A, B, C\nOptions: hands = 3\n\nresult: A", "but 3 of 3 hands are still to be played"),
        ("Game: zigzag\nPlayers: A, B, C\nOptions: hands = 1\n\nA bids 3", "1 hand is not a multiple of 3"),
        ("Game: zigzag\nPlayers: A, B, C\nOptions: hands = 4\n\nA bids 3", "4 hands are not a multiple of 3"),
        ("Game: build-up\nPlayers: A, B\n\nA lays 0-1", "a lays out 1 tile, not 6"),
        ("Game: build-up\nPlayers: A, B\n\nresult: A", "but 4 of 4 hands are not played out"),
    ],
)
def test_a_finding_counts_one_hand_as_it_counts_several(sheet: str, words: str, tmp_path) -> None:
    path = tmp_path / "game.sheet"
    path.write_text(f"{sheet}\n", "utf-8")
    assert words in outcome_of("audit", str(path))[1]


_GALE = """Game: domino-ziggurat
Edition: 1.1
Players: A Ana

A draws 1-5
A draws 1-4
A draws 3-4
A 1-5 c5-c6
A 4-1 a5-b5
A 4-3 a4-b4
A draws 3-2
A 3-2 b5-c5 L2
A lifts 4-1
"""
_LAID_OUT = """Game: build-up
Players: A Ana, B Ben

A lays 0-3 1-3 2-2 3-3 5-6 1-6
B lays 6-6 1-4 0-0 5-5 4-6 2-5
A draws 3-6
B draws 4-5
A 4-3 on 1
"""
_TAKEN = """Game: zigzag
Players: A Ana, B Ben, C Cy
Options: first_bidder = A

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
A takes 6
B 0-1
B takes 2
C 1-1
"""


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (_LAID_OUT + "B 4-4 on 3\nA 4-3 on 2", "Ana's 4-3 is on a stack already."),
        (_LAID_OUT + "B 4-4 on 7", "Ben's 4-4 is on the 6-6 of stack 7, which no tile covers."),
        (_GALE.replace("A draws 3-4\n", ""), "Before the first domino, the 1-5, only 2 tiles were drawn, not 3."),
        (_GALE, "If “Ana lifts 3-2” was forgotten before move 9,"),
        (_TAKEN + "C takes 0", "Cy claims a pile of no tiles, but the last one they took has 6 tiles."),
        (_TAKEN, "was “Cy takes 6 tiles (as called)”, and the piles after it were changed to match,"),
    ],
)
def test_a_finding_says_what_the_table_wrote(sheet: str, words: str, tmp_path) -> None:
    path = tmp_path / "game.sheet"
    path.write_text(f"{sheet}\n", "utf-8")
    assert words in outcome_of("audit", "--explain", str(path))[1]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("played", "yesterday", "event 0: $.played: a day is written as in 2026-11-20"),
        ("when", "19:30", "event 0: $.when: a time is written as in 2026-11-20T19:30:00Z"),
    ],
)
def test_a_day_or_time_of_another_shape_is_refused_in_words(field: str, value: str, reason: str, tmp_path) -> None:
    document = json.loads(CLEAN.read_bytes())
    document["events"][0][field] = value
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document), "utf-8")
    assert reason in outcome_of("audit", str(path))[2]


@pytest.mark.parametrize("command", [("new", "zigzag", *PEOPLE), ("simulate", "zigzag")])
def test_a_misspelled_option_is_answered_with_the_one_that_was_meant(command: tuple[str, ...], tmp_path) -> None:
    code, _out, err = outcome_of("--ledger", str(tmp_path / "a"), *command, "-p", "trget=10")
    assert (code, err.splitlines()[-1]) == (2, "Error: Zigzag has no option 'trget'; did you mean target?")


def test_a_wrong_number_of_simulated_players_is_refused_without_a_place_in_a_record() -> None:
    code, _out, err = outcome_of("simulate", "zigzag", "--players", "4")
    assert (code, err.splitlines()[-1]) == (2, "Error: Zigzag is for three players, not 4")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only on Linux is there a folder that nobody may write")
def test_a_folder_that_may_not_be_written_is_named() -> None:
    code, _out, err = outcome_of("--ledger", "/proc/club.sqlite", "new", "zigzag", *PEOPLE)
    assert (code, err) == (
        3, "Error: /proc/club.sqlite: there is no such file, and you may not write one to the folder /proc\n"
    )  # fmt: skip


def test_statistics_of_files_are_those_of_a_ledger_with_the_same_games(archive: str, tmp_path) -> None:
    home = ("--ledger", str(tmp_path / "a.sqlite"))
    assert outcome_of(*home, "import", archive, str(BROKEN))[0] == 0
    for game in ((), ("zigzag",), ("build-up",)):
        code, out, err = outcome_of("--ledger", "none.sqlite", "statistics", archive, *game, str(BROKEN), "--json")
        assert (code, err) == (0, "")
        ours, theirs = (
            map(json.loads, text.splitlines()) for text in (out, outcome_of(*home, "statistics", *game, "--json")[1])
        )
        for own, kept in zip(ours, theirs, strict=True):
            for part in ("marks",):  # they name records, which have ids there and places in files here
                assert len(own.pop(part, ())) == len(kept.pop(part, ()))
            assert own == kept


def test_statistics_refuse_what_is_no_game_and_no_file(archive: str) -> None:
    assert outcome_of("statistics", "nofile.ndjson")[::2] == (3, "Error: there is no file nofile.ndjson\n")
    assert "statistics are of one game" in outcome_of("statistics", "zigzag", "build-up", archive)[2]
    code, out, err = outcome_of("statistics", archive, __file__.replace(".py", ".sheet"))
    assert (code, out) == (3, "")
    assert "there is no file" in err


def test_a_table_for_a_spreadsheet_begins_with_the_mark_of_its_encoding(ledger: str) -> None:
    assert outcome_of("--ledger", ledger, "statistics", "--csv")[1].startswith("\ufeffrecord,day,")
