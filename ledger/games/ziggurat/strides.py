"""A fast way through the faultless part of a record of Ziggurat; `table` alone says what an event does.

Each leap consumes events that no clause finds fault with, using plain variables instead of a frozen state for each, and
stops before the first one that it is not sure of.  tests/test_strides.py compares it with single steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, cycle

from msgspec.structs import replace

from ledger.games.ziggurat import clauses, options
from ledger.games.ziggurat.base import ambiguous, bordering, scoring
from ledger.games.ziggurat.bit_base import (
    base_of,
    can_be_filled,
    completion_differs,
    filling_differs,
    has_a_place,
    spot,
    windows_of,
    with_domino,
)
from ledger.games.ziggurat.hands import holdings
from ledger.games.ziggurat.state import Ziggurat, placed_as, squares_on, start, touching
from ledger.games.ziggurat.table import CLOSING, EVENTS, evolve, factor
from ledger.record.events import Aside, Correctable, Deal, Place, Result, Score
from ledger.record.grid import LEVEL, ORIGIN, ROW, STEPS, paired
from ledger.record.tiles import full, mask
from ledger.rules.leaps import Frame, Leap, Stride, leaps
from ledger.rules.shared_clauses import are_by_player
from ledger.rules.turns import Turn


def run(state: Ziggurat, events: Sequence[Correctable], index: int, touched: set[str]) -> tuple[Ziggurat, int]:
    """The state after the longest faultless run, and the index of the first event that it did not consume."""
    return leaps(LEAPS, AFTER_END, state, events, index, touched)


# ── The deal ───────────────────────────────────────────────────────────────────────────────────────────────


def deal(state: Ziggurat, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Ziggurat, int]:
    """Whole hands of the right size to players who have none, and tiles set aside, before the first domino."""
    rules, dealt, whole, aside = state.rules, list(state.dealt), state.whole, state.aside
    share, unseen = rules.share, 0 if state.level else full(rules.largest) & ~aside
    if state.sizes != (share,) * len(dealt):
        return state, index
    for tiles in dealt:
        unseen &= ~tiles
    for behind in range(index, len(events)):
        event = events[behind]
        if type(event) is not Deal and type(event) is not Aside:
            break
        tiles = mask(event.tiles)
        count = tiles.bit_count()
        if tiles & unseen != tiles or count != len(event.tiles):
            break
        if type(event) is Deal:
            seat = rules.seat[event.player]
            if dealt[seat] or event.partial or count != share:
                break
            dealt[seat], whole = tiles, whole | 1 << seat
        else:
            aside |= tiles
        unseen ^= tiles
    else:
        behind = len(events)
    return replace(state, dealt=tuple(dealt), whole=whole, aside=aside), behind


# ── Dominoes ───────────────────────────────────────────────────────────────────────────────────────────────


class Top:
    """The top of a ziggurat, which each domino updates.

    `here` are the squares of the level reached, `ground` those of the level below it with nothing on them yet, and
    `below` is the number of all squares there.  `base` is the base.
    """

    __slots__ = ("base", "below", "ground", "here", "level", "levels", "rules")

    def __init__(self, state: Ziggurat) -> None:
        self.rules, self.levels, self.level = state.rules, state.levels.copy(), state.level
        self.here = dict(squares_on(state.levels, state.level))
        below = squares_on(state.levels, state.level - 1)
        self.below, self.ground = len(below), {at: pips for at, pips in below.items() if at + LEVEL not in self.here}
        self.base = base_of(state.rules, squares_on(state.levels, 1)) if state.level < 2 else None

    def is_open(self) -> bool:
        """Whether something can still be played on the level reached."""
        if self.level > 1:
            return len(self.ground) > 1 and paired(self.ground)
        rules, base = self.rules, self.base
        return not self.level or (base is not None and has_a_place(rules.drawn, rules.cut_up, base[1]))

    def is_narrow(self) -> bool:
        """Whether the level reached, or the one below it, has a single domino."""
        return len(self.here) == 2 or self.below == 2


Act = tuple[Correctable, tuple[int, str, int]]
"""An act, and the seat whose turn it is, with its player and the tiles of its hand."""


def place(state: Ziggurat, events: Sequence[Correctable], index: int, touched: set[str]) -> tuple[Ziggurat, int]:
    """Dominoes laid in turn from hands that are written down, up to a level after which the game may have ended."""
    turn, sizes, begins = state.turn.seat, state.sizes, events[index]
    if turn is None or state.turn.also or state.misnamed:
        return state, index
    # Where hands are hidden, nothing is worked out in vain for each domino.
    if type(begins) is not Place or not begins.tile.bit & state.dealt[turn]:
        return state, index
    top, lies, scores = Top(state), state.lies.copy(), list(state.scores)
    if top.below == 2 or (state.level == 1 and top.base is None):
        return state, index
    dealt, inside = state.dealt, ~state.aside
    seats = [(seat, player, dealt[seat] & inside) for seat, player in enumerate(state.rules.players)]
    left = [size - state.placed[seat] for seat, size in enumerate(sizes)]
    acts: Iterator[Act] = zip(events[index : index + in_turn(left, turn)], cycle(seats[turn:] + seats[:turn]))
    if top.level < 2:
        acts = chain(lay_base(top, acts, lies, scores, touched), acts)
    lay(top, acts, lies, scores, touched, len(state.lies))
    count = len(lies) - len(state.lies)
    if not count:
        return state, index
    done = events[index + count - 1]
    assert type(done) is Place  # noqa: S101  the run has one at least
    rounds, more = divmod(count, len(sizes))
    placed = [before + rounds for before in state.placed]
    for seat in range(turn, turn + more):
        placed[seat % len(sizes)] += 1
    state = replace(
        state,
        lies=lies,
        turn=Turn((turn + count) % len(sizes) if count < sum(left) else None),
        placed=tuple(placed),
        scores=tuple(scores),
        last=done.tile.index,
        latest=placed_as(state.rules.seat[done.player], *lies[done.tile.index], done.tile),
    )
    return with_building(state, top, touched), index + count


def in_turn(left: Sequence[int], turn: int) -> int:
    """How many dominoes are laid before a hand is empty before the others; then a single step decides whose turn it is.

    `left` is how many each seat has, `turn` the seat that lays the first.
    """
    seats, together = len(left), sum(left)
    if left.count(left[0]) == seats:  # as at the beginning of a game
        return together
    # When a domino is laid, its player's left neighbour has one for the next turn, or it is the last of all.
    ends = [(seat - turn - 1) % seats + (left[seat] - (seat == turn)) * seats for seat in range(seats)]
    return max(0, min([end if end < together - 1 else together for end in ends]))


def lay_base(
    top: Top, acts: Iterator[Act], lies: dict[int, tuple[int, int]], scores: list[int], touched: set[str]
) -> tuple[Act, ...]:
    """Lays dominoes on the base, up to the first act that lays none there, or may be at fault; returns that act."""
    rules, base, squares, pips = top.rules, top.base, top.here, top.here.get
    assert base is not None  # noqa: S101  a base that fits into no window has no run
    for act in acts:
        event, (seat, player, hand) = act
        if type(event) is not Place or event.level != 1 or event.player != player:
            return (act,)
        tile, (one, other, near_one, near_other, outside) = event.tile, spot(event.at, event.dir)
        if tile.index in lies or not tile.bit & hand or one in squares or other in squares:
            return (act,)
        wider = with_domino(base, rules.drawn, one, other)
        if wider is None or not (rules.cut_up or can_be_filled(rules.drawn, wider[1])):
            return (act,)
        (a, b, c), (d, e, f) = near_one, near_other
        near, far = (pips(a), pips(b), pips(c)), (pips(d), pips(e), pips(f))
        equal, more = near.count(tile.first), far.count(tile.second)
        points = equal + more
        if squares and not points and not bordering(near, far):
            touched.add("touch")
            if not touching(rules, squares, one, other):
                return (act,)
        if "window" not in touched and (outside or filling_differs(rules, wider)):
            touched.add("window")
        if points > 1 and ambiguous(equal, more):
            touched.add("base_scoring")
            points = scoring(rules.per_match, equal) + scoring(rules.per_match, more)
        if event.points != points and event.points is not None:
            return (act,)
        top.level, top.base = 1, wider
        base = wider
        squares[one], squares[other] = tile.first, tile.second
        lies[tile.index] = (one, other)
        scores[seat] += points
    return ()


def lay(
    top: Top,
    acts: Iterator[Act],
    lies: dict[int, tuple[int, int]],
    scores: list[int],
    touched: set[str],
    begun: int,
) -> None:
    """Lays dominoes above the base, up to the first act that lays none there, or may be at fault.

    `begun` is how many lay on the table when the run began.
    """
    level, levels, below, ground, here = top.level, top.levels, top.below, top.ground, top.here
    on_level, worth = (level - 1) * LEVEL + ORIGIN, factor(top.rules, level)
    for event, (seat, player, hand) in acts:
        if type(event) is not Place or event.player != player:
            break
        tile, rises = event.tile, event.level - level
        index = tile.index
        if index in lies or not tile.bit & hand:
            break
        if rises:
            # A narrow level may end the game.  Only at the beginning of a run is it known that it did not.
            if rises != 1 or (len(lies) > begun and (len(here) == 2 or below == 2)):
                break
            # The same as `is_open`, above the base without its call.
            if (len(ground) > 1 and paired(ground)) if level > 1 else top.is_open():
                break
            on_level += LEVEL
            free, worth = here.copy(), factor(top.rules, event.level)
        else:
            free = ground
        x, y = event.at
        under = y * ROW + x + on_level
        beneath = under + STEPS[event.dir]
        first, second = tile.first, tile.second
        low, high = free.pop(under, None), free.pop(beneath, None)
        if low is None or high is None:
            uncover(free, under, low, beneath, high)
            break
        points = worth if low == first else 0
        if high == second:
            points += worth
        if event.points != points and event.points is not None:
            uncover(free, under, low, beneath, high)
            break
        if rises:
            if level == 1 and completion_differs(top.rules, top.base):
                touched.add("window")
            levels[level] = here
            level, below, ground, here = level + 1, len(here), free, {}
        one, other = lies[index] = under + LEVEL, beneath + LEVEL
        here[one], here[other] = first, second
        if points:
            touched.add("first_building_level")
            scores[seat] += points
    top.level, top.below, top.ground, top.here = level, below, ground, here


def uncover(ground: dict[int, int], one: int, low: int | None, other: int, high: int | None) -> None:
    """Puts the pips of two squares back on the ground, where there were any."""
    if low is not None:
        ground[one] = low
    if high is not None:
        ground[other] = high


def with_building(state: Ziggurat, top: Top, touched: set[str]) -> Ziggurat:
    """The same state with the building as it is now."""
    # Nothing is laid on the levels that were left too early, so they stay what they are.
    rules, finished = state.rules, not top.is_open() and top.level - 1 not in state.left
    top.levels[top.level] = top.here
    if finished and top.is_narrow():
        touched.add("single_place")
    last_level = top.below if rules.single_played else len(top.here)
    return replace(
        state,
        ended=state.turn.seat is None or (finished and last_level == 2),
        levels=top.levels,
        windows=state.windows if rules.drawn or top.base is None else windows_of(top.base),
        level=top.level,
        finished=finished,
    )


# ── What is claimed ────────────────────────────────────────────────────────────────────────────────────────


def claim(state: Ziggurat, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Ziggurat, int]:
    """The true totals, and the true winners when the game is over: such claims change nothing."""
    for event in events[index:]:
        if type(event) is Score:
            if event.scope != "game" or (
                not are_by_player(event.points, state.rules.players, state.scores)
                and clauses.win.faults(state, event, state)
            ):
                break
        elif type(event) is not Result or not state.ended or clauses.win.faults(state, event, state):
            break
        index += 1
    return state, index


LEAPS: Mapping[type, Leap] = {Deal: deal, Aside: deal, Place: place, Score: claim, Result: claim}
AFTER_END = (claim,)
STRIDE = Stride(
    run,
    Frame(EVENTS, CLOSING, scores=("game",)),
    vouches=frozenset(
        {
            start,
            evolve,
            holdings,
            clauses.in_set,
            clauses.once,
            clauses.occupied,
            clauses.after_end,
            clauses.end,
            clauses.deal,
            clauses.turn,
            clauses.held,
            clauses.touch,
            clauses.window,
            clauses.no_gaps,
            clauses.level_closed,
            clauses.level_finish,
            clauses.cover,
            clauses.base_score,
            clauses.build_score,
            clauses.win,
            options.base_scoring,
            options.first_building_level,
            options.last_place,
            options.touch,
            options.window,
        }
    ),
)
"""Everything that `run` replaces, each piece by name, so that a new piece makes audits slower but never wrong."""
