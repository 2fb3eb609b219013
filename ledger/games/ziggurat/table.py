"""The table of Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Pass, Place
from ledger.game import Opening, State
from ledger.games.ziggurat.base import (
    BARE,
    Base,
    ambiguous,
    beside,
    bordering,
    cornering,
    fillable,
    grown,
    outside,
    scoring,
    spacious,
)
from ledger.grid import LEVEL, ORIGIN, ROW, STEPS, paired, pairs
from ledger.tiles import full, mask, size


class Top(Struct, frozen=True, gc=False):
    """What lies near the top, and what a placement there is judged by.

    `free` are the squares on which a half can still lie on the level reached, each with the pips below it, `over` those
    of the next level; of the base there is the `base`, None if it is too wide.  `below` is how many squares are in use
    below the level reached, `matched` whether a half has equalled one below it.
    """

    free: dict[int, int]
    over: dict[int, int]
    below: int = 0
    base: Base | None = BARE
    matched: bool = False


class Halves(dict[int, int]):
    """For each square in use the pips on it.

    What lies near the `top` is no part of a state, only what a placement hands on to the next one: else the whole table
    would have to be gone through for every domino of a tower.
    """

    __slots__ = ("top",)
    top: Top


Near = tuple[int, dict[int, int], dict[int, int], int]
"""A level, and what `Top` has as `free`, `over` and `below` when it is the level reached."""


def _near(halves: Mapping[int, int], level: int) -> Near:
    """The same for this level, found by going through the whole table."""
    low, high = level * LEVEL, (level + 1) * LEVEL
    below = {at + LEVEL: pips for at, pips in halves.items() if low - LEVEL <= at < low}
    free = {at: pips for at, pips in below.items() if at not in halves}
    return level, free, {at + LEVEL: pips for at, pips in halves.items() if low <= at < high}, len(below)


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
    halves.top = Top({}, {})
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


def touching(rules: Rules, halves: Mapping[int, int], one: int, other: int) -> bool:
    """Whether a base domino on these squares touches one that lies there as the rules want it."""
    return bordering(*beside(halves, one, other)) or (rules.corners and cornering(halves, one, other))


def completable(rules: Rules, base: Base | None) -> bool:
    """Whether this base is as the rules want it: within a window of which the rest can be filled, if it must be."""
    return base is not None and (rules.cut_up or fillable(rules.drawn, base[1]))


def places(state: Ziggurat, level: int) -> list[tuple[int, int]]:
    """Every pair of squares on which a domino can still be played on the level reached, above the base, or the next."""
    top = state.halves.top
    return list(pairs({at for at, _pips in (top.free if level == state.level else top.over).items()}))


# A level is finished when no play is left on it, whether one would score or not.
def open_level(state: Ziggurat) -> bool:
    """Whether something can still be played on the level reached."""
    top = state.halves.top
    return _open(state.rules, state.level, top.free, top.base)


def _open(rules: Rules, level: int, free: Mapping[int, int], base: Base | None) -> bool:
    if level > 1:
        return len(free) > 1 and paired(free)
    return not level or (base is not None and spacious(rules.drawn, rules.cut_up, base[1]))


def lying(state: Ziggurat) -> int:
    """The tiles on the table."""
    bits = 0
    for index in state.lies:
        bits |= 1 << index
    return bits


# ── What a placement scores ────────────────────────────────────────────────────────────────────────────────


# Above the base, one point for each covered square equal to the half that covers it, times the level; the first level
# above the base counts double, or single by a ruling.
def factor(rules: Rules, level: int) -> int:
    """What a match counts on a level above the base."""
    return level + rules.first_factor - 2


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


# Of hands that are not written the record knows by the rules how large they are.
@lru_cache(maxsize=256)
def hand_sizes(dealt: tuple[int, ...], whole: int, share: int) -> tuple[int, ...]:
    """How many tiles each seat was dealt, when the record knows these, and which of the hands are written whole."""
    known = [tiles.bit_count() for tiles in dealt]
    return tuple(tiles if whole >> seat & 1 or tiles > share else share for seat, tiles in enumerate(known))


def left(state: Ziggurat, seat: int) -> int:
    """How many tiles a seat still holds."""
    return max(0, hand_sizes(state.dealt, state.whole, state.rules.share)[seat] - state.placed[seat])


# Play passes to the left, and who has no domino left is passed over.
def following(holds: Sequence[int], placed: Sequence[int], seat: int) -> int | None:
    """The next seat that still has a tile, when they were dealt and have placed so many."""
    seats = len(holds)
    for step in range(seat + 1, seat + 1 + seats):
        after = step % seats
        if placed[after] < holds[after]:
            return after
    return None


def _following(state: Ziggurat, seat: int) -> int | None:
    """Who is next where a seat's turn came to nothing."""
    return following(hand_sizes(state.dealt, state.whole, state.rules.share), state.placed, seat)


def _on_deal(state: Ziggurat, event: Deal) -> Ziggurat:
    seat = state.rules.seat[event.player]
    dealt = _with(state.dealt, seat, state.dealt[seat] | (mask(event.tiles) & full(state.rules.largest)))
    whole = state.whole if event.partial else state.whole | 1 << seat
    return replace(state, dealt=dealt, whole=whole)


def _on_aside(state: Ziggurat, event: Aside) -> Ziggurat:
    return replace(state, aside=state.aside | (mask(event.tiles) & full(state.rules.largest)))


def _on_pass(state: Ziggurat, event: Pass) -> Ziggurat:
    return replace(state, turn=_following(state, state.rules.seat[event.player]))


def _on_place(state: Ziggurat, event: Place) -> Ziggurat:
    rules, halves, tile = state.rules, state.halves, event.tile
    one, other = squares(event)
    # What no table could have shown: a tile outside the set or there already, or a square in use.
    if tile.high > rules.largest or tile.index in state.lies or one in halves or other in halves:
        return replace(state, turn=_following(state, rules.seat[event.player]))
    return _lay(state, (event,), 0)[0]


def stride(state: Ziggurat, events: Sequence[Correctable], place: int, _touched: set[str]) -> tuple[Ziggurat, int]:
    """See `Game.stride`: dominoes laid in turn out of hands that are written.

    It leaves a place or points that are not by the rules, and a ruling that was not touched before.
    """
    # Over a single place a level may be finished at any time, which is a ruling and may be the end.
    if type(events[place]) is not Place or state.ended or state.halves.top.below == 2:
        return state, place
    after, behind = _lay(state, events, place, strictly=True)
    return (after, behind) if behind > place else (state, place)


def _lay(state: Ziggurat, events: Sequence[Correctable], place: int, *, strictly: bool = False) -> tuple[Ziggurat, int]:
    """Lays dominoes on free squares; the place is that of the first event left, `strictly` what `stride` must leave."""
    rules, top, seats, seated = state.rules, state.halves.top, state.rules.seat, len(state.dealt)
    holds = hand_sizes(state.dealt, state.whole, rules.share)
    mine = [dealt & ~state.aside for dealt in state.dealt] if strictly else state.dealt
    halves, owner, lies, last = Halves(state.halves), state.owner.copy(), state.lies.copy(), state.last
    level, turn, placed, scores = state.level, state.turn, list(state.placed), list(state.scores)
    free, over, below, base, matched = top.free.copy(), top.over.copy(), top.below, top.base, top.matched
    times, wider = factor(rules, level), base
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is not Place:
            break
        tile, on, seat = event.tile, event.level, seats[event.player]
        index, first, second = tile.index, tile.first, tile.second
        x, y = event.at
        one = on * LEVEL + y * ROW + x + ORIGIN  # as `squares` has it
        other = one + STEPS[event.dir]
        if strictly and (seat != turn or index in lies or not mine[seat] >> index & 1):
            break
        if on != level:
            if strictly and not _begins(rules, level, on, free, over, base, one, other):
                break
            times = factor(rules, on)
        if on == 1:
            points, wider, plain = _founded(rules, halves, base, one, other, first, second)
        else:
            ground = free if on == level else over if on == level + 1 else _covered(halves, one, other)
            under, beneath = ground.get(one), ground.get(other)
            points = times * ((under == first) + (beneath == second))
            plain = under is not None and beneath is not None and (matched or not points)
        if strictly and not (plain and (event.points is None or event.points == points)):
            break
        halves[one], halves[other] = first, second
        owner[one] = owner[other] = last = index
        lies[index] = one, other
        if on != level:
            level, free, over, below = _reached(halves, level, on, over)
        if on == level:
            free.pop(one, None)
            free.pop(other, None)
            over[one + LEVEL], over[other + LEVEL] = first, second
        base = wider
        placed[seat] += 1
        if points:
            scores[seat] += points
            matched = matched or on > 1
        after = (seat + 1) % seated
        turn = after if placed[after] < holds[after] else following(holds, placed, seat)
    else:
        behind = len(events)
    halves.top = top = Top(free, over, below, base, matched)
    finished = not _open(rules, level, free, base)
    return Ziggurat(
        ended=turn is None or (finished and _narrow(rules, top)), past=state.past, rules=rules, halves=halves,
        owner=owner, lies=lies, level=level, finished=finished, turn=turn, dealt=state.dealt, whole=state.whole,
        aside=state.aside, placed=tuple(placed), scores=tuple(scores), last=last,
    ), behind  # fmt: skip


def _begins(
    rules: Rules, level: int, on: int, free: dict[int, int], over: dict[int, int], base: Base | None,
    one: int, other: int,
) -> bool:  # fmt: skip
    """Whether a domino there begins a level when that may be begun, and does not finish it."""
    if on != level + 1 or (level and _open(rules, level, free, base)):
        return False
    # Of three dominoes below at least one is not covered by it at all.
    return not level or len(over) > 4 or paired([at for at in over if at not in (one, other)])


def _reached(halves: Halves, level: int, on: int, over: dict[int, int]) -> Near:
    """The level reached when one is begun, or something is laid out of order, and what lies near the top then."""
    return (on, over, {}, len(over)) if on == level + 1 else _near(halves, max(level, on))


def _covered(halves: Mapping[int, int], one: int, other: int) -> dict[int, int]:
    """What two squares cover, wherever they are, as in `Top.free`."""
    return {at: halves[at - LEVEL] for at in (one, other) if at - LEVEL in halves}


def _founded(
    rules: Rules, halves: Halves, base: Base | None, one: int, other: int, first: int, second: int
) -> tuple[int, Base | None, bool]:
    """What a domino on the base scores, the base with it, and whether nothing is to be said of where it lies.

    Something is said of it too where a ruling on matches, corners or the window that was drawn is touched.
    """
    near, far = beside(halves, one, other)
    equal, more = near.count(first), far.count(second)
    points = scoring(rules.per_match, equal) + scoring(rules.per_match, more)
    wider = grown(base, rules.drawn, one, other)
    if base is None or wider is None or ambiguous(equal, more) or one in halves or other in halves:
        return points, wider, False
    plain = completable(rules, wider) and (not halves or bordering(near, far))
    return points, wider, plain and (not outside(wider) or outside(base))


# The game ends when every dealt domino has been played, or when a new level would have exactly one valid place.
def _narrow(rules: Rules, top: Top) -> bool:
    """Whether the level over a finished one has a single place; by a ruling that one is still played.

    A level with a single domino is all that gives the next one a single place.
    """
    # There is no level below the base.
    return (top.below if rules.single_played else len(top.over)) == 2


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


_EVOLVE: Mapping[type, Any] = {Deal: _on_deal, Aside: _on_aside, Pass: _on_pass, Place: _on_place}


def evolve(state: Ziggurat, event: Correctable) -> Ziggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Ziggurat = on(state, event) if on else state
    return after
