"""How often anybody may ask for what costs something: one table, kept in memory, since one process serves.

No table of players comes near these figures: an event a second, thirty at once out of a phone that was offline, many
phones behind one address.  Whoever does is told when to come again, and a phone keeps what it has to send.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from flask import Flask, Response, make_response, request
from flask_limiter import Limiter, RequestLimit

from viewer.doors import bearer, holds_key


def address() -> str:
    """Who asks: the address, as far as it is known; of IPv6 the network, since a house has as many as it likes."""
    try:
        found = ip_address(request.remote_addr or "")
    except ValueError:
        return "somebody"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return str(ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return str(found)


def recorder() -> str:
    """Who records: the record and its key, wherever the phone is."""
    return f"{(request.view_args or {}).get('record_id')} {bearer().hex()}"


def _records() -> bool:
    return holds_key((request.view_args or {}).get("record_id", ""))


def _knocks() -> bool:
    return not _records()


def _lists() -> bool:
    """Whether the front page is asked for without a search."""
    return request.endpoint == "pages.front" and not request.args


class Limit(NamedTuple):
    """How often each of those whom `key` tells apart may ask; not counted is what is `free`."""

    often: str
    key: Callable[[], str] = address
    free: Callable[[], bool] | None = None


LIMITS: dict[str, tuple[Limit, ...]] = {
    # A tournament begins its games all at once, behind one address.
    "desk.begin": (Limit("60 per minute"), Limit("600 per hour")),
    # Who has the key is never in the way of others behind the same address, nor they in theirs.
    "api.append": (
        Limit("100 per 10 seconds", recorder, free=_knocks),
        Limit("300 per minute", recorder, free=_knocks),
        Limit("30 per minute", free=_records),
    ),
    # A link that opens nothing is a guess.
    "doors.enter": (Limit("30 per minute"),),
    "api.link": (Limit("60 per minute"),),
    # A look ahead for each tap; the audit runs each time.
    "api.check": (Limit("300 per minute"),),
    "api.draft": (Limit("300 per minute"),),
    "desk.qr": (Limit("60 per minute"),),
    "pages.front": (Limit("300 per minute", free=_lists),),
    "api.records": (Limit("300 per minute"),),
    # Each takes a second of work.
    "share.as_gif": (Limit("20 per minute"),),
    "share.as_png": (Limit("120 per minute"),),
}
"""What is limited, by endpoint.  Windows are fixed: the first of them begins with the first request."""


def limit(app: Flask, say: Callable[[int, str, str], Response | str | tuple[str, int]]) -> None:
    """Puts the limits on an application; `say` makes the answer, as for any other problem."""

    def too_often(limit: RequestLimit) -> Response:
        again = max(1, math.ceil(limit.reset_at - time.time()))
        detail = f"more than {limit.limit.amount} times in {limit.limit.get_expiry()} seconds: come again in {again}"
        answer = make_response(say(429, "This was asked for too often", detail))
        answer.headers["Retry-After"] = str(again)
        return answer

    limiter = Limiter(address, app=app, storage_uri="memory://", strategy="fixed-window", on_breach=too_often)
    for endpoint, limits in LIMITS.items():
        view: Any = app.view_functions[endpoint]
        for each in limits:
            view = limiter.limit(each.often, key_func=each.key, exempt_when=each.free)(view)
        app.view_functions[endpoint] = view
