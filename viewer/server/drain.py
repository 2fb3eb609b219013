"""A clean stop of the server: it takes no new connections, answers open requests, and then ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from threading import Event
from typing import Any

from ledger.record.later import later
from viewer.server.channels import Channels
from viewer.server.memory import Holes

with later():
    from waitress import wasyncore


PATIENCE = 8.0
"""Seconds to answer open requests; service managers usually wait ten."""
TURN = 1.0
"""Seconds between two checks for a stop."""


def stop_on_signal(stop: Event) -> None:
    """Makes SIGTERM and Ctrl+C set `stop`; a second Ctrl+C ends the program at once."""

    def end(_number: int, _frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def run(server: Any, channels: Channels, stop: Event, finish: Callable[[], None]) -> None:
    """Serves until `stop`; then stops listening, calls `finish` to end the streams, and answers open requests.

    `channels` is the map that the server was made with: its listening sockets and all connections.
    """
    holes = Holes()
    while not stop.is_set():
        channels.turn(TURN)
        holes.give_back()
    for listener in [channel for channel in channels.values() if channel.accepting]:
        wasyncore.dispatcher.close(listener)  # only the socket: its own `close` would also stop the threads
    finish()
    until = time.monotonic() + PATIENCE
    while any(map(_busy, list(channels.values()))) and time.monotonic() < until:
        channels.turn(0.05)
    server.task_dispatcher.shutdown(timeout=1)
    wasyncore.close_all(channels, ignore_all=True)
    channels.close()


def _busy(channel: Any) -> bool:
    """Whether a client there waits for an answer, or for the rest of one."""
    return bool(getattr(channel, "requests", None) or getattr(channel, "total_outbufs_len", 0))
