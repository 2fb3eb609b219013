"""What the rules on a phone answer about a record: the same bytes as the ledger's own answers."""

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from golden import CASES, name_of
from ledger.audit.review import Review
from ledger.record import codec
from ledger.record.events import AnyEvent, Close, kind
from ledger.record.record import Record
from ledger.record.visible import visible_json
from ledger.rules.game import GRAVE
from planted_slips import plant
from temporary import TemporaryStore
from viewer.browser_app import answer
from viewer.every_page.templates import environment
from viewer.phone import recorder_parts


def ask(name: str, **question: Any) -> str:
    """What the rules answer, as the server would send it."""
    return visible_json(answer(name, msgspec.json.encode(question).decode()))


@pytest.fixture(scope="module")
def store() -> TemporaryStore:
    """One ledger for all records: making a viewer for each would take a third of the time."""
    return TemporaryStore()


def with_every_event(paths: Iterable[Path]) -> list[Path]:
    """Of these fixtures those that have a type of event, in their rule set, that none before them has."""
    met, chosen = set[tuple[str, str]](), []
    for path in paths:
        events = codec.decode(path.read_bytes()).events
        kinds = {(path.parent.name, kind(event)) for event in events}
        if kinds - met:
            chosen.append(path)
            met |= kinds
    return chosen


def test_a_screen_is_drawn_after_a_page_that_has_its_templates() -> None:
    environment.cache_clear()
    recorder_parts._macros.cache_clear()
    environment().get_template("recorder_slots.html").render()
    opening = codec.decode(CASES[0].read_bytes()).events[0]
    assert 'class="who p1"' in json.loads(ask("screen", id="drawn", events=[opening]))["parts"]["seats"]


# Both are one function, and what goes through it differs by types of events, not by cases.
@pytest.mark.parametrize("case", with_every_event(CASES), ids=name_of)
def test_the_phone_and_the_ledger_answer_the_same(case: Path, store: TemporaryStore, client: FlaskClient) -> None:
    events, record_id = codec.decode(case.read_bytes()).events, name_of(case).replace("/", ".")
    lengths = sorted({1, len(events) // 2, len(events) - 1} - {0})
    recorded: tuple[AnyEvent, ...] = ()
    position: dict[str, Any] = {}
    for length in lengths:
        here = {"version": len(recorded), "events": events[len(recorded) : length]}
        store.append(record_id, len(recorded), events[len(recorded) : length])
        recorded = events[:length]
        query = "&".join(f"{name}={value}" for name, value in position.items())
        remote = client.get(f"/api/v1/records/{record_id}/screen?{query}").text
        assert ask("screen", id=record_id, **here, **position) == remote
        for count in range(1, len(events[length : length + 3]) + 1):
            more = events[length : length + count]
            body = {"data": msgspec.json.encode({"events": more}), "content_type": "application/json"}
            remote = client.post(f"/api/v1/records/{record_id}/check", **body).text
            assert ask("check", id=record_id, version=length, more=more) == remote
        screen = client.get(f"/api/v1/records/{record_id}/screen").json
        digests = {name: screen[f"{name}_digest"] for name in ("moves", "findings")}
        position = {"seen": screen["version"], **digests}


def test_the_table_before_an_event_is_the_same_and_can_have_more_after_all_others(
    store: TemporaryStore, client: FlaskClient
) -> None:
    events = codec.decode(CASES[0].read_bytes()).events
    store.append("r", 0, events[:3])
    ask("screen", id="r", events=events[:3])
    assert ask("screen", id="r", version=3, before=1) == client.get("/api/v1/records/r/screen?before=1").text
    more = json.loads(ask("screen", id="r", version=3, more=events[3:5], before=4))
    store.append("r", 3, events[3:5])
    assert more == client.get("/api/v1/records/r/screen?before=4").json
    assert json.loads(ask("screen", id="r", version=3))["version"] == 3  # nothing is kept of them


def test_what_was_taken_back_is_gone_and_something_else_follows() -> None:
    events = codec.decode(CASES[0].read_bytes()).events
    whole = ask("screen", id="t", events=events[:5])
    assert ask("screen", id="t", version=3) == ask("screen", id="t", events=events[:3])
    assert ask("screen", id="t", version=3, events=events[3:5]) == whole


def test_what_cannot_be_answered_says_why() -> None:
    events = codec.decode(CASES[0].read_bytes()).events
    said = json.loads(ask("screen", id="unheard-of", version=1))["problem"]
    assert said == "the rules do not have 1 event of unheard-of"
    ask("screen", id="q", events=events[:2])
    assert json.loads(ask("check", id="q", version=3, more=events[3:4]))["problem"] == (
        "the rules do not have 3 events of q"
    )
    assert "opening" in json.loads(ask("screen", id="q", events=events[1:2]))["problem"]
    assert "event 9 does not exist" in json.loads(ask("screen", id="q", version=2, before=9))["problem"]


def test_a_mistake_stands_with_the_corrections_that_would_clear_it_above_what_follows() -> None:
    planted = plant("ziggurat", "wrong-place", 1)
    assert planted
    events = [event for event in planted.record.events if not isinstance(event, Close)]
    ask("screen", id="x", events=events)
    explanation = {"done": False}
    while not explanation["done"]:
        explanation = json.loads(ask("explain", id="x", version=len(events)))
    html = str(explanation["mistakes"])
    assert html.count("<section") == 1
    assert "One mistake. If " in html
    assert "findings follow from it" in html
    review, words = Review(Record(tuple(events))), unescape(re.sub("<[^>]*>", "", html))
    for finding in review.judged:
        assert (review.message(finding) in words) == (finding.verdict in GRAVE), finding.message
    fix = json.loads(unescape(html.partition('data-fix="')[2].partition('"')[0]))
    mended = Review(Record((*events, *msgspec.convert(fix, list[AnyEvent]))))
    assert mended.report.verdict in ("clean", "unproven")


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("{}", "Object missing required field `format`"),
        ("", "not JSON: Input data was truncated"),
        ('{"format":"domino-ledger/1","events":[{"type":"open","game":"whist","players":[{"id":"a"}]}]}', "whist"),
    ],
)
def test_what_cannot_be_answered_is_a_problem_in_a_sentence(record: str, problem: str) -> None:
    answered = json.loads(answer("causes", json.dumps({"record": record})))
    assert set(answered) == {"problem", "others"}
    assert problem in answered["problem"]
    assert answered["others"] == []
