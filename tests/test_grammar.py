"""The grammar on the page of the score sheet, held against the reader and the writer."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import soup
from golden import CASES
from ledger.games import catalog
from ledger.notation import read, write
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.codec import check
from ledger.record.errors import NotARecord
from ledger.record.events import ABOUT_RECORDS, EVENTS, Open
from refused import sections
from test_notation import PAGE, SHEETS, THREE, WRITTEN, small_records

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
HEADING = re.compile(expression("heading"))


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
    return bool(LINE.fullmatch(line) or HEADING.fullmatch(line))


def is_understood(refusal: str) -> bool:
    """Whether it is not the words that are refused: a wrong number, or squares that do not touch, are no grammar."""
    return "not understood" not in refusal and "too early" not in refusal


def refusal(sheet: str) -> str:
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
        assert is_understood(refusal(f"Game: any\nPlayers: A Ana, B Ben, C Cy\n\n{line}")), line
    words = {word for rule in RULES for part in parts(rule) for word in re.findall('^"([a-z]{3,})"$', part)}
    assert words - seen == set()


def test_what_the_grammar_describes_as_a_heading_is_read() -> None:
    random = Random(7)
    for _ in range(500):
        line = example("heading", random).strip()
        others = "".join(f"{other}\n" for other in ("Game: any", "Players: A, B, C") if other[:5] != line[:5])
        assert is_understood(refusal(others + line)), line
