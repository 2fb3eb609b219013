"""What an audit of Build Up passes over: the events at which no clause finds fault, hand after hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Aside, Correctable, Deal, Draw, Layout, Pass, Result, Score, Stack
from ledger.games.build_up.clauses import score, win
from ledger.games.build_up.numbers import SET, covering
from ledger.games.build_up.rulings import later_hand, over, stopped_with_tiles, third_hand
from ledger.games.build_up.state import BuildUp, Hand, holders, is_over, written
from ledger.games.build_up.table import Going, act, draw, evolve, finish, hand_out, lay_out, next_hand
from ledger.strides import Leap, leaps
from ledger.tiles import mask


class Passing(Struct, gc=False):
    """What a stride keeps beside the state: the rulings `touched`, the tile on `tops` by the numbers of the stacks.

    `dealt` is the last hand that it passed over from the first deal on: it was written and nobody has acted in it.
    """

    touched: set[str]
    tops: dict[int, int] = {}
    dealt: Hand | None = None


def stride(state: BuildUp, events: Sequence[Correctable], place: int, touched: set[str]) -> tuple[BuildUp, int]:
    """See `Game.stride`: what a careful table does and says."""
    return leaps(LEAPS, LATE, state, events, place, Passing(touched))


def _laid_out(state: BuildUp, events: Sequence[Correctable], place: int, passing: Passing) -> tuple[BuildUp, int]:
    passing.tops = {}
    return lay_out(state, events, place, strictly=True)


def _drawn(state: BuildUp, events: Sequence[Correctable], place: int, _passing: Passing) -> tuple[BuildUp, int]:
    return draw(state, events, place, strictly=True)


def _dealt(state: BuildUp, events: Sequence[Correctable], place: int, passing: Passing) -> tuple[BuildUp, int]:
    """The hands that are dealt before anybody has acted."""
    if state.phase == "play":
        if state.hand.acted:
            return state, place
        hand, behind = hand_out(state, state.hand, events, place, strictly=True)
    else:
        hand, behind = hand_out(state, next_hand(state), events, place, strictly=True)
        passing.dealt = hand
    if behind == place:
        return state, place
    after = replace(state, phase="play", hand=hand)
    if third_hand(state, events[place], after):
        passing.touched.add("hands")
    return after, behind


def _acted(state: BuildUp, events: Sequence[Correctable], place: int, passing: Passing) -> tuple[BuildUp, int]:
    """The acts of the hand on the table, to its end if it comes there; in the first, the draws say who begins."""
    hand, touched = state.hand, passing.touched
    if state.phase != "play" or (not hand.acted and not hand.number and hand.turn != state.opener):
        return state, place
    if not passing.tops:
        passing.tops = {number: stack[-1].index for number, stack in enumerate(state.stacks, 1)}
    if hand is passing.dealt:
        held, left = list(hand.dealt), (1 << len(hand.dealt)) - 1
    else:
        held, left = written(state), holders(state)
    going = Going(touched, passing.tops, held, left, covering(state.rules.equal_on_double))
    after, behind = act(state, events, place, going)
    if behind == place:
        return state, place
    event = events[behind - 1]
    if type(events[place]) is Stack and later_hand(state, event, after):
        touched.add("later_start")
    if is_over(after):
        after = finish(after, going.left)
        if going.left and "hand_end" not in touched and stopped_with_tiles(state, event, after):
            touched.add("hand_end")
        if over(state, event, after):
            touched.add("total")
    return after, behind


def _set_aside(state: BuildUp, events: Sequence[Correctable], place: int, _passing: Passing) -> tuple[BuildUp, int]:
    """Tiles that are set aside when a hand is over in which they were dealt."""
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is not Aside or event.player is None or state.phase != "over":
            break
        seat, tiles = state.rules.seat[event.player], mask(event.tiles)
        could = SET & state.hand.dealt[seat] & ~(state.laid[seat] | state.used[seat])
        if tiles & ~could or tiles.bit_count() != len(event.tiles):
            break
        state = evolve(state, event)
        place += 1
    return state, place


def _said(state: BuildUp, events: Sequence[Correctable], place: int, _passing: Passing) -> tuple[BuildUp, int]:
    """The points of a hand that is over, the totals and the winners, as they are: to say so changes nothing."""
    if state.phase != "over":
        return state, place
    for at in range(place, len(events)):
        event = events[at]
        if type(event) is Score:
            if (score if event.scope == "hand" else win)(state, event, state, None):
                break
        elif type(event) is not Result or not state.ended or win(state, event, state, None):
            break
        place += 1
    return state, place


LEAPS: Mapping[type, Leap] = {
    Layout: _laid_out, Draw: _drawn, Deal: _dealt, Stack: _acted, Pass: _acted, Aside: _set_aside, Score: _said,
    Result: _said,
}  # fmt: skip
"""By type of event, how far nothing is to be said from there on; to the same place where there is something."""

LATE = (_set_aside, _said)
"""What is done and said when the game has ended."""
