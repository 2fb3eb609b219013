"""What the rules on a phone answer about a record: the same bytes as the ledger's own answers."""

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from golden import CASES, name_of
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.undo import undoable
from ledger.play.simulate import any_options, open_event, play, simulate, slips, states_of
from ledger.record import codec
from ledger.record.codec import encode
from ledger.record.events import Amend, AnyEvent, Close, Correctable, Retract, kind
from ledger.record.record import Record
from ledger.record.visible import visible_json
from ledger.rules.game import GRAVE
from node import NODE, needs_node
from planted_slips import plant
from temporary import TemporaryStore
from test_recorder import DATED, random_step, take_back
from viewer.browser_app import answer
from viewer.every_page.templates import environment
from viewer.phone import recorder_parts
from viewer.phone.recorder_answers import Asked, question_about
from viewer.phone.recorder_view import UNDOS, ViewQuery, recorder_view


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


# ---- What Undo takes back: a phone without the rules says the same as the rules.


TOP = Path(__file__).parents[3]
SCRIPT = """
globalThis.navigator ??= {}; // node has it from version 21 on
const { unjudged } = await import("./viewer/phone/static/entries/waiting.js");
let text = "";
for await (const part of process.stdin) text += part;
for (const [screen, events] of JSON.parse(text)) console.log(JSON.stringify(unjudged(screen, events).undo));
"""


def some_game(random: Random, events: list[AnyEvent], count: int) -> None:
    """Adds this many things that somebody does or takes back."""
    for _ in range(count):
        if undoable(events, 1) and random.random() < 0.45:
            take_back(events)
        else:
            events += random_step(random, events)


@needs_node
def test_a_phone_without_the_rules_takes_back_the_same() -> None:
    cases, answers = list[object](), list[list[object]]()
    for seed in range(60):
        random = Random(seed)
        events: list[AnyEvent] = [DATED]
        some_game(random, events, 30)
        screen = json.loads(msgspec.json.encode(recorder_view(Review(Record(tuple(events)), "r"))))
        saved = len(events)
        some_game(random, events, 8)
        waiting = json.loads(encode(Record(tuple(events))))["events"][saved:]
        cases.append([screen, waiting])
        answers.append(json.loads(msgspec.json.encode(undoable(events))))
    command = [str(NODE), "--input-type=module", "-e", SCRIPT]
    process = subprocess.run(command, cwd=TOP, input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) == len(answers)
    for line, expected in zip(lines, answers, strict=True):
        undo = json.loads(line)
        assert undo == expected[: len(undo)]
        assert bool(undo) == bool(expected)


def test_the_view_has_the_last_things_that_were_done() -> None:
    record = simulate(catalog.find("zigzag"), 1)
    last = len(record.events) - 1
    seqs = [undo.seqs for undo in recorder_view(Review(record, "r")).undo]
    assert seqs == [(last - n,) for n in range(UNDOS)]


# ---- What a recorder's page gets stays as it is: `tests/printed/screens.digests`, by game and part of the answer.
# `pytest tests/viewer/phone/test_phone_rules.py --golden-update` writes them anew.  A line that changes names the part
# to look at.


KEPT = Path(__file__).parents[2] / "printed" / "screens.digests"
GAMES = [(game.name, number) for game in catalog.games() for number in range(3)]
STEPS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)


def parts(answer: object) -> Iterator[tuple[str, object]]:
    """The fields of an answer."""
    yield from msgspec.to_builtins(answer).items()


def answers(name: str, number: int) -> Iterator[tuple[str, str, object]]:
    """The screen after some steps, and before an event; and what is said of a slip as it is entered."""
    game, random = catalog.find(name), Random(f"screen {name} {number}")
    options, players, edition = any_options(game, random)
    events: list[Correctable] = list(play(game, open_event(game, options, players, edition), random))
    states = states_of(game, events)
    for step in [step for step in STEPS if step < len(events)] + [len(events)]:
        record = Record(tuple[AnyEvent, ...](events[:step]))
        review = Review(record, "a")
        for part, value in parts(recorder_view(review, ViewQuery(seen=step // 2))):
            yield "screen", part, value
        for slip in random.sample(list(slips(game, events, step, states[step - 1], random)), 3):
            for part, value in parts(Asked(question_about("a", record, (slip,)))):
                yield "slip", part, value
        if step in (8, 34):
            for part, value in parts(recorder_view(review, ViewQuery(before=step // 2))):
                yield "before", part, value
            changes: tuple[AnyEvent, ...] = (Retract(step - 1, "no"), Amend(step - 2, events[step - 3], "so", by="Ana"))
            for part, value in parts(recorder_view(Review(Record((*record.events, *changes)), "a"))):
                yield "corrected", part, value


@pytest.mark.parametrize(("name", "number"), GAMES, ids=str)
def test_a_recorder_gets_the_same_as_before(name: str, number: int, golden_update: bool) -> None:
    digests: dict[str, str] = {}
    for place, part, value in answers(name, number):
        key = f"{name} {number} {place}: {part}"
        digests[key] = sha256(f"{digests.get(key)}{msgspec.json.encode(value).decode()}".encode()).hexdigest()[:8]
    lines = KEPT.read_text("utf-8").splitlines()
    if golden_update:
        lines = [line for line in lines if not line.startswith(f"{name} {number} ")]
        lines += [f"{key} {digest}" for key, digest in digests.items()]
        KEPT.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    kept = dict(line.rsplit(" ", 1) for line in lines if line.startswith(f"{name} {number} "))
    assert kept == digests
