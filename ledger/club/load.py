"""The club of a ledger: its results and aliases, and which of its games are played together."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from ledger.audit.review import clauses
from ledger.club.people import Club
from ledger.games import catalog
from ledger.stores import questions
from ledger.stores.beside import Alias
from ledger.stores.contract import Store
from ledger.stores.query import Query
from ledger.stores.results import Mistake, in_order

MOST_CHANGED = 200
"""The most changed records that are read by themselves; if more have changed, the whole ledger is read again."""


def club_of(store: Store) -> Club:
    """The club of a ledger's games.  Games without an up-to-date audit are included, as unfinished ones."""
    return ClubReader().club(store)


class _State(NamedTuple):
    """What a club depends on.  If the number of renamings or unreadable records changes, any row may have changed."""

    size: int
    renamings: int
    unaudited: tuple[str, ...]
    unreadable: int
    aliases: tuple[Alias, ...]


class ClubReader:
    """Reads the club of one ledger again and again, each time only the records that have changed."""

    def __init__(self) -> None:
        self._state: _State | None = None
        self._versions: dict[str, int] = {}
        self._unaudited = set[str]()
        self._mistakes: list[Mistake] = []
        self._club = Club(())

    def club(self, store: Store) -> Club:
        """The club of the ledger as it is now: the same object as before, if nothing changed."""
        unreadable = store.count_records(Query(verdict="unreadable"))
        state = _State(
            store.size(), questions.renamings(store), questions.unaudited(store), unreadable, tuple(store.kept(Alias))
        )
        if state != self._state:
            # The state is read before the rows: what is written meanwhile is read again the next time.
            with uncollected():
                self._read(store, state)
            self._state = state
        return self._club

    @property
    def latest(self) -> Club | None:
        """The club as it was last read; None before the first reading."""
        return None if self._state is None else self._club

    def _read(self, store: Store, state: _State) -> None:
        before = self._state
        # Both are read before the results, so that what is written between them counts as changed the next time.
        versions, unaudited = questions.versions(store), {*questions.unaudited(store)}
        audits_changed = self._unaudited ^ unaudited
        changed = [
            record_id
            for record_id, version in versions.items()
            if version != self._versions.get(record_id) or record_id in audits_changed
        ]
        renamed = before is None or (before.renamings, before.unreadable) != (state.renamings, state.unreadable)
        if renamed or len(changed) > MOST_CHANGED:
            games = questions.results(store)
            self._mistakes = questions.mistakes(store)
        else:
            changed_ids = set(changed)
            # A record that was set aside has no results any more.
            known = {
                played.game.record: played.game for played in self._club.games if played.game.record not in changed_ids
            }
            known |= {game.record: game for game in questions.results(store, changed)}
            unchanged = [mistake for mistake in self._mistakes if mistake.record not in changed_ids]
            self._mistakes = [*unchanged, *questions.mistakes(store, changed)]
            games = in_order(known[record_id] for record_id in versions if record_id in known)
        self._versions, self._unaudited = versions, unaudited
        self._club = Club(games, state.aliases, catalog.together(), self._mistakes)


@contextmanager
def uncollected() -> Iterator[None]:
    """Stops garbage collection inside the block: looking through many new rows takes as long as reading them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def meaning(clause: str) -> str:
    """The meaning of a clause; empty if its game is not installed."""
    return _meanings().get(clause, "")


@cache
def _meanings() -> dict[str, str]:
    """The meaning of every clause of every revision, by its id."""
    return {
        clause.id: clause.meaning
        for game in catalog.games()
        for revision in game.revisions
        for clause in clauses(revision)
    }
