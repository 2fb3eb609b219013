"""The page of a record says the slip first, then what follows from it, and has the correction ready."""

import json
import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from ledger.audit.review import Review
from ledger.audit.slip.slip_search import explain
from ledger.games import catalog
from ledger.keep.recorder import key_digest
from ledger.keep.stored_audits import explain_stored, refresh
from ledger.play.simulate import simulate
from ledger.record.events import Play
from ledger.record.record import Record
from ledger.rules.game import GRAVE
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from planted_slips import Planted, plant
from temporary import TemporaryStore
from viewer.replay.mistakes_explained import explained

HOLDS = {"Authorization": "Bearer sesame"}


def planted(game: str, kind: str) -> Planted:
    """A slip of that kind with more than two findings."""
    slips = (plant(game, kind, seed) for seed in range(30))
    return next(slip for slip in slips if slip and graves(slip) > 2)


def graves(slip: Planted) -> int:
    """How many breaches and impossible findings the record has."""
    return sum(finding.verdict in GRAVE for finding in Review(slip.record).report.findings)


@pytest.fixture
def store() -> SqliteStore:
    """A ledger with a slip that has consequences."""
    store = TemporaryStore()
    store.append("slip", 0, planted("build-up", "act-forgotten").record.events)
    store.put([Key("slip", key_digest("sesame"))])
    list(refresh(store))
    return store


def causes_on(page: str) -> str:
    """The part of a page about causes."""
    match = re.search(r'<div id="causes".*?</div>', page, re.DOTALL)
    assert match
    return match[0]


def test_the_slip_comes_first_when_it_is_known(store: SqliteStore, client: FlaskClient) -> None:
    before = client.get("/g/slip").text
    assert "data-waits" in causes_on(before)
    assert "One mistake" not in causes_on(before)
    assert list(explain_stored(store, 9)) == ["slip"]
    page = client.get("/g/slip").text
    causes = causes_on(page)
    assert "data-waits" not in causes
    for words in ("One mistake. ", " was forgotten before move", "nothing else would be wrong"):
        assert words in causes.replace("\u00a0", " ")
    assert f"{graves(planted('build-up', 'act-forgotten'))} findings follow from it" in causes
    assert page.count('class=" flagged slip"') + page.count('class="now flagged slip"') == 1
    assert ' follows">' in page
    lighter = page.count('<path class="follows"')
    assert lighter == page.count('<path class="flagged follows"') > 0
    assert json.loads(client.get("/g/slip/parts").text)["causes"] == causes
    assert "data-fix" in causes


def test_one_tap_corrects_and_undo_takes_it_back(store: SqliteStore, client: FlaskClient) -> None:
    list(explain_stored(store, 9))
    fix = re.search(r'data-fix="([^"]*)"', causes_on(client.get("/g/slip").text))
    assert fix
    events = json.loads(unescape(fix[1]))
    version = store.version("slip")
    entries = [{"id": f"entry-{n:08}", "event": event} for n, event in enumerate(events)]
    answer = client.post("/api/v1/records/slip/events", json={"expected": version, "entries": entries}, headers=HOLDS)
    assert answer.status_code == 200
    corrected = Review(store.read("slip"))
    assert not [finding for finding in corrected.report.findings if finding.verdict in GRAVE]
    assert "this explains the findings" in client.get("/g/slip").text
    retract = {"type": "retract", "seq": version, "why": "taken back at once"}
    entry = {"expected": version + 1, "entries": [{"id": "entry-undo", "event": retract}]}
    assert client.post("/api/v1/records/slip/events", json=entry, headers=HOLDS).status_code == 200
    assert Review(store.read("slip")).report.findings


def test_of_a_forgotten_round_no_tap_writes_an_example() -> None:
    events = simulate(catalog.find("zigzag"), 0, {"set": 6, "hands": 3}).events
    plays = [place for place, event in enumerate(events) if type(event) is Play]
    review = Review(Record(tuple(event for place, event in enumerate(events) if place not in plays[11:14])))
    explain(review)
    (mistake,) = explained(review)
    (proposal,) = mistake.proposals
    assert "a round was forgotten before move 27 (which one?" in proposal.message
    assert not proposal.fixes
