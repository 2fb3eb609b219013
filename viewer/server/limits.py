"""Rate limits for expensive requests: one table, kept in memory, because one process serves.

Real play never comes near these limits: one event a second, thirty at once from a phone that was offline, many phones
behind one address.  A client over the limit learns when to try again, and a phone keeps what it has to send.
"""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Flask, Response, g, make_response, request
from flask_limiter import Limiter, RequestLimit

from ledger.keep.recorder import key_digest
from ledger.stores import questions
from viewer.server.access import BEGINS
from viewer.server.context import store
from viewer.server.request_lanes import network
from viewer.server.roles import bearer, holds_key, roles


def address() -> str:
    """The client's address; for IPv6 its network."""
    return network(request.remote_addr or "")


def recorder() -> str:
    """The recorder: the record and its key, whatever the phone's address."""
    return f"{(request.view_args or {}).get('record_id')} {bearer().hex()}"


def _has_key() -> bool:
    return holds_key((request.view_args or {}).get("record_id", ""))


def _is_plain_list() -> bool:
    """Whether the request is for the front page without a search."""
    return request.endpoint == "home.front" and not request.args


def _question() -> dict[str, Any]:
    """What a phone asks the exchange."""
    body = request.get_json(silent=True)
    return body if isinstance(body, dict) and body.get("add") else {}


def phone() -> str:
    """The phone: the record that it exchanges, and its key."""
    return f"{_question().get('id')} {key_digest(str(_question().get('key'))).hex()}"


def _hands_in() -> bool:
    """Whether a phone sends entries with the key of the record."""
    asked = _question()
    digest = key_digest(str(asked.get("key")))
    return bool(asked) and "record" in questions.roles(store(), str(asked.get("id")), digest)


def _does_not_hand_in() -> bool:
    return not _hands_in()


def _is_only_known() -> bool:
    """Whether a phone asks for news, or hands in to a record that is there: neither brings a new game."""
    return not _question() or _hands_in()


def _begun(_answer: Response) -> bool:
    return bool(g.get("begun"))


class Limit(NamedTuple):
    """How often each client may send a request.

    `key` tells clients apart, and `free` requests do not count; `counts` says of an answer whether it does.
    """

    often: str
    key: Callable[[], str] = address
    free: Callable[[], bool] | None = None
    counts: Callable[[Response], bool] | None = None


LIMITS: dict[str, tuple[Limit, ...]] = {
    # At a tournament, many games begin at once behind one address.
    "phone.begin": (Limit("60 per minute"), Limit("600 per hour")),
    "api.begin_record": (Limit("60 per minute"), Limit("600 per hour")),
    # Recorders with a key and other clients behind the same address never block each other.
    "api.append": (
        Limit("100 per 10 seconds", recorder, free=lambda: not _has_key()),
        Limit("300 per minute", recorder, free=lambda: not _has_key()),
        Limit("30 per minute", free=_has_key),
    ),
    # A page asks thirty times a minute, and that is not limited: it costs a third of a millisecond.
    "api.exchange": (
        Limit("100 per 10 seconds", phone, free=_does_not_hand_in),
        Limit("300 per minute", phone, free=_does_not_hand_in),
        Limit("60 per minute", free=_is_only_known, counts=_begun),
        Limit("600 per hour", free=_is_only_known, counts=_begun),
        # Games that a ledger lost, of phones of a whole club; and keys that open nothing.
        Limit("600 per minute", free=_is_only_known),
    ),
    # A link that opens nothing may be a guess.
    "server.enter": (Limit("30 per minute"),),
    "api.link": (Limit("60 per minute"),),
    "owner.table_sheet": (Limit("20 per minute"),),
    # Each record is audited.
    "api.import_records": (Limit("60 per minute"),),
    # A look ahead for each tap; the audit runs each time.
    "api.check": (Limit("300 per minute"),),
    "api.draft": (Limit("300 per minute"),),
    "comments.add_comment": (Limit("20 per minute"),),
    "phone.qr": (Limit("60 per minute"),),
    "home.front": (Limit("300 per minute", free=_is_plain_list),),
    "api.records": (Limit("300 per minute"),),
    # Each takes about a second of work.
    "share.as_gif": (Limit("20 per minute"),),
    "api.record_causes": (Limit("20 per minute"),),
    "share.as_png": (Limit("120 per minute"),),
    # Each tells the moments of up to 200 games.
    "season.page": (Limit("60 per minute"),),
    "season.as_one_file": (Limit("20 per minute"),),
}
"""The limits by endpoint.  Windows are fixed: the first begins with the first request."""
BYTES = 20_000_000
"""The most bytes that one address may send in an hour to what a ledger keeps for ever: ten times a large tournament."""
KEEPS = (*BEGINS, "api.append", "api.exchange", "comments.add_comment")
"""The endpoints that keep what anybody sends."""


def limit(
    app: Flask,
    say: Callable[[int, str, str], Response | str | tuple[str, int]],
    by_endpoint: dict[str, tuple[Limit, ...]],
    keeps: tuple[str, ...],
) -> None:
    """Adds limits to an application, also of bytes to what `keeps` them; `say` makes the answer, as for any problem."""

    def too_often(limit: RequestLimit) -> Response:
        wait = max(1, math.ceil(limit.reset_at - time.time()))
        amount = limit.limit.amount
        what = f"{amount // 1_000_000} MB" if amount == BYTES else f"{amount} requests"
        detail = f"more than {what} in {limit.limit.get_expiry()} seconds: try again in {wait}"
        answer = make_response(say(429, "Too many requests", detail))
        answer.headers["Retry-After"] = str(wait)
        return answer

    limiter = Limiter(address, app=app, storage_uri="memory://", strategy="fixed-window", on_breach=too_often)
    for endpoint, limits in by_endpoint.items():
        view: Any = app.view_functions[endpoint]
        for rule in limits:
            view = limiter.limit(rule.often, key_func=rule.key, exempt_when=rule.free, deduct_when=rule.counts)(view)
        app.view_functions[endpoint] = view
    budget = limiter.shared_limit(
        f"{BYTES} per hour",
        "bytes",
        exempt_when=lambda: "owner" in roles("") or (request.endpoint == "api.exchange" and not _question()),
        # What a seal proves was in the ledger before.
        deduct_when=lambda _answer: not g.get("proved"),
        cost=lambda: request.content_length or 0,
    )
    for endpoint in keeps:
        kept: Any = app.view_functions[endpoint]
        app.view_functions[endpoint] = budget(kept)
