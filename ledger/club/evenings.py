"""A season on one page: the standings of an event, and its games evening by evening."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from ledger.club.people import Club, Played
from ledger.club.standings import By, Standings, standings
from ledger.games.catalog import title
from ledger.keep.recorder import folded


class Seat(NamedTuple):
    """A player of a game: the name, the score if there is one, and whether they won."""

    name: str
    score: int | None
    won: bool


class SeasonGame(NamedTuple):
    """A game of a season: its record, the title of its rules, where it was played, and who played.

    `cheats` is the number of cheats in a game that all play together, else None.  `state` says in words what is known
    about it: that only the scores are, that it is unfinished, or what the audit found.
    """

    record: str
    title: str
    place: str
    seats: tuple[Seat, ...]
    cheats: int | None
    state: str
    card: bool


class Evening(NamedTuple):
    """The games of one day, in the order in which they were opened; without a day, those whose day is unknown."""

    day: str | None
    games: tuple[SeasonGame, ...]


class Season(NamedTuple):
    """An event: its standings, its evenings from the first to the last, and how many games and people it has.

    `left_out` counts the earliest games, if there were too many for one page.
    """

    standings: Standings
    evenings: tuple[Evening, ...]
    games: int
    people: int
    left_out: int


def season(club: Club, name: str, by: By = "wins", most: int | None = None) -> Season | None:
    """The season of an event, with its latest `most` games or with all; None if no game names the event."""
    table = standings(club, name, by)
    if table is None:
        return None
    games = games_of(club, name)
    shown = games if most is None else games[-most:]
    days = groupby(shown, key=lambda played: played.game.played)
    return Season(
        table,
        tuple(Evening(day, tuple(_game(club, played) for played in of_day)) for day, of_day in days),
        len(games),
        len({key for played in games for key in played.people if key}),
        len(games) - len(shown),
    )


def games_of(club: Club, name: str) -> list[Played]:
    """The games of an event, from the first day to the last; none if no game names it."""
    return sorted(club.occasions.get(folded(name), ()), key=_day)


def _day(played: Played) -> tuple[bool, str]:
    """Days in order; games without a day come last."""
    return not played.game.played, played.game.played or ""


def _game(club: Club, played: Played) -> SeasonGame:
    game = played.game
    together = game.game in club.together
    seats = tuple(
        Seat(club.shown.get(key, result.name), None if together else result.score, result.won)
        for key, result in zip(played.people, game.results, strict=True)
    )
    cheats = game.results[0].score if together and game.results else None
    return SeasonGame(game.record, title(game.game), game.place or "", seats, cheats, _state(played), game.card)


def _state(played: Played) -> str:
    game = played.game
    if game.card:
        return "scores only, not audited"
    if not game.finished:
        return "unfinished, not counted"
    if game.mistakes:
        return f"{game.mistakes} mistake{'s' if game.mistakes > 1 else ''}"
    return ""
