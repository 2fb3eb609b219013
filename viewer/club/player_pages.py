"""The pages of players."""

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from ledger.club.people import Club, everybody
from ledger.club.profile import profile
from ledger.club.ratings import LEAST, ladders, mean_cheats
from ledger.club.standings import in_halves
from ledger.keep.recorder import folded
from ledger.keep.renaming import renamings
from ledger.record.errors import NotForNow
from viewer.club.club_addresses import player_url
from viewer.club.current_club import current_club
from viewer.server.context import store
from viewer.server.roles import is_owner

club = Blueprint("club", __name__, static_folder="static", static_url_path="/club/static")

PAGE = 200
"""How many people a page of the list has."""


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
