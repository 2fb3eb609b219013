"""The pieces of a line, read from left to right; what was looked for at the next one is what was expected there.

Players, tiles and squares are read as people write them.  What could mean something else is refused with what it would
be in the notation.
"""

import json
import re
from collections.abc import Callable, Container, Iterable

from ledger.notation.refusals import DASHES, Spot, guess, nearest, quote, refusal, unexpected
from ledger.notation.setting import LETTER, Setting
from ledger.record.errors import NotARecord
from ledger.record.events import FARTHEST, Bid
from ledger.record.squares import STEPS, At
from ledger.record.tiles import NAMED

_PIECE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s",;:()\[\]=#]+|\S|)')
"""A text in quotes, a word, or a mark; empty at the end of the line."""
_MARKS = frozenset(',;:()[]=#"')
_WHOLE = r"[-−]?[0-9]+"
_WHOLE_HERE = rf"{_WHOLE}(?=[^\W\d_]|\.*$)"
_DIGITS = "[0-9]+"
# Rare expressions are compiled when they are needed: compiling one takes longer than reading a line.
_BEHIND_WORDS = "0123456789-\u2010\u2011\u2013\u2212/|."
"""What can stick to the end of a word: a number, a tile or a full stop."""
_MINUS = str.maketrans("−", "-")


_HYPHENS = str.maketrans(dict.fromkeys(DASHES, "-"))
_BARE_TILE = rf"(\d{{1,9}})[{DASHES}/|](\d{{1,9}})(?![{DASHES}\d/|])"
_TILE = rf"{_BARE_TILE}|\[\s*(\d{{1,2}})\s*[{DASHES}/|]\s*(\d{{1,2}})\s*\]"
TWO_DIGITS = r"([0-9])([0-9])(?!\w)"
"""A tile without anything between its halves (``22``)."""
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
_BEFORE_TILE = r"[A-Za-z](?=\d{1,2}[-/|\u2010-\u2015\u2212]\d)"
"""A letter that is written without a space before its tile: ``A2-2``."""
_NUMBERED = r"([0-9]+)\s*[.)]"
_BULLETS = ("-", "*", "•", "–")
_OPENS = r"""(?i)(?:by\s+(?:"(?:[^"\\]|\\.)*"|[^\s:]+)\s*:\s*)?open\b"""
_REMARK = r"\(([^()]+)\)?\s*(?:[.#]|//|$)"
ONTO = ("to", "onto", "upon", "->", "=>", "→")
"""Other words for `on`, in a game where tiles go onto stacks."""
_MEANT = frozenset((
    *ONTO, "on", "left", "right", "regular", "reverse", "nobody", "because", "point", "points", "play", "plays", "tile",
    "tiles", "level", "has", "have", "aside", "lays", "draws", "bids", "bid", "passes", "pass", "ranks", "over",
    "lifts", "takes", "hand", "total", "cheats", "end", "result", "note", "retract", "amend", "insert", "void",
    "restore", "finished",
    "abandoned",
))  # fmt: skip
"""Words that mean something in an event: a remark in parentheses has none."""


class Line:
    """The pieces of a line: `piece` is the next one, empty at the end of the line, and `column` its place from 1.

    `expected` has what was looked for here so far: names of kinds (``NUMBER``), words, marks in quotes, and functions
    that return several of those.  `seq` is the number that the line begins with, as it was written, and its column.
    `path` leads to the fields: ``event.`` inside a correction.  `meant`: the event was written with an exclamation
    mark, so it may be one of another game.
    """

    __slots__ = ("column", "expected", "line", "meant", "number", "path", "piece", "seq", "setting", "spots")

    def __init__(self, line: str, number: int | None, setting: Setting) -> None:
        """Line `number` of a sheet; None for a line by itself."""
        self.line, self.number, self.setting = line, number, setting
        self.go(0)
        self.path = ""
        self.meant = False
        self.spots = dict[str, Spot]()
        self.seq: tuple[str, int] | None = None
        if self.piece[:1] in "-*•–0123456789":
            self._skip_number()

    def go(self, begin: int) -> None:
        """Goes to the piece after this many characters of the line."""
        match = _PIECE.match(self.line, begin)
        assert match is not None  # noqa: S101  the expression matches any text, even none
        self.piece = match[1]
        self.column = match.start(1) + 1
        self.expected: list[str | Callable[[], Iterable[str]]] = []

    def step(self) -> None:
        """Goes on to the next piece."""
        self.go(self.column - 1 + len(self.piece))

    @property
    def begin(self) -> int:
        """The number of characters before this piece."""
        return self.column - 1

    def following(self) -> str:
        """The character right behind this piece; empty at the end of the line."""
        end = self.begin + len(self.piece)
        return self.line[end : end + 1]

    def match(self, form: str) -> re.Match[str] | None:
        """Whether the line goes on like this regular expression."""
        return re.compile(form).match(self.line, self.begin)

    def rest(self) -> str:
        """The line from this piece on."""
        return self.line[self.begin :].rstrip()

    def nothing_left(self) -> bool:
        """Whether nothing follows, or only a remark."""
        return self.piece in ("", "#") or self.piece[:2] == "//"

    # ---- What may be here; if it is not, it was expected

    def expect(self, *kinds: str | Callable[[], Iterable[str]]) -> None:
        """Says what else could stand here; a function is called only if that is asked."""
        self.expected += kinds

    def at_end(self) -> bool:
        """Whether nothing follows, or only a remark.  A full stop or a comma at the end of a line means nothing."""
        if self.nothing_left():
            return True
        if self.piece in (",", ";", ".") and self.line[self.column :].strip() == "":
            return True
        self.expect("END")
        return False

    def is_word(self) -> bool:
        """Whether this is neither a mark nor a text in quotes."""
        return bool(self.piece) and self.piece[0] not in _MARKS

    def mark(self, mark: str) -> bool:
        """Whether this is that mark, which is then read."""
        if self.piece == mark:
            self.step()
            return True
        self.expect(f'"{mark}"')
        return False

    def keyword(self, *words: str) -> bool:
        """Whether this is one of these words, which is then read.  The first one is listed as what was expected."""
        if self.one_of(words):
            return True
        self.expect(words[0])
        return False

    def one_of(self, words: Container[str]) -> str | None:
        """The one of these words that stands here, which is then read; a number may stick to its end (``bids12``)."""
        word = self.piece.lower()
        if word in words:
            self.step()
            return word
        bare = word.rstrip(_BEHIND_WORDS)
        if len(bare) == len(word) or bare not in words:
            return None
        self.go(self.begin + len(bare))
        return bare

    def number_here(self) -> bool:
        """Whether this is a whole number, perhaps with a minus; a word or a full stop may stick to it."""
        if re.match(_WHOLE_HERE, self.piece):
            return True
        self.expect("NUMBER")
        return False

    def is_because(self) -> bool:
        """Whether this is the word before the reason for a correction."""
        return self.piece.lower() == "because" and (self.following() in ("", '"') or self.following().isspace())

    # ---- What must be here

    def require(self, mark: str) -> None:
        """Reads that mark.  Raises NotARecord if it is not here, as the methods below do."""
        if not self.mark(mark):
            raise self.unexpected()

    def whole(self) -> int:
        """Reads a whole number, perhaps with a minus."""
        if not self.number_here():
            raise self.unexpected()
        return self._read(_WHOLE)

    def nth(self) -> int:
        """Reads the number of an event."""
        if not re.match(_DIGITS, self.piece):
            self.expect("NTH")
            raise self.unexpected()
        return self._read(_DIGITS)

    def _read(self, form: str) -> int:
        digits = re.match(form, self.piece)
        assert digits is not None  # noqa: S101  the caller has looked
        column = self.column
        self.go(self.begin + digits.end())
        return whole_number(digits[0], self.number, column)

    def quoted(self) -> str:
        """Reads a text in quotes."""
        if self.piece[:1] != '"' or len(self.piece) < 2:
            self.expect("QUOTED")
            raise self.unexpected()
        try:
            text: str = json.loads(self.piece, strict=False)
            text.encode()  # half a surrogate pair is not a character
        except ValueError:
            reason = r"in a quoted text, \ is allowed only in \" \\ \n \t and the other escapes of JSON"
            raise self.refuse(reason) from None
        self.step()
        return text

    def text(self) -> str:
        """Reads a text in quotes, or all that is left of the line."""
        if self.piece[:1] == '"':
            return self.quoted()
        if not self.piece:
            self.expect("TEXT", "QUOTED")
            raise self.unexpected()
        text = self.rest()
        self.go(len(self.line))
        return text

    def word(self) -> str:
        """Reads a word, or a text in quotes."""
        if self.piece[:1] == '"':
            return self.quoted()
        if not self.is_word() or self.is_because():
            self.expect("WORD", "QUOTED")
            raise self.unexpected()
        word = self.piece
        self.step()
        return word

    def words(self) -> str:
        """Reads words up to a mark, or a text in quotes.  `because` ends them where a correction may say why."""
        if self.piece[:1] == '"':
            return self.quoted()
        read = [self.word()]
        while self.is_word() and not self.is_because():
            read.append(self.word())
        self.expect("WORD")
        return " ".join(read)

    # ---- Players, tiles and squares, as people write them: also ``2/2``, ``[2|2]`` or ``22``

    def tile(self, player: str = "") -> str:
        """Reads a tile that is the only one in its place.  Raises NotARecord, as do the others.

        `player` is the letter of a player who may be about to bid: then two digits may be a bid, too.
        """
        digits = None if self.tile_here() else self.match(TWO_DIGITS)
        if digits is None:
            return self.listed_tile()
        name = f"{digits[1]}-{digits[2]}"
        if player and self.setting.has(Bid) and self.setting.may_follow(Bid):
            bid = f"{player} bids {digits[0]}"
            raise self.refuse(f"{digits[0]} could be a tile or a bid: write `{player} {name}` or `{bid}`")
        self.go(digits.end())
        return name

    def tile_here(self) -> bool:
        """Whether this is a tile, or would be one if there were more pips."""
        piece = self.piece
        if piece in NAMED:
            return True
        first = piece[:1]
        if (first.isdecimal() or first == "[" or not first.isascii()) and (self.match(_TILE) or _pictured(piece)):
            return True
        self.expect("TILE")
        return False

    def listed_tile(self) -> str:
        """Reads a tile, perhaps one of several."""
        piece = self.piece
        if piece in NAMED:
            self.step()
            return piece
        picture = _pictured(piece)
        if picture:
            self.step()
            return picture
        match = self.match(_TILE)
        if match is None:
            self.expect("TILE")
            raise self.unexpected()
        first, second = (half for half in match.groups() if half is not None)
        name = f"{int(first)}-{int(second)}"
        if name not in NAMED:
            raise self.refuse(
                f"there is no tile {quote(name)}: its halves go from 0 to 12{guess(nearest(name, NAMED))}"
            )
        self.go(match.end())
        return name

    def squares_here(self) -> re.Match[str] | None:
        """The two squares that stand here, if it is squares; they are not read yet."""
        has_number = any(map(str.isdecimal, self.rest()))
        match = (self.match(_SQUARES) or self.match(_LOOSE_SQUARES)) if has_number else None
        if match is None:
            self.expect("SQUARES")
        return match

    def covered(self, pair: re.Match[str]) -> tuple[At, str]:
        """Reads two squares; returns the square of the tile's first half, and the direction to the other."""
        names = [name.translate(_HYPHENS) for name in pair.groups()]
        one, other = map(self.setting.squares.find, names)
        assert one is not None  # noqa: S101  the expression matches only names of squares
        assert other is not None  # noqa: S101
        if max(map(abs, one)) > FARTHEST:
            raise self.refuse(f"the square {names[0]} lies too far out for a record")
        direction = _DIRECTIONS.get((other[0] - one[0], other[1] - one[1]))
        if direction is None:
            raise self.refuse(f"{names[0]} and {names[1]} are not next to each other")
        self.go(pair.end())
        return one, direction

    def level(self) -> int | None:
        """Reads a level such as ``L2``, if one stands here."""
        match = self.match(_LEVEL) if self.piece[:1] in ("L", "l") else None
        if match is None:
            self.expect("LEVEL")
            return None
        number = whole_number(match[1], self.number, self.column)
        self.go(match.end())
        return number

    def corner(self) -> At:
        """Reads a column and a row of a record."""
        match = self.match(_POINT)
        if match is None:
            self.expect("POINT")
            raise self.unexpected()
        x, y = (whole_number(half, self.number, self.column) for half in match.groups())
        if max(abs(x), abs(y)) > FARTHEST + 1:  # half a tile may lie one further out
            raise self.refuse(f"a1 is a square from -{FARTHEST},-{FARTHEST} to {FARTHEST},{FARTHEST}")
        self.go(match.end())
        return x, y

    def player(self) -> str:
        """Reads a player, perhaps with a colon, a full stop or a dash behind; returns the id.  Raises NotARecord."""
        id_ = self.whose()
        if self.piece in (":", ".") or (self.piece in ("-", "–", "—") and self.following().isspace()):
            self.step()
        return id_

    def whose(self) -> str:
        """Reads a player; returns the id."""
        if self.piece[:1] == '"' and len(self.piece) > 1:
            return self.quoted()
        letters, piece, begin = self.setting.letters, self.piece, self.begin
        end = self.following()
        if LETTER.fullmatch(piece) and (end in ("", *",;:()#") or end.isspace()):
            self.step()
            return self._of_letter(piece, begin + 1)
        name = letters.longest_name(self.line, begin)
        if name is not None:
            length, letter = name
            self.go(begin + length)
            return letters.players[letter].id
        if piece.endswith(".") and letters.player(piece[:-1]):
            self.go(begin + len(piece) - 1)
            return self._of_letter(piece[:-1], begin + 1)
        letter_of_tile = self.match(_BEFORE_TILE)
        if letter_of_tile and not any(other.startswith(piece[:2].upper()) for other in letters.players):
            self.go(begin + 1)
            return self._of_letter(piece[0], begin + 1)
        self.expect("LETTER")
        raise self.unexpected()

    def _of_letter(self, letter: str, column: int) -> str:
        setting = self.setting
        id_ = setting.letters.player(letter)
        if id_ is None and setting.unsure:
            return letter
        if id_ is None:
            raise self.refuse(f"no player has the letter {letter}; the players are {setting.letters}", column)
        return id_

    def somebody(self) -> str | None:
        """Reads a player, or `nobody`."""
        return None if self.keyword("nobody") else self.whose()

    # ---- The whole line

    def _skip_number(self) -> None:
        """Goes past a bullet and a number at the beginning of the line."""
        if self.piece in _BULLETS and self.following().isspace():
            self.step()
        numbered = self.match(_NUMBERED)
        if numbered:
            self.seq = numbered[1], self.column
            self.go(numbered.end())

    def field(self, name: str) -> None:
        """What is read next is this field."""
        self.spots[self.path + name] = (self.number, self.column)

    def opens(self) -> bool:
        """Whether this is the opening on one line."""
        return self.match(_OPENS) is not None

    def ends(self) -> bool:
        """Whether nothing follows, or only a remark, perhaps in parentheses."""
        if self.piece == "(":
            remark = self.match(_REMARK)
            if remark and not any(map(str.isdigit, remark[1])) and _MEANT.isdisjoint(remark[1].lower().split()):
                return True
        return self.at_end()

    # ---- Refusals

    def refuse(self, reason: str, column: int | None = None) -> NotARecord:
        """The refusal of what stands here, or in that column."""
        return refusal(reason, column or self.column, self.number)

    def unexpected(self) -> NotARecord:
        """The refusal of this piece: it is none of what was expected here."""
        return self.refuse(*unexpected(self))


def whole_number(digits: str, line: int | None, column: int) -> int:
    """The number that these digits say.  Raises NotARecord for thousands of them."""
    try:
        return int(digits.translate(_MINUS))
    except ValueError:
        raise refusal("this number is too long", column, line) from None


def _pictured(piece: str) -> str | None:
    """The tile that a character of Unicode shows."""
    if len(piece) != 1:
        return None
    for first, end in _PICTURES:
        if first <= ord(piece) < end:
            return "{}-{}".format(*divmod(ord(piece) - first, 7))
    return None
