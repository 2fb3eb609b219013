"""The club of the ledger, computed once for each state of the ledger and shared by all requests."""

from __future__ import annotations

from threading import Lock

from flask import current_app

from ledger.club.load import club_of
from ledger.club.people import Club
from ledger.club.ratings import Ladder, Ratings
from ledger.errors import NotForNow
from ledger.stores.contract import Store
from ledger.stores.query import Query
from viewer.server.context import store


class ClubCache:
    """The club of the ledger's latest requested state, and its ratings once they are requested."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._state: object = None
        self._club = Club(())
        self._ratings = Ratings()
        self._ladders: list[Ladder] | None = None

    def club(self, ledger: Store) -> Club:
        """The club of a ledger as it is now."""
        with self._lock:
            state = state_of(ledger)
            if state != self._state:
                # This is read before the club, so a write in the meantime only makes the next request compute it again.
                self._club, self._ladders, self._state = club_of(ledger), None, state
            return self._club

    def ladders(self, ledger: Store) -> list[Ladder] | None:
        """The ratings of that club, or None without the extra that computes them."""
        self.club(ledger)
        with self._lock:
            if self._ladders is None:
                try:
                    self._ladders = self._ratings.ladders(self._club)
                except NotForNow:
                    return None
            return self._ladders


def state_of(ledger: Store) -> object:
    """A value that changes whenever results, names or aliases change."""
    unreadable = ledger.count_records(Query(verdict="unreadable"))
    return ledger.size(), ledger.renamings(), ledger.unaudited(), unreadable, tuple(ledger.aliases())


def current_club() -> Club:
    """The club of this application's ledger."""
    cache: ClubCache = current_app.extensions["club"]
    return cache.club(store())


def current_ladders() -> list[Ladder] | None:
    """The ratings of this application's ledger; None without the extra that computes them."""
    cache: ClubCache = current_app.extensions["club"]
    return cache.ladders(store())
