"""A season on one page: the standings of an event, and its games evening by evening."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from ledger.club.people import Club, Played
from ledger.club.standings import By, Standings, games_of, standings_of


class Evening(NamedTuple):
    """The games of one day, in the order in which they were opened; without a day, those whose day is unknown."""

    day: str | None
    games: tuple[Played, ...]


class Season(NamedTuple):
    """An event: its standings, its evenings from the first to the last, and how many games and people it has.

    `left_out` counts the earliest games, if there were too many for one page.  In the games of `together` all play
    together and count cheats.
    """

    standings: Standings
    evenings: tuple[Evening, ...]
    games: int
    people: int
    left_out: int
    together: frozenset[str]


def season(club: Club, name: str, by: By = "wins", most: int | None = None) -> Season | None:
    """The season of an event, with its latest `most` games or with all; None if no game names the event."""
    games = games_of(club, name)
    if not games:
        return None
    shown = by_day(games) if most is None else by_day(games)[-most:]
    days = groupby(shown, key=lambda played: played.day)
    return Season(
        standings_of(club, games, by),
        tuple(Evening(day, tuple(of_day)) for day, of_day in days),
        len(games),
        len({key for played in games for key in played.people if key}),
        len(games) - len(shown),
        club.together,
    )


def by_day(games: Iterable[Played]) -> list[Played]:
    """Games from the first day to the last; those without a day come last."""
    return sorted(games, key=lambda played: (not played.day, played.day or ""))
