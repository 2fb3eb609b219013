"""The table of Ziggurat: its state, and what an event does to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Pass, Place
from ledger.game import Opening, State
from ledger.games.ziggurat.base import (
    Base,
    ambiguous,
    beside,
    beyond,
    bordering,
    cornering,
    fillable,
    grown,
    scoring,
    spacious,
)
from ledger.games.ziggurat.tiers import Halves, Top, covered, reached, single
from ledger.grid import LEVEL, ORIGIN, ROW, STEPS, paired, pairs
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


def holding(state: Ziggurat) -> list[int]:
    """How many tiles each seat still holds."""
    holds = hand_sizes(state.dealt, state.whole, state.rules.share)
    return [max(0, tiles - placed) for tiles, placed in zip(holds, state.placed, strict=True)]


# Play passes to the left, and who has no domino left is passed over.
def following(holds: Sequence[int], placed: Sequence[int], seat: int) -> int | None:
    """The next seat that still has a tile, when they were dealt and have placed so many."""
    seats = len(holds)
    for step in range(seat + 1, seat + 1 + seats):
        after = step % seats
        if placed[after] < holds[after]:
            return after
    return None


@cache
def _left_neighbours(seats: int) -> tuple[int, ...]:
    """By seat the one to its left."""
    return (*range(1, seats), 0)


def _following(state: Ziggurat, seat: int) -> int | None:
    """Who is next where a seat's turn came to nothing."""
    return following(hand_sizes(state.dealt, state.whole, state.rules.share), state.placed, seat)


Laid = tuple[Ziggurat, int]
"""The table after some events, and the place of the first event that was left."""


# The set is dealt evenly: whole hands are of one size, and none is larger than the even share.
def alike(dealt: Sequence[int], whole: int, seat: int) -> int | None:
    """How many tiles another seat has whose hand is written whole; None if there is none."""
    for other, tiles in enumerate(dealt):
        if whole >> other & 1 and other != seat:
            return tiles.bit_count()
    return None


def _on_deal(state: Ziggurat, event: Deal | Aside) -> Ziggurat:
    return hand_out(state, (event,), 0)[0]


def hand_out(state: Ziggurat, events: Sequence[Correctable], place: int, *, strictly: bool = False) -> Laid:
    """Deals, and sets aside what is left over.

    Strictly, it leaves that of which there may be something to be said: all but a whole hand to somebody who has none,
    of the right size, and of tiles that were nowhere else, before anything lies on the table.
    """
    rules, dealt, whole, aside = state.rules, list(state.dealt), state.whole, state.aside
    every = full(rules.largest)
    unseen = 0 if state.lies else every & ~aside
    for tiles in dealt:
        unseen &= ~tiles
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is not Deal and type(event) is not Aside:
            break
        tiles = mask(event.tiles)
        found = tiles.bit_count()
        if strictly and (tiles & ~unseen or found != len(event.tiles)):
            break
        unseen &= ~tiles
        if isinstance(event, Aside):
            aside |= tiles & every
            continue
        seat = rules.seat[event.player]
        if strictly and (dealt[seat] or event.partial or found > rules.share):
            break
        if strictly and alike(dealt, whole, seat) not in (found, None):
            break
        dealt[seat] |= tiles & every
        if not event.partial:
            whole |= 1 << seat
    else:
        behind = len(events)
    return replace(state, dealt=tuple(dealt), whole=whole, aside=aside), behind


def _on_pass(state: Ziggurat, event: Pass) -> Ziggurat:
    return replace(state, turn=_following(state, state.rules.seat[event.player]))


def _on_place(state: Ziggurat, event: Place) -> Ziggurat:
    rules, halves, tile = state.rules, state.halves, event.tile
    one, other = squares(event)
    # What no table could have shown: a tile outside the set or there already, or a square in use.
    if tile.high > rules.largest or tile.index in state.lies or one in halves or other in halves:
        return replace(state, turn=_following(state, rules.seat[event.player]))
    return lay(state, (event,), 0)[0]


def lay(state: Ziggurat, events: Sequence[Correctable], place: int, touched: set[str] | None = None) -> Laid:
    """Lays dominoes on free squares; with a set for the rulings that are `touched`, only as `stride` passes over them.

    Then it also leaves what follows a level that gives the next one a single place; that ruling is not noted here.
    """
    rules, top, seats, after = state.rules, state.halves.top, state.rules.seat, _left_neighbours(len(state.dealt))
    holds, strictly = hand_sizes(state.dealt, state.whole, rules.share), touched is not None
    halves, owner, lies, last = Halves(state.halves), state.owner.copy(), state.lies.copy(), state.last
    held = [dealt & ~state.aside for dealt in state.dealt] if strictly else []
    level, turn, placed, scores = state.level, state.turn, list(state.placed), list(state.scores)
    free, over, below, base, wider = top.free.copy(), top.over.copy(), top.below, top.base, top.base
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is not Place:
            break
        tile, on, seat = event.tile, event.level, seats[event.player]
        index, first, second = tile.index, tile.first, tile.second
        if strictly and (seat != turn or index in lies or not tile.bit & held[seat]):
            break
        x, y = event.at
        one = on * LEVEL + y * ROW + x + ORIGIN  # as `squares` has it
        other = one + STEPS[event.dir]
        if on == 1:
            points, wider, plain = _founded(rules, halves, base, one, other, first, second, touched)
        else:
            ground = free if on == level else over if on == level + 1 else covered(halves, one, other)
            under, beneath = ground.get(one), ground.get(other)
            points, plain = 0, under is not None and beneath is not None
            if under == first or beneath == second:
                points = ((under == first) + (beneath == second)) * factor(rules, on)
                if touched is not None:
                    touched.add("first_building_level")
        plain = plain and (event.points is None or event.points == points)
        # Over a single place the game may have ended; that it did not is known only of the table before all these.
        may_end = on != level and behind > place and single(below, over)
        if strictly and (not plain or may_end or not (on == level or _begins(rules, level, on, free, base))):
            break
        halves[one], halves[other] = first, second
        owner[one] = owner[other] = last = index
        lies[index], base = (one, other), wider
        placed[seat] += 1
        scores[seat] += points
        turn = after[seat]
        if placed[turn] >= holds[turn]:
            turn = following(holds, placed, seat)
        if on != level:
            level, free, over, below = reached(halves, level, on, over, (one, other))
        else:
            free.pop(one, None)
            free.pop(other, None)
            over[one + LEVEL], over[other + LEVEL] = first, second
    else:
        behind = len(events)
    halves.top = Top(free, over, below, base)
    finished = not _open(rules, level, free, base)
    return Ziggurat(
        ended=turn is None or (finished and _narrow(rules, below, over)), past=state.past, rules=rules, halves=halves,
        owner=owner, lies=lies, level=level, finished=finished, turn=turn, dealt=state.dealt, whole=state.whole,
        aside=state.aside, placed=tuple(placed), scores=tuple(scores), last=last,
    ), behind  # fmt: skip


def _begins(rules: Rules, level: int, on: int, free: Mapping[int, int], base: Base | None) -> bool:
    """Whether the next level is begun when it may be."""
    return on == level + 1 and not (level and _open(rules, level, free, base))


def _founded(
    rules: Rules, halves: Halves, base: Base | None, one: int, other: int, first: int, second: int,
    touched: set[str] | None,
) -> tuple[int, Base | None, bool]:  # fmt: skip
    """What a domino on the base scores, the base with it, and whether nothing is to be said of where it lies.

    The last is told only where it is asked which rulings are `touched`.
    """
    near, far = beside(halves, one, other)
    equal, more, points = near.count(first), far.count(second), 0
    if equal or more:
        points = scoring(rules.per_match, equal) + scoring(rules.per_match, more)
    wider = grown(base, rules.drawn, one, other)
    if touched is None or wider is None or one in halves or other in halves:
        return points, wider, False
    if points and ambiguous(equal, more):
        touched.add("base_scoring")
    # Nothing can lie outside a window that was drawn, and a ruling need not be touched twice.
    if not rules.drawn and "window" not in touched and beyond(one, other):
        touched.add("window")
    if bordering(near, far) or not halves:
        return points, wider, completable(rules, wider)
    touched.add("touch")
    return points, wider, touching(rules, halves, one, other) and completable(rules, wider)


# The game ends when every dealt domino has been played, or when a new level would have exactly one valid place.
def _narrow(rules: Rules, below: int, over: Collection[int]) -> bool:
    """Whether nothing is played over a finished level: by a ruling a single place is still played."""
    return (below if rules.single_played else len(over)) == 2


_EVOLVE: Mapping[type, Any] = {Deal: _on_deal, Aside: _on_deal, Pass: _on_pass, Place: _on_place}


def evolve(state: Ziggurat, event: Correctable) -> Ziggurat:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Ziggurat = on(state, event) if on else state
    return after
