"""The page with the plan of an event: the pairings of each round, and the games that were already played."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from flask import Blueprint, render_template, request, url_for

from ledger.club.people import Club, Played
from ledger.club.schedule import MOST, games_at, plan
from ledger.club.standings import games_of
from ledger.games import catalog
from ledger.record.errors import NotForNow, UnknownGame
from viewer.pages.current_club import current_club

pages = Blueprint("planning", __name__)

LONGEST = 4000
"""The greatest length of all names together."""


class Table(NamedTuple):
    """A table of the plan: each name and whether the club knows it, its games, and the address that begins one."""

    people: tuple[tuple[str, bool], ...]
    games: list[Played]
    begin: str


class PlannedRound(NamedTuple):
    """A round of the plan: its tables, and the people who sit out."""

    tables: list[Table]
    out: tuple[tuple[str, bool], ...]


@pages.get("/schedule")
def schedule() -> Any:
    """A plan for the people in `?names=`, separated by lines or commas; `?event=` finds the games already played."""
    home = current_club()
    event, game = (" ".join(request.args.get(field, "").split())[:200] for field in ("event", "game"))
    names = [name for line in re.split(r"[\n,]", request.args.get("names", "")[:LONGEST]) if (name := _plain(line))]
    of_event, rounds, wrong = games_of(home, event), list[PlannedRound](), ""
    try:
        rounds = _rounds(home, names, game, event, of_event) if names else []
    except (NotForNow, UnknownGame) as error:
        wrong = str(error)
    known = [*{seat.key: seat.name for played in of_event for seat in played.seats if seat.key}.values()]
    page = render_template(
        "schedule.html",
        rounds=rounds,
        played=sum(any(line.finished for line in table.games) for one in rounds for table in one.tables),
        total=sum(len(one.tables) for one in rounds),
        names="\n".join(names or (known if len(known) <= MOST else [])),
        event=event,
        in_ledger=bool(known),
        game=game,
        games=[
            (one.name, one.title)
            for one in catalog.games()
            if {2, 3}.intersection(catalog.player_counts(one)) and one.name not in home.together
        ],
        wrong=wrong,
    )
    return page, 400 if wrong else 200


def _plain(name: str) -> str:
    return " ".join(name.split())


def _rounds(home: Club, names: list[str], game: str, event: str, played: list[Played]) -> list[PlannedRound]:
    def person(name: str) -> tuple[str, bool]:
        key = home.people.key(name)
        return (name, False) if key is None else (home.people.shown[key], True)

    def table(people: tuple[str, ...]) -> Table:
        games = games_at(home, people, played, game or None)
        begin = url_for("recorder.start", game=game or None, player=people, event=event or None)
        return Table(tuple(map(person, people)), games, begin)

    return [
        PlannedRound([table(people) for people in one.tables], tuple(map(person, one.out)))
        for one in plan(names, game or None)
    ]
