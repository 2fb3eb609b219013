"""Reads who did something: a letter, a name, or an id in quotes."""

from __future__ import annotations

from ledger.notation.pieces import Pieces
from ledger.notation.seats import LETTER

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
