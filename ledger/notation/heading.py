"""The opening of a record: the heading of a sheet, or one line of it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from ledger.games.catalog import titled
from ledger.notation.pieces import Line, whole_number
from ledger.notation.refusals import Spot, guess, quote, refusal
from ledger.notation.setting import LETTER, Letters, Seat, game_of, usual_id
from ledger.record.errors import NotARecord
from ledger.record.events import Player
from ledger.record.squares import USUAL, Squares
from ledger.record.words import read_day
from ledger.rules.game import Game, Opening, Option, accepts

_ENTRIES = frozenset(
    ("game", "edition", "card", "lowest", "teams", "source", "played", "place", "event", "recorder", "rules")
)
_OPTIONS, _PLAYERS, _SQUARES = ("option", "options"), ("player", "players"), ("square", "squares")
HEADINGS = frozenset((*_ENTRIES, *_OPTIONS, *_PLAYERS, *_SQUARES, "by"))
"""The words before a colon in the heading of a sheet."""
_WHOLE = "[-−]?[0-9]+"
_CONSTANTS = {"true": True, "yes": True, "false": False, "no": False, "none": None, "null": None}
_YES_OR_NO = {"card": "whether only the result of the game is known", "lowest": "whether the fewest points win"}
AND = frozenset(("and", "&"))
"""Words between two names, like a comma."""
MOST = 26
"""The maximum number of players in the record format."""


class _Written(Struct, frozen=True):
    """An option as it was written: whether its name and its value are literal, and where the value stands.

    `refused` is the refusal if the game does not explain what was written in another way than usual.
    """

    value: Any
    literal_name: bool
    literal: bool
    spot: Spot
    refused: NotARecord | None


class Heading:
    """Collects the parts of an opening, from the lines of a heading or from one line.

    `letters` are the earlier ones and, after `data`, its own, as is `game`; `squares` are the names of squares in it,
    `by` is who recorded what follows.
    """

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self.by: str | None = None
        self.squares = USUAL
        self.game: Game[Any] | None = None
        self.spots: dict[str, Spot] = {}
        self._recorders: dict[str, Line] = {}
        self._entries: dict[str, str] = {}
        self._seats: list[Seat] = []
        self._unparted: tuple[str, Spot] | None = None
        """A name of several words without a letter, and its place."""
        self._used_letters: set[str] = set()
        self._options: dict[str, _Written] = {}

    # ---- The parts

    def add(self, pieces: Line) -> None:
        """Adds a line of the heading.  Raises NotARecord, also for a repeated part."""
        word, column = pieces.piece.lower(), pieces.column
        if self.part(pieces, in_line=False):
            pass
        elif word in _SQUARES:
            self._refuse_repeated("squares", pieces, column)
            self._key(pieces)
            if not pieces.keyword("a1"):
                raise pieces.unexpected()
            pieces.require("=")
            self.squares = Squares(*pieces.corner())
            self.spots["squares"] = pieces.number, column
        else:
            field = "opened_by" if word == "opened" else "by"
            self._refuse_repeated(field, pieces, column)
            pieces.step()
            if word == "opened":
                pieces.step()
            pieces.step()
            # Its letters are known only at the end of the heading.
            self._recorders[field] = pieces
            self.spots[field] = pieces.number, column
            return
        if not pieces.at_end():
            raise pieces.unexpected()

    def part(self, pieces: Line, *, in_line: bool) -> bool:
        """Reads an entry, options or players, if they stand here.  On one line, a text ends at a mark."""
        word, column = pieces.piece.lower(), pieces.column
        if word not in _ENTRIES and word not in _OPTIONS and word not in _PLAYERS:
            return False
        field = word if word in _ENTRIES else "options" if word in _OPTIONS else "players"
        if field in _ENTRIES:
            self._refuse_repeated(field, pieces, column)
        self._key(pieces)
        self.spots.setdefault(field, (pieces.number, pieces.column if field in _ENTRIES else column))
        if field == "options":
            self._option(pieces)
            while pieces.mark(",") and not pieces.nothing_left():
                self._option(pieces)
        elif field == "players":
            self._add_players(pieces, "," if in_line else ",;")
        else:
            self._add_entry(field, pieces, in_line=in_line)
        return True

    def _key(self, pieces: Line) -> None:
        pieces.step()
        if not pieces.mark(":"):
            pieces.require("=")

    def _refuse_repeated(self, field: str, pieces: Line, column: int) -> None:
        if field in self.spots:
            raise pieces.refuse(f"{field.replace('_', ' ').capitalize()}: occurs twice", column)

    def _add_entry(self, field: str, pieces: Line, *, in_line: bool) -> None:
        literal, column = pieces.piece[:1] == '"', pieces.column
        text = pieces.words() if in_line else pieces.text()
        if not literal and field == "game":
            text = self._tag(text)
        elif field in _YES_OR_NO and type(_CONSTANTS.get(text.lower())) is not bool:
            raise pieces.refuse(f"{field.capitalize()}: is yes or no: {_YES_OR_NO[field]}", column)
        elif field == "source" and " " not in text:
            raise pieces.refuse("Source: is a program and its own id of the game, with a space between", column)
        elif not literal and field == "played":
            days = read_day(text)
            if len(days) > 1:
                raise pieces.refuse(f"this day could be {' or '.join(days)}: write it like that", column)
            text = days[0] if days else text
        self._entries[field] = text

    def _tag(self, text: str) -> str:
        """The tag of a game that is named by its title, perhaps with its edition."""
        tag = titled(text)
        title, _, edition = text.rpartition(",")
        if tag is None and edition.split()[:1] in (["edition"], ["version"]) and len(edition.split()) == 2:
            tag = titled(title)
            self._entries.setdefault("edition", edition.split()[1])
        return tag or text

    def _add_players(self, pieces: Line, separators: str) -> None:
        while True:
            self._seats.append(self._seat(pieces))
            if not any(pieces.mark(mark) for mark in separators) and not pieces.one_of(AND):
                return
            if pieces.nothing_left():  # a comma at the end of the line
                return
            pieces.one_of(AND)

    def _seat(self, pieces: Line) -> Seat:
        if len(self._seats) == MOST:
            raise pieces.refuse(f"at most {MOST} players can sit at a table")
        letter, name, player_id, column = None, "", None, pieces.column
        if LETTER.fullmatch(pieces.piece):
            letter = pieces.piece
            pieces.step()
            if pieces.piece in (":", "=") or (pieces.piece in ("-", "–") and pieces.following().isspace()):
                pieces.step()
        if (pieces.is_word() and pieces.piece.lower() not in AND and not pieces.is_because()) or pieces.piece[
            :1
        ] == '"':
            name = _name(pieces)
        elif letter is None:
            pieces.expect("LETTER", "WORD")
            raise pieces.unexpected()
        else:
            pieces.expect("WORD")
        if pieces.mark("("):
            player_id = pieces.word()
            pieces.require(")")
        if letter and letter.upper() in self._used_letters:
            raise pieces.refuse(f"two players have the letter {letter}", column)
        if letter is None and " " in name:
            self._unparted = name, (pieces.number, column)
        self._used_letters.add(letter.upper() if letter else "")
        return letter, Player(id=usual_id(name, letter or "") if player_id is None else player_id, name=name)

    def _option(self, pieces: Line) -> None:
        column, literal_name, refused = pieces.column, pieces.piece[:1] == '"', None
        name = pieces.word()
        while not literal_name and pieces.is_word():
            pieces.expect('"="')
            refused = refused or pieces.unexpected()
            name = f"{name} {pieces.word()}"
        if not pieces.mark("="):
            refused = refused or pieces.unexpected()
            if literal_name or not pieces.mark(":"):
                raise refused
        if name in self._options:
            raise pieces.refuse(f"the option {quote(name)} occurs twice", column)
        spot, literal = (pieces.number, pieces.column), pieces.piece[:1] in ('"', "[")
        if pieces.piece == "[":
            value: Any = _numbers(pieces)
        else:
            value = pieces.word()
            while not literal and pieces.is_word() and not pieces.is_because():
                pieces.expect('","', "END")
                refused = refused or pieces.unexpected()
                value = f"{value} {pieces.word()}"
        self._options[name] = _Written(value, literal_name, literal, spot, refused)

    # ---- The whole

    @property
    def complete(self) -> bool:
        """Whether it has all that a heading must have."""
        return "game" in self.spots and "players" in self.spots

    def letters_so_far(self) -> Letters:
        """The letters so far."""
        return self.letters.after(self._seats)

    def game_so_far(self) -> Game[Any] | None:
        """The game, if its name has been read and it is installed."""
        return game_of(self._entries.get("game", ""), self._entries.get("rules"))

    def data(self) -> dict[str, Any]:
        """The opening as plain data; this also sets `letters`, `game` and `by`."""
        self.letters, self.game = self.letters_so_far(), self.game_so_far()
        by = {field: self._recorder(pieces) for field, pieces in self._recorders.items()}
        self.by = by.get("by")
        self._check_names()
        options = dict(self._chosen(name, value) for name, value in self._options.items())
        players = [{"id": player.id, "name": player.name} for _letter, player in self._seats]
        data: dict[str, Any] = {"type": "open", **self._entries, "options": options, "players": players}
        data |= {name: _CONSTANTS[self._entries[name].lower()] for name in _YES_OR_NO if name in self._entries}
        if "source" in self._entries:
            data["source"] = dict(zip(("from", "id"), self._entries["source"].split(" ", 1), strict=True))
        if "teams" in self._entries:
            data["teams"] = [[*self._members(team)] for team in self._entries["teams"].split(",")]
        return data | {"by": by.get("opened_by", self.by)} if by else data

    def _members(self, team: str) -> Iterator[str]:
        """The ids of the players of a team, by their letters, names or ids.  Raises NotARecord for somebody else."""
        for word in filter(None, re.split(r"\s+(?:(?:and|&)\s+)?", team.strip())):
            name = word.strip('"')
            player = self.letters.player(name)
            if player is None and name not in {player.id for _letter, player in self._seats}:
                line, column = self.spots["teams"]
                raise refusal(f"nobody here is called {quote(word)}: write teams like `A C, B D`", column, line)
            yield player or name

    def _recorder(self, pieces: Line) -> str | None:
        pieces.setting.letters = self.letters
        id_ = pieces.somebody()
        if not pieces.at_end():
            raise pieces.unexpected()
        return id_

    def _check_names(self) -> None:
        """Raises NotARecord for several names without commas, if the game is for as many players as there are words."""
        if self.game is None or self._unparted is None or self.game.seated(self._bare()):
            return
        name, (line, column) = self._unparted
        words = [word for _letter, player in self._seats for word in (player.name or player.id).split()]
        if self.game.seated(self._bare(words)):
            reason = f"{self.game.title} is for {self.game.seats}, and there is no comma in {quote(name)}"
            raise refusal(f"{reason}{guess('Players: ' + ', '.join(words))}", column, line)

    def _bare(self, ids: Iterable[str] | None = None) -> Opening:
        seated = tuple(ids or (player.id for _letter, player in self._seats))
        edition = self._entries.get("edition") or next(iter(self.game.editions if self.game else ()), None)
        return Opening(self._entries["game"], edition, seated, seated, {})

    def _chosen(self, name: str, written: _Written) -> tuple[str, Any]:
        """An option and its value: quoted text is literal; a word may be a number, a constant or a player."""
        options = {option.name: option for option in self.game.options} if self.game else {}
        usual = name if written.literal_name else "_".join(name.lower().replace("-", " ").split())
        option = options.get(name) or options.get(usual)
        value = written.value if written.literal else self._value(str(written.value), option, written.spot)
        if written.refused and (option is None or (not written.literal and isinstance(value, str) and " " in value)):
            raise written.refused
        return option.name if option else name, value

    def _value(self, text: str, option: Option | None, spot: Spot) -> Any:
        if re.fullmatch(_WHOLE, text):
            return whole_number(text, *spot)
        if text.lower() in _CONSTANTS:
            return _CONSTANTS[text.lower()]
        id_ = self.letters.player(text)
        if id_ is not None or option is None:
            return id_ or text
        name = self.letters.longest_name(text, 0)
        if name is not None and name[0] == len(text):
            id_ = self.letters.players[name[1]].id
            if accepts(option, id_, self._bare()):
                return id_
        return text.lower() if text.lower() in option.values else text


def one_line(pieces: Line) -> Heading:
    """Reads the parts of an opening on one line; its letters and its game are known then.  Raises NotARecord."""
    heading = Heading(pieces.setting.letters)
    while True:
        if not heading.part(pieces, in_line=True):
            pieces.expect("KEY")
            raise pieces.unexpected()
        if not pieces.mark(";"):
            return heading


def _name(pieces: Line) -> str:
    """A player's name.  A letter inside it is probably the next player's, after a forgotten comma."""
    if pieces.piece[:1] == '"':
        return pieces.quoted()
    words = [pieces.word()]
    while pieces.is_word() and not pieces.is_because() and pieces.piece.lower() not in AND:
        if LETTER.fullmatch(pieces.piece):
            raise pieces.refuse(f"a comma is missing before {pieces.piece}, or this name belongs in quotes")
        words.append(pieces.word())
    pieces.expect("WORD")
    return " ".join(words)


def _numbers(pieces: Line) -> list[int]:
    numbers = list[int]()
    pieces.require("[")
    while not pieces.mark("]"):
        if numbers:
            pieces.mark(",")
        numbers.append(pieces.whole())
    return numbers
