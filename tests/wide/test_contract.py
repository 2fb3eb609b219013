"""The API compared with its document from outside, with every check of schemathesis: a server, and a stranger.

DOMINO_EXAMPLES says how many examples for each operation; where it is set, all edges of every schema are tried too.
"""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from golden import CASES, ROOT
from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import EVENTS, Open, Player
from ledger.record.json_schema import schema
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from node import NODE
from serving import serving
from viewer.app import ENDPOINTS, create_app
from viewer.phone import recorder_routes
from viewer.server.endpoints import openapi

EXAMPLES = os.environ.get("DOMINO_EXAMPLES", "")
SEED = "7"
# A schema does not know the players, and accepts 2.0 as a whole number: a valid request may still be refused.  And an
# id that fits the schema is seldom that of a record: posts go to one that exists.
CONFIG = """
[[operations]]
include-method = "POST"
checks.positive_data_acceptance.enabled = false
parameters = { "path.record_id" = "0" }
"""


def run_schemathesis(home: Path, examples: str, *more: str) -> subprocess.CompletedProcess[str]:
    """What schemathesis, with `more` arguments, says of a server whose ledger has one record; it holds the key."""
    key = new_key()
    with SqliteStore(home / "a.sqlite") as store:
        Recorder(store).open(Open("zigzag", players=tuple(Player(id=name) for name in "012")), "0")
        store.put([Key("0", key_digest(key))])
    (home / "schemathesis.toml").write_text(CONFIG, "utf-8")
    arguments = ["--max-examples", examples, "--seed", SEED, "--no-color", "-H", f"Authorization: Bearer {key}"]
    arguments += more
    with serving(create_app(lambda: SqliteStore(home / "a.sqlite")), threads=4) as address:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json", *arguments]
        return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def test_every_answer_to_a_stranger_is_as_the_document_says(tmp_path) -> None:
    run = run_schemathesis(tmp_path, EXAMPLES or "10", *([] if EXAMPLES else ["--phases", "fuzzing,stateful"]))
    assert run.returncode == 0, run.stdout[-6000:]
    totals = re.search(r"(\d+) generated, (\d+) passed", run.stdout)
    assert totals
    assert int(totals[2]) > 9 * int(EXAMPLES or 10)
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert store.read("0")
        # A stranger may begin a game by the API: then its players are as many as it is for.
        for record_id in store.ids():
            opening = store.read(record_id).opening
            assert catalog.find(opening.game).seated(opening)


def test_a_server_that_asks_for_no_key_would_be_found_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(recorder_routes, "holds_key", lambda _record_id: True)
    one = ("--include-path-regex", "/events$", "--max-failures", "1")
    run = run_schemathesis(tmp_path, "1", "--phases", "coverage", *one)
    assert run.returncode == 1
    assert "Authorization" in run.stdout
    assert "POST /api/v1/records/{record_id}/events" in run.stdout.partition("FAILURES")[2]


# ---- The OpenAPI document in use: a validator accepts it, and a generated client records a game.


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as clients read it."""
    document: dict[str, Any] = json.loads(json.dumps(openapi(ENDPOINTS)))
    return document


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    from openapi_spec_validator import validate

    validate(document)


def test_a_generated_client_records_a_game(tmp_path, document: dict[str, Any], monkeypatch) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(document), "utf-8")
    # The client generator does not support NDJSON.
    settings = "post_hooks: []\ncontent_type_overrides: {application/x-ndjson: application/octet-stream}\n"
    (tmp_path / "settings.yml").write_text(settings, "utf-8")
    command = [
        sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--output-path", "made",
        "--meta", "none", "--config", "settings.yml", "--fail-on-warning",
    ]  # fmt: skip
    generator = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert generator.returncode == 0, generator.stdout + generator.stderr
    monkeypatch.syspath_prepend(str(tmp_path))

    def part(name: str) -> Any:
        return importlib.import_module(f"made.{name}")

    game = simulate(catalog.find("build-up"), 5)
    events = [msgspec.to_builtins(event) for event in game.events]
    app, owner = create_app(lambda: SqliteStore(tmp_path / "a.sqlite")), new_key()
    with SqliteStore(tmp_path / "a.sqlite") as store:
        store.put([Key("", key_digest(owner), "owner")])
    with serving(app, threads=4) as address, part("client").Client(base_url=address) as client:
        body = part("models.beginning").Beginning.from_dict({"opening": events[0]})
        beginning = part("api.records.begin_record").sync(client=client, body=body)
        entries = [{"id": f"entry-{n:05d}", "event": event} for n, event in enumerate(events[1:])]
        batch = part("models.batch").Batch.from_dict({"expected": beginning.version, "entries": entries})
        with part("client").AuthenticatedClient(base_url=address, token=beginning.key) as keyed:
            view = part("api.records.append").sync(beginning.id, client=keyed, body=batch)
        assert view.version == len(events)
        report = part("api.records.report").sync(beginning.id, client=client)
        assert report.verdict == audit(catalog.find("build-up"), game).verdict
        rows = part("api.records.records").sync(client=client).records
        assert [row.id for row in rows] == [beginning.id]
        with part("client").AuthenticatedClient(base_url=address, token=owner) as keyed:
            document_body = part("models.document").Document.from_dict(
                json.loads(codec.encode(simulate(catalog.find("zigzag"), 5)))
            )
            imported = part("api.records.import_records").sync(client=keyed, body=document_body)
        assert (imported.imported, imported.refused, imported.lines[0].reason) == (1, 0, "")
    with SqliteStore(tmp_path / "a.sqlite") as store:
        events_stored = [replace(event, when=None) for event in store.read(beginning.id).events]
    assert events_stored[0] == replace(game.events[0], rules="1")  # the revision of today, said by the recorder
    assert tuple(events_stored[1:]) == game.events[1:]


# ---- The JSON Schema of a record, checked with independent programs: ajv and check-jsonschema.
# Both accept and refuse the same documents as the reader, as far as a schema can say: it does not know the players.


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


def test_check_jsonschema_judges_as_the_reader_does(tmp_path, documents: dict[str, tuple[Any, bool]]) -> None:
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
