"""`serve` for its operators: how it ends, what it logs, which proxies it trusts, and how much it reads."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ledger.keep.recorder import Recorder, new_id, new_key
from ledger.record.events import Open, Player
from ledger.stores import questions
from ledger.stores.sqlite import SqliteStore
from viewer import background
from viewer.server.kept import Kept
from waiting import PATIENCE

PLAYERS = tuple(Player(id=name, name=name.title()) for name in ("ana", "ben", "cy"))
Start = Callable[..., "Server"]


class Server:
    """`serve` on the ledger of a folder, with these options."""

    def __init__(self, home: Path, *options: str) -> None:
        self.path, self.errors = home / "a.sqlite", home / "errors.txt"
        with SqliteStore(self.path) as store:
            self.id = Recorder(store).open(Open("zigzag", players=PLAYERS))
        self._errors = self.errors.open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "ledger", "--ledger", str(self.path), "serve", "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=self._errors, text=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.port = int(line.split("/ (")[0].rpartition(":")[2])

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, bytes]:
        with closing(self.send(method, path, body, **headers)) as connection:
            answer = connection.getresponse()
            return answer.status, answer.read()

    def send(self, method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body or None, {name.replace("_", "-"): text for name, text in headers.items()})
        return connection

    def end(self) -> list[str]:
        """The lines of its log."""
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0
        return self.errors.read_text("utf-8").splitlines()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a server."""
    servers: list[Server] = []

    def start_server(*options: str) -> Server:
        servers.append(Server(tmp_path, *options))
        return servers[-1]

    yield start_server
    for server in servers:
        server.close()


def form() -> dict[str, str]:
    return {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "A", "player2": "B", "player3": "C"}


def test_on_shutdown_it_answers_open_requests_and_accepts_no_new_ones(start: Start) -> None:
    server = start()
    entered = form()
    with closing(sqlite3.connect(server.path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")  # so a recorder has to wait
        connection = server.send("POST", "/new", urlencode(entered), Content_Type="application/x-www-form-urlencoded")
        for _ in range(2):  # what was asked after it is answered, so the server has it
            assert server.ask("GET", "/games")[0] == 200
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
    assert not server.errors.read_text("utf-8")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGHUP], ids=["Ctrl+C", "its terminal is closed"])
def test_another_signal_ends_the_server_as_well(start: Start, stop: signal.Signals) -> None:
    server = start()
    assert server.ask("GET", "/healthz")[0] == 200
    server.process.send_signal(stop)
    assert server.process.wait(PATIENCE) == 0


def test_the_json_log_has_a_line_for_each_answer_except_health_checks(start: Start) -> None:
    server = start("--log", "json")
    assert server.ask("GET", f"/g/{server.id}")[0] == 200
    assert server.ask("GET", "/nothing")[0] == 404
    assert server.ask("GET", "/healthz")[0] == 200
    log = [json.loads(line) for line in server.end()]
    answers = [line for line in log if "path" in line]  # on a busy machine the server may log lines of its own
    assert [(line["path"], line["status"]) for line in answers] == [(f"/g/{server.id}", 200), ("", 404)]


def test_the_text_log_says_nothing_about_success(start: Start) -> None:
    server = start()
    assert server.ask("GET", "/")[0] == 200
    assert server.end() == []


def begin(server: Server, forwarded_for: str) -> int:
    headers = {"Content_Type": "application/x-www-form-urlencoded", "X_Forwarded_For": forwarded_for}
    return server.ask("POST", "/new", urlencode(form()), **headers)[0]


def test_without_a_proxy_forwarded_addresses_are_ignored(start: Start) -> None:
    server = start()
    assert [begin(server, f"192.0.2.{n}") for n in range(62)] == [303] * 60 + [429] * 2
    assert server.end() == []


def test_behind_a_proxy_the_last_address_counts(start: Start) -> None:
    server = start("--behind-proxy", "1")
    assert [begin(server, f"192.0.2.{n}, 198.51.100.1") for n in range(62)] == [303] * 60 + [429] * 2
    assert begin(server, "192.0.2.1, 198.51.100.2") == 303
    connection = server.send("GET", "/", X_Forwarded_Proto="https")
    with closing(connection):
        assert connection.getresponse().headers["Strict-Transport-Security"]


def test_a_body_without_end_is_cut_off(start: Start) -> None:
    server = start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        head = (
            f"POST /api/v1/records/{server.id}/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        )
        connection.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
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
    assert server.ask("GET", "/healthz")[0] == 200


def test_on_a_name_with_several_addresses_it_prints_its_port(start: Start) -> None:
    server = start("--host", "localhost")
    assert server.port > 0
    assert server.process.poll() is None
    server.end()


def test_an_audit_that_failed_for_lack_of_space_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        Recorder(store).open(Open("zigzag", players=PLAYERS))
        monkeypatch.setattr(background, "PAUSE", 0.01)
        failures = [OSError("full"), OSError("full")]

        def open_store() -> SqliteStore:
            if failures:
                raise failures.pop()
            return SqliteStore(path)

        ended, state = threading.Event(), dict[str, object](kept=Kept())
        auditor = threading.Thread(target=background.keep_auditing, args=(open_store, ended, state))
        auditor.start()
        while questions.unaudited(store):
            time.sleep(0.02)
        ended.set()
        auditor.join(PATIENCE)
    assert caplog.messages == ["new events cannot be audited now"] * 2
