"""A private ledger: every address for every kind of client; hidden records look the same as missing ones."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from test_roles import BODIES, DAY, ROUTES, ask

from ledger.cli import cli
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.record.events import Open
from ledger.stores.beside import Key, Role
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app

HOLDERS: dict[str, tuple[str, Role]] = {
    "watcher": ("mine", "watch"), "watcher of another": ("other", "watch"), "recorder": ("mine", "record"),
    "recorder of another": ("other", "record"), "owner": ("", "owner"), "revoked": ("mine", "record"),
}  # fmt: skip
KEYS = {name: new_key() for name in HOLDERS}
ROLES = ("anybody", *HOLDERS)
PUBLIC = {
    "GET /style.css", "GET /<page>.js", "GET /rules", "GET /rules/<name>",
    "GET /every_page/static/<path:filename>", "GET /server/static/<path:filename>",
    "GET /in_browser/static/<path:filename>", "GET /replay/static/<path:filename>",
    "GET /referee/static/<path:filename>", "GET /paper/static/<path:filename>", "GET /club/static/<path:filename>",
    "GET /phone/static/<path:filename>",
    "GET /worker.js", "GET /r/", "GET /kept",
    "GET /r/<record_id>", "GET /api", "GET /api/", "GET /api/v1", "GET /api/openapi.json", "GET /api/v1/openapi.json",
    "GET /schema/domino-ledger-1.json",
    "GET /api/v1/games", "GET /api/v1/games/<name>",
    "GET /referee", "GET /referee/<day>", "GET /referee/<day>/replay", "GET /referee/<day>/reel",
    "GET /referee/<day>/table.svg", "GET /referee/<day>/moment.svg",
    "GET /rules/<name>/picture.svg",
    "POST /qr", "POST /door", "GET /healthz",
    "GET /runtime/<digest>/<name>",
    "GET /on-this-phone",
}  # fmt: skip
"""Addresses that reveal nothing about any record."""


WRITING = (
    "POST /api/v1/records/<record_id>/events",
    "POST /api/v1/records/<record_id>/links",
    "POST /api/v1/records.ndjson",
    "POST /api/v1/records/<record_id>/void",
    "POST /api/v1/players/<name>/rename",
)
"""What takes a key, and never a cookie alone."""


@pytest.fixture
def ledger() -> TemporaryStore:
    store = TemporaryStore()
    for record_id in ("mine", "other"):
        Recorder(store).open(Open("zigzag", players=PLAYERS, event="Cup", played=DAY), record_id)
    for name, (record_id, role) in HOLDERS.items():
        if name != "revoked":
            store.put([Key(record_id, key_digest(KEYS[name]), role)])
    return store


@pytest.fixture
def app(ledger: TemporaryStore) -> Flask:
    return create_app(ledger.reopen, private=True)


def may(route: str, role: str) -> bool:
    """Whether a role may open a route: watchers and recorders those of their record, the owner all."""
    if route in PUBLIC or role == "owner":
        return True
    return "<record_id>" in route and role in ("watcher", "recorder")


def writes(route: str, role: str) -> bool:
    if route.endswith(("/records.ndjson", "/void", "/rename")):
        return role == "owner"
    return role in ("recorder", "owner") if route.endswith("/links") else role == "recorder"


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("cookie", [False, True])
def test_each_address_answers_each_role_as_it_should(app: Flask, route: str, cookie: bool) -> None:
    for role in ROLES:
        status = ask(app.test_client(), route, KEYS.get(role, ""), cookie=cookie)
        if not may(route, role):
            assert status == 401, role
        elif route == "POST /door":
            assert status == (204 if role in ("watcher", "recorder", "owner") else 401), role
        elif route in WRITING:
            # A cookie alone cannot write: another site could make the browser send it.
            assert status == (200 if writes(route, role) and not cookie else 401), role
        elif route.endswith("/undo"):  # nobody was renamed
            assert status == (409 if role == "owner" and not cookie else 401), role
        elif route == "POST /bring/table/<int:number>/<act>":
            assert status == 409, role  # nothing was imported
        elif route.endswith("/fold"):
            assert status == (404 if role in ("recorder", "owner") else 401), role
        elif "<digest>" in route or "<example_id>" in route or route.endswith("/decided"):
            assert status == 404, role  # no such file, no examples beside games, nothing decided
        else:
            assert status in (200, 201, 303), role


@pytest.mark.parametrize("route", [route for route in ROUTES if "<record_id>" in route])
def test_a_missing_record_looks_the_same_as_a_hidden_one(app: Flask, route: str) -> None:
    for role in ("anybody", "watcher of another", "revoked"):
        hidden, missing = (ask(app.test_client(), route, KEYS.get(role, ""), record) for record in ("mine", "nowhere"))
        assert hidden == missing


def test_a_new_link_can_replace_the_old_ones(tmp_path: Path) -> None:
    path = str(tmp_path / "club.sqlite")
    with SqliteStore(path) as store:
        record_id = Recorder(store).open(Open("zigzag", players=PLAYERS))
    line = ["--ledger", path, "link", record_id, "--watch", "--only", "--address", "http://house"]
    for _ in range(2):
        assert CliRunner().invoke(cli, line, catch_exceptions=False).exit_code == 0
    with SqliteStore(path) as store:
        assert [key.role for key in store.kept(Key, record_id)] == ["watch"]


def test_the_door_is_opened_once_and_remembered(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/g/mine")
    assert page.status_code == 401
    assert "A link is needed here" in page.text
    assert "Ana" not in page.text
    answer = client.post("/door", data={"key": f"http://house/g/mine#{KEYS['watcher']}", "record": "mine"})
    assert answer.status_code == 204
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.get("/g/mine").status_code == 200
    assert client.get("/api/v1/records/mine").status_code == 200
    assert client.get("/g/other").status_code == 401
    assert client.get("/").status_code == 401
    client.post("/door", data={"key": KEYS["watcher of another"], "record": "other"})
    assert client.get("/g/mine").status_code == client.get("/g/other").status_code == 200
    for key in ("", "short", new_key(), KEYS["watcher of another"]):
        assert client.post("/door", data={"key": key, "record": "mine"}).status_code == 401
    foreign = client.post(
        "/door", data={"key": KEYS["watcher"], "record": "mine"}, headers={"Origin": "https://elsewhere.example"}
    )
    assert foreign.status_code == 403


def test_over_https_no_other_site_of_the_house_can_set_the_cookie(app: Flask) -> None:
    client = app.test_client()
    answer = client.post("/door", data={"key": KEYS["watcher"], "record": "mine"}, base_url="https://club.example")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-domino=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert client.get("/g/mine", base_url="https://club.example").status_code == 200


def test_a_link_that_was_replaced_opens_nothing(app: Flask) -> None:
    client = app.test_client()
    bearer = {"Authorization": f"Bearer {KEYS['recorder']}"}
    link = client.post("/api/v1/records/mine/links", json={"role": "watch", "only": True}, headers=bearer).json
    assert link is not None
    assert client.get("/api/v1/records/mine", headers={"Authorization": f"Bearer {link['key']}"}).status_code == 200
    assert client.get("/api/v1/records/mine", headers={"Authorization": f"Bearer {KEYS['watcher']}"}).status_code == 401
    watching = {"Authorization": f"Bearer {link['key']}"}
    assert client.post("/api/v1/records/mine/links", json={"role": "watch"}, headers=watching).status_code == 401


def test_no_secret_stands_in_the_ledger_or_its_copies(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        Recorder(store).open(Open("zigzag", players=PLAYERS), "mine")
        for name, (_record_id, role) in HOLDERS.items():
            store.put([Key("mine", key_digest(KEYS[name]), role)])
        client = create_app(store.reopen, private=True).test_client()
        for name in HOLDERS:
            client.post("/door", data={"key": KEYS[name], "record": "mine"})
            client.post(
                "/api/v1/records/mine/events", json=BODIES["events"], headers={"Authorization": f"Bearer {KEYS[name]}"}
            )
        store.connection.copy_to(tmp_path / "b.sqlite")
        assert store.version("mine") == 2
        client.application.extensions["served"].ledgers.close()
    for file in tmp_path.iterdir():
        text = file.read_bytes()
        assert not [name for name, key in KEYS.items() if re.search(re.escape(key).encode(), text)], file
