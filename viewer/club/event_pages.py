"""The pages of events: the list, and each with its standings and games, as a file, and for a spreadsheet."""

import re

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from ledger.club.people import Club
from ledger.club.result_exports import csv_bytes
from ledger.club.standings import By, Standings, events, games_of, lines, standings
from ledger.keep.recorder import folded
from viewer.club.club_addresses import event_url, replay_url
from viewer.club.current_club import current_club
from viewer.club.event_file import POLICY, event_file, event_parts
from viewer.server.roles import is_owner

pages = Blueprint("events", __name__)

MOST_GAMES = 60
"""The most games that a page lists; the command writes all."""


@pages.get("/events")
def every() -> Answer | str:
    """The events that records name; `?name=` goes to one."""
    typed = request.args.get("name", "")
    return one(typed) if typed.strip() else render_template("events.html", events=events(current_club()))


@pages.get("/events/<path:name>")
def one(name: str) -> str:
    """The standings of an event, and its games; `?by=points`, and `?of=` and `?and=` for the games of two people."""
    club, event = _asked(name)
    pair = [key for field in ("of", "and") if (key := club.people.key(request.args.get(field, "")))]
    games = games_of(club, name, pair if pair[1:] else (), MOST_GAMES)
    return render_template(
        "event.html",
        pair=[club.people.shown[key] for key in pair] if pair[1:] else [],
        address=event_url(event.name),
        game_href=replay_url,
        owner=is_owner(),
        **event_parts(event, games, lines(club, games)),
    )


@pages.get("/event.html")
def as_one_file() -> Response:
    """The event `?name=` as one file, whose links lead back here."""
    club, event = _asked(request.args.get("name", ""))
    address, games = url_for("home.front", _external=True).rstrip("/"), games_of(club, event.name, (), MOST_GAMES)
    answer = _download(event_file(event, games, lines(club, games), address), "text/html; charset=utf-8", "html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@pages.get("/event.csv")
def as_csv() -> Response:
    """The results of the event `?name=` for a spreadsheet, a line for each player and game."""
    club, event = _asked(request.args.get("name", ""))
    return _download(csv_bytes(games_of(club, event.name)), "text/csv; charset=utf-8", "csv")


def _asked(name: str) -> tuple[Club, Standings]:
    """The club and an event in it, by wins or `?by=points`; 404 for an event that nobody names."""
    club = current_club()
    by: By = "points" if request.args.get("by") == "points" else "wins"
    event = standings(club, name, by)
    return (club, event) if event else abort(404, f"no game names an event {name.strip()!r}")


def _download(body: bytes, kind: str, ending: str) -> Response:
    name = re.sub(r"[^a-z0-9]+", "-", folded(request.args.get("name", ""))).strip("-")[:60] or "event"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    return Response(body, content_type=kind, headers=headers)
