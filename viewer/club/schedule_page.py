"""The page with the plan of an event: the pairings of each round, and the games that were already played."""

import re
from typing import Any

from flask import Blueprint, render_template, request

from ledger.club.schedule import MOST, Round, games_at, plan
from ledger.club.standings import games_of
from ledger.games import catalog
from ledger.record.errors import NotForNow, UnknownGame
from viewer.club.current_club import current_club

pages = Blueprint("planning", __name__)

LONGEST = 4000
"""The greatest length of all names together."""


@pages.get("/schedule")
def schedule() -> Any:
    """A plan for the people in `?names=`, separated by lines or commas; `?event=` finds the games already played."""
    home = current_club()
    event, game = (" ".join(request.args.get(field, "").split())[:200] for field in ("event", "game"))
    lines = re.split(r"[\n,]", request.args.get("names", "")[:LONGEST])
    names = [" ".join(line.split()) for line in lines if line.strip()]
    of_event, rounds, wrong = games_of(home, event), list[Round](), ""
    try:
        rounds = plan(names, game or None) if names else []
    except (NotForNow, UnknownGame) as error:
        wrong = str(error)
    tables = {table: games_at(home, table, of_event, game or None) for one in rounds for table in one.tables}
    known = [*{seat.key: seat.name for one in of_event for seat in one.seats if seat.key}.values()]
    page = render_template(
        "schedule.html",
        rounds=rounds,
        shown={name: home.people.shown[key] for name in names if (key := home.people.key(name))},
        tables=tables,
        played=sum(any(one.finished for one in games) for games in tables.values()),
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
