"""`serve` as a process: it prints its address, shows new events, and ends on request."""

import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from command_output import output_of
from golden import FIXTURES
from ledger.examples.season import cards, season
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.record.events import Open
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from serve_process import ServeProcess
from sheets import PLAYERS
from waiting import PATIENCE, wait_until

CASE = str(FIXTURES / "zigzag" / "take-broken.json")


def run(home: Path, *arguments: str, code: int = 0) -> str:
    """What the command says, on the ledger of this folder."""
    return output_of("--ledger", str(home / "a.sqlite"), *arguments, code=code)


@pytest.fixture
def server(tmp_path) -> Iterator[ServeProcess]:
    """A server for phones too."""
    run(tmp_path, "import", CASE)
    with ServeProcess(tmp_path / "a.sqlite", "--host", "0.0.0.0") as server:  # noqa: S104  what is tested
        yield server


def test_it_prints_its_address_and_shows_new_events(server: ServeProcess, tmp_path) -> None:
    assert "For phones on this network: http://" in server.output.readline()
    assert "breach" in server.page()
    run(tmp_path, "import", str(FIXTURES / "build-up" / "ending-shared.json"))
    clean = "?game=build-up&verdict=clean"
    wait_until(lambda: server.page(clean).count('class="card game"') == 1, "what was recorded meanwhile was audited")


def test_a_port_in_use_is_reported(tmp_path) -> None:
    run(tmp_path, "import", CASE)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        command = [sys.executable, "-m", "ledger", "--ledger", str(tmp_path / "a.sqlite"), "serve", "--port", str(port)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 2
    assert f"cannot use port {port}" in process.stderr


def test_a_link_lets_its_holder_record_and_nobody_else(tmp_path) -> None:
    record_id = run(tmp_path, "new", "build-up", "Ana", "Ben").strip()
    output = run(tmp_path, "link", record_id[:6], "--address", "http://table.lan:8000/")
    assert f"Watch: http://table.lan:8000/g/{record_id}\n" in output
    match = re.search(rf"Record: http://table\.lan:8000/r/{record_id}#(\S+)", output)
    assert match
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert questions.roles(store, record_id, key_digest(match[1]))
        assert not questions.roles(store, record_id, key_digest(match[1] + "x"))
    assert match[1].encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_a_link_has_the_port_of_the_server_that_runs(server: ServeProcess, tmp_path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        (record_id,) = store.ids()
    assert f":{server.port}/g/{record_id}\n" in run(tmp_path, "link", record_id)
    assert server.stop() == 0
    assert not (tmp_path / "a.sqlite.serving").exists()
    later = run(tmp_path, "link", record_id)
    assert f":8000/g/{record_id}\n" in later
    assert "no server of this ledger is running" in later


def test_a_ledger_that_is_not_there_is_made_to_record_in(tmp_path) -> None:
    assert "there is no ledger" in run(tmp_path, "serve", "--port", "0", "--read-only", code=3)
    with ServeProcess(tmp_path / "a.sqlite") as server:
        assert "Record a game" in server.page()
        assert server.stop() == 0


def test_among_600_slow_clients_a_good_one_is_answered(server: ServeProcess) -> None:
    half = b"POST /api/v1/records/x/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    with ExitStack() as open_:
        for number in range(600):
            slow = open_.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
            slow.sendall(half if number % 2 else b"GET / HTTP/1.1\r\nHos")
        for _ in range(5):
            assert "Domino Ledger" in server.page()
        slow.setblocking(False)
        with pytest.raises(BlockingIOError):  # it is still open: the pages did not wait until it was given up
            slow.recv(1)


# ---- `serve` for its operators: how it ends, which proxies it trusts, and how much it reads.


FORM = "application/x-www-form-urlencoded"
Start = Callable[..., ServeProcess]


@pytest.fixture
def start(tmp_path) -> Iterator[Start]:
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


# ---- `demo` as a process: a season, a game that goes on, and nothing left when it ends.


SHIPPED = {example.id for example in (*cards(), *season())}


@pytest.fixture
def club(tmp_path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """The demo as it runs: its process, the address that it prints, and its folder for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "mine.sqlite").write_bytes(b"mine")
    environment = {
        **os.environ, "PYTHONIOENCODING": "utf-8",
        "TMPDIR": str(temporary), "DOMINO_LEDGER": str(tmp_path / "mine.sqlite"),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ledger", "demo", "--no-open", "--port", "0"],
        stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    lines = []
    while not (lines and "Ctrl+C" in lines[-1]):
        lines.append(process.stdout.readline())
        assert lines[-1], "it ended early"
    assert len(lines) <= 25
    match = re.search(r"http://\S+", lines[-1])
    assert match
    yield process, match[0], temporary
    process.kill()
    process.wait()
    process.stdout.close()


def answer(address: str) -> Any:
    """What the API answers."""
    with urlopen(address, timeout=PATIENCE) as reply:  # noqa: S310  our own
        return json.load(reply)


def test_a_watcher_sees_a_game_grow_and_ctrl_c_leaves_nothing(
    club: tuple[subprocess.Popen[str], str, Path], tmp_path
) -> None:
    process, address, temporary = club
    (file,) = temporary.glob("*/demo.sqlite")
    with SqliteStore(file) as store:
        wait_until(lambda: len(set(store.ids()) - SHIPPED) == 1, "a game is in play")
        (playing,) = set(store.ids()) - SHIPPED
        begun = store.version(playing)
        wait_until(lambda: store.version(playing) > begun, "an act came")
    first = answer(f"{address}api/v1/records?limit=1")["records"][0]
    assert (first["id"], first["place"], first["closed"]) == (playing, "Harbour Street (simulated)", False)
    assert list(temporary.iterdir())
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    assert not list(temporary.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.sqlite", "temporary"]
    assert (tmp_path / "mine.sqlite").read_bytes() == b"mine"
