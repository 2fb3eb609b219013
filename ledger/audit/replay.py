"""Turns a record into its steps, in a single loop over its events.

Audit, review, viewer and simulation all use this loop, so they agree on what the table looked like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from ledger.record.events import ACTS, EVENTS, Close, Correctable, Play, Score
from ledger.record.record import Effective
from ledger.rules.game import Game, Opening, Step
from ledger.rules.leaps import Run


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
def _special(game: Game[Any]) -> frozenset[type]:
    """The types of events that do not simply go through `evolve`."""
    return _passive(game) | partial(game)


def steps(
    game: Game[Any], opening: Opening, entries: Iterable[tuple[int, Correctable]], state: Any = None
) -> Iterator[Step]:
    """A step for each effective event.  The first is that of the opening, with the first state before and after it.

    Entries in the middle of a record go on from the `state` before them.
    """
    state = game.start(opening) if state is None else state
    evolve, make = game.evolve, tuple.__new__
    special, play = _special(game), Play if Play in game.events else None
    for seq, event in entries:
        kind = type(event)
        plain = not state.ended and (kind not in special or (kind is play and not event.end))  # type: ignore[union-attr]
        after = evolve(state, event) if plain else advance(game, state, event)
        # This makes a Step without a call of Python, because every event of every record goes through this loop.
        yield make(Step, (seq, event, state, after))
        state = after


def steps_to_judge(game: Game[Any], opening: Opening, played: Effective, touched: set[str]) -> tuple[list[Step], Any]:
    """The steps that a clause may find fault with, and the state after the last event.

    It leaves out the events that the game's stride consumes, and adds the rulings that they depend on to `touched`.  If
    the game has no stride, or one that does not vouch for all of it, it leaves out nothing.
    """
    stride = game.trusted_stride
    if stride is None:
        every_step = list(steps(game, opening, zip(played.seqs, played.events, strict=True)))
        return every_step, every_step[-1].after
    state, evolve = game.start(opening), game.evolve
    run: Run[Any] | None = stride.run
    special, play = _special(game), Play if Play in game.events else None
    events, seqs = played.events, played.seqs
    to_judge, index, make, count = list[Step](), 0, tuple.__new__, len(events)
    while index < count:
        event = events[index]
        kind = type(event)
        plain = not state.ended and (kind not in special or (kind is play and not event.end))  # type: ignore[union-attr]
        after = evolve(state, event) if plain else advance(game, state, event)
        to_judge.append(make(Step, (seqs[index], event, state, after)))
        state, index = after, index + 1
        if kind is Close:
            run = None  # every act after a record's close is judged
        if run is not None and index < count:
            state, index = run(state, events, index, touched)
    return to_judge, state


def fingerprint(state: Any) -> str:
    """The digest of a state: 16 hexadecimal digits, the same for equal states on every machine.

    It is the beginning of the SHA-256 of the state's JSON with sorted keys.  A state holds numbers, text and tuples of
    those, and nothing that could be written in two ways.
    """
    plain = msgspec.to_builtins(state, str_keys=True, order="deterministic")
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:16]
