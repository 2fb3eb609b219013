"""The club of a ledger: its results and aliases, and which of its games are played together."""

from __future__ import annotations

import gc
from functools import cache
from typing import Any

from ledger import catalog
from ledger.club.people import Club
from ledger.errors import UnknownGame
from ledger.events import Cheats
from ledger.game import Game, Opening
from ledger.review import clauses
from ledger.stores.contract import Store

MOST_SEATS = 8


def club_of(store: Store) -> Club:
    """The club of a ledger's games.  Games without an up-to-date audit are included, as unfinished ones."""
    # Garbage collection would search all these new rows again and again, which takes as long as the rest.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return Club(store.results(), store.aliases(), together(), store.mistakes())
    finally:
        if collecting:
            gc.enable()


def together() -> frozenset[str]:
    """The names of the games that all play together: they count cheats and have no winner."""
    return frozenset(game.name for game in catalog.games() if Cheats in game.events)


def title(game: str) -> str:
    """The title of a game; its tag if it is not installed."""
    try:
        return catalog.find(game).title
    except UnknownGame:
        return game


def meaning(clause: str) -> str:
    """The meaning of a clause; empty if its game is not installed."""
    return _meanings().get(clause, "")


@cache
def _meanings() -> dict[str, str]:
    """The meaning of every clause of every revision, by its id."""
    return {one.id: one.meaning for game in catalog.games() for revision in game.revisions for one in clauses(revision)}


def seats(game: Game[Any]) -> frozenset[int]:
    """How many players a game takes, in some edition."""
    ids = tuple(f"seat {n}" for n in range(1, MOST_SEATS + 1))
    editions = (*game.editions,) or (None,)
    return frozenset(
        n
        for n in range(1, MOST_SEATS + 1)
        if any(game.seated(Opening(game.name, edition, ids[:n], ids[:n], {})) for edition in editions)
    )
