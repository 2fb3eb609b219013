"""Reads a line that is written as it should be to the tree that the grammar would make of it, without the grammar.

Loading the grammar takes as long as auditing a game.  This module answers None to every line that it is not sure of,
and the grammar reads or refuses that line.  So this module knows no mistakes, and without it the program would only be
slower.

Source: the grammar, `sheet.lark`.  The functions are named like the rules of the grammar that they read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ledger.notation.pieces import Pieces, UnsureError
from ledger.notation.seats import LETTER
from ledger.notation.tree import Node, Token

_NOT_AFTER_A_LETTER = frozenset('"[]=')
_NOT_AFTER_BECAUSE = frozenset(",;:()[]=#")
_KEYS = frozenset(("game", "edition", "played", "place", "event", "recorder", "rules"))
_OPTIONS = frozenset(("option", "options"))
_PLAYERS = frozenset(("player", "players"))
_SQUARES = frozenset(("square", "squares"))


def tree(line: str) -> Node | None:
    """The tree of one line in which letters name the players, or None if only the grammar can tell."""
    if "\n" in line:
        return None
    try:
        pieces = Pieces(line)
        node = _row(pieces)
    except UnsureError:
        return None
    return None if pieces.piece else node


_Read = Callable[[Pieces], tuple[Node, ...]]
"""Reads the parts of an event behind its keyword."""


def _part(name: str, token: Token) -> Node:
    return Node(name, (token,), token.column)


def _maybe(pieces: Pieces, name: str, type_: str) -> tuple[Node, ...]:
    """A part that may be missing."""
    return (_part(name, pieces.token(type_)),) if pieces.fits(type_) else ()


def _one(name: str, type_: str) -> _Read:
    """Reads a single part."""
    return lambda pieces: (_part(name, pieces.take(type_)),)


# ---- Lines


def _row(pieces: Pieces) -> Node:
    column, word = pieces.column, pieces.piece.lower()
    if word in _KEYS or word in _OPTIONS or word in _PLAYERS:
        return _heading(pieces, lambda: (pieces.text(),))
    if word in _SQUARES:
        return _corner(pieces)
    if word == "opened" or (word == "by" and pieces.following() == ":"):
        pieces.step()
        if word == "opened" and not pieces.keyword("by"):
            raise UnsureError
        pieces.require(":")
        return Node("opened_by" if word == "opened" else "by", (_whom(pieces),), column)
    return _line(pieces)


def _line(pieces: Pieces) -> Node:
    column, number = pieces.column, tuple[Token, ...]()
    if pieces.piece.endswith(".") and pieces.piece[:-1].isdigit() and pieces.piece.isascii():
        number = (pieces.token("SEQ"),)
    return Node("line", (*number, *_by(pieces), _told(pieces, _LINES)), column)


def _by(pieces: Pieces) -> tuple[Node, ...]:
    column = pieces.column
    if not pieces.keyword("by"):
        return ()
    recorder = _whom(pieces)
    pieces.require(":")
    return (Node("by", (recorder,), column),)


def _whom(pieces: Pieces) -> Token:
    return pieces.token("NOBODY") if pieces.piece.lower() == "nobody" else _letter(pieces)


def _letter(pieces: Pieces) -> Token:
    if not LETTER.fullmatch(pieces.piece):
        return pieces.quoted()
    if pieces.following() in _NOT_AFTER_A_LETTER:
        raise UnsureError
    return pieces.token("LETTER")


def _player(pieces: Pieces) -> Node:
    player = _part("player", _letter(pieces))
    pieces.mark(":")
    return player


def _told(pieces: Pieces, without_player: dict[str, tuple[str, _Read]]) -> Node:
    """An event that begins with its own keyword, one of these, or with a player."""
    column = pieces.column
    keyword = without_player.get(pieces.piece.lower())
    if keyword:
        pieces.step()
        name, read = keyword
        return Node(name, read(pieces), column)
    player = _player(pieces)
    verb = _VERBS.get(pieces.piece.lower())
    if verb is None:
        pieces.keyword("play", "plays")
        name, parts = _played(pieces)
    else:
        pieces.step()
        name, parts = verb[0], verb[1](pieces)
    return Node(name, (player, *parts), column)


def _played(pieces: Pieces) -> tuple[str, tuple[Node, ...]]:
    """A tile, and where it was played."""
    tile = _part("tile", pieces.take("TILE"))
    if pieces.keyword("on"):
        return "stack", (tile, _part("stack", pieces.take("NUMBER")))
    at = _maybe(pieces, "at", "SQUARES")
    if not at:
        return "play", (tile, *_maybe(pieces, "end", "SIDE"))
    level = _maybe(pieces, "level", "LEVEL")
    return "place", (tile, *at, *level, *_maybe_points(pieces))


def _maybe_points(pieces: Pieces) -> tuple[Node, ...]:
    column = pieces.column
    if pieces.mark("="):
        return (Node("points", (pieces.take("NUMBER"),), column),)
    points = _maybe(pieces, "points", "NUMBER")
    if points and not pieces.keyword("point", "points"):
        raise UnsureError
    return points


def _tiles(pieces: Pieces) -> tuple[Node, ...]:
    column, tiles = pieces.column, list[Token]()
    if not pieces.keyword("nothing"):
        tiles.append(pieces.take("TILE"))
    while tiles and (pieces.mark(",") or pieces.fits("TILE")):
        tiles.append(pieces.take("TILE"))
    return (Node("tiles", tuple(tiles), column),)


def _held(pieces: Pieces) -> tuple[Node, ...]:
    partial = _maybe(pieces, "partial", "MORE")
    return partial or (*_tiles(pieces), *_maybe(pieces, "partial", "MORE"))


def _aside(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    return _tiles(pieces)


def _ranked(pieces: Pieces) -> tuple[Node, ...]:
    return (_part("high", pieces.take("NUMBER")), *_maybe(pieces, "direction", "RANKING"))


def _taken(pieces: Pieces) -> tuple[Node, ...]:
    if pieces.piece == "=":
        return _maybe_points(pieces)
    number = pieces.take("NUMBER")
    if pieces.keyword("point", "points"):
        return (_part("points", number),)
    pieces.keyword("tile", "tiles")
    comma = pieces.mark(",")
    points = _maybe_points(pieces)
    if comma and not points:
        raise UnsureError
    return (_part("taken", number), *points)


def _scores(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    column = pieces.column
    if pieces.piece.lower() == "nobody":
        return (_part("scores", pieces.token("NOBODY")),)
    return (Node("scores", tuple(_list(pieces, _score)), column),)


def _score(pieces: Pieces) -> Node:
    player = _player(pieces)
    return Node("score", (player, pieces.take("NUMBER")), player.column)


def _list(pieces: Pieces, read: Callable[[Pieces], Node]) -> Iterator[Node]:
    """One or several, with commas between them."""
    yield read(pieces)
    while pieces.mark(","):
        yield read(pieces)


def _counted(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    return (_part("count", pieces.take("NUMBER")),)


def _agreed(pieces: Pieces) -> tuple[Node, ...]:
    return (_part("head", pieces.word()),)


# ---- Free text, which is in quotes where the line goes on


def _note(pieces: Pieces, text: Callable[[Pieces], Token] = Pieces.text) -> tuple[Node, ...]:
    about = _maybe(pieces, "about", "NTH")
    pieces.require(":")
    return (*about, _part("text", text(pieces)))


def _result(pieces: Pieces, text: Callable[[Pieces], Token] = Pieces.text) -> tuple[Node, ...]:
    pieces.mark(":")
    column = pieces.column
    if pieces.piece.lower() == "nobody":
        winners = _part("winners", pieces.token("NOBODY"))
    else:
        winners = Node("winners", tuple(_list(pieces, _player)), column)
    return (winners, _part("title", text(pieces))) if pieces.keyword("as") else (winners,)


# ---- Corrections


def _retracted(pieces: Pieces) -> tuple[Node, ...]:
    return (_part("seq", pieces.take("NTH")), *_maybe_why(pieces))


def _amended(pieces: Pieces) -> tuple[Node, ...]:
    return (_part("seq", pieces.take("NTH")), *_event(pieces))


def _inserted(pieces: Pieces) -> tuple[Node, ...]:
    pieces.keyword("before")
    return (_part("before", pieces.take("NTH")), *_event(pieces))


def _event(pieces: Pieces) -> tuple[Node, ...]:
    """The event of a correction, and why."""
    pieces.mark(":")
    column = pieces.column
    return (Node("event", (*_by(pieces), _told(pieces, _EVENTS)), column), *_maybe_why(pieces))


def _is_because(pieces: Pieces) -> bool:
    return pieces.piece.lower() == "because"


def _maybe_why(pieces: Pieces) -> tuple[Node, ...]:
    if not _is_because(pieces):
        return ()
    if pieces.following() in _NOT_AFTER_BECAUSE:
        raise UnsureError
    pieces.step()
    return (_part("why", pieces.text()),)


# ---- The opening


def _heading(pieces: Pieces, said: Callable[[], tuple[Token, ...]]) -> Node:
    """An entry, options or players, of a sheet's heading or an opening; `said` reads the text of an entry."""
    column, word = pieces.column, pieces.piece.lower()
    pieces.step()
    if pieces.piece != ":":
        raise UnsureError
    if word in _KEYS:
        return Node("entry", (pieces.token_from(column, "KEY"), *said()), column)
    pieces.step()
    if word in _OPTIONS:
        return Node("options", tuple(_list(pieces, _option)), column)
    if word in _PLAYERS:
        return Node("players", tuple(_list(pieces, _seat)), column)
    raise UnsureError


def _corner(pieces: Pieces) -> Node:
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


def _opened(pieces: Pieces) -> tuple[Node, ...]:
    parts = [_heading(pieces, lambda: _words(pieces))]
    while pieces.mark(";"):
        parts.append(_heading(pieces, lambda: _words(pieces)))
    return tuple(parts)


def _option(pieces: Pieces) -> Node:
    name = pieces.word()
    pieces.require("=")
    value = _numbers(pieces) if pieces.piece == "[" else _part("value", pieces.word())
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
    if LETTER.fullmatch(pieces.piece):
        parts.append(_letter(pieces))
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
    while pieces.is_word() and not _is_because(pieces):
        words.append(pieces.token("WORD"))
    return tuple(words) or (pieces.quoted(),)


_VERBS: dict[str, tuple[str, _Read]] = {
    **dict.fromkeys(("have", "has"), ("deal", _held)),
    "aside": ("aside", _aside),
    **dict.fromkeys(("lay", "lays"), ("layout", _tiles)),
    **dict.fromkeys(("draw", "draws"), ("draw", _one("tile", "TILE"))),
    **dict.fromkeys(("bid", "bids"), ("bid", _one("bid", "NUMBER"))),
    **dict.fromkeys(("pass", "passes"), ("pass", lambda _pieces: ())),
    **dict.fromkeys(("rank", "ranks"), ("rank", _ranked)),
    "over": ("over", _one("tile", "TILE")),
    **dict.fromkeys(("lift", "lifts"), ("lift", _one("tile", "TILE"))),
    **dict.fromkeys(("take", "takes"), ("take", _taken)),
    **dict.fromkeys(("agree", "agrees"), ("confirm", _agreed)),
}
"""By the word after a player: the rule's name, and what reads the rest."""
_WITHOUT_PLAYER: dict[str, tuple[str, _Read]] = {
    "aside": ("aside", _aside),
    "hand": ("hand", _scores),
    **dict.fromkeys(("total", "totals"), ("total", _scores)),
    **dict.fromkeys(("cheat", "cheats"), ("cheats", _counted)),
    "end": ("close", _one("ending", "ENDING")),
    "open": ("opening", _opened),
}
"""The same by the word that begins the event."""
_EVENTS: dict[str, tuple[str, _Read]] = {
    **_WITHOUT_PLAYER,
    "note": ("note", lambda pieces: _note(pieces, Pieces.quoted)),
    "result": ("result", lambda pieces: _result(pieces, Pieces.quoted)),
}
"""The same inside a correction."""
_LINES: dict[str, tuple[str, _Read]] = {
    **_WITHOUT_PLAYER,
    "note": ("note", _note),
    "result": ("result", _result),
    "retract": ("retract", _retracted),
    "amend": ("amend", _amended),
    "insert": ("insert", _inserted),
}
"""The same in a line of its own."""
