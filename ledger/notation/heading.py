"""The opening of a record: the heading of a sheet, or one line of it."""

from __future__ import annotations

import re
from typing import Any, cast

from ledger.notation.refusals import quote, refusal
from ledger.notation.seats import LETTER, Letters, Seat, usual_id
from ledger.notation.tree import Node, Spot, Token, token_of, tokens, trees
from ledger.notation.values import number, point, text_of, whom, words
from ledger.record.events import Player
from ledger.record.squares import USUAL, Squares

_WHOLE = re.compile(r"[-−]?[0-9]+")
_CONSTANTS = {"true": True, "yes": True, "false": False, "no": False, "none": None, "null": None}
MOST = 26
"""The maximum number of players in the record format."""


class Heading:
    """Collects the parts of an opening, from the lines of a heading or from one line.

    `letters` are the earlier ones and, after `data`, its own; `squares` are the names of squares in it, `by` is who
    recorded what follows.
    """

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self.by: str | None = None
        self.squares = USUAL
        self.spots: dict[str, Spot] = {}
        self._recorders: dict[str, tuple[Token, int | None]] = {}
        self._entries: dict[str, str] = {}
        self._seats: list[Seat] = []
        self._used_letters: set[str] = set()
        self._options: dict[str, tuple[Node, int | None]] = {}

    def add(self, tree: Node, line: int | None) -> None:
        """Adds one part: an entry, options, players, or a `by`.  Raises NotARecord for a repeated part."""
        field, begin = tree.data, tree.column
        if field == "entry":
            key, *value = tokens(tree)
            field = key[:-1].strip().lower()
            self._refuse_repeated(field, tree, line)
            self._entries[field] = words(value, line)
            begin = value[0].column
        elif field == "corner":
            self._refuse_repeated("squares", tree, line)
            self.squares = Squares(*point(token_of(tree), line))
            field = "squares"
        elif field in ("by", "opened_by"):
            self._refuse_repeated(field, tree, line)
            self._recorders[field] = token_of(tree), line
        elif field == "players":
            for seat in trees(tree):
                self._seats.append(self._seat(seat, line))
        else:
            for option in trees(tree):
                self._option(option, line)
        self.spots.setdefault(field, (line, begin))

    def letters_so_far(self) -> Letters:
        """The letters so far."""
        return self.letters.after(self._seats)

    def data(self) -> dict[str, Any]:
        """The opening as plain data; this also sets `letters` and `by`."""
        self.letters = self.letters_so_far()
        by = {field: whom(token, self.letters, line) for field, (token, line) in self._recorders.items()}
        self.by = by.get("by")
        options = {name: self._option_value(value, line) for name, (value, line) in self._options.items()}
        players = [{"id": player.id, "name": player.name} for _letter, player in self._seats]
        data = {"type": "open", **self._entries, "options": options, "players": players}
        return data | {"by": by.get("opened_by", self.by)} if by else data

    def _refuse_repeated(self, field: str, tree: Node, line: int | None) -> None:
        if field in self.spots:
            name = field.replace("_", " ").capitalize()
            raise refusal(f"{name}: occurs twice", tree.column, line)

    def _seat(self, tree: Node, line: int | None) -> Seat:
        if len(self._seats) == MOST:
            raise refusal(f"at most {MOST} players can sit at a table", tree.column, line)
        letter, name, player_id = None, "", None
        for part in tree.children:
            if isinstance(part, Token):
                letter = part
            elif part.data == "name":
                name = _name(tokens(part), line)
            else:
                player_id = words(tokens(part), line)
        if letter and letter.upper() in self._used_letters:
            raise refusal(f"two players have the letter {letter}", letter.column, line)
        self._used_letters.add(letter.upper() if letter else "")
        return letter, Player(id=usual_id(name, letter or "") if player_id is None else player_id, name=name)

    def _option(self, tree: Node, line: int | None) -> None:
        name, value = cast("tuple[Token, Node]", tree.children)
        key = words([name], line)
        if key in self._options:
            raise refusal(f"the option {quote(key)} occurs twice", name.column, line)
        self._options[key] = value, line

    def _option_value(self, tree: Node, line: int | None) -> Any:
        """The value of an option: quoted text is literal; a word may be a number, a constant or a player's letter."""
        if tree.data == "list":
            return [number(token, token, line) for token in tokens(tree)]
        token = token_of(tree)
        if token.type == "QUOTED":
            return text_of(token, line)
        if _WHOLE.fullmatch(token):
            return number(token, token, line)
        if token.lower() in _CONSTANTS:
            return _CONSTANTS[token.lower()]
        return self.letters.player(token) or str(token)


def _name(name_tokens: list[Token], line: int | None) -> str:
    """A player's name.  A letter inside it is probably the next player's, after a forgotten comma."""
    for token in name_tokens[1:]:
        if LETTER.fullmatch(token):
            raise refusal(f"a comma is missing before {token}, or this name belongs in quotes", token.column, line)
    return words(name_tokens, line)
