"""What a line is read in: the letters of the players, the names of the squares, the game and what happened before.

The heading of a sheet gives every player a letter.  By default it is the player's initial, or the first free letter, so
a record always gets the same letters.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from string import ascii_uppercase
from typing import Any

from msgspec import Struct, field

from ledger.games.catalog import find
from ledger.record.errors import LedgerError
from ledger.record.events import ACTS, CLAIMS, Amend, AnyEvent, Event, Open, Player
from ledger.record.record import Record, effective
from ledger.record.squares import USUAL, Squares
from ledger.rules.game import Game

LETTER = re.compile("[A-Za-z][0-9]{0,2}")
"""The form of a player's letter."""
Seat = tuple[str | None, Player]
"""A player, and the letter from the sheet, if any."""


class Letters:
    """The letters of players.  `players` has the players by letter, in capitals."""

    def __init__(self, players: Mapping[str, Player] | None = None) -> None:
        self.players = dict(players or {})
        self._letters = {player.id: letter for letter, player in self.players.items()}

    def player(self, letter: str) -> str | None:
        """The id of the player with this letter, small or capital; None for an unknown letter."""
        player = self.players.get(letter.upper()) if letter.isascii() else None
        return player.id if player else None

    def longest_name(self, line: str, begin: int) -> tuple[int, str] | None:
        """The length of the player's name at this place of a line, and the letter; None if two players have that name.

        Case does not matter.  A name ends at the end of a word.
        """
        longest = max((len(player.name) for player in self.players.values()), default=0)
        text = line[begin : begin + longest + 1]
        folded = text.casefold()
        names: dict[int, set[str]] = {}
        for letter, player in self.players.items():
            name = player.name
            begins_with_it = (
                len(name) >= len(letter) and folded.startswith(name.casefold()) and len(name.casefold()) == len(name)
            )
            if name and begins_with_it and not text[len(name) : len(name) + 1].isalnum():
                names.setdefault(len(name), set()).add(letter)
        length = max(names, default=0)
        return (length, names[length].pop()) if len(names.get(length, ())) == 1 else None

    def letter(self, player: str) -> str | None:
        """The letter of the player with this id."""
        return self._letters.get(player)

    def after(self, seats: Iterable[Seat]) -> "Letters":
        """The letters after an opening: its own letters first, then the earlier ones."""
        opening_seats = list(seats)
        letters = {player.id: letter.upper() for letter, player in opening_seats if letter}
        used = set(letters.values())
        free = (letter for letter in _all_letters() if letter not in used)
        for choose in (lambda player: self.letter(player.id), _initial, lambda _player: next(free)):
            for _letter, player in opening_seats:
                choice = None if player.id in letters else choose(player)
                if choice and choice not in used:
                    letters[player.id] = choice
                    used.add(choice)
        return Letters({letters[player.id]: player for _letter, player in opening_seats})

    def __str__(self) -> str:
        return ", ".join(f"{letter} {player.name or player.id}" for letter, player in self.players.items()) or "nobody"


def letters_of(of: Record | Open) -> Letters:
    """The letters of a record's players, or of an opening's, in the order of their seats."""
    events = of.events if isinstance(of, Record) else (of,)
    letters = Letters()
    for event in events:
        opening = event.event if isinstance(event, Amend) else event
        if isinstance(opening, Open):
            letters = letters.after((None, player) for player in opening.players)
    return letters


def letters(of: Record | Open) -> dict[str, str]:
    """The id of each player of a record or an opening by letter, in the order of seats."""
    return {letter: player.id for letter, player in letters_of(of).players.items()}


def usual_id(name: str, letter: str = "") -> str:
    """The default id of a player: the name in small letters, or else the letter."""
    return "-".join(name.lower().split()) or letter.lower()


def _initial(player: Player) -> str | None:
    initial = player.name[:1].upper()  # of some ligatures two letters
    return initial if len(initial) == 1 and initial in ascii_uppercase else None


def _all_letters() -> Iterator[str]:
    """A to Z, then A1 to Z1, A2, ...: more than there are players."""
    yield from ascii_uppercase
    for round_ in count(1):
        yield from (f"{letter}{round_}" for letter in ascii_uppercase)


_OF_A_GAME = frozenset((*ACTS, *CLAIMS))


class Setting(Struct):
    """The `letters`, the `squares` and the `game` of a line; an unknown game (None) may have any event.

    `events` are those before the line.  `in_heading`: the line may belong to the heading.  `unsure`: the heading has a
    mistake, so a letter may be anybody's.  `turn` is the id of the player whose act needs no letter.
    """

    letters: Letters = field(default_factory=Letters)
    squares: Squares = USUAL
    game: Game[Any] | None = None
    events: Callable[[], Sequence[AnyEvent]] = tuple
    in_heading: bool = False
    unsure: bool = False
    turn: str | None = None

    def has(self, kind: type[Event], scope: str | None = None) -> bool:
        """Whether the game has this type of event, for points in that scope.  Every game has notes and corrections."""
        game = self.game
        if game is None or kind not in _OF_A_GAME:
            return True
        return kind in game.events and (scope is None or scope in game.scores)

    def lacks(self, event: Event) -> bool:
        """Whether an event is an act or a claim that the game does not have."""
        return self.game is not None and type(event) in _OF_A_GAME and not self.game.has(event)

    def may_follow(self, kind: type[Event]) -> bool:
        """Whether an event of this type may be the next one by the rules; True if that is unknown."""
        game, events = self.game, tuple(self.events())
        if not self.has(kind):
            return False
        if game is None or game.choices is None or not events:
            return True
        played = effective(events)
        try:
            state = game.start(game.opening(played.opening))
        except LedgerError:
            return True
        for event in played.events[1:]:
            if game.has(event) and not state.ended:
                state = game.evolve(state, event)
        return any(type(choice) is kind for choice in game.choices(state))


def game_of(tag: str, rules: str | None) -> Game[Any] | None:
    """The game with this tag, in that revision of its rules; None if it is not installed."""
    try:
        return find(tag).under(rules)
    except LedgerError:
        return None


def game_in(of: Record | Open) -> Game[Any] | None:
    """The game of a record, after the last correction of its opening, or that of an opening."""
    events = of.events if isinstance(of, Record) else (of,)
    corrected = (event.event if isinstance(event, Amend) else event for event in events)
    *_, opening = (event for event in corrected if isinstance(event, Open))
    return game_of(opening.game, opening.rules)
