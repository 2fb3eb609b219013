"""The page about the record format is enough to write a program from.

The program is in `tests/js/record-format`: a reader and writer of records in JavaScript, written from the page alone.
It must accept and refuse the same records as Domino Ledger, and write the same bytes, links and fingerprints.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from test_schema import BAD, GOOD, mutants

from golden import CASES, name_of
from ledger.record import chain, codec
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS, kind
from ledger.record.record import Record, effective
from misread import MISREAD
from node import NODE, needs_node
from soup import correction, event
from test_codec import REFUSED
from test_conformance import FILES, FOLDERS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "record-format.md"
PROGRAM = ROOT / "tests" / "js" / "record-format" / "main.mjs"


def page() -> str:
    """The page as it is in the repository."""
    return PAGE.read_text("utf-8")


def program(texts: Iterable[bytes]) -> list[dict[str, Any]]:
    """The output of the JavaScript program for each text."""
    lines = "".join(f"{b64encode(text).decode() or '-'}\n" for text in texts)
    process = subprocess.run(
        [str(NODE), str(PROGRAM)], input=lines, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT
    )
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.split("\n") if line]


def expected(record: Record) -> dict[str, Any]:
    """The expected output of the program for a record."""
    result = effective(record.events)
    bodies = [chain.chained_bytes(event) for event in record.events]
    digest = chain.record_digest(record.events)
    return {
        "text": codec.encode(record).decode(),
        "file": codec.encode_lines(record).decode(),
        "hashed": [body.decode() for body in bodies],
        "links": [link.hex() for link in chain.links(bodies)],
        "digest": digest.hex(),
        "fingerprint": chain.fingerprint(digest),
        "seqs": list(result.seqs),
        "nothing": [slip.seq for slip in result.slips],
    }


@needs_node
def test_the_program_agrees_on_every_fixture() -> None:
    for path, answer in zip(CASES, program(path.read_bytes() for path in CASES), strict=True):
        assert answer == expected(codec.decode(path.read_bytes())), name_of(path)
        assert answer["file"].encode() == path.read_bytes()


@needs_node
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_program_agrees_on_every_conformance_record(folder: Path) -> None:
    files = [path for path in FILES if folder in path.parents]
    if not files:
        pytest.skip(f"no records in {folder.name}")
    texts = []
    for path in files:
        with codec.open_bytes(path) as lines:
            texts += [line for line in lines if line.strip()]
    assert len(texts) > 1000
    chosen = texts[:: 1 if "DOMINO_EXAMPLES" in os.environ else 5]
    for text, answer in zip(chosen, program(chosen), strict=True):
        assert answer == expected(codec.decode(text)), text[:200]


@needs_node
def test_the_program_has_the_links_and_the_fingerprint_of_the_worked_example() -> None:
    text = page().partition("### A worked example")[2]
    record, hashed = re.findall(r"^```(?:json|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[:2]
    (answer,) = program([record.encode()])
    assert answer["hashed"] == hashed.splitlines()
    assert answer["links"] == re.findall(r"^\| \d \| \d+ \| `(\w{64})` \|$", text, re.MULTILINE)
    assert f"- fingerprint: `{answer['fingerprint']}`" in text
    assert f"- digest: `{answer['digest']}`" in text
    assert [len(body.encode()) for body in answer["hashed"]] == [
        int(length) for length in re.findall(r"^\| \d \| (\d+) \|", text, re.MULTILINE)
    ]


def shuffled(value: Any, random: Random) -> Any:
    """The same JSON with the fields of each object in another order, except where the order counts."""
    if isinstance(value, list):
        return [shuffled(item, random) for item in value]
    if not isinstance(value, dict):
        return value
    names = random.sample(list(value), len(value))
    return {name: value[name] if name in ("options", "points") else shuffled(value[name], random) for name in names}


def wild_records(number: int) -> list[Record]:
    """Records of any events, with names, times, and texts that are easily misread."""
    random, records = Random(20261122), []
    kinds = [kind_ for kind_ in EVENTS if kind(kind_) not in ("open", "retract", "amend", "insert", "void")]
    texts = ('"\\/\b\f\n\r\t\x00\x1f\x7f', "é e\u0301 \u2028\u202e\ufeff", "🁡" * 2000, "", "\ud7ff\ue000\U0010ffff")
    for _ in range(number):
        ids = random.sample(("7", "ana", "1", "ben", "__proto__", "Zoë", "🁡", "constructor"), random.randint(2, 5))
        options = {name: random.choice((None, True, 0, -5, "", [6, -1], [])) for name in random.sample(ids, 2)}
        opening = {
            "type": "open", "game": "zigzag", "options": options,
            "players": [{"id": id_, "name": random.choice(texts)} for id_ in ids],
            "recorder": random.choice((None, "Cy", *texts)), "place": random.choice(texts),
        }  # fmt: skip
        events = [json.loads(codec.encode_event(event(random.choice(kinds), ids, random))) for _ in range(12)]
        events += [json.loads(codec.encode_event(correction(12 + n, kinds, ids, random))) for n in range(4)]
        events.append(
            {"type": "amend", "seq": 0, "event": {**opening, "game": random.choice(("zigzag", "x"))}, "why": ""}
        )
        for fields in events:
            fields.update(random.choice(({}, {"by": "Cy"}, {"when": "2026-11-20T19:30:00.25Z", "by": "Zoë"})))
            if "text" in fields:
                fields["text"] = random.choice(texts)
            if "event" in fields:
                fields["event"]["by"] = "Ben"
        random.shuffle(events)
        records.append(codec.decode(json.dumps({"events": [opening, *events], "format": "domino-ledger/1"})))
    return records


@needs_node
def test_the_program_writes_canonical_text_whatever_the_order_and_the_white_space() -> None:
    random = Random(20261122)
    records = wild_records(300)
    texts = []
    for record in records:
        plain = json.loads(codec.encode(record))
        texts.append(
            json.dumps(
                shuffled(plain, random), indent=random.choice((None, 2, "\t")), ensure_ascii=random.random() < 0.5
            )
        )
    assert {codec.decode(text) == record for text, record in zip(texts, records, strict=True)} == {True}
    for record, answer in zip(records, program(text.encode() for text in texts), strict=True):
        assert answer == expected(record)
    assert any(effective(record.events).slips for record in records)


def verdicts(texts: Sequence[bytes]) -> list[tuple[bool, bool]]:
    """For each text, whether Domino Ledger accepts it, and whether the program gives the same result."""
    results = []
    for text, answer in zip(texts, program(texts), strict=True):
        try:
            record = codec.decode(text)
        except NotARecord:
            results.append((False, "refused" not in answer))
        else:
            results.append((True, answer == expected(record)))
    return results


@needs_node
def test_the_program_refuses_what_the_reader_refuses() -> None:
    cases = {f"codec: {name}": case[0] for name, case in REFUSED.items()}
    cases |= {
        f"schema: {name}": json.dumps(document).encode() for name, document in (BAD | GOOD | mutants(600)).items()
    }
    cases |= {f"page: {name}": text for name, (text, _taken) in MISREAD.items()}
    results = dict(zip(cases, verdicts(list(cases.values())), strict=True))
    assert [name for name, (ours, theirs) in results.items() if ours is not theirs] == []
    assert {name: results[f"page: {name}"][0] for name in MISREAD} == {
        name: accepted for name, (_, accepted) in MISREAD.items()
    }
    refused = sum(not ours for ours, _theirs in results.values())
    assert min(refused, len(results) - refused) > 40


@needs_node
def test_the_program_refuses_a_text_that_is_too_long() -> None:
    text = CASES[0].read_bytes()
    longest = text + b" " * (codec.LONGEST - 1 - len(text))
    assert verdicts([longest, longest + b" "]) == [(True, True), (False, False)]


@needs_node
def test_the_program_judges_texts_with_a_byte_changed_as_the_reader_does() -> None:
    random, texts = Random(20261122), []
    for path in random.sample(CASES, 150):
        text = bytearray(path.read_bytes())
        digits = [place for place, byte in enumerate(text) if chr(byte).isdigit()]
        # A digit in place of another often leaves a valid record; any other byte seldom does.
        text[random.choice(digits)] = random.choice(b"0123456789")
        if random.random() < 0.5:
            text[random.randrange(len(text))] = random.choice(b'"\\{}[],:0129-.eE+tfn \t\n\x00\x7f\x80\xc3\xff')
        texts.append(bytes(text))
    results = verdicts(texts)
    differing = [text for text, (ours, theirs) in zip(texts, results, strict=True) if ours is not theirs]
    assert differing == []
    assert 30 < sum(ours for ours, _theirs in results) < 120
