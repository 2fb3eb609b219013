"""Lanes: what a phone sends waits for no page, pages are built a few at a time, and nobody waits for ever."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server import request_lanes
from viewer.server.request_lanes import AT_ONCE, THREADS, Dispatcher, Split, in_turn, is_late
from waiting import PATIENCE, wait_until


class Request:
    """A connection with a request; its answer is built when `go` is set, and `sent` when it is sent, too."""

    def __init__(self, asked: str, client: str = "192.0.2.1", **headers: str) -> None:
        command, path = asked.split()
        self.requests = [SimpleNamespace(command=command, path=path, headers=headers)]
        self.addr = (client, 5)
        self.begun, self.go, self.sent, self.ended = (threading.Event() for _ in range(4))
        self.late = self.cancelled = False

    def service(self) -> None:
        self.late = is_late()
        self.begun.set()
        app = in_turn(lambda *_: [self.go.wait(PATIENCE)])  # type: ignore[list-item,return-value]
        if not self.late:
            app({}, lambda *_: None)  # type: ignore[arg-type,return-value]
            self.sent.wait(PATIENCE)
        self.ended.set()

    def finish(self) -> None:
        self.go.set()
        self.sent.set()
        assert self.ended.wait(PATIENCE)

    def cancel(self) -> None:
        self.cancelled = True


Ask = Callable[..., Request]


@contextmanager
def asking(patience: float = PATIENCE, proxies: int = 0, split: Split | None = None) -> Iterator[Ask]:
    """Gives requests to a dispatcher."""
    dispatcher, requests = Dispatcher(proxies, patience, split), list[Request]()

    def ask(asked: str, client: str = "192.0.2.1", **headers: str) -> Request:
        requests.append(Request(asked, client, **headers))
        dispatcher.add_task(requests[-1])
        return requests[-1]

    try:
        yield ask
    finally:
        for request in requests:
            request.go.set()
            request.sent.set()
        dispatcher.shutdown()


def begun(requests: list[Request], count: int) -> list[Request]:
    """Those that have begun, once there are so many; no more begin in a moment."""
    wait_until(lambda: sum(request.begun.is_set() for request in requests) == count, f"{count} have begun")
    assert not any(request.begun.wait(0.01) for request in requests if not request.begun.is_set())
    return [request for request in requests if request.begun.is_set()]


@pytest.mark.parametrize(
    "asked",
    [
        "POST /api/v1/records/a/events", "POST /api/v1/records", "POST /new",
        "POST /api/v1/exchange",
        "GET /api/v1/records/a/news", "GET /healthz", "GET /phone/static/recorder.css", "GET /style.css",
        "GET /replay.js",
    ],
)  # fmt: skip
def test_what_a_phone_sends_waits_for_no_page(asked: str) -> None:
    with asking() as ask:
        begun([ask("GET /g/a") for _ in range(15)], AT_ONCE)
        request = ask(asked)
        request.finish()
        assert not request.late


def test_of_one_client_one_page_is_built_while_others_wait() -> None:
    with asking() as ask:
        many = [ask("GET /g/a") for _ in range(5)]
        first, second = begun(many, AT_ONCE)
        other, third = ask("GET /g/b", "192.0.2.2"), ask("GET /g/c", "192.0.2.3")
        assert not begun([other, third], 0)
        first.finish()
        assert begun([other, third], 1) == [other], "it is the other's turn, though three were there before"
        assert len(begun(many, 2)) == 2
        other.finish()
        assert third.begun.wait(PATIENCE)
        second.finish()
        assert len(begun(many, 3)) == 3, "one of these"
        third.finish()
        assert len(begun(many, 4)) == 4, "and, as nobody else waits, another one"


def test_a_phone_that_records_waits_for_no_reader_behind_the_same_address() -> None:
    with asking() as ask:
        first, _ = begun([ask("GET /g/a") for _ in range(15)], AT_ONCE)
        screen = ask("GET /api/v1/records/a/screen")
        first.finish()
        assert screen.begun.wait(PATIENCE)


def test_a_turn_ends_when_the_answer_is_built_and_not_when_a_slow_client_has_it() -> None:
    with asking() as ask:
        many = [ask("GET /g/a") for _ in range(THREADS + 1)]
        for request in many:
            request.go.set()
        begun(many, THREADS)


def test_who_waited_too_long_is_told_to_come_back() -> None:
    with asking(patience=0.01) as ask:
        many = [ask("GET /g/a") for _ in range(20)]
        wait_until(lambda: all(request.begun.is_set() for request in many), "all have begun")
        assert [request.late for request in many] == [False] * AT_ONCE + [True] * 18


def test_the_answer_to_who_waited_too_long_says_when_to_come_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = create_app(TemporaryStore().reopen).test_client()
    monkeypatch.setattr("viewer.app.is_late", lambda: True)
    caplog.set_level("INFO", "domino-ledger")
    page, problem = client.get("/g/a"), client.get("/api/v1/records/a/screen")
    for answer in (page, problem):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "try again in 5 seconds" in page.text
    assert problem.json is not None
    assert problem.json["title"] == "The server is busy"
    assert {record.levelname for record in caplog.records} == {"INFO"}, "that is no error of the server"


@pytest.mark.parametrize(
    ("names", "clients"), [("198.51.100.1, 203.0.113.5", "203.0.113.5"), ("", "192.0.2.1")], ids=["named", "not named"]
)
def test_behind_a_proxy_the_client_is_whom_the_proxy_names(
    names: str, clients: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[str]()
    monkeypatch.setattr(request_lanes.Lane, "add", lambda _lane, _channel, client: seen.append(client[1]))
    with asking(proxies=1) as ask:
        ask("GET /g/a", X_FORWARDED_FOR=names)
    with asking() as ask:
        ask("GET /g/a", X_FORWARDED_FOR=names)
    assert seen == [clients, "192.0.2.1"]


def _by_path(_host: str, path: str) -> tuple[str, str, str]:
    club, rest = path[1:].split("/", 1)
    return club, f"/{club}", f"/{rest}"


def any_in_hand(requests: list[Request]) -> Callable[[], bool]:
    """Whether one of these is being built."""
    return lambda: any(one.begun.is_set() and not one.ended.is_set() for one in requests)


def test_a_club_gets_its_share_beside_the_crowd_of_another() -> None:
    with asking(split=_by_path) as ask:
        crowd = [ask("GET /north/g/a", f"192.0.2.{n}") for n in range(20)]
        first = begun(crowd, AT_ONCE)
        visitors = [ask(f"GET /south/g/{n}", f"203.0.113.{n}") for n in range(3)]
        first[0].finish()
        for _ in visitors:  # before all of the crowd, and beside one of it
            wait_until(any_in_hand(visitors), "the next visitor is answered")
            in_hand = [one for one in crowd + visitors if one.begun.is_set() and not one.ended.is_set()]
            assert [one in visitors for one in in_hand] == [False, True]
            in_hand[1].finish()
        for one in crowd + visitors:
            one.go.set()
            one.sent.set()


def test_a_phone_of_a_club_waits_for_no_page() -> None:
    with asking(split=_by_path) as ask:
        pages = [ask("GET /north/g/a", f"192.0.2.{n}") for n in range(10)]
        move = ask("POST /south/api/v1/records/a/events")
        assert move.begun.wait(PATIENCE)
        for one in (*pages, move):
            one.go.set()
            one.sent.set()


def test_at_the_end_who_waits_gets_no_answer() -> None:
    dispatcher = Dispatcher()
    requests = [Request("GET /g/a") for _ in range(5)]
    for request in requests:
        dispatcher.add_task(request)
    for request in begun(requests, AT_ONCE):
        request.go.set()
        request.sent.set()
    wait_until(lambda: sum(request.begun.is_set() for request in requests) == 2 * AT_ONCE, "the next have begun")
    dispatcher.shutdown(timeout=0)
    assert [request.cancelled for request in requests] == [False] * 2 * AT_ONCE + [True]
    for request in requests:
        request.go.set()
        request.sent.set()
