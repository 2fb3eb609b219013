"""Answers about a record are kept as they are sent, and read the same by a client that cannot unpack them."""

import gzip
import json

import pytest
from flask.testing import FlaskClient

from ledger.keep.recorder import Recorder
from ledger.record.events import Open, Player
from temporary import TemporaryStore
from viewer.app import create_app

LEFTWARDS, APART = "\u05d3\u05e0\u05d4", "\u2068"
"""A name from right to left, and the mark that keeps it apart: a terminal would obey that."""
PACKED = {"Accept-Encoding": "gzip"}
ABOUT = (
    "", "?ply=0", "/parts", "/reel?shape=wide", "/print", "/replay.html", "/position.svg", "/moment.svg?ply=0",
    "/growing.svg",
)  # fmt: skip


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    store = TemporaryStore()
    players = tuple(Player(id=f"p{seat}", name=name) for seat, name in enumerate((LEFTWARDS, "Łucja", "Cy"), 1))
    Recorder(store).open(Open("zigzag", players=players), "mine")
    return create_app(store.reopen).test_client()


@pytest.mark.parametrize("path", [f"/g/mine{path}" for path in ABOUT])
def test_an_answer_reads_the_same_packed_and_unpacked(client: FlaskClient, path: str) -> None:
    packed = client.get(path, headers=PACKED)
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    for answer in (packed, plain):
        assert answer.headers["Content-Length"] == str(len(answer.data))
        assert "Accept-Encoding" in answer.vary
        assert answer.headers["ETag"] == plain.headers["ETag"]


def test_json_shows_a_terminal_nothing_that_it_obeys(client: FlaskClient) -> None:
    answer = client.get("/g/mine/parts")
    assert APART not in answer.text
    assert LEFTWARDS in answer.text
    assert f"{APART}{LEFTWARDS}" in json.dumps(answer.json, ensure_ascii=False)


def test_a_picture_of_pixels_is_kept_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/g/mine/card.png", headers=PACKED)
    assert answer.data.startswith(b"\x89PNG")
    assert "Content-Encoding" not in answer.headers
