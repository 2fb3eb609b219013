"""Who is who in the ledger's club, and answers about it, worked out once for each state of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from threading import Lock
from typing import Any, TypeVar

from flask import current_app

from ledger.club.people import Club, People
from ledger.club.ratings import Ladder, Ratings
from ledger.games import catalog
from ledger.stores import questions
from ledger.stores.beside import Alias
from ledger.stores.contract import Store
from ledger.stores.shared import searchable
from viewer.server.context import store

Answer = TypeVar("Answer")


class ClubCache:
    """The people of the ledger's latest requested state, and the answers to what was asked about it."""

    def __init__(self) -> None:
        catalog.together()  # it loads the games, so that no request waits for them
        self._lock = Lock()
        self._seen: questions.Seen | None = None
        self._people: People | None = None
        self._answers: dict[object, Any] = {}
        self._ratings = Ratings()

    def club(self, ledger: Store) -> Club:
        """The club of a ledger as it is now."""
        with self._lock:
            return self._club(ledger)

    def _club(self, ledger: Store) -> Club:
        # The state is read before the people: what is written meanwhile is read again the next time.
        seen, aliases = questions.seen(ledger), tuple(ledger.kept(Alias))
        if self._people is None or seen != self._seen or aliases != self._people.aliases:
            self._people, self._seen, self._answers = People(ledger, aliases), seen, {}
        return Club(ledger, self._people, catalog.together())

    def ask(self, ledger: Store, question: Callable[..., Answer], *about: str) -> Answer:
        """The answer to a question about the club."""
        with self._lock:
            club, key = self._club(ledger), (question, *about)
            if key not in self._answers:
                self._answers[key] = question(club, *about)
            answer: Answer = self._answers[key]
            return answer

    def ladders(self, ledger: Store, *only: str) -> list[Ladder]:
        """The ratings of the club, in each game or in one."""
        return self.ask(ledger, self._ladders, *only)

    def _ladders(self, club: Club, *only: str) -> list[Ladder]:
        return self._ratings.ladders(club, self._seen, *only)

    def count(self) -> int | None:
        """How many people the club had when it was last asked; None before that.  It costs no reading of the ledger."""
        return None if self._people is None else len(self._people.shown)

    def like(self, ledger: Store, words: str) -> str | None:
        """The name of a person that resembles some words, for who mistyped it; None if there is none."""
        shown = self.club(ledger).people.shown.values()
        # People type a whole name, or one of its words.
        names = {part: name for name in shown for part in (*searchable(name).split(), searchable(name))}
        match = get_close_matches(searchable(words), names, n=1, cutoff=0.7)
        return names[match[0]] if match else None


def clubs() -> ClubCache:
    """The cache of this application."""
    cache: ClubCache = current_app.extensions["club"]
    return cache


def current_club() -> Club:
    """The club of this application's ledger."""
    return clubs().club(store())


def ask(question: Callable[..., Answer], *about: str) -> Answer:
    """The answer to a question about that club."""
    return clubs().ask(store(), question, *about)


def ladders(*only: str) -> list[Ladder]:
    """The ratings of that club, in each game or in one."""
    return clubs().ladders(store(), *only)
