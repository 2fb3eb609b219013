"""The pieces of a line, for a reader that goes through it from left to right without the grammar."""

from __future__ import annotations

from collections.abc import Callable

from ledger.notation.seats import LETTER, Letters
from ledger.notation.tree import PIECE, Node, Token
from ledger.notation.values import PAIR
from ledger.record.tiles import NAMED

_MARKS = frozenset(',;:()[]=#"')
_NOT_AFTER_A_LETTER = frozenset('"[]=')


def _is_whole(word: str) -> bool:
    return word.isdigit() and word.isascii()


_FORMS: dict[str, Callable[[str], object]] = {
    "TILE": NAMED.__contains__,
    "NUMBER": lambda word: _is_whole(word.removeprefix("-")),
    "NTH": _is_whole,
    "SEQ": lambda word: word[-1:] == "." and _is_whole(word[:-1]),
    "SQUARES": lambda word: word.isascii() and PAIR.fullmatch(word),
    "LEVEL": lambda word: word[:1] in ("L", "l") and _is_whole(word[1:]),
    "SIDE": lambda word: word.lower() in ("left", "right"),
    "RANKING": lambda word: word.lower() in ("regular", "reverse"),
    "ENDING": lambda word: word.lower() in ("finished", "abandoned"),
    "MORE": ("...", "…").__contains__,
}
"""By the type of a token, whether a piece is certainly one."""


class UnsureError(Exception):
    """Only the grammar can read this line."""


class Pieces:
    """The pieces of a line, one after another: `piece` is the next one, empty at the end, and `column` its column."""

    __slots__ = ("_letters", "_line", "_matches", "column", "piece")

    def __init__(self, line: str, letters: Letters) -> None:
        self._line = line
        self._letters = letters
        self._matches = PIECE.finditer(line)
        self.step()

    def step(self) -> None:
        """Goes on to the piece after this one."""
        match = next(self._matches, None)
        self.piece = match[0] if match else ""
        self.column = match.start() + 1 if match else 0

    def at_end(self) -> bool:
        """Whether nothing follows, or only a comment."""
        return self.piece in ("", "#")

    def following(self) -> str:
        """The character right behind this piece; empty at the end of the line."""
        end = self.column - 1 + len(self.piece)
        return self._line[end : end + 1]

    def fits(self, type_: str) -> bool:
        """Whether this piece certainly is a token of that type."""
        return bool(_FORMS[type_](self.piece))

    def take(self, type_: str) -> Token:
        """Reads this piece as a token of that type.  Raises UnsureError if it may not be one."""
        if not _FORMS[type_](self.piece):
            raise UnsureError
        return self.token(type_)

    def token(self, type_: str) -> Token:
        """Reads this piece as a token of a type that the caller is sure of."""
        token = Token(self.piece, type_, self.column)
        self.step()
        return token

    def token_from(self, column: int, type_: str) -> Token:
        """The line from that column to the end of this piece, as a token."""
        token = Token(self._line[column - 1 : self.column - 1 + len(self.piece)], type_, column)
        self.step()
        return token

    def is_letter(self) -> bool:
        """Whether this looks like a player's letter."""
        return LETTER.fullmatch(self.piece) is not None

    def letter(self) -> Token:
        """A player's letter."""
        if self.following() in _NOT_AFTER_A_LETTER:
            raise UnsureError
        return self.token("LETTER")

    def name(self) -> Token:
        """The letter of the player whose name stands here."""
        length, letter = self._letters.longest_name(self._line, self.column - 1) or (0, "")
        if length <= len(letter):  # then what follows the name could change how the letter is read
            raise UnsureError
        token = Token(letter, "LETTER", self.column)
        self._matches = PIECE.finditer(self._line, self.column - 1 + length)
        self.step()
        return token

    def quoted(self) -> Token:
        """A text in quotes."""
        if len(self.piece) < 2 or self.piece[0] != '"':
            raise UnsureError
        return self.token("QUOTED")

    def text(self) -> Token:
        """A text in quotes, or all that is left of the line."""
        if self.piece[:1] in ("", '"'):
            return self.quoted()
        token = Token(self._line[self.column - 1 :].rstrip(), "TEXT", self.column)
        self.piece = ""
        return token

    def is_word(self) -> bool:
        """Whether this is neither a mark nor a text in quotes."""
        return bool(self.piece) and self.piece[0] not in _MARKS

    def word(self) -> Token:
        """A word, or a text in quotes."""
        return self.token("WORD") if self.is_word() else self.quoted()

    def is_because(self) -> bool:
        """Whether this is the word before the reason for a correction."""
        return self.piece.lower() == "because"

    def mark(self, mark: str) -> bool:
        """Whether this is that mark, which is then read."""
        if self.piece != mark:
            return False
        self.step()
        return True

    def require(self, mark: str) -> None:
        """Reads that mark."""
        if not self.mark(mark):
            raise UnsureError

    def keyword(self, *words: str) -> bool:
        """Whether this is one of those words, which is then read."""
        if self.piece.lower() not in words:
            return False
        self.step()
        return True


Read = Callable[[Pieces], tuple[Node, ...]]
"""Reads the parts of an event behind its keyword."""


def part(name: str, token: Token) -> Node:
    """The tree of a part that is a single token."""
    return Node(name, (token,), token.column)


def maybe(pieces: Pieces, name: str, type_: str) -> tuple[Node, ...]:
    """A part that may be missing."""
    return (part(name, pieces.token(type_)),) if pieces.fits(type_) else ()


def single(name: str, type_: str) -> Read:
    """Reads a single part."""
    return lambda pieces: (part(name, pieces.take(type_)),)


def listed(pieces: Pieces, read: Callable[[Pieces], Node]) -> tuple[Node, ...]:
    """Reads one part or several, with commas between them."""
    parts = [read(pieces)]
    while pieces.mark(","):
        parts.append(read(pieces))
    return tuple(parts)
