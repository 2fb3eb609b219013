"""The pages of a host with many clubs: its front door, a new club, and its health."""

import os

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request

from ledger.keep.club_folder import is_host_key, new_club
from ledger.record.errors import NotForNow
from viewer.every_page.navigation import Navigation
from viewer.server.health import full_disk, health_answer
from viewer.server.hosts import Hosts

host = Blueprint("host", __name__, static_folder="static", static_url_path="/host_page/static")


def navigation() -> Navigation:
    """The navigation of the host's pages."""
    return Navigation("/", "The host", (("New club", "/new-club"),), "")


@host.get("/")
def front() -> str:
    """The front door.  It lists no club: who belongs to one knows its address."""
    return render_template("host.html")


@host.get("/new-club")
def form() -> str:
    """The form for a new club."""
    return render_template("new_club.html")


@host.post("/new-club")
def make() -> Response:
    """Makes a club, and shows its owner's link this one time."""
    if not current_app.extensions["recording"]:
        abort(409, "this host is read-only: no club can be made")
    folder, name = current_app.extensions["folder"], request.form.get("name", "").strip().lower()
    if not is_host_key(folder, request.form.get("key", "").strip().rpartition("#")[2]):
        return _answer(401, why="This is not the link of the host's owner.", name=name)
    try:
        secret = new_club(folder, name)
    except NotForNow as error:
        return _answer(409, why=f"{error}.", name=name)
    return _answer(201, name=name, link=f"{_address(name)}owner#{secret}")


def _answer(status: int, **values: str) -> Response:
    answer = make_response(render_template("new_club.html", **values), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _address(name: str) -> str:
    """The address of a club, on the host that was asked."""
    hosts: Hosts = current_app.extensions["hosts"]
    port = request.host.partition(":")[2]
    at_its_own = f"{request.scheme}://{name}.{hosts.clubs}{port and f':{port}'}/"
    return at_its_own if hosts.clubs else f"{request.host_url}{name}/"


@host.get("/healthz")
def healthz() -> Response:
    """Whether the folder of the clubs can be read and, unless it is read-only, written; each club says it of itself."""
    folder, recording = current_app.extensions["folder"], current_app.extensions["recording"]
    if not os.access(folder, os.R_OK | os.X_OK):
        return health_answer("the folder of the clubs cannot be read")
    if recording and not os.access(folder, os.W_OK):
        return health_answer("the folder of the clubs cannot be written")
    return health_answer(full_disk(folder) if recording else "")
