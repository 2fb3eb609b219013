"""Trees of lines, for comparison."""

from __future__ import annotations

from ledger.notation import grammar, quick
from ledger.notation.seats import Letters
from ledger.notation.tree import Node, Token
from ledger.record.errors import NotARecord


def shape(part: Node | Token) -> object:
    """All of a tree; tokens are equal to others of the same text."""
    if isinstance(part, Token):
        return part.type, str(part), part.column
    return part.data, part.column, [shape(child) for child in part.children]


def is_read(line: str, letters: Letters) -> bool:
    """Whether the quick reader reads a line.  Fails if the grammar does not read it alike."""
    tree = quick.tree(line, letters)
    if tree is not None:
        try:
            expected = shape(grammar.parse(line, None, letters))
        except NotARecord as error:
            expected = error.reason
        assert shape(tree) == expected, line
    return tree is not None
