"""Runs in the runtime and outside: every question of the interface about some fixtures, and the modules imported."""

import json
import sys
from hashlib import sha256

sys.path.insert(0, "/checkout/tests")

import golden
from ledger.audit.review import sheet
from ledger.record import codec
from viewer.browser_app import answer

answers = {}
for case in golden.CASES[::15]:
    text = case.read_text("utf-8")
    record = codec.decode(text)
    events = json.loads(text)["events"]
    half = max(1, len(events) // 2)
    questions = {
        "replay": {"text": sheet(record)},
        "sheet": {"text": text},
        # A recorder's, one after the other.
        "screen": {"id": "r", "events": events[:half], "more": events[half:], "seen": half, "moves": "0" * 16},
        "check": {"id": "r", "version": half, "more": events[half : half + 1] or events[:0]},
    }
    for name, question in questions.items():
        found = answer(name, json.dumps(question))
        answers[f"{name} {golden.name_in(case)}"] = sha256(found.encode()).hexdigest()
answers["refused"] = answer("replay", json.dumps({"text": "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\nA pases\n"}))
out = json.dumps({"answers": answers, "modules": sorted(sys.modules)})
