"""`serve` for its operators: how it ends, which proxies it trusts, and how much it reads."""

import http.client
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ledger.keep.recorder import Recorder, new_id, new_key
from ledger.record.events import Open
from ledger.stores.store import SqliteStore
from serve_process import ServeProcess
from sheets import PLAYERS
from waiting import PATIENCE

FORM = "application/x-www-form-urlencoded"
Start = Callable[..., ServeProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a server on a ledger with one record."""
    with SqliteStore(tmp_path / "a.sqlite") as store:
        Recorder(store).open(Open("zigzag", players=PLAYERS), "mine")
    with ExitStack() as ending:
        yield lambda *options: ending.enter_context(ServeProcess(tmp_path / "a.sqlite", *options))


def send(server: ServeProcess, method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request(method, path, body or None, {name.replace("_", "-"): text for name, text in headers.items()})
    return connection


def form() -> dict[str, str]:
    return {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}


def test_on_shutdown_it_answers_open_requests_and_accepts_no_new_ones(start: Start) -> None:
    server = start()
    entered = form()
    with closing(sqlite3.connect(server.path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")  # so a recorder has to wait
        connection = send(server, "POST", "/new", urlencode(entered), Content_Type=FORM)
        for _ in range(2):  # what was asked after it is answered, so the server has it
            assert server.page("rules")
        server.process.send_signal(signal.SIGTERM)
        while True:
            try:
                socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE).close()
            except ConnectionError:
                break
            time.sleep(0.05)
        assert server.process.poll() is None
        writer.execute("ROLLBACK")
        with closing(connection):
            answer = connection.getresponse()
            assert answer.status == 303
            assert answer.read()
    assert server.process.wait(PATIENCE) == 0
    with SqliteStore(server.path) as store:
        assert store.version(entered["id"]) == 1
    assert not server.errors()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGHUP], ids=["Ctrl+C", "its terminal is closed"])
def test_another_signal_ends_the_server_as_well(start: Start, stop: signal.Signals) -> None:
    server = start()
    assert server.page("healthz")
    assert server.stop(stop) == 0


def begin(server: ServeProcess, forwarded_for: str) -> int:
    connection = send(server, "POST", "/new", urlencode(form()), Content_Type=FORM, X_Forwarded_For=forwarded_for)
    with closing(connection):
        return connection.getresponse().status


def test_behind_a_proxy_the_last_address_counts(start: Start) -> None:
    server = start("--behind-proxy", "1")
    assert [begin(server, f"192.0.2.{n}, 198.51.100.1") for n in range(62)] == [303] * 60 + [429] * 2
    assert begin(server, "192.0.2.1, 198.51.100.2") == 303
    with closing(send(server, "GET", "/", X_Forwarded_Proto="https")) as connection:
        assert connection.getresponse().headers["Strict-Transport-Security"]


def test_a_body_without_end_is_cut_off(start: Start) -> None:
    server = start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        head = b"POST /api/v1/records/mine/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        piece = b"10000\r\n" + b"[" * 0x10000 + b"\r\n"
        sent = 0
        try:
            for _ in range(500):  # 32 MB, if anybody took them
                connection.sendall(piece)
                sent += 0x10000
        except (BrokenPipeError, ConnectionResetError):
            assert sent < 500 * 0x10000
        else:
            assert b" 413 " in connection.recv(1000)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 40_000 + b"\r\n\r\n")
        assert b" 431 " in connection.recv(1000)
    assert server.page("healthz")


def test_on_a_name_with_several_addresses_it_prints_its_port(start: Start) -> None:
    server = start("--host", "localhost")
    assert server.port > 0
    assert server.stop() == 0
