"""Reads one line of a sheet to its tree: at once if it is written as it should be, or else by the grammar."""

from __future__ import annotations

from functools import lru_cache

from ledger.notation import quick
from ledger.notation.seats import Letters
from ledger.notation.tree import Node

_SHORT = 80
"""The most characters of a line that is kept."""


@lru_cache(maxsize=1024)
def _short(line: str) -> Node | None:
    """The tree of a short line without names, kept because players play the same tiles in hand after hand."""
    return quick.tree(line, Letters())


def parse(line: str, number: int | None, letters: Letters, *, in_heading: bool = False) -> Node:
    """The tree of one line, which is line `number` of its sheet.

    `letters` has the letters of players whose names are written where a letter is expected; with `in_heading` it also
    helps to guess what was meant.  Raises NotARecord with line and column.
    """
    tree = _short(line) if len(line) <= _SHORT else None
    tree = tree or quick.tree(line, letters)
    if tree is not None:
        return tree
    from ledger.notation import grammar  # noqa: PLC0415  loading it takes longer than reading a sheet without it

    return grammar.parse(line, number, letters, in_heading=in_heading)
