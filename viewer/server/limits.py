"""Rate limits for expensive requests: one table, kept in memory, because one process serves.

Real play never comes near these limits: one event a second, thirty at once from a phone that was offline, many phones
behind one address.  A client over the limit learns when to try again, and a phone keeps what it has to send.
"""

import math
import time
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from threading import Lock
from typing import Any, NamedTuple

from flask import Flask, Response, g, make_response, request

from ledger.keep.recorder import key_digest
from ledger.stores import questions
from viewer.server.access import BEGINS
from viewer.server.context import own, store
from viewer.server.request_lanes import network
from viewer.server.roles import bearer, holds_key, roles

MINUTE, HOUR = 60, 3600


def address() -> str:
    """The client's address; for IPv6 its network."""
    return network(request.remote_addr or "")


def searcher() -> str | None:
    """The address of a client that searches; None for the front page without a search."""
    return None if request.endpoint == "home.front" and not request.args else address()


def recorder() -> str | None:
    """The recorder: the record and its key, whatever the phone's address; None if the key is wrong."""
    record_id = (request.view_args or {})["record_id"]
    return f"{record_id} {bearer().hex()}" if holds_key(record_id) else None


def guesser() -> str | None:
    """The address of a client with a wrong key; None if it is a recorder."""
    return None if recorder() else address()


def _question() -> dict[str, Any]:
    """What a phone hands to the exchange; empty if it only asks for news."""
    body = request.get_json(silent=True)
    return body if isinstance(body, dict) and body.get("add") else {}


def phone() -> str | None:
    """The phone that hands in: the record that it exchanges, and its key; None if it only asks, or its key is wrong."""
    if "phone" not in g:
        asked = _question()
        record_id, digest = str(asked.get("id")), key_digest(str(asked.get("key")))
        hands_in = bool(asked) and "record" in questions.roles(store(), record_id, digest)
        g.phone = f"{record_id} {digest.hex()}" if hands_in else None
    known: str | None = g.phone
    return known


def bringer() -> str | None:
    """The address of a phone that may bring a new game; None if it only asks, or hands in to a record that is there."""
    return address() if _question() and not phone() else None


def sender() -> str | None:
    """The address of a client whose bytes are kept; None if the owner sends them, or a phone only asks."""
    asks = request.endpoint == "api.exchange" and not _question()
    return None if asks or "owner" in roles("") else address()


class Limit(NamedTuple):
    """How many requests, or `bytes` of them, each client may send in so many seconds.

    `client` tells clients apart; a request for which it is None does not count.  `counts` says, once there is an
    answer, whether the request does.
    """

    most: int
    seconds: int
    client: Callable[[], str | None] = address
    counts: Callable[[], bool] | None = None
    bytes: bool = False


LIMITS: dict[str, tuple[Limit, ...]] = {
    # At a tournament, many games begin at once behind one address.
    "phone.begin": (Limit(60, MINUTE), Limit(600, HOUR)),
    "api.begin_record": (Limit(60, MINUTE), Limit(600, HOUR)),
    # Recorders with a key and other clients behind the same address never block each other.
    "api.append": (Limit(100, 10, recorder), Limit(300, MINUTE, recorder), Limit(30, MINUTE, guesser)),
    # A page asks thirty times a minute, and that is not limited: it costs a third of a millisecond.
    "api.exchange": (
        Limit(100, 10, phone),
        Limit(300, MINUTE, phone),
        Limit(60, MINUTE, bringer, counts=lambda: "begun" in g),
        Limit(600, HOUR, bringer, counts=lambda: "begun" in g),
        # Games that a ledger lost, of phones of a whole club; and keys that open nothing.
        Limit(600, MINUTE, bringer),
    ),
    # A link that opens nothing may be a guess.
    "server.enter": (Limit(30, MINUTE),),
    "api.link": (Limit(60, MINUTE),),
    "owner.table_sheet": (Limit(20, MINUTE),),
    # Each record is audited.
    "api.import_records": (Limit(60, MINUTE),),
    # A look ahead for each tap; the audit runs each time.
    "api.check": (Limit(300, MINUTE),),
    "api.draft": (Limit(300, MINUTE),),
    "comments.add_comment": (Limit(20, MINUTE),),
    "phone.qr": (Limit(60, MINUTE),),
    "home.front": (Limit(300, MINUTE, searcher),),
    "api.records": (Limit(300, MINUTE),),
    # Each takes about a second of work.
    "share.as_gif": (Limit(20, MINUTE),),
    "api.record_causes": (Limit(20, MINUTE),),
    "share.as_png": (Limit(120, MINUTE),),
    # Each tells the moments of up to 200 games.
    "events.as_one_file": (Limit(20, MINUTE),),
}
"""The limits by endpoint."""
BYTES = 20_000_000
"""The most bytes that one address may send in an hour to what a ledger keeps for ever: ten times a large tournament."""
KEPT = Limit(BYTES, HOUR, sender, counts=lambda: "proved" not in g, bytes=True)
"""The limit of those bytes.  What a seal proves was in the ledger before."""
KEEPS = (*BEGINS, "api.append", "api.exchange", "comments.add_comment")
"""The endpoints that keep what anybody sends."""
ALL = LIMITS | {endpoint: (*LIMITS.get(endpoint, ()), KEPT) for endpoint in KEEPS}
"""The limits by endpoint, also that of bytes."""
ROOM = 1000
"""The windows that are remembered before those that have ended are forgotten."""


class Windows:
    """What was counted lately, in windows of time: each begins with its first count."""

    def __init__(self) -> None:
        self._lock, self._room = Lock(), ROOM
        self._windows: dict[Hashable, tuple[float, int]] = {}
        """When each ends, and what was counted."""

    def wait(self, key: Hashable, rule: Limit, *, count: bool) -> float:
        """The seconds until this request is allowed; 0 if it is now, and then it may `count` at once."""
        amount, now = (request.content_length or 0) if rule.bytes else 1, time.time()
        with self._lock:
            end, counted = self._windows.get(key, (0.0, 0))
            if end <= now:
                end, counted = now + rule.seconds, 0
            if counted + amount > rule.most:
                self._windows[key] = end, rule.most  # nor does something smaller fit
                return end - now
            if count:
                self._windows[key] = end, counted + amount
            if len(self._windows) > self._room:
                self._windows = {key: lately for key, lately in self._windows.items() if lately[0] > now}
                self._room = ROOM + 2 * len(self._windows)
        return 0.0


def limit(
    app: Flask, say: Callable[[int, str, str], Response | str | tuple[str, int]], limits: dict[str, tuple[Limit, ...]]
) -> None:
    """Adds limits to the endpoints of an application; `say` makes the answer, as for any problem."""

    def limited(view: Callable[..., Any], rules: Sequence[tuple[Hashable, Limit]]) -> Callable[..., Any]:
        @wraps(view)
        def answer(**parts: Any) -> Any:
            windows, who = own(Windows), {client: client() for client in {rule.client for _, rule in rules}}
            asked = [(rule, (name, who[rule.client])) for name, rule in rules if who[rule.client] is not None]
            for rule, key in asked:
                if wait := windows.wait(key, rule, count=rule.counts is None):
                    return too_often(rule, wait)
            response = make_response(view(**parts))
            for rule, key in asked:
                if rule.counts is not None and rule.counts():
                    windows.wait(key, rule, count=True)
            return response

        return answer

    def too_often(rule: Limit, seconds: float) -> Response:
        what = f"{rule.most // 1_000_000} MB" if rule.bytes else f"{rule.most} requests"
        wait = max(1, math.ceil(seconds))
        detail = f"more than {what} in {rule.seconds} seconds: try again in {wait}"
        answer = make_response(say(429, "Too many requests", detail))
        answer.headers["Retry-After"] = str(wait)
        return answer

    for endpoint, rules in limits.items():
        # Bytes count together, wherever they are sent.
        named = [(("", 0) if rule.bytes else (endpoint, number), rule) for number, rule in enumerate(rules)]
        app.view_functions[endpoint] = limited(app.view_functions[endpoint], named)
