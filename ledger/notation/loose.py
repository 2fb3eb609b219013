"""Players, tiles and squares as people write them: also ``2/2``, ``[2|2]`` or ``22``, where that means only one thing.

What could mean something else is refused with what it would be in the notation.
"""

from __future__ import annotations

import re

from ledger.notation.pieces import Pieces, whole_number
from ledger.notation.refusals import DASHES, guess, nearest, quote
from ledger.notation.setting import LETTER
from ledger.record.events import FARTHEST, Bid
from ledger.record.squares import STEPS, At
from ledger.record.tiles import NAMED

_HYPHENS = str.maketrans(dict.fromkeys(DASHES, "-"))
_BARE_TILE = rf"(\d{{1,9}})[{DASHES}/|](\d{{1,9}})(?![{DASHES}\d/|])"
_TILE = rf"{_BARE_TILE}|\[\s*(\d{{1,2}})\s*[{DASHES}/|]\s*(\d{{1,2}})\s*\]"
_TWO_DIGITS = r"([0-9])([0-9])(?!\w)"
_PICTURES = ((0x1F031, 0x1F062), (0x1F063, 0x1F094))
"""The first character of the tiles that lie, and of those that stand, each with the one after the last.

Source: The Unicode Standard, Domino Tiles."""
_SQUARE = rf"[{DASHES}]?[A-Za-z]{{1,3}}[{DASHES}]?[0-9]{{1,4}}"
_SQUARES = rf"({_SQUARE})\s*[{DASHES}]\s*({_SQUARE})\b"
_BARE_SQUARE = "([A-Za-z]{1,3}[0-9]{1,4})"
_LOOSE_SQUARES = rf"{_BARE_SQUARE}(?:\s*/\s*|\s+|){_BARE_SQUARE}(?=[\s,;.#(=]|$)"
_LEVEL = r"[Ll](?:[Ee][Vv][Ee][Ll])?\s*([0-9]+)(?!\w)"
_POINT = r"([-−]?[0-9]+)\s*,\s*([-−]?[0-9]+)"
_DIRECTIONS = {step: direction for direction, step in STEPS.items()}


def tile(pieces: Pieces, player: str = "") -> str:
    """Reads a tile that is the only one in its place.  Raises NotARecord, as do the others.

    `player` is the letter of a player who may be about to bid: then two digits may be a bid, too.
    """
    digits = None if tile_here(pieces) else pieces.match(_TWO_DIGITS)
    if digits is None:
        return listed_tile(pieces)
    name = f"{digits[1]}-{digits[2]}"
    if player and pieces.setting.has(Bid) and pieces.setting.may_follow(Bid):
        bid = f"{player} bids {digits[0]}"
        raise pieces.refuse(f"{digits[0]} could be a tile or a bid: write `{player} {name}` or `{bid}`")
    pieces.go(digits.end())
    return name


def tile_here(pieces: Pieces) -> bool:
    """Whether this is a tile, or would be one if there were more pips."""
    piece = pieces.piece
    if piece in NAMED:
        return True
    first = piece[:1]
    if (first.isdecimal() or first == "[" or not first.isascii()) and (pieces.match(_TILE) or _pictured(piece)):
        return True
    pieces.expect("TILE")
    return False


def begins_tile(pieces: Pieces) -> bool:
    """Whether a tile stands here, perhaps as two digits (``22``)."""
    return tile_here(pieces) or pieces.match(_TWO_DIGITS) is not None


def listed_tile(pieces: Pieces) -> str:
    """Reads a tile, perhaps one of several."""
    piece = pieces.piece
    if piece in NAMED:
        pieces.step()
        return piece
    picture = _pictured(piece)
    if picture:
        pieces.step()
        return picture
    match = pieces.match(_TILE)
    if match is None:
        pieces.expect("TILE")
        raise pieces.unexpected()
    first, second = (half for half in match.groups() if half is not None)
    name = f"{int(first)}-{int(second)}"
    if name not in NAMED:
        raise pieces.refuse(f"there is no tile {quote(name)}: its halves go from 0 to 12{guess(nearest(name, NAMED))}")
    pieces.go(match.end())
    return name


def _pictured(piece: str) -> str | None:
    """The tile that a character of Unicode shows."""
    if len(piece) != 1:
        return None
    for first, end in _PICTURES:
        if first <= ord(piece) < end:
            return "{}-{}".format(*divmod(ord(piece) - first, 7))
    return None


def squares_here(pieces: Pieces) -> re.Match[str] | None:
    """The two squares that stand here, if it is squares; they are not read yet."""
    has_number = any(map(str.isdecimal, pieces.rest()))
    match = (pieces.match(_SQUARES) or pieces.match(_LOOSE_SQUARES)) if has_number else None
    if match is None:
        pieces.expect("SQUARES")
    return match


def covered(pieces: Pieces, pair: re.Match[str]) -> tuple[At, str]:
    """Reads two squares; returns the square of the tile's first half, and the direction to the other."""
    names = [name.translate(_HYPHENS) for name in pair.groups()]
    one, other = map(pieces.setting.squares.find, names)
    assert one is not None  # noqa: S101  the expression matches only names of squares
    assert other is not None  # noqa: S101
    if max(map(abs, one)) > FARTHEST:
        raise pieces.refuse(f"the square {names[0]} lies too far out for a record")
    direction = _DIRECTIONS.get((other[0] - one[0], other[1] - one[1]))
    if direction is None:
        raise pieces.refuse(f"{names[0]} and {names[1]} are not next to each other")
    pieces.go(pair.end())
    return one, direction


def level(pieces: Pieces) -> int | None:
    """Reads a level such as ``L2``, if one stands here."""
    match = pieces.match(_LEVEL) if pieces.piece[:1] in ("L", "l") else None
    if match is None:
        pieces.expect("LEVEL")
        return None
    number = whole_number(match[1], pieces.number, pieces.column)
    pieces.go(match.end())
    return number


def corner(pieces: Pieces) -> At:
    """Reads a column and a row of a record."""
    match = pieces.match(_POINT)
    if match is None:
        pieces.expect("POINT")
        raise pieces.unexpected()
    x, y = (whole_number(half, pieces.number, pieces.column) for half in match.groups())
    if max(abs(x), abs(y)) > FARTHEST + 1:  # half a tile may lie one further out
        raise pieces.refuse(f"a1 is a square from -{FARTHEST},-{FARTHEST} to {FARTHEST},{FARTHEST}")
    pieces.go(match.end())
    return x, y


_BEFORE_TILE = r"[A-Za-z](?=\d{1,2}[-/|\u2010-\u2015\u2212]\d)"
"""A letter that is written without a space before its tile: ``A2-2``."""


def player(pieces: Pieces) -> str:
    """Reads a player, perhaps with a colon, a full stop or a dash behind; returns the id.  Raises NotARecord."""
    id_ = whose(pieces)
    if pieces.piece in (":", ".") or (pieces.piece in ("-", "–", "—") and pieces.following().isspace()):
        pieces.step()
    return id_


def whose(pieces: Pieces) -> str:
    """Reads a player; returns the id."""
    if pieces.piece[:1] == '"' and len(pieces.piece) > 1:
        return pieces.quoted()
    letters, piece, begin = pieces.setting.letters, pieces.piece, pieces.begin
    end = pieces.following()
    if LETTER.fullmatch(piece) and (end in ("", *",;:()#") or end.isspace()):
        pieces.step()
        return _of_letter(pieces, piece, begin + 1)
    name = letters.longest_name(pieces.line, begin)
    if name is not None:
        length, letter = name
        pieces.go(begin + length)
        return letters.players[letter].id
    if piece.endswith(".") and letters.player(piece[:-1]):
        pieces.go(begin + len(piece) - 1)
        return _of_letter(pieces, piece[:-1], begin + 1)
    letter_of_tile = pieces.match(_BEFORE_TILE)
    if letter_of_tile and not any(other.startswith(piece[:2].upper()) for other in letters.players):
        pieces.go(begin + 1)
        return _of_letter(pieces, piece[0], begin + 1)
    pieces.expect("LETTER")
    raise pieces.unexpected()


def _of_letter(pieces: Pieces, letter: str, column: int) -> str:
    setting = pieces.setting
    id_ = setting.letters.player(letter)
    if id_ is None and setting.unsure:
        return letter
    if id_ is None:
        raise pieces.refuse(f"no player has the letter {letter}; the players are {setting.letters}", column)
    return id_


def somebody(pieces: Pieces) -> str | None:
    """Reads a player, or `nobody`."""
    return None if pieces.keyword("nobody") else whose(pieces)
