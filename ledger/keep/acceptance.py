"""Checks whether events may follow a record: the game has them, corrections change something, confirmations are true.

A phone's batch is checked event by event, and each costs the same, however long the record is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ledger.games.cards import game_of
from ledger.record.chain import FIRST, UNCOUNTED, chained_bytes, link, matches
from ledger.record.errors import NotForNow
from ledger.record.events import ACTS, CLAIMS, Amend, AnyEvent, Confirm, Event, Insert, Open, Retract, Void, kind
from ledger.record.lazy import lazy
from ledger.record.record import Corrections, Record
from ledger.rules.game import Game

ACTS_AND_CLAIMS = frozenset((*ACTS, *CLAIMS))


class Fitting:
    """Checks each event that is to follow a record, in order.  Without `find_game`, any event of any game fits.

    `read` is called for the first event that needs the record.
    """

    def __init__(
        self,
        read: Callable[[], Record],
        find_game: Callable[[str], Game[Any]] | None,
        openings: Callable[[], Record] | None = None,
    ) -> None:
        """`openings` may read less than `read`: only the opening and what amends it."""
        self._read, self._find_game, self._openings = read, find_game, openings
        self._new: list[AnyEvent] = []

    def add(self, event: AnyEvent) -> None:
        """Adds the next event.

        Raises NotForNow, and does not add it, if the game does not know it, it corrects nothing, or it confirms another
        record.
        """
        if isinstance(event, Void):
            raise NotForNow("only the owner of the ledger sets a game aside: `domino-ledger void`")
        if isinstance(event, Confirm):
            if not matches(event.head, self._digest.digest):
                raise NotForNow("the record has changed since you compared it: look at it again")
        elif isinstance(event, Retract | Amend | Insert):
            self._check_correction(event)
        else:
            self._check_known(event)
        self._new.append(event)
        for name in ("_corrections", "_digest"):
            if name in vars(self):  # the others are read later, if an event needs them
                vars(self)[name].add(event)
        if "_opening" in vars(self) and isinstance(event, Amend) and isinstance(event.event, Open):
            self._opening = replace(event.event, rules=event.event.rules or self._opening.rules)

    def _check_correction(self, event: Retract | Amend | Insert) -> None:
        if isinstance(event, Amend | Insert):
            self._check_known(event.event)
            if self._find_game is not None and isinstance(event.event, Open):
                opening = replace(event.event, rules=event.event.rules or self._opening.rules)
                game_of(Record((opening,)), self._find_game).opening(opening)
        reason = self._corrections.refuse(event)
        if reason:
            raise NotForNow(reason)

    def _check_known(self, event: Event) -> None:
        if self._find_game is not None and type(event) in ACTS_AND_CLAIMS:
            require_known(game_of(Record((self._opening,)), self._find_game), event)

    @lazy
    def _record(self) -> Record:
        return self._read()

    @lazy
    def _opening(self) -> Open:
        """The opening after corrections, with the revision of the rules that judges the record."""
        before = self._openings() if self._openings and "_record" not in vars(self) else self._record
        record = Record((*before.events, *self._new))
        return replace(record.opening, rules=record.rules)

    @lazy
    def _corrections(self) -> Corrections:
        corrections = Corrections()
        for event in (*self._record.events, *self._new):
            corrections.add(event)
        return corrections

    @lazy
    def _digest(self) -> _Digest:
        digest = _Digest()
        for event in (*self._record.events, *self._new):
            digest.add(event)
        return digest


class _Digest:
    """The digest of a growing record: it covers all events but the confirmations and voids at its end."""

    def __init__(self) -> None:
        self.digest = self._last = FIRST

    def add(self, event: AnyEvent) -> None:
        self._last = link(self._last, chained_bytes(event))
        if type(event) not in UNCOUNTED:
            self.digest = self._last


def require_known(game: Game[Any], event: Event) -> None:
    """Raises NotForNow for an event that the game does not have."""
    if type(event) not in game.events:
        kinds = ", ".join(kind(event_type) for event_type in game.events)
        raise NotForNow(f"{game.title} has no {kind(event)}; it has {kinds}")
