"""The pages of players and of events."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ledger.club.people import Club, everybody
from ledger.club.profile import profile
from ledger.club.ratings import LEAST, ladders, mean_cheats
from ledger.club.standings import By, Meeting, Place, Standings, events, in_halves, standings
from ledger.keep.recorder import folded
from ledger.keep.renaming import renamings
from ledger.record.errors import NotForNow
from ledger.record.visible import isolated
from viewer.club.club_addresses import event_url, player_url, replay_url
from viewer.club.current_club import current_club
from viewer.server.context import store
from viewer.server.roles import is_owner

club = Blueprint("club", __name__, static_folder="static", static_url_path="/club/static")

PAGE = 200
"""How many people a page of the list has."""
SINGLY = 3
"""The most games of two people that a cell of the standings shows one by one."""
MOST_GAMES = 200
"""The most games listed below the standings."""


@club.get("/players")
def players() -> Any:
    """Everybody who has played, and their ratings; `?name=` goes to a player."""
    home, typed = current_club(), request.args.get("name", "").strip()
    unknown = ""
    if typed:
        try:
            return _player(home, home.people.find(typed), named=True)
        except NotForNow as error:
            unknown = str(error)
    people = everybody(home)
    last = max(1, -(-len(people) // PAGE))
    text = request.args.get("page", "1")
    number = min(last, max(1, int(text))) if text.isdecimal() and len(text) < 7 else 1
    page = render_template(
        "players.html",
        in_halves=in_halves,
        people=people[(number - 1) * PAGE : number * PAGE],
        total=len(people),
        number=number,
        last=last,
        ladders=ladders(home),
        cheats=[(game, rows) for game in sorted(home.together) if (rows := mean_cheats(home, game))],
        least=LEAST,
        typed=typed,
        unknown=unknown,
    )
    return page, 404 if unknown else 200


@club.get("/players/<path:name>")
def player(name: str) -> Any:
    """A player: games, wins, averages, opponents, form, mistakes."""
    home = current_club()
    try:
        return _player(home, home.people.find(name), named=False)
    except NotForNow as error:
        abort(404, str(error))


def _player(home: Club, key: str, *, named: bool) -> Any:
    """The page of a player, or a redirect to it from any other address."""
    address = player_url(home.people.shown[key])
    here = url_for("club.players", name=request.args.get("name")) if named else player_url(request.view_args["name"])  # type: ignore[index]
    if here != address:
        return redirect(address)
    return render_template(
        "player.html",
        in_halves=in_halves,
        renamed=[entry for entry in renamings(store()) if folded(entry.new) == key] if is_owner() else [],
        others=sorted({*home.people.shown.values()} - {home.people.shown[key]}) if is_owner() else [],
        p=profile(home, key),
        ratings=[(ladder, rating) for ladder in ladders(home) for rating in ladder.ratings if rating.key == key],
        outcomes=OUTCOMES,
    )


OUTCOMES = {
    "won": ("W", "won"),
    "shared": ("S", "shared the win"),
    "lost": ("L", "lost"),
    "together": ("T", "played together"),
    "alone": ("A", "played alone"),
    "unknown": ("?", "played, and nobody noted who won"),
}
"""The outcome of a game for a player: a letter and words."""


@club.get("/events")
def event_list() -> Response | str:
    """The events that records name; `?name=` goes to one."""
    home, typed = current_club(), request.args.get("name", "")
    if typed.strip():
        return _event(home, typed)
    return render_template("events.html", events=events(current_club()))


@club.get("/events/<path:name>")
def event(name: str) -> Response | str:
    """The standings of an event, and its games; `?by=points`, and `?of=` and `?and=` for the games of two people."""
    return _event(current_club(), name)


def _event(home: Club, name: str) -> Response | str:
    by: By = "points" if request.args.get("by") == "points" else "wins"
    table = standings(home, name, by)
    if table is None:
        abort(404, f"no game names an event {name.strip()!r}")
    of, other = (home.people.key(request.args.get(field, "")) for field in ("of", "and"))
    games = [*table.season]
    if of and other:
        games = [played for played in games if of in played.people and other in played.people]
    games.sort(key=lambda played: played.day or "", reverse=True)
    return render_template(
        "event.html",
        s=table,
        by=by,
        rows=[(place, [_cell(table, place, column) for column in table.places]) for place in table.places],
        games=games[:MOST_GAMES],
        total=len(games),
        pair=(home.people.shown[of], home.people.shown[other]) if of and other else None,
        in_halves=in_halves,
        address=event_url(table.name),
    )


def _cell(table: Standings, place: Place, column: Place) -> dict[str, Any] | None:
    """What one person won against another: each game with a link, or the sum with a link to all of them."""
    meetings: Sequence[Meeting] = place.meetings.get(column.key, ())
    if not meetings:
        return None
    total = in_halves(sum((meeting.value for meeting in meetings), Fraction()))
    if len(meetings) <= SINGLY:
        links = [(in_halves(meeting.value), replay_url(meeting.record)) for meeting in meetings]
    else:
        address = event_url(table.name)
        pair = url_for("club.event_list", **{"of": place.name, "and": column.name}).partition("?")[2]  # type: ignore[arg-type]
        links = [(f"{total}/{len(meetings)}", f"{address}{'&' if '?' in address else '?'}{pair}#games")]
    return {
        "links": links,
        "words": f"{isolated(place.name)} against {isolated(column.name)}: {total} of {len(meetings)}",
    }
