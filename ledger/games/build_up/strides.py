"""A fast way through the faultless part of a record of Build Up; `table` alone says what an event does.

Each leap below consumes a run of events of one kind that no clause finds fault with.  It keeps plain variables instead
of a frozen state for each event, and stops before the first event that it is not sure of.  tests/test_strides.py
compares it with single steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.games.build_up import options
from ledger.games.build_up.clauses import (
    after_end,
    cover_tile,
    double_on_double,
    hand_end,
    hand_size,
    held,
    in_set,
    leftover,
    once,
    passing,
    score,
    stack,
    tile_on_double,
    turn,
    unfinished,
    win,
)
from ledger.games.build_up.hands import holdings
from ledger.games.build_up.numbers import (
    COVERING,
    DISPUTED,
    LAID,
    SET,
    WORTH,
    by_seat,
    following,
    usual_size,
)
from ledger.games.build_up.options import hangs_on_double, is_later_hand, is_third_hand, stops_with_tiles
from ledger.games.build_up.rows import evolve
from ledger.games.build_up.setup_clauses import first, layout
from ledger.games.build_up.setup_strides import Memory, draws, layouts
from ledger.games.build_up.state import (
    CLOSING,
    EVENTS,
    BuildUp,
    Hand,
    Rules,
    all_passed,
    can_play,
    holders,
    in_hand,
    start,
)
from ledger.games.build_up.table import finish, next_hand, play_on, scored
from ledger.record.events import Aside, Correctable, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.record.tiles import mask
from ledger.rules.leaps import Frame, Leap, Stride, leaps
from ledger.rules.shared_clauses import are_by_player
from ledger.rules.turns import NOBODY, Turn


def run(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """The state after the longest faultless run from `place`, and the place of the first event after it."""
    if state.others:
        return state, place
    return leaps(LEAPS, AFTER_END, state, events, place, Memory(touched))


# ── A hand begins ──────────────────────────────────────────────────────────────────────────────────────────


def deals(state: BuildUp, events: Sequence[Correctable], place: int, memory: Memory) -> tuple[BuildUp, int]:
    """The deals of one hand, before anybody has acted in it."""
    if state.phase == "play":
        if state.hand.acted:
            return state, place
        hand, end = deal_whole_hands(state, state.hand, events, place)
    else:
        hand, end = deal_whole_hands(state, next_hand(state), events, place)
        memory.dealt = hand
    if end == place:
        return state, place
    after = replace(state, phase="play", hand=hand, last=None)
    if is_third_hand(state, events[place], after):
        memory.touched.add("hands")
    return after, end


def deal_whole_hands(state: BuildUp, hand: Hand, events: Sequence[Correctable], place: int) -> tuple[Hand, int]:
    """Whole hands of the right size and of unseen tiles, each to a player who has none yet."""
    rules, dealt, whole = state.rules, list(hand.dealt), hand.whole
    laid, used, left, usual = state.laid, state.used, state.left, usual_size(rules.hands, hand.number)
    drawn = state.drawn if hand.number == 0 else (0,) * len(dealt)
    for event in events[place : place + len(dealt)]:
        if type(event) is not Deal:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if (
            dealt[seat]
            or whole >> seat & 1
            or event.partial
            or tiles > SET
            or tiles & (laid[seat] | used[seat] | left[seat])
            or len(event.tiles) != usual
            or tiles.bit_count() != usual
            or drawn[seat] | tiles != tiles
        ):
            break
        dealt[seat] = tiles
        whole |= 1 << seat
        place += 1
    return replace(hand, dealt=tuple(dealt), whole=whole), place


# ── Playing and passing ────────────────────────────────────────────────────────────────────────────────────


class Course(Struct, gc=False):
    """What acts update during a hand.

    `tops` and `worths` are as in `Memory`, `table` has what may cover each tile, `held` what each seat can play,
    `holding` a bit for each seat that holds tiles.  `sure`: `held` is all that they hold, and the top tiles are known.
    `touched` are the rulings that acts depend on.
    """

    touched: set[str]
    tops: list[int]
    worths: list[int]
    held: list[int]
    holding: int
    table: Sequence[int]
    sure: bool

    def end(self, after: BuildUp) -> tuple[bool | None, bool]:
        """Whether anybody can play after the last act (None: unknown), and whether a ruling decides it."""
        if not self.sure:
            return can_play(after), hangs_on_double(after)
        tops, tiles = self.tops, reduce(or_, self.held)
        # A hand usually ends when no tile fits under either value of the ruling.
        if not fits_top(COVERING[True], tops, tiles):
            return False, False
        if fits_top(COVERING[False], tops, tiles):
            return True, False
        return after.rules.equal_on_double, True

    def finish(self, after: BuildUp) -> BuildUp:
        """The state when the hand is over after the last act."""
        if not self.sure:
            return finish(after)
        left, seats = after.left, len(after.left)
        if self.holding:
            left = tuple(map(or_, left, self.held))
        return scored(after, by_seat(sum(self.worths), seats), (0,) * seats, left)


OF_END, OF_FREE_END = frozenset({"passing", "hand_end"}), frozenset({"passing"})
"""The rulings that matter where a hand ends with tiles left; the second: where anybody may pass."""


def acts(state: BuildUp, events: Sequence[Correctable], place: int, memory: Memory) -> tuple[BuildUp, int]:
    """The acts of the current hand, up to its end if it comes; in the first hand the draws decide who begins."""
    hand, turn, touched = state.hand, state.hand.turn, memory.touched
    begins: Any = events[place]
    if state.phase != "play" or turn.also or turn.missed is not None:
        return state, place
    # Where hands are hidden, nothing is worked out in vain for each act.
    if not hand.dealt[state.rules.seat[begins.player]]:
        return state, place
    if not hand.acted and not hand.number and turn.seat != state.opener:
        return state, place
    if not memory.tops:
        memory.look_at(state.stacks)
    if hand is memory.dealt:
        in_hands, holding, sure = list(hand.dealt), (1 << len(hand.dealt)) - 1, hand.whole + 1 == 1 << len(hand.dealt)
    else:
        (in_hands, sure), holding = written(state), holders(state)
    table = COVERING[state.rules.equal_on_double]
    course = Course(touched, memory.tops, memory.worths, in_hands, holding, table, sure and memory.known)
    after, end = plays_and_passes(state, events, place, course)
    if end == place:
        return state, place
    rules, hangs, over = state.rules, False, all_passed(course.holding, after.hand.passed)
    if course.holding and (rules.blocked or (over and not rules.free)):
        able, hangs = course.end(after)
        if rules.blocked and able is not None:
            over = not able
        if over and able is not False:
            return state, place  # a pass may have been wrong, so that the hand goes on
    if is_later_hand(state, events[end - 1], after):
        touched.add("later_start")
    if hangs and rules.blocked:
        touched.add("tile_on_double")
    if over:
        after = course.finish(after)
        if hand.number:
            touched.add("total")
    of_end = OF_FREE_END if rules.free else OF_END
    if course.holding and not of_end <= touched and (over or stops_with_tiles(state, events[end - 1], after)):
        touched |= of_end
    return after, end


def written(state: BuildUp) -> tuple[list[int], bool]:
    """The tiles that each seat holds if its whole hand was dealt; none if the play contradicts the deal.

    The second value: whether the play agrees with every deal.
    """
    hand, held_tiles, everywhere = state.hand, [], True
    for seat, dealt in enumerate(hand.dealt):
        tiles = in_hand(state, seat)
        sure = hand.whole >> seat & 1 and not dealt & (state.laid[seat] | state.left[seat])
        exact = dealt.bit_count() == hand.sizes[seat] and tiles.bit_count() == hand.sizes[seat] - hand.plays[seat]
        held_tiles.append(tiles if sure and exact else 0)
        everywhere = everywhere and bool(sure) and exact
    return held_tiles, everywhere


def plays_and_passes(state: BuildUp, events: Sequence[Correctable], place: int, course: Course) -> tuple[BuildUp, int]:
    """Plays and passes in turn: tiles that are in the hand and fit, and passes in a hand that goes on.

    The hand may be over after the last of them; after each of the others an act shows that it went on.
    """
    rules, hand, stacks = state.rules, state.hand, [(), *state.stacks]
    players, passed, holding = rules.players, hand.passed, course.holding
    tops, worths, table, in_hands = course.tops, course.worths, course.table, course.held
    at_first, after = in_hands.copy(), following(holding, len(players))
    passes = fitting = 0
    begins: Any = events[place]
    starter = hand.first if hand.acted else rules.seat[begins.player]
    seat: Any = starter if hand.turn.seat is None else hand.turn.seat
    doubtful, greatest = rules.equal_on_double and "tile_on_double" not in course.touched, len(state.stacks)
    for event in events[place:] if seat is not None else ():
        if type(event) is Stack:
            number = event.stack
            if event.player != players[seat] or number < 1 or number > greatest:
                break
            tile, mine = event.tile, in_hands[seat]
            bit = tile.bit & table[tops[number]] & mine
            if not bit:
                break
            if doubtful and bit & DISPUTED[tops[number]]:
                course.touched.add("tile_on_double")
                doubtful = False
            index = tops[number] = tile.index
            worths[number] = WORTH[seat][index]
            stacks[number] += LAID[seat][index]
            passed, rest = 0, mine ^ bit
            in_hands[seat] = rest
            if not rest:
                holding ^= 1 << seat
                after = following(holding, len(players))
                if not holding:
                    seat = None
                    break
            seat = after[seat]
        elif type(event) is Pass:
            # Between the passes of a row, what fits stays the same.
            if not passed or not passes:
                fitting = 0 if rules.free and "passing" in course.touched else fits_tops(table, tops)
            if event.player != players[seat] or not can_pass(rules, in_hands, seat, fitting, course):
                break
            passed, passes = passed | 1 << seat, passes + 1
            seat = after[seat]
            if not rules.blocked and all_passed(holding, passed):
                break
        else:
            break
    course.holding = holding
    plays, used = played_from(state, at_first, course)
    place += passes + sum(plays) - sum(hand.plays)
    last: Any = events[place - 1]
    done = (rules.seat[last.player], last.tile.index, last.stack) if type(last) is Stack else None
    hand = replace(hand, plays=plays, passed=passed, turn=Turn(seat) if holding else NOBODY, first=starter, acted=True)
    return replace(state, stacks=tuple(stacks[1:]), used=used, hand=hand, last=done), place


def played_from(state: BuildUp, before: Sequence[int], course: Course) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By seat, how many tiles were played in the hand and which in the game; `before` are the hands before the run."""
    if course.sure and not course.holding:
        # All that was dealt is played, as in most hands.
        return state.hand.sizes, tuple(map(or_, state.used, state.hand.dealt))
    plays, used = list(state.hand.plays), list(state.used)
    for seat in range(len(used)):
        laid = before[seat] ^ course.held[seat]
        plays[seat] += laid.bit_count()
        used[seat] |= laid
    return tuple(plays), tuple(used)


def fits_tops(table: Sequence[int], tops: Iterable[int]) -> int:
    """The tiles that fit on one of these tops, given by their indices."""
    fitting = 0
    for top in tops:
        fitting |= table[top]
    return fitting


def fits_top(table: Sequence[int], tops: Iterable[int], tiles: int) -> bool:
    """Whether one of these tiles fits on one of these tiles, given by their indices."""
    for top in tops:  # noqa: SIM110  a generator takes twice as long
        if table[top] & tiles:
            return True
    return False


def can_pass(rules: Rules, held: Sequence[int], seat: int, fitting: int, course: Course) -> bool:
    """Whether a seat holds known tiles that do not fit, while somebody else can play; by a ruling, any known tiles.

    `held` are the known tiles by seat, `fitting` those that fit somewhere.
    """
    tiles, touched = held[seat], course.touched
    if rules.free:
        touched |= {"passing"} if fitting & tiles else set()
        return bool(tiles)
    if not tiles or fitting & tiles or (rules.blocked and not fitting & reduce(or_, held)):
        return False
    # Under the looser value of the ruling more tiles fit; if that value is in force, nothing fits under either.
    if not rules.equal_on_double and "tile_on_double" not in touched and fits_top(DISPUTED, course.tops, tiles):
        touched.add("tile_on_double")
    return True


# ── A hand is over ─────────────────────────────────────────────────────────────────────────────────────────


def asides(state: BuildUp, events: Sequence[Correctable], place: int, _memory: Memory) -> tuple[BuildUp, int]:
    """Tiles set aside after a hand in which they were dealt."""
    for event in events[place : place + len(state.left)]:
        if type(event) is not Aside or event.player is None or state.phase != "over":
            break
        seat, tiles = state.rules.seat[event.player], mask(event.tiles)
        gone = state.laid[seat] | state.used[seat]
        if tiles & gone or state.hand.dealt[seat] | tiles != state.hand.dealt[seat]:
            break
        if tiles.bit_count() != len(event.tiles):
            break
        # Usually the end of the hand has set them aside already.
        if state.left[seat] | tiles != state.left[seat] or state.last is not None:
            state = play_on(state, event)
        place += 1
    return state, place


MOST_CLAIMS = 3
"""How many claims a hand usually has at the most: its points, the totals, and at the end of the game the winners."""


def claims(state: BuildUp, events: Sequence[Correctable], place: int, _memory: Memory) -> tuple[BuildUp, int]:
    """The points of a hand that is over, the totals and the winners, if they are right: they change nothing."""
    if state.phase != "over" or state.earned is None or any(state.vague):
        return state, place
    players = state.rules.players
    for event in events[place : place + MOST_CLAIMS]:
        if type(event) is Score:
            values = state.earned if event.scope == "hand" else state.totals
            if not are_by_player(event.points, players, values):
                break
        elif type(event) is not Result or not state.ended or win.faults(state, event, state):
            break
        place += 1
    return state, place


LEAPS: Mapping[type, Leap] = {
    Layout: layouts, Draw: draws, Deal: deals, Stack: acts, Pass: acts, Aside: asides, Score: claims, Result: claims,
}  # fmt: skip
"""By type of event, the leap over a faultless run that begins with it."""

AFTER_END = (asides, claims)
"""The leaps that are still made after the end of the game."""

STRIDE: Stride[BuildUp] = Stride(
    run,
    Frame(EVENTS, CLOSING),
    vouches=frozenset({
        start, evolve, holdings,
        in_set, once, stack, after_end, unfinished, layout, first, hand_end, hand_size, turn, leftover, held,
        cover_tile, double_on_double, tile_on_double, passing, score, win,
        options.hands, options.later_start, options.hand_end, options.passing, options.total, options.tile_on_double,
        options.tied_tiles,
    }),
)  # fmt: skip
