"""A real Chromium on a real server: the fixtures' ledger in SQLite, at the width of a phone and of a screen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from club import BARE, PHONE, RULES, RULES_ALONE, WORKER, Club, entered

from golden import CASES, name_of
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.play.simulate import simulate
from ledger.record import clock, codec
from ledger.record.clock import now
from ledger.stores.store import SqliteStore
from runtime_home import runtime

if TYPE_CHECKING:  # `make test` loads this file where there is no Playwright, too
    import alone
    import other_browsers
    from at_table import Table
    from playwright.sync_api import Browser, BrowserContext

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The commands of a Chromium, the one that starts and draws with the least work first."""
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync",
         # The optimizing compiler takes longer than what it speeds up: a page of a test rarely lives for half a minute.
         "--js-flags=--wasm-tiering-budget=1000000000",
         # A page that a test makes up counts as a public one, which may not frame a local one.
         "--disable-features=LocalNetworkAccessChecks"]  # fmt: skip
PATIENCE = 120_000
"""Milliseconds until a test gives up on a page: a busy machine needs long for a service worker."""
WIDTHS = {"phone": {"width": 390, "height": 844}, "wide": {"width": 1280, "height": 800}}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            # Several pages and their servers share two cores.  What fails by chance is listed at the end, as RERUN.
            item.add_marker(pytest.mark.flaky(reruns=1))
    if CHROMIUM is None or not find_spec("playwright"):
        what = "Chromium here: install one, or name it in CHROMIUM" if CHROMIUM is None else "Playwright here"
        for item in items:
            if Path(__file__).parent in item.path.parents and not item.path.name.startswith("test_other_"):
                item.add_marker(pytest.mark.skip(reason=f"no {what}"))


@pytest.fixture(scope="session", autouse=True)
def patience() -> None:
    """A busy machine may need long for what the tests expect of a page."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def browsers_clock(monkeypatch) -> None:
    """A server here has the time that the browser has."""
    monkeypatch.setattr(clock, "now", now)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    # Under libfaketime (tests/days.py) a Chromium shows no page: it has the real time.
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": QUIET, "env": env}


@pytest.fixture(autouse=True)
def alone_in_browser(request) -> Iterator[None]:
    """No test has the pages of an earlier one beside it: they go on, and are laid out and drawn."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("browser")
    before = browser.contexts
    yield
    for context in browser.contexts:
        if context not in before:
            context.close()


@pytest.fixture(params=WIDTHS)
def browser_context_args(browser_context_args: dict[str, Any], request) -> dict[str, Any]:
    phone = {"has_touch": True, "is_mobile": True} if request.param == "phone" else {}
    return {**browser_context_args, "viewport": WIDTHS[request.param], **phone}


@pytest.fixture
def bare() -> bool:
    """Whether the fixture `page` is on a server without rules; a module that needs them has a fixture that says no.

    Else a page that lives longer than a moment stores them and the recorder's pages: that is more work than most tests.
    """
    return True


@pytest.fixture
def context(context: BrowserContext, *, bare: bool) -> BrowserContext:
    """That of the fixture `page`."""
    context.set_default_timeout(PATIENCE)
    if bare:
        context.add_init_script(BARE)
    return context


@pytest.fixture(scope="session")
def ledger(tmp_path_factory) -> Path:
    """A ledger of fixtures, each under its name, and of one game of 91 tiles."""
    path = tmp_path_factory.mktemp("ledger") / "a.sqlite"
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        for case in CASES:
            recorder.import_record(codec.decode(case.read_bytes()), name_of(case).replace("/", "."))
        recorder.import_record(simulate(catalog.find("ziggurat"), 3, {"set": 12}), "large")
        for _ in refresh(store):
            pass
    return path


@pytest.fixture(scope="session")
def address(ledger: Path) -> Iterator[str]:
    """The address of the viewer on that ledger."""
    from serving import serving
    from viewer.app import create_app

    with serving(create_app(lambda: SqliteStore(ledger)), threads=16) as url:
        yield url


@pytest.fixture
def quiet(page: Any) -> Iterator[list[str]]:
    """The errors of a page; a test that uses it fails if there are any."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield errors
    assert errors == []


@pytest.fixture
def club(tmp_path) -> Iterator[Club]:
    club = Club(tmp_path)
    yield club
    club.kill()


@pytest.fixture
def phone(browser: Browser, request) -> Iterator[BrowserContext]:
    """A phone, by default one that neither the rules nor the service worker ever reach.

    With the parameter `WORKER` the worker does, with `RULES_ALONE` the rules, and with `RULES` both.
    """
    parts = getattr(request, "param", None)
    workers: Literal["allow", "block"] = "allow" if parts in (RULES, WORKER) else "block"
    context = browser.new_context(**PHONE, service_workers=workers)  # type: ignore[arg-type]  # the fields of a phone
    context.set_default_timeout(PATIENCE)
    if parts in (RULES, RULES_ALONE):
        runtime()
    else:
        context.add_init_script(BARE)
    yield context
    context.close()


@pytest.fixture
def table(phone: BrowserContext, club: Club) -> Table:
    """A game of Ziggurat after its hands are recorded: the page, the thumb, the record, and the acts to come."""
    from at_table import open_recorder

    record = simulate(catalog.find("ziggurat"), 2)
    acts = entered(record)
    link, record_id = club.open(record.opening, acts[:2])
    page = phone.new_page()
    return page, open_recorder(page, link), record_id, acts[2:]


@pytest.fixture
def lone_table(phone: BrowserContext, club: Club, request) -> alone.Table:
    """A game that was begun and recorded without a network: the page, the thumb, and the record."""
    import alone

    return alone.sit_down(phone, club, worker=request.node.callspec.params["phone"] == RULES)


@pytest.fixture(scope="session")
def running(tmp_path_factory) -> Iterator[other_browsers.Running]:
    """The other browsers that run already."""
    from other_browsers import Running

    running = Running(tmp_path_factory.mktemp("browsers"))
    yield running
    running.close()


@pytest.fixture(params=["webkit", "firefox"])
def other(request, running: other_browsers.Running) -> Iterator[other_browsers.Browser]:
    """A browser that many phones have beside Chromium, with an empty page before and after the test."""
    from other_browsers import why_not

    if reason := why_not(request.param):
        pytest.skip(reason)
    runtime()
    browser = running.get(request.param)
    yield browser
    with suppress(Exception):
        browser.go("about:blank")
