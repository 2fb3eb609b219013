"""A ledger in memory with some of the fixtures, and the viewer on it."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache

from golden import CASES, name_of
from ledger import codec
from ledger.archive import refresh
from ledger.recorder import Recorder
from ledger.stores.memory import MemoryStore
from viewer.app import Viewer, create_app


@pytest.fixture(scope="session", autouse=True)
def templates(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every viewer of these tests takes the templates as the first one compiled them."""
    Viewer.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))}


@pytest.fixture(scope="session")
def store() -> MemoryStore:
    """Every third fixture, each under its name with a point for the stroke, audited."""
    found = MemoryStore()
    for path in CASES[::3]:
        record_id = name_of(path).replace("/", ".")
        Recorder(found).import_record(codec.decode(path.read_bytes()), record_id)
    for _ in refresh(found):
        pass
    return found


@pytest.fixture(scope="session")
def app(store: MemoryStore) -> Flask:
    """The viewer."""
    return create_app(lambda: store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody who asks it."""
    return app.test_client()


@pytest.fixture(scope="session")
def names(store: MemoryStore) -> list[str]:
    """The ids of all records."""
    return list(store.ids())
