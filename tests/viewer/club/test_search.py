"""The search line finds what people type: names without their accents, places, events, ids; and it suggests."""

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.play.simulate import simulate
from ledger.record.events import Open
from temporary import TemporaryStore
from viewer.app import create_app


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = TemporaryStore()
    for record_id, game, place, event, names, played in (
        ("sq3pfirst1", "ziggurat", "the kitchen table", "Friday Night League", ("José", "Müller"), "2026-11-02"),
        ("w8kksecond", "build-up", "Café Ö", None, ("Łukasz", "Søren"), "2026-10-01"),
        ("t4mmthird1", "build-up", None, "Cup of the North", ("Ana", "Ben"), "2026-11-20"),
    ):
        record = simulate(catalog.find(game), 3, players=2)
        opening = record.opening
        assert isinstance(opening, Open)
        players = tuple(replace(player, name=name) for player, name in zip(opening.players, names, strict=True))
        opened = replace(opening, players=players, place=place, event=event, played=played)
        Recorder(store).import_record(replace(record, events=(opened, *record.events[1:])), record_id)
    return create_app(store.reopen).test_client()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("jose", "sq3pfirst1"), ("muller", "sq3pfirst1"), ("lukasz", "w8kksecond"), ("soren", "w8kksecond"),
        ("JOSÉ", "sq3pfirst1"), ("friday", "sq3pfirst1"), ("kitchen", "sq3pfirst1"), ("cafe", "w8kksecond"),
        ("cup", "t4mmthird1"), ("buildup ana", "t4mmthird1"), ("night league", "sq3pfirst1"),
    ],
)  # fmt: skip
def test_a_line_finds_what_is_meant(client: FlaskClient, line: str, found: str) -> None:
    page = client.get("/", query_string={"q": line}).text
    assert f"/g/{found}" in page
    assert "1 game matches" in page


def test_the_beginning_of_an_id_leads_to_its_game(client: FlaskClient) -> None:
    answer = client.get("/?q=sq3p")
    assert (answer.status_code, answer.location) == (302, "/g/sq3pfirst1")


def test_a_mistyped_name_gets_a_suggestion(client: FlaskClient) -> None:
    page = client.get("/?q=lukaz").text
    assert "Did you mean" in page
    assert "Łukasz" in page
    assert "Clear the filters" not in page
    assert "Did you mean" not in client.get("/?q=qqqqqqqq").text


def test_the_latest_games_are_those_that_were_played_last(client: FlaskClient) -> None:
    page = client.get("/").text
    places = [page.index(f"/g/{record}") for record in ("t4mmthird1", "sq3pfirst1", "w8kksecond")]
    assert places == sorted(places)
