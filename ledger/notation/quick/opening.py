"""Reads the opening of a record: the heading of a sheet, or one line of it."""

from __future__ import annotations

from collections.abc import Callable

from ledger.notation.quick.pieces import Pieces, UnsureError, listed, part
from ledger.notation.tree import Node, Token

_ENTRIES = frozenset(("game", "edition", "played", "place", "event", "recorder", "rules"))
_OPTIONS = frozenset(("option", "options"))
_PLAYERS = frozenset(("player", "players"))
ENTRIES = _ENTRIES | _OPTIONS | _PLAYERS
"""The words before the colons of a heading that an opening on one line may have too."""
SQUARES = frozenset(("square", "squares"))


def heading(pieces: Pieces, said: Callable[[Pieces], tuple[Token, ...]]) -> Node:
    """An entry, options or players; `said` reads the text of an entry."""
    column, word = pieces.column, pieces.piece.lower()
    pieces.step()
    if pieces.piece != ":":
        raise UnsureError
    if word in _ENTRIES:
        return Node("entry", (pieces.token_from(column, "KEY"), *said(pieces)), column)
    pieces.step()
    if word in _OPTIONS:
        return Node("options", listed(pieces, _option), column)
    if word in _PLAYERS:
        return Node("players", listed(pieces, _seat), column)
    raise UnsureError


def corner(pieces: Pieces) -> Node:
    """The heading's line that says where the squares begin."""
    column = pieces.column
    pieces.step()
    pieces.require(":")
    if not pieces.keyword("a1"):
        raise UnsureError
    pieces.require("=")
    begin = pieces.column
    pieces.take("NUMBER")
    pieces.require(",")
    if not pieces.fits("NUMBER"):
        raise UnsureError
    return Node("corner", (pieces.token_from(begin, "POINT"),), column)


def opened(pieces: Pieces) -> tuple[Node, ...]:
    """The parts of an opening on one line."""
    parts = [heading(pieces, _words)]
    while pieces.mark(";"):
        parts.append(heading(pieces, _words))
    return tuple(parts)


def _option(pieces: Pieces) -> Node:
    name = pieces.word()
    pieces.require("=")
    value = _numbers(pieces) if pieces.piece == "[" else part("value", pieces.word())
    return Node("option", (name, value), name.column)


def _numbers(pieces: Pieces) -> Node:
    column, numbers = pieces.column, list[Token]()
    pieces.require("[")
    while not pieces.mark("]"):
        if numbers:
            pieces.mark(",")
        numbers.append(pieces.take("NUMBER"))
    return Node("list", tuple(numbers), column)


def _seat(pieces: Pieces) -> Node:
    column, parts = pieces.column, list[Node | Token]()
    if pieces.is_letter():
        parts.append(pieces.letter())
    if pieces.is_word() or pieces.piece[:1] == '"':
        begin = pieces.column
        parts.append(Node("name", _words(pieces), begin))
    begin = pieces.column
    if parts and pieces.mark("("):
        parts.append(Node("id", (pieces.word(),), begin))
        pieces.require(")")
    if not parts:
        raise UnsureError
    return Node("seat", tuple(parts), column)


def _words(pieces: Pieces) -> tuple[Token, ...]:
    """Words, or a text in quotes.  `because` ends them where a correction may say why."""
    words = list[Token]()
    while pieces.is_word() and not pieces.is_because():
        words.append(pieces.token("WORD"))
    return tuple(words) or (pieces.quoted(),)
