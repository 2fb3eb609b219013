"""The table of Build Up: what one event does to it.

The game is in one of three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*,
in which the next hand has not begun.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add
from typing import Any, TypeVar

from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.games.build_up.numbers import LAID, SET, following, points_on_top
from ledger.games.build_up.state import BuildUp, Hand, all_passed, can_play, holders, holds, is_over, known
from ledger.tiles import mask

V = TypeVar("V")


def put(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """The same values with another one in this place."""
    return (*values[:place], value, *values[place + 1 :])


# ── Setting up ─────────────────────────────────────────────────────────────────────────────────────────────


# Each player lays out six tiles; they are the first tiles of the stacks.
def on_layout(state: BuildUp, event: Layout) -> BuildUp:
    """The tiles lie on the table, each as a new stack; a tile that lies there already makes none."""
    seat = state.rules.seat[event.player]
    free = SET & ~state.laid[seat]
    fresh = [LAID[seat][tile.index] for tile in dict.fromkeys(event.tiles) if tile.bit & free]
    laid = state.laid[seat] | mask(event.tiles) & free
    return replace(state, stacks=(*state.stacks, *fresh), laid=put(state.laid, seat, laid))


# Each player draws a tile.  The greatest total of pips plays first; those who tie for it draw again.
def on_draw(state: BuildUp, event: Draw) -> BuildUp:
    """The draw counts in this round, if the player draws in it; the last draw of a round decides it."""
    seat = state.rules.seat[event.player]
    draws = dict(state.round)
    if not state.rivals >> seat & 1 or seat in draws:
        return state
    draws[seat] = event.tile.pips
    state = replace(state, drawn=put(state.drawn, seat, event.tile.index), round=tuple(draws.items()))
    if len(draws) < state.rivals.bit_count():
        return state
    best = [drawer for drawer, pips in draws.items() if pips == max(draws.values())]
    rivals = sum(1 << drawer for drawer in best)
    return replace(state, round=(), rivals=rivals, opener=best[0] if len(best) == 1 else None)


# ── A hand begins ──────────────────────────────────────────────────────────────────────────────────────────


# The document does not say who begins the later hands; a ruling does.
def later_starter(state: BuildUp) -> int | None:
    """Who begins the next hand by the ruling; None where that is whoever did."""
    rule, first = state.rules.later_start, state.hand.first
    if rule in ("winner", "loser"):
        if state.earned is None:
            return None
        pick = max(state.earned) if rule == "winner" else min(state.earned)
        return state.earned.index(pick)
    if first is None or rule == "recorded":
        return None
    return first if rule == "same" else (first + 1) % len(state.rules.players)


def next_hand(state: BuildUp) -> Hand:
    """The next hand, before anything was dealt or played in it."""
    none = (0,) * len(state.rules.players)
    number = state.hand.number + 1
    turn = state.opener if number == 0 else later_starter(state)
    return Hand(number, none, none, turn=turn)


def begin(state: BuildUp) -> BuildUp:
    """The game at the beginning of its next hand."""
    return replace(state, phase="play", hand=next_hand(state))


# A deal says what a hand holds.  The next hand begins with the first deal after an act.
def on_deal(state: BuildUp, event: Deal) -> BuildUp:
    """The tiles are in the player's hand; a second deal to the same player ends the hand on the table."""
    seat = state.rules.seat[event.player]
    if state.phase != "play":
        state = begin(state)
    elif state.hand.acted or state.hand.dealt[seat]:
        state = begin(stop(state))
    hand = state.hand
    dealt = put(hand.dealt, seat, hand.dealt[seat] | mask(event.tiles))
    whole = hand.whole if event.partial else hand.whole | 1 << seat
    return replace(state, hand=replace(hand, dealt=dealt, whole=whole))


# ── Playing and passing ────────────────────────────────────────────────────────────────────────────────────


# A player puts a tile on a stack.
def on_stack(state: BuildUp, event: Stack) -> BuildUp:
    """The tile lies on the stack, and the turn goes on; a tile that cannot lie there changes only the turn."""
    if state.phase != "play":
        state = begin(state)
    seat, tile, place = state.rules.seat[event.player], event.tile, event.stack - 1
    free = SET & ~(state.used[seat] | state.laid[seat])
    if not tile.bit & free or not 0 <= place < len(state.stacks):
        return pass_turn(state, seat, passed=0)
    hand = replace(state.hand, plays=put(state.hand.plays, seat, state.hand.plays[seat] + 1))
    stacks = put(state.stacks, place, state.stacks[place] + LAID[seat][tile.index])
    state = replace(state, hand=hand, stacks=stacks, used=put(state.used, seat, state.used[seat] | tile.bit))
    state = pass_turn(state, seat, passed=0)
    return finish(state) if is_over(state) else state


# A player passes when no tile in hand fits any stack.
def on_pass(state: BuildUp, event: Pass) -> BuildUp:
    """The player has passed, and the turn goes on; a pass without tiles or after the hand changes nothing."""
    if state.phase == "over":
        return state
    if state.phase == "setup":
        state = begin(state)
    seat = state.rules.seat[event.player]
    if not holds(state, seat):
        return state
    state = pass_turn(state, seat, passed=state.hand.passed | 1 << seat)
    return finish(state) if is_over(state) else state


# Players act in turn; a player without tiles is skipped.
def pass_turn(state: BuildUp, seat: int, passed: int) -> BuildUp:
    """The state after this seat has acted; `passed` has a bit for each seat that passed since a tile was played."""
    hand, holding = state.hand, holders(state)
    over = passed and not state.rules.blocked and all_passed(holding, passed)
    turn = None if over else following(holding, len(hand.plays))[seat]
    first = hand.first if hand.acted else seat
    return replace(state, hand=replace(hand, passed=passed, turn=turn, first=first, acted=True))


# ── A hand ends ────────────────────────────────────────────────────────────────────────────────────────────


# Tiles that could not be played are set aside for good.  They are named when the hand is over.
def on_aside(state: BuildUp, event: Aside) -> BuildUp:
    """The tiles are left over; the hand on the table is over, unless the record shows that somebody can play."""
    if state.phase == "play" and state.hand.acted and can_play(state) is not True:
        state = finish(state)
    if event.player is None:
        return state
    seat = state.rules.seat[event.player]
    left = state.left[seat] | mask(event.tiles) & ~state.used[seat]
    return replace(state, left=put(state.left, seat, left))


# A claim changes nothing but where the hand ends: to score a hand is to say that it is over.
def on_score(state: BuildUp, event: Score) -> BuildUp:
    """The hand on the table is over, if its points are claimed."""
    if event.scope == "hand" and state.phase == "play" and state.hand.acted:
        return stop(state)
    return state


def stop(state: BuildUp) -> BuildUp:
    """The hand on the table is over because the record says so, though perhaps somebody can play."""
    passed = not state.rules.blocked and all_passed(holders(state), state.hand.passed)
    return finish(state, early=can_play(state) is True and not passed)


# At the end of a hand every player scores the tiles of their colour on top of the stacks.  The stacks stay.
def finish(state: BuildUp, *, early: bool = False) -> BuildUp:
    """The hand is scored, and the tiles left in it are set aside.  `early`: somebody could still play."""
    rules, hand, holding = state.rules, state.hand, holders(state)
    earned = points_on_top(state.stacks, len(state.used))
    left = state.left
    if holding:
        left = tuple([aside | ((holding >> seat & 1 and known(state, seat)) or 0) for seat, aside in enumerate(left)])
    broken = state.broken or early
    return replace(
        state,
        phase="over",
        hand=replace(hand, turn=None),
        earned=earned,
        totals=tuple(map(add, state.totals, earned)) if rules.cumulative else earned,
        left=left,
        broken=broken,
        ended=hand.number + 1 >= len(rules.hands) and not broken,
    )


EVOLVE: Mapping[type, Callable[[BuildUp, Any], BuildUp]] = {
    Layout: on_layout,
    Draw: on_draw,
    Deal: on_deal,
    Stack: on_stack,
    Pass: on_pass,
    Aside: on_aside,
    Score: on_score,
}
"""What each type of event does; any other changes nothing."""


def evolve(state: BuildUp, event: Correctable) -> BuildUp:
    """The table after one event."""
    on = EVOLVE.get(type(event))
    return on(state, event) if on else state
