"""Turns a record into its steps, in a single loop over its events.

Audit, review, viewer and simulation all use this loop, so they agree on what the table looked like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from ledger.record.events import ACTS, EVENTS, Correctable, Play, Score
from ledger.rules.game import Game, Opening, Step


@cache
def _passive(game: Game[Any]) -> frozenset[type]:
    """The types of events that change nothing: bookkeeping, and those that the game does not have."""
    return frozenset(EVENTS) - frozenset(game.events)


@cache
def partial(game: Game[Any]) -> frozenset[type]:
    """The event types that the game has only in part: `Game.has` decides about each event."""
    scores = {Score} if len(game.scores) == 1 else set()
    return frozenset(scores if game.line_ends else {*scores, Play})


@cache
def _past(closing: tuple[type, ...]) -> frozenset[type]:
    """The acts that count as playing on after the game has ended."""
    return frozenset(ACTS) - frozenset(closing)


def advance(game: Game[Any], state: Any, event: Correctable) -> Any:
    """The state after one effective event.

    Bookkeeping changes nothing, and neither does an act or a claim that the game does not have.  An act past the end
    only sets `past`: the points were counted at the end, and the audit cites the act.
    """
    kind = type(event)
    if kind in _passive(game) or (kind in partial(game) and not game.has(event)):
        return state
    if state.ended and kind in _past(game.closing):
        return state if state.past else msgspec.structs.replace(state, past=True)
    return game.evolve(state, event)


@cache
def _stepper(game: Game[Any]) -> Callable[[int, Correctable, Any], Step]:
    """A function that makes the step of an event (its seq, the event, the state before it), as fast as it can be."""
    evolve, make = game.evolve, tuple.__new__
    special, play = _passive(game) | partial(game), Play if Play in game.events else None

    def step(seq: int, event: Correctable, state: Any) -> Step:
        kind = type(event)
        plain = not state.ended and (kind not in special or (kind is play and not event.end))  # type: ignore[union-attr]
        # This makes a Step without another call of Python, because every event of every record comes here.
        return make(Step, (seq, event, state, evolve(state, event) if plain else advance(game, state, event)))

    return step


def steps(
    game: Game[Any], opening: Opening, entries: Iterable[tuple[int, Correctable]], state: Any = None
) -> Iterator[Step]:
    """A step for each effective event.  The first step is the opening, with the first state before and after it.

    Entries in the middle of a record go on from the `state` before them.
    """
    state, make = game.start(opening) if state is None else state, _stepper(game)
    for seq, event in entries:
        step = make(seq, event, state)
        yield step
        state = step[3]


def fingerprint(state: Any) -> str:
    """The digest of a state: 16 hexadecimal digits, the same for equal states on every machine.

    It is the beginning of the SHA-256 of the state's JSON with sorted keys.  A state holds numbers, text and tuples of
    those, and nothing that could be written in two ways.
    """
    from hashlib import sha256

    plain = msgspec.to_builtins(state, str_keys=True, order="deterministic")
    return sha256(msgspec.json.encode(plain)).hexdigest()[:16]
