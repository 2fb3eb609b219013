"""The one loop over events: from a record to its steps.

Everybody who wants to know what the table looked like (audit, review, viewer, simulation) comes here, so
there is one answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from ledger.events import ACTS, BOOKKEEPING, Close, Correctable
from ledger.game import Game, Opening, Step
from ledger.record import Effective, Entry

_BOOKKEEPING = frozenset(BOOKKEEPING)


@cache
def _past(closing: tuple[type, ...]) -> frozenset[type]:
    """The acts that count as playing on when the game has ended."""
    return frozenset(ACTS) - frozenset(closing)


def advance(game: Game, state: Any, event: Correctable) -> Any:
    """The state after one effective event.

    Bookkeeping changes nothing.  An act past the end changes nothing but that it was done: what the rules count
    was counted at the end, and the audit cites the act.
    """
    found = type(event)
    if found in _BOOKKEEPING:
        return state
    if state.ended and found in _past(game.closing):
        return state if state.past else msgspec.structs.replace(state, past=True)
    return game.evolve(state, event)


def steps(game: Game, opening: Opening, entries: Iterable[Entry]) -> Iterator[Step]:
    """A step for each effective event; the opening's own is the first, with the start on both sides."""
    state, evolve, past = game.start(opening), game.evolve, _past(game.closing)
    make = tuple.__new__
    for seq, event in entries:
        found = type(event)
        if found in _BOOKKEEPING or (state.ended and found in past):
            after = advance(game, state, event)
        else:
            after = evolve(state, event)
        # A Step without a call of Python: this is the one loop through which every event goes.
        yield make(Step, (seq, event, state, after))
        state = after


def strides(game: Game, opening: Opening, found: Effective, touched: set[str] | None = None) -> tuple[list[Step], Any]:
    """The steps at which something may be to be said, and the state after the last event; without the states between.

    What is left out are the events of which `Game.stride` says that nothing is to be said.  The rulings that those rest
    on are added to `touched`.
    """
    touched = set() if touched is None else touched
    state, evolve, past, stride = game.start(opening), game.evolve, _past(game.closing), game.stride
    events, seqs = found.events, found.seqs
    kept, place, make, count = list[Step](), 0, tuple.__new__, len(events)
    while place < count:
        event = events[place]
        kind = type(event)
        if kind in _BOOKKEEPING or (state.ended and kind in past):
            after = advance(game, state, event)
        else:
            after = evolve(state, event)
        kept.append(make(Step, (seqs[place], event, state, after)))
        state, place = after, place + 1
        if kind is Close:
            stride = None  # what comes after the end of a record is looked at
        if stride is not None and place < count:
            state, place = stride(state, events, place, touched)
    return kept, state


Leap = Callable[[Any, Sequence[Correctable], int, Any], tuple[Any, int]]
"""(state, events, place, what is handed on) → as a stride has it, from an event of some type on."""


def leaps(
    known: Mapping[type, Leap],
    late: Collection[Leap],
    state: Any,
    events: Sequence[Correctable],
    place: int,
    along: Any,
) -> tuple[Any, int]:
    """A stride made of leaps, each by the type of the event that it begins with, as long as they get ahead.

    `along` is handed on to each; when the game has ended only the `late` ones are made.
    """
    count = len(events)
    while place < count:
        leap = known.get(type(events[place]))
        if leap is None or (state.ended and leap not in late):
            break
        state, behind = leap(state, events, place, along)
        if behind == place:
            break
        place = behind
    return state, place


def fingerprint(state: Any) -> str:
    """16 hexadecimal digits that two states share only if they are equal, on every machine alike.

    It is the head of the SHA-256 of the state's JSON with sorted keys; a state holds numbers, text and tuples of
    those, nothing that could be written in two ways.
    """
    plain = msgspec.to_builtins(state, str_keys=True, order="deterministic")
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:16]
