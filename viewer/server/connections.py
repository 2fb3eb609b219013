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
from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

logger = logging.getLogger("domino-ledger")

FILES_OF_A_THREAD = 5
"""The most open files of a thread with its ledger."""
FILES_BESIDES = 64
"""Open files of a process besides those of threads and connections."""
LEAST = 32
"""Connections that are allowed even if open files are scarce."""
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors of a process or a machine that can open no more."""
MINUTE = 60.0


def affordable(count: int, threads: int) -> int:
    """How many of `count` connections this process can hold.  It first raises its limit on open files if it may."""
    if sys.platform == "win32":
        return count
    import resource  # noqa: PLC0415  not everywhere

    other_files = threads * FILES_OF_A_THREAD + FILES_BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count + other_files:
        soft = count + other_files if hard == resource.RLIM_INFINITY else min(count + other_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return count if soft == resource.RLIM_INFINITY else max(LEAST, min(count, soft - other_files))


class Admission:
    """Accepts the connections of a server: at most `most`, and at most `per_client` of one client (None: no limit)."""

    def __init__(self, channels: dict[int, Any], most: int, per_client: int | None) -> None:
        self._channels, self._most, self._per_client = channels, most, per_client
        self._spare = os.open(os.devnull, os.O_RDONLY)
        self._logged = -MINUTE

    def guard(self) -> None:
        """Places itself between every listening socket and its connections."""
        for listener in [channel for channel in self._channels.values() if channel.accepting]:
            listener.handle_accept = lambda listener=listener: self._accept(listener)

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
        if self._has_room(network(address)):
            listener.channel_class(listener, connection, address, listener.adj, map=self._channels)
        else:
            connection.close()

    def _has_room(self, client: str) -> bool:
        """Whether there is room for one more of this client; closes an idle connection for it if necessary."""
        open_ = [channel for channel in self._channels.values() if hasattr(channel, "requests")]
        counts = Counter(network(channel.addr) for channel in open_)
        if self._per_client is not None and counts[client] >= self._per_client:
            return self._close_idle(open_, client)
        if len(open_) < self._most:
            return True
        busiest = max(counts, key=lambda other: counts[other])
        return self._close_idle(open_, busiest) or self._close_idle(open_, None)

    def _close_idle(self, open_: list[Any], client: str | None) -> bool:
        """Closes the connection that was idle longest, of this client or of any; returns False if none is idle."""
        idle = [
            channel
            for channel in open_
            if not channel.requests and not channel.total_outbufs_len and client in (None, network(channel.addr))
        ]
        if not idle:
            return False
        self._log(logging.WARNING, "there are too many open connections: the one that was idle longest is closed")
        min(idle, key=lambda channel: channel.last_activity).handle_close()
        return True

    def _shed(self, listener: Any) -> None:
        """Turns a client away if no more files can be opened; otherwise the system would offer it again at once."""
        self._log(logging.ERROR, "no more files can be opened: raise the limit of open files (LimitNOFILE, ulimit -n)")
        open_ = [channel for channel in self._channels.values() if hasattr(channel, "requests")]
        if self._close_idle(open_, None):
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


def network(address: Any) -> str:
    """The client behind a socket's address; for IPv6 its /64 network."""
    try:
        client = ip_address(str(address[0]).partition("%")[0])
    except (ValueError, IndexError, TypeError):
        return "unknown"
    if isinstance(client, IPv6Address) and client.ipv4_mapped is None:
        return str(ip_network((client, 64), strict=False))
    return str(client.ipv4_mapped if isinstance(client, IPv6Address) else client)
