"""Phrases that once puzzled readers must not appear again in any text that people read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("docs/*.md")), *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING"))]
CODE = [*sorted((ROOT / "ledger").rglob("*.py")), ROOT / "viewer" / "commands.py"]

AWAY = (
    # Acts and claims.
    r"points? said\b",
    r"is said to have won",
    r"is said to take",
    r"totals are said",
    r"(hand's )?points are said",
    r"the record is closed",
    r"a game of .{1,60} is opened for",
    r"tiles lie, ",
    r"really was:",
    r"before event .{1,9} there was",
    r"is taken back",
    r"\bgoing (east|south|west|north)\b",
    r"is next \(before",
    r"contractor, \d+ tiles",
    # Findings.
    r"claims agree with the rules",
    r"nothing (in the record )?proves that",
    r"that nobody can tell",
    r"(a|the) result is (said|claimed)",
    r"had ended when this",
    r"is written down twice",
    r"rests on the rulings",
    r"who (rules|ruled) over",
    # Commands.
    r"[Hh]old RECORDS against",
    r"[Ss]o many processes",
    r"DOMINO_LEDGER says it",
    r"no record is like that",
    r"no one player of",
    r"what was asked is answered",
    r"proxies of yours",
    r"what can be asked here",
    r"is at \S+ \(Ctrl",
    # Pages.
    r"install what they need first",
    r"day offline loses one",
    r"It says it all",
    r"can be taken along",
    r"stands in other sites",
    r"says all of it in JSON",
    r"What is no record is said",
    r"(?-i:Who asks to be forgotten)",
    r"(?-i:Who sends slowly)",
    r"(?-i:Who compares it on another phone)",
    r"each one's left neighbour next",
    r"Was it like that\?",
    r"It stood: record it",
    r"It (came one earlier|never happened)\b",
    r"Something is missing before",
    r"\bwhoever\b",
    # Phrases from another language.
    r"\bof which\b",
    r"\bso many\b",
    r"\b(is|are) to be\b",
    r"\b(that|what) is no\b",
    r"\band the like\b",
)
"""Regular expressions, in any case of letters."""
_AWAY = re.compile("|".join(f"(?:{sentence})" for sentence in AWAY), re.IGNORECASE)


def texts(path: Path) -> Iterator[str]:
    """The readable text of a file: the whole page, or the texts in code including docstrings."""
    if path.suffix == ".md":
        yield " ".join(path.read_text("utf-8").split())
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield " ".join(node.value.split())


def test_a_sentence_that_puzzled_readers_is_gone() -> None:
    phrases = {
        str(path.relative_to(ROOT)): match[0]
        for path in (*PAGES, *CODE)
        for text in texts(path)
        if (match := _AWAY.search(text))
    }
    assert not phrases


def test_no_replay_has_such_a_phrase() -> None:
    replays = sorted((ROOT / "fixtures").glob("*/*.replay.txt"))
    assert len(replays) > 300
    phrases = {path.stem: match[0] for path in replays if (match := _AWAY.search(path.read_text("utf-8")))}
    assert not phrases


def test_the_search_finds_such_phrases() -> None:
    assert _AWAY.search("Ana is said to have won")
    assert _AWAY.search("Hold RECORDS against the rules")
    assert not _AWAY.search("Result as called: Ana won")
