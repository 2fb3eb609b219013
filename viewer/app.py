"""The viewer as a Flask application: its parts, one table from errors to HTTP statuses, and its headers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, make_response, redirect, render_template, request
from werkzeug.exceptions import BadHost, HTTPException, InternalServerError
from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.club.load import meaning
from ledger.examples.lessons import lessons_of
from ledger.games.catalog import title as game_title
from ledger.record.errors import (
    Displaced,
    IdReused,
    LedgerError,
    NotARecord,
    NotForNow,
    UnknownGame,
    UnknownRecord,
    WrongVersion,
)
from ledger.stores.store import SqliteStore
from viewer.api import api_routes, club_endpoints, import_endpoint
from viewer.api.api_routes import api, schemas
from viewer.club import event_pages, owner_pages, schedule_page, statistics_page
from viewer.club.club_addresses import decimal, event_url, percent, player_url, replay_url
from viewer.club.example_pages import examples
from viewer.club.home import home
from viewer.club.player_pages import club
from viewer.every_page.navigation import served
from viewer.every_page.sent_scripts import every_page
from viewer.every_page.templates import CLUB_ROOT, equip, loader
from viewer.in_browser.runtime import own_digest
from viewer.in_browser.runtime_routes import in_browser, rules_here
from viewer.paper.paper_routes import paper
from viewer.paper.table_pages import past
from viewer.phone import exchange_routes, recorder_routes
from viewer.phone.recorder_routes import LARGEST_FORM, recorder
from viewer.referee.referee_routes import puzzles
from viewer.replay import news
from viewer.replay.comments import comments
from viewer.replay.downloads import share
from viewer.replay.replay_routes import pages
from viewer.replay.thumbnails import thumbnails
from viewer.rulebook.rulebook_routes import picture_of, pictured, rulebook
from viewer.server import host_pages
from viewer.server.access import BY_LINK, access, require_access
from viewer.server.compression import readable, sendable
from viewer.server.context import Ledgers, Served, give_back, loss
from viewer.server.endpoints import problem, register
from viewer.server.health import health
from viewer.server.hosts import Hosts, bare, is_foreign
from viewer.server.limits import ALL, MINUTE, Limit, limit
from viewer.server.logs import log
from viewer.server.policy import policy
from viewer.server.request_lanes import is_late
from viewer.server.request_log import RequestLog, current_entry, safe_traceback
from viewer.server.roles import may_begin
from viewer.server.tags_and_origins import let_read, tag_by_bytes

BLUEPRINTS = (
    every_page, rulebook, home, examples, pages, share, puzzles, thumbnails, club, schedule_page.pages,
    event_pages.pages, statistics_page.pages, recorder, comments,
    paper, past, access, api, schemas, health, in_browser, owner_pages.pages,
)  # fmt: skip
ENDPOINTS = (
    *api_routes.endpoint, *recorder_routes.endpoint, *import_endpoint.endpoint, *owner_pages.endpoint,
    *exchange_routes.endpoint, *club_endpoints.endpoint, *news.endpoint,
)  # fmt: skip
"""The endpoints of the API."""
STATUS: dict[type[Exception], tuple[int, str]] = {
    UnknownRecord: (404, "There is no such record"),
    UnknownGame: (422, "This game is not installed here"),
    NotARecord: (422, "This record cannot be read"),
    IdReused: (422, "That cannot be done"),
    NotForNow: (409, "That cannot be done now"),
    WrongVersion: (409, "Another recorder was faster"),
    # A full disk, or a busy or corrupt file: the request was fine, and a phone sends it again.
    LedgerError: (503, "The ledger cannot do that now"),
}
"""The HTTP status and title of each error of the ledger; other errors have those of their nearest base class."""
IN_WORDS = {
    400: ("This request cannot be read", "Go back and try again."),
    403: ("That is not allowed here", "Use this site's own page."),
    404: ("There is no such page", "Check the address, or look for the game in the list."),
    405: ("That cannot be done here", "This address is only for reading, or only for sending."),
    413: ("That is too much at once", "Send less, in several parts."),
    429: ("Too many requests", "Wait a moment, then try again."),
}
"""The words for an HTTP status that people see instead of the framework's."""
REFUSAL = "domino_ledger.refusal"
"""The key of a club's refusal in the environment of a request to its host: status, title, and detail."""
SOON = 5
"""Seconds to wait before trying again."""

HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    # Features that no page uses, so injected code cannot use them either.
    ("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
"""The headers of every answer."""
SHOWN: dict[str, Any] = {
    "by_link": BY_LINK,
    "may_begin": may_begin,
    "player_url": player_url,
    "replay_url": replay_url,
    "event_url": event_url,
    "percent": percent,
    "decimal": decimal,
    "game_title": game_title,
    "meaning": meaning,
    "picture_of": picture_of,
    "lessons_of": lessons_of,
    "loss": loss,
    "navigation": served,
    "rules_here": rules_here,
    "program": own_digest,
}
"""What the templates of all pages ask."""
PICTURES = ("share.as_svg", "share.as_png", "share.as_gif", "share.as_card")
"""Endpoints that other sites may embed."""
LARGEST = 1_000_000
"""Maximum size of a request body, in bytes."""
MOST_FIELDS = 100
"""Maximum number of form fields; an opening has about thirty."""


class Viewer(Flask):
    """The application.  It stores errors in the log entry instead of logging messages that may quote a user."""

    def log_exception(self, exc_info: Any) -> None:
        """Stores an unexpected error in the log entry."""
        current_entry().error = safe_traceback(exc_info[1])


def create_app(
    open_store: Callable[[], SqliteStore] | None = None,
    *,
    recording: bool = True,
    private: bool = False,
    by_link: bool = False,
    limits: bool = False,
    proxies: int = 0,
    hosts: Hosts | None = None,
    readers: tuple[str, ...] = (),
) -> Flask:
    """The viewer of a ledger.  `open_store` opens it, once for each request at the same time; without it, each request
    says which of many it is for (see `Served`).

    Without `recording` the ledger is read-only.  If it is `private`, people see a record only with its link, and only
    the owner sees the list.  With `by_link` only people with a link begin games.  `limits` turns on rate limits.
    `proxies` is the number of trusted proxies in front of it; they also report the requested host name.  `hosts` are
    the names that it answers to; by default all.  Pages of the sites `readers` may read its API; ``*`` is every site.
    """
    app = Viewer(__name__, static_folder=None)
    app.jinja_loader = loader()
    app.config.update(MAX_CONTENT_LENGTH=LARGEST, MAX_FORM_MEMORY_SIZE=LARGEST_FORM, MAX_FORM_PARTS=MOST_FIELDS)
    if open_store is not None:
        app.extensions["served"] = Served(Ledgers(open_store))
    app.extensions.update(recording=recording, private=private, by_link=by_link, hosts=hosts)
    app.teardown_appcontext(give_back)
    app.teardown_request(_leave_club)
    equip(app.jinja_env)
    app.jinja_env.globals.update(SHOWN, recording=recording, private=private, pictured=pictured())
    for refuse in (_enter_club, _refuse_late, _refuse_other_hosts, _refuse_foreign, _refuse_compressed, require_access):
        app.before_request(refuse)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    register(app, ENDPOINTS)
    if limits:
        limit(app, _say, ALL)
    app.register_error_handler(LedgerError, _ledger_error)
    app.register_error_handler(HTTPException, _http_error)
    app.after_request(_headers)
    let_read(app, readers)
    # Only trusted proxies count, because any client can write such headers.
    app.wsgi_app = ProxyFix(RequestLog(app, log), x_for=proxies, x_proto=proxies, x_host=proxies)  # type: ignore[method-assign]
    return app


def create_host(folder: Path, hosts: Hosts, *, recording: bool) -> Flask:
    """The addresses of a host with many clubs in this folder that are no club's, and what a club says that is away."""
    app = Viewer(__name__, static_folder=None)
    app.jinja_loader = loader()
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_FORM, MAX_FORM_MEMORY_SIZE=LARGEST_FORM)
    app.extensions.update(
        folder=folder, hosts=hosts, recording=recording, served=Served(Ledgers(lambda: SqliteStore(folder)))
    )
    equip(app.jinja_env)
    app.jinja_env.globals.update(navigation=host_pages.navigation, loss=str, rules_here=str)
    for refuse in (_refuse_late, _refuse_other_hosts, _refuse_foreign, _refuse_compressed, _refuse_for_club):
        app.before_request(refuse)
    app.register_blueprint(every_page)
    app.register_blueprint(host_pages.host)
    limit(app, _say, {"host.make": (Limit(30, MINUTE),)})
    app.register_error_handler(HTTPException, _http_error)
    app.after_request(_headers)
    app.wsgi_app = RequestLog(app, log)  # type: ignore[method-assign]
    return app


def _refuse_for_club() -> Any:
    """What the host says for a club that does not answer, if that is why it is asked."""
    if REFUSAL not in request.environ:
        return None
    status, title, detail = request.environ[REFUSAL]
    if status == 308:
        return redirect(title, status)
    answer = make_response(_say(status, title, detail))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _enter_club() -> None:
    CLUB_ROOT.set(request.script_root)


def _leave_club(_error: BaseException | None = None) -> None:
    CLUB_ROOT.set("")


def _refuse_late() -> Any:
    """Refuses a request that has waited too long for its turn."""
    if not is_late():
        return None
    current_entry().late = True  # it is no error of the server
    detail = f"many pages are asked for at the moment: try again in {SOON} seconds. What is recorded is not held up"
    answer = make_response(_say(503, "The server is busy", detail))
    answer.headers["Retry-After"] = str(SOON)
    return answer


def _refuse_other_hosts() -> Any:
    hosts: Hosts | None = current_app.extensions["hosts"]
    if hosts is None or hosts.has(request.host) or request.path == "/healthz":
        return None
    detail = (
        f"this server does not know itself as {bare(request.host)}. If that is its name, start it with "
        f"`domino-ledger serve --host-name {bare(request.host)}`; or use the address that it printed when it started"
    )
    return make_response(_say(421, "This is another server", detail))


def _refuse_foreign() -> Any:
    if request.url_rule and request.method == "POST" and is_foreign(request):
        detail = "this came from a page of another site: use this site's own page"
        return make_response(_say(403, "That is not allowed here", detail))
    return None


def _refuse_compressed() -> Any:
    """Refuses compressed bodies: a small one can unpack to a huge one."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() in ("", "identity"):
        return None
    answer = make_response(_say(415, "Compressed bodies are not accepted", "send the body without a Content-Encoding"))
    answer.headers["Accept-Encoding"] = "identity"
    return answer


def _ledger_error(error: LedgerError) -> Any:
    status, title = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    if status != 503:
        return _say(status, title, str(error))
    # Only the log may have the ledger's path and the database's message.
    current_entry().error = safe_traceback(error)
    why = "it cannot be read or written at the moment; send it again later, and it is recorded once"
    if isinstance(error, Displaced):
        why = f"{error.reason.partition('. ')[0]}. Tell its owner"
    answer = make_response(_say(status, title, why))
    answer.headers["Retry-After"] = str(SOON)
    return answer


def _http_error(error: HTTPException) -> Any:
    if error.response is not None or error.code is None:
        return error
    if isinstance(error, BadHost):  # without a host there are no links, so no page
        return Response("This request has no valid host.\n", 400, content_type="text/plain")
    title, detail = error.name, error.description or ""
    words = IN_WORDS.get(error.code, (title, detail))
    if detail == type(error).description:
        title, detail = words
    elif not _for_programs():
        title = words[0]
    if isinstance(error, InternalServerError):
        detail = f"what is recorded is safe; the server's log says what went wrong, under {current_entry().request}"
    answer = make_response(_say(error.code, title, detail))
    # Keep headers of the error, such as the allowed methods.
    answer.headers.extend((name, value) for name, value in error.get_headers() if name.lower() != "content-type")
    return answer


def _for_programs() -> bool:
    return bool(re.match("(/[^/]+)?/api/", request.path))  # a club that is not there has its name before it


def _say(status: int, title: str, detail: str) -> Any:
    if _for_programs():
        return problem(status, title, detail)
    sentence = detail[:1].upper() + detail[1:].rstrip(".") + "." if detail else ""
    return render_template("problem.html", status=status, title=title, detail=sentence), status


def _headers(response: Response) -> Response:
    embedded = request.path.startswith("/embed/")
    headers = response.headers
    headers.setdefault("Content-Security-Policy", policy("*") if embedded else policy())
    headers.extend(HEADERS)
    shared = embedded or request.endpoint in PICTURES
    headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if shared else "same-origin")
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if request.path.startswith("/r/") or request.path == "/new":
        headers.setdefault("Cache-Control", "no-store")
    return sendable(tag_by_bytes(readable(response)))
