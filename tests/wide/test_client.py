"""The OpenAPI document in use: a validator accepts it, and a generated client records a game."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.keep.recorder import key_digest, new_key
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from serving import serving
from viewer.app import ENDPOINTS, create_app
from viewer.server.endpoints import openapi


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as clients read it."""
    document: dict[str, Any] = json.loads(json.dumps(openapi(ENDPOINTS)))
    return document


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    from openapi_spec_validator import validate

    validate(document)


def test_a_generated_client_records_a_game(
    tmp_path: Path, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
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
