"""Reads a line that is written as it should be to the tree that the grammar would make of it, without the grammar.

Loading the grammar takes longer than auditing a game.  This package answers None to every line that it is not sure of,
and the grammar reads or refuses that line.  So it reports no mistakes, and without it the program would do the same,
only more slowly.

Source: the grammar, `sheet.lark`.  Most functions have the names of the grammar's rules that they read.
"""

from __future__ import annotations

from ledger.notation.quick.events import line_of, whom
from ledger.notation.quick.opening import ENTRIES, SQUARES, corner, heading
from ledger.notation.quick.pieces import Pieces, UnsureError
from ledger.notation.seats import Letters
from ledger.notation.tree import Node


def tree(line: str, letters: Letters) -> Node | None:
    """The tree of one line, or None if only the grammar can tell.

    `letters` has the letters of players whose names are written where a letter is expected.
    """
    if "\n" in line:
        return None
    try:
        pieces = Pieces(line, letters)
        node = _row(pieces)
    except UnsureError:
        return None
    return node if pieces.at_end() else None


def _row(pieces: Pieces) -> Node:
    column, word = pieces.column, pieces.piece.lower()
    if word in ENTRIES:
        return heading(pieces, lambda pieces: (pieces.text(),))
    if word in SQUARES:
        return corner(pieces)
    if word == "opened" or (word == "by" and pieces.following() == ":"):
        pieces.step()
        if word == "opened" and not pieces.keyword("by"):
            raise UnsureError
        pieces.require(":")
        return Node("opened_by" if word == "opened" else "by", (whom(pieces),), column)
    return line_of(pieces)
