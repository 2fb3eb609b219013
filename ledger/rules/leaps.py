"""What a stride is: a fast way through the faultless part of a record, kept beside the rules.

The rules themselves are in a game's table and clauses.  A stride reaches the same states in its own way.  It names
every part of the rules that it replaces, and the auditor takes single steps if the game has any other part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from ledger.record.events import Correctable, Event

S = TypeVar("S")

Run = Callable[[S, Sequence[Correctable], int, set[str]], tuple[S, int]]
"""(state, events, index, touched) → the state after the longest faultless run, and the index of the first event that it
did not consume.  The run begins at `index`.  The names of the rulings that it depends on are added to `touched`."""


class Frame(NamedTuple):
    """Which events a game has, as in `Game`: their types, those that may follow its end, the scopes of its scores, and
    whether its plays have an end.
    """

    events: tuple[type[Event], ...]
    closing: tuple[type[Event], ...] = ()
    scores: tuple[str, ...] = ("hand", "game")
    line_ends: bool = False


class Stride(Struct, Generic[S], frozen=True, eq=False):
    """A fast way through a run of events that no clause finds fault with.

    `run` does what `evolve` does for these events, without the states in between.  It stops before the first event that
    it is not sure of: one that a clause could fault, a tile that nothing puts in the hand, the draw of a tile that was
    drawn or laid before, an act past the end, or one that the game does not have (a play with an `end` where there is
    no line, a score of a hand where only games are scored).

    It vouches for everything that `run` replaces: `frame` is which events the game has, `vouches` its `start`, `evolve`
    and `holdings`, each clause that judges events, and each ruling.  Functions, clauses and rulings count by identity.
    An audit runs it only if it vouches for every such part of the game (see `Game.trusted_stride`).
    """

    run: Run[S]
    frame: Frame
    vouches: frozenset[object]


Leap = Callable[[Any, Sequence[Correctable], int, Any], tuple[Any, int]]
"""(state, events, index, memory) → the state after a run that begins with an event of one type, and its end."""


def leaps(
    by_type: Mapping[type, Leap],
    after_end: Collection[Leap],
    state: Any,
    events: Sequence[Correctable],
    index: int,
    memory: Any,
) -> tuple[Any, int]:
    """Makes leaps as long as they consume anything; the type of the next event chooses each leap.

    `memory` is passed to each leap.  Once the game has ended, only leaps in `after_end` are made.
    """
    count = len(events)
    while index < count:
        leap = by_type.get(type(events[index]))
        if not leap or (state.ended and leap not in after_end):
            break
        begin = index
        state, index = leap(state, events, begin, memory)
        if index == begin:
            break
    return state, index
