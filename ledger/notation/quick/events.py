"""Reads the events: what happened, what was said, and corrections.  The tables at the end have the words of all."""

from __future__ import annotations

from collections.abc import Callable

from ledger.notation.quick.opening import opened
from ledger.notation.quick.pieces import Pieces, Read, UnsureError, listed, maybe, part, single
from ledger.notation.tree import Node, Token

_NOT_AFTER_BECAUSE = frozenset(",;:()[]=#")


def line_of(pieces: Pieces) -> Node:
    """A line with an event, perhaps numbered, perhaps with who recorded it."""
    column = pieces.column
    return Node("line", (*_seq(pieces), *_by(pieces), _told(pieces, _LINES)), column)


def _seq(pieces: Pieces) -> tuple[Token, ...]:
    """The number of the line, if it has one: ``12.`` or ``12)``."""
    column = pieces.column
    if pieces.fits("NTH") and pieces.following() == ")":
        pieces.step()
        return (pieces.token_from(column, "SEQ"),)
    return (pieces.token("SEQ"),) if pieces.fits("SEQ") else ()


def _by(pieces: Pieces) -> tuple[Node, ...]:
    column = pieces.column
    if not pieces.keyword("by"):
        return ()
    recorder = whom(pieces)
    pieces.require(":")
    return (Node("by", (recorder,), column),)


def whom(pieces: Pieces) -> Token:
    """A player, or `nobody`."""
    return pieces.token("NOBODY") if pieces.piece.lower() == "nobody" else _letter(pieces)


def _letter(pieces: Pieces) -> Token:
    """A player: a letter, a name, or an id in quotes."""
    if pieces.piece[:1] == '"':
        return pieces.quoted()
    if pieces.is_letter():
        return pieces.letter()
    # A keyword is no name, even with a long s, which the grammar takes for an s.
    if not pieces.piece.isalpha() or pieces.piece.casefold() in _NO_NAMES:
        raise UnsureError
    return pieces.name()


def _player(pieces: Pieces) -> Node:
    player = part("player", _letter(pieces))
    pieces.mark(":")
    return player


def _told(pieces: Pieces, without_player: dict[str, tuple[str, Read]]) -> Node:
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
    tile = part("tile", pieces.take("TILE"))
    if pieces.keyword("on"):
        return "stack", (tile, part("stack", pieces.take("NUMBER")))
    at = maybe(pieces, "at", "SQUARES")
    if not at:
        return "play", (tile, *maybe(pieces, "end", "SIDE"))
    level = maybe(pieces, "level", "LEVEL")
    return "place", (tile, *at, *level, *_maybe_points(pieces))


def _maybe_points(pieces: Pieces) -> tuple[Node, ...]:
    column = pieces.column
    if pieces.mark("="):
        return (Node("points", (pieces.take("NUMBER"),), column),)
    points = maybe(pieces, "points", "NUMBER")
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
    partial = maybe(pieces, "partial", "MORE")
    return partial or (*_tiles(pieces), *maybe(pieces, "partial", "MORE"))


def _aside(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    return _tiles(pieces)


def _ranked(pieces: Pieces) -> tuple[Node, ...]:
    return (part("high", pieces.take("NUMBER")), *maybe(pieces, "direction", "RANKING"))


def _taken(pieces: Pieces) -> tuple[Node, ...]:
    if pieces.piece == "=":
        return _maybe_points(pieces)
    number = pieces.take("NUMBER")
    if pieces.keyword("point", "points"):
        return (part("points", number),)
    pieces.keyword("tile", "tiles")
    comma = pieces.mark(",")
    points = _maybe_points(pieces)
    if comma and not points:
        raise UnsureError
    return (part("taken", number), *points)


def _scores(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    column = pieces.column
    if pieces.piece.lower() == "nobody":
        return (part("scores", pieces.token("NOBODY")),)
    return (Node("scores", listed(pieces, _score), column),)


def _score(pieces: Pieces) -> Node:
    player = _player(pieces)
    return Node("score", (player, pieces.take("NUMBER")), player.column)


def _counted(pieces: Pieces) -> tuple[Node, ...]:
    pieces.mark(":")
    return (part("count", pieces.take("NUMBER")),)


def _agreed(pieces: Pieces) -> tuple[Node, ...]:
    return (part("head", pieces.word()),)


# ---- Free text, which is in quotes where the line goes on


def _note(pieces: Pieces, text: Callable[[Pieces], Token] = Pieces.text) -> tuple[Node, ...]:
    about = maybe(pieces, "about", "NTH")
    pieces.require(":")
    return (*about, part("text", text(pieces)))


def _result(pieces: Pieces, text: Callable[[Pieces], Token] = Pieces.text) -> tuple[Node, ...]:
    pieces.mark(":")
    column = pieces.column
    if pieces.piece.lower() == "nobody":
        winners = part("winners", pieces.token("NOBODY"))
    else:
        winners = Node("winners", listed(pieces, _player), column)
    return (winners, part("title", text(pieces))) if pieces.keyword("as") else (winners,)


# ---- Corrections


def _retracted(pieces: Pieces) -> tuple[Node, ...]:
    return (part("seq", pieces.take("NTH")), *_maybe_why(pieces))


def _amended(pieces: Pieces) -> tuple[Node, ...]:
    return (part("seq", pieces.take("NTH")), *_event(pieces))


def _inserted(pieces: Pieces) -> tuple[Node, ...]:
    pieces.keyword("before")
    return (part("before", pieces.take("NTH")), *_event(pieces))


def _event(pieces: Pieces) -> tuple[Node, ...]:
    """The event of a correction, and why."""
    pieces.mark(":")
    column = pieces.column
    return (Node("event", (*_by(pieces), _told(pieces, _EVENTS)), column), *_maybe_why(pieces))


def _maybe_why(pieces: Pieces) -> tuple[Node, ...]:
    if not pieces.is_because():
        return ()
    if pieces.following() in _NOT_AFTER_BECAUSE:
        raise UnsureError
    pieces.step()
    return (part("why", pieces.text()),)


_VERBS: dict[str, tuple[str, Read]] = {
    **dict.fromkeys(("have", "has"), ("deal", _held)),
    "aside": ("aside", _aside),
    **dict.fromkeys(("lay", "lays"), ("layout", _tiles)),
    **dict.fromkeys(("draw", "draws"), ("draw", single("tile", "TILE"))),
    **dict.fromkeys(("bid", "bids"), ("bid", single("bid", "NUMBER"))),
    **dict.fromkeys(("pass", "passes"), ("pass", lambda _pieces: ())),
    **dict.fromkeys(("rank", "ranks"), ("rank", _ranked)),
    "over": ("over", single("tile", "TILE")),
    **dict.fromkeys(("lift", "lifts"), ("lift", single("tile", "TILE"))),
    **dict.fromkeys(("take", "takes"), ("take", _taken)),
    **dict.fromkeys(("agree", "agrees"), ("confirm", _agreed)),
}
"""By the word after a player: the rule's name, and what reads the rest."""
_WITHOUT_PLAYER: dict[str, tuple[str, Read]] = {
    "aside": ("aside", _aside),
    "hand": ("hand", _scores),
    **dict.fromkeys(("total", "totals"), ("total", _scores)),
    **dict.fromkeys(("cheat", "cheats"), ("cheats", _counted)),
    "end": ("close", single("ending", "ENDING")),
    "open": ("opening", opened),
}
"""The same by the word that begins the event."""
_EVENTS: dict[str, tuple[str, Read]] = {
    **_WITHOUT_PLAYER,
    "note": ("note", lambda pieces: _note(pieces, Pieces.quoted)),
    "result": ("result", lambda pieces: _result(pieces, Pieces.quoted)),
}
"""The same inside a correction."""
_LINES: dict[str, tuple[str, Read]] = {
    **_WITHOUT_PLAYER,
    "note": ("note", _note),
    "result": ("result", _result),
    "retract": ("retract", _retracted),
    "amend": ("amend", _amended),
    "insert": ("insert", _inserted),
}
"""The same in a line of its own."""
_NO_NAMES = frozenset((*_LINES, "by", "nobody"))
