"""A ledger in memory with some of the fixtures, and the viewer on it."""

import io
import logging
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from golden import CASES, name_of
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import refresh
from ledger.record import codec
from ledger.stores.beside import Key
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.server import logs


@pytest.fixture(scope="session", autouse=True)
def _compiled(compiled: None) -> None:
    """For all viewers of these tests."""


@pytest.fixture(scope="session")
def store() -> TemporaryStore:
    """Every third fixture, audited, with its name as the id and a dot for the slash."""
    store = TemporaryStore()
    for path in CASES[::3]:
        record_id = name_of(path).replace("/", ".")
        Recorder(store).import_record(codec.decode(path.read_bytes()), record_id)
    for _ in refresh(store):
        pass
    return store


@pytest.fixture
def client(store: TemporaryStore) -> FlaskClient:
    """A client of a viewer of `store`: of the ledger above, or of the one that a module has under this name."""
    return create_app(store.reopen).test_client()


@pytest.fixture(scope="session")
def names(store: TemporaryStore) -> list[str]:
    """The ids of all records."""
    return list(store.ids())


@pytest.fixture(scope="session")
def owner_key() -> str:
    """The key of the owner of each `ledger`."""
    return new_key()


@pytest.fixture
def ledger(owner_key: str) -> TemporaryStore:
    """A ledger with an owner and no record."""
    store = TemporaryStore()
    store.put([Key("", key_digest(owner_key), "owner")])
    return store


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """The log in JSON during the block."""
    out = io.StringIO()
    handler = logs.configure("json", out)
    yield out
    logging.getLogger().removeHandler(handler)
    logs.logger.setLevel(logging.NOTSET)
