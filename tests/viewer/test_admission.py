"""Connections are counted as they open and close, and an idle one costs nothing, however many there are."""

from __future__ import annotations

import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from random import Random
from typing import Any

import pytest
from flask import Flask
from waitress import create_server, wasyncore

from viewer.server.channels import Channels
from viewer.server.connections import MANY, Admission


class Idle:
    """A connection as the admission sees it, on a clock of its own."""

    def __init__(self, admission: Admission, now: float = 0.0) -> None:
        self.admission, self.last_activity = admission, now
        self.requests: list[str] = []
        self.total_outbufs_len = 0

    def handle_close(self) -> None:
        self.admission.leave(self)


def connect(admission: Admission, client: str, now: float = 0.0) -> Idle | None:
    """A new connection of a client, if there is room."""
    if not admission.has_room(client):
        return None
    channel = Idle(admission, now)
    admission.enter(channel, client)
    return channel


def steps(action: Callable[[], object]) -> int:
    """How many lines of Python an action takes, comprehensions and what is called included."""
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> Any:
        nonlocal count
        count += event in ("line", "call")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def admission_with(idle: int, clients: int, most: int) -> Admission:
    """An admission beside so many idle connections of so many clients."""
    admission = Admission({}, most, None)
    for number in range(idle):
        connect(admission, f"idle {number % clients}", float(number))
    return admission


@pytest.mark.parametrize("clients", [1, 100, 1300])
@pytest.mark.parametrize("full", [False, True])
def test_accepting_costs_the_same_beside_any_number_of_idle_ones(clients: int, full: bool) -> None:
    def work(idle: int) -> int:
        admission = admission_with(idle, clients, idle if full else 2 * idle + 100)

        def connect_and_close() -> None:
            for number in range(50):
                channel = connect(admission, "one", 1e6 + number)
                assert channel is not None
                if not full:
                    channel.handle_close()

        return steps(connect_and_close)

    assert work(1300) <= 1.5 * work(20)


@pytest.mark.parametrize("seed", range(5))
def test_the_one_that_was_idle_longest_is_closed(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    random, clock = Random(seed), count(1.0)
    monkeypatch.setattr("viewer.server.connections.time.time", lambda: next(clock))
    admission = Admission({}, 40, 12)
    open_: dict[Idle, str] = {}
    closed = 0
    for _ in range(1500):
        deed = random.random()
        if deed < 0.4:
            client = random.choice("abcdefgh")
            wanted = may_close(open_, client, most=40, per_client=12)
            channel = connect(admission, client, next(clock))
            gone = [other for other in open_ if other not in admission._open]
            assert (gone or [None] if wanted else gone) in ([[one] for one in wanted] or [[]])
            assert (channel is None) == (bool(wanted) and not gone)
            for other in gone:
                del open_[other]
                closed += 1
            if channel is not None:
                open_[channel] = client
        elif open_:
            channel = random.choice(list(open_))
            if deed < 0.5:
                channel.handle_close()
                channel.handle_close()  # twice does no harm
                del open_[channel]
            elif deed < 0.6 and not channel.requests:
                channel.requests = ["a page"]
            else:
                channel.requests = []
                channel.last_activity = next(clock)
        assert admission._open == open_
        counts = Counter(open_.values())
        assert {client: admission._clients[client] for client in "abcdefgh"} == {c: counts[c] for c in "abcdefgh"}
        assert counts[admission._clients.busiest()] == max(counts.values(), default=0)
    assert closed > 50
    entries = sum(len(heap._heap) for heap in admission._by_activity.values())
    assert entries <= 9 * MANY, "closed connections are forgotten"


def may_close(open_: dict[Idle, str], client: str, most: int, per_client: int) -> list[Idle | None]:
    """Which connections may be closed for one more of a client, each on its own; none if there is room."""

    def idle_longest(of: str | None) -> Idle | None:
        idle = [channel for channel in open_ if not channel.requests and of in (None, open_[channel])]
        return min(idle, key=lambda channel: channel.last_activity, default=None)

    counts = Counter(open_.values())
    if counts[client] >= per_client:
        return [idle_longest(client)]
    if len(open_) < most:
        return []
    busiest = [other for other in counts if counts[other] == max(counts.values())]
    return [idle_longest(other) or idle_longest(None) for other in busiest]


def test_a_connection_is_counted_until_it_closes() -> None:
    channels = Channels()
    server = create_server(Flask("empty"), map=channels, host="127.0.0.1", port=0, threads=1)
    admission = Admission(channels, 10, 5)
    admission.guard()
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.effective_port))) for _ in range(3)
        ]
        for number in (3, 2):
            for _ in range(1000):
                if len(admission._open) == number:
                    break
                channels.turn(0.01)
            assert (len(admission._open), admission._clients["127.0.0.1"]) == (number, number)
            clients.pop().close()
    server.task_dispatcher.shutdown()
    wasyncore.close_all(channels)
    assert not admission._open
    channels.close()


def test_an_idle_connection_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.server.channels.time.monotonic", lambda: 0.5)
    channels, asked = Channels(), Counter[str]()
    ends = [socket.socketpair() for _ in range(50)]

    class Quiet(wasyncore.dispatcher):
        requests: tuple[str, ...] = ()

        def readable(self) -> bool:
            asked["quiet"] += 1
            return True

        def writable(self) -> bool:
            return False

        def handle_read(self) -> None:
            asked[self.recv(10).decode()] += 1

    quiet = [Quiet(ours, map=channels) for ours, _ in ends]
    for _ in range(3):
        channels.turn(0)
    asked.clear()
    for number in range(10):
        ends[7][1].send(b"news")
        channels.turn(0)
        assert asked["news"] == number + 1
    assert asked["quiet"] <= 30, "only the one that had news"
    quiet[9].requests = ("one",)
    monkeypatch.setattr("viewer.server.channels.time.monotonic", lambda: 9.0)
    asked.clear()
    channels.turn(0)
    assert asked["quiet"] == 50, "now and then all are asked"
    ends[3][1].close()
    channels.turn(0)
    assert len(channels) == 49, "one that closes is heard of"
    wasyncore.close_all(channels)
    channels.close()
    for _, theirs in ends:
        theirs.close()
