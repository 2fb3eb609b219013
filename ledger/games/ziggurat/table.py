"""The table of Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Pass, Place
from ledger.game import Opening, State
from ledger.grid import (
    CORNERS,
    LEVEL,
    ORIGIN,
    ROW,
    SIDES,
    STEPS,
    free_in_drawn,
    frees,
    pairs,
    roomy,
    tileable,
)
from ledger.tiles import full, mask, size


class Top(Struct, frozen=True, gc=False):
    """What lies near the top: the squares in use `below` the level reached, and those `used` on it.

    `place` are two squares on which a domino can still be played there, if there are any; of the base nothing is said.
    """

    below: tuple[int, ...]
    used: tuple[int, ...]
    place: tuple[int, int] | None


class Halves(dict[int, int]):
    """For each square in use the pips on it.

    What lies near the `top` is no part of a state, only what a placement hands on to the next one: else the whole table
    would have to be gone through for every domino of a tower.
    """

    __slots__ = ("top",)
    top: Top


def _top(halves: Mapping[int, int], level: int) -> Top:
    low, high = level * LEVEL, (level + 1) * LEVEL
    below = tuple(at for at in halves if low - LEVEL <= at < low)
    return Top(below, tuple(at for at in halves if low <= at < high), _place_over(halves, below))


def _place_over(halves: Mapping[int, int], below: tuple[int, ...]) -> tuple[int, int] | None:
    """Two free squares side by side over these, if there are any."""
    for at in below:
        over = at + LEVEL
        if over not in halves:
            if at + 1 in halves and over + 1 not in halves:
                return over, over + 1
            if at + ROW in halves and over + ROW not in halves:
                return over, over + ROW
    return None


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
    halves: Halves
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


def _halves() -> Halves:
    halves = Halves()
    halves.top = _top(halves, 0)
    return halves


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
        halves=_halves(),
        turn=first,
        dealt=none,
        placed=none,
        scores=none,
    )


# ── Where a domino may lie: the predicates that judge, and that find what can be played ────────────────────


def squares(event: Place) -> tuple[int, int]:
    """The two squares of a placement, the first half's first."""
    x, y = event.at
    at = event.level * LEVEL + y * ROW + x + ORIGIN
    return at, at + STEPS[event.dir]


def base(state: Ziggurat) -> tuple[int, ...]:
    """The squares of the base that are in use."""
    if state.level < 2:
        return tuple(state.halves)
    return tuple(at for at in state.halves if at < 2 * LEVEL)


@lru_cache(maxsize=1024)
def allowed(drawn: bool, used: tuple[int, ...]) -> tuple[int, ...]:
    """The windows in which a base on these squares can lie: for each its free squares, as bits.

    There is none if the base is too wide, or outside the window that was drawn.
    """
    return free_in_drawn(used) if drawn else frees(used)


def completable(rules: Rules, used: tuple[int, ...]) -> bool:
    """Whether the rest of some allowed window can still be filled with dominoes."""
    return any(map(tileable, allowed(rules.drawn, used)))


def touching(state: Ziggurat, one: int, other: int) -> bool:
    """Whether a base domino on these squares shares an edge (or by a ruling a corner) with one that lies there."""
    halves = state.halves
    for step in (*SIDES, *CORNERS) if state.rules.corners else SIDES:
        if one + step in halves or other + step in halves:
            return True
    return False


def places(state: Ziggurat, level: int) -> list[tuple[int, int]]:
    """Every pair of squares on which a domino can still be played on a level above the base."""
    low, high = (level - 1) * LEVEL, level * LEVEL
    free = {at + LEVEL for at in state.halves if low <= at < high and at + LEVEL not in state.halves}
    return list(pairs(free))


# A level is finished when no play is left on it, whether one would score or not.
def open_level(state: Ziggurat) -> bool:
    """Whether something can still be played on the level reached."""
    return _open(state.rules, state.level, state.halves.top)


def _open(rules: Rules, level: int, top: Top) -> bool:
    if level > 1:
        return top.place is not None
    fits = roomy if rules.cut_up else _can_be_filled
    return not level or any(map(fits, allowed(rules.drawn, top.used)))


def _can_be_filled(free: int) -> bool:
    return bool(free) and tileable(free)


# ── What a placement scores ────────────────────────────────────────────────────────────────────────────────


# On the base, one point for each of the two squares that equals an edge-adjacent square of another domino (or, by a
# ruling, for each such pair).
def matches(state: Ziggurat, one: int, other: int, tile: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares of a base placement with the equal neighbours that score: (own square, neighbour)."""
    found = []
    halves, once = state.halves, not state.rules.per_match
    for at, opposite, value in ((one, other, tile[0]), (other, one, tile[1])):
        for step in SIDES:
            near = at + step
            if near in halves and halves[near] == value and near != opposite:
                found.append((at, near))
                if once:
                    break
    return found


# Above it, one point for each covered square equal to the half that covers it, times the level; the first level above
# the base counts double, or single by a ruling.
def factor(rules: Rules, level: int) -> int:
    """What a match counts on a level above the base."""
    return level + rules.first_factor - 2


def worth(state: Ziggurat, event: Place) -> int:
    """The points that a placement scores."""
    one, other = squares(event)
    return _worth(state, event, one, other)


def _worth(state: Ziggurat, event: Place, one: int, other: int) -> int:
    tile, halves = event.tile, state.halves
    if event.level == 1:
        return len(matches(state, one, other, (tile.first, tile.second)))
    equal = (halves.get(one - LEVEL) == tile.first) + (halves.get(other - LEVEL) == tile.second)
    return equal * factor(state.rules, event.level) if equal else 0


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def hand_size(dealt: int, whole: int, share: int) -> int:
    """How many tiles a hand has of which the record knows these, or else by the rules."""
    known = dealt.bit_count()
    return known if whole or known > share else share


def left(state: Ziggurat, seat: int) -> int:
    """How many tiles a seat still holds."""
    size = hand_size(state.dealt[seat], state.whole >> seat & 1, state.rules.share)
    return max(0, size - state.placed[seat])


# Play passes to the left, and who has no domino left is passed over.
def following(state: Ziggurat, placed: tuple[int, ...], seat: int) -> int | None:
    """The next seat that still has a tile, when they have placed so many."""
    dealt, whole, share, seats = state.dealt, state.whole, state.rules.share, len(placed)
    for step in range(seat + 1, seat + 1 + seats):
        after = step % seats
        if placed[after] < hand_size(dealt[after], whole >> after & 1, share):
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
    return replace(state, turn=following(state, state.placed, state.rules.seat[event.player]))


def _on_place(state: Ziggurat, event: Place) -> Ziggurat:
    rules, halves, lies = state.rules, state.halves, state.lies
    seat = rules.seat[event.player]
    one, other = squares(event)
    tile = event.tile
    index, level = tile.index, event.level
    # What no table could have shown: a tile outside the set or there already, or a square in use.
    if tile.high > rules.largest or index in lies or one in halves or other in halves:
        return replace(state, turn=following(state, state.placed, seat))
    points = _worth(state, event, one, other)
    top = halves.top
    halves, owner, lies = Halves(halves), state.owner.copy(), lies.copy()
    halves[one], halves[other] = tile.first, tile.second
    owner[one] = owner[other] = index
    lies[index] = (one, other)
    level = max(state.level, level)
    placed = _with(state.placed, seat, state.placed[seat] + 1)
    scores = _with(state.scores, seat, state.scores[seat] + points) if points else state.scores
    turn = following(state, placed, seat)
    place = top.place
    if event.level == state.level:
        # The place that was found before is good as long as nothing lies on it.
        if place is not None and (one in place or other in place):
            place = _place_over(halves, top.below)
        top = Top(top.below, (*top.used, one, other), place)
    elif event.level == state.level + 1:
        top = Top(top.used, (one, other), _place_over(halves, top.used))
    else:
        top = _top(halves, level)
    halves.top = top
    finished = not _open(rules, level, top)
    # The game ends when every dealt domino has been played, or when a new level would have exactly one valid place.
    ended = turn is None or (finished and _narrow(rules, top))
    return Ziggurat(
        ended=ended, past=state.past, rules=rules, halves=halves, owner=owner, lies=lies, level=level,
        finished=finished, turn=turn, dealt=state.dealt, whole=state.whole, aside=state.aside, placed=placed,
        scores=scores, last=index,
    )  # fmt: skip


def _narrow(rules: Rules, top: Top) -> bool:
    """Whether the level over a finished one has a single place; by a ruling that one is still played.

    A level with a single domino is all that gives the next one a single place.
    """
    # There is no level below the base.
    return len(top.below if rules.single_played else top.used) == 2


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


_EVOLVE: Mapping[type, Any] = {Deal: _on_deal, Aside: _on_aside, Pass: _on_pass, Place: _on_place}


def evolve(state: Ziggurat, event: Correctable) -> Ziggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Ziggurat = on(state, event) if on else state
    return after
