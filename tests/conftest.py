"""Options and fixtures that several tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import hypothesis
import pytest

from ledger.stores.contract import Store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from postgres import NONE_HERE, Server, binaries
from sheets import GAMES


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")


def pytest_configure() -> None:
    # A program started with `&` in a shell ignores Ctrl+C, and so would every program that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as cores: a quarter of the time a worker waits for a browser, a disk or a clock."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(cores * 3 // 2, 2)


def pytest_report_header() -> str:
    games = f"simulated games 0 to {GAMES - 1} of each rule set"
    return f"seeds: {games}, strides from 2026, what is typed 2026; hypothesis is derandomized"


@pytest.fixture
def golden_update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--golden-update"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for all tests of this process."""
    if binaries() is None:
        pytest.skip(NONE_HERE)
    server = Server()
    yield server
    server.end()


@pytest.fixture
def address(postgres: Server) -> str:
    """The address of an empty PostgreSQL database."""
    return postgres.made(f"domino-{uuid4().hex[:12]}")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty ledger of each kind."""
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "sqlite":
        made = SqliteStore(tmp_path / "ledger.sqlite")
    else:
        from ledger.stores.postgres import PostgresStore  # noqa: PLC0415  needs its driver

        made = PostgresStore(request.getfixturevalue("address"))
    with made:
        yield made


hypothesis.settings.register_profile("ledger", derandomize=True, deadline=None, max_examples=100, print_blob=True)
hypothesis.settings.load_profile("ledger")
