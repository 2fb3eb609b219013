"""Odd requests: each is refused with a reason or shown as it is, and none makes the server fail."""

from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record.events import Open
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app

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
def test_an_odd_event_is_refused_or_shown_on_every_page(tmp_path: Path, event: str) -> None:
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
        ("/r/%00", 404),
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


def test_on_a_full_disk_a_phone_is_asked_to_try_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
