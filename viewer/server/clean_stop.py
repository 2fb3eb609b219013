"""A clean stop of the server: it takes no new connections, answers open requests, and then ends."""

import signal
import time
from threading import Event
from typing import Any

from waitress import wasyncore

PATIENCE = 8.0
"""Seconds to answer open requests; service managers usually wait ten."""
TURN = 1.0
"""Seconds between two checks for a stop."""
REST = 0.000_03
"""Seconds of rest for each connection after a look at them: a look asks all of them, however few have sent."""
STOPS = ("SIGTERM", "SIGINT", "SIGHUP")
"""What stops the server: a service manager, Ctrl+C, a terminal that is closed.  Not every system has all of them."""


def stop_on_signal(stop: Event) -> None:
    """Makes signals set `stop`; a second one ends the program at once."""

    def end(_number: int, _frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    for name in STOPS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def run_until(server: Any, sockets: dict[int, Any], stop: Event) -> None:
    """Serves until `stop`; then stops listening, and answers open requests.

    `sockets` is the map that the server was made with: its listening sockets and all connections.
    """
    while not stop.is_set():
        wasyncore.loop(TURN, use_poll=True, map=sockets, count=1)
        time.sleep(REST * len(sockets))
    for listener in [socket for socket in sockets.values() if socket.accepting]:
        wasyncore.dispatcher.close(listener)  # only the socket: its own `close` would also stop the threads
    until = time.monotonic() + PATIENCE
    while any(map(_busy, list(sockets.values()))) and time.monotonic() < until:
        wasyncore.loop(0.05, use_poll=True, map=sockets, count=1)
    server.task_dispatcher.shutdown(timeout=1)
    wasyncore.close_all(sockets, ignore_all=True)


def _busy(socket: Any) -> bool:
    """Whether a client there waits for an answer, or for the rest of one."""
    return bool(getattr(socket, "requests", None) or getattr(socket, "total_outbufs_len", 0))
