"""A game that begins without a server: the same form, the same refusals and the same record as with one."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from golden import CASES, name_of
from ledger.games import catalog
from ledger.keep.recorder import new_id, new_key
from ledger.record import codec
from ledger.record.events import Open
from temporary import TemporaryStore
from viewer.browser_app import answer
from viewer.phone.new_game import form_fields

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
    for field in chain.from_iterable(form_fields(catalog.find(game), {})["groups"].values()):
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
