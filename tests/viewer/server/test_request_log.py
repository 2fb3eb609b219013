"""Around each answer: logs without secrets, health and headers; and the message for one that failed."""

import io
import json
import logging
import re
import shutil
from html import unescape
from typing import Any

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from ledger.keep.recorder import Recorder, new_id, new_key
from ledger.record.errors import IdReused, LedgerError, NotARecord, NotForNow, UnknownGame, UnknownRecord, WrongVersion
from ledger.record.events import Open, Player
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server import logs
from viewer.server.policy import policy

NAMES = ("Wilhelmina", "Ottokar", "Pankraz")
TYPED = "a note that nobody else would type"
SEARCHED = "Kunigunde"


def lines(logged: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in logged.getvalue().splitlines()]


class Broken(TemporaryStore):
    """A ledger that fails unexpectedly, and quotes the request."""

    def find(self, query: Any) -> Any:
        raise ValueError(f"cannot look for {query.player}")


# ── Logs ───────────────────────────────────────────────────────────────────────────────────────────────────


def entry(event: dict[str, Any], expected: int = 1) -> dict[str, Any]:
    return {"expected": expected, "entries": [{"id": f"entry-{expected:04}", "event": event}]}


def test_of_a_whole_recording_no_key_no_name_and_no_word_is_logged(logged: io.StringIO) -> None:
    ledger = Broken()
    client = create_app(ledger.reopen, limits=True).test_client()
    record_id, key, wrong = new_id(), new_key(), new_key()
    form = {"id": record_id, "key": key, "game": "zigzag", "place": TYPED}
    form |= {f"player{n}": name for n, name in enumerate(NAMES, 1)}
    client.get("/new")
    beginning = client.post(
        "/new", data=form, headers={"Cookie": "c=cookie-of-hers", "Referer": f"http://localhost/{TYPED}"}
    )
    assert beginning.status_code == 303
    path = f"/api/v1/records/{record_id}/events"
    note = {"type": "note", "text": TYPED}
    assert client.post(path, json=entry(note), headers={"Authorization": f"Bearer {key}"}).status_code == 200
    assert client.post(path, json=entry(note, 2), headers={"Authorization": f"Bearer {wrong}"}).status_code == 401
    assert client.post(path, json={"x": TYPED}, headers={"Authorization": f"Bearer {key}"}).status_code == 400
    assert client.post("/new", data={**form, "id": new_id(), "player2": ""}).status_code == 422
    assert client.get(f"/r/{record_id}%23{key}").status_code == 404  # a link that was damaged in transit
    assert client.get(f"/{key}/{TYPED}").status_code == 404
    assert client.post("/qr", data=f"http://table/r/{record_id}#{key}").status_code == 200
    assert client.get(f"/g/{record_id}?q={SEARCHED}").status_code == 200
    failed = client.get(f"/?player={SEARCHED}")
    assert failed.status_code == 500
    text = logged.getvalue()
    for secret in (
        key,
        wrong,
        *NAMES,
        *map(str.lower, NAMES),
        TYPED,
        SEARCHED,
        "cookie-of-hers",
        "Bearer",
        "127.0.0.1",
    ):
        assert secret not in text
    entries = lines(logged)
    assert [line["status"] for line in entries] == [200, 303, 200, 401, 400, 422, 404, 404, 200, 200, 500]
    assert entries[2]["path"] == path
    assert entries[6]["path"] == "/r/<record_id>"
    assert entries[7]["path"] == ""
    assert entries[3].keys() == {"time", "level", "request", "method", "path", "status", "ms", "bytes"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in entries)
    assert entries[-1]["level"] == "error"
    assert entries[-1]["request"] == failed.headers["X-Request-Id"]
    assert "in find" in entries[-1]["error"]
    assert entries[-1]["error"].endswith("ValueError")


@pytest.mark.parametrize("path", ["/", "/api/v1/records"])
def test_an_unexpected_error_shows_only_its_number(logged: io.StringIO, path: str) -> None:
    answer = create_app(Broken).test_client().get(f"{path}?player={SEARCHED}")
    assert answer.status_code == 500
    (line,) = lines(logged)
    assert "what is recorded is safe" in answer.text.lower()
    assert line["request"] in answer.text
    assert answer.headers["X-Request-Id"] == line["request"]
    assert answer.mimetype == ("text/html" if path == "/" else "application/problem+json")
    for word in ("ValueError", "Traceback", "test_request_log.py", SEARCHED):
        assert word not in answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_every_answer_has_an_id_of_its_own(client: FlaskClient) -> None:
    headers = {"X-Request-Id": "mine"}
    paths = ("/", "/", "/nothing", "/api", "/rules")
    ids = {client.get(path, headers=headers).headers["X-Request-Id"] for path in paths}
    assert len(ids) == 5
    assert all(re.fullmatch("[0-9a-f]{16}", id_) for id_ in ids)


def test_bytes_are_those_that_are_sent(logged: io.StringIO, client: FlaskClient, names: list[str]) -> None:
    sizes = []
    for path in ("/", "/replay/static/replay_page.js", f"/g/{names[0]}", "/nothing"):
        for headers in ({}, {"Accept-Encoding": "gzip"}):
            with client.get(path, headers=headers) as answer:
                sizes.append(len(answer.data))
    assert client.head("/").status_code == 200
    assert [line["bytes"] for line in lines(logged)] == [*sizes, 0]


def test_requests_of_monitoring_are_not_logged(logged: io.StringIO) -> None:
    client = create_app(TemporaryStore).test_client()
    assert client.get("/healthz").status_code == 200
    assert not lines(logged)


def test_as_text_only_failures_are_a_line(client: FlaskClient) -> None:
    out = io.StringIO()
    handler = logs.configure("text", out)
    try:
        client.get("/")
        client.get("/nothing")
        logging.getLogger("somebody").warning("a warning")
        assert out.getvalue() == ""
        create_app(Broken).test_client().get("/")
        (line,) = out.getvalue().splitlines()
        assert re.search(r"Z GET / 500, \d+\.\d ms, request \w{16}: File .* in find .* ValueError$", line)
    finally:
        logging.getLogger().removeHandler(handler)
        logs.logger.setLevel(logging.NOTSET)


def test_configuring_the_log_again_leaves_one_handler() -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    last = [logs.configure(form, io.StringIO()) for form in ("json", "none", "text")][-1]
    assert [handler for handler in root.handlers if handler not in before] == [last]
    root.removeHandler(last)
    logs.logger.setLevel(logging.NOTSET)


def test_other_lines_are_json_too_and_errors_lose_their_words(logged: io.StringIO) -> None:
    error = KeyError(SEARCHED)
    error.__cause__ = OSError(28, "No space left on device")
    try:
        raise error
    except KeyError:
        logging.getLogger("other").exception("it broke")
    (line,) = lines(logged)
    assert (line["logger"], line["message"], line["level"]) == ("other", "it broke", "error")
    assert "No space left on device" in line["error"]
    assert SEARCHED not in line["error"]


# ── Health ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ledger_that_answers_is_well() -> None:
    for recording in (True, False):
        answer = create_app(TemporaryStore, recording=recording).test_client().get("/healthz")
        assert answer.status_code == 200
        assert answer.json["status"] == "ok"
        assert answer.json["recording"] is recording
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_ledger_that_is_not_well_says_why(tmp_path, monkeypatch) -> None:
    path = tmp_path / "secret-place.sqlite"
    with SqliteStore(path) as store, SqliteStore(path) as second_store:
        store.connection.db.execute("PRAGMA busy_timeout = 10")
        client = create_app(lambda: store).test_client()
        read_only = create_app(lambda: store, recording=False).test_client()

        def reason(viewer: FlaskClient = client) -> str:
            answer = viewer.get("/healthz")
            assert answer.status_code == (503 if "reason" in answer.json else 200)
            assert "secret-place" not in answer.text
            return str(answer.json.get("reason", ""))

        assert reason() == ""
        second_store.connection.db.execute("BEGIN IMMEDIATE")
        assert reason() == "the ledger cannot be written"
        assert reason(read_only) == ""
        second_store.connection.db.execute("ROLLBACK")
        store.connection.db.execute("PRAGMA query_only = 1")
        assert reason() == "the ledger cannot be written"
        store.connection.db.execute("PRAGMA query_only = 0")
        with monkeypatch.context() as patched:
            patched.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(1, 1, 12_000))  # type: ignore[attr-defined]
            assert reason() == "the disk is full: 12 kB are left"
            assert reason(read_only) == ""
        path.rename(tmp_path / "elsewhere.sqlite")
        assert reason() == reason(read_only)
        assert reason().startswith("nothing is written any more: its file was moved or removed while it was open. ")


def test_a_ledger_that_lost_events_is_not_well(tmp_path) -> None:
    path, players = tmp_path / "a.sqlite", tuple(Player(id=name) for name in "abc")
    with SqliteStore(path) as store:
        Recorder(store).open(Open("zigzag", players=players))
        store.connection.copy_to(tmp_path / "older.sqlite")
        Recorder(store).open(Open("zigzag", players=players))
    (tmp_path / "older.sqlite").replace(path)
    with SqliteStore(path) as store:
        answer = create_app(store.reopen).test_client().get("/healthz")
        assert answer.status_code == 503
        assert "lost events" in answer.json["reason"]


def test_a_ledger_that_cannot_be_opened_is_not_well() -> None:
    def fails() -> TemporaryStore:
        raise LedgerError(f"cannot open {SEARCHED}")

    answer = create_app(fails).test_client().get("/healthz")
    assert (answer.status_code, answer.json["reason"]) == (503, "the ledger cannot be read")
    assert SEARCHED not in answer.text


# ── Headers ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_client_with_https_stays_on_https(client: FlaskClient) -> None:
    secure = client.get("/", base_url="https://table.example").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000"
    without_proxy = client.get("/", headers={"X-Forwarded-Proto": "https"}).headers
    assert "Strict-Transport-Security" not in without_proxy
    with_proxy = create_app(TemporaryStore, proxies=1).test_client()
    assert "Strict-Transport-Security" in with_proxy.get("/", headers={"X-Forwarded-Proto": "https"}).headers


# ---- Every refusal has its status, its title and a sentence, on pages for people and in the API for programs.


ERRORS = (
    (UnknownRecord("no record x"), 404, "There is no such record", "no record x"),
    (UnknownGame("no game x"), 422, "This game is not installed here", "no game x"),
    (NotARecord("not JSON"), 422, "This record cannot be read", "not JSON"),
    (IdReused("the id is taken"), 422, "That cannot be done", "the id is taken"),
    (NotForNow("the game is over"), 409, "That cannot be done now", "the game is over"),
    (
        WrongVersion("x", 2, 3), 409, "Another recorder was faster",
        "record x has 3 events, not 2: nothing was written",
    ),
    (
        LedgerError("/home/ana/club.sqlite is locked"), 503, "The ledger cannot do that now",
        "it cannot be read or written at the moment; send it again later, and it is recorded once",
    ),
)  # fmt: skip
"""Each error of the ledger, with the status, the title and the words of its answer."""
PAGES = {
    400: ("This request cannot be read", "Go back and try again."),
    403: ("That is not allowed here", "Use this site's own page."),
    404: ("There is no such page", "Check the address, or look for the game in the list."),
    405: ("That cannot be done here", "This address is only for reading, or only for sending."),
    413: ("That is too much at once", "Send less, in several parts."),
    429: ("Too many requests", "Wait a moment, then try again."),
}


@pytest.fixture(scope="module")
def refusing() -> Flask:
    """A viewer with pages that fail as their address says."""
    app = create_app(TemporaryStore().reopen)

    def fail(number: int) -> None:
        raise ERRORS[number][0]

    for prefix in ("", "/api"):
        app.add_url_rule(f"{prefix}/fail/<int:number>", f"fail{prefix}", fail)
        app.add_url_rule(f"{prefix}/refuse/<int:code>", f"refuse{prefix}", abort)
    return app


@pytest.mark.parametrize("number", range(len(ERRORS)), ids=lambda number: type(ERRORS[number][0]).__name__)
def test_an_error_of_the_ledger_has_its_status_and_its_words(refusing: Flask, number: int) -> None:
    _, status, title, words = ERRORS[number]
    answer = refusing.test_client().get(f"/api/fail/{number}")
    assert answer.status_code == status
    assert answer.json is not None
    assert (answer.json["title"], answer.json["detail"]) == (title, words)
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
    page = refusing.test_client().get(f"/fail/{number}")
    assert page.status_code == status
    assert title in page.text
    assert f"{words[0].upper()}{words[1:]}." in page.text


@pytest.mark.parametrize("status", PAGES)
def test_a_page_that_cannot_be_shown_says_so_in_plain_words(refusing: Flask, status: int) -> None:
    page = refusing.test_client().get(f"/refuse/{status}")
    assert page.status_code == status
    assert all(words in unescape(page.text) for words in PAGES[status])
    answer = refusing.test_client().get(f"/api/refuse/{status}")
    assert answer.json is not None
    assert (answer.json["title"], answer.json["detail"]) == PAGES[status]


def test_a_request_that_is_not_for_this_server_or_compressed_is_refused(refusing: Flask) -> None:
    client = refusing.test_client()
    answer = client.post("/api/v1/records", data=b"x", headers={"Content-Encoding": " GZIP"})
    assert answer.json is not None
    assert (answer.status_code, answer.json["title"], answer.json["detail"]) == (
        415, "Compressed bodies are not accepted", "send the body without a Content-Encoding",
    )  # fmt: skip
    assert answer.headers["Accept-Encoding"] == "identity"
    for encoding in ("identity", "", " Identity "):
        answer = client.post("/api/v1/records", json={}, headers={"Content-Encoding": encoding})
        assert answer.status_code == 400
    answer = client.get("/", headers={"Host": "a..b"})
    assert (answer.status_code, answer.text, answer.mimetype) == (
        400,
        "This request has no valid host.\n",
        "text/plain",
    )


def test_an_answer_has_the_headers_that_keep_other_sites_out(refusing: Flask) -> None:
    client = refusing.test_client()
    headers = client.get("/").headers
    assert {name: headers.get(name) for name in (
        "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy",
        "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Strict-Transport-Security",
    )} == {
        "Content-Security-Policy": policy(),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Strict-Transport-Security": None,
    }  # fmt: skip
    secure = client.get("/", base_url="https://localhost").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000"
    embedded = client.get("/embed/g/nothing").headers
    assert embedded["Content-Security-Policy"] == policy("*") != policy()
    assert embedded["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert client.get("/new").headers["Cache-Control"] == "no-store"
    assert client.get("/r/nothing").headers["Cache-Control"] == "no-store"
