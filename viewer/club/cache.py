"""The club of the ledger and what follows from it, computed once for each state of the ledger for all requests."""

from __future__ import annotations

from difflib import get_close_matches
from threading import Lock

from flask import current_app

from ledger.club.load import ClubReader, uncollected
from ledger.club.people import Club
from ledger.club.ratings import Ladder, Ratings
from ledger.club.statistics import Statistics, statistics
from ledger.games import catalog
from ledger.stores.contract import Store
from ledger.stores.shared import searchable
from viewer.server.context import store


class ClubCache:
    """The club of the ledger's latest requested state, its ratings and its statistics once they are requested."""

    def __init__(self) -> None:
        catalog.together()  # it loads the games, so that no request waits for them
        self._lock = Lock()
        self._reader = ClubReader()
        self._ratings = Ratings()
        self._of: Club | None = None
        self._statistics: dict[str, Statistics] = {}

    def club(self, ledger: Store) -> Club:
        """The club of a ledger as it is now."""
        with self._lock:
            return self._reader.club(ledger)

    def count(self) -> int | None:
        """How many people the club had when it was last read; None before that.  It costs no reading of the ledger."""
        club = self._reader.latest
        return None if club is None else len(club.shown)

    def like(self, ledger: Store, words: str) -> str | None:
        """The name of a person that resembles some words, for who mistyped it; None if there is none."""
        with self._lock:
            shown = self._reader.club(ledger).shown.values()
        # People type a whole name, or one of its words.
        names = {part: name for name in shown for part in (*searchable(name).split(), searchable(name))}
        match = get_close_matches(searchable(words), names, n=1, cutoff=0.7)
        return names[match[0]] if match else None

    def ladders(self, ledger: Store) -> list[Ladder]:
        """The ratings of that club."""
        with self._lock, uncollected():
            return self._ratings.ladders(self._reader.club(ledger))

    def ladder(self, ledger: Store, game: str) -> Ladder | None:
        """The ratings of that club in one game, if it has any."""
        with self._lock, uncollected():
            return self._ratings.ladder(self._reader.club(ledger), game)

    def statistics(self, ledger: Store, game: str) -> Statistics:
        """The statistics of that club in one game."""
        with self._lock, uncollected():
            club = self._reader.club(ledger)
            if club is not self._of:
                self._of, self._statistics = club, {}
            if game not in self._statistics:
                self._statistics[game] = statistics(club, game)
            return self._statistics[game]


def clubs() -> ClubCache:
    """The cache of this application."""
    cache: ClubCache = current_app.extensions["club"]
    return cache


def current_club() -> Club:
    """The club of this application's ledger."""
    return clubs().club(store())
