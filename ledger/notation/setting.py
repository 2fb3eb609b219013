"""What a line is read in: the letters of the players, the names of the squares, the game and what happened before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ledger.games.catalog import find
from ledger.notation.seats import Letters
from ledger.record.errors import LedgerError
from ledger.record.events import ACTS, CLAIMS, Amend, AnyEvent, Event, Open
from ledger.record.record import Record, effective
from ledger.record.squares import USUAL, Squares
from ledger.rules.game import Game

_OF_A_GAME = frozenset((*ACTS, *CLAIMS))


class Setting:
    """The `letters`, the `squares` and the `game` of a line; an unknown game (None) may have any event.

    `events` are those before the line.  `in_heading`: the line may belong to the heading.  `unsure`: the heading has a
    mistake, so a letter may be anybody's.  `turn` is the id of the player whose act needs no letter.
    """

    __slots__ = ("events", "game", "in_heading", "letters", "squares", "turn", "unsure")

    def __init__(
        self,
        letters: Letters | None = None,
        squares: Squares = USUAL,
        game: Game[Any] | None = None,
        events: Callable[[], Sequence[AnyEvent]] = tuple,
        *,
        in_heading: bool = False,
        unsure: bool = False,
        turn: str | None = None,
    ) -> None:
        self.letters, self.squares, self.game, self.events = letters or Letters(), squares, game, events
        self.in_heading, self.unsure, self.turn = in_heading, unsure, turn

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
