"""Whole records by POST: each is stored once, each line has an outcome, and only the owner may send them."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from golden import CASES
from ledger.games import catalog
from ledger.keep.recorder import key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Note
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Key
from temporary import TemporaryStore
from viewer.app import LARGEST, create_app

PATH = "/api/v1/records.ndjson"


@pytest.fixture
def sender(ledger: TemporaryStore, owner_key: str) -> FlaskClient:
    """A program of the owner that sends records."""
    client = create_app(ledger.reopen).test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {owner_key}"
    return client


def send(sender: FlaskClient, *lines: Record | bytes, path: str = PATH, **options: Any) -> TestResponse:
    body = b"\n".join(line if isinstance(line, bytes) else codec.encode(line) for line in lines)
    headers = {"Authorization": f"Bearer {options.pop('key')}"} if "key" in options else None
    return sender.post(path, data=body, content_type=options.pop("kind", "application/x-ndjson"), headers=headers)


def outcomes(answer: TestResponse) -> list[tuple[int, str]]:
    return [(line["line"], line["outcome"]) for line in json.loads(answer.data)["lines"]]


def test_a_downloaded_archive_can_be_sent_to_another_ledger(sender: FlaskClient, ledger: TemporaryStore) -> None:
    records = {codec.encode(codec.decode(path.read_bytes())) for path in CASES[:40]}
    answer = send(sender, *records)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    report = json.loads(answer.data)
    assert (report["imported"], report["known"], report["continued"], report["refused"]) == (len(records), 0, 0, 0)
    assert [line["record"] for line in report["lines"]] == list(ledger.ids())
    assert questions.unaudited(ledger) == ()
    archive = sender.get(f"{PATH}?limit=500").data
    assert {*archive.splitlines()} == records
    second = send(sender, archive)
    assert (second.status_code, json.loads(second.data)["known"]) == (200, len(records))
    assert len(ledger.ids()) == len(records)


def test_each_line_has_an_outcome(sender: FlaskClient, ledger: TemporaryStore) -> None:
    game, other_game = simulate(catalog.find("zigzag"), 1), simulate(catalog.find("build-up"), 2)
    half = Record(game.events[: len(game.events) // 2])
    assert outcomes(send(sender, half)) == [(1, "imported")]
    (record_id,) = ledger.ids()
    differing = Record((*game.events[:-3], Note("it went on in another way")))
    answer = send(sender, b"", game, b"{}", other_game, b"  ", differing, b'{"format":"domino-ledger/1","events":[{}]}')
    assert answer.status_code == 207
    assert outcomes(answer) == [(2, "continued"), (3, "refused"), (4, "imported"), (6, "refused"), (7, "refused")]
    lines = json.loads(answer.data)["lines"]
    assert lines[0] == {"line": 2, "outcome": "continued", "record": record_id, "reason": ""}
    assert ledger.read(record_id) == game
    assert lines[3]["record"] == record_id
    assert lines[3]["reason"].startswith(f"it begins like record {record_id} and differs from event")
    assert [line["record"] for line in (lines[1], lines[4])] == ["", ""]
    assert lines[1]["reason"]
    assert lines[4]["reason"].startswith("event 0: ")
    assert len(ledger.ids()) == 2
    as_new = send(sender, differing, path=f"{PATH}?as_new=true")
    assert (as_new.status_code, outcomes(as_new)) == (200, [(1, "imported")])
    assert len(ledger.ids()) == 3


def test_one_record_may_come_as_json(sender: FlaskClient, ledger: TemporaryStore) -> None:
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), kind="application/json")
    assert (answer.status_code, len(ledger.ids())) == (200, 1)


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"key": ""}, 401),
        ({"key": new_key()}, 401),
        ({"kind": "text/plain"}, 415),
        ({"path": f"{PATH}?as_new=perhaps"}, 400),
        ({"path": f"{PATH}?colour=red"}, 400),
    ],
    ids=["no key", "another key", "text", "no boolean", "unknown"],
)
def test_an_invalid_request_stores_nothing(
    sender: FlaskClient, ledger: TemporaryStore, options: dict[str, str], status: int
) -> None:
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), **options)
    assert (answer.status_code, answer.mimetype, ledger.ids()) == (status, "application/problem+json", ())
    assert status != 401 or answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_recorders_key_imports_nothing(sender: FlaskClient, ledger: TemporaryStore, owner_key: str) -> None:
    key = new_key()
    ledger.put([Key("mine", key_digest(key))])
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), key=key)
    assert (answer.status_code, ledger.ids()) == (401, ())
    assert "domino-ledger link" in json.loads(answer.data)["detail"]
    # The browser sends a cookie even with posts from another site, so it is not enough.
    sender.set_cookie("domino", owner_key)
    assert send(sender, simulate(catalog.find("ziggurat"), 1), key="").status_code == 401


def test_too_much_nothing_and_a_read_only_ledger_are_refused_whole(sender: FlaskClient, ledger: TemporaryStore) -> None:
    record = simulate(catalog.find("zigzag"), 1)
    answer = send(sender, record, b" " * LARGEST)
    assert (answer.status_code, ledger.ids()) == (413, ())
    assert send(sender, b"\n \n").status_code == 400
    read_only = create_app(ledger.reopen, recording=False).test_client()
    assert (send(read_only, record).status_code, ledger.ids()) == (409, ())
