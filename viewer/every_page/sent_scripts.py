"""The scripts of pages as a server sends them: each page's modules in one answer."""

from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, request

from viewer.every_page.one_script import one_script
from viewer.every_page.templates import VIEWER, style

every_page = Blueprint("every_page", __name__, static_folder="static", static_url_path="/every_page/static")


def script(name: str, fresh: int = 0) -> Response:
    """The module `name` of the static files as one script, or 304 for a browser that has it.

    For `fresh` seconds a browser does not ask again.
    """
    newest = max(path.stat().st_mtime_ns for path in VIEWER.glob("*/static/**/*.js"))
    answer = Response(_bundled(VIEWER, name, newest), content_type="text/javascript")
    answer.headers["Cache-Control"] = f"max-age={fresh}" if fresh else "no-cache"
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
