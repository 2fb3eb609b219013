"""The JSON Schema of a record, checked with independent programs: ajv and check-jsonschema.

Both accept and refuse the same documents as the reader, as far as a schema can say: it does not know the players.
"""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from golden import CASES, ROOT
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS
from ledger.record.json_schema import schema
from node import NODE

OPENING = {"type": "open", "game": "zigzag", "players": [{"id": "ana"}, {"id": "ben"}, {"id": "cy"}]}
TAKE = {"type": "take", "player": "ana", "tiles": 3}


def record(*events: object, **more: object) -> dict[str, Any]:
    """A document with these events."""
    return {"format": "domino-ledger/1", "events": list(events), **more}


BAD = {
    "no events": record(),
    "no opening": record({"type": "bid", "player": "ana", "bid": 12}),
    "two openings": record(OPENING, OPENING),
    "no players": record({"type": "open", "game": "zigzag"}),
    "an empty list of players": record({**OPENING, "players": []}),
    "a day that does not exist": record({**OPENING, "played": "2026-02-30"}),
    "another format": {**record(OPENING), "format": "domino-ledger/2"},
    "a field too many": record(OPENING, more=1),
    "a type that is not there": record(OPENING, {"type": "sing", "player": "ana"}),
    "a field that is not there": record(OPENING, {"type": "bid", "player": "ana", "bit": 12}),
    "a tile that is not there": record(OPENING, {"type": "play", "player": "ana", "tile": "13-1"}),
    "a day with a time": record({**OPENING, "played": "2026-11-20T10:00:00Z"}),
    "a day with an end of line": record({**OPENING, "played": "2026-11-20\n"}),
    "a day in other digits": record({**OPENING, "played": "٢٠٢٦-11-20"}),
    "a time without its zone": record(OPENING, {"type": "note", "text": "", "when": "2026-11-20T10:00:00"}),
    "a time with an end of line": record(OPENING, {"type": "note", "text": "", "when": "2026-11-20T10:00:00Z\n"}),
    "a take of nothing": record(OPENING, {"type": "take", "player": "ana"}),
    "a take of null": record(OPENING, {"type": "take", "player": "ana", "tiles": None, "points": None}),
    "an opening taken back": record(OPENING, {"type": "retract", "seq": 0, "why": ""}),
    "an opening amended to an act": record(OPENING, {"type": "amend", "seq": 0, "event": TAKE, "why": ""}),
    "an act amended to an opening": record(OPENING, TAKE, {"type": "amend", "seq": 1, "event": OPENING, "why": ""}),
    "an opening inserted": record(OPENING, {"type": "insert", "before": 1, "event": OPENING, "why": ""}),
    "a correction of a correction": record(
        OPENING, {"type": "amend", "seq": 1, "event": {"type": "retract", "seq": 1, "why": ""}, "why": ""}
    ),
    "a number for a name": record({**OPENING, "game": 5}),
    "half a bid": record(OPENING, {"type": "bid", "player": "ana", "bid": 1.5}),
}
GOOD = {
    "an opening alone": record(OPENING),
    "a take that is worth something": record(OPENING, {"type": "take", "player": "ana", "points": 0}),
    "a time with a fraction": record({**OPENING, "when": "2026-11-20T10:00:00.123456789Z"}),
    "an opening amended to an opening": record(OPENING, {"type": "amend", "seq": 0, "event": OPENING, "why": "x"}),
    "an act amended to an act": record(OPENING, TAKE, {"type": "amend", "seq": 1, "event": TAKE, "why": "x"}),
}


def mutants(number: int) -> dict[str, Any]:
    """Fixtures with a field removed, renamed, or changed."""
    random = Random(20261122)
    changed = {}
    for n in range(number):
        document = json.loads(random.choice(CASES).read_bytes())
        event = random.choice(document["events"])
        field = random.choice(list(event))
        if random.random() < 0.3:
            del event[field]
        elif random.random() < 0.3:
            event[field + "s"] = event.pop(field)
        else:
            event[field] = random.choice(("", "x", "1-2", -1, 0, 1.5, 10**10, None, [], ["1-2"], {}, True, "e"))
        changed[f"mutant {n}"] = document
    return changed


NOT_IN_A_SCHEMA = ("no player is called", "two players are called", "leaves out")
"""Reasons for a refusal that a schema cannot express."""


@pytest.fixture(scope="module")
def documents() -> dict[str, tuple[Any, bool]]:
    """Documents by name, each with whether the reader accepts it."""
    cases: dict[str, tuple[Any, bool]] = {}
    files = {f"{path.parent.name}/{path.name}": json.loads(path.read_bytes()) for path in CASES}
    for name, document in {**files, **GOOD, **BAD, **mutants(400)}.items():
        try:
            codec.decode(json.dumps(document))
        except NotARecord as error:
            if not any(reason in str(error) for reason in NOT_IN_A_SCHEMA):
                cases[name] = document, False
        else:
            cases[name] = document, True
    assert all(cases[name][1] for name in (*files, *GOOD))
    assert not any(cases[name][1] for name in BAD)
    assert sum(not accepted for _document, accepted in cases.values()) > 200
    return cases


def test_the_schema_knows_every_event() -> None:
    fields = [definition.get("properties", {}) for definition in schema()["$defs"].values()]
    tags = {properties["type"].get("enum", [None])[0] for properties in fields if "type" in properties}
    assert tags == {kind.__name__.lower() for kind in EVENTS}


def test_the_schema_has_nothing_that_only_python_knows() -> None:
    text = json.dumps(schema())
    assert "\\Z" not in text
    assert "discriminator" not in text


def test_check_jsonschema_judges_as_the_reader_does(tmp_path: Path, documents: dict[str, tuple[Any, bool]]) -> None:
    schema_file = tmp_path / "schema.json"
    schema_file.write_text(json.dumps(schema()), "utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "check_jsonschema", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    process = run("--check-metaschema", str(schema_file))
    assert process.returncode == 0, process.stdout
    # It is slow, so it checks a tenth of the fixtures and mutants; ajv checks all.
    sample = [name for n, name in enumerate(documents) if name in GOOD or name in BAD or n % 10 == 0]
    names = {f"{n}.json": name for n, name in enumerate(sample)}
    for file, name in names.items():
        (tmp_path / file).write_text(json.dumps(documents[name][0]), "utf-8")
    process = run("--schemafile", str(schema_file), "--output-format", "json", *names)
    refused = {names[Path(error["filename"]).name] for error in json.loads(process.stdout)["errors"]}
    assert refused == {name for name in sample if not documents[name][1]}


AJV = """
const Ajv = require("ajv/dist/2020");
const { schema, documents } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const date = (text) => !Number.isNaN(Date.parse(text)) && new Date(Date.parse(text)).toISOString().startsWith(text);
const judge = new Ajv({ strict: true, formats: { date } }).compile(schema);
console.log(JSON.stringify(Object.fromEntries(Object.entries(documents).map(([name, one]) => [name, judge(one)]))));
"""


@pytest.fixture(scope="module")
def ajv() -> Path:
    """The folder with ajv, which `make lint` fills."""
    home = ROOT / ".venv" / "js"
    if NODE is None or not (home / "node_modules" / "ajv").exists():
        pytest.skip("no node or no ajv here: make lint installs them")
    return home


def test_ajv_judges_as_the_reader_does(ajv: Path, documents: dict[str, tuple[Any, bool]]) -> None:
    contents = {name: document for name, (document, _accepted) in documents.items()}
    request = json.dumps({"schema": schema(), "documents": contents})
    process = subprocess.run([NODE, "-e", AJV], cwd=ajv, input=request, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr[-2000:]
    judged = json.loads(process.stdout)
    wrong = {name: judged[name] for name, (_document, accepted) in documents.items() if judged[name] != accepted}
    assert not wrong
