"""The error for a line that cannot be read, and how it words a part of the line and a suggestion."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.record.errors import NotARecord


def refusal(reason: str, column: int, line: int | None) -> NotARecord:
    """The error for the text in this column, counted from 1."""
    return NotARecord(reason, line=line, field=f"column {column}")


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The most similar of these words; None if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415  only for a mistake

    close = get_close_matches(word.lower()[:40], words, n=1, cutoff=0.5)
    return close[0] if close else None


def guess(suggestion: str | None) -> str:
    """The end of an error message: a suggestion."""
    return f"; did you mean {suggestion}?" if suggestion else ""


def quote(text: str) -> str:
    """A part of a line in quotes, shortened if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
