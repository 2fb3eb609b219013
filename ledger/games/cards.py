"""Score cards: games known only by their scores.

A card has no acts, so no rules are needed: it may be of a game that is not installed.  Its scores and winners are those
that were claimed, and nothing of it is audited.

Source: the record format, version 1, "What was not recorded move by move".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from ledger.games import catalog
from ledger.record.errors import UnknownGame
from ledger.record.events import Cheats, Close, Open, Result, Score
from ledger.record.record import Record
from ledger.record.scene import Scene, Seat
from ledger.rules.game import Game, Opening, Standing, State

REMEMBERED = 256
"""The most games whose cards are remembered: anybody may invent the name of one."""
_OF_THE_RULES = ("title", "author", "document", "editions", "options", "defaults", "largest", "revision")
"""What a card has of its game, if that is installed."""


class Card(State, frozen=True, kw_only=True, gc=False):
    """What a card says so far.

    `scores` are by seat, None where there is none yet; `called` are the winners that were named, None before that.
    `left` is set by a game that was left unfinished.
    """

    names: tuple[str, ...]
    players: tuple[str, ...]
    scores: tuple[int | None, ...]
    together: bool = False
    called: tuple[int, ...] | None = None
    title: str | None = None
    left: bool = False


@lru_cache(REMEMBERED)
def card_game(name: str) -> Game[Card]:
    """The score cards of the game with that tag, which need not be installed: then the tag is its title."""
    try:
        known: Game[Any] | None = catalog.find(name)
    except UnknownGame:
        known = None
    shared: dict[str, Any] = {field: getattr(known, field) for field in _OF_THE_RULES} if known else {"title": name}
    return Game(
        **{"author": "", "document": "", **shared},
        name=name,
        seats="any number of players",
        seated=lambda _opening: True,
        events=(Cheats if known and Cheats in known.events else Score, Result, Close),
        start=start,
        evolve=evolve,
        clauses=(),
        standing=standing,
        scene=scene,
    )


def rules_of(opening: Open, find_game: Callable[[str], Game[Any]] | None = None) -> Game[Any]:
    """The game that reads a record with this opening, in its newest revision.  Raises UnknownGame as `find_game`."""
    return card_game(opening.game) if opening.card else (find_game or catalog.find)(opening.game)


def game_of(record: Record, find_game: Callable[[str], Game[Any]] | None = None) -> Game[Any]:
    """The game that judges a record, in the record's own revision of the rules.  Raises UnknownGame."""
    opening = record.opening
    return card_game(opening.game) if opening.card else (find_game or catalog.find)(opening.game).under(record.rules)


def start(opening: Opening) -> Card:
    """A card without scores."""
    count = len(opening.players)
    return Card(names=opening.names, players=opening.players, scores=(None,) * count)


def evolve(state: Card, event: Any) -> Card:
    """The card with what an event says; the last one of a kind counts."""
    match event:
        case Score(scope="game"):
            scores = tuple(
                event.points.get(player, score) for player, score in zip(state.players, state.scores, strict=True)
            )
            return replace(state, scores=scores)
        case Cheats():
            return replace(state, scores=(event.count,) * len(state.players), together=True)
        case Result():
            seats = tuple(seat for seat, player in enumerate(state.players) if player in event.winners)
            return replace(state, called=seats, title=event.title)
        case Close():
            return replace(state, left=event.why == "abandoned")
    return state


def standing(state: Card) -> Standing:
    """The scores and winners of a card.

    If no winners are named, those with most points won, or in a game with cheats everybody.
    """
    scores = tuple(score or 0 for score in state.scores)
    if state.left or None in state.scores:
        return Standing(finished=False, scores=scores)
    winners = state.called
    if winners is None:
        winners = tuple(seat for seat, score in enumerate(scores) if state.together or score == max(scores))
    return Standing(finished=True, scores=scores, winners=winners, title=state.title)


def scene(state: Card) -> Scene:
    """A table without tiles: nobody recorded how they lay."""
    seats = tuple(Seat(name, score) for name, score in zip(state.names, state.scores, strict=True))
    return Scene(seats, (), status="Only the scores are known")
