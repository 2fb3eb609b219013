"""The pages for a score card and for the owner, without a script."""

import html
import re

import pytest
from flask.testing import FlaskClient

from ledger.games import catalog
from ledger.keep.imports import keep
from ledger.keep.recorder import Recorder
from ledger.keep.renaming import renamings
from ledger.keep.score_cards import ScoreCard, compare
from ledger.keep.stored_audits import audit_anew
from ledger.play.simulate import simulate
from ledger.stores.query import Query
from temporary import TemporaryStore
from viewer.app import create_app


@pytest.fixture
def client(ledger: TemporaryStore) -> FlaskClient:
    return create_app(ledger.reopen).test_client()


def test_a_score_card_is_typed_and_shown(ledger: TemporaryStore, client: FlaskClient) -> None:
    assert "/card" in client.get("/new").text
    form = {"game": "Mexican Train", "scores": "Ana Lind 12\nBen: 40\n", "played": "2026-11-20", "event": "Cup"}
    answer = client.post("/card", data=form)
    assert answer.status_code == 303
    (row,) = ledger.find(Query())
    assert (row.game, [name for _id, name in row.players], row.card) == ("Mexican Train", ["Ana Lind", "Ben"], True)
    assert "Only the result is known" in client.get(answer.headers["Location"]).text


def test_a_card_of_a_game_that_is_here_already_is_kept_after_a_question(
    ledger: TemporaryStore, client: FlaskClient
) -> None:
    form = {"game": "Block", "scores": "Ana 3\nBen 5", "played": "2026-03-01"}
    assert client.post("/card", data=form).status_code == 303
    count = len(ledger.ids())
    for scores, words in (("Ben 5\nana 3", "already: Ana 3, Ben 5"), ("Ana 9\nBen 5", "already, and differs: Ana 3")):
        asked = client.post("/card", data=form | {"scores": scores})
        assert asked.status_code == 422
        assert f"It is here {words}" in asked.text
        (sure,) = re.findall('name="sure" value="([^"]*)"', asked.text)
        assert len(ledger.ids()) == count
    assert client.post("/card", data=form | {"scores": "Ana 9\nBen 5", "sure": html.unescape(sure)}).status_code == 303
    assert len(ledger.ids()) == count + 1


@pytest.mark.parametrize(
    ("line", "name", "score"),
    [
        ("Ana - 51", "Ana", 51),
        ("Ana – 51", "Ana", 51),
        ("Ana -51", "Ana", -51),
        ("Ana: −5", "Ana", -5),
        ("Ana, 51", "Ana", 51),
        ("Ana ... 51", "Ana", 51),
        ("Ana | 51", "Ana", 51),
        ("1. Ana 51", "Ana", 51),
        ("12) Ana 51.", "Ana", 51),
        ("- Ana 51", "Ana", 51),
        ("1 Ana 51", "Ana", 51),
        ("Ana B. 51", "Ana B.", 51),
        ("Dr. Ana, 51", "Dr. Ana", 51),
        ("Anna-Lena  de Wit 51", "Anna-Lena de Wit", 51),
        ("Player 2: 51", "Player 2", 51),
    ],
)
def test_dashes_commas_and_numbers_of_a_list_are_no_part_of_a_name(
    ledger: TemporaryStore, client: FlaskClient, line: str, name: str, score: int
) -> None:
    assert client.post("/card", data={"game": "Mexican Train", "scores": f"Bea 1\n{line}"}).status_code == 303
    (row,) = ledger.find(Query())
    assert [name for _id, name in row.players] == ["Bea", name]
    assert (row.audit.scores if row.audit else ()) == (1, score)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": "Ana"}, "No points, and nobody noted who won"),
        ({"scores": "Ana 3\nana 5"}, "ana is there twice"),
        ({"scores": ""}, "No players"),
        ({"scores": "Ana 1 000"}, "has two numbers"),
        ({"scores": "Ana 1,000"}, "has two numbers"),
        ({"scores": "1. 51"}, "a name and a score on each line"),
        ({"scores": "Ana-51"}, "a name and a score on each line"),
        ({"scores": "Ana 3", "won": "Zoe"}, "Zoe is not among the players"),
        ({"game": " "}, "Name the game"),
        ({"played": "yesterday"}, "Write the day"),
        ({"scores": "\n".join(f"P{number}x 3" for number in range(30))}, "at most 26 players"),
        ({"game": "zigzag", "scores": "Ana 3\nBen 5"}, "Zigzag is for three players, not 2."),
    ],
)
def test_what_is_wrong_with_a_card_is_said_and_nothing_is_lost(
    ledger: TemporaryStore, client: FlaskClient, change: dict[str, str], words: str
) -> None:
    answer = client.post("/card", data={"game": "Block", "scores": "Ana 3", "event": "The Cup", **change})
    assert (answer.status_code, words in answer.text, "The Cup" in answer.text) == (422, True, True)
    assert ledger.ids() == ()


@pytest.fixture
def owner(client: FlaskClient, owner_key: str) -> FlaskClient:
    """The browser of the owner, who has opened the link."""
    entered = client.post("/door", data={"key": f"http://house/owner#{owner_key}", "then": "owner"})
    assert (entered.status_code, entered.headers["Location"]) == (303, "/owner")
    return client


def shown_after(client: FlaskClient, act: str, **typed: str) -> str:
    """The page that the owner sees after an act."""
    answer = client.post(f"/owner/{act}", data=typed, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_only_the_owner_sees_what_an_owner_can_do(ledger: TemporaryStore, client: FlaskClient, owner_key: str) -> None:
    client.post("/card", data={"game": "Block", "scores": "Anna 3\nBen 5"})
    (record,) = ledger.ids()
    Recorder(ledger).import_record(simulate(catalog.find("zigzag"), 4), "film")
    audit_anew(ledger)
    pages = (f"/g/{record}", "/g/film", "/players/Anna")
    for address in pages:
        assert "/owner/" not in client.get(address).text
    assert "The owner's link" in client.get("/owner").text
    for act in ("void", "rename", "undo", "restore"):
        assert client.post(f"/owner/{act}", data={"record": record}).status_code == 401
    client.post("/door", data={"key": owner_key})
    for address, words in zip(pages, ("Set aside", "Set aside", "The same person as"), strict=True):
        assert words in client.get(address).text
    assert "signed in as the owner" in client.get("/owner").text
    # What was kept for the owner is not sent to others.
    client.delete_cookie("domino")
    for address in pages:
        assert "/owner/" not in client.get(address).text


def test_the_owner_sets_a_game_aside_on_its_page_and_brings_it_back(ledger: TemporaryStore, owner: FlaskClient) -> None:
    owner.post("/card", data={"game": "Block", "scores": "Anna 3\nBen 5"})
    (record,) = ledger.ids()
    page = shown_after(owner, "void", record=record, why="by mistake", then="game")
    assert ledger.count_records(Query()) == 0
    assert "by mistake" in page
    assert "Bring it back" in page
    assert "by mistake" in owner.get("/owner").text
    assert "Set aside <input" in shown_after(owner, "restore", record=record, then="game")
    assert ledger.count_records(Query()) == 1
    assert owner.post("/owner/nothing").status_code == 404
    foreign = owner.post("/owner/void", data={"record": record}, headers={"Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403


def test_the_owner_renames_a_person_on_their_page_and_takes_it_back(ledger: TemporaryStore, owner: FlaskClient) -> None:
    owner.post("/card", data={"game": "Block", "scores": "Anna 3\nBen 5"})
    page = shown_after(owner, "rename", old="Anna", new="Ana")
    assert "<bdi>Ana</bdi></h1>" in page
    assert "Take it back" in page
    assert "<bdi>Anna</bdi></h1>" in shown_after(owner, "undo", number="1", then="person")
    assert renamings(ledger) == []
    assert "<bdi>ANNA</bdi></h1>" in shown_after(owner, "rename", old="Anna", new="ANNA")


def test_the_owner_takes_imports_back_and_brings_them_back(ledger: TemporaryStore, owner: FlaskClient) -> None:
    assert "Imports" not in owner.get("/owner").text
    for number in (1, 2):
        keep(
            ledger,
            compare(ledger, [ScoreCard("Block", {"Ana": 1, "Ben": 0}, None, f"2026-03-0{number}")]),
            f"{number}.csv",
        )
    page = owner.get("/owner").text
    assert re.findall(r"<li><bdi>(\d)\.csv", page) == ["2", "1"]
    assert "1 new game<" in page
    address = re.findall(r'action="(/bring/table/1/undo)"', page)[0]
    assert "1 game taken back" in owner.post(address).text
    assert ledger.count_records(Query()) == 1
    page = owner.get("/owner").text
    assert "1 new game, taken back<" in page
    assert "1 game brought back" in owner.post(re.findall(r'action="(/bring/table/1/redo)"', page)[0]).text
    assert ledger.count_records(Query()) == 2
    assert owner.post("/bring/table/9/undo").status_code == 409


def test_two_names_are_one_person_only_after_a_question(ledger: TemporaryStore, owner: FlaskClient) -> None:
    owner.post("/card", data={"game": "Block", "scores": "Annie 3\nBen 5"})
    owner.post("/card", data={"game": "Block", "scores": "Ana 3\nBen 5"})
    for more in ({}, {"known": "1"}):
        assert "the same person?" in shown_after(owner, "rename", old="Annie", new="ana", **more)
        assert renamings(ledger) == []
    assert owner.post("/owner/rename", data={"old": "Annie", "new": "Anja", "known": "1"}).status_code == 409
    page = shown_after(owner, "rename", old="Annie", new="ana", merge="1")
    assert "</bdi></h1>" in page
    assert [renaming.old for renaming in renamings(ledger)] == ["Annie"]
    shown_after(owner, "undo", number="1", then="person")
    assert owner.get("/players/Annie").status_code == 200
    # Two who met are two.
    assert owner.post("/owner/rename", data={"old": "Ana", "new": "Ben", "merge": "1"}).status_code == 409


@pytest.mark.parametrize(
    ("form", "winners", "scores"),
    [
        ({"scores": "Ana\nBen", "won": "ana"}, ("p1",), (None, None)),
        ({"scores": "Ana 3\nBen 5", "won": "nobody"}, (), (3, 5)),
        ({"scores": "Ana 3\nBen 5", "lowest": "on"}, ("p1",), (3, 5)),
        ({"scores": "Ana 3\nBen -"}, None, (3, None)),
        ({"scores": "Ana & Cy 51\nBen + Dee 44"}, ("p1", "p2"), (51, 51, 44, 44)),
        ({"scores": "Ana & Cy", "won": "nobody"}, (), (None, None)),
        ({"scores": "Ana 12\nBen 40\nCy 20"}, ("p2",), (12, 40, 20)),
        ({"scores": "Ana 12\nBen 40\nCy 20", "won": "cy, ana"}, ("p3", "p1"), (12, 40, 20)),
        ({"scores": "Ana 12\nBen 40", "won": "Ben", "lowest": "on"}, ("p2",), (12, 40)),
    ],
)
def test_a_card_says_who_won_or_that_nobody_did_or_nothing(
    ledger: TemporaryStore,
    client: FlaskClient,
    form: dict[str, str],
    winners: tuple[str, ...] | None,
    scores: tuple[int | None, ...],
) -> None:
    answer = client.post("/card", data={"game": "Block", **form})
    assert answer.status_code == 303
    (row,) = ledger.find(Query())
    assert row.audit is not None
    assert (row.audit.winners and set(row.audit.winners), row.audit.scores) == (winners and set(winners), scores)
    for address in (answer.headers["Location"], "/", "/players/Ana", "/statistics/Block", "/players"):
        page = client.get(address)
        assert page.status_code == 200, address
        assert "None" not in page.text, address


def test_the_owner_adds_points_in_an_event_and_withdraws_them(owner: FlaskClient) -> None:
    owner.post("/card", data={"game": "Block", "scores": "Ana 3\nBen 5", "event": "Cup"})
    assert "Add points" in owner.get("/events/Cup").text
    typed = {"event": "Cup", "then": "event", "player": "ana", "points": "-3", "why": "came late"}
    page = shown_after(owner, "adjust", **typed)
    assert "came late" in page
    assert "<b>-3</b>" in page
    api = owner.get("/api/v1/events/Cup").get_json()
    assert api["adjustments"][0] | {"when": ""} == {
        "number": 1, "name": "Ana", "points": -3, "why": "came late", "when": "",
    }  # fmt: skip
    assert [place["points"] for place in api["places"]] == [5, 0]
    assert "came late" not in shown_after(owner, "withdraw", event="Cup", then="event", number="1")
