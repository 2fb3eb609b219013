"""Where a game was decided, on its page: only of a finished game whose tiles are known, folded, and asked for."""

import html
import json
import re
from time import sleep
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.examples.season import season
from ledger.keep.recorder import Recorder
from ledger.play.exact_ends import MOST_POSITIONS, decided
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Deal, Over
from ledger.record.record import Record
from ledger.record.words import first_names
from ledger.stores.beside import DecidedAt
from temporary import TemporaryStore
from viewer.browser_app import answer
from viewer.replay import decided_apart
from viewer.replay.decided import decided_hands
from viewer.replay.replay_view import ReplayView

ZIGZAG = next(example.record for example in season() if example.record.opening.game == "zigzag")


@pytest.fixture
def store() -> TemporaryStore:
    """A finished game of Zigzag, the same while it was in play, and a game that has no search."""
    store = TemporaryStore()
    recorder = Recorder(store)
    recorder.import_record(ZIGZAG, "zigzag")
    recorder.import_record(Record(ZIGZAG.events[:-40]), "open")
    recorder.import_record(simulate(ReplayView("", ZIGZAG).review.newest, 3, {"hands": 1}), "short")
    return store


def asked(client: FlaskClient, record_id: str) -> TestResponse:
    """The answer when it is there, at most two minutes later."""
    for _ in range(1200):
        reply = client.get(f"/g/{record_id}/decided")
        if reply.status_code != 202:
            return reply
        sleep(0.1)
    raise AssertionError("nothing was worked out")


def words(page: str) -> str:
    """The text of a page."""
    return (
        html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))
        .replace("\u2068", "")
        .replace("\u2069", "")
        .replace("\u2011", "-")
    )


def test_the_page_of_a_finished_game_has_a_closed_fold_and_that_of_a_game_in_play_has_none(client: FlaskClient) -> None:
    finished, in_play = (client.get(f"/g/{name}").text for name in ("zigzag", "open"))
    fold = re.search(r'<details class="card decided"[^>]*>', finished)
    assert fold
    assert " open" not in fold[0]
    assert "with all tiles open; nobody at the table saw this" in finished
    assert "decided hand" not in words(finished)
    assert 'id="decided"' not in in_play
    assert client.get("/g/open/decided").status_code == 404


def test_it_is_worked_out_apart_kept_in_the_ledger_and_then_in_the_saved_file(
    client: FlaskClient, store: TemporaryStore
) -> None:
    assert 'id="decided"' not in client.get("/g/short/replay.html").text
    first = client.get("/g/short/decided")
    assert (first.status_code, first.headers["Refresh"]) == (202, "2")
    found = asked(client, "short")
    assert found.status_code == 200
    assert words(found.text).strip() == "The game was decided before its last 18 plays."
    client.application.extensions["served"]._own.clear()  # a restart
    assert client.get("/g/short/decided").text == found.text
    assert [(kept.record, kept.version) for kept in store.kept(DecidedAt)] == [("short", store.version("short"))]
    saved = client.get("/g/short/replay.html").text
    assert 'id="decided"' in saved
    assert words(found.text).strip() in words(saved)


def test_it_is_worked_out_again_when_the_record_grows_and_a_read_only_ledger_shows_it_too(
    client: FlaskClient, store: TemporaryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put([DecidedAt("short", store.version("short") - 1, "[]")])
    assert client.get("/g/short/decided").status_code == 202
    monkeypatch.setitem(client.application.extensions, "recording", False)
    assert asked(client, "short").status_code == 200
    assert [kept.hands for kept in store.kept(DecidedAt)] == ["[]"]


def test_a_process_that_is_killed_leaves_nothing_behind(monkeypatch) -> None:
    apart, record = decided_apart.Apart(), codec.encode(ZIGZAG)
    monkeypatch.setattr(decided_apart, "_answer", print)  # it ends without an answer
    apart.begin(record)
    assert apart.waiting == {record}
    for _ in range(600):
        if not apart.waiting:
            break
        sleep(0.1)
    assert (apart.found(record), apart.waiting) == (None, set())


def test_the_sentences_name_the_move_the_better_ones_and_what_they_would_have_come_to() -> None:
    view = ReplayView("", ZIGZAG)
    hands = decided_hands(view, decided(view.review.game, view.review.steps))
    a, b = (first_names(view.review.opening.names)[seat] for seat in (0, 1))
    assert words(hands).split(" 30 ")[0].strip() == (
        f"Move 55 decided hand 1. After {a}'s 6-8, {b} could be sure to get 18 tiles, with 16 to make; "
        f"3-4, 0-7, 3-7 or 3-8 would have made it 15. Tiles that {b} could be sure of, by move 0 10 20"
    )
    assert words(hands).strip().endswith("Hands 2 and 3 were decided before their last 18 plays.")
    assert 'data-seq="55" data-decides="3-4 hand 0,0-7 hand 0,3-7 hand 0,3-8 hand 0"' in hands
    first, last = (int(place) for place in re.findall(r'data-(?:first|last)="(\d+)"', hands))
    assert first < (view.review.place(55) or 0) < last


def test_a_browser_answers_alone_with_fewer_positions() -> None:
    found = json.loads(answer("decided", json.dumps({"record": codec.encode(ZIGZAG).decode()})))
    assert "Move 55 decided hand 1." in words(found["html"])
    assert MOST_POSITIONS == 1_000_000


def test_hands_that_nobody_wrote_down_have_a_fold_and_a_lost_tile_has_none() -> None:
    hidden = [event for event in ZIGZAG.events if not isinstance(event, Deal | Over)]
    assert ReplayView("", Record(tuple(hidden))).decidable
    unknown: list[Any] = [event for event in hidden if getattr(event, "tile", None) is None]
    assert not ReplayView("", Record(tuple(unknown))).decidable
