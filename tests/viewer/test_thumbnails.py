"""Small pictures of tables for lists: one answer for each state, which browsers may keep."""

from __future__ import annotations

from ledger import catalog
from ledger.recorder import Recorder
from ledger.simulate import simulate
from ledger.stores.memory import MemoryStore
from viewer.app import create_app


def test_a_thumbnail_is_kept_by_its_state() -> None:
    store = MemoryStore()
    record = simulate(catalog.find("ziggurat"), 3, {})
    name = Recorder(store).import_record(record)
    client = create_app(lambda: store).test_client()
    answer = client.get(f"/g/{name}/thumbnail.svg?v={len(record.events)}&size=large")
    assert answer.status_code == 200
    assert answer.content_type.startswith("image/svg+xml")
    assert 'width="220"' in answer.text
    assert "max-age" in answer.headers["Cache-Control"]
    again = client.get(f"/g/{name}/thumbnail.svg?size=large", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    old = client.get(f"/g/{name}/thumbnail.svg?v=1")
    assert 'width="112"' in old.text
    assert "no-cache" in old.headers["Cache-Control"]
    assert client.get("/g/nobodyhasit/thumbnail.svg").status_code == 404
