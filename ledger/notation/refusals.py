"""The error for a line that cannot be read, and how it words a part of the line and a suggestion."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.record.errors import NotARecord
from ledger.record.later import later
from ledger.record.words import listed_or

with later():
    from difflib import get_close_matches

Spot = tuple[int | None, int]
"""A line, and a column in it."""
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
"""A hyphen, and what phones and word processors make of it."""
_PHRASES = {
    "LETTER": "a player's letter",
    "TILE": "a tile such as 5-1",
    "SQUARES": "two squares such as b2-c2",
    "POINT": "a column and a row of the record such as 0,5",
    "LEVEL": "a level such as L2",
    "NTH": "the number of an event",
    "NUMBER": "a number",
    "RANKING": "regular or reverse",
    "SIDE": "left or right",
    "ENDING": "finished or abandoned",
    "KEY": "a heading such as Game:",
    "TEXT": "a text",
    "WORD": "a word",
    "QUOTED": "a text in quotes",
    "MORE": "...",
}
"""Names for what is not a word or a mark of the notation, in the order of listing."""


def refusal(reason: str, column: int, line: int | None) -> NotARecord:
    """The error for the text in this column, counted from 1."""
    return NotARecord(reason, line=line, field=f"column {column}")


def listed(expected: Iterable[str]) -> str:
    """What is allowed in a place: ``a number, a tile such as 5-1 or nothing``."""
    kinds = set(expected)
    phrases = [phrase for kind, phrase in _PHRASES.items() if kind in kinds]
    words = kinds - _PHRASES.keys() - {"END"}
    phrases += sorted(words, key=lambda word: (word[0] == '"', word))
    phrases += ["the end of the line"] if "END" in kinds else []
    return listed_or(phrases) if phrases else ""


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The most similar of these words; None if none is similar."""
    close = get_close_matches(word.lower()[:40], words, n=1, cutoff=0.5)
    return close[0] if close else None


def guess(suggestion: str | None) -> str:
    """The end of an error message: a suggestion."""
    return f"; did you mean {suggestion}?" if suggestion else ""


def quote(text: str) -> str:
    """A part of a line in quotes, shortened if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
