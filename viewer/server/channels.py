"""The sockets of a server, and its wait for news from them: an idle connection costs nothing, however many there are.

waitress asks every connection on every turn what it waits for.  Beside a thousand idle ones that is most of the work.
Here the system remembers it (epoll, kqueue), and only those are asked for which it can have changed.
"""

from __future__ import annotations

import time
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any

from ledger.record.later import later

with later():
    from waitress import wasyncore


ALL = 1.0
"""Seconds after which all are asked again: waitress may have marked a silent one, to be closed."""


class Channels(dict[int, Any]):
    """The sockets of a server by their file numbers: the `map` of waitress."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = DefaultSelector()
        self._waits: dict[int, int] = {}
        """What the system watches each for; nothing while an answer is computed."""
        self._active = set[Any]()
        """Those that may wait for something else than before."""
        self._all_at = 0.0

    def __setitem__(self, number: int, channel: Any) -> None:
        super().__setitem__(number, channel)
        self._active.add(channel)

    def __delitem__(self, number: int) -> None:
        self._active.discard(self[number])
        super().__delitem__(number)
        if self._waits.pop(number, 0):
            self._selector.unregister(number)

    def turn(self, seconds: float) -> None:
        """Waits for news, at most that long, and lets the channels handle it."""
        asked = self._active
        if time.monotonic() >= self._all_at:
            asked, self._all_at = set(self.values()), time.monotonic() + ALL
        for channel in list(asked):
            self._ask(channel)
        for key, events in self._selector.select(seconds):
            for event, handle in ((EVENT_READ, wasyncore.read), (EVENT_WRITE, wasyncore.write)):
                # The first may close it, and a new one may get its number.
                if events & event and self.get(key.fd) is key.data:
                    self._active.add(key.data)
                    handle(key.data)

    def close(self) -> None:
        """Closes what the system remembers."""
        self._selector.close()

    def _ask(self, channel: Any) -> None:
        """Lets the system watch a channel for what it waits for now."""
        number = channel._fileno  # noqa: SLF001  waitress has no other name for it
        before = self._waits.get(number, 0)
        waits = EVENT_READ if channel.readable() else 0
        if channel.writable() and not channel.accepting:
            waits |= EVENT_WRITE
        if waits != before:
            self._waits[number] = waits
            if not before:
                self._selector.register(number, waits, channel)
            elif waits:
                self._selector.modify(number, waits, channel)
            else:
                self._selector.unregister(number)
        # A thread changes a connection only while it has requests.  The rest (listening sockets) always stay active.
        elif waits == EVENT_READ and not getattr(channel, "requests", True):
            self._active.discard(channel)
