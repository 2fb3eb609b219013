"""The table of Domino Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Correctable, Draw, Lift, Place
from ledger.game import Opening, State
from ledger.grid import LEVEL, ORIGIN, ROW, SIDES, STEPS, column, level_of, row, square
from ledger.tiles import Tile, full

LARGEST = 6
SET = full(LARGEST)
HAND = 3
"""How many tiles lie in the open hand."""
TIERS = {1: 18, 2: 8, 3: 2}
"""How many dominoes a finished tier has."""
WHOLE = sum(TIERS.values())
FOUNDATION = 6


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it."""

    players: tuple[str, ...]
    adjacency: str
    at_once: bool
    rematch: bool
    each_domino: bool


class DominoZiggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    `halves` gives for each square in use the pips on it, `lies` for each tile on the ziggurat its two squares.  Tiles
    as bits: the open `hand`, all that were ever `drawn`, those `lifted` and not yet put back, those lifted at least
    `once`.  `held` counts the tiles of the hand by what was drawn and played: after a slip it may differ from `hand`,
    but every play makes room for one draw.  `cheats` counts, `last` is the tile that was placed last.
    """

    rules: Rules
    halves: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    hand: int = 0
    held: int = 0
    drawn: int = 0
    lifted: int = 0
    once: int = 0
    cheats: int = 0
    last: int | None = None


def start(opening: Opening) -> DominoZiggurat:
    """The bare foundation."""
    options = opening.options
    return DominoZiggurat(
        rules=Rules(
            players=opening.players,
            adjacency=options["adjacency"],
            at_once=options["put_back"] == "at-once",
            rematch=options["put_back_match"],
            each_domino=options["cheat_count"] == "each-domino",
        )
    )


# ── Where a domino may lie: the predicates that judge, and that find what can be played ────────────────────


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    x, y = event.at
    at = event.level * LEVEL + y * ROW + x + ORIGIN
    return at, at + STEPS[event.dir]


def on_foundation(at: int) -> bool:
    """Whether a square lies over the foundation."""
    return 0 <= column(at) < FOUNDATION and 0 <= row(at) < FOUNDATION


# Each tier is centred, and one square narrower on every side than the one below.
SQUARES = frozenset(
    square(x, y, tier)
    for tier in TIERS
    for x in range(tier - 1, FOUNDATION - tier + 1)
    for y in range(tier - 1, FOUNDATION - tier + 1)
)
"""The squares of the three tiers."""


def on_tier(at: int) -> bool:
    """Whether a square belongs to its tier; there is no fourth."""
    return at in SQUARES


def supported(state: DominoZiggurat, at: int) -> bool:
    """Whether a half on this square rests on something."""
    return level_of(at) == 1 or at - LEVEL in state.halves


def greater(state: DominoZiggurat, at: int, half: int) -> bool:
    """Whether a half is greater than the one directly below it, if there is one."""
    return half > state.halves.get(at - LEVEL, -1)


# At least one half is beside an equal one, seen from above: on its own tier, or the visible top of the neighbouring
# column on another.  Which neighbours count is a ruling; every reading is a bit.
READINGS = {"visible": 1, "top": 2, "same-tier": 4, "any": 8}
_VISIBLE, _TOP, _SAME, _ANY = READINGS.values()
EVERY = _VISIBLE | _TOP | _SAME | _ANY
_UP = tuple(tuple(tier * LEVEL for tier in range(top, 0, -1)) for top in range(len(TIERS) + 1))
"""By the highest tier in use, what is added to the ground to go down a column."""


def beside(halves: Mapping[int, int], at: int, other: int, column_: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The squares beside a half that may match it by some reading, each with the readings by which it may.

    `other` is the square of the domino's own other half.
    """
    for side in _sides(at, other, column_):
        highest = True
        for found, seen, hidden in side:
            if found in halves:
                yield found, seen if highest else hidden
                highest = False


@lru_cache(maxsize=4096)
def _sides(at: int, other: int, column_: tuple[int, ...]) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """For each side of a half the squares there, the highest first.

    With each, the readings by which it may match where it is the highest in use, and where something lies above it.
    """
    sides = []
    for step in SIDES:
        near, squares_ = at + step, []
        for up in column_:
            found = near - at // LEVEL * LEVEL + up
            readings = _ANY | _SAME if found == near else _ANY
            # Under the domino's own other half nothing is visible.
            seen = readings if near == other else readings | _TOP | _VISIBLE
            squares_.append((found, seen, seen & ~_TOP if found == near else readings))
        sides.append(tuple(squares_))
    return tuple(sides)


def _column(halves: Mapping[int, int]) -> tuple[int, ...]:
    """What is added to the ground to go down a column, from as far up as dominoes lie."""
    top = max(halves) // LEVEL if halves else 0
    return _UP[top] if top < len(_UP) else tuple(tier * LEVEL for tier in sorted({*map(level_of, halves)})[::-1])


def neighbours(state: DominoZiggurat, at: int, other: int) -> Iterator[int]:
    """The squares beside a half that may match it by the reading of this game."""
    mine = READINGS[state.rules.adjacency]
    found = beside(state.halves, at, other, _column(state.halves))
    return (near for near, readings in found if readings & mine)


def match(state: DominoZiggurat, event: Place, wanted: int = EVERY) -> int:
    """The readings by which a half of a placement is beside an equal one; enough of them, once those `wanted` are."""
    one, other = squares(event)
    halves, tile, found = state.halves, event.tile, 0
    column_ = _column(halves)
    for at, opposite, half in ((one, other, tile.first), (other, one, tile.second)):
        for near, readings in beside(halves, at, opposite, column_):
            if halves[near] == half:
                found |= readings
                if found & wanted == wanted:
                    return found
    return found


def matched(state: DominoZiggurat, event: Place) -> bool:
    """Whether a half of a placement is beside an equal one by the reading of this game."""
    mine = READINGS[state.rules.adjacency]
    return bool(match(state, event, mine) & mine)


def needs_match(state: DominoZiggurat, tile: Tile) -> bool:
    """The first domino on a bare foundation needs none; by a ruling one that is put back does not either."""
    return bool(state.halves) and (state.rules.rematch or not tile.bit & state.lifted)


def legal(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement keeps every clause about where dominoes lie."""
    one, other = squares(event)
    return (
        _fits(state, one, event.tile.first)
        and _fits(state, other, event.tile.second)
        and (not needs_match(state, event.tile) or matched(state, event))
    )


def _fits(state: DominoZiggurat, at: int, half: int) -> bool:
    """Whether a half may lie on a square, whatever lies beside it."""
    return (
        at not in state.halves
        and supported(state, at)
        and greater(state, at, half)
        and on_foundation(at)
        and on_tier(at)
    )


def covered(state: DominoZiggurat, both: tuple[int, int]) -> bool:
    """Whether something rests on one of these squares."""
    return both[0] + LEVEL in state.halves or both[1] + LEVEL in state.halves


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def _on_draw(state: DominoZiggurat, event: Draw) -> DominoZiggurat:
    bit = event.tile.bit
    if not bit & SET or bit & state.drawn:
        return state
    return replace(state, hand=state.hand | bit, held=state.held + 1, drawn=state.drawn | bit)


def _on_place(state: DominoZiggurat, event: Place) -> DominoZiggurat:
    one, other = squares(event)
    tile = event.tile
    held = state.held if tile.bit & state.lifted else max(0, state.held - 1)
    if not tile.bit & SET or tile.index in state.lies or one in state.halves or other in state.halves:
        return replace(state, held=held)
    halves, lies = state.halves.copy(), state.lies.copy()
    halves[one], halves[other] = tile.first, tile.second
    lies[tile.index] = (one, other)
    return replace(
        state,
        halves=halves,
        lies=lies,
        hand=state.hand & ~tile.bit,
        held=held,
        drawn=state.drawn | tile.bit,
        lifted=state.lifted & ~tile.bit,
        last=tile.index,
        ended=finished(lies),
    )


# Every domino lifted is a cheat, those lifted to reach it included; by a ruling each domino counts only once.
def _on_lift(state: DominoZiggurat, event: Lift) -> DominoZiggurat:
    both = state.lies.get(event.tile.index)
    if both is None or covered(state, both):
        return state
    bit = event.tile.bit
    counts = not (state.rules.each_domino and bit & state.once)
    halves, lies = state.halves.copy(), state.lies.copy()
    del halves[both[0]], halves[both[1]], lies[event.tile.index]
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


_EVOLVE: Mapping[type, Any] = {Draw: _on_draw, Place: _on_place, Lift: _on_lift}


def evolve(state: DominoZiggurat, event: Correctable) -> DominoZiggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: DominoZiggurat = on(state, event) if on else state
    return after
