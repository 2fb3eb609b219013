"""What a stranger can do to a ledger that stands on the open internet: fill it slowly, or begin no game at all."""

import json
from base64 import b64encode

import pytest
from flask.testing import FlaskClient

from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record import codec
from ledger.record.events import Note, Open, Player
from ledger.stores.beside import Key
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server.limits import BYTES

PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben"))
OPENING = json.loads(codec.encode_event(Open("build-up", players=PLAYERS)))
NOTE = json.loads(codec.encode_event(Note("x" * 1990)))
SHEET = "Game: build-up\nPlayers: A Ana, B Ben\n"
TABLE = b"day,game,player,score\n2026-03-01,Block,Ana,5\n2026-03-01,Block,Ben,3\n"
CARD = {"game": "build-up", "scores": "Ana 5\nBen 3"}
FORM = {"game": "build-up", "player1": "Ana", "player2": "Ben"}
OWNER, MEMBER, WATCHER, STRANGER = (new_key() for _ in range(4))


@pytest.fixture
def store() -> TemporaryStore:
    """A ledger with an owner, and a game with a recorder's and a watcher's link."""
    store = TemporaryStore()
    Recorder(store).open(Open("build-up", players=PLAYERS), "game")
    store.put([Key("", key_digest(OWNER), "owner"), Key("game", key_digest(MEMBER)),
               Key("game", key_digest(WATCHER), "watch")])  # fmt: skip
    return store


def test_an_address_sends_no_more_than_some_bytes_an_hour_whatever_the_recorder(store: TemporaryStore) -> None:
    client = create_app(store.reopen, limits=True).test_client()
    sent, statuses = 0, list[int]()
    while sent < BYTES + 2_000_000 and 429 not in statuses:
        begun = client.post("/api/v1/records", json={"opening": OPENING})
        statuses.append(begun.status_code)
        if begun.status_code == 201:
            entries = [{"id": f"{n:010}", "event": NOTE} for n in range(199)]
            body = json.dumps({"expected": 1, "entries": entries})
            sent += len(body)
            path = f"/api/v1/records/{begun.json['id']}/events"
            answer = client.post(
                path,
                data=body,
                content_type="application/json",
                headers={"Authorization": f"Bearer {begun.json['key']}"},
            )
            statuses.append(answer.status_code)
    assert sent < BYTES + 2_000_000
    refused = client.post("/api/v1/records", json={"opening": OPENING})
    assert refused.status_code == 429
    assert "more than 20 MB in 3600 seconds" in refused.json["detail"]
    assert 0 < int(refused.headers["Retry-After"]) <= 3601  # an hour, rounded up to a whole second of the clock
    # The other doors are the same address's, and another address has its own budget; the owner has no limit.
    assert client.post("/card", data=CARD).status_code == 429
    assert client.post("/bring", data={"text": SHEET, "do": "keep"}).status_code == 429
    assert client.post("/bring/table", data={"data": b64encode(TABLE).decode(), "do": "keep"}).status_code == 429
    other = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.post("/card", data=CARD, environ_base=other).status_code == 303
    owner = {"Authorization": f"Bearer {OWNER}"}
    assert client.post("/api/v1/records", json={"opening": OPENING}, headers=owner).status_code == 201
    assert client.get("/").status_code == 200


def doors(client: FlaskClient, key: str, *, cookie: bool) -> list[int]:
    """The answers of all doors that bring a new game."""
    headers = {} if cookie or not key else {"Authorization": f"Bearer {key}"}
    client.delete_cookie("domino")
    if cookie:
        client.set_cookie("domino", key)
    answers = [
        client.post("/api/v1/records", json={"opening": OPENING}, headers=headers),
        client.post("/new", data=FORM | {"id": new_id(), "key": new_key()}, headers=headers),
        client.post("/card", data=CARD | {"game": new_id()}, headers=headers),
        client.post("/bring", data={"text": SHEET, "do": "keep"}, headers=headers),
        client.post("/bring/table", data={"data": b64encode(TABLE).decode(), "do": "keep"}, headers=headers),
    ]
    return [answer.status_code for answer in answers]


@pytest.mark.parametrize("cookie", [False, True], ids=["key", "cookie"])
def test_where_games_begin_by_link_a_link_is_needed(store: TemporaryStore, cookie: bool) -> None:
    client = create_app(store.reopen, by_link=True).test_client()
    for key in (STRANGER, WATCHER, ""):
        assert doors(client, key, cookie=cookie) == [401] * 5
    assert store.ids() == ("game",)
    for key in (OWNER, MEMBER):
        assert doors(client, key, cookie=cookie) == [201, 303, 303, 200, 200]
    assert len(store.ids()) > 5


def test_the_pages_say_that_a_link_is_needed(store: TemporaryStore) -> None:
    client = create_app(store.reopen, by_link=True).test_client()
    for path in ("/new", "/new?game=build-up", "/card", "/bring"):
        answer = client.get(path)
        assert answer.status_code == 401
        assert "Only people with a link begin games here" in answer.text.replace("&#39;", "'")
    problem = client.post("/api/v1/records", json={"opening": OPENING}).json
    assert problem["title"] == "A link is needed to begin a game"
    # Everybody watches, and who has a game's link records it.
    assert client.get("/g/game").status_code == 200
    entries = [{"id": "0000000001", "event": NOTE}]
    answer = client.post("/api/v1/records/game/events", json={"expected": 1, "entries": entries},
                         headers={"Authorization": f"Bearer {MEMBER}"})  # fmt: skip
    assert answer.status_code == 200
    # A link opens the page.
    assert client.post("/door", data={"key": STRANGER, "record": ""}).status_code == 401
    assert client.post("/door", data={"key": MEMBER, "record": ""}).status_code == 204
    assert client.get("/new").status_code == 200


def test_elsewhere_anybody_begins_games(store: TemporaryStore) -> None:
    assert doors(create_app(store.reopen).test_client(), "", cookie=False) == [201, 303, 303, 200, 200]
