"""A server that ends well: it takes nobody new, answers whom it has taken, and only then goes."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from threading import Event
from typing import Any

PATIENCE = 8.0
"""Seconds in which everything must be answered; who starts and stops servers waits ten as a rule."""
TURN = 1.0
"""Seconds after which the server looks whether it is to end."""


def listen_for_the_end(told: Event) -> None:
    """Has SIGTERM and Ctrl+C tell the server to end; a second Ctrl+C ends it at once."""

    def end(_number: int, _frame: Any) -> None:
        if told.is_set():
            raise KeyboardInterrupt
        told.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def run(server: Any, channels: dict[int, Any], told: Event, finish: Callable[[], None]) -> None:
    """Serves until it is told to end; then closes the door, lets `finish` end the streams, and answers the rest.

    `channels` is the map that the server was made with: its doors and all connections.
    """
    from waitress import wasyncore  # noqa: PLC0415  only for serving

    def turn(seconds: float) -> None:
        wasyncore.loop(timeout=seconds, map=channels, use_poll=True, count=1)

    while not told.is_set():
        turn(TURN)
    for door in [each for each in channels.values() if each.accepting]:
        wasyncore.dispatcher.close(door)  # the door alone: its own `close` would also cut the threads' wire
    finish()
    until = time.monotonic() + PATIENCE
    while any(map(_busy, list(channels.values()))) and time.monotonic() < until:
        turn(0.05)
    server.task_dispatcher.shutdown(timeout=1)
    wasyncore.close_all(channels, ignore_all=True)


def _busy(channel: Any) -> bool:
    """Whether somebody waits there for an answer, or for the rest of one."""
    return bool(getattr(channel, "requests", None) or getattr(channel, "total_outbufs_len", 0))
