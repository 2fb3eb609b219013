"""Several hands: a sheet of links for the tables of an evening, who records with which link, and links that end."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from ledger.cli import cli
from ledger.keep.recorder import Recorder, key_digest, new_key, new_link
from ledger.keep.score_cards import ScoreCard
from ledger.record import codec
from ledger.record.events import Bid, Close, Open, Player
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server.phones_of_links import MOST, PHONES, Hands, kind
from viewer.server.qr_codes import qr_code

OWNER, SECRET = new_key(), new_key()
DAY = "2026-11-20"
PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben</b>", "לי"))
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
BID = json.loads(codec.encode_event(Bid("ana", 3)))


def opened(event: str, day: str = DAY) -> Open:
    return Open("zigzag", players=PLAYERS, event=event, played=day)


@pytest.fixture
def ledger() -> TemporaryStore:
    """Two tables of one day in two events, and what needs no link: a card, a closed game, a game of another day."""
    store = TemporaryStore()
    store.put([Key("", key_digest(OWNER), "owner"), Key("first00000", key_digest(SECRET))])
    recorder = Recorder(store)
    recorder.open(opened("Spring Cup"), "first00000")
    recorder.open(opened("League"), "second0000")
    recorder.open(opened("League", "2026-11-19"), "earlier000")
    recorder.open(opened("League"), "over000000")
    recorder.append("over000000", Close("abandoned"))
    recorder.import_record(ScoreCard("zigzag", {"Ana": 5, "Ben": 3}, None, DAY, None, None).record())
    return store


@pytest.fixture
def app(ledger: TemporaryStore) -> Flask:
    return create_app(ledger.reopen)


def client_of(app: Flask, key: str = OWNER) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("domino", key)
    return client


def record(app: Flask, key: str = SECRET, *, number: int = 1, browser: str = ANDROID) -> int:
    """The status of the answer to an entry that a phone sends."""
    headers = {"Authorization": f"Bearer {key}", "User-Agent": browser}
    body = {"expected": number, "entries": [{"id": f"entry-{number:04}", "event": BID}]}
    return app.test_client().post("/api/v1/records/first00000/events", json=body, headers=headers).status_code


def test_the_sheet_has_a_code_for_each_table_that_records_there(
    app: Flask, ledger: TemporaryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key()
    monkeypatch.setattr("ledger.keep.recorder.new_key", lambda: key)
    assert "Phones cannot reach this address" in client_of(app).post("/owner/tables", data={"played": DAY}).text
    app.extensions["served"].phones = "http://club.example/"  # as a server notes it that listens everywhere
    page = client_of(app).post("/owner/tables", data={"played": DAY})
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert page.text.count("<figure") == 2
    for record_id in ("first00000", "second0000"):
        assert qr_code(f"http://club.example/r/{record_id}#{key}") in page.text
        assert f"<code>http://club.example/g/{record_id}</code>" in page.text
    assert key not in page.text  # a code only: what is read aloud or copied must not record
    assert "<bdi>Ben&lt;/b&gt;</bdi>" in page.text
    assert record(app, key) == 200
    assert record(app, SECRET, number=2) == 200
    only_one = client_of(app).post("/owner/tables", data={"played": DAY, "event": "spring", "only": "1"})
    assert only_one.text.count("<figure") == 1
    assert record(app, SECRET, number=3) == 401
    assert record(app, key, number=3) == 200
    assert len(list(ledger.kept(Key, "second0000"))) == 1  # both sheets have the same


@pytest.mark.parametrize("form", [{"played": "2026-11-21"}, {"played": DAY, "event": "Winter"}, {"played": "friday"}])
def test_a_day_without_a_game_in_play_has_no_sheet(app: Flask, form: dict[str, str]) -> None:
    assert client_of(app).post("/owner/tables", data=form).status_code == 409


def test_a_private_sheet_says_nowhere_where_people_watch(ledger: TemporaryStore) -> None:
    page = client_of(create_app(ledger.reopen, private=True)).post("/owner/tables", data={"played": DAY})
    assert (page.status_code, page.text.count("<figure"), "/g/first00000" in page.text) == (200, 2, False)


def test_the_owner_sees_who_records_and_ends_a_link(app: Flask, ledger: TemporaryStore) -> None:
    assert "Not used yet." in client_of(app).get("/owner").text
    assert [record(app), record(app, number=2), record(app, number=3, browser=IPHONE)] == [200] * 3
    page = client_of(app).get("/owner").text
    assert page.index("An iPhone: 1 entry, last heard") < page.index("An Android phone: 2 entries, last heard")
    link = key_digest(SECRET).hex()
    assert f'value="{link}"' in page
    question = {"id": "first00000", "key": SECRET}
    log = app.test_client().post("/api/v1/exchange", json=question).json
    assert log is not None
    assert log["seal"]
    assert client_of(app).post("/owner/end", data={"record": "first00000", "link": link}).status_code == 303
    headers = {"Authorization": f"Bearer {SECRET}"}
    body = {"expected": 4, "entries": [{"id": "entry-0004", "event": BID}]}
    refusal = app.test_client().post("/api/v1/records/first00000/events", json=body, headers=headers)
    assert refusal.status_code == 401
    assert "Ask the owner of the ledger for a new recorder's link" in refusal.json["detail"]  # type: ignore[index]
    # The phone hands in the keys with its seal; the ended link does not come back with them.
    returned = {**question, "add": log["events"], "seal": log["seal"]}
    answer = app.test_client().post("/api/v1/exchange", json=returned)
    assert (answer.status_code, answer.json["opens"]) == (200, False)  # type: ignore[index]
    assert record(app, number=4) == 401
    assert link not in client_of(app).get("/owner").text
    assert client_of(app).post("/owner/end", data={"record": "first00000", "link": link}).status_code == 409
    # A new link goes on where the other ended.
    assert record(app, new_link(ledger, "first00000", "record"), number=4) == 200


@pytest.mark.parametrize("key", ["", SECRET, new_key()], ids=["nobody", "recorder", "stranger"])
def test_nobody_but_the_owner_sees_or_ends_links(app: Flask, ledger: TemporaryStore, key: str) -> None:
    client = client_of(app, key)
    link = key_digest(SECRET).hex()
    assert link not in client.get("/owner").text
    assert client.post("/owner/end", data={"record": "first00000", "link": link}).status_code == 401
    assert client.post("/owner/tables", data={"played": DAY}).status_code == 401
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert client_of(app).post("/owner/tables", data={"played": DAY}, headers=elsewhere).status_code == 403
    assert [kept.digest for kept in ledger.kept(Key, "first00000")] == [key_digest(SECRET)]


def test_only_so_many_phones_are_remembered() -> None:
    hands = Hands()
    for number in range(PHONES + 2):
        hands.note("a", b"key", (str(number), ANDROID), number)
    assert [phone.entries for phone in hands.of("a", b"key")] == [9, 8, 7, 6, 5, 4, 3, 2]
    for number in range(MOST):
        hands.note("b", b"%d" % number, ("", ""))
    assert hands.of("a", b"key") == []
    assert [kind(name) for name in (IPHONE, "Mozilla/5.0 (Windows NT 10.0)", "curl/8")] == [
        "an iPhone", "a computer", "a program",
    ]  # fmt: skip


def test_the_command_writes_the_sheet(ledger: TemporaryStore, tmp_path: Path) -> None:
    page, path = tmp_path / "tables.html", str(ledger.path)

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(cli, ["--ledger", path, "link", *arguments])
        assert result.exit_code == status, result.output
        return result.output

    where = ("-o", str(page), "--address", "https://club.example", "--played", DAY)
    assert f"Wrote 2 links to {page}." in run(*where)
    assert page.read_text("utf-8").count("<figure") == 2
    with SqliteStore(Path(path)) as store:
        assert len(list(store.kept(Key, "second0000"))) == 1
    assert "no game of 2026-11-20 is in play" in run(*where[:4], "--played", "2026-11-20", "--event", "x", status=2)
    assert "for a sheet" in run("--event", "Cup", status=2)
    assert "leave the record" in run("first00000", *where, status=2)
    assert "should end in .html" in run("-o", str(tmp_path / "a.pdf"), "--played", DAY, status=2)
