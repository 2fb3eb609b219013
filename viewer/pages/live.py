"""Live updates: watchers of a record see within a second that it has grown.

A stream (Server-Sent Events) sends the record's version, which is also the event's id.  After a break the browser sends
back the last id it saw, and gets what it missed at once, from the ledger itself.  One notifier in each process asks the
ledger, however many people watch.  The number of streams is limited to fewer than the server's threads, and one address
may have a quarter of them, so that it cannot take all.  Beyond the limit a stream sends the version and ends, and the
browser asks again in a few seconds, so the site never stalls.

A stream also says how often names were replaced in the ledger, at its beginning and when that number changes: a page
that hears two numbers loads again, because it may show a name that was erased.

It begins with the link of the record at the version that the client names, or at the last one if the ledger has less:
so a phone notices at once that the ledger lost something, or has something else.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, request

from ledger.record.errors import no_record
from ledger.stores import questions
from ledger.stores.contract import Store
from viewer.server.connections import network
from viewer.server.context import store
from viewer.server.logs import logger

live = Blueprint("live", __name__)

PAUSE = 0.25
"""Seconds between two checks of a ledger that sends no notifications."""
BEAT = 10.0
"""Seconds between two signs of life on a silent stream, which also show whether the browser is still there."""
LONGEST = 900.0
"""Seconds after which a stream ends by itself; the browser reconnects."""
LEAST = 8
"""The streams that one address may always have, even if there are few."""
SOON, LATER = 1500, 3000
"""Milliseconds before a browser reconnects: after a stream has ended, and when all streams are taken."""


class News(NamedTuple):
    """What a stream sends: the version of its record, and how often names were replaced in the ledger."""

    version: int
    renamings: int


class Notifier:
    """Asks the ledger for the versions of watched records, and wakes the streams that wait for them."""

    def __init__(self, open_store: Callable[[], Store], most: int) -> None:
        self.prepare: Callable[[int], None] = lambda _streams: None
        """Called before a stream begins, with the number of streams that there are then."""
        self._open, self._changed = open_store, threading.Condition()
        self._watched: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        self._renamings = 0
        self._running = False
        self._thread: threading.Thread | None = None
        self.ended = False
        self.most, self._per_client = most, max(LEAST, most // 4)
        self._seats: Counter[str] = Counter()

    def take_seat(self, client: str) -> bool:
        """Takes a seat for a stream of this client, if there is one."""
        with self._changed:
            free = self._seats.total() < self.most and self._seats[client] < self._per_client
            if free:
                self._seats[client] += 1
                self.prepare(self._seats.total())
            return free

    def leave_seat(self, client: str) -> None:
        """Gives the seat back."""
        with self._changed:
            self._seats[client] -= 1
            if not self._seats[client]:
                del self._seats[client]

    def enter(self, record_id: str, version: int) -> None:
        """Starts watching a record at this version."""
        with self._changed:
            self._watched[record_id] += 1
            self._versions[record_id] = max(version, self._versions.get(record_id, 0))
            if not self._running:
                self._running = True
                self._thread = threading.Thread(target=self._run, daemon=True, name="notifier")
                self._thread.start()

    def leave(self, record_id: str) -> None:
        """Stops watching a record."""
        with self._changed:
            self._watched[record_id] -= 1
            if self._watched[record_id] <= 0:
                del self._watched[record_id]
                self._versions.pop(record_id, None)

    def end(self) -> None:
        """Ends every stream, because the server stops; the browsers will reconnect."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Waits, after `end`, until the notifier has closed its ledger, at most that long."""
        if self._thread is not None:
            self._thread.join(seconds)

    def wait(self, record_id: str, last: News) -> News:
        """Waits for a greater version or number of renamings; returns `last` if none comes for a while."""

        def current() -> News:
            return News(max(last.version, self._versions.get(record_id, 0)), max(last.renamings, self._renamings))

        with self._changed:
            self._changed.wait_for(lambda: self.ended or current() != last, BEAT)
            return current()

    @property
    def open_streams(self) -> int:
        """The number of open streams."""
        with self._changed:
            return self._watched.total()

    def _run(self) -> None:
        while self._watched_now():
            try:
                with self._open() as ledger:
                    self._look(ledger)
                    return
            except Exception:  # noqa: BLE001  no error may silence the notifier for ever
                logger.exception("the notifier cannot read the ledger, and tries again")
                time.sleep(LATER / 1000)

    def _watched_now(self) -> list[str]:
        """The watched records.  If there are none, this thread ends, and the next watcher starts a new one."""
        with self._changed:
            watched = [] if self.ended else list(self._watched)
            self._running = bool(watched)
            return watched

    def _look(self, ledger: Store) -> None:
        """Asks for the versions until no record is watched."""
        while watched := self._watched_now():
            versions, renamings = (
                {record_id: ledger.version(record_id) for record_id in watched},
                questions.renamings(ledger),
            )
            with self._changed:
                news = {id_: version for id_, version in versions.items() if version > self._versions.get(id_, version)}
                if news or renamings != self._renamings:  # waking every stream is expensive
                    self._versions.update(news)
                    self._renamings = renamings
                    self._changed.notify_all()
            ledger.wait_for_change(PAUSE)


@live.get("/g/<record_id>/live")
def stream(record_id: str) -> Response:
    """Sends the link at the version seen, then the version of a record whenever it grows, and the number of renamings.

    Raises UnknownRecord; a `from` that is not a number is answered with 400.
    """
    version, renamings = store().version(record_id), questions.renamings(store())
    if not version:
        raise no_record(record_id)
    last = request.headers.get("Last-Event-ID") or request.args.get("from", str(version))
    if not re.fullmatch("[0-9]{1,9}", last):
        abort(400, f"from is the version that you have, a number, not {last!r}")
    version_seen = int(last)
    known = min(version_seen, version)
    link = questions.link(store(), record_id, known) or b""
    notifier: Notifier = current_app.extensions["notifier"]
    client = network((request.remote_addr,))
    beginning = f"event: link\ndata: {known} {link.hex()}\n\n"
    return _answer(_stream(notifier, record_id, client, version_seen, News(version, renamings), beginning))


def _stream(notifier: Notifier, record_id: str, client: str, seen: int, current: News, beginning: str) -> Iterator[str]:
    # The seat is taken only when the answer is read: an answer to HEAD is never read, so its seat would never be freed.
    if not notifier.take_seat(client):
        yield f"retry: {LATER}\n\n{beginning}{_names(current)}"
        yield _version(current) if current.version > seen else ": full house\n\n"
        return
    notifier.enter(record_id, current.version)
    try:
        yield f"retry: {SOON}\n\n{beginning}{_names(current)}"
        end = time.monotonic() + LONGEST
        last = News(seen, current.renamings)
        while time.monotonic() < end and not notifier.ended:
            current = current if current.version > last.version else notifier.wait(record_id, last)
            if current.renamings != last.renamings:
                yield _names(current)
            yield _version(current) if current.version > last.version else ": still here\n\n"
            last = current
    finally:
        notifier.leave(record_id)
        notifier.leave_seat(client)


def _version(news: News) -> str:
    return f"id: {news.version}\nevent: version\ndata: {news.version}\n\n"


def _names(news: News) -> str:
    return f"event: names\ndata: {news.renamings}\n\n"


def _answer(lines: Iterator[str]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(lines, content_type="text/event-stream", headers=headers)
