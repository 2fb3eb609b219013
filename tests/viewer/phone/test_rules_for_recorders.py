"""What a server does for a recorder that has the rules on its phone."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from golden import ROOT
from ledger.keep.recorder import Recorder
from ledger.record.events import Open
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer import commands
from viewer.app import create_app
from viewer.in_browser import runtime
from viewer.in_browser.runtime import Runtime


@pytest.fixture
def ledger() -> TemporaryStore:
    """A ledger with one record."""
    store = TemporaryStore()
    Recorder(store).open(Open("zigzag", players=PLAYERS), "0123456789")
    return store


@pytest.fixture
def client(ledger: TemporaryStore) -> FlaskClient:
    return create_app(ledger.reopen, limits=True).test_client()


def test_only_the_recorder_may_start_the_rules_and_only_where_there_are_any(client: FlaskClient, monkeypatch) -> None:
    monkeypatch.setattr(runtime, "find_runtime", lambda: Runtime("0123456789abcdef", Path()))
    page = client.get("/r/0123456789")
    assert 'data-runtime="/runtime/0123456789abcdef/"' in page.text
    policy = page.headers["Content-Security-Policy"].split("; ")
    assert {"script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self' blob:", "frame-ancestors 'none'"} <= set(policy)
    assert "default-src 'self'" in policy
    # Other pages only fetch them, for a phone that may lose its network; a page in a frame of another site does not.
    for path in ("/", "/new", "/new?game=zigzag", "/g/0123456789", "/rules", "/players", "/embed/0123456789"):
        other_page = client.get(path)
        assert "wasm-unsafe-eval" not in other_page.headers["Content-Security-Policy"]
        for part in ("data-runtime", "/in_browser/static/get_ready_on_visit.js"):
            assert (part in other_page.text) == (not path.startswith("/embed/")), path
    monkeypatch.setattr(runtime, "find_runtime", lambda: "The rules for browsers are not built here.")
    for path in ("/", "/r/0123456789"):
        bare = client.get(path)
        assert "data-runtime" not in bare.text
        assert "/in_browser/static/get_ready_on_visit.js" not in bare.text
    assert "wasm-unsafe-eval" not in bare.headers["Content-Security-Policy"]


def test_only_a_page_that_somebody_may_see_and_record_with_makes_a_phone_ready(
    ledger: TemporaryStore, monkeypatch
) -> None:
    monkeypatch.setattr(runtime, "find_runtime", lambda: Runtime("0123456789abcdef", Path()))
    for settings, path, status in (
        ({"private": True}, "/g/0123456789", 401),
        ({"recording": False}, "/g/0123456789", 200),
        ({}, "/no-such-page", 404),
    ):
        page = create_app(ledger.reopen, **settings).test_client().get(path)
        assert page.status_code == status
        assert "/in_browser/static/get_ready_on_visit.js" not in page.text


def test_who_installed_the_program_without_the_rules_is_told_how_to_get_them(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(runtime, "PACKAGES", ROOT)
    assert "run `make runtime`" in str(runtime.find_runtime(tmp_path))
    monkeypatch.setattr(runtime, "PACKAGES", tmp_path)
    missing = runtime.find_runtime(tmp_path)
    assert "pip install --force-reinstall" in str(missing)
    assert "make runtime" not in str(missing)
    monkeypatch.setattr(runtime, "find_runtime", lambda: missing)
    commands._say_without_rules()
    assert capsys.readouterr().err == f"Note: phones can record only with a connection. {missing}\n"
