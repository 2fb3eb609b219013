"""Options and fixtures that several tests share."""

import atexit
import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import hypothesis
import pytest

from ledger.record import clock
from ledger.stores.store import SqliteStore

HERE = Path(__file__).parent
ASIDE = {"wide", "browser"}
"""The folders that are left aside without `--wide`."""
LONGEST = {
    f"test_{name}.py"
    for name in ("other_browsers", "other_stores", "whole_games", "local_games", "every_page", "erring_thumb")
}
"""The files with the longest tests, which begin first: no process works on one while the others have ended."""
EVENING = datetime(2026, 11, 20, 19, tzinfo=UTC)
"""The time at which all tests run.  A test that needs another one sets `clock.now`."""
BY_TAPS = "test_by_taps.py"
"""The one file of `browser` that runs without `--wide`, too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")
    parser.addoption("--wide", action="store_true", help="all tests and all their cases, as `make check` runs them")


def is_wide(config: pytest.Config) -> bool:
    """Whether all tests run: with `--wide`, or where a folder or file that is left aside is named."""
    named = (part for argument in config.args for part in Path(argument.partition("::")[0]).parts)
    return bool(config.getoption("--wide")) or not ASIDE.isdisjoint(named)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves the folders aside that need more than Python and the base package."""
    rooms = collection_path.parent.relative_to(HERE).parts
    aside = (
        collection_path.is_file()
        and not ASIDE.isdisjoint(rooms)
        and collection_path.name not in (BY_TAPS, "conftest.py")
    )
    return True if aside and not is_wide(config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begins with the longest tests.

    Without `--wide`, drops what is marked `wide`, and all but every nth case of `every(n)`.
    """
    if is_wide(config):
        items.sort(key=lambda item: item.path.name not in LONGEST)
        return
    seen: Counter[str] = Counter()
    dropped = []
    for item in items:
        every, name = item.get_closest_marker("every"), item.nodeid.partition("[")[0]
        if item.get_closest_marker("wide") or (every and seen[name] % every.args[0]):
            dropped.append(item)
        seen[name] += 1
    config.hook.pytest_deselected(items=dropped)
    kept = set(items) - set(dropped)
    items[:] = [item for item in items if item in kept]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collects no garbage meanwhile: all modules and tests stay until the end, and nobody looks through them again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        atexit.register(gc.unfreeze)  # or DuckDB says at the end that it was not let go
        gc.set_threshold(10_000)
        gc.enable()


def pytest_configure() -> None:
    hypothesis.settings.load_profile("domino")
    # A program started with `&` in a shell ignores Ctrl+C, and so would every program that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many workers as cores; with `--wide` half as many again, which often wait for a browser, a disk or a clock."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # xdist takes the number from there
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(cores * 3 // 2 if is_wide(config) else cores, 2)


def pytest_report_header(config: pytest.Config) -> str:
    from sheets import GAMES

    part = "all tests" if is_wide(config) else "the core; --wide runs all tests"
    games = f"simulated games 0 to {GAMES - 1} of each rule set"
    return f"{part}; seeds: {games}, what is typed 2026; hypothesis is derandomized"


@pytest.fixture
def golden_update(request) -> bool:
    return bool(request.config.getoption("--golden-update"))


@pytest.fixture(scope="session", autouse=True)
def unhurried() -> Iterator[None]:
    """Clocks stand still: it is always the same evening, and what a search finds does not depend on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: EVENING)
        patch.setattr(clock, "ZONE", UTC)
        yield


@pytest.fixture(scope="session")
def compiled() -> None:
    """From now on all viewers share their compiled templates and addresses."""
    import compiled_addresses
    from viewer.app import Viewer

    Viewer.jinja_options = {"bytecode_cache": compiled_addresses.CompiledTemplates()}
    compiled_addresses.share()


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    """An empty ledger."""
    with SqliteStore(tmp_path / "ledger.sqlite") as made:
        yield made


EXAMPLES = int(os.environ.get("DOMINO_EXAMPLES", "30"))
"""How many examples each property is tried on."""
hypothesis.settings.register_profile("domino", derandomize=True, deadline=None, max_examples=EXAMPLES, print_blob=True)
