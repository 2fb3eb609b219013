"""The quick reader of lines: what it reads, the grammar reads alike; without it nothing changes."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.extra.lark import from_lark
from lark import Lark

import soup
from fuzz.trees import is_read
from golden import CASES
from ledger.games import catalog
from ledger.notation import grammar, lines, quick, read, write
from ledger.notation.seats import Letters
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.codec import check, encode
from ledger.record.errors import NotARecord, every
from ledger.record.events import CORRECTIONS, EVENTS, Open, Player
from ledger.record.record import Record
from test_notation import HEADING, NASTY, SHEETS, THREE, WRITTEN, records, small_records

NOBODY = Letters()
PEOPLE = (
    "Ana",
    "Ben Smith",
    "ana lee",
    "Çem",
    "Bo-Lee",
    "Dup",
    "Dup",
    "Hand",
    "by",
    "Nobody",
    "A Q",
    "Over",
    "as",
    "İ",
)


def lines_of(sheet: str) -> list[str]:
    """The lines of a sheet that are neither empty nor comments."""
    return [line for line in sheet.splitlines() if line.strip() and not line.startswith("#")]


@cache
def written() -> tuple[str, ...]:
    """The lines of many records as `write` writes them, each line once: games with slips, and every event anywhere."""
    random = Random(1)
    sources = [codec.decode(path.read_bytes()) for path in CASES]
    for name in catalog.built_in():
        game = catalog.find(name)
        for seed in range(3):
            options, players, edition = any_options(game, random)
            sources.append(simulate(game, seed, options, players=players, edition=edition))
    players = [player.id for player in THREE.players]
    kinds = [kind for kind in EVENTS if kind not in (Open, *CORRECTIONS)]
    events = [soup.event(kind, players, random) for kind in kinds * 6]
    sources.append(check([THREE, *events, *(soup.correction(90, kinds, players, random) for _ in range(90))]))
    sheets = (write(record, numbered=number % 4 == 0) for number, record in enumerate(sources))
    return tuple(dict.fromkeys(line for sheet in sheets for line in lines_of(sheet)))


def test_the_lines_that_are_written_need_no_grammar() -> None:
    unread = [line for line in written() if not is_read(line, NOBODY)]
    assert len(unread) < len(written()) / 100, unread


def test_hardly_anything_on_the_page_needs_the_grammar() -> None:
    shown = [*WRITTEN, *(line for sheet in SHEETS for line in lines_of(sheet))]
    unread = [line for line in shown if not is_read(line, NOBODY)]
    assert len(unread) < len(shown) / 20, unread


@pytest.mark.parametrize(
    "line",
    [
        "  a   PLAYS  5-1 # well done",
        "A: passes",
        "12. A passes",
        "012) A passes",
        "C HAVE 1-1,2-2 ...",
        "A takes 6 9 points",
        "A 5-1 B2-c2 l4 4 points",
        "TOTAL A 5,B -3",
        'note 3: "a\\n\\"b"  # a comment',
        "note: Ana's 5\" tile; (no joke) = #1",
        "result: nobody as it was",
        "by nobody: amend 3 by \"dee\": note: \"x\" because of 'because'",
        "insert 3: open GAME: x y; Players: Ana, B Ben (p) because so",
        "Rules: #1",
        "Opened by: nobody",
        'options: set=9, x = [1 2,3], y = "a b"',
        "Squares: A1=-3,4",
        "Place:   the kitchen # table  ",
    ],
)  # fmt: skip
def test_lines_as_people_write_them_need_no_grammar(line: str) -> None:
    assert is_read(line, NOBODY)


@pytest.mark.parametrize(
    "line",
    [
        'Players: A"Ana"',
        "Players: A because",
        "Players: A x=",
        "retract 1 because#so",
        "retract 1 because: so",
        "amend 1: A passes because(so)",
        "amend 1: note: hello",
        "A takes 6,",
        "A has 1-1, ...",
        "A has 1-1 nothing",
        "A 13-1",
        "A 5-1 abcd1-abce1",
        "A 5-1 a12345-a12346",
        "A 5-1 \u212a1-\u212a2",
        "A bids \u0661",
        "A bids +1",
        "A bids 1_0",
        "A123 passes",
        "A passes\nnote: x",
        'note: "never closed',
        'note: "x" y',
        "note:",
        "note: ",
        "12.5-1",
        "Game zigzag",
        "Opened: A",
        "Squares: a1 = 0 3",
        "In\u017fert passes",
        "",
        " # a comment",
    ],
)
def test_a_line_that_only_looks_right_is_left_to_the_grammar(line: str) -> None:
    letters = NOBODY.after([(None, Player(id="p", name="In\u017fert"))])
    assert quick.tree(line, letters) is None


MARKS = [*NASTY, *'",;:()[]=#.-–\\', " ", "\t", "\u00a0", "\x1c", "\n", "\u0661", "\u212a", "a 5-1", "-3", "007", "k",
         "A1", "Z100", "=4", "L2", "level 2", "4 points", "tiles", "b2-c2", "aaaa1-b1", "a12345-a1", "-a0--b-2", "left",
         "on 3", "because so", 'because "x"', "because", "because:", "as", "by", "by nobody:", "open ", "Game:",
         "Players:", "Options: set=9", "Squares: a1 = 0, 3", "By:", "Opened by:", "note:", "note 3:", "hand:", "total",
         "end", "x = [1]", "retract 1", "amend 2:", "insert before 1:", "1)", "12 ."]  # fmt: skip


def mutated(line: str, random: Random) -> str:
    """The line with a few slips of the pen."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        words, place = line.split(" "), random.randrange(len(line) + 1)
        line = random.choice((
            f"{line[:place]}{random.choice(MARKS)}{line[place:]}",
            f"{line[:place]} {random.choice(MARKS)} {line[place:]}",
            f"{line[:place]}{line[place + random.choice((1, 1, 2, 5)) :]}",
            " ".join(random.sample(words, len(words))),
            " ".join([*words[:-1], random.choice(MARKS)]),
            line.swapcase(),
        ))  # fmt: skip
    return line


def test_a_mutated_line_is_read_as_the_grammar_reads_it() -> None:
    random = Random(20261122)
    seeds = [*written(), *WRITTEN, *(line for sheet in SHEETS for line in lines_of(sheet))]
    count = sum(is_read(mutated(random.choice(seeds), random), NOBODY) for _ in range(20_000))
    assert count > 2000  # or these slips would show nothing


def test_a_name_is_read_as_the_grammar_reads_it() -> None:
    random, count = Random(20261122), 0
    for _ in range(3000):
        people = random.sample(PEOPLE, random.randint(1, 6))
        letters = NOBODY.after((None, Player(id=f"p{number}", name=name)) for number, name in enumerate(people))
        names = [name for person in people for name in (person, person, person.upper())]
        parts = re.split(r"\b[A-Z](?=[ :,]|$)", random.choice(written()))
        line = "".join(part + random.choice(names) for part in parts[:-1]) + parts[-1]
        count += is_read(line if random.random() < 0.7 else mutated(line, random), letters)
    assert count > 1000


@given(records())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_written_record_is_read_as_the_grammar_reads_it(record: Record) -> None:
    for line in lines_of(write(record)):
        is_read(line, NOBODY)


@given(from_lark(Lark(grammar.source(), start="row"), start="row"))
@settings(max_examples=4 * settings.default.max_examples, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_grammar_allows_is_read_as_the_grammar_reads_it(line: str) -> None:
    is_read(line, NOBODY)


# ---- Sheets


def test_a_right_sheet_is_read_without_the_grammar() -> None:
    assert "lark" not in imported_by(*SHEETS)
    assert "lark" in imported_by(HEADING + "A pases")


def test_the_audit_of_a_right_sheet_never_loads_the_grammar(tmp_path: Path) -> None:
    sheet = tmp_path / "game.sheet"
    sheet.write_text(SHEETS[0], "utf-8")
    command = [sys.executable, "-X", "importtime", "-m", "ledger.cli", "audit", str(sheet)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = [line.rpartition("|")[2].strip() for line in process.stderr.splitlines()]
    assert "ledger.notation.quick" in modules
    assert "lark" not in modules


def imported_by(*sheets: str) -> set[str]:
    """The modules that a process imports to read these sheets, and the last line of each once more by itself."""
    code = """if True:
        import contextlib, sys
        from ledger import notation
        from ledger.record.errors import NotARecord
        with contextlib.suppress(NotARecord):
            for sheet in sys.argv[1:]:
                record = notation.read(sheet)
                notation.read_line(notation.write(record).splitlines()[-1], record)
        print(*sys.modules)"""
    process = subprocess.run([sys.executable, "-c", code, *sheets], capture_output=True, text=True, check=True)
    return set(process.stdout.split())


def outcome(sheet: str) -> object:
    """The record that is read from a sheet, or all its mistakes."""
    try:
        return encode(read(sheet))
    except NotARecord as error:
        return [str(mistake) for mistake in every(error)]


def test_without_the_quick_reader_everything_is_read_and_refused_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(20261122)
    sheets = [*SHEETS, *map(write, small_records())]
    for sheet in list(sheets):
        several = sheet.splitlines()
        for _ in range(20):
            place = random.randrange(len(several))
            sheets.append("\n".join([*several[:place], mutated(several[place], random), *several[place + 1 :]]))
    outcomes = list(map(outcome, sheets))
    assert 20 < sum(isinstance(result, bytes) for result in outcomes) < len(outcomes) - 20
    monkeypatch.setattr(lines, "_short", lambda _line: None)
    monkeypatch.setattr(lines.quick, "tree", lambda _line, _letters: None)
    assert list(map(outcome, sheets)) == outcomes
