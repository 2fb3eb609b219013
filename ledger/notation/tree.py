"""The tree of a line: what the grammar and the quick reader make of it, and the rest of the notation reads."""

from __future__ import annotations

import re
from typing import Self

from msgspec import Struct

PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s",;:()\[\]=#]+|\S')
"""A piece of a line: a text in quotes, a word, or a mark."""
Spot = tuple[int | None, int]
"""A line, and a column in it."""


class Token(str):
    """A word or a mark as it was written; `type` is its terminal in the grammar, `column` counts from 1."""

    __slots__ = ("column", "type")
    type: str
    column: int

    def __new__(cls, text: str, type_: str, column: int) -> Self:
        """A token that begins in that column."""
        token = str.__new__(cls, text)
        token.type = type_
        token.column = column
        return token


class Node(Struct, frozen=True, gc=False):
    """A part of a line: `data` is its rule in the grammar, `column` that of its first character."""

    data: str
    children: tuple[Node | Token, ...]
    column: int


def trees(node: Node) -> list[Node]:
    """The children that have children of their own."""
    return [child for child in node.children if type(child) is Node]


def tokens(node: Node) -> list[Token]:
    """The children that are tokens."""
    return [child for child in node.children if type(child) is Token]


def token_of(node: Node) -> Token:
    """The first child that is a token; the grammar guarantees one."""
    first = node.children[0]
    return first if type(first) is Token else tokens(node)[0]
