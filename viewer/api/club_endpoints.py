"""The JSON API of a club: its players, statistics and events."""

from flask import Response
from msgspec import Struct

from ledger.club.people import Person, everybody
from ledger.club.profile import Profile, profile
from ledger.club.ratings import Ladder, ladders
from ledger.club.standings import AdjustmentView, By, Event, PlaceView, events, standings
from ledger.club.statistics import Statistics, is_known, statistics
from ledger.record.errors import NotForNow
from viewer.club.current_club import current_club
from viewer.server.endpoints import Endpoints, Nothing, problem

endpoint = Endpoints()


class PlayerList(Struct, frozen=True):
    """Everybody who has played, the most frequent first."""

    players: list[Person]


class StandingsView(Struct, frozen=True):
    """The standings of an event, and how many of its games were counted, unfinished, or played together.

    `cards` of the counted ones are score cards, which were not audited.  `adjustments` are points that the owner added.
    """

    name: str
    by: By
    places: list[PlaceView]
    games: int
    unfinished: int
    cards: int
    together: int
    adjustments: list[AdjustmentView]


class StandingsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts first: wins or points."""

    by: By = "wins"


@endpoint("/players", PlayerList)
def players(_query: Nothing) -> PlayerList:
    """Everybody who has played."""
    return PlayerList(everybody(current_club()))


@endpoint("/players/{name}", Profile, problems=(400, 404))
def player(_query: Nothing, name: str) -> Profile | Response:
    """A player, by name or alias: games, wins, averages, opponents, form and mistakes."""
    club = current_club()
    try:
        return profile(club, club.people.find(name))
    except NotForNow as error:
        return problem(404, "There is no such player", str(error))


@endpoint("/ratings", list[Ladder])
def ratings(_query: Nothing) -> list[Ladder]:
    """The ratings in each game."""
    return ladders(current_club())


class StatisticsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of players and the N of the double-N set; by default those of the kind that was played most."""

    players: int | None = None
    set: int | None = None


@endpoint("/statistics/{game}", Statistics, StatisticsQuery, problems=(400, 404))
def statistics_of(query: StatisticsQuery, game: str) -> Statistics | Response:
    """The statistics of a game: of one kind of its games, because only like is compared with like."""
    if not is_known(current_club(), game):
        return problem(404, "There is no such game", f"there is no game {game!r}")
    return statistics(current_club(), game, query.players, query.set)


@endpoint("/events", list[Event])
def event_list(_query: Nothing) -> list[Event]:
    """The events that records name, the latest first."""
    return events(current_club())


@endpoint("/events/{name}", StandingsView, StandingsQuery, problems=(400, 404))
def event(query: StandingsQuery, name: str) -> StandingsView | Response:
    """The standings of an event."""
    ranking = standings(current_club(), name, query.by)
    if ranking is None:
        return problem(404, "There is no such event", f"no game names an event {name!r}")
    places = [place.view() for place in ranking.places]
    return StandingsView(
        ranking.name, ranking.by, places, ranking.games, ranking.unfinished, ranking.cards, ranking.together,
        [AdjustmentView(one.number, *one[2:]) for one in ranking.adjustments],
    )  # fmt: skip
