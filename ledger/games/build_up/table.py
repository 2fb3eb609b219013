"""The table of Build Up: what one event does to it.

The game has three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*, before the
next hand begins.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add
from typing import Any

from msgspec.structs import replace

from ledger.games.build_up.numbers import (
    LAID,
    SET,
    UNKNOWN,
    following,
    points_on_top,
    usual_size,
    who_holds,
)
from ledger.games.build_up.scoring import scores_the_hand
from ledger.games.build_up.setup import on_draw, on_layout
from ledger.games.build_up.state import (
    BuildUp,
    Hand,
    can_play,
    done_before,
    holders,
    holds,
    is_over,
    known,
    later_starter,
    one_fits,
    played,
)
from ledger.record.events import Aside, Correctable, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.record.tiles import mask
from ledger.rules.shared_clauses import put
from ledger.rules.turns import NOBODY, Turn, after_act, after_pass_in_breach

# ── A hand begins ──────────────────────────────────────────────────────────────────────────────────────────


def next_hand(state: BuildUp) -> Hand:
    """The next hand, before anything was dealt or played in it."""
    seats, number = len(state.rules.players), state.hand.number + 1
    none, sizes = (0,) * seats, (usual_size(state.rules.hands, number),) * seats
    return Hand(number, sizes, state.used, none, none, turn=Turn(state.opener if number == 0 else later_starter(state)))


def begin(state: BuildUp) -> BuildUp:
    """The game at the beginning of its next hand."""
    return replace(state, phase="play", hand=next_hand(state))


# A deal says what a hand holds.  A deal that repeats one of the current hand, or gives the whole hand after a part, is
# the same deal.  Any other begins the next hand once somebody has acted.
def on_deal(state: BuildUp, event: Deal) -> BuildUp:
    """The tiles are in the player's hand; one that cannot be there leaves room for an unknown tile."""
    if not deals_again(state, event):
        state = begin(finish(state) if state.phase == "play" else state)
    hand, seat, tiles = state.hand, state.rules.seat[event.player], mask(event.tiles)
    if hand.whole >> seat & 1:
        return replace(state, last=None)
    fresh = tiles & SET & ~(state.laid[seat] | hand.out[seat] | (state.left[seat] & ~hand.dealt[seat]))
    dealt = hand.dealt[seat] | fresh
    if not event.partial:
        size = max(len(event.tiles), dealt.bit_count())
        hand = replace(hand, sizes=put(hand.sizes, seat, size), whole=hand.whole | 1 << seat)
    return replace(state, hand=replace(hand, dealt=put(hand.dealt, seat, dealt)), last=None)


def deals_again(state: BuildUp, event: Deal) -> bool:
    """Whether a deal belongs to the current hand and does not begin another."""
    if state.phase == "setup":
        return False
    if state.phase == "play" and not state.hand.acted:
        return True
    seat, tiles = state.rules.seat[event.player], mask(event.tiles)
    dealt = state.hand.dealt[seat]
    if dealt:
        return not tiles & ~dealt or not dealt & ~tiles
    return bool(played(state, seat)) and not played(state, seat) & ~tiles


# ── Playing and passing ────────────────────────────────────────────────────────────────────────────────────


# A player puts a tile on a stack.
def on_stack(state: BuildUp, event: Stack) -> BuildUp:
    """The tile is on the stack, and the turn goes on.

    A tile that cannot be there counts as an unknown one.  If there is no such stack, only the turn goes on.
    """
    if done_before(state, event):
        return state
    if state.phase != "play":
        state = begin(state)
    seat, tile, place = state.rules.seat[event.player], event.tile, event.stack - 1
    last, plays = (seat, tile.index, event.stack), state.hand.plays
    if not 0 <= place < len(state.stacks):
        return replace(state, hand=take_turn(state, seat, plays), last=last)
    free = SET & ~(state.used[seat] | state.laid[seat])
    put_down = LAID[seat][tile.index if tile.bit & free else UNKNOWN]
    state = replace(
        state,
        stacks=put(state.stacks, place, state.stacks[place] + put_down),
        used=put(state.used, seat, state.used[seat] | tile.bit & free),
        left=put(state.left, seat, state.left[seat] & ~tile.bit) if tile.bit & state.left[seat] else state.left,
        hand=take_turn(state, seat, put(plays, seat, plays[seat] + 1)),
        last=last,
    )
    return finish(state) if is_over(state) else state


# A player passes when no tile in hand fits any stack; a ruling lets anybody pass.
def on_pass(state: BuildUp, event: Pass) -> BuildUp:
    """The player has passed, and the turn goes on; the hand is over if nobody is left to play."""
    after = pass_on(state, event)
    return finish(after) if ends_with_pass(state, after) else after


def pass_on(state: BuildUp, event: Pass) -> BuildUp:
    """The same, but the hand does not end; a pass without tiles or after the hand changes nothing."""
    if state.phase == "setup":
        state = begin(state)
    seat = state.rules.seat[event.player]
    if state.phase == "over" or not holds(state, seat):
        return state if state.last is None else replace(state, last=None)
    tiles = known(state, seat)
    # If the hand is unknown, a later play may show that the pass was a breach.
    breach = not state.rules.free and (tiles is None or one_fits(state, tiles))
    hand = take_turn(state, seat, state.hand.plays, passed=state.hand.passed | 1 << seat, breach=breach)
    return replace(state, hand=hand, last=None)


def ends_with_pass(before: BuildUp, after: BuildUp) -> bool:
    """Whether a hand is over after a pass."""
    return after.phase == "play" and after.hand is not before.hand and is_over(after)


# Players act in turn; a player without tiles is skipped.
def take_turn(state: BuildUp, seat: int, plays: tuple[int, ...], passed: int = 0, *, breach: bool = False) -> Hand:
    """The hand after an act of this seat: who acts next, and who has passed since a tile was played.

    `plays` counts the tiles played, by seat, after the act; `breach`: the act is, or may be, a pass in breach.
    """
    hand = state.hand
    follow = following(who_holds(hand.sizes, plays), len(plays)).__getitem__
    turn = (after_pass_in_breach if breach else after_act)(hand.turn, seat, follow)
    first = hand.first if hand.acted else seat
    return replace(hand, plays=plays, passed=passed, turn=turn, first=first, acted=True)


# ── A hand ends ────────────────────────────────────────────────────────────────────────────────────────────


# Tiles that could not be played are set aside for good.  They are named when the hand is over.
def on_aside(state: BuildUp, event: Aside) -> BuildUp:
    """The tiles are left over; the current hand is over, unless the record shows that somebody can play."""
    if state.phase == "play" and state.hand.acted and can_play(state) is not True:
        state = finish(state)
    if event.player is None:
        return replace(state, last=None)
    seat = state.rules.seat[event.player]
    left = state.left[seat] | mask(event.tiles) & SET & ~(state.used[seat] | state.laid[seat])
    return replace(state, left=put(state.left, seat, left), last=None)


# A claim changes only where the hand ends: a hand that is scored is over.  Points of unknown tiles count as claimed.
def on_score(state: BuildUp, event: Score) -> BuildUp:
    """The current hand is over if its points are claimed, or are in the totals."""
    if scores_the_hand(state, event):
        state = finish(state)
    if not any(state.vague):
        return state
    computed, vague = state.totals, state.vague
    if event.scope == "hand" and state.earned is not None:
        computed, vague = state.earned, points_on_top(state.stacks, len(vague))[1]
    more = list[int]()
    for seat, player in enumerate(state.rules.players):
        difference = event.points.get(player, computed[seat]) - computed[seat]
        more.append(difference if player in event.points and 0 <= difference <= vague[seat] else -1)
    settled = [max(0, difference) for difference in more]
    return replace(
        state,
        earned=None if state.earned is None else tuple(map(add, state.earned, settled)),
        totals=tuple(map(add, state.totals, settled)),
        vague=tuple(
            [max(0, old - now) if new >= 0 else old for old, now, new in zip(state.vague, vague, more, strict=True)]
        ),
    )


# At the end of a hand every player scores the tiles of their colour on top of the stacks.  The stacks stay.
def finish(state: BuildUp) -> BuildUp:
    """The hand is over: it is scored, and the tiles left in it are set aside."""
    holding, left = holders(state), state.left
    if holding:
        left = tuple([aside | ((holding >> seat & 1 and known(state, seat)) or 0) for seat, aside in enumerate(left)])
    earned, vague = points_on_top(state.stacks, len(left))
    return scored(state, earned, vague, left)


def scored(state: BuildUp, earned: tuple[int, ...], vague: tuple[int, ...], left: tuple[int, ...]) -> BuildUp:
    """The hand is over: by seat its points, the most that unknown tiles can add, and all tiles left over for good."""
    rules, hand = state.rules, state.hand
    if rules.cumulative:
        vague = tuple(map(add, state.vague, vague)) if any(vague) else state.vague
    return replace(
        state,
        phase="over",
        hand=hand if hand.turn is NOBODY else replace(hand, turn=NOBODY),
        earned=earned,
        totals=tuple(map(add, state.totals, earned)) if rules.cumulative else earned,
        vague=vague,
        left=left,
        ended=hand.number + 1 >= len(rules.hands),
    )


# A hand that the table left too early is over all the same, and counts: `build-up.hand.end` says that it was too early.
def on_result(state: BuildUp, _event: Result) -> BuildUp:
    """The last hand is over if the winners are called in it."""
    last = state.hand.number + 1 >= len(state.rules.hands)
    return finish(state) if last and state.phase == "play" and state.hand.acted else state


EVOLVE: Mapping[type, Callable[[BuildUp, Any], BuildUp]] = {
    Layout: on_layout,
    Draw: on_draw,
    Deal: on_deal,
    Stack: on_stack,
    Pass: on_pass,
    Aside: on_aside,
    Score: on_score,
    Result: on_result,
}
"""What each type of event does; any other changes nothing."""


def play_on(state: BuildUp, event: Correctable) -> BuildUp:
    """The table after one event, if every row of passes ends its hand."""
    on = EVOLVE.get(type(event))
    return on(state, event) if on else state
