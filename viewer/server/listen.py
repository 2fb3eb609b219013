"""The server under the application: its port, its threads, and what it admits."""

import sys
from typing import Any

from waitress import create_server

from viewer.server.request_lanes import Dispatcher, Split, in_turn

CONNECTIONS = 1000
"""Open connections allowed.  What is idle longer than a minute is closed."""
LARGEST, LARGEST_HEAD = 8_500_000, 32_768
"""Maximum size of a request body and of its header, in bytes."""
TURN = 0.001
"""Seconds that a thread of Python goes on while others wait: an entry must not wait long for each of its steps."""
FILES = 100
"""Open files of the process besides those of connections: ledgers, and what it reads."""


def most_files(wanted: int) -> int:
    """How many files this process may have open, up to `wanted`.  It first raises its limit if it may."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= soft < wanted:
        soft = wanted if hard < 0 else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft < 0 else min(wanted, soft)


def listen(app: Any, host: str, port: int, *, proxies: int, split: Split | None = None) -> tuple[Any, dict[int, Any]]:
    """A server of an application behind so many proxies, listening on its port, and its sockets.

    `split` tells the clubs of a server apart, see `Dispatcher`.  Raises OSError if the port cannot be used.
    """
    sys.setswitchinterval(TURN)
    sockets: dict[int, Any] = {}
    server = create_server(
        in_turn(app),
        map=sockets,
        _dispatcher=Dispatcher(proxies, split=split),
        host=host,
        port=port,
        # A slow or silent client takes only a connection, for a while, and no thread.
        connection_limit=max(1, most_files(CONNECTIONS + FILES) - FILES),
        channel_timeout=60,
        recv_bytes=65_536,  # at once
        # Larger bodies are cut off as they arrive; the application refuses smaller ones with a message.
        max_request_body_size=LARGEST,
        max_request_header_size=LARGEST_HEAD,
        # The application trusts only its own proxies.
        clear_untrusted_proxy_headers=not proxies,
        ident="domino-ledger",
    )
    return server, sockets
