"""The table of Domino Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Correctable, Draw, Lift, Place
from ledger.game import Opening, State
from ledger.grid import LEVEL, SIDES, STEPS, column, level_of, row, square
from ledger.tiles import Tile, full

LARGEST = 6
SET = full(LARGEST)
HAND = 3
"""How many tiles lie in the open hand."""
TIERS = {1: 18, 2: 8, 3: 2}
"""How many dominoes a finished tier has."""
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
    at = square(*event.at, event.level)
    return at, at + STEPS[event.dir]


def on_foundation(at: int) -> bool:
    """Whether a square lies over the foundation."""
    return 0 <= column(at) < FOUNDATION and 0 <= row(at) < FOUNDATION


# Each tier is centred, and one square narrower on every side than the one below.
def on_tier(at: int) -> bool:
    """Whether a square belongs to its tier; there is no fourth."""
    tier = level_of(at)
    least, most = tier - 1, FOUNDATION - tier
    return tier in TIERS and least <= column(at) <= most and least <= row(at) <= most


def supported(state: DominoZiggurat, at: int) -> bool:
    """Whether a half on this square rests on something."""
    return level_of(at) == 1 or at - LEVEL in state.halves


def greater(state: DominoZiggurat, at: int, half: int) -> bool:
    """Whether a half is greater than the one directly below it, if there is one."""
    return half > state.halves.get(at - LEVEL, -1)


# At least one half is beside an equal one, seen from above: on its own tier, or the visible top of the neighbouring
# column on another.  Which neighbours count is a ruling.
def neighbours(state: DominoZiggurat, at: int, other: int) -> Iterator[int]:
    """The squares beside a half that may match it; `other` is the square of the domino's own other half."""
    adjacency, halves = state.rules.adjacency, state.halves
    here = at // LEVEL * LEVEL
    for step in SIDES:
        beside = at + step
        if adjacency == "same-tier":
            if beside in halves:
                yield beside
            continue
        column_ = [square for square in _column(state, beside - here) if square in halves]
        if adjacency == "any":
            yield from column_
        elif beside != other and column_:
            # Under the domino's own other half nothing is visible.
            yield column_[0]
            if adjacency == "visible" and beside in halves and beside != column_[0]:
                yield beside


def _column(state: DominoZiggurat, ground: int) -> Iterable[int]:
    """The squares over a place of the ground, the highest first, as far up as dominoes lie."""
    top = level_of(max(state.halves, default=0))
    if top <= len(TIERS):
        return range(ground + top * LEVEL, ground, -LEVEL)
    return [ground + tier * LEVEL for tier in sorted({level_of(at) for at in state.halves}, reverse=True)]


def match(state: DominoZiggurat, event: Place) -> tuple[int, int] | None:
    """A square of a placement and the equal one beside it; None if no half matches."""
    one, other = squares(event)
    for at, opposite, half in ((one, other, event.tile.first), (other, one, event.tile.second)):
        for beside in neighbours(state, at, opposite):
            if state.halves[beside] == half:
                return at, beside
    return None


def needs_match(state: DominoZiggurat, tile: Tile) -> bool:
    """The first domino on a bare foundation needs none; by a ruling one that is put back does not either."""
    return bool(state.halves) and (state.rules.rematch or not tile.bit & state.lifted)


def legal(state: DominoZiggurat, event: Place) -> bool:
    """Whether a placement keeps every clause about where dominoes lie."""
    one, other = squares(event)
    return (
        _fits(state, one, event.tile.first)
        and _fits(state, other, event.tile.second)
        and (not needs_match(state, event.tile) or match(state, event) is not None)
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


def covered(state: DominoZiggurat, both: Collection[int]) -> bool:
    """Whether something rests on one of these squares."""
    return any(at + LEVEL in state.halves for at in both)


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
    state = replace(
        state,
        held=held,
        halves={**state.halves, one: tile.first, other: tile.second},
        lies={**state.lies, tile.index: (one, other)},
        hand=state.hand & ~tile.bit,
        drawn=state.drawn | tile.bit,
        lifted=state.lifted & ~tile.bit,
        last=tile.index,
    )
    return replace(state, ended=finished(state))


# Every domino lifted is a cheat, those lifted to reach it included; by a ruling each domino counts only once.
def _on_lift(state: DominoZiggurat, event: Lift) -> DominoZiggurat:
    both = state.lies.get(event.tile.index)
    if both is None or covered(state, both):
        return state
    bit = event.tile.bit
    counts = not (state.rules.each_domino and bit & state.once)
    return replace(
        state,
        halves={at: half for at, half in state.halves.items() if at not in both},
        lies={index: place for index, place in state.lies.items() if index != event.tile.index},
        lifted=state.lifted | bit,
        once=state.once | bit,
        cheats=state.cheats + counts,
        last=None,
    )


# The ziggurat is finished when all 28 tiles lie 18, 8 and 2 on its tiers.
def finished(state: DominoZiggurat) -> bool:
    """Whether the ziggurat is finished: none is missing, and so none is lifted."""
    if len(state.lies) != sum(TIERS.values()):
        return False
    counts = dict.fromkeys(TIERS, 0)
    for one, _other in state.lies.values():
        tier = level_of(one)
        counts[tier] = counts.get(tier, 0) + 1
    return counts == TIERS


_EVOLVE: Mapping[type, Any] = {Draw: _on_draw, Place: _on_place, Lift: _on_lift}


def evolve(state: DominoZiggurat, event: Correctable) -> DominoZiggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: DominoZiggurat = on(state, event) if on else state
    return after
