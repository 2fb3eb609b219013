"""Who is answered when: whatever pages people ask for, what a phone at a table sends is recorded at once.

Requests that take a moment, such as a phone's entries, have threads of their own.  All others wait for a turn to be
built: a few are built at once, and of one client only one while others wait.  Waiting takes no thread.  A request
that has waited too long gets 503: come back later.
"""

import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

QUICK = re.compile(
    r"POST /(api/v1/records(/[^/]+/events)?|api/v1/exchange|new|door)"
    r"|(GET|HEAD) /(api/v1/records/[^/]+/news|healthz|[a-z_]+/static/.*|[a-z]+\.(css|js))"
)
"""Requests that take a moment: a phone's entries and questions, news, health, and files."""
OF_RECORDERS = re.compile(r"\w+ /(api/v1/records/[^/]+/(screen|check|draft|links)|r/.*)")
"""Requests of a phone that records.  They wait for no reader behind the same address."""
AT_ONCE = 2
"""Pages and pictures that are built at once: each needs memory meanwhile, and they take turns anyway."""
QUICK_THREADS, THREADS = 3, 3
"""The threads for quick requests, and for all others.  A thread also sends, long after its answer was built."""
QUICK_OF_CLUBS = 4
"""The threads for quick requests to many clubs: an entry waits for the disk, and each club has a file of its own."""
PATIENCE = 5.0
"""Seconds that a request waits for its turn, before it gets 503."""

Finish = Callable[[], None]
Client = tuple[str, str]
"""A club and an address."""
Split = Callable[[str, str], tuple[str, str, str]]
_late: ContextVar[bool] = ContextVar("late", default=False)
_finish: ContextVar[Finish] = ContextVar("finish", default=lambda: None)


def is_late() -> bool:
    """Whether this request has waited too long for its turn: then the answer is 503."""
    return _late.get()


class Waiting(NamedTuple):
    """A connection with a request, and when its patience ends."""

    channel: Any
    until: float


class Lane:
    """Threads that answer requests: at most `at_once` are built, and of one client only one while others wait."""

    def __init__(self, at_once: int, threads: int, patience: float = PATIENCE) -> None:
        self._at_once, self._patience = at_once, patience
        self._changed = threading.Condition()
        self._waiting: dict[Client, deque[Waiting]] = {}
        """By client, whose turn is next first."""
        self._built: Counter[Client] = Counter()
        """The clients whose requests are being built."""
        self._ended = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def add(self, channel: Any, client: Client) -> None:
        """Lets the request of a connection wait for its turn."""
        with self._changed:
            self._waiting.setdefault(client, deque()).append(Waiting(channel, time.monotonic() + self._patience))
            self._changed.notify()

    def end(self, seconds: float) -> None:
        """Ends the threads after what they do now, waiting at most so long; who still waits gets no answer."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        for line in self._waiting.values():
            for one in line:
                one.channel.cancel()

    def _work(self) -> None:
        while (turn := self._turn()) is not None:
            channel, client, late = turn
            is_built = threading.Lock()

            def finish(client: Client = client, is_built: threading.Lock = is_built, *, late: bool = late) -> None:
                if is_built.acquire(blocking=False) and not late:
                    self._leave(client)

            _late.set(late)
            _finish.set(finish)
            try:
                channel.service()
            finally:
                finish()

    def _turn(self) -> tuple[Any, Client, bool] | None:
        """The next request, its client, and whether it is late; waits for one.  None at the end."""
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                if client := next((client for client, line in self._waiting.items() if line[0].until <= now), None):
                    return self._take(client), client, True
                if (client := self._next()) is not None:
                    self._built[client] += 1
                    return self._take(client), client, False
                self._changed.wait(min((line[0].until for line in self._waiting.values()), default=now + 60) - now)
        return None

    def _next(self) -> Client | None:
        """The next client whose request may be built now, of the clubs that have the fewest in hand."""
        if self._built.total() >= self._at_once:
            return None
        alone = len(self._waiting) == 1
        of_clubs = Counter(club for club, _ in self._built.elements())
        ready = (client for client in self._waiting if alone or not self._built[client])
        return min(ready, key=lambda client: of_clubs[client[0]], default=None)

    def _take(self, client: Client) -> Any:
        channel = self._waiting[client].popleft().channel
        # Next come the clients of other clubs, then the others of this one, and this one last.
        lines = sorted(self._waiting.items(), key=lambda line: (line[0][0] == client[0], line[0] == client))
        self._waiting = {one: line for one, line in lines if line}
        return channel

    def _leave(self, client: Client) -> None:
        with self._changed:
            self._built[client] -= 1
            if not self._built[client]:
                del self._built[client]
            if self._waiting:
                self._changed.notify()


class Dispatcher:
    """Gives the requests of a waitress server to two lanes; behind `proxies` the client is whom the last one names.

    `split` tells the clubs of a server apart, by a host and a path: each gets its share of what is built.
    """

    def __init__(self, proxies: int = 0, patience: float = PATIENCE, split: Split | None = None) -> None:
        self._proxies, self._split = proxies, split
        quick = QUICK_OF_CLUBS if split else QUICK_THREADS
        self._quick = Lane(quick, quick, patience)
        self._others = Lane(AT_ONCE, THREADS, patience)

    def add_task(self, channel: Any) -> None:
        """Takes a connection with a request."""
        request = channel.requests[0]
        club, path = "", request.path
        if self._split:
            host = self._reported(request, "X_FORWARDED_HOST") or str(request.headers.get("HOST", ""))
            club, _, path = self._split(host, path)
        what = f"{request.command} {path}"
        client = network(self._reported(request, "X_FORWARDED_FOR") or str(channel.addr[0] if channel.addr else ""))
        if QUICK.fullmatch(what):
            self._quick.add(channel, (club, client))
        else:
            self._others.add(channel, (club, f"{client} records" if OF_RECORDERS.fullmatch(what) else client))

    def shutdown(self, timeout: float = 5) -> None:
        """Ends both lanes; what still waits is dropped."""
        for lane in (self._quick, self._others):
            lane.end(timeout)

    def _reported(self, request: Any, header: str) -> str:
        """What the proxies report in this header; empty if there are too few reports."""
        names = [name.strip() for name in request.headers.get(header, "").split(",") if name.strip()]
        return names[-self._proxies] if self._proxies and len(names) >= self._proxies else ""


def in_turn(app: WSGIApplication) -> WSGIApplication:
    """The application; the turn of a request ends when its answer is built, before it is sent."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return app(environ, start_response)
        finally:
            _finish.get()()

    return answer


def network(address: str) -> str:
    """The client behind an address; for IPv6 its /64 network, because one household has many addresses."""
    try:
        client = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(client, IPv6Address) and client.ipv4_mapped is None:
        return str(ip_network((client, 64), strict=False))
    return str(client.ipv4_mapped if isinstance(client, IPv6Address) else client)
