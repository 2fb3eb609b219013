"""Access to a private ledger: people with a link see its record, the owner sees everything.

A link's secret is in its fragment, which a browser does not send.  The page for visitors without access reads it there
and posts it once; from then on it is in a cookie that no script can read.  A record that does not exist and one that
the visitor may not see get the same answer.
"""

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for

from ledger.keep.recorder import key_digest
from ledger.stores import questions
from viewer.server.context import store
from viewer.server.endpoints import problem
from viewer.server.roles import KEY, MOST, bearer, cookie, cookie_keys, is_owner, may_begin, roles

access = Blueprint("server", __name__, static_folder="static", static_url_path="/server/static")
access.add_app_template_global(is_owner)

LONG = 180 * 24 * 3600
"""How many seconds it stores them."""
PUBLIC = frozenset({
    "every_page.static", "server.static", "in_browser.static", "replay.static", "referee.static", "paper.static",
    "club.static", "phone.static",
    "every_page.css", "every_page.script", "rulebook.games", "rulebook.game", "referee.referee", "referee.referee_of",
    "referee.referee_replay", "referee.referee_reel", "referee.referee_table", "referee.referee_moment",
    "rulebook.game_picture",
    "api.page", "api.document", "api.games", "api.game",
    "schemas.record_schema", "phone.worker", "phone.record", "phone.kept",
    "phone.qr", "server.enter", "health.healthz", "in_browser.part",
    "api.exchange", "phone.on_phone",
})  # fmt: skip
"""Endpoints open to anyone, because they reveal nothing about any record.  The recorder's page is the same for every
game; a phone shows its key, or a seal, when it exchanges one."""


def unauthorized(title: str, detail: str) -> Response:
    """The answer to a request without the key it needs."""
    answer = problem(401, title, detail)
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def require_owner(*, writing: bool = True) -> None:
    """Refuses everybody but the owner.  For `writing` the request needs the key itself."""
    # A cookie alone cannot write: another site could make the browser send it.
    if "owner" not in (questions.roles(store(), "", bearer()) if writing else roles("")):
        advice = "send the key of the owner's link: `domino-ledger link` makes one"
        abort(unauthorized("Only the owner may do this", advice))


BEGINS = frozenset({"phone.begin", "api.begin_record", "owner.enter_card", "paper.read_sheets", "past.table"})
"""Endpoints that bring a new record into the ledger without the owner's key."""
BY_LINK = "Only people with a link begin games here: open a recorder's link, or the owner's."


def require_access() -> Response | None:
    """The refusal of a request without access; None if it has access."""
    if request.endpoint in BEGINS and not may_begin():
        if request.path.startswith("/api/"):
            return unauthorized("A link is needed to begin a game", BY_LINK)
        abort(401, BY_LINK)
    if not current_app.extensions["private"] or request.endpoint is None or request.endpoint in PUBLIC:
        return None
    record_id = str((request.view_args or {}).get("record_id", ""))
    if roles(record_id) & ({"watch", "record", "owner"} if record_id else {"owner"}):
        return None
    if request.path.startswith("/api/"):
        return unauthorized("This is private", "you need a link to this game, or the owner's link")
    return Response(
        render_template("link_needed.html", record_id=record_id), 401, content_type="text/html; charset=utf-8"
    )


@access.post("/door")
def enter() -> Response:
    """Stores a link's secret in a cookie if it opens the requested page."""
    key, record_id = request.form.get("key", "").strip(), request.form.get("record", "")
    key = key.rpartition("#")[2]  # people may paste the whole link
    digest = key_digest(key)
    opens = questions.roles(store(), record_id, digest) | questions.roles(store(), "", digest)
    begins = current_app.extensions["by_link"] and questions.may_write(store(), digest)
    if not KEY.fullmatch(key) or not (opens or begins):
        return problem(401, "This link opens nothing here", "it may have been replaced by a newer one")
    answer = Response(status=204)
    if request.form.get("then") == "owner":  # a page without a script goes on to that page
        answer = Response(status=303, headers={"Location": url_for("owner.owner")})
    keys = [key, *(older for older in cookie_keys() if older != key)][:MOST]
    answer.set_cookie(
        cookie(), ".".join(keys), max_age=LONG, secure=request.is_secure, httponly=True, samesite="Lax",
        path=f"{request.script_root}/",
    )  # fmt: skip
    return answer
