"""The server under the application: its port, its threads, and what it admits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Semaphore
from typing import TYPE_CHECKING, Any

from waitress import create_server

from viewer.server.channels import Channels
from viewer.server.connections import Admission, affordable
from viewer.server.memory import return_memory

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

CONNECTIONS = 1000
"""Open connections allowed besides those of live streams."""
OF_ONE_ADDRESS = 4
"""One address may hold one connection in this many: a club behind one address needs a few for each phone."""
ANSWERING = 10
"""Requests that are answered at once.  The threads of live streams come on top of that, and begin with the streams."""
LARGEST, LARGEST_HEAD = 2_000_000, 32_768
"""Maximum size of a request body and of its header, in bytes."""


def listen(app: Any, host: str, port: int, watchers: int, *, proxied: bool) -> tuple[Any, Channels]:
    """A server of an application, listening on its port, and its sockets; `watchers` is the most streams it has.

    Behind a proxy (`proxied`) no address has a limit of its own.  Raises OSError if the port cannot be used.
    """
    return_memory()  # before there are threads
    channels = Channels()
    most = affordable(2 * watchers + CONNECTIONS, ANSWERING)
    server = create_server(
        few_at_once(app, ANSWERING),
        map=channels,
        host=host,
        port=port,
        # These answer requests.  Each watcher takes one more, which begins with its stream and mostly sleeps.
        threads=ANSWERING,
        # A slow or silent client takes only a connection, for a while, and no thread.
        connection_limit=2 * most,
        channel_timeout=60,
        # Larger bodies are cut off as they arrive; the application refuses smaller ones with a message.
        max_request_body_size=LARGEST,
        max_request_header_size=LARGEST_HEAD,
        # The application trusts only its own proxies.
        clear_untrusted_proxy_headers=not proxied,
        ident="domino-ledger",
    )
    # Behind a proxy all connections come from one address, and the proxy limits its own clients.
    app.extensions["notifier"].prepare = grow_with_streams(server.task_dispatcher)
    Admission(channels, most, None if proxied else max(1, most // OF_ONE_ADDRESS)).guard()
    return server, channels


def few_at_once(app: WSGIApplication, most: int) -> WSGIApplication:
    """The application, for at most that many requests at once, also if the threads of ended streams are free.

    Each request takes memory and a ledger of its own.  What a live stream sends later does not count.
    """
    turns = Semaphore(most)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with turns:
            return app(environ, start_response)

    return answer


def grow_with_streams(dispatcher: Any) -> Callable[[int], None]:
    """Gives a server a thread for each stream.  None of them ends before the server: the next streams need them."""
    most = 0

    def prepare(streams: int) -> None:
        nonlocal most
        if streams > most:
            most = streams
            dispatcher.set_thread_count(ANSWERING + streams)

    return prepare
