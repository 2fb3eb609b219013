"""Permissions: every address for every kind of client.  An address that is not in the table fails the test."""

import json
import re
from base64 import b64encode
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import Client, TestResponse

from ledger.cli import cli
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record import clock, codec
from ledger.record.events import Bid, Open
from ledger.stores.beside import Key, Role
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.every_page.templates import VIEWER

KEYS = {"recorder": new_key(), "recorder of another": new_key()}
ROLES = ("anybody", "recorder of another", "recorder")
DAY = "2026-03-01"

SHOWN = (200, 200, 200)
ROUTES: dict[str, tuple[int, int, int]] = {
    "GET /": SHOWN, "GET /style.css": SHOWN, "GET /<page>.js": SHOWN,
    "GET /rules": SHOWN,
    "GET /referee": SHOWN, "GET /referee/<day>": SHOWN, "GET /referee/<day>/replay": SHOWN,
    "GET /rules/<name>/picture.svg": SHOWN, "GET /referee/<day>/table.svg": SHOWN,
    "GET /g/<record_id>/growing.svg": SHOWN, "GET /referee/<day>/moment.svg": SHOWN,
    "GET /examples/<example_id>/moment.svg": (404, 404, 404),
    "GET /referee/<day>/reel": SHOWN, "GET /examples/<example_id>/reel": (404, 404, 404),
    "GET /examples/<example_id>": (404, 404, 404), "GET /examples/<example_id>/growing.svg": (404, 404, 404),
    "GET /rules/<name>": SHOWN,
    "GET /g/<record_id>": SHOWN, "GET /embed/<record_id>": SHOWN, "GET /g/<record_id>/print": SHOWN,
    "GET /g/<record_id>/parts": SHOWN, "GET /g/<record_id>/next": (303, 303, 303),
    "GET /g/<record_id>/decided": (404, 404, 404),
    "GET /g/<record_id>/reel": SHOWN,
    "GET /api/v1/records/<record_id>/news": SHOWN,
    "GET /g/<record_id>/record.json": SHOWN, "GET /g/<record_id>/sheet.txt": SHOWN,
    "GET /g/<record_id>/result.csv": SHOWN,
    "GET /g/<record_id>/position.svg": SHOWN, "GET /g/<record_id>/position.png": SHOWN,
    "GET /g/<record_id>/card.png": SHOWN, "GET /g/<record_id>/moment.svg": SHOWN,
    "GET /g/<record_id>/animation.gif": SHOWN, "GET /g/<record_id>/replay.html": SHOWN,
    "GET /every_page/static/<path:filename>": SHOWN, "GET /server/static/<path:filename>": SHOWN,
    "GET /in_browser/static/<path:filename>": SHOWN, "GET /replay/static/<path:filename>": SHOWN,
    "GET /referee/static/<path:filename>": SHOWN, "GET /paper/static/<path:filename>": SHOWN,
    "GET /club/static/<path:filename>": SHOWN, "GET /phone/static/<path:filename>": SHOWN,
    "GET /worker.js": SHOWN, "GET /new": SHOWN, "GET /r/": SHOWN,
    "GET /kept": SHOWN,
    "GET /r/<record_id>": SHOWN,
    "GET /api": SHOWN, "GET /api/": SHOWN, "GET /api/openapi.json": SHOWN,
    "GET /api/v1": SHOWN, "GET /api/v1/openapi.json": SHOWN, "GET /schema/domino-ledger-1.json": SHOWN,
    "GET /api/v1/records": SHOWN,
    "GET /api/v1/players": SHOWN, "GET /api/v1/records.ndjson": SHOWN, "GET /g/<record_id>/thumbnail.svg": SHOWN,
    "GET /api/v1/records/<record_id>": SHOWN, "GET /api/v1/records/<record_id>/report": SHOWN,
    "GET /api/v1/records/<record_id>/steps": SHOWN, "GET /api/v1/records/<record_id>/causes": SHOWN,
    "GET /api/v1/records/<record_id>/history": SHOWN, "GET /api/v1/records/<record_id>/story": SHOWN,
    "GET /api/v1/records/<record_id>/screen": SHOWN, "GET /api/v1/games": SHOWN, "GET /api/v1/games/<name>": SHOWN,
    "POST /api/v1/records/<record_id>/check": SHOWN, "POST /api/v1/records/<record_id>/draft": SHOWN, "POST /qr": SHOWN,
    "GET /players": SHOWN, "GET /players/<path:name>": SHOWN, "GET /statistics": SHOWN, "GET /statistics/<game>": SHOWN,
    "GET /statistics/<game>.csv": SHOWN, "GET /events": SHOWN, "GET /schedule": SHOWN, "GET /events/<path:name>": SHOWN,
    "GET /event.html": SHOWN, "GET /event.csv": SHOWN,
    "GET /api/v1/players/<name>": SHOWN, "GET /api/v1/ratings": SHOWN, "GET /api/v1/statistics/<game>": SHOWN,
    "GET /api/v1/events": SHOWN, "GET /api/v1/events/<name>": SHOWN,
    "GET /healthz": SHOWN, "GET /runtime/<digest>/<name>": (404, 404, 404),
    "POST /new": (303, 303, 303), "POST /bring": SHOWN, "GET /bring": SHOWN, "GET /bring/blank/<name>": SHOWN,
    "POST /api/v1/records": (201, 201, 201), "POST /api/v1/records.ndjson": (401, 401, 401),
    "POST /g/<record_id>/comments": (303, 303, 303),
    "POST /g/<record_id>/comments/<int:number>/fold": (401, 401, 404),
    "POST /api/v1/records/<record_id>/events": (401, 401, 200),
    "POST /api/v1/records/<record_id>/links": (401, 401, 200),
    "POST /api/v1/records/<record_id>/void": (401, 401, 401), "POST /api/v1/players/<name>/rename": (401, 401, 401),
    "POST /api/v1/renamings/<number>/undo": (401, 401, 401), "GET /api/v1/renamings": (401, 401, 401),
    "GET /bring/template.csv": SHOWN, "POST /bring/table": SHOWN,
    "POST /bring/table/<int:number>/<act>": (401, 401, 401),
    "GET /card": SHOWN, "POST /card": (303, 303, 303),
    "GET /owner": (401, 401, 401), "POST /owner/<act>": (401, 401, 401), "POST /owner/tables": (401, 401, 401),
    "GET /on-this-phone": SHOWN,
    "POST /api/v1/exchange": SHOWN,
    "POST /door": (401, 401, 204),
}  # fmt: skip
"""The answer of each without a key, with the key of another record, and with the key of this one."""

BID = json.loads(codec.encode_event(Bid("ana", 3)))
BODIES = {
    "records": {"opening": json.loads(codec.encode_event(Open("zigzag", players=PLAYERS)))},
    "records.ndjson": {
        "format": "domino-ledger/1",
        "events": [json.loads(codec.encode_event(Open("zigzag", players=PLAYERS)))],
    },
    "links": {"role": "watch"},
    "void": {"why": "a test"},
    "rename": {"name": "Eva"},
    "undo": {},
    "check": {"events": [BID]},
    "draft": {"events": [BID]},
    "exchange": {"id": "mine000000", "key": KEYS["recorder"], "add": [{"id": "first-0001", "event": BID}]},
    "events": {"expected": 1, "entries": [{"id": "first-0001", "event": BID}]},
}


WRITING = (
    "POST /new",
    "POST /bring",
    "POST /bring/table",
    "POST /bring/table/<int:number>/<act>",
    "POST /card",
    "POST /owner/<act>",
    "POST /owner/tables",
    "POST /api/v1/records",
    "POST /api/v1/records.ndjson",
    "POST /api/v1/records/<record_id>/events",
    "POST /api/v1/records/<record_id>/links",
    "POST /api/v1/records/<record_id>/void",
    "POST /api/v1/players/<name>/rename",
    "POST /api/v1/renamings/<number>/undo",
    "POST /api/v1/exchange",
    "POST /g/<record_id>/comments",
    "POST /g/<record_id>/comments/<int:number>/fold",
)


def routes_of(app: Flask) -> set[str]:
    """Every address of the application, with its method."""
    skipped = {"HEAD", "OPTIONS"}
    return {f"{method} {rule.rule}" for rule in app.url_map.iter_rules() for method in (rule.methods or ()) - skipped}


@pytest.fixture
def ledger() -> TemporaryStore:
    """A ledger of two records."""
    return two_records()


def two_records() -> TemporaryStore:
    """A ledger of two records, each with its key."""
    store = TemporaryStore()
    for record_id, role in (("mine", "recorder"), ("other", "recorder of another")):
        Recorder(store).open(Open("zigzag", players=PLAYERS, event="Cup", played=DAY), record_id)
        store.put([Key(record_id, key_digest(KEYS[role]))])
    return store


def path_of(route: str, record: str = "mine") -> str:
    """An address of a route, about this record."""
    path = route.partition(" ")[2]
    name = "Ana" if "/players/" in path else "Cup" if "/events/" in path else "zigzag"
    path = path.replace("<record_id>", record).replace("<int:number>", "1").replace("<page>", "replay")
    if path.endswith("<path:filename>"):  # one of the files in that folder
        path = min(f"/{file.relative_to(VIEWER)}" for file in (VIEWER / path[1:]).parent.glob("*.*"))
    path = path.replace("<name>", name).replace("<path:name>", name).replace("<game>", "zigzag")
    path = path.replace("/reel", "/reel?shape=wide").replace("<day>", clock.today().isoformat())
    return path + ("?name=Cup" if path.startswith("/event.") else "")


def ask(client: FlaskClient, route: str, key: str = "", record: str = "mine", *, cookie: bool = False) -> int:
    """The status of the answer with this key, in the header or in a cookie."""
    with send(client, route, key, record, cookie=cookie) as answer:
        return answer.status_code


def send(
    client: Client, route: str, key: str, record: str = "mine", *, cookie: bool = False, prefix: str = ""
) -> TestResponse:
    """The answer with this key, in the header or in a cookie; `prefix` is the path of a club."""
    method, path = route.partition(" ")[0], path_of(route, record)
    headers = {"Authorization": f"Bearer {key}"} if key and not cookie else {}
    if cookie:
        client.set_cookie(f"domino{prefix.replace('/', '-')}", key)
    path, body = (path, {}) if method == "GET" else _posted(path, key, record)
    return client.open(prefix + path, method=method, headers=headers, **body)


def _posted(path: str, key: str, record: str) -> tuple[str, dict[str, Any]]:
    """Where something is sent, and what."""
    if path == "/new":
        form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}
        return path, {"data": form}
    if path == "/bring":
        return path, {"data": {"text": "Game: zigzag\nPlayers: Ana, Ben, Cy\n"}}
    if path.startswith("/bring/table"):
        table = b64encode(b"day,game,player,score\n2026-11-20,Block,Ana,1\n2026-11-20,Block,Ben,2\n")
        return path.replace("<act>", "undo"), {"data": {"data": table}}
    if path in ("/card", "/owner/<act>", "/owner/tables"):
        form = {
            "game": new_id() if path == "/card" else "zigzag",
            "scores": "Ana 5\nBen 3\nCy 1",
            "record": record,
            "played": DAY,
        }
        return path.replace("<act>", "void"), {"data": form}
    if path == "/door":
        return path, {"data": {"key": key, "record": record}}
    if path == "/qr":
        return path, {"data": "text"}
    if "/comments" in path:
        return path, {"data": {"seq": "0", "text": "Well played"}}
    return path, {"json": BODIES[path.rpartition("/")[2]]}


def test_every_address_is_in_the_table(ledger: TemporaryStore) -> None:
    assert routes_of(create_app(ledger.reopen)) == set(ROUTES)


@pytest.mark.parametrize("route", ROUTES)
def test_each_address_answers_each_role_as_it_should(ledger: TemporaryStore, route: str) -> None:
    client = create_app(ledger.reopen, limits=True).test_client()
    for role, status in zip(ROLES, ROUTES[route], strict=True):
        before = {record_id: ledger.read(record_id).events for record_id in ledger.ids()}
        assert ask(client, route, KEYS.get(role, "")) == status, role
        after = {record_id: ledger.read(record_id).events for record_id in ledger.ids()}
        if route.startswith("GET") or status not in (201, 303):
            assert set(after) == set(before)
        changed = {record_id for record_id in before if after[record_id] != before[record_id]}
        assert changed == (
            {"mine"} if route == "POST /api/v1/records/<record_id>/events" and role == "recorder" else set()
        )


@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("POST")])
def test_where_a_ledger_is_only_shown_nothing_is_written(ledger: TemporaryStore, route: str) -> None:
    client = create_app(ledger.reopen, recording=False).test_client()
    status = ask(client, route, KEYS["recorder"])
    assert ledger.ids() == ("mine", "other")
    assert ledger.version("mine") == 1
    assert status == (409 if route in WRITING else 204 if route == "POST /door" else 200)


def test_no_other_method_does_anything(ledger: TemporaryStore) -> None:
    client = create_app(ledger.reopen).test_client()
    for route in ROUTES:
        path = (
            route.partition(" ")[2]
            .replace("<record_id>", "mine")
            .replace("<name>", "zigzag")
            .replace("<int:number>", "1")
            .replace("<page>", "replay")
        )
        for method in ("PUT", "DELETE", "PATCH"):
            assert client.open(path.replace("<path:filename>", "replay.js"), method=method).status_code == 405
    assert ledger.version("mine") == 1


# ---- A private ledger: every address for every kind of client; hidden records look the same as missing ones.


HOLDERS: dict[str, tuple[str, Role]] = {
    "watcher": ("mine", "watch"), "watcher of another": ("other", "watch"), "recorder": ("mine", "record"),
    "recorder of another": ("other", "record"), "owner": ("", "owner"), "revoked": ("mine", "record"),
}  # fmt: skip
PRIVATE_KEYS = {name: new_key() for name in HOLDERS}
PRIVATE_ROLES = ("anybody", *HOLDERS)
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


PRIVATE_WRITING = (
    "POST /api/v1/records/<record_id>/events",
    "POST /api/v1/records/<record_id>/links",
    "POST /api/v1/records.ndjson",
    "POST /api/v1/records/<record_id>/void",
    "POST /api/v1/players/<name>/rename",
)
"""What takes a key, and never a cookie alone."""


@pytest.fixture
def private_ledger() -> TemporaryStore:
    store = TemporaryStore()
    for record_id in ("mine", "other"):
        Recorder(store).open(Open("zigzag", players=PLAYERS, event="Cup", played=DAY), record_id)
    for name, (record_id, role) in HOLDERS.items():
        if name != "revoked":
            store.put([Key(record_id, key_digest(PRIVATE_KEYS[name]), role)])
    return store


@pytest.fixture
def app(private_ledger: TemporaryStore) -> Flask:
    return create_app(private_ledger.reopen, private=True)


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
def test_each_address_of_a_private_ledger_answers_each_role_as_it_should(app: Flask, route: str, cookie: bool) -> None:
    for role in PRIVATE_ROLES:
        status = ask(app.test_client(), route, PRIVATE_KEYS.get(role, ""), cookie=cookie)
        if not may(route, role):
            assert status == 401, role
        elif route == "POST /door":
            assert status == (204 if role in ("watcher", "recorder", "owner") else 401), role
        elif route in PRIVATE_WRITING:
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
        hidden, missing = (
            ask(app.test_client(), route, PRIVATE_KEYS.get(role, ""), record) for record in ("mine", "nowhere")
        )
        assert hidden == missing


def test_a_new_link_can_replace_the_old_ones(tmp_path) -> None:
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
    answer = client.post("/door", data={"key": f"http://house/g/mine#{PRIVATE_KEYS['watcher']}", "record": "mine"})
    assert answer.status_code == 204
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.get("/g/mine").status_code == 200
    assert client.get("/api/v1/records/mine").status_code == 200
    assert client.get("/g/other").status_code == 401
    assert client.get("/").status_code == 401
    client.post("/door", data={"key": PRIVATE_KEYS["watcher of another"], "record": "other"})
    assert client.get("/g/mine").status_code == client.get("/g/other").status_code == 200
    for key in ("", "short", new_key(), PRIVATE_KEYS["watcher of another"]):
        assert client.post("/door", data={"key": key, "record": "mine"}).status_code == 401
    foreign = client.post(
        "/door",
        data={"key": PRIVATE_KEYS["watcher"], "record": "mine"},
        headers={"Origin": "https://elsewhere.example"},
    )
    assert foreign.status_code == 403


def test_over_https_no_other_site_of_the_house_can_set_the_cookie(app: Flask) -> None:
    client = app.test_client()
    answer = client.post(
        "/door", data={"key": PRIVATE_KEYS["watcher"], "record": "mine"}, base_url="https://club.example"
    )
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-domino=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert client.get("/g/mine", base_url="https://club.example").status_code == 200


def test_a_link_that_was_replaced_opens_nothing(app: Flask) -> None:
    client = app.test_client()
    bearer = {"Authorization": f"Bearer {PRIVATE_KEYS['recorder']}"}
    link = client.post("/api/v1/records/mine/links", json={"role": "watch", "only": True}, headers=bearer).json
    assert link is not None
    assert client.get("/api/v1/records/mine", headers={"Authorization": f"Bearer {link['key']}"}).status_code == 200
    assert (
        client.get("/api/v1/records/mine", headers={"Authorization": f"Bearer {PRIVATE_KEYS['watcher']}"}).status_code
        == 401
    )
    watching = {"Authorization": f"Bearer {link['key']}"}
    assert client.post("/api/v1/records/mine/links", json={"role": "watch"}, headers=watching).status_code == 401


def test_no_secret_stands_in_the_ledger_or_its_copies(tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        Recorder(store).open(Open("zigzag", players=PLAYERS), "mine")
        for name, (_record_id, role) in HOLDERS.items():
            store.put([Key("mine", key_digest(PRIVATE_KEYS[name]), role)])
        client = create_app(store.reopen, private=True).test_client()
        for name in HOLDERS:
            client.post("/door", data={"key": PRIVATE_KEYS[name], "record": "mine"})
            client.post(
                "/api/v1/records/mine/events",
                json=BODIES["events"],
                headers={"Authorization": f"Bearer {PRIVATE_KEYS[name]}"},
            )
        store.connection.copy_to(tmp_path / "b.sqlite")
        assert store.version("mine") == 2
        client.application.extensions["served"].ledgers.close()
    for file in tmp_path.iterdir():
        text = file.read_bytes()
        assert not [name for name, key in PRIVATE_KEYS.items() if re.search(re.escape(key).encode(), text)], file


# ---- Under a path of a server with many clubs: nothing leads out of the club's addresses.


ADDRESS = re.compile(r'(?:href|src|action|data-[a-z]+)="(/[^"]*)"')
QUOTED = re.compile(r'[=(:+] ?["\'`]/[a-z]')
"""An address from the root of a server, in a script."""
NORTH = {"SCRIPT_NAME": "/north"}


@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("GET")])
def test_every_page_stays_in_the_clubs_addresses(route: str) -> None:
    with create_app(two_records().reopen).test_client().get(path_of(route), environ_overrides=NORTH) as answer:
        html = answer.text if answer.content_type.startswith("text/html") else ""
        addresses = ADDRESS.findall(html)
        assert [address for address in addresses if not address.startswith("/north/")] == []
        assert re.match("(http://localhost)?/north/", answer.headers.get("Location", "/north/"))
        assert ("site-menu" in html) == ('data-root="/north/"' in html) or "embed" in route


def test_the_service_worker_stores_only_files_of_the_club() -> None:
    script = create_app(two_records().reopen).test_client().get("/worker.js", environ_overrides=NORTH).text
    parts = re.findall(r'"(/[^"]+)"', script.partition("const PARTS = [")[2].partition("];")[0])
    assert len(parts) > 20
    assert all(part.startswith("/north/") for part in parts)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_cookie_is_the_clubs_alone(scheme: str) -> None:
    client = create_app(two_records().reopen).test_client()
    form = {"key": KEYS["recorder"], "record": "mine"}
    answer = client.post("/door", data=form, environ_overrides=NORTH, base_url=f"{scheme}://localhost")
    name = "__Secure-domino-north" if scheme == "https" else "domino-north"
    assert answer.headers["Set-Cookie"].startswith(f"{name}={KEYS['recorder']};")
    assert "Path=/north/" in answer.headers["Set-Cookie"]


def test_no_script_names_an_address_from_the_root() -> None:
    found = [
        f"{path.name}: {line.strip()}"
        for path in VIEWER.glob("*/static/**/*.js")
        for line in path.read_text("utf-8").splitlines()
        if QUOTED.search(line)
        and "[href^=" not in line
        and path.name != "rules_worker.js"  # folders of Python's, in memory
    ]
    assert found == []
