"""The club of a ledger: its results and aliases, and which of its games are played together."""

from __future__ import annotations

from ledger import catalog
from ledger.club.people import Club
from ledger.errors import UnknownGame
from ledger.events import Cheats
from ledger.stores.contract import Store


def club_of(store: Store) -> Club:
    """The club whose games a ledger holds.  Games without an up-to-date audit are there, but unfinished."""
    return Club(store.results(), store.aliases(), together())


def together() -> frozenset[str]:
    """The names of the games that all play together: they count cheats, and nobody beats anybody."""
    return frozenset(game.name for game in catalog.games() if Cheats in game.events)


def title(game: str) -> str:
    """What people call a game; its name if it is not installed."""
    try:
        return catalog.find(game).title
    except UnknownGame:
        return game
