"""The one loop over events: from a record to its steps.

Everybody who wants to know what the table looked like (audit, review, viewer, simulation) comes here, so
there is one answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
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


def advance(game: Game[Any], state: Any, event: Correctable) -> Any:
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


def steps(game: Game[Any], opening: Opening, entries: Iterable[Entry]) -> Iterator[Step]:
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


def steps_to_judge(game: Game[Any], opening: Opening, record: Effective, touched: set[str]) -> tuple[list[Step], Any]:
    """The steps at which a clause may find fault, and the state after the last event.

    The events left out are those that the game's stride consumes; the rulings that they rest on are added to `touched`.
    A game without a stride that vouches for all of it leaves out nothing.
    """
    state, evolve, past, stride = game.start(opening), game.evolve, _past(game.closing), game.trusted_stride
    run = stride.run if stride else None
    events, seqs = record.events, record.seqs
    kept, index, make, count = list[Step](), 0, tuple.__new__, len(events)
    while index < count:
        event = events[index]
        kind = type(event)
        if kind in _BOOKKEEPING or (state.ended and kind in past):
            after = advance(game, state, event)
        else:
            after = evolve(state, event)
        kept.append(make(Step, (seqs[index], event, state, after)))
        state, index = after, index + 1
        if kind is Close:
            run = None  # every act after the close of a record is judged
        if run is not None and index < count:
            state, index = run(state, events, index, touched)
    return kept, state


def fingerprint(state: Any) -> str:
    """16 hexadecimal digits that two states share only if they are equal, on every machine alike.

    It is the head of the SHA-256 of the state's JSON with sorted keys; a state holds numbers, text and tuples of
    those, nothing that could be written in two ways.
    """
    plain = msgspec.to_builtins(state, str_keys=True, order="deterministic")
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:16]
