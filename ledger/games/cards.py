"""Score cards: games known only by their scores.

A card has no acts, so no rules are needed: it may be of a game that is not installed.  Its scores and winners are those
that were claimed, and nothing of it is audited.

Source: the record format, version 1, "What was not recorded move by move".
"""

from collections.abc import Callable, Mapping
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
    `ranks` are by seat, too.  `sides` has the side of each seat: a team, or the seat alone.  `lowest`: the fewest
    points win.  `left` is set by a game that was left unfinished.
    """

    names: tuple[str, ...]
    players: tuple[str, ...]
    scores: tuple[int | None, ...]
    together: bool = False
    called: tuple[int, ...] | None = None
    title: str | None = None
    ranks: tuple[int | None, ...] = ()
    sides: tuple[int, ...] = ()
    lowest: bool = False
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
    team = {player: number for number, players in enumerate(opening.teams, count) for player in players}
    sides = tuple(team.get(player, seat) for seat, player in enumerate(opening.players))
    return Card(
        names=opening.names, players=opening.players, scores=(None,) * count, sides=sides, lowest=opening.lowest
    )


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
            ranks = tuple(event.ranks.get(player) for player in state.players) if event.ranks else ()
            return replace(state, called=seats, title=event.title, ranks=ranks)
        case Close():
            return replace(state, left=event.why == "abandoned")
    return state


def standing(state: Card) -> Standing:
    """The scores, winners and ranks of a card.

    If no winners are named, the side with most points won, or with the fewest where those win, or in a game with cheats
    everybody.  A team has the points that all of its players have, or else the sum.
    """
    scores = tuple(score or 0 for score in state.scores)
    unsaid = frozenset(seat for seat, score in enumerate(state.scores) if score is None)
    if state.left or (len(unsaid) == len(scores) and state.called is None):
        return Standing(finished=False, scores=scores, unsaid=unsaid)
    points = _points_of_sides(state)
    known = [score for score in points.values() if score is not None]
    best = (min if state.lowest else max)(known) if len(known) == len(points) else None
    won = {side for side, score in points.items() if state.together or (best is not None and score == best)}
    if state.called is not None:
        won = {state.sides[seat] for seat in state.called}
    return Standing(
        finished=True,
        scores=scores,
        winners=tuple(seat for seat, side in enumerate(state.sides) if side in won),
        title=state.title,
        unsaid=unsaid,
        decided=state.called is not None or bool(won),
        ranked=state.ranks or _ranks(state, points, won),
        lowest=state.lowest,
    )


def _points_of_sides(state: Card) -> dict[int, int | None]:
    """The points of each side: a player's, or a team's from those of its players that are known; None if none are."""
    members: dict[int, list[int]] = {side: [] for side in state.sides}
    for side, score in zip(state.sides, state.scores, strict=True):
        members[side] += [] if score is None else [score]
    alike = all(len({*scores}) <= 1 for scores in members.values())
    return {side: (scores[0] if alike else sum(scores)) if scores else None for side, scores in members.items()}


def _ranks(state: Card, points: Mapping[int, int | None], won: set[int]) -> tuple[int | None, ...]:
    """The rank of each seat: the winning sides, then the others by their points; none if nobody is known to have won.

    Without the points of all, those who did not win are level.
    """
    if not won:
        return (None,) * len(state.sides)
    scores = {score for score in points.values() if score is not None}
    low = state.lowest or {points[side] for side in won} == {min(scores, default=0)} != {max(scores, default=0)}
    sign = 0 if None in points.values() else 1 if low else -1
    order = {side: (side not in won, sign * (score or 0)) for side, score in points.items()}
    seats = [order[side] for side in state.sides]
    return tuple(1 + sum(other < own for other in seats) for own in seats)


def scene(state: Card) -> Scene:
    """A table without tiles: nobody recorded how they lay."""
    seats = tuple(Seat(name, score) for name, score in zip(state.names, state.scores, strict=True))
    return Scene(seats, (), status="Only the result is known")
