"""The catalog of games: those in `ledger.games`, and those of other installed packages.

A plug-in is an entry point in the group ``domino_ledger.games``: its name is the game's tag and its object the `Game`.
A game's code is loaded when it is first needed.
"""

import pkgutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

import ledger.games
from ledger.record.errors import UnknownGame
from ledger.record.events import Cheats
from ledger.record.words import did_you_mean
from ledger.rules.game import Game, Opening

GROUP = "domino_ledger.games"
MOST_SEATS = 8
"""The most players that pages offer."""


@cache
def _loaders() -> dict[str, Callable[[str], Game[Any]]]:
    """What loads each game, by its tag.  A plug-in cannot replace a built-in game."""
    from importlib.metadata import entry_points

    return {point.name: _plugin for point in entry_points(group=GROUP)} | dict.fromkeys(built_in(), _built_in)


@cache
def built_in() -> tuple[str, ...]:
    """The tags of the games that come with Domino Ledger."""
    return tuple(
        module.name.replace("_", "-") for module in pkgutil.iter_modules(ledger.games.__path__) if module.ispkg
    )


def _built_in(name: str) -> Game[Any]:
    game: Game[Any] = import_module(f"ledger.games.{name.replace('-', '_')}").GAME
    return game


def _plugin(name: str) -> Game[Any]:
    from importlib.metadata import entry_points

    (point,) = entry_points(group=GROUP, name=name)
    try:
        game = point.load()
    except Exception as error:
        raise UnknownGame(f"the plug-in {point.value} of the game {name!r} cannot be loaded: {error}") from error
    if not isinstance(game, Game):
        raise UnknownGame(f"the plug-in {point.value} of the game {name!r} is not a Game")
    return game


def names() -> tuple[str, ...]:
    """The tags of all games, in alphabetical order."""
    return tuple(sorted(_loaders()))


@cache
def find(name: str) -> Game[Any]:
    """The game with that tag, in the newest revision of its rules.  Raises UnknownGame with a list of the games."""
    if name in built_in():
        return _built_in(name)  # to look for plug-ins takes as long as to load three games
    if name not in _loaders():
        suggestion = did_you_mean(name.replace(" ", "-"), names())
        raise UnknownGame(f"no game is called {name!r}; the games are {', '.join(names())}{suggestion}")
    return _loaders()[name](name)


def titled(text: str) -> str | None:
    """The tag of the game that a text means: its tag or its title, whatever its capitals, spaces and hyphens are.

    None if there is no such game.
    """
    if text in _loaders():
        return text
    wanted = _letters(text)
    for name in names():
        if _letters(name) == wanted:
            return name
    for name in names():
        with suppress(UnknownGame):  # a plug-in that cannot be loaded
            if _letters(find(name).title) == wanted:
                return name
    return None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def games() -> tuple[Game[Any], ...]:
    """All games, loaded."""
    return tuple(find(name) for name in names())


def title(name: str) -> str:
    """The title of the game with that tag; the tag if it is not installed."""
    try:
        return find(name).title
    except UnknownGame:
        return name


@cache
def together() -> frozenset[str]:
    """The tags of the games that all play together: they count cheats and have no winner."""
    return frozenset(game.name for game in games() if Cheats in game.events)


def bare_opening(game: Game[Any], players: int, edition: str | None) -> Opening:
    """An opening for this number of players, who have no names yet."""
    ids = tuple(f"seat {n + 1}" for n in range(players))
    return Opening(game.name, edition, ids, ids, {})


def player_counts(game: Game[Any], edition: str | None = None) -> list[int]:
    """The numbers of players that an edition allows; with no edition, those that some edition allows."""
    editions = (edition,) if edition else game.editions or (None,)
    counts = range(1, MOST_SEATS + 1)
    return [count for count in counts if any(game.seated(bare_opening(game, count, choice)) for choice in editions)]
