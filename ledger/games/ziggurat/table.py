"""The table of Ziggurat: what one event does to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Event, Pass, Place, Result, Score
from ledger.games.ziggurat.base import beside, scoring
from ledger.games.ziggurat.state import Rules, Ziggurat, following, is_open, put, sizes, squares
from ledger.grid import LEVEL
from ledger.tiles import Tile, full, mask

EVENTS: tuple[type[Event], ...] = (Deal, Aside, Place, Pass, Score, Result)
"""The acts and claims of the game."""
CLOSING: tuple[type[Event], ...] = ()
"""No act belongs to the end of the game: none may stand after it."""


# The set is dealt evenly.
def on_deal(state: Ziggurat, event: Deal) -> Ziggurat:
    """A player gets tiles: the whole hand, or a part of it."""
    seat = state.rules.seat[event.player]
    tiles = mask(event.tiles) & full(state.rules.largest)
    whole = state.whole if event.partial else state.whole | 1 << seat
    return replace(state, dealt=put(state.dealt, seat, state.dealt[seat] | tiles), whole=whole)


# What is left over is out of the game.
def on_aside(state: Ziggurat, event: Aside) -> Ziggurat:
    """Tiles are set aside."""
    return replace(state, aside=state.aside | mask(event.tiles) & full(state.rules.largest))


# Nobody may pass; who does it all the same has used up the turn.
def on_pass(state: Ziggurat, event: Pass) -> Ziggurat:
    """The turn goes to the next player, and nothing else happens."""
    return replace(state, turn=following(sizes(state), state.placed, state.rules.seat[event.player]))


# A player lays a domino on two free squares; then it is the next player's turn.
def on_place(state: Ziggurat, event: Place) -> Ziggurat:
    """The domino lies there, by the rules or not; only what no table could have shown changes nothing but the turn."""
    rules, tile, seat, halves = state.rules, event.tile, state.rules.seat[event.player], state.halves
    one, other = squares(event)
    if tile.high > rules.largest or tile.index in state.lies or one in halves or other in halves:
        return replace(state, turn=following(sizes(state), state.placed, seat))
    placed = put(state.placed, seat, state.placed[seat] + 1)
    points = worth(rules, halves, tile, one, other)
    halves = {**halves, one: tile.first, other: tile.second}
    level, turn = max(state.level, event.level), following(sizes(state), placed, seat)
    finished = not is_open(rules, halves, level)
    return replace(
        state,
        ended=turn is None or (finished and ends(rules, halves, level)),
        halves=halves,
        owner={**state.owner, one: tile.index, other: tile.index},
        lies={**state.lies, tile.index: (one, other)},
        level=level,
        finished=finished,
        turn=turn,
        placed=placed,
        scores=put(state.scores, seat, state.scores[seat] + points),
        last=tile.index,
    )


# The base scores the squares that equal a neighbour; a level above scores those that equal what they cover.
def worth(rules: Rules, halves: Mapping[int, int], tile: Tile, one: int, other: int) -> int:
    """The points for a domino on these squares."""
    level = one // LEVEL
    if level == 1:
        near, far = beside(halves, one, other)
        first, second = near.count(tile.first), far.count(tile.second)
        return scoring(rules.per_match, first) + scoring(rules.per_match, second)
    equal = (halves.get(one - LEVEL) == tile.first) + (halves.get(other - LEVEL) == tile.second)
    return equal * factor(rules, level)


# Above the base, one point for each covered square equal to the half that covers it, times the level; the first level
# above the base counts double, or single by a ruling.
def factor(rules: Rules, level: int) -> int:
    """What a match counts on a level above the base."""
    return level + rules.first_factor - 2


# The game ends when a new level would have exactly one valid place; by a ruling that place is still played.
def ends(rules: Rules, halves: Mapping[int, int], level: int) -> bool:
    """Whether the game ends now that this level is finished."""
    narrow = level - 1 if rules.single_played else level
    return dominoes(halves, narrow) == 1


# A level with a single domino gives the next one a single place.  There is no level below the base.
def single_place(halves: Mapping[int, int], level: int) -> bool:
    """Whether this finished level leaves one place for the next one, or was itself the one place."""
    return dominoes(halves, level) == 1 or dominoes(halves, level - 1) == 1


def dominoes(halves: Mapping[int, int], level: int) -> int:
    """How many dominoes lie on a level."""
    low, high = level * LEVEL, (level + 1) * LEVEL
    return len([at for at in halves if low <= at < high]) // 2


EVOLVE: Mapping[type, Callable[[Ziggurat, Any], Ziggurat]] = {
    Deal: on_deal, Aside: on_aside, Pass: on_pass, Place: on_place,
}  # fmt: skip


def evolve(state: Ziggurat, event: Correctable) -> Ziggurat:
    """The table after an act."""
    on = EVOLVE.get(type(event))
    return on(state, event) if on else state
