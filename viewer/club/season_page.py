"""A season on one page: to read, to print, to save as one file, and for a spreadsheet."""

import re
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from ledger.club.result_exports import csv_bytes
from ledger.club.standings import By, Standings, standings
from ledger.keep.recorder import folded
from viewer.club.club_addresses import replay_url
from viewer.club.current_club import current_club
from viewer.club.season_file import POLICY, season_file, season_parts
from viewer.replay.replay_routes import made_of

pages = Blueprint("season", __name__)

MOST_GAMES = 30
"""The most games on the page, each with its moments; the command writes all."""


@pages.get("/season")
def page() -> Any:
    """The season of `?event=`, by wins or `?by=points`; without an event, the list of events."""
    if not request.args.get("event", "").strip():
        return redirect(url_for("club.event_list"))
    parts = season_parts(_event(), MOST_GAMES)
    return render_template("season_page.html", line_of=line_of, game_href=replay_url, **parts)


@pages.get("/season.html")
def as_one_file() -> Response:
    """The same as one file, whose links lead back here."""
    address = url_for("home.front", _external=True).rstrip("/")
    answer = _download(season_file(_event(), line_of, address, MOST_GAMES), "text/html; charset=utf-8", "html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@pages.get("/season.csv")
def as_csv() -> Response:
    """The results of `?event=` for a spreadsheet, a line for each player and game."""
    return _download(csv_bytes(_event().season), "text/csv; charset=utf-8", "csv")


def line_of(record_id: str) -> str:
    """How the game of a record was won, kept with the other answers about it."""
    return made_of(record_id, "line", lambda view: view.line.encode()).decode()


def _event() -> Standings:
    by: By = "points" if request.args.get("by") == "points" else "wins"
    name = request.args.get("event", "")
    event = standings(current_club(), name, by)
    return event if event is not None else abort(404, f"no game names an event {name.strip()!r}")


def _download(body: bytes, kind: str, ending: str) -> Response:
    name = re.sub(r"[^a-z0-9]+", "-", folded(request.args.get("event", ""))).strip("-")[:60] or "season"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    return Response(body, content_type=kind, headers=headers)
