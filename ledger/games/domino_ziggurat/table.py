"""The table of Domino Ziggurat: what one event does to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ledger.events import Correctable, Draw, Lift, Place
from ledger.games.domino_ziggurat.state import SET, WHOLE, DominoZiggurat
from ledger.games.domino_ziggurat.tiers import TIERS, covered, squares
from ledger.grid import level_of


# A tile of the pile is laid face up in the open hand.
def on_draw(state: DominoZiggurat, event: Draw) -> DominoZiggurat:
    """The table after a draw; a tile that was drawn before, or that the set does not have, changes nothing."""
    bit = event.tile.bit
    if not bit & SET & ~state.drawn:
        return state
    return replace(state, hand=state.hand | bit, drawn=state.drawn | bit, held=state.held + 1)


# A tile of the hand, or a lifted one, is laid on two free squares.
def on_place(state: DominoZiggurat, event: Place) -> DominoZiggurat:
    """The table after a placement; where a tile cannot lie, the hand has one tile fewer and nothing else changes."""
    tile, bit = event.tile, event.tile.bit
    one, other = squares(event)
    held = state.held if bit & state.lifted else max(0, state.held - 1)
    if not bit & SET or tile.index in state.lies or one in state.halves or other in state.halves:
        return replace(state, held=held)
    lies = {**state.lies, tile.index: (one, other)}
    return replace(
        state,
        halves={**state.halves, one: tile.first, other: tile.second},
        lies=lies,
        hand=state.hand & ~bit,
        held=held,
        drawn=state.drawn | bit,
        lifted=state.lifted & ~bit,
        last=tile.index,
        ended=finished(lies),
    )


# Every domino lifted is a cheat, those lifted to reach it included; by a ruling each domino counts only once.
def on_lift(state: DominoZiggurat, event: Lift) -> DominoZiggurat:
    """The table after a lift; a domino that is not there, or that something rests on, stays where it is."""
    index, bit = event.tile.index, event.tile.bit
    both = state.lies.get(index)
    if both is None or covered(state.halves, both):
        return state
    halves, lies = state.halves.copy(), state.lies.copy()
    del lies[index], halves[both[0]], halves[both[1]]
    counts = not (bit & state.once and state.rules.each_domino)
    return replace(
        state,
        halves=halves,
        lies=lies,
        lifted=state.lifted | bit,
        once=state.once | bit,
        cheats=state.cheats + counts,
        last=None,
    )


# The ziggurat is finished when all 28 tiles lie 18, 8 and 2 on its tiers.
def finished(lies: Mapping[int, tuple[int, int]]) -> bool:
    """Whether the ziggurat of these tiles is finished: none is missing, and so none is lifted."""
    if len(lies) != WHOLE:
        return False
    counts = dict.fromkeys(TIERS, 0)
    for one, _other in lies.values():
        tier = level_of(one)
        counts[tier] = counts.get(tier, 0) + 1
    return counts == TIERS


_EVOLVE: Mapping[type, Any] = {Draw: on_draw, Place: on_place, Lift: on_lift}


def evolve(state: DominoZiggurat, event: Correctable) -> DominoZiggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: DominoZiggurat = on(state, event) if on else state
    return after
