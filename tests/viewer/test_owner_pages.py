"""The pages for a score card and for the owner, without a script."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from ledger.keep.renaming import renamings
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
    assert "Only the scores are known" in client.get(answer.headers["Location"]).text


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
    ("change", "winners"),
    [
        ({}, ("p2",)),
        ({"lowest": "on"}, ("p1",)),
        ({"won": "cy, ana"}, ("p3", "p1")),
        ({"won": "Ben", "lowest": "on"}, ("p2",)),
    ],
)
def test_a_card_says_who_won(
    ledger: TemporaryStore, client: FlaskClient, change: dict[str, str], winners: tuple[str, ...]
) -> None:
    client.post("/card", data={"game": "Mexican Train", "scores": "Ana 12\nBen 40\nCy 20", **change})
    (row,) = ledger.find(Query())
    assert row.audit
    assert set(row.audit.winners) == set(winners)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": "Ana"}, "a name and a score on each line"),
        ({"scores": "Ana 3\nana 5"}, "ana is there twice"),
        ({"scores": ""}, "Write a name"),
        ({"scores": "Ana 1 000"}, "has two numbers"),
        ({"scores": "Ana 1,000"}, "has two numbers"),
        ({"scores": "1. 51"}, "a name and a score on each line"),
        ({"scores": "Ana-51"}, "a name and a score on each line"),
        ({"scores": "Ana 3", "won": "Zoe"}, "Zoe has no score"),
        ({"game": " "}, "Name the game"),
        ({"played": "yesterday"}, "Write the day"),
        ({"scores": "\n".join(f"P{number}x 3" for number in range(30))}, "length"),
    ],
)
def test_what_is_wrong_with_a_card_is_said_and_nothing_is_lost(
    ledger: TemporaryStore, client: FlaskClient, change: dict[str, str], words: str
) -> None:
    answer = client.post("/card", data={"game": "zigzag", "scores": "Ana 3", "event": "The Cup", **change})
    assert (answer.status_code, words in answer.text, "The Cup" in answer.text) == (422, True, True)
    assert ledger.ids() == ()


def test_the_owner_sets_aside_renames_and_takes_both_back(
    ledger: TemporaryStore, client: FlaskClient, owner_key: str
) -> None:
    client.post("/card", data={"game": "zigzag", "scores": "Anna 3\nBen 5"})
    (record,) = ledger.ids()
    assert "The owner&#39;s link" in (page := client.get("/owner").text) or "The owner's link" in page
    assert client.post("/owner/void", data={"record": record}).status_code == 401
    entered = client.post("/door", data={"key": f"http://house/#{owner_key}", "then": "owner"})
    assert (entered.status_code, entered.headers["Location"]) == (303, "/owner")
    void = {"record": f"http://house/g/{record}?ply=2", "why": "by mistake"}
    assert client.post("/owner/void", data=void).status_code == 303
    assert ledger.count_records(Query()) == 0
    assert "by mistake" in client.get("/owner").text
    assert client.post("/owner/restore", data={"record": record}).status_code == 303
    assert ledger.count_records(Query()) == 1
    assert client.post("/owner/rename", data={"old": "Anna", "new": "Ben"}).status_code == 409
    assert client.post("/owner/rename", data={"old": "Anna", "new": "Ana"}).status_code == 303
    assert "Ana" in client.get("/").text
    assert client.post("/owner/undo", data={"number": "1"}).status_code == 303
    assert (renamings(ledger), "Anna" in client.get("/").text) == ([], True)
    assert client.post("/owner/nothing").status_code == 404
    foreign = client.post("/owner/void", data=void, headers={"Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403
