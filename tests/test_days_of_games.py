"""The day of a game: one that does not exist is refused at every door, and one that has not come is asked about."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from ledger.cli import cli
from ledger.examples.season import season
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.keep.stored_audits import refresh
from ledger.record.codec import check, encode
from ledger.record.errors import NotARecord
from ledger.record.events import Amend
from ledger.record.json_schema import schema
from ledger.record.record import Record
from ledger.stores.beside import Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from sheets import OPENING
from temporary import TemporaryStore
from viewer.app import create_app

NEVER = ["2026-13-01", "2026-02-31", "2027-02-29", "9999-99-99", "0000-00-00"]
AHEAD = "2062-11-28"


def run(folder: Path, *arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["--ledger", str(folder / "club.sqlite"), *arguments], input=text)


def records(folder: Path) -> int:
    path = folder / "club.sqlite"
    if not path.exists():
        return 0
    with SqliteStore(path) as store:
        return store.count_records(Query())


def record_of(day: str) -> bytes:
    return json.dumps(
        {"format": "domino-ledger/1", "events": [{"type": "open", "game": "zigzag", "played": day,
         "players": [{"id": "a", "name": "Ana"}, {"id": "b", "name": "Ben"}, {"id": "c", "name": "Cy"}]}]}
    ).encode()  # fmt: skip


def files(day: str) -> dict[str, bytes]:
    """A game of that day in each kind of file."""
    return {
        "game.json": record_of(day),
        "games.ndjson": record_of(day) + b"\n",
        "game.sheet": f"Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nPlayed: {day}\n\nA bids 3\n".encode(),
        "results.csv": f"day,game,player,score\n{day},zigzag,Ana,3\n{day},zigzag,Ben,4\n{day},zigzag,Cy,5\n".encode(),
        "plays.json": json.dumps(
            {"games": [{"id": 1, "name": "Zigzag"}], "players": [{"id": n, "name": "ABC"[n]} for n in range(3)],
             "plays": [{"gameRefId": 1, "playDate": f"{day} 19:00:00",
                        "playerScores": [{"playerRefId": n, "score": f"{n}"} for n in range(3)]}]}
        ).encode(),
    }  # fmt: skip


KINDS = tuple(files(AHEAD))


@pytest.mark.parametrize("day", NEVER)
@pytest.mark.parametrize("kind", KINDS)
def test_no_file_brings_a_game_of_a_day_that_does_not_exist(tmp_path, kind: str, day: str) -> None:
    (tmp_path / kind).write_bytes(files(day)[kind])
    result = run(tmp_path, "import", str(tmp_path / kind))
    assert result.exit_code == 2
    assert day in result.stderr
    assert records(tmp_path) == 0


@pytest.mark.parametrize("day", NEVER)
def test_no_event_has_a_day_that_does_not_exist(day: str) -> None:
    opening = replace(OPENING, played=day)
    with pytest.raises(NotARecord, match=f"there is no day {day}") as caught:
        check((opening,))
    assert (caught.value.event, caught.value.field) == (0, "$.played")
    with pytest.raises(NotARecord, match=f"there is no day {day}") as caught:
        check((OPENING, Amend(0, opening, "the wrong evening")))
    assert caught.value.event == 1


def test_the_schema_knows_days_too() -> None:
    (played,) = [part for part in schema()["$defs"]["Open"]["properties"]["played"]["anyOf"] if part["type"] != "null"]
    assert played["format"] == "date"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_with_a_day_to_come_needs_a_word(tmp_path, kind: str) -> None:
    (tmp_path / kind).write_bytes(files(AHEAD)[kind])
    asked = run(tmp_path, "import", str(tmp_path / kind))
    assert (asked.exit_code, records(tmp_path)) == (2, 0)
    assert f"{kind}" in asked.stderr
    assert "28 Nov 2062 has not come yet: add --yes" in asked.stderr
    assert run(tmp_path, "import", "--yes", str(tmp_path / kind)).exit_code == 0
    assert records(tmp_path) == 1


@pytest.mark.parametrize(
    "command", [["new", "zigzag", "Ana", "Ben", "Cy"], ["card", "zigzag", "Ana=5", "Ben=3", "Cy=1"]]
)
def test_a_command_with_a_day_to_come_needs_a_word(tmp_path, command: list[str]) -> None:
    asked = run(tmp_path, *command, "--played", AHEAD)
    assert (asked.exit_code, records(tmp_path)) == (2, 0)
    assert "28 Nov 2062 has not come yet: add --yes" in asked.stderr
    assert run(tmp_path, *command, "--played", AHEAD, "--yes").exit_code == 0
    # Somewhere it is tomorrow.
    assert run(tmp_path, *command, "--played", "2026-11-21").exit_code == 0
    assert records(tmp_path) == 2


@pytest.fixture
def ledger() -> TemporaryStore:
    """Games of a club, and one whose day was written with a slip of the key."""
    store = TemporaryStore()
    for example in season():
        Recorder(store).import_record(example.record, example.id)
    last = season()[-1].record
    moved = Record((replace(last.opening, played=AHEAD, event="Cup"), *last.events[1:]))
    Recorder(store).import_record(moved, "ahead")
    for _ in refresh(store):
        pass
    return store


def test_a_day_to_come_pins_no_page(ledger: TemporaryStore) -> None:
    client = create_app(ledger.reopen).test_client()
    page = client.get("/").text
    assert "Last evening" in page
    assert "/g/ahead" not in page
    assert "a day to come" in client.get("/?q=Cup").text
    assert client.get("/api/v1/records?order=played&limit=500").json["records"][-1]["id"] == "ahead"
    listed = client.get("/?order=played&since=2020-01-01").text
    assert ("/g/ahead" in listed, "/g/" in listed) == (False, True)
    only = TemporaryStore()
    Recorder(only).import_record(ledger.read("ahead"), "ahead")
    page = create_app(only.reopen).test_client().get("/").text
    assert "Last evening" not in page
    assert "/g/ahead" in page


def test_a_program_is_asked_about_a_day_to_come(ledger: TemporaryStore) -> None:
    store = TemporaryStore()
    store.put([Key("", key_digest("the owner"), "owner")])
    client = create_app(store.reopen).test_client()
    opening = msgspec.to_builtins(replace(ledger.read("ahead").opening, rules=None))
    asked = client.post("/api/v1/records", json={"opening": opening})
    assert (asked.status_code, store.ids()) == (422, ())
    assert asked.json["detail"] == "28 Nov 2062 has not come yet: send sure=true if it is the day of the game"
    assert client.post("/api/v1/records", json={"opening": opening, "sure": True}).status_code == 201
    assert client.post("/api/v1/records", json={"opening": opening | {"played": "2026-11-21"}}).status_code == 201

    def bring(query: str) -> list[str]:
        lines = encode(ledger.read("ahead")) + b"\n" + encode(ledger.read(ledger.ids()[0]))
        headers = {"Content-Type": "application/x-ndjson", "Authorization": "Bearer the owner"}
        answer = client.post(f"/api/v1/records.ndjson{query}", data=lines, headers=headers)
        return [line["outcome"] for line in answer.json["lines"]]

    assert bring("") == ["refused", "imported"]
    assert bring("?sure=true") == ["imported", "known"]


FORM = {"game": "zigzag", "player1": "Ana", "player2": "Ben", "player3": "Cy"}
CARD = {"game": "zigzag", "scores": "Ana 5\nBen 3\nCy 1"}


@pytest.mark.parametrize("path", ["/new", "/card"])
def test_a_form_asks_once_about_a_day_to_come(path: str) -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    form = {**(FORM if path == "/new" else CARD), "id": new_id(), "key": new_key(), "played": AHEAD}
    asked = client.post(path, data=form)
    assert asked.status_code == 422
    assert "28 Nov 2062 has not come yet" in asked.text
    (sure,) = re.findall('name="sure" value="([^"]*)"', asked.text)
    assert not store.ids()
    assert client.post(path, data=form | {"sure": sure, "played": "2063-01-01"}).status_code == 422
    assert client.post(path, data=form | {"sure": sure}).status_code == 303
    assert client.post(path, data=form | {"played": "2026-02-31", "sure": sure}).status_code in (422, 303)
    assert len(store.ids()) == 1


def test_an_answer_about_another_fault_is_no_answer_about_the_day() -> None:
    client = create_app(TemporaryStore().reopen).test_client()
    page = client.post("/card", data=CARD | {"scores": "Ana", "played": AHEAD}).text
    assert re.findall('name="sure" value="([^"]*)"', page) == [""]


def test_a_program_is_refused_a_day_that_does_not_exist() -> None:
    client = create_app(TemporaryStore().reopen).test_client()
    body = json.loads(record_of("2026-02-31"))["events"][0]
    answer = client.post("/api/v1/records", json={"opening": body})
    assert answer.status_code == 422
    assert "there is no day 2026-02-31" in answer.text


def test_a_sheet_names_the_line_of_its_day(tmp_path) -> None:
    (tmp_path / "a.sheet").write_bytes(files("2026-02-31")["game.sheet"])
    assert "a.sheet:3" in run(tmp_path, "import", str(tmp_path / "a.sheet")).stderr
