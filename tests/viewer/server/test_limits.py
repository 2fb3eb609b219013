"""A client that sends too many requests must wait; a table of players never has to."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from golden import ROOT
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record.events import Open
from ledger.stores.beside import Key
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server.limits import LIMITS, address

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
def club(monkeypatch: pytest.MonkeyPatch) -> Club:
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
