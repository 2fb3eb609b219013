"""The recorder's server: keys, repeated batches, conflicts, and games begun on a page."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import ACTS, AnyEvent, Bid, Open, Pass, Play, Retract, Stack
from ledger.record.tiles import named
from ledger.stores import connection, questions
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.phone import offline_files

SEED = 7


class Phone:
    """A client that records one game."""

    def __init__(self, *, recording: bool = True) -> None:
        self.ledger = TemporaryStore()
        self.key = new_key()
        self.id = Recorder(self.ledger).open(Open("zigzag", players=PLAYERS))
        self.ledger.put([Key(self.id, key_digest(self.key))])
        self.client = create_app(self.ledger.reopen, recording=recording).test_client()

    def post(self, action: str, body: Any, key: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key if key is None else key}"}
        data = msgspec.json.encode(body)
        path = f"/api/v1/records/{self.id}/{action}"
        return self.client.post(path, data=data, headers=headers, content_type="application/json")

    def send(self, expected: int, *entries: tuple[str, AnyEvent], key: str | None = None) -> Any:
        rows = [{"id": id_, "event": json.loads(codec.encode_event(event))} for id_, event in entries]
        return self.post("events", {"expected": expected, "entries": rows}, key)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        return tuple(msgspec.structs.replace(e, when=None) for e in self.ledger.read(self.id).events[1:])


@pytest.fixture
def phone() -> Phone:
    return Phone()


def test_what_is_sent_is_recorded_and_the_answer_says_where_the_record_is(phone: Phone) -> None:
    answer = phone.send(1, ("first-0001", Bid("ana", 3)), ("second-0002", Pass("ben")))
    assert answer.status_code == 200
    screen = phone.client.get(f"/api/v1/records/{phone.id}/screen").json
    assert answer.json == {"version": 3, "link": screen["link"]}
    assert [move["words"] for move in screen["moves"]] == ["Ana bids 3", "Ben passes"]
    assert screen["scene"]["seats"][2]["turn"]
    assert phone.events == (Bid("ana", 3), Pass("ben"))


def test_random_retries_lose_nothing_and_double_nothing() -> None:
    random = Random(SEED)
    acts = [event for event in simulate(catalog.find("zigzag"), 3, {"hands": 3}).events if isinstance(event, ACTS)]
    for _ in range(25):
        phone = Phone()
        end = recorded = 0
        while recorded < 30:
            end = max(end, random.randint(recorded + 1, 30))
            start = random.randint(0, recorded) if random.random() < 0.5 else recorded
            entries = [(f"entry-{n:08}", acts[n]) for n in range(start, end)]
            assert phone.send(start + 1, *entries).status_code == 200
            if random.random() < 0.6:  # otherwise the answer is lost
                recorded = end
        assert phone.events == tuple(acts[:30])


def test_the_second_of_two_sees_what_the_first_recorded(phone: Phone) -> None:
    phone.send(1, ("first-0001", Bid("ana", 3)))
    answer = phone.send(1, ("other-0001", Bid("ana", 4)), ("other-0002", Pass("ben")))
    assert answer.status_code == 409
    assert answer.content_type == "application/problem+json"
    assert answer.json["version"] == 2
    assert answer.json["done"] == 0
    (missed,) = answer.json["missed"]
    assert (missed["seq"], missed["words"], missed["event"]["bid"]) == (1, "Ana bids 3", 3)
    assert phone.events == (Bid("ana", 3),)


def test_an_entry_that_cannot_be_recorded_is_refused_and_those_before_it_stand(phone: Phone) -> None:
    entries = (("first-0001", Bid("ana", 3)), ("second-0002", Retract(9, "why")), ("third-0003", Pass("cy")))
    answer = phone.send(1, *entries)
    assert answer.status_code == 422
    assert (answer.json["done"], answer.json["version"]) == (1, 2)
    assert "no earlier move" in answer.json["detail"]
    assert phone.events == (Bid("ana", 3),)
    assert phone.send(2, ("fourth-0004", Pass("nobody"))).status_code == 422
    assert phone.send(1, ("first-0001", Bid("ana", 9))).status_code == 422  # an id that stands for something else


@pytest.mark.parametrize("key", ["", "x", new_key()], ids=["none", "short", "another"])
def test_without_the_key_nothing_is_recorded(phone: Phone, key: str) -> None:
    answer = phone.send(1, ("first-0001", Bid("ana", 3)), key=key)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert phone.events == ()
    phone.id = Recorder(phone.ledger).open(Open("zigzag", players=PLAYERS))
    assert phone.send(1, ("first-0001", Bid("ana", 3))).status_code == 401


def test_an_invalid_batch_is_refused_with_the_reason(phone: Phone) -> None:
    path = f"/api/v1/records/{phone.id}/events"
    assert phone.client.post(path, data="{}", content_type="text/plain").status_code == 415
    for body, reason in (
        ("{", "truncated"),
        ("{}", "required field `expected`"),
        ('{"expected":1,"entries":[]}', "length >= 1"),
        ('{"expected":1,"entries":[{"id":"a","event":{"type":"pass","player":"ana"}}]}', "regex"),
        ('{"expected":1,"entries":[{"id":"aaaaaaaa","event":{"type":"jump"}}]}', "Invalid value 'jump'"),
    ):
        answer = phone.client.post(path, data=body, content_type="application/json")
        assert answer.status_code == 400
        assert reason in answer.json["detail"]
    large = phone.client.post(path, data=b" " * 1_000_001, content_type="application/json")
    assert large.status_code == 413
    assert large.content_type == "application/problem+json"


def test_an_event_that_the_game_does_not_know_is_refused(phone: Phone) -> None:
    assert "has no stack" in phone.send(1, ("first-0001", Stack("ana", named("1-1"), 1))).json["detail"]
    assert phone.send(1, ("first-0001", Play("ana", named("1-1")))).status_code == 200


# ── A game is begun ────────────────────────────────────────────────────────────────────────────────────────


def begin(client: FlaskClient, **typed: str) -> Any:
    form = {"id": new_id(), "key": new_key(), "game": "zigzag"}
    form |= {"player1": "Ana", "player2": "Ben", "player3": "Cy"}
    return client.post("/new", data=form | typed)


def id_in(location: str) -> str:
    return location.removeprefix("/r/").partition("#")[0]


def test_a_game_is_begun_once_however_often_it_is_sent(phone: Phone) -> None:
    record_id, key = new_id(), new_key()
    for _ in range(2):
        answer = begin(phone.client, id=record_id, key=key, **{"option.first_bidder": '"seat 2"'})
        assert answer.status_code == 303
        assert answer.location == f"/r/{record_id}#{key}"
    opening = phone.ledger.read(record_id).opening
    assert [player.id for player in opening.players] == ["p1", "p2", "p3"]
    assert opening.options == {"first_bidder": "p2"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", opening.played or "")
    assert questions.roles(phone.ledger, record_id, key_digest(key))
    assert begin(phone.client, id=record_id).status_code == 409  # with another key


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"player2": "ANA "}, "player2", "There are two players called ANA. Add a letter to one: “ANA L.”?"),
        ({"player1": "Zoe\u0308", "player3": "ZO\u00cb"}, "player3", "There are two players called ZO\u00cb"),
        ({"player2": ""}, "player2", "Player 2 has no name."),
        ({"player2": "\u200b \u2060"}, "player2", "Player 2 has no name."),
        ({"player4": "Dee"}, "player3", "Zigzag is for three players. Take one out."),
        ({"player1": "", "player2": "", "player3": ""}, "player1", "Zigzag is for three players. Name three more."),
        ({"player3": ""}, "player3", "Zigzag is for three players. Name one more."),
        ({"option.target": "many"}, "option.target", "“many” is not one of"),
    ],
)
def test_what_is_wrong_is_reported_at_its_field(phone: Phone, typed: dict[str, str], field: str, message: str) -> None:
    answer = begin(phone.client, **typed)
    assert answer.status_code == 422
    messages = dict(re.findall(r'<p class="wrong" id="([\w.]+)-wrong" role="alert">([^<]*)</p>', answer.text))
    assert list(messages) == [field]
    assert messages[field].startswith(message)
    assert 'value="Ben"' in answer.text or "player2" in typed
    assert "$." not in answer.text
    assert "event 0" not in answer.text
    assert len(phone.ledger.ids()) == 1


def test_what_no_form_sends_begins_nothing(phone: Phone) -> None:
    both = begin(phone.client, **{"option.target": "60", "option.hands": "3"})
    assert "A game has a target or a fixed number of hands, not both." in both.text
    for wrong in ({"game": "chess"}, {"key": "short"}):
        assert begin(phone.client, **wrong).status_code == 400
    assert len(phone.ledger.ids()) == 1


def test_the_number_of_players_depends_on_the_edition(phone: Phone) -> None:
    two = {"game": "domino-ziggurat", "player1": "Ana", "player2": "Ben", "player3": ""}
    refused = begin(phone.client, **two, edition="1.1")
    assert refused.status_code == 422
    assert "Domino Ziggurat is for one player. Take one out." in refused.text
    assert begin(phone.client, **two, edition="2").status_code == 303


def test_the_form_offers_the_people_of_the_last_tables(phone: Phone) -> None:
    begin(phone.client, player1="Dee", player2="Eli", player3="ana")
    page = phone.client.get("/new?game=ziggurat").text
    assert re.findall(r'data-name="([^"]*)"', page) == ["Dee", "Eli", "ana", "Ben", "Cy"]


def test_a_private_ledger_does_not_tell_which_records_there_are(phone: Phone) -> None:
    client = create_app(lambda: phone.ledger, private=True).test_client()
    assert {client.get(f"/r/{record_id}").status_code for record_id in ("nope", phone.id)} == {200}


def test_the_worker_stores_every_part_of_the_page(phone: Phone) -> None:
    with phone.client.get("/worker.js") as answer:
        parts = json.loads(f"[{answer.text.partition('const PARTS = [')[2].partition('];')[0]}]")
    for part in parts:
        with phone.client.get(part) as file:
            assert file.status_code == 200, part
            if part.endswith(".js"):
                for module in re.findall(r'from "\./([\w.]+)";', file.text):
                    assert f"{part.rpartition('/')[0]}/{module}" in parts
    page = phone.client.get(f"/r/{phone.id}").text
    assert set(re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css|webmanifest))"', page)) <= set(parts)


def test_options_are_read_as_the_game_means_them(phone: Phone) -> None:
    typed = {"option.scoring": '"points"', "option.target": "none", "option.hands": "6", "option.split_penalty": "true"}
    record_id = id_in(begin(phone.client, **typed).location)
    opening = phone.ledger.read(record_id).opening
    assert opening.options == {"scoring": "points", "target": None, "hands": 6, "split_penalty": True}
    rematch = phone.client.get(f"/new?from={record_id}").text
    assert 'name="player1" value="Ben"' in rematch
    assert 'name="player1" value="Ana"' in phone.client.get(f"/new?again={record_id}").text
    split = rematch.partition('name="option.split_penalty"')[2].partition("</select>")[0]
    assert '<option value="true" selected>' in split


@pytest.mark.parametrize("game", catalog.names())
def test_every_game_has_a_form_and_it_opens_the_game(phone: Phone, game: str) -> None:
    page = phone.client.get(f"/new?game={game}").text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)"', page))
    form |= {name: f"P{n}" for n, name in enumerate(re.findall(r'name="(player\d)"[^>]*required', page))}
    options = re.findall(r'<select name="([\w.]+)"><option value="([^"]*)"', page)
    form |= {name: value.replace("&#34;", '"') for name, value in options}
    assert phone.client.post("/new", data=form).status_code == 303
    assert phone.ledger.read(form["id"]).opening.game == game


def test_the_recorder_is_one_page_for_all_records(phone: Phone) -> None:
    first, second = phone.client.get("/r/aaaaaaaaaa").data, phone.client.get("/r/bbbbbbbbbb").data
    assert first == second
    with phone.client.get("/worker.js") as worker:
        assert worker.mimetype == "text/javascript"


def test_the_worker_is_made_again_only_when_its_pages_changed(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    first = phone.client.get("/worker.js").data
    rendered = list[str]()
    monkeypatch.setattr(offline_files, "render_template", lambda name, **_values: rendered.append(name) or name)
    assert phone.client.get("/worker.js").data == first
    assert not rendered
    monkeypatch.setattr(offline_files, "loss", lambda: "3 of 10 events are gone")
    assert phone.client.get("/worker.js").data != first
    assert rendered == [*offline_files.STORED_PAGES]


def test_a_form_that_cannot_be_recorded_now_keeps_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    ledger = SqliteStore(tmp_path / "a.sqlite")
    client = create_app(ledger.reopen).test_client()
    form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "Zoë", "player2": "Ben", "player3": "Cy",
            "place": "the kitchen", "option.set": "6"}  # fmt: skip
    with closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        answer = client.post("/new", data=form)
        writer.execute("ROLLBACK")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert "press Begin again" in answer.text
    for typed in (form["id"], form["key"], "Zoë", "Ben", "the kitchen"):
        assert f'value="{typed}"' in answer.text
    assert ledger.ids() == ()
    assert client.post("/new", data=form).status_code == 303
    assert len(ledger.ids()) == 1
    ledger.close()
