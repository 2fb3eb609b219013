"""The runtime from a server: compressed once, cached for ever, and not required by any other page."""

import gzip

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from golden import ROOT
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.in_browser import runtime, runtime_routes
from viewer.in_browser.runtime import PACK, PYTHON, WORKER, Runtime

SCRIPT = b"// the worker\n" * 90
HERE = "/runtime/0123456789abcdef"


def get(client: FlaskClient, path: str, accept: str = "") -> TestResponse:
    """An answer read to its end, so its file is closed."""
    with client.get(path, headers={"Accept-Encoding": accept}) as answer:
        answer.get_data()
        return answer


@pytest.fixture
def client(tmp_path, monkeypatch) -> FlaskClient:
    """A private server with a runtime."""
    folder = tmp_path / "0123456789abcdef"
    folder.mkdir()
    for name in (WORKER, PYTHON):
        (folder / name).write_bytes(SCRIPT)
        (folder / f"{name}.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / PACK).write_bytes(gzip.compress(b"all the rest"))
    monkeypatch.setattr(runtime_routes, "find_runtime", lambda: Runtime(folder.name, folder))
    store = TemporaryStore()
    return create_app(store.reopen, private=True).test_client()


@pytest.mark.parametrize("name", [WORKER, PYTHON])
def test_a_script_is_compressed_for_those_who_can_read_that(client: FlaskClient, name: str) -> None:
    uncompressed = get(client, f"{HERE}/{name}")
    assert uncompressed.data == SCRIPT
    assert "Content-Encoding" not in uncompressed.headers
    compressed = get(client, f"{HERE}/{name}", "gzip, br")
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.data) == SCRIPT
    for answer in (uncompressed, compressed):
        assert answer.mimetype == "text/javascript"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert "immutable" in answer.headers["Cache-Control"]


def test_only_the_worker_may_compile_and_it_reaches_this_server_alone(client: FlaskClient) -> None:
    policy = get(client, f"{HERE}/{WORKER}").headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    assert "wasm-unsafe-eval" not in get(client, "/rules").headers["Content-Security-Policy"]


def test_the_pack_is_handed_out_as_it_is_and_also_to_a_file_that_was_sent(client: FlaskClient) -> None:
    answer = get(client, f"{HERE}/{PACK}", "gzip")
    assert gzip.decompress(answer.data) == b"all the rest"
    assert "Content-Encoding" not in answer.headers
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("path", [f"fedcba9876543210/{PACK}", "0123456789abcdef/runtime.json", f"../{PACK}"])
def test_anything_else_is_not_there(client: FlaskClient, path: str) -> None:
    assert get(client, f"/runtime/{path}").status_code in (401, 404)


def test_without_a_runtime_a_sentence_says_how_to_get_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(runtime, "PACKAGES", ROOT)
    reason = runtime.find_runtime(tmp_path)
    assert isinstance(reason, str)
    assert "make runtime" in reason
    monkeypatch.setattr(runtime_routes, "find_runtime", lambda: reason)
    store = TemporaryStore()
    answer = get(create_app(store.reopen).test_client(), f"{HERE}/{PACK}")
    assert answer.status_code == 404
    assert "make runtime" in answer.text


def test_a_runtime_of_other_sources_is_none(tmp_path) -> None:
    (tmp_path / "runtime.json").write_text('{"digest": "0123456789abcdef", "sources": "others"}')
    reason = runtime.find_runtime(tmp_path)
    assert isinstance(reason, str)
    assert "other sources" in reason
