"""Rate limits for expensive requests: one table, kept in memory, because one process serves.

Real play never comes near these limits: one event a second, thirty at once from a phone that was offline, many phones
behind one address.  A client over the limit learns when to try again, and a phone keeps what it has to send.
"""

import math
import re
import time
from collections.abc import Callable, Hashable, Sequence
from functools import cache, wraps
from threading import Lock
from typing import Any, NamedTuple

from flask import Flask, Response, g, make_response, request

from ledger.keep.recorder import key_digest
from ledger.stores import questions
from viewer.server.access import BEGINS
from viewer.server.context import own, store
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
    """Whether a phone sends entries with the key of the record; asks the ledger only once."""
    if "hands_in" not in g:
        asked = _question()
        digest = key_digest(str(asked.get("key")))
        g.hands_in = bool(asked) and "record" in questions.roles(store(), str(asked.get("id")), digest)
    return bool(g.hands_in)


def _does_not_hand_in() -> bool:
    return not _hands_in()


def _is_only_known() -> bool:
    """Whether a phone asks for news, or hands in to a record that is there: neither brings a new game."""
    return not _question() or _hands_in()


def _begun(_answer: Response) -> bool:
    return bool(g.get("begun"))


class Limit(NamedTuple):
    """How often each client may send a request, such as "60 per minute".

    `key` tells clients apart, and `free` requests do not count; `counts` says of an answer whether it does.  `amount`
    is what a request counts.
    """

    often: str
    key: Callable[[], str] = address
    free: Callable[[], bool] = lambda: False
    counts: Callable[[Response], bool] | None = None
    amount: Callable[[], int] = lambda: 1


@cache
def window(often: str) -> tuple[int, int]:
    """How much is allowed in how many seconds."""
    parts = re.match(r"(\d+) per (\d*) ?(second|minute|hour)", often)
    assert parts, often  # noqa: S101  it stands in this file
    return int(parts[1]), int(parts[2] or 1) * {"second": 1, "minute": 60, "hour": 3600}[parts[3]]


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
    "events.as_one_file": (Limit("20 per minute"),),
}
"""The limits by endpoint."""
BYTES = 20_000_000
"""The most bytes that one address may send in an hour to what a ledger keeps for ever: ten times a large tournament."""
KEPT = Limit(
    f"{BYTES} per hour",
    free=lambda: "owner" in roles("") or (request.endpoint == "api.exchange" and not _question()),
    counts=lambda _answer: not g.get("proved"),  # what a seal proves was in the ledger before
    amount=lambda: request.content_length or 0,
)
KEEPS = (*BEGINS, "api.append", "api.exchange", "comments.add_comment")
"""The endpoints that keep what anybody sends."""
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
        (most, seconds), amount, now = window(rule.often), rule.amount(), time.time()
        with self._lock:
            end, counted = self._windows.get(key, (0.0, 0))
            if end <= now:
                end, counted = now + seconds, 0
            if counted + amount > most:
                self._windows[key] = end, most  # nor does something smaller fit
                return end - now
            if count:
                self._windows[key] = end, counted + amount
            if len(self._windows) > self._room:
                self._windows = {key: lately for key, lately in self._windows.items() if lately[0] > now}
                self._room = ROOM + 2 * len(self._windows)
        return 0.0


def limit(
    app: Flask,
    say: Callable[[int, str, str], Response | str | tuple[str, int]],
    by_endpoint: dict[str, tuple[Limit, ...]],
    keeps: tuple[str, ...],
) -> None:
    """Adds limits to an application, also of bytes to what `keeps` them; `say` makes the answer, as for any problem."""

    def limited(view: Callable[..., Any], rules: Sequence[tuple[Hashable, Limit]]) -> Callable[..., Any]:
        @wraps(view)
        def answer(**parts: Any) -> Any:
            asked = [(rule, (name, rule.key())) for name, rule in rules if not rule.free()]
            for rule, key in asked:
                if wait := own(Windows).wait(key, rule, count=rule.counts is None):
                    return too_often(rule, wait)
            response = make_response(view(**parts))
            for rule, key in asked:
                if rule.counts is not None and rule.counts(response):
                    own(Windows).wait(key, rule, count=True)
            return response

        return answer

    def too_often(rule: Limit, seconds: float) -> Response:
        most, within = window(rule.often)
        what, wait = f"{most // 1_000_000} MB" if rule is KEPT else f"{most} requests", max(1, math.ceil(seconds))
        answer = make_response(
            say(429, "Too many requests", f"more than {what} in {within} seconds: try again in {wait}")
        )
        answer.headers["Retry-After"] = str(wait)
        return answer

    for endpoint in dict.fromkeys((*by_endpoint, *keeps)):
        rules = [((endpoint, number), rule) for number, rule in enumerate(by_endpoint.get(endpoint, ()))]
        rules += [(("bytes", 0), KEPT)] * (endpoint in keeps)
        app.view_functions[endpoint] = limited(app.view_functions[endpoint], rules)
