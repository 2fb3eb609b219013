"""What Undo takes back: a phone without the rules says the same as the rules."""

import json
import subprocess
from pathlib import Path
from random import Random

import msgspec

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.undo import undoable
from ledger.play.simulate import simulate
from ledger.record.codec import encode
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from node import NODE, needs_node
from test_recorder import DATED, random_step, take_back
from viewer.phone.recorder_view import UNDOS, recorder_view

ROOT = Path(__file__).parents[3]
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
    process = subprocess.run(command, cwd=ROOT, input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) == len(answers)
    for line, answer in zip(lines, answers, strict=True):
        undo = json.loads(line)
        assert undo == answer[: len(undo)]
        assert bool(undo) == bool(answer)


def test_the_view_has_the_last_things_that_were_done() -> None:
    record = simulate(catalog.find("zigzag"), 1)
    last = len(record.events) - 1
    seqs = [undo.seqs for undo in recorder_view(Review(record, "r")).undo]
    assert seqs == [(last - n,) for n in range(UNDOS)]
