"""The table of Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Pass, Place
from ledger.game import Opening, State
from ledger.grid import (
    CORNERS,
    LEVEL,
    SIDES,
    STEPS,
    WINDOW,
    column,
    free_in,
    pairs,
    roomy,
    row,
    square,
    tileable,
    windows,
)
from ledger.tiles import full, mask, size


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it: `share` tiles for each, and the rulings."""

    players: tuple[str, ...]
    seat: dict[str, int]
    largest: int
    share: int
    cut_up: bool
    per_match: bool
    first_factor: int
    single_played: bool
    corners: bool
    drawn: bool
    first: int


class Ziggurat(State, frozen=True, kw_only=True, gc=False):
    """A game.

    `halves` gives for each square in use the pips on it, `owner` the index of the tile there, `lies` for each tile on
    the table its two squares.  `level` is the highest one reached (0: nothing lies yet), `finished` whether nothing
    can be played on it any more.  By seat: `dealt` tiles, how many were `placed`, the `scores`; `whole` has a bit for
    each hand that is written whole, `aside` are the tiles out of the game.  `turn` is the seat that should act, None
    when no one has a tile left, `last` the tile that was placed last.
    """

    rules: Rules
    halves: dict[int, int] = {}
    owner: dict[int, int] = {}
    lies: dict[int, tuple[int, int]] = {}
    level: int = 0
    finished: bool = False
    turn: int | None
    dealt: tuple[int, ...]
    whole: int = 0
    aside: int = 0
    placed: tuple[int, ...]
    scores: tuple[int, ...]
    last: int | None = None


def start(opening: Opening) -> Ziggurat:
    """The table before the deal."""
    options, players = opening.options, opening.players
    seat = {player: i for i, player in enumerate(players)}
    first = 0 if options["first"] is None else seat[options["first"]]
    none = (0,) * len(players)
    return Ziggurat(
        rules=Rules(
            players=players,
            seat=seat,
            largest=options["set"],
            share=size(options["set"]) // len(players),
            cut_up=options["cut_up"],
            per_match=options["base_scoring"] == "per-match",
            first_factor=options["first_building_level"],
            single_played=options["single_place"] == "played",
            corners=options["touch"] == "corner",
            drawn=options["window"] == "drawn",
            first=first,
        ),
        turn=first,
        dealt=none,
        placed=none,
        scores=none,
    )


# ── Where a domino may lie: the predicates that judge, and that find what can be played ────────────────────


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    at = square(*event.at, event.level)
    return at, at + STEPS[event.dir]


def base(state: Ziggurat) -> list[int]:
    """The squares of the base that are in use."""
    return [at for at in state.halves if at < 2 * LEVEL]


def allowed(rules: Rules, used: list[int]) -> list[tuple[int, int]]:
    """The windows in which a base on these squares can lie: none if it is too wide, or outside the drawn one."""
    if rules.drawn:
        inside = all(0 <= column(at) < WINDOW and 0 <= row(at) < WINDOW for at in used)
        return [(0, 0)] if inside else []
    return list(windows(used)) if used else [(0, 0)]


def completable(rules: Rules, used: list[int]) -> bool:
    """Whether the rest of some allowed window can still be filled with dominoes."""
    return any(tileable(free_in(window, used)) for window in allowed(rules, used))


def touching(state: Ziggurat, one: int, other: int) -> bool:
    """Whether a base domino on these squares shares an edge (or by a ruling a corner) with one that lies there."""
    steps = (*SIDES, *CORNERS) if state.rules.corners else SIDES
    return any(at + step in state.halves for at in (one, other) for step in steps)


def places(state: Ziggurat, level: int) -> list[tuple[int, int]]:
    """Every pair of squares on which a domino can still be played on a level above the base."""
    low, high = (level - 1) * LEVEL, level * LEVEL
    free = {at + LEVEL for at in state.halves if low <= at < high and at + LEVEL not in state.halves}
    return list(pairs(free))


# A level is finished when no play is left on it, whether one would score or not.
def open_level(state: Ziggurat) -> bool:
    """Whether something can still be played on the level reached."""
    if state.level > 1:
        return bool(places(state, state.level))
    used, rules = base(state), state.rules
    if not used:
        return True
    fits = roomy if rules.cut_up else _can_be_filled
    return any(fits(free_in(window, used)) for window in allowed(rules, used))


def _can_be_filled(free: int) -> bool:
    return bool(free) and tileable(free)


# ── What a placement scores ────────────────────────────────────────────────────────────────────────────────


# On the base, one point for each of the two squares that equals an edge-adjacent square of another domino (or, by a
# ruling, for each such pair).
def matches(state: Ziggurat, one: int, other: int, tile: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares of a base placement with the equal neighbours that score: (own square, neighbour)."""
    found = []
    for at, value in zip((one, other), tile, strict=True):
        equal = [at + step for step in SIDES if at + step not in (one, other) and state.halves.get(at + step) == value]
        found += [(at, near) for near in (equal if state.rules.per_match else equal[:1])]
    return found


# Above it, one point for each covered square equal to the half that covers it, times the level; the first level above
# the base counts double, or single by a ruling.
def factor(rules: Rules, level: int) -> int:
    """What a match counts on a level above the base."""
    return level + rules.first_factor - 2


def worth(state: Ziggurat, event: Place) -> int:
    """The points that a placement scores."""
    one, other = squares(event)
    halves = (event.tile.first, event.tile.second)
    if event.level == 1:
        return len(matches(state, one, other, halves))
    equal = sum(state.halves.get(at - LEVEL) == half for at, half in zip((one, other), halves, strict=True))
    return equal * factor(state.rules, event.level)


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def hand_size(state: Ziggurat, seat: int) -> int:
    """How many tiles a seat was dealt, by the record or else by the rules."""
    dealt = state.dealt[seat].bit_count()
    return dealt if state.whole >> seat & 1 else max(dealt, state.rules.share)


def left(state: Ziggurat, seat: int) -> int:
    """How many tiles a seat still holds."""
    return max(0, hand_size(state, seat) - state.placed[seat])


# Play passes to the left, and who has no domino left is passed over.
def following(state: Ziggurat, seat: int) -> int | None:
    """The next seat that still has a tile."""
    seats = len(state.rules.players)
    for step in range(1, seats + 1):
        after = (seat + step) % seats
        if left(state, after):
            return after
    return None


def _on_deal(state: Ziggurat, event: Deal) -> Ziggurat:
    seat = state.rules.seat[event.player]
    dealt = _with(state.dealt, seat, state.dealt[seat] | (mask(event.tiles) & full(state.rules.largest)))
    whole = state.whole if event.partial else state.whole | 1 << seat
    return replace(state, dealt=dealt, whole=whole)


def _on_aside(state: Ziggurat, event: Aside) -> Ziggurat:
    return replace(state, aside=state.aside | (mask(event.tiles) & full(state.rules.largest)))


def _on_pass(state: Ziggurat, event: Pass) -> Ziggurat:
    return replace(state, turn=following(state, state.rules.seat[event.player]))


def impossible(state: Ziggurat, event: Place) -> bool:
    """Whether no table could have shown this: a tile outside the set or there already, or a square in use."""
    one, other = squares(event)
    return (
        event.tile.high > state.rules.largest
        or event.tile.index in state.lies
        or one in state.halves
        or other in state.halves
    )


def _on_place(state: Ziggurat, event: Place) -> Ziggurat:
    seat = state.rules.seat[event.player]
    if impossible(state, event):
        return replace(state, turn=following(state, seat))
    one, other = squares(event)
    tile = event.tile
    points = worth(state, event)
    state = replace(
        state,
        halves={**state.halves, one: tile.first, other: tile.second},
        owner={**state.owner, one: tile.index, other: tile.index},
        lies={**state.lies, tile.index: (one, other)},
        level=max(state.level, event.level),
        placed=_with(state.placed, seat, state.placed[seat] + 1),
        scores=_with(state.scores, seat, state.scores[seat] + points),
        last=tile.index,
    )
    finished = not open_level(state)
    return replace(state, turn=following(state, seat), finished=finished, ended=_ended(state, finished))


# The game ends when every dealt domino has been played, or when a new level would have exactly one valid place; by a
# ruling that one place is still played.
def _ended(state: Ziggurat, finished: bool) -> bool:
    if not any(left(state, seat) for seat in range(len(state.rules.players))):
        return True
    if not finished:
        return False
    # A level with a single domino is all that gives the next one a single place.
    below = state.level - 1 if state.rules.single_played else state.level
    return below > 0 and len(on_level(state, below)) == 1


def on_level(state: Ziggurat, level: int) -> list[int]:
    """The tiles that lie on a level."""
    return [index for index, (one, _other) in state.lies.items() if one // LEVEL == level]


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


_EVOLVE: Mapping[type, Any] = {Deal: _on_deal, Aside: _on_aside, Pass: _on_pass, Place: _on_place}


def evolve(state: Ziggurat, event: Correctable) -> Ziggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Ziggurat = on(state, event) if on else state
    return after
