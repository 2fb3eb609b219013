"""Limits open connections: no address can take all of them, and there are never more than the process can hold.

An idle connection costs nothing until there are too many.  Then a new one replaces the one that was idle longest, of
the address with the most connections first.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Container
from heapq import heapify, heappop, heappush
from ipaddress import IPv6Address, ip_address, ip_network
from itertools import count
from typing import Any

logger = logging.getLogger("domino-ledger")

FILES_OF_AN_ANSWER = 10
"""The most open files of a request that is answered: those of a ledger, and of a second one for an archive."""
FILES_BESIDES = 64
"""Open files of a process besides those of answers and connections."""
LEAST = 32
"""Connections that are allowed even if open files are scarce."""
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors of a process or a machine that can open no more."""
MINUTE = 60.0
EVERYBODY = ""
"""All clients together."""
MANY = 64
"""From this many entries on, those of closed connections are dropped."""


def affordable(count: int, answers: int) -> int:
    """How many of `count` connections this process can hold beside so many answers at once.

    It first raises its limit on open files if it may.
    """
    if sys.platform == "win32":
        return count
    import resource

    other_files = answers * FILES_OF_AN_ANSWER + FILES_BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count + other_files:
        soft = count + other_files if hard == resource.RLIM_INFINITY else min(count + other_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return count if soft == resource.RLIM_INFINITY else max(LEAST, min(count, soft - other_files))


class Admission:
    """Accepts the connections of a server: at most `most`, and at most `per_client` of one client (None: no limit).

    It counts a connection when it opens and when it closes, so that accepting one costs the same beside any number of
    idle ones.
    """

    def __init__(self, channels: dict[int, Any], most: int, per_client: int | None) -> None:
        self._channels, self._most, self._per_client = channels, most, per_client
        self._open: dict[Any, str] = {}
        """The client of each open connection."""
        self._clients = Clients()
        self._by_activity = {EVERYBODY: ByActivity(self._open)}
        self._spare = os.open(os.devnull, os.O_RDONLY)
        self._logged = -MINUTE

    def guard(self) -> None:
        """Places itself between every listening socket and its connections."""
        for listener in [channel for channel in self._channels.values() if channel.accepting]:
            listener.channel_class = _telling(listener.channel_class, self.leave)
            listener.handle_accept = lambda listener=listener: self._accept(listener)

    def enter(self, channel: Any, client: str) -> None:
        """Counts a connection that was opened."""
        self._open[channel] = client
        self._clients.add(client)
        for heap in (EVERYBODY, client):
            self._by_activity.setdefault(heap, ByActivity(self._open)).add(channel)

    def leave(self, channel: Any) -> None:
        """Counts a connection that was closed; for the second time, nothing."""
        client = self._open.pop(channel, None)
        if client is not None and not self._clients.remove(client):
            del self._by_activity[client]

    def _accept(self, listener: Any) -> None:
        try:
            accepted = listener.accept()
            if accepted is None:
                return
            connection, address = accepted
        except OSError as error:
            if error.errno in FULL:
                self._shed(listener)
            return
        try:
            listener.set_socket_options(connection)
        except OSError:  # the client is gone already
            connection.close()
            return
        client = network(address)
        if self.has_room(client):
            self.enter(listener.channel_class(listener, connection, address, listener.adj, map=self._channels), client)
        else:
            connection.close()

    def has_room(self, client: str) -> bool:
        """Whether there is room for one more of this client; closes an idle connection for it if necessary."""
        if self._per_client is not None and self._clients[client] >= self._per_client:
            return self._close_idle(client)
        if len(self._open) < self._most:
            return True
        return self._close_idle(self._clients.busiest()) or self._close_idle(EVERYBODY)

    def _close_idle(self, client: str) -> bool:
        """Closes the connection that was idle longest, of this client or of any; returns False if none is idle."""
        idle = self._by_activity[client].longest_idle()
        if idle is None:
            return False
        self._log(logging.WARNING, "there are too many open connections: the one that was idle longest is closed")
        idle.handle_close()
        return True

    def _shed(self, listener: Any) -> None:
        """Turns a client away if no more files can be opened; otherwise the system would offer it again at once."""
        self._log(logging.ERROR, "no more files can be opened: raise the limit of open files (LimitNOFILE, ulimit -n)")
        if self._close_idle(EVERYBODY):
            return
        os.close(self._spare)
        try:
            accepted = listener.accept()
            if accepted is not None:
                accepted[0].close()
        except OSError:
            pass
        finally:
            self._spare = os.open(os.devnull, os.O_RDONLY)

    def _log(self, level: int, message: str) -> None:
        now = time.monotonic()
        if now - self._logged >= MINUTE:
            self._logged = now
            logger.log(level, message)


def _telling(channel_class: type[Any], leave: Callable[[Any], None]) -> type[Any]:
    """A kind of connection that calls `leave` when it closes, for whatever reason."""

    class Connection(channel_class):  # type: ignore[misc]  # waitress has no types
        def del_channel(self, *channels: Any) -> None:
            super().del_channel(*channels)
            leave(self)

    return Connection


class Clients:
    """How many connections each client has, and who has the most."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._having = defaultdict[int, dict[str, None]](dict)
        self._greatest = 0

    def __getitem__(self, client: str) -> int:
        """The number of connections of a client."""
        return self._counts[client]

    def add(self, client: str) -> None:
        """Counts one more."""
        self._count(client, self._counts[client] + 1)
        self._greatest = max(self._greatest, self._counts[client])

    def remove(self, client: str) -> int:
        """Counts one less; returns how many are left."""
        self._count(client, self._counts[client] - 1)
        if self._greatest not in self._having:  # then it was alone there, and now has one less
            self._greatest -= 1
        return self._counts[client]

    def busiest(self) -> str:
        """A client with the most connections; EVERYBODY if there are none."""
        return next(iter(self._having[self._greatest])) if self._greatest else EVERYBODY

    def _count(self, client: str, count: int) -> None:
        before = self._counts[client]
        if before:
            del self._having[before][client]
            if not self._having[before]:
                del self._having[before]
        if count:
            self._counts[client] = count
            self._having[count][client] = None
        else:
            del self._counts[client]


class ByActivity:
    """Connections in the order of their last activity, each as it was when it was last looked at.

    A connection only becomes more active, so the first whose time is still true was idle longest.  The others that come
    before it are put back in their new place, which their activity has paid for.
    """

    def __init__(self, open_: Container[Any]) -> None:
        self._open, self._heap, self._numbers = open_, list[tuple[float, int, Any]](), count()
        self._most = MANY

    def add(self, channel: Any) -> None:
        """Adds a connection; now and then drops those that are closed."""
        self._put(channel.last_activity, channel)
        if len(self._heap) > self._most:
            self._heap = [entry for entry in self._heap if entry[-1] in self._open]
            heapify(self._heap)
            self._most = max(MANY, 2 * len(self._heap))

    def longest_idle(self) -> Any | None:
        """Takes out the open connection that was idle longest; None if all are busy."""
        busy, idle = [], None
        while self._heap and idle is None:
            since, _, channel = heappop(self._heap)
            if channel not in self._open:
                continue
            if channel.requests or channel.total_outbufs_len:
                busy.append(channel)
            elif channel.last_activity > since:
                self._put(channel.last_activity, channel)
            else:
                idle = channel
        for channel in busy:
            self._put(time.time(), channel)
        return idle

    def _put(self, since: float, channel: Any) -> None:
        heappush(self._heap, (since, next(self._numbers), channel))


def network(address: Any) -> str:
    """The client behind a socket's address; for IPv6 its /64 network."""
    try:
        client = ip_address(str(address[0]).partition("%")[0])
    except (ValueError, IndexError, TypeError):
        return "unknown"
    if isinstance(client, IPv6Address) and client.ipv4_mapped is None:
        return str(ip_network((client, 64), strict=False))
    return str(client.ipv4_mapped if isinstance(client, IPv6Address) else client)
