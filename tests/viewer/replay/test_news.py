"""News: a page that follows a game asks what the ledger has of it that the page has not."""

import json
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from flask.testing import FlaskClient

from ledger import notation
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.transfer import forget, known_as
from ledger.record import codec
from ledger.record.events import Close, Open, Player
from ledger.stores import questions
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from viewer.app import create_app

SHEET = [
    "A lays 0-3 1-3 2-2 3-3 5-6 1-6",
    "B lays 0-1 1-4 0-0 5-5 4-6 2-5",
    "A draws 6-6",
    "B draws 0-2",
    "A 6-6 on 10",
]


class Table:
    """A game in a ledger, recorded line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with SqliteStore(path) as store:
            self.id = Recorder(store).open(
                Open("build-up", players=(Player(id="ana", name="Ana"), Player(id="ben", name="Ben")))
            )
        self.lines = iter(SHEET)

    def play(self) -> int:
        """Records the next line; returns the version after it."""
        with SqliteStore(self.path) as store:
            return Recorder(store).append(self.id, notation.read_line(next(self.lines), store.read(self.id)))


@pytest.fixture
def table(tmp_path) -> Table:
    return Table(tmp_path / "a.sqlite")


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(lambda: SqliteStore(table.path)).test_client()


def news(client: FlaskClient, record_id: str, **have: Any) -> Any:
    answer = client.get(f"/api/v1/records/{record_id}/news", query_string={k.rstrip("_"): v for k, v in have.items()})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json


def test_an_answer_has_the_events_that_are_new(table: Table, client: FlaskClient) -> None:
    first = news(client, table.id)
    assert (first["version"], first["from"], first["after"], first["opens"]) == (1, 0, "", False)
    assert [entry["id"] for entry in first["events"]] == [table.id], "the id of an opening is the record's"
    assert news(client, table.id, from_=1)["events"] == []
    table.play()
    table.play()
    answer = news(client, table.id, from_=1, link=first["events"][-1]["link"], names=first["names"])
    with SqliteStore(table.path) as store:
        links = [(questions.link(store, table.id, version) or b"").hex() for version in (1, 2, 3)]
        events = store.read(table.id).events[1:]
    assert [answer[name] for name in ("version", "from", "after", "names")] == [3, 1, links[0], first["names"]]
    assert [(entry["id"], entry["link"]) for entry in answer["events"]] == [(link, link) for link in links[1:]]
    assert tuple(codec.decode_event(json.dumps(entry["event"])) for entry in answer["events"]) == events


def test_an_event_of_a_phone_has_the_id_that_the_phone_gave_it(table: Table, client: FlaskClient) -> None:
    key = new_key()
    with SqliteStore(table.path) as store:
        store.put([Key(table.id, key_digest(key))])
    entries = [{"id": "phone-000001", "event": {"type": "note", "text": "x"}}]
    headers = {"Authorization": f"Bearer {key}"}
    batch = {"expected": 1, "entries": entries}
    assert client.post(f"/api/v1/records/{table.id}/events", json=batch, headers=headers).status_code == 200
    (entry,) = news(client, table.id, from_=1)["events"]
    assert entry["id"] == "phone-000001"
    assert client.get(f"/api/v1/records/{table.id}/news", headers=headers).json["opens"]


def test_a_ledger_that_has_less_says_what_it_has(table: Table, client: FlaskClient) -> None:
    table.play()
    answer = news(client, table.id, from_=9, link="00")
    with SqliteStore(table.path) as store:
        link = questions.link(store, table.id, 2)
    assert (answer["version"], answer["from"], answer["after"], answer["events"]) == (2, 2, (link or b"").hex(), [])


def test_a_ledger_that_has_something_else_sends_all_of_it(table: Table, client: FlaskClient) -> None:
    table.play()
    answer = news(client, table.id, from_=2, link="00" * 32)
    assert (answer["version"], answer["from"], answer["after"], len(answer["events"])) == (2, 0, "", 2)


def test_a_record_that_the_ledger_does_not_have_is_at_version_0(client: FlaskClient) -> None:
    answer = news(client, "nothing000", from_=5, link="00")
    assert answer == {"version": 0, "from": 0, "after": "", "names": "", "opens": False, "events": []}


def test_a_page_that_is_open_hears_that_a_name_was_erased(table: Table, client: FlaskClient) -> None:
    before = news(client, table.id)["names"]
    table.play()
    assert news(client, table.id, from_=2, names=before)["names"] == before, "moves are no renamings"
    with SqliteStore(table.path) as store:  # another process does it
        forget(store, "Ana", known_as(store, "Ana"))
    answer = client.get(f"/api/v1/records/{table.id}/news", query_string={"from": 2, "names": before})
    assert answer.json["names"] != before
    assert answer.json["from"] == 0, "the page gets all of it without the name"
    assert b"Ana" not in answer.data


@pytest.mark.parametrize(
    "query",
    [
        "from=x", "from=-1", "from=01", "from=²", "from=", "from=" + "9" * 5000, "link=" + "0" * 65, "since=1",
    ],
)  # fmt: skip
def test_a_question_that_cannot_be_read_is_refused(table: Table, client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/v1/records/{table.id}/news?{query}").status_code == 400


def test_a_page_that_follows_a_game_gets_what_a_move_changes(table: Table, client: FlaskClient) -> None:
    table.play()
    page = client.get(f"/g/{table.id}").text
    assert f'data-parts="/g/{table.id}/parts"' in page
    before = client.get(f"/g/{table.id}/parts").json
    assert before["data"]["rows"] == [crc32(row.encode()) for row in before["rows"]]
    version = table.play()
    parts = client.get(f"/g/{table.id}/parts").json
    assert parts["data"]["version"] == version
    # The page knows all rows but the new one by their checksums.
    assert parts["data"]["rows"][:-1] == before["data"]["rows"]
    page = client.get(f"/g/{table.id}").text
    for row in parts["rows"][:-1]:
        assert row in page
    for part in ("track", "charts", "about"):
        assert f'id="{part}"' in parts[part].partition(">")[0]
        assert parts[part].strip() in page
    assert client.get("/g/nothing/parts").status_code == 404


def test_a_closed_game_is_not_followed(table: Table, client: FlaskClient) -> None:
    with SqliteStore(table.path) as store:
        Recorder(store).append(table.id, Close("abandoned"))
    data = client.get(f"/g/{table.id}/parts").json["data"]
    assert (data["version"], data["rows"]) == (None, [])
