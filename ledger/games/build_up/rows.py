"""Rows of passes: a row may have ended the hand, or some pass was wrong and play went on.

If somebody may have been able to play, for example because hands are hidden, only later events show which.  So the
state keeps every way in which the game may have gone.  The state itself is the way in which every row ended its hand;
the `others` are the ways in which some row did not.

- A play rules out each way in which its player had no tile left.
- A hand's score, a deal or an aside shows where the hand ended: the right way is the one in which it lasted until then.
- A result shows that the last hand was over.

Source: the clause page of Build Up, on rows of passes; the record format, on where a hand ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ledger.games.build_up.state import BuildUp, all_hands_played, all_passed, can_play, holders, holds, in_hand
from ledger.games.build_up.table import EVOLVE, ends_with_pass, finish, pass_on, play_on
from ledger.record.events import ACTS, Aside, Correctable, Deal, Event, Pass, Result, Score, Stack

MOST_WAYS = 8
"""The most ways that a state keeps; real games rarely have more than two."""


def evolve(state: BuildUp, event: Correctable) -> BuildUp:
    """The game after one event."""
    if not state.others:
        if type(event) is Pass:
            return together(step(state, event))
        # The same as `play_on`, without its call.
        on = EVOLVE.get(type(event))
        return on(state, event) if on else state
    possible = ways(state)
    if says_over(event):
        right = right_way(possible, event)
        return state if right is None else play_on(only(right), event)
    after = [new for way in possible if not contradicts(way, event) for new in step(way, event)]
    if after:
        return together(after)
    # The act is possible in no way.  If the game is over in one of them, the act comes after its end.
    for way in possible:
        if all_hands_played(way):
            return replace(only(way), past=True)
    return play_on(only(possible[0]), event)


def ways(state: BuildUp) -> Sequence[BuildUp]:
    """Every way in which the game may have gone, each by itself; the first is the one in which every row ended."""
    return (replace(state, others=()), *state.others)


def step(way: BuildUp, event: Correctable) -> Sequence[BuildUp]:
    """One way after an event: two ways after the last pass of a row, if somebody may have been able to play."""
    if type(event) is not Pass or way.phase == "over":
        return (play_on(way, event),)
    on = pass_on(way, event)
    if not ends_with_pass(way, on):
        return (on,)
    if way.hand.acted and all_passed(holders(way), way.hand.passed):
        return (on,)  # this way went on after the row, and another pass shows nothing
    over = finish(on)
    if on.rules.free or not holders(on) or can_play(on) is False:
        return (over,)
    return (replace(over, ends=way.ends << 1 | 1), replace(on, ends=way.ends << 1))


def contradicts(way: BuildUp, event: Correctable) -> bool:
    """Whether an act is impossible in this way: a play by a player without tiles, or after the last hand."""
    if type(event) not in ACTS or type(event) is Pass:
        return False  # passes may be recorded after the end
    if all_hands_played(way):
        return True
    if type(event) is not Stack or way.phase != "play":
        return False
    seat = way.rules.seat[event.player]
    return not holds(way, seat) and not event.tile.bit & in_hand(way, seat)


def says_over(event: Event) -> bool:
    """Whether an event says that a hand, or the game, is over."""
    return type(event) in (Deal, Aside, Result) or (type(event) is Score and event.scope == "hand")


def right_way(possible: Iterable[BuildUp], event: Event) -> BuildUp | None:
    """The way in which the hand lasted until an event that says it is over; None if a result fits none."""
    if type(event) is Result:
        possible = [way for way in possible if all_hands_played(way)]
    # A row that did not end its hand is a 0 in `ends`: the first such row shows which hand lasted longest.
    return min(possible, key=lambda way: bin(way.ends), default=None)


def together(possible: Sequence[BuildUp]) -> BuildUp:
    """These ways as one state; if there are several, it is not certain that the game is over."""
    if len(possible) == 1:
        return only(possible[0])
    first, *others = sorted(possible, key=lambda way: bin(way.ends), reverse=True)
    # If there are too many ways, the last ones stay: those in which hands lasted longest.
    others = others[-(MOST_WAYS - 1) :]
    return replace(first, ended=False, others=tuple([replace(way, ended=False) for way in others]))


def only(way: BuildUp) -> BuildUp:
    """A way that is the only one left."""
    if not way.others and way.ended == all_hands_played(way):
        return way
    return replace(way, others=(), ended=all_hands_played(way))
