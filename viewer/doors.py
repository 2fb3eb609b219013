"""Who may see what, where a ledger is private: who holds a link, and who rules over the ledger.

A link's secret stands in its fragment, which a browser does not send.  The page that is shown to whoever may not enter
reads it there and posts it once; from then on a cookie that no script can read has it.  What is not there and what may
not be seen look alike.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, g, render_template, request

from ledger.recorder import key_digest
from ledger.stores.contract import Role
from viewer.endpoints import problem
from viewer.pages import store

doors = Blueprint("doors", __name__)

KEY = re.compile(r"[A-Za-z0-9_-]{43,86}")
MOST = 20
"""Links that a browser remembers at once."""
LONG = 180 * 24 * 3600
"""Seconds for which it does."""
OPEN = frozenset({
    "static", "pages.css", "pages.games", "pages.game", "api.page", "api.document", "api.games", "api.game",
    "desk.worker", "desk.record", "desk.qr", "doors.enter", "health.healthz", "metrics",
})  # fmt: skip
"""What anybody may ask: it tells nothing of any record.  The recorder's page is the same for every game; who wants
figures shown says so by an option of its own."""


def cookie() -> str:
    """The name of the cookie: where the connection is safe, one that no other site of the house can set."""
    return "__Host-domino" if request.is_secure else "domino"


def same_site() -> bool:
    """Whether a page of this site sent this.  A browser says so; what is no browser does no harm to anybody."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    try:
        # Where a browser keeps the origin to itself it says null, on our own pages too.
        origin = request.headers.get("Origin", "null")
        return origin in ("", "null") or urlsplit(origin).netloc == request.host
    except ValueError:  # no address at all
        return False


def bearer() -> bytes:
    """The digest of the key that came with this request; of nothing where none came."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key_digest(key if scheme.lower() == "bearer" else "")


def holds_key(record_id: str) -> bool:
    """Whether the key of this record came with this request; the ledger is asked once."""
    held: dict[str, bool] = g.setdefault("held", {})
    if record_id not in held:
        held[record_id] = "record" in store().roles(record_id, bearer())
    return held[record_id]


def roles(record_id: str) -> frozenset[Role]:
    """What whoever asks may do with a record, by the keys that came along; of the whole ledger with an empty id."""
    found: frozenset[Role] = frozenset()
    for digest in (bearer(), *map(key_digest, _held())):
        found |= store().roles(record_id, digest) if record_id else frozenset()
        found |= store().roles("", digest)
    return found


def keyless(title: str, detail: str) -> Response:
    """The answer to who came without the key that it takes."""
    refused = problem(401, title, detail)
    refused.headers["WWW-Authenticate"] = "Bearer"
    return refused


def _held() -> list[str]:
    return [key for key in request.cookies.get(cookie(), "").split(".") if KEY.fullmatch(key)][:MOST]


def guard() -> Response | None:
    """Lets nobody in who may not see what they ask for; None for who may."""
    if not current_app.extensions["private"] or request.endpoint is None or request.endpoint in OPEN:
        return None
    record_id = str((request.view_args or {}).get("record_id", ""))
    if roles(record_id) & ({"watch", "record", "owner"} if record_id else {"owner"}):
        return None
    if request.path.startswith("/api/"):
        return keyless("This is not shown to everybody", "it takes a link to this game, or the ledger's own")
    return Response(render_template("door.html", record_id=record_id), 401, content_type="text/html; charset=utf-8")


@doors.post("/door")
def enter() -> Response:
    """Takes a link's secret, and remembers it in a cookie if it opens what it was sent for."""
    if not same_site():
        abort(403, "a door is opened from this site's own page")
    key, record_id = request.form.get("key", "").strip(), request.form.get("record", "")
    key = key.rpartition("#")[2]  # somebody may paste the whole link
    digest = key_digest(key)
    if not KEY.fullmatch(key) or not (store().roles(record_id, digest) | store().roles("", digest)):
        return problem(401, "This link opens nothing here", "it may have been replaced by a newer one")
    answer = Response(status=204)
    keys = [key, *(each for each in _held() if each != key)][:MOST]
    answer.set_cookie(
        cookie(), ".".join(keys), max_age=LONG, secure=request.is_secure, httponly=True, samesite="Lax", path="/"
    )
    return answer
