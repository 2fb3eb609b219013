"""The table of Build Up: its state, and what an event does to it.

The game is in one of three phases: *setup* (layouts, and the draws for the first turn), *play* of a hand, and *over*,
in which the next hand has not begun.  A hand begins with the first deal, play or (at the very start) pass after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add, or_
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Score, Stack
from ledger.games.build_up.numbers import (
    ANYTHING,
    DISPUTED,
    LAID,
    SET,
    fits_some,
    following,
    lacking,
    points_on_top,
    usual_size,
    who_holds,
)
from ledger.games.build_up.state import (
    BuildUp,
    Hand,
    Rules,
    all_passed,
    can_play,
    holders,
    holds,
    is_over,
    known,
    sizes_of,
    unseen,
)
from ledger.tiles import mask


def later_starter(state: BuildUp) -> int | None:
    """Who begins the next hand, by the ruling; None where it is whoever did."""
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
    """The game when the next hand has begun."""
    return replace(state, phase="play", hand=next_hand(state))


def _on_layout(state: BuildUp, event: Layout) -> BuildUp:
    return lay_out(state, (event,), 0)[0]


def lay_out(
    state: BuildUp, events: Sequence[Correctable], place: int, *, strictly: bool = False
) -> tuple[BuildUp, int]:
    """Lays out tiles as new stacks: the state afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that at which there is something to be said: all but a layout of the right size.
    """
    laid, stacks = list(state.laid), list(state.stacks)
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is not Layout:
            break
        seat, tiles = state.rules.seat[event.player], mask(event.tiles)
        free, own = SET & ~laid[seat], LAID[seat]
        if strictly and (tiles & ~free or not tiles.bit_count() == len(event.tiles) == lacking(laid[seat])):
            break
        stacks += [own[tile.index] for tile in dict.fromkeys(event.tiles) if tile.bit & free]
        laid[seat] |= tiles & free
        place += 1
    return replace(state, stacks=tuple(stacks), laid=tuple(laid)), place


def _on_draw(state: BuildUp, event: Draw) -> BuildUp:
    return draw(state, (event,), 0)[0]


# The greatest total of pips plays first; those who tie for it draw again.
def draw(state: BuildUp, events: Sequence[Correctable], place: int, *, strictly: bool = False) -> tuple[BuildUp, int]:
    """Draws tiles for the first turn: the state afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that at which there is something to be said: who draws is not among those who tied, or a tile
    was somewhere else.
    """
    seats, drawn, draws = state.rules.seat, list(state.drawn), dict(state.round)
    rivals, opener = state.rivals, state.opener
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is not Draw:
            break
        seat, tile = seats[event.player], event.tile
        rival = rivals >> seat & 1
        if strictly and not (rival and tile.bit & SET & ~(state.laid[seat] | state.used[seat])):
            break
        place += 1
        if not rival or seat in draws:
            continue
        drawn[seat], draws[seat] = tile.index, tile.pips
        if len(draws) == rivals.bit_count():
            most = max(draws.values())
            tied = [drawer for drawer, pips in draws.items() if pips == most]
            opener = tied[0] if len(tied) == 1 else None
            rivals, draws = sum([1 << drawer for drawer in tied]), {}
    return replace(state, drawn=tuple(drawn), round=tuple(draws.items()), rivals=rivals, opener=opener), place


def _on_deal(state: BuildUp, event: Deal) -> BuildUp:
    seat = state.rules.seat[event.player]
    if state.phase != "play" or state.hand.acted or state.hand.dealt[seat]:
        if state.phase == "play":
            state = _stop(state)
        state = begin(state)
    hand, _ = hand_out(state, state.hand, (event,), 0)
    return replace(state, hand=hand)


def hand_out(
    state: BuildUp, hand: Hand, events: Sequence[Correctable], place: int, *, strictly: bool = False
) -> tuple[Hand, int]:
    """Deals tiles in a hand: the hand afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that at which there is something to be said: all but a whole hand to somebody who has none, of
    the right size, and of tiles that were nowhere else.
    """
    rules, dealt, whole = state.rules, list(hand.dealt), hand.whole
    usual, drawn = usual_size(rules.hands, hand.number), state.drawn if hand.number == 0 else ()
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is not Deal:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if strictly and (
            dealt[seat]
            or event.partial
            or tiles & ~unseen(state, seat)
            or not usual == len(event.tiles) == tiles.bit_count()
            or (drawn and drawn[seat] >= 0 and not tiles >> drawn[seat] & 1)
        ):
            break
        dealt[seat] |= tiles
        if not event.partial:
            whole |= 1 << seat
        place += 1
    return replace(hand, dealt=tuple(dealt), whole=whole), place


def _on_stack(state: BuildUp, event: Stack) -> BuildUp:
    if state.phase != "play":
        state = begin(state)
    after, _ = act(state, (event,), 0, _whoever(state, event))
    return finish(after, holders(after)) if after.used is not state.used and is_over(after) else after


def _on_pass(state: BuildUp, event: Pass) -> BuildUp:
    if state.phase == "over":
        return state
    if state.phase == "setup":
        state = begin(state)
    if not holds(state, state.rules.seat[event.player]):
        return state
    after, _ = act(state, (event,), 0, _whoever(state, event))
    return finish(after, holders(after)) if is_over(after) else after


class Going(Struct, gc=False):
    """What is known besides the state while a hand goes on, and is kept up to date by each act.

    `tops` are the indices of the tiles on top by the numbers of the stacks, `table` tells what may cover each of them,
    `held` what each seat can lay, `left` has a bit for each that holds tiles.  Strictly, an act of which there is
    something to be said is left; the rulings that the others rest on are `touched`.
    """

    touched: set[str]
    tops: dict[int, int]
    held: list[int]
    left: int
    table: Sequence[int]
    strictly: bool = True


def _whoever(state: BuildUp, event: Stack | Pass) -> Going:
    """What is known for one act that is done whoever does it, and wherever the tile comes from and lies."""
    began, plays, stacks = sizes_of(state), state.hand.plays, state.stacks
    tops: dict[int, int] = {}
    held = [0] * len(plays)
    if type(event) is Stack:
        seat, number = state.rules.seat[event.player], event.stack
        if 1 <= number <= len(stacks):
            tops[number] = stacks[number - 1][-1].index
        could = SET & ~(state.used[seat] | state.laid[seat])
        # Of a hand that nobody wrote the number of tiles tells which is the last.
        held[seat] = could if plays[seat] + 1 < began[seat] else could & event.tile.bit
    return Going(set(), tops, held, who_holds(began, plays), ANYTHING, strictly=False)


# A player puts a tile on a stack, or passes; then it is the turn of the next seat that still holds tiles.
def act(state: BuildUp, events: Sequence[Correctable], place: int, going: Going) -> tuple[BuildUp, int]:
    """Lays tiles and passes while a hand goes on: the state afterwards, and the place of the first event it leaves.

    Strictly, it leaves that of which there is something to be said, as far as it can tell: what is out of turn or not
    out of a hand that is written, a tile that may not lie there, a pass with a tile that fits.  The hand may be over
    with the last act; each other was followed by one that shows that it went on.
    """
    rules, hand, stacks = state.rules, state.hand, [(), *state.stacks]
    players, passed, left = rules.players, hand.passed, going.left
    tops, table, held, strictly = going.tops, going.table, going.held, going.strictly
    could, after = held.copy(), following(left, len(players))
    begins: Any = events[place]
    acting = rules.seat[begins.player]
    first = hand.first if hand.acted else acting
    seat = acting if not strictly else first if hand.turn is None else hand.turn
    doubtful = rules.equal_on_double and "tile_on_double" not in going.touched
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is Stack:
            if seat is None or event.player != players[seat]:
                break
            tile, where = event.tile, event.stack
            bit = tile.bit & table[tops[where]] & held[seat] if where in tops else 0
            if bit:
                if doubtful and bit & DISPUTED[tops[where]]:
                    going.touched.add("tile_on_double")
                index = tops[where] = tile.index
                stacks[where] += LAID[seat][index]
                rest = held[seat] = held[seat] ^ bit
                if not rest:
                    left &= ~(1 << seat)
                    after = following(left, len(players))
            elif strictly:
                break
            seat, passed = after[seat], 0
        elif type(event) is Pass:
            if seat is None or event.player != players[seat] or (strictly and not _passes(rules, seat, going)):
                break
            passed |= 1 << seat
            seat = after[seat] if rules.blocked or not all_passed(left, passed) else None
        else:
            break
        place += 1
    going.left = left
    if held == could:
        return replace(state, hand=replace(hand, passed=passed, turn=seat, first=first, acted=True)), place
    plays, used = [], []
    for played, gone, had, has in zip(hand.plays, state.used, could, held, strict=True):
        laid = had ^ has
        plays.append(played + laid.bit_count())
        used.append(gone | laid)
    hand = Hand(hand.number, hand.dealt, tuple(plays), hand.whole, passed, seat, first, acted=True)
    return replace(state, stacks=tuple(stacks[1:]), used=tuple(used), hand=hand), place


def _passes(rules: Rules, seat: int, going: Going) -> bool:
    """Whether a seat has nothing to play out of its hand, in a hand that goes on."""
    tops, tiles, touched = going.tops.values(), going.held[seat], going.touched
    if not tiles or fits_some(going.table, tops, tiles):
        return False
    if rules.blocked and not fits_some(going.table, tops, reduce(or_, going.held)):
        return False
    # What fits by the looser reading only is in dispute; where that holds, nothing fits by any.
    if not rules.equal_on_double and "tile_on_double" not in touched and fits_some(DISPUTED, tops, tiles):
        touched.add("tile_on_double")
    return True


# Tiles that could not be played are set aside for good.  They are named when the hand is over.
def _on_aside(state: BuildUp, event: Aside) -> BuildUp:
    if state.phase == "play" and state.hand.acted and can_play(state) is not True:
        state = finish(state, holders(state))
    if event.player is None:
        return state
    seat = state.rules.seat[event.player]
    bits = mask(event.tiles) & ~state.used[seat]
    # Mostly they were written in that hand, and left when it was over.
    if not bits & ~state.left[seat]:
        return state
    return replace(state, left=_with(state.left, seat, state.left[seat] | bits))


def _on_score(state: BuildUp, event: Score) -> BuildUp:
    # A claim changes nothing but where the hand ends: who scores it says that it is over.
    if event.scope == "hand" and state.phase == "play" and state.hand.acted:
        return _stop(state)
    return state


def finish(state: BuildUp, holding: int, *, early: bool = False) -> BuildUp:
    """The hand on the table is over: scored, and what is left of it set aside.  Early: though somebody could play.

    `holding` has a bit for each seat that still holds tiles.
    """
    earned = points_on_top(state.stacks, len(state.used))
    rules, hand = state.rules, state.hand
    totals = tuple(map(add, state.totals, earned)) if rules.cumulative else earned
    left = state.left
    if holding:
        left = tuple([aside | ((holding >> seat & 1 and known(state, seat)) or 0) for seat, aside in enumerate(left)])
    broken = state.broken or early
    ended = hand.number + 1 >= len(rules.hands) and not broken
    return replace(
        state,
        phase="over",
        hand=hand if hand.turn is None else replace(hand, turn=None),
        earned=earned,
        totals=totals,
        left=left,
        broken=broken,
        ended=ended,
    )


def _stop(state: BuildUp) -> BuildUp:
    """The hand on the table is said to be over, whether it is or not."""
    holding = holders(state)
    passed = not state.rules.blocked and all_passed(holding, state.hand.passed)
    return finish(state, holding, early=can_play(state) is True and not passed)


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


_EVOLVE: Mapping[type, Any] = {
    Layout: _on_layout, Draw: _on_draw, Deal: _on_deal, Stack: _on_stack, Pass: _on_pass, Aside: _on_aside,
    Score: _on_score,
}  # fmt: skip


def evolve(state: BuildUp, event: Correctable) -> BuildUp:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: BuildUp = on(state, event) if on else state
    return after
