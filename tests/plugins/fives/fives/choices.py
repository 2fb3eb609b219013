"""The legal acts, and simulation."""

from collections.abc import Sequence
from random import Random

from fives.scoring import standing
from fives.state import HAND, SET, Fives, begun, boneyard, fits, fitting, possible, stock
from ledger.record.events import Aside, Correctable, Deal, Draw, Event, Pass, Play, Result, Score
from ledger.record.tiles import Tile, members
from ledger.rules.shared_clauses import by_player


def choices(state: Fives) -> Sequence[Correctable]:
    """The legal acts now, without draws and without tiles to show, which cannot be known."""
    if state.ended or state.phase == "show":
        return ()
    state = begun(state)
    acts: list[Correctable] = []
    for seat in (0, 1) if state.turn is None else (state.turn,):
        player, known = state.players[seat], state.held[seat] is not None
        plays = [
            Play(player, tile, end) for tile in fits(state, possible(state, seat)) for end in fitting(state.line, tile)
        ]
        acts += plays
        if state.line and not (known and plays) and not stock(state):
            acts.append(Pass(player))
    return acts


def tray(state: Fives, kind: type[Event], seat: int) -> Sequence[Tile]:
    """The tiles that an event could name: the whole set for a deal or for tiles that are shown."""
    if kind is Play:
        return members(possible(state, seat))
    return members(boneyard(state) if kind is Draw and state.phase == "play" else SET)


def chance(state: Fives, random: Random) -> Sequence[Correctable]:
    """A deal at the start of a hand; a tile from the boneyard for a player who cannot play."""
    if state.ended or state.phase == "show":
        return ()
    dealt = (None, None) if state.phase == "over" else state.held
    if not state.line or state.phase == "over":
        waiting = [player for player, hand in zip(state.players, dealt, strict=True) if hand is None]
        tiles = random.sample(members(SET & ~(dealt[0] or 0) & ~(dealt[1] or 0)), HAND * len(waiting))
        return [Deal(player, tuple(tiles[n * HAND : (n + 1) * HAND])) for n, player in enumerate(waiting)]
    if state.turn is None or not stock(state) or fits(state, state.held[state.turn] or 0):
        return ()
    return [Draw(state.players[state.turn], random.choice(members(boneyard(state))))]


def claims(before: Fives, act: Correctable, after: Fives) -> Sequence[Correctable]:
    """The claims of a careful table: the totals after each hand, and the winner."""
    said = [act]
    if after.phase == "over" and (before.phase != "over" or after.ended) and not isinstance(act, Aside):
        said.append(Score("game", by_player(after.players, after.totals)))
    if after.ended and not before.ended:
        said.append(Result(tuple(after.players[seat] for seat in standing(after).winners)))
    return said
