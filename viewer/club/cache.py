"""The club of the ledger, computed once for each state of the ledger and shared by all requests."""

from __future__ import annotations

from threading import Lock

from flask import current_app

from ledger.club.load import ClubReader, together, uncollected
from ledger.club.people import Club
from ledger.club.ratings import Ladder, Ratings
from ledger.stores.contract import Store
from viewer.server.context import store


class ClubCache:
    """The club of the ledger's latest requested state, and its ratings once they are requested."""

    def __init__(self) -> None:
        together()  # it loads the games, so that no request waits for them
        self._lock = Lock()
        self._reader = ClubReader()
        self._ratings = Ratings()

    def club(self, ledger: Store) -> Club:
        """The club of a ledger as it is now."""
        with self._lock:
            return self._reader.club(ledger)

    def ladders(self, ledger: Store) -> list[Ladder]:
        """The ratings of that club."""
        with self._lock, uncollected():
            return self._ratings.ladders(self._reader.club(ledger))

    def ladder(self, ledger: Store, game: str) -> Ladder | None:
        """The ratings of that club in one game, if it has any."""
        with self._lock, uncollected():
            return self._ratings.ladder(self._reader.club(ledger), game)


def current_club() -> Club:
    """The club of this application's ledger."""
    cache: ClubCache = current_app.extensions["club"]
    return cache.club(store())


def current_ladders() -> list[Ladder]:
    """The ratings of this application's ledger."""
    cache: ClubCache = current_app.extensions["club"]
    return cache.ladders(store())


def current_ladder(game: str) -> Ladder | None:
    """The ratings of this application's ledger in one game, if it has any."""
    cache: ClubCache = current_app.extensions["club"]
    return cache.ladder(store(), game)
