"""A client that sends too many requests must wait; a table of players never has to."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from golden import ROOT
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record.events import Open
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server import request_lanes
from viewer.server.limits import LIMITS, address
from viewer.server.request_lanes import AT_ONCE, THREADS, Dispatcher, Lane, Split, in_turn, is_late
from waiting import PATIENCE, wait_until

NOTE = {"type": "note", "text": "x"}


class Club:
    """A server with limits, and tables that record through it; its clock stands still until it is set."""

    def __init__(self, **options: Any) -> None:
        self.now = 1_000_000_000.0
        self.ledger = TemporaryStore()
        self.app = create_app(self.ledger.reopen, limits=True, **options)
        self.client = self.app.test_client()

    def table(self) -> "Table":
        record_id, key = Recorder(self.ledger).open(Open("zigzag", players=PLAYERS)), new_key()
        self.ledger.put([Key(record_id, key_digest(key))])
        return Table(self, record_id, key)


class Table:
    """A game that is recorded."""

    def __init__(self, club: Club, record_id: str, key: str) -> None:
        self.club, self.id, self.key, self.version = club, record_id, key, 1

    def send(self, key: str = "", **request: Any) -> Any:
        """Records an entry; returns the answer."""
        entries = [{"id": f"entry-{self.version:06}", "event": NOTE}]
        answer = self.club.client.post(
            f"/api/v1/records/{self.id}/events", json={"expected": self.version, "entries": entries},
            headers={"Authorization": f"Bearer {key or self.key}", **request.pop("headers", {})}, **request,
        )  # fmt: skip
        self.version += answer.status_code == 200
        return answer

    def look(self, preview: str) -> int:
        """A preview, as for each tap."""
        return self.club.client.post(f"/api/v1/records/{self.id}/{preview}", json={"events": [NOTE]}).status_code


@pytest.fixture
def club(monkeypatch) -> Club:
    club = Club()
    monkeypatch.setattr("viewer.server.limits.time", SimpleNamespace(time=lambda: club.now))
    return club


def statuses(count: int, ask: Callable[[], Any]) -> list[int]:
    answers = (ask() for _ in range(count))
    return [answer if isinstance(answer, int) else answer.status_code for answer in answers]


ROWS = {
    "recording, with the key": "api.append:0 api.append:1",
    "recording, with a wrong key": "api.append:2",
    "handing in with the exchange": "api.exchange:0 api.exchange:1",
    "bringing games with the exchange": "api.exchange:2 api.exchange:3 api.exchange:4",
    "looking ahead (`check`, `draft`)": "api.check",
    "looking ahead, for each tap": "api.draft",
    "beginning a game": "phone.begin:0 phone.begin:1",
    "beginning a game, by a program": "api.begin_record:0 api.begin_record:1",
    "importing records, as the owner": "api.import_records",
    "opening a link, making a link": "server.enter api.link",
    "comments on moves": "comments.add_comment",
    "searching, listing with the API": "api.records",
    "searching, on the front page": "home.front",
    "pictures (PNG) and animations": "share.as_png share.as_gif",
    "the causes of what an audit finds": "api.record_causes",
    "an event as a file": "events.as_one_file",
    "QR codes": "phone.qr",
    "sheets of links for the tables": "owner.table_sheet",
}
"""The rows of the table of limits in the docs, up to a comma if several say the same, and whose limits they have."""


def test_the_docs_have_every_limit() -> None:
    text = (ROOT / "docs" / "operating.md").read_text("utf-8").partition("## Limits")[2]
    rows = dict(re.findall(r"^\| (.*?) \| (\d.*?) \|$", text.partition("\n## ")[0], re.MULTILINE))
    said = {row: rows.get(row) or rows[next(r for r in rows if r.startswith(row.partition(",")[0]))] for row in ROWS}
    assert set(rows) <= set(ROWS)
    endpoints = [name.partition(":")[::2] for names in ROWS.values() for name in names.split()]
    assert sorted(name for name, _ in endpoints) == sorted(name for name, all_of in LIMITS.items() for _ in all_of)
    for row, names in ROWS.items():
        limits = [LIMITS[name][int(number or 0)] for name, _, number in (n.partition(":") for n in names.split())]
        within = {10: "10 second", 60: "minute", 3600: "hour"}
        numbers, units = re.findall(r"\d+", said[row]), re.findall("10 second|minute|hour", said[row])
        assert numbers == re.findall(r"\d+", " ".join(f"{limit.most} {within[limit.seconds]}" for limit in limits)), row
        assert {within[limit.seconds] for limit in limits} == set(units), row


def test_every_limit_is_on_an_endpoint_that_is_there(club: Club) -> None:
    assert set(LIMITS) <= set(club.app.view_functions)


def test_a_phone_that_was_offline_and_one_that_plays_are_never_limited(club: Club) -> None:
    table = club.table()
    assert set(statuses(30, table.send)) == {200}
    for _ in range(120):
        club.now += 1
        assert table.send().status_code == 200
        assert table.look("check") == 200
    assert table.version == 151


def test_many_tables_behind_one_address_are_not_in_each_others_way(club: Club) -> None:
    tables = [club.table() for _ in range(10)]
    for _ in range(15):
        club.now += 4
        for table in tables:
            assert table.look("check") == 200
            assert set(statuses(4, table.send)) == {200}


def test_a_recorder_that_runs_wild_is_asked_to_wait(club: Club) -> None:
    wild, good = club.table(), club.table()
    assert statuses(101, wild.send) == [200] * 100 + [429]
    answer = wild.send()
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert good.send().status_code == 200
    club.now += int(answer.headers["Retry-After"])
    assert wild.send().status_code == 200


def test_wrong_keys_are_counted_and_the_right_one_is_not_kept_out(club: Club) -> None:
    table = club.table()
    assert statuses(31, lambda: table.send(new_key())) == [401] * 30 + [429]
    second = club.table()
    assert second.send(new_key()).status_code == 429  # by the address, for any record
    assert table.send().status_code == 200
    assert second.send().status_code == 200
    club.now += 61
    assert table.send(new_key()).status_code == 401


def begin(client: FlaskClient, **request: Any) -> int:
    form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}
    return client.post("/new", data=form, **request).status_code


@pytest.mark.parametrize(
    ("most", "first", "ask"),
    [
        (60, 303, begin),
        (60, 200, lambda client: client.post("/qr", data="x").status_code),
        (300, 200, lambda client: client.get("/?player=a").status_code),
        (300, 200, lambda client: client.get("/api/v1/records").status_code),
        (300, 404, lambda client: client.post("/api/v1/records/x/check", json={"events": [NOTE]}).status_code),
        (300, 404, lambda client: client.post("/api/v1/records/x/draft", json={"events": [NOTE]}).status_code),
        (20, 404, lambda client: client.get("/g/x/animation.gif").status_code),
    ],
    ids=["new", "qr", "search", "list", "check", "draft", "gif"],
)
def test_expensive_requests_are_limited(club: Club, most: int, first: int, ask: Callable[[FlaskClient], int]) -> None:
    assert statuses(most + 2, lambda: ask(club.client)) == [first] * most + [429] * 2
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.9"}}
    assert club.client.get("/rules", **elsewhere).status_code == 200
    club.now += 61
    assert ask(club.client) == first


def test_a_page_says_it_as_a_page(club: Club) -> None:
    statuses(300, lambda: club.client.get("/?player=a"))
    answer = club.client.get("/?player=a")
    assert answer.status_code == 429
    assert answer.mimetype == "text/html"
    assert "Too many requests" in answer.text
    assert answer.headers["Retry-After"]
    assert club.client.get("/").status_code == 200


def test_pages_and_news_have_none(club: Club) -> None:
    table = club.table()
    for _ in range(700):
        assert club.client.get("/rules/nothing").status_code == 404
    assert set(statuses(700, lambda: club.client.get(f"/api/v1/records/{table.id}/news"))) == {200}
    assert set(statuses(700, lambda: club.client.get("/healthz"))) == {200}


def exchange(club: Club, record_id: str, key: str, *events: Any) -> int:
    add = [{"id": f"entry-{n:06}", "event": event} for n, event in enumerate(events)]
    question = {"id": record_id, "key": key, "add": add}
    return club.client.post("/api/v1/exchange", json=question).status_code


def test_a_phone_asks_as_often_as_it_likes_and_what_it_hands_in_is_limited(club: Club) -> None:
    table, opening = club.table(), {"type": "open", "game": "zigzag", "players": [{"id": name} for name in "abc"]}
    assert set(statuses(700, lambda: exchange(club, table.id, table.key))) == {200}
    assert statuses(101, lambda: exchange(club, table.id, table.key, NOTE)) == [200] * 100 + [429]
    assert statuses(61, lambda: exchange(club, new_id(), new_key(), opening)) == [200] * 60 + [429]
    assert statuses(541, lambda: exchange(club, table.id, new_key(), NOTE))[-2:] == [429, 429]
    assert exchange(club, table.id, table.key) == 200
    club.now += 11
    assert exchange(club, table.id, table.key, NOTE) == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-Ip", "X-Client-Ip"])
def test_no_header_changes_the_identity_of_a_client(club: Club, header: str) -> None:
    hosts = iter(range(1000))
    answers = statuses(70, lambda: begin(club.client, headers={header: f"192.0.2.{next(hosts)}"}))
    assert answers == [303] * 60 + [429] * 10


def test_only_the_proxy_is_trusted_about_the_client() -> None:
    club = Club(proxies=1)
    hosts = iter(range(1000))

    def ask(last: str) -> int:
        return begin(club.client, headers={"X-Forwarded-For": f"198.51.100.{next(hosts)}, {last}"})

    assert statuses(61, lambda: ask("192.0.2.1")) == [303] * 60 + [429]
    assert ask("192.0.2.2") == 303


@pytest.mark.parametrize(
    ("remote", "client"),
    [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3::1", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("", "unknown"),
        ("localhost", "unknown"),
    ],
)  # fmt: skip
def test_a_house_is_one_however_many_addresses_it_has(remote: str, client: str) -> None:
    with Flask("x").test_request_context(environ_base={"REMOTE_ADDR": remote}):
        assert address() == client


def test_without_limits_there_are_none() -> None:
    client = create_app(TemporaryStore).test_client()
    assert set(statuses(100, lambda: client.post("/qr", data="x"))) == {200}


# ---- Lanes: what a phone sends waits for no page, pages are built a few at a time, and nobody waits for ever.


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


def test_the_answer_to_who_waited_too_long_says_when_to_come_back(monkeypatch, caplog) -> None:
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
def test_behind_a_proxy_the_client_is_whom_the_proxy_names(names: str, clients: str, monkeypatch) -> None:
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


def test_clubs_take_turns_and_so_do_the_clients_of_each() -> None:
    lane, first = Lane(1, 1), Request("GET /first")
    lane.add(first, ("first", "x"))
    assert first.begun.wait(PATIENCE)
    waiting = {Request("GET /"): name for name in ("north a", "north a", "north b", "south a", "south b", "west a")}
    for request, name in waiting.items():
        club, client = name.split()
        lane.add(request, (club, client))
    first.finish()
    order = []
    for _ in waiting:
        wait_until(any_in_hand(list(waiting)), "the next is answered")
        request = next(one for one in waiting if one.begun.is_set() and not one.ended.is_set())
        order.append(waiting[request])
        request.finish()
    assert order == ["north a", "south a", "west a", "north b", "south b", "north a"]
    lane.end(PATIENCE)


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


# ---- Odd requests: each is refused with a reason or shown as it is, and none makes the server fail.


KEY = new_key()
HOLDS = {"Authorization": f"Bearer {KEY}"}
POSTED = ("check", "draft", "events")
SHOWN = (
    "/", "/g/mine", "/embed/mine", "/g/mine/print", "/g/mine/sheet.txt", "/g/mine/replay.html", "/g/mine/position.svg",
    "/g/mine/position.png", "/g/mine/animation.gif", "/g/mine/record.json", "/new?from=mine", "/api/v1/records",
    "/api/v1/records/mine", "/api/v1/records/mine/steps", "/api/v1/records/mine/report", "/api/v1/records/mine/screen",
)  # fmt: skip


def client_of(store: SqliteStore) -> FlaskClient:
    """A client of a ledger with one record, with the key of that record."""
    Recorder(store).open(Open("zigzag", players=PLAYERS), "mine")
    store.put([Key("mine", key_digest(KEY))])
    return create_app(store.reopen).test_client()


@pytest.fixture
def store() -> TemporaryStore:
    return TemporaryStore()


@pytest.fixture
def odd(store: TemporaryStore) -> FlaskClient:
    return client_of(store)


def entry(event: str, expected: int = 1, event_id: str = "first-0001") -> str:
    return f'{{"expected":{expected},"entries":[{{"id":"{event_id}","event":{event}}}]}}'


def amended_opening(name: str, options: str = "{}") -> str:
    """An amendment of the opening: the name of a player, and options."""
    players = f'[{{"id":"ana","name":{name}}},{{"id":"ben"}},{{"id":"cy"}}]'
    opening = f'{{"type":"open","game":"zigzag","players":{players},"options":{options}}}'
    return f'{{"type":"amend","seq":0,"why":"x","event":{opening}}}'


@pytest.mark.parametrize("action", POSTED)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 60_000, b'{"a":' * 12_000, b'{"events":' + b"[" * 60_000, b'{"entries":' + b"[" * 60_000, b"NaN",
        b"1e400", b'"\\ud800"', b"\xff\xfe", b"\xed\xa0\x80", b'{"expected":1e400}', b'{"expected":NaN}',
        b'{"expected":1,', b'{"expected":' + b"1" * 5000 + b"}", b"\0", b"",
        b'{"events":[{"type":"note","text":"\\ud800"}]}',
    ],
    ids=lambda body: repr(body[:12]),
)  # fmt: skip
def test_invalid_json_is_refused_everywhere(odd: FlaskClient, action: str, body: bytes) -> None:
    path = f"/api/v1/records/mine/{action}"
    answer = odd.post(path, data=body, content_type="application/json", headers=HOLDS)
    assert answer.status_code == 400
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize(
    "event",
    [
        r'{"type":"note","text":"a\u0000b\u0007\ufffe\u202e"}',
        r'{"type":"note","text":"]]>--><script>","by":"\u0000"}',
        '{"type":"score","points":{"ana":%s}}' % ("1" * 4000),
        '{"type":"cheats","count":%s}' % ("9" * 4000),
        '{"type":"bid","player":"ana","bid":%s}' % ("9" * 4000),
        '{"type":"amend","seq":%s,"event":{"type":"pass","player":"ana"},"why":"x"}' % ("9" * 30),
        amended_opening(r'"\u0000\u202e"'),
        amended_opening('"Ana"', '{"target":%s}' % ("[" * 400 + "]" * 400)),
    ],
    ids=range(8),
)
@pytest.mark.every(3)
def test_an_odd_event_is_refused_or_shown_on_every_page(tmp_path, event: str) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        client = client_of(store)
        for action, body in (("check", f'{{"events":[{event}]}}'), ("draft", f'{{"events":[{event}]}}')):
            answer = client.post(f"/api/v1/records/mine/{action}", data=body, content_type="application/json")
            assert answer.status_code in (200, 400, 409, 422)
        path = "/api/v1/records/mine/events"
        answer = client.post(path, data=entry(event), content_type="application/json", headers=HOLDS)
        assert answer.status_code in (200, 400, 422)
        assert store.version("mine") == 1 + (answer.status_code == 200)
        for page in SHOWN:
            assert client.get(page).status_code == 200, page


@pytest.mark.parametrize(
    "path",
    [
        "/?page=²", "/?page=" + "9" * 5000, "/?player=%00", "/?player=%ED%A0%80", '/?player="', "/?place=%25%5F",
        "/?since=%00", "/?order=%00", "/g/mine?ply=²", "/g/mine?ply=٣", "/g/mine?ply=" + "9" * 5000,
        "/g/mine/position.svg?ply=²", "/g/mine/animation.gif?from=²",
    ],
)  # fmt: skip
def test_odd_numbers_and_words_in_an_address_are_as_good_as_none(odd: FlaskClient, path: str) -> None:
    assert odd.get(path).status_code in (200, 409)  # an animation from its last step on


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/g/%00", 404), ("/g/%ff", 404), ("/rules/%00", 404), ("/new?from=%00", 404), ("/new?game=%00", 404),
        ("/static/%00", 404),
        ("/static/..%2f..%2fpyproject.toml", 404), ("/static/%2e%2e/app.py", 404),
        ("/api/v1/records?limit=²", 400), ("/api/v1/records?offset=999999999999999999999", 400),
        ("/api/v1/records/mine/screen?before=%00", 400),
    ],
)  # fmt: skip
def test_odd_addresses_are_refused(odd: FlaskClient, path: str, status: int) -> None:
    assert odd.get(path).status_code == status


# ── Forms ──────────────────────────────────────────────────────────────────────────────────────────────────


def form(**typed: str) -> dict[str, str]:
    return {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C", **typed}


@pytest.mark.parametrize(
    "typed",
    [
        "[" * 2000, "[" * 700, '{"a":' * 300, "NaN", "1e400", r'"\ud800"', r'"\u0000"', "\0", "1" * 1999, '"seat ²"',
        f'"seat {"1" * 1900}"',
    ],
    ids=lambda typed: typed[:8],
)  # fmt: skip
@pytest.mark.parametrize("field", ["option.target", "option.first_bidder", "player1", "edition", "played", "place"])
def test_every_text_in_the_opening_form_is_accepted_or_explained(
    odd: FlaskClient, store: TemporaryStore, field: str, typed: str
) -> None:
    _typed(odd, store, field, typed)


def _typed(odd: FlaskClient, store: SqliteStore, field: str, typed: str) -> None:
    fields = form(**{field: typed})
    answer = odd.post("/new", data=fields)
    assert answer.status_code in (303, 422)
    assert store.version(fields["id"]) == (answer.status_code == 303)
    for page in ("/", f"/new?from={fields['id']}", f"/g/{fields['id']}", f"/api/v1/records/{fields['id']}/screen"):
        assert odd.get(page).status_code in ((200,) if answer.status_code == 303 else (200, 404))


@pytest.mark.parametrize("host", ["", "a b", "<script>", "x" * 5000, "[", "[::1", "a:99999", "é", "a/b", "a@b", "a,b"])
def test_an_odd_host_is_refused_or_never_shown(odd: FlaskClient, host: str) -> None:
    for path in ("/", "/g/mine", "/embed/mine", "/new", "/api", "/api/v1/records", "/nothing"):
        answer = odd.get(path, environ_overrides={"HTTP_HOST": host})
        assert answer.status_code in (200, 400, 404)
        assert "<script>/" not in answer.text
    fields = form()
    answer = odd.post("/new", data=fields, headers={"Origin": "http://x"}, environ_overrides={"HTTP_HOST": host})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize("key", ["Bearer \xe9", "Bearer " + "x" * 9000, "Bearer", "\x80", "Basic !!!", 'Digest a="'])
def test_an_odd_key_is_a_wrong_one(odd: FlaskClient, key: str) -> None:
    body = entry('{"type":"pass","player":"ana"}')
    answer = odd.post(
        "/api/v1/records/mine/events",
        data=body,
        content_type="application/json",
        environ_overrides={"HTTP_AUTHORIZATION": key},
    )
    assert answer.status_code == 401


def test_a_text_of_odd_bytes_is_a_qr_code_too(odd: FlaskClient) -> None:
    for text in (b"\xff\xfe", b"\0", "😀".encode() * 500, "漢".encode() * 500, b"\xed\xa0\x80"):
        assert odd.post("/qr", data=text).status_code == 200


# ── Missing parts of the machine ───────────────────────────────────────────────────────────────────────────


def test_on_a_full_disk_a_phone_is_asked_to_try_again(tmp_path, caplog) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        client_of(store)
        client = create_app(lambda: store).test_client()
        (pages,) = store.connection.db.execute("PRAGMA page_count").fetchone()
        store.connection.db.execute(f"PRAGMA max_page_count = {pages}")
        note = '{"type":"note","text":"%s"}' % ("x" * 1900)
        statuses = []
        for number in range(40):
            body = entry(note, store.version("mine"), f"entry-{number:04}")
            answer = client.post(
                "/api/v1/records/mine/events", data=body, content_type="application/json", headers=HOLDS
            )
            statuses.append(answer.status_code)
            if answer.status_code != 200:
                break
        assert statuses[-1] == 503
        assert answer.headers["Retry-After"]
        assert str(tmp_path) not in answer.text
        assert "database or disk is full" in caplog.records[-1].entry.error  # type: ignore[attr-defined]
        assert store.version("mine") == 1 + statuses.count(200)
        assert client.get("/g/mine").status_code == 200
        store.connection.db.execute("PRAGMA max_page_count = 100000")
        retry = client.post("/api/v1/records/mine/events", data=body, content_type="application/json", headers=HOLDS)
        assert retry.status_code == 200
        assert store.version("mine") == 2 + statuses.count(200)


# ── Floods ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_flood_of_fields_is_cut_off(odd: FlaskClient, store: TemporaryStore) -> None:
    many = {f"f{number}": (BytesIO(b"x"), "n") for number in range(2000)}
    assert odd.post("/new", data=many, content_type="multipart/form-data").status_code == 413
    fields = "&".join(f"a{number}=1" for number in range(100_000))
    assert odd.post("/new", data=fields, content_type="application/x-www-form-urlencoded").status_code == 413
    assert odd.post("/new", data=form(player1="x" * 70_000)).status_code == 413
    for kind in (
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/json",
        "text/plain; charset=none",
    ):
        assert odd.post("/new", data=b"--x", content_type=kind).status_code == 400
    assert store.ids() == ("mine",)
