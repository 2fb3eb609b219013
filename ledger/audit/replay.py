"""Turns a record into its steps, in a single loop over its events.

Audit, review, viewer and simulation all use this loop, so they agree on what the table looked like.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ledger.record.events import ACTS, Correctable
from ledger.record.record import Entry
from ledger.rules.game import Game, Opening, Step

_ACTS = frozenset(ACTS)


def advance(game: Game[Any], state: Any, event: Correctable) -> Any:
    """The state after one effective event.

    Bookkeeping changes nothing, and neither does an act or a claim that the game does not have.  An act past the end
    only sets `past`: the points were counted at the end, and the audit cites the act.
    """
    if not game.has(event):
        return state
    if state.ended and type(event) in _ACTS and type(event) not in game.closing:
        return state if state.past else msgspec.structs.replace(state, past=True)
    return game.evolve(state, event)


def steps(game: Game[Any], opening: Opening, entries: Iterable[Entry], state: Any = None) -> Iterator[Step]:
    """A step for each effective event.  The first step is the opening, with the first state before and after it.

    Entries in the middle of a record go on from the `state` before them.
    """
    before = game.start(opening) if state is None else state
    for entry in entries:
        after = advance(game, before, entry.event)
        yield Step(entry.seq, entry.event, before, after)
        before = after


def fingerprint(state: Any) -> str:
    """The digest of a state: 16 hexadecimal digits, the same for equal states on every machine.

    It is the beginning of the SHA-256 of the state's JSON with sorted keys.  A state holds numbers, text and tuples of
    those, and nothing that could be written in two ways.
    """
    from hashlib import sha256

    plain = msgspec.to_builtins(state, str_keys=True, order="deterministic")
    return sha256(msgspec.json.encode(plain)).hexdigest()[:16]
