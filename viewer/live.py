"""Live: whoever watches a record learns within a second that it has grown.

A stream (Server-Sent Events) tells the record's version, which is also the event's id: after a break the browser sends
back the last that it has seen, and what came meanwhile is told at once, out of the ledger itself.  One bell in each
process asks the ledger, however many watch.  Streams are capped below the server's threads; beyond the cap a stream
tells the version and ends, and the browser comes back in a few seconds: polling, but never a site that stands still.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, current_app, request

from ledger.errors import UnknownRecord
from ledger.stores.contract import Store
from viewer.logs import logger
from viewer.pages import store

live = Blueprint("live", __name__)

PAUSE = 0.25
"""Seconds after which the ledger is looked at even if it does not say that it has grown."""
BEAT = 10.0
"""Seconds after which a silent stream says that it is alive, and learns whether anybody listens."""
LONGEST = 900.0
"""Seconds after which a stream ends by itself; the browser comes back."""
SOON, LATER = 1500, 3000
"""Milliseconds after which a browser comes back: to a stream that ended, and when the house was full."""


class Bell:
    """Asks the ledger for the versions of the records that are watched, and wakes who waits for them."""

    def __init__(self, open_store: Callable[[], Store], most: int) -> None:
        self._open, self._changed = open_store, threading.Condition()
        self._watched: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        self._running = False
        self.ended = False
        self.most = most
        self.seats = threading.BoundedSemaphore(most)

    def enter(self, record_id: str, version: int) -> None:
        """Begins to watch a record that has this version."""
        with self._changed:
            self._watched[record_id] += 1
            self._versions[record_id] = max(version, self._versions.get(record_id, 0))
            if not self._running:
                self._running = True
                threading.Thread(target=self._ring, daemon=True, name="bell").start()

    def leave(self, record_id: str) -> None:
        """Ends it."""
        with self._changed:
            self._watched[record_id] -= 1
            if self._watched[record_id] <= 0:
                del self._watched[record_id]
                self._versions.pop(record_id, None)

    def end(self) -> None:
        """Lets every stream come to its end: the server is about to go, and the browsers will come back."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def wait(self, record_id: str, seen: int) -> int:
        """The version of a record once it is greater than `seen`; `seen` itself if nothing comes for a while."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or self._versions.get(record_id, 0) > seen, BEAT)
            return max(seen, self._versions.get(record_id, 0))

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        with self._changed:
            return self._watched.total()

    def _ring(self) -> None:
        while self._needed():
            try:
                with self._open() as ledger:
                    self._look(ledger)
                    return
            except Exception:  # noqa: BLE001  whatever it was must not make the bell silent for ever
                logger.exception("the bell cannot read the ledger, and tries again")
                time.sleep(LATER / 1000)

    def _needed(self) -> list[str]:
        """What is watched; where nothing is, this bell is silent from now on, and the next to watch gets another."""
        with self._changed:
            watched = [] if self.ended else list(self._watched)
            self._running = bool(watched)
            return watched

    def _look(self, ledger: Store) -> None:
        """Looks again and again, until nobody watches."""
        while watched := self._needed():
            found = {record_id: ledger.version(record_id) for record_id in watched}
            with self._changed:
                grown = {name: n for name, n in found.items() if n > self._versions.get(name, n)}
                if grown:  # waking everybody costs: only where there is something to hear
                    self._versions.update(grown)
                    self._changed.notify_all()
            ledger.wait_for_change(PAUSE)


@live.get("/g/<record_id>/live")
def stream(record_id: str) -> Response:
    """Tells the version of a record whenever it has grown.  Raises UnknownRecord."""
    version = store().version(record_id)
    if not version:
        raise UnknownRecord(f"the ledger has no record {record_id}")
    said = request.headers.get("Last-Event-ID") or request.args.get("from", "")
    seen = int(said) if said.isdecimal() and len(said) < 10 else version
    bell: Bell = current_app.extensions["bell"]
    return _answer(_stream(bell, record_id, seen, version))


def _stream(bell: Bell, record_id: str, seen: int, version: int) -> Iterator[str]:
    # The seat is taken only when somebody reads: an answer to HEAD is never read, so never left.
    if not bell.seats.acquire(blocking=False):
        yield f"retry: {LATER}\n\n"
        yield _told(version) if version > seen else ": full house\n\n"
        return
    bell.enter(record_id, version)
    try:
        yield f"retry: {SOON}\n\n"
        end = time.monotonic() + LONGEST
        while time.monotonic() < end and not bell.ended:
            version = version if version > seen else bell.wait(record_id, seen)
            yield _told(version) if version > seen else ": still here\n\n"
            seen = version
    finally:
        bell.leave(record_id)
        bell.seats.release()


def _told(version: int) -> str:
    return f"id: {version}\nevent: grown\ndata: {version}\n\n"


def _answer(lines: Iterator[str]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(lines, content_type="text/event-stream", headers=headers)
