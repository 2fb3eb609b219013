"""A game that begins without a server: the same form, the same refusals and the same record as with one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from golden import CASES, name_of
from ledger.games import catalog
from ledger.keep.recorder import new_id, new_key
from ledger.record import codec
from ledger.record.chain import chained_bytes, links
from ledger.record.events import Open
from temporary import TemporaryStore
from viewer.browser_app import answer
from viewer.phone.new_game import form_fields

MOST = 500
"""The most events that one request may send."""
WHEN = "2026-11-22T15:00:00.000Z"
WRONG: list[dict[str, str]] = [
    {"player1": "Ana"},
    {"player1": "Ana", "player2": "ana"},
    {"player1": "Ana", "player3": "Cy"},
    {"player1": "Ana", "player2": "Ben", "player3": "Cy", "played": "yesterday"},
    {"player1": "Ana", "player2": "Ben", "player3": "Cy", "option.set": "77"},
    {"player1": "Ana", "player2": "Ben", "player3": "Cy", "option.target": "lots"},
]


@pytest.fixture
def store() -> TemporaryStore:
    return TemporaryStore()


def ask(name: str, **question: Any) -> Any:
    return json.loads(answer(name, msgspec.json.encode(question).decode()))


def form_in(page: str) -> str:
    """The form of a page, but for the id, the key and the address that it is sent to."""
    form = page[page.index("<h1>") : page.index("</form>")]
    return re.sub(r'( name="(?:id|key)") value="[^"]*"', r"\1", form).replace(' action="/new"', "")


def wrong_in(page: str) -> list[str]:
    """What a form says is wrong."""
    return re.findall(r'<p class="wrong"[^>]*role="alert">([^<]+)</p>', page)


@pytest.mark.parametrize("game", catalog.names())
def test_no_choice_is_offered_twice(game: str) -> None:
    for field in (field for group in form_fields(catalog.find(game), {}).groups for field in group.fields):
        labels = [label for _sent, label in field.choices]
        assert len(labels) == len(set(labels)), field.name


def test_a_phone_begins_the_games_that_its_rules_have(client: FlaskClient) -> None:
    page, here = (client.get(address).text for address in ("/new", "/r/any"))
    games = re.findall(
        r'<a href="([^"]+)" data-begin>.*?<b>([^<]+)', here.partition('id="games"')[2].partition("</ul>")[0]
    )
    assert games == [(f"/new?game={name}", catalog.find(name).title) for name in sorted(catalog.built_in())]
    assert set(games) <= set(re.findall(r'<a href="([^"]+)">.*?<b>([^<]+)', page))


@pytest.mark.parametrize("game", catalog.names())
def test_the_form_of_a_game_is_that_of_the_server(client: FlaskClient, game: str) -> None:
    local = ask("form", game=game, rules=f"/rules/{game}", other="/new")
    assert local["title"] == catalog.find(game).title
    assert form_in(local["html"]) == form_in(client.get(f"/new?game={game}").text)


@pytest.mark.parametrize("case", CASES[::9], ids=name_of)
def test_the_form_for_a_rematch_is_that_of_the_server(store: TemporaryStore, client: FlaskClient, case: Path) -> None:
    record = codec.decode(case.read_bytes())
    store.append("earlier", 0, record.events)
    game = record.opening.game
    local = ask("form", events=record.events, rules=f"/rules/{game}", other="/new")
    remote = re.sub(r"<button[^>]*data-name=.*?</button>", "", client.get("/new?from=earlier").text)
    assert local["game"] == game
    assert form_in(local["html"]) == form_in(remote)


@pytest.mark.parametrize("typed", WRONG, ids=lambda typed: " ".join(f"{k}={v}" for k, v in typed.items()))
def test_what_is_wrong_is_said_in_the_same_sentences(client: FlaskClient, typed: dict[str, str]) -> None:
    typed = {**typed, "game": "zigzag", "id": new_id(), "key": new_key()}
    remote = client.post("/new", data=typed)
    assert remote.status_code == 422
    local = ask("begin", typed=typed, when=WHEN, rules="/rules/zigzag", other="/new")
    assert local["opening"] is None
    assert wrong_in(local["html"]) == wrong_in(remote.text) != []
    assert form_in(local["html"]) == form_in(remote.text)
    assert f'name="id" value="{typed["id"]}"' in local["html"]


def test_the_opening_is_the_one_that_the_server_would_record(store: TemporaryStore, client: FlaskClient) -> None:
    typed = {"game": "zigzag", "id": new_id(), "key": new_key(), "player1": " Ana ", "player2": "Ben", "player3": "Cy",
             "option.set": "6", "place": "the kitchen", "played": "2026-11-19"}  # fmt: skip
    assert client.post("/new", data=typed).status_code == 303
    recorded = store.read(typed["id"]).opening
    opening = ask("begin", typed=typed, when=WHEN)["opening"]
    assert msgspec.convert(opening, Open) == msgspec.structs.replace(recorded, when=WHEN)
    assert recorded.rules == catalog.find("zigzag").revision


def test_a_name_like_that_of_somebody_known_is_a_question_first(store: TemporaryStore, client: FlaskClient) -> None:
    def begin(names: tuple[str, ...], **more: str) -> tuple[int, list[str]]:
        typed = {f"player{n}": name for n, name in enumerate(names, 1)} | more
        answer = client.post("/new", data={"id": new_id(), "key": new_key(), "game": "ziggurat", **typed})
        asked.append("".join(re.findall('name="asked" value="([^"]*)"', answer.text)))
        return answer.status_code, wrong_in(answer.text)

    asked: list[str] = []
    assert begin(("Jörg Müller", "Ben")) == (303, [])
    question = "The same as Jörg Müller, 1 game? Then write it so; if not, begin again."
    assert begin(("Ana Lind", "Jorg Muller")) == (422, [question])
    assert begin(("Ana Lind", "Jorg Muller"), asked=asked[-1]) == (303, [])
    assert begin(("Jorg Muller", "Ana Lind")) == (303, [])
    assert len(store.ids()) == 3


def test_an_unknown_game_is_refused() -> None:
    assert "no game is called 'chess'" in ask("form", game="chess")["problem"]
    assert "no game is called 'chess'" in ask("begin", typed={"game": "chess"}, when=WHEN)["problem"]


@pytest.mark.parametrize("case", CASES[::7], ids=name_of)
def test_a_phone_takes_what_the_ledger_takes_and_both_end_with_the_same_link(
    store: TemporaryStore, client: FlaskClient, case: Path
) -> None:
    events = codec.decode(case.read_bytes()).events[:MOST]
    when = [msgspec.structs.replace(event, when=event.when or WHEN) for event in events]
    record_id, key = new_id(), new_key()
    beginning = {"id": record_id, "key": key, "opening": when[0]}
    assert (
        client.post("/api/v1/records", data=msgspec.json.encode(beginning), content_type="application/json").status_code
        == 201
    )
    remote = post(client, record_id, key, 1, when[1:])
    ask("open", id=record_id, events=store.read(record_id, 1).events)
    local = ask("take", id=record_id, version=1, events=when[1:])
    assert local["done"] == remote.get("done", len(when) - 1)
    assert local["refused"] == remote.get("detail", "")
    assert (local["version"], local["link"]) == (remote["version"], last_link(store, record_id))


def post(client: FlaskClient, record_id: str, key: str, expected: int, events: Any) -> Any:
    body = {"expected": expected, "entries": [{"id": f"entry-{n:04}", "event": e} for n, e in enumerate(events)]}
    headers = {"Authorization": f"Bearer {key}"}
    path = f"/api/v1/records/{record_id}/events"
    return client.post(path, data=msgspec.json.encode(body), headers=headers, content_type="application/json").json


def last_link(store: TemporaryStore, record_id: str) -> str:
    return links(map(chained_bytes, store.read(record_id).events))[-1].hex()


@pytest.mark.parametrize(
    "event",
    [
        {"type": "retract", "seq": 9, "why": "a slip"},
        {"type": "place", "player": "p1", "tile": "1-2", "at": [0, 0], "dir": "e", "level": 1},
        {"type": "pass", "player": "nobody"},
        {"type": "confirm", "player": "p1", "head": "0" * 64},
    ],
    ids=lambda event: event["type"],
)
def test_a_phone_refuses_what_the_ledger_refuses(client: FlaskClient, event: dict[str, Any]) -> None:
    players = [{"id": f"p{n}", "name": name} for n, name in enumerate(("Ana", "Ben", "Cy"), 1)]
    opening = {
        "type": "open",
        "game": "zigzag",
        "players": players,
        "rules": catalog.find("zigzag").revision,
        "when": WHEN,
    }
    record_id, key = new_id(), new_key()
    beginning = json.dumps({"id": record_id, "key": key, "opening": opening})
    assert client.post("/api/v1/records", data=beginning, content_type="application/json").status_code == 201
    events = [{"type": "bid", "player": "p1", "bid": 9, "when": WHEN}, {**event, "when": WHEN}]
    remote = post(client, record_id, key, 1, events)
    ask("open", id=record_id, events=[opening])
    local = ask("take", id=record_id, version=1, events=events)
    assert local["refused"] == remote["detail"] != ""
    assert local["done"] == remote["done"] == 1
    assert local["version"] == remote["version"] == 2


def test_entries_after_a_version_that_is_not_there_are_refused() -> None:
    events = codec.decode(CASES[0].read_bytes()).events
    ask("open", id="behind", events=events[:2])
    assert "these come after 5" in ask("take", id="behind", version=5, events=events[2:3])["problem"]
