"""What the rules on a phone answer about a record: the same bytes as the ledger's own answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from golden import CASES, name_of
from ledger import codec
from ledger.events import AnyEvent
from ledger.stores.memory import MemoryStore
from ledger.visible import visible_json
from viewer.app import create_app
from viewer.portable import answer


def ask(name: str, **question: Any) -> str:
    """What the rules answer, as the server would send it."""
    return visible_json(answer(name, msgspec.json.encode(question).decode()))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_phone_and_the_ledger_answer_the_same(case: Path) -> None:
    store = MemoryStore()
    client = create_app(lambda: store).test_client()
    events = codec.decode(case.read_bytes()).events
    lengths = sorted({1, len(events) // 2, len(events) - 1} - {0})
    known: tuple[AnyEvent, ...] = ()
    seen: dict[str, Any] = {}
    for length in lengths:
        store.append("r", len(known), events[len(known) : length])
        if known:
            kept = json.loads(ask("append", id="r", version=len(known), events=events[len(known) : length]))
        else:
            kept = json.loads(ask("open", id="r", events=events[:length]))
        assert {**kept, "events": []} == client.get(f"/api/v1/records/r/events?from={length}").json
        known = events[:length]
        query = "&".join(f"{name}={value}" for name, value in seen.items())
        assert ask("screen", id="r", **seen) == client.get(f"/api/v1/records/r/screen?{query}").text
        waiting = events[length : length + 3]
        for count in range(1, len(waiting) + 1):
            for name in ("check", "draft"):
                body = {"events": waiting[:count], **(seen if name == "draft" else {})}
                data = msgspec.json.encode(body)
                ledgers = client.post(f"/api/v1/records/r/{name}", data=data, content_type="application/json")
                assert ledgers.status_code == 200
                assert ask(name, id="r", **body) == ledgers.text
        screen = client.get("/api/v1/records/r/screen").json
        seen = {"seen": screen["version"], "moves": screen["moves_digest"]}


def test_the_table_before_an_event_is_the_same_and_a_draft_can_have_one() -> None:
    store = MemoryStore()
    client = create_app(lambda: store).test_client()
    events = codec.decode(CASES[0].read_bytes()).events
    store.append("r", 0, events[:3])
    ask("open", id="r", events=events[:3])
    assert ask("screen", id="r", before=1) == client.get("/api/v1/records/r/screen?before=1").text
    body = {"events": events[3:5], "before": 4}
    there = client.post("/api/v1/records/r/draft", data=msgspec.json.encode(body), content_type="application/json")
    assert ask("draft", id="r", **body) == there.text
    assert json.loads(there.text)["before"] == 4


def test_what_cannot_be_answered_says_why() -> None:
    events = codec.decode(CASES[0].read_bytes()).events
    assert json.loads(ask("screen", id="unheard-of"))["problem"] == "the rules have no record unheard-of yet"
    ask("open", id="q", events=events[:2])
    missing = json.loads(ask("append", id="q", version=3, events=events[3:4]))
    assert missing["problem"] == "the record has 2 events here, and these come after 3"
    assert "opening" in json.loads(ask("open", id="q", events=events[1:2]))["problem"]
    assert "event 9 does not exist" in json.loads(ask("screen", id="q", before=9))["problem"]
