"""The scripts of pages as a server sends them: each page's modules in one answer."""

from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort, request

from viewer.every_page.one_script import one_script
from viewer.every_page.templates import VIEWER, style

every_page = Blueprint("every_page", __name__, static_folder="static", static_url_path="/every_page/static")


SCRIPTS = {
    "kept": "phone/static/game_in_link_page.js",
    "on-this-phone": "phone/static/on_this_phone.js",
    "record": "phone/static/recorder_page.js",
    "referee": "referee/static/referee_page.js",
    "replay": "replay/static/replay_page.js",
}
"""The script of each page by its address.  One answer: modules that are fetched in turn keep a phone waiting."""


@every_page.get("/<page>.js")
def script(page: str) -> Response:
    """The modules of a page as one script, or 304 for a browser that has it."""
    newest = max(path.stat().st_mtime_ns for path in VIEWER.glob("*/static/**/*.js"))
    answer = Response(_bundled(VIEWER, SCRIPTS.get(page) or abort(404), newest), content_type="text/javascript")
    answer.headers["Cache-Control"] = "max-age=300" if page == "replay" else "no-cache"
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=8)
def _bundled(folder: Path, name: str, _newest: int) -> str:
    """See `one_script`: it is made again when a file has changed."""
    return one_script(folder, name)


@every_page.get("/style.css")
def css() -> Response:
    """The style that all pages share."""
    return Response(style(), content_type="text/css", headers={"Cache-Control": "max-age=300"})
