"""`serve` as a process: it prints its address, shows new events, and ends on request."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from command_output import output_of
from golden import FIXTURES
from ledger.keep.recorder import key_digest
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from serve_process import ServeProcess
from waiting import PATIENCE, wait_until

CASE = str(FIXTURES / "zigzag" / "take-broken.json")


def run(home: Path, *arguments: str, code: int = 0) -> str:
    """What the command says, on the ledger of this folder."""
    return output_of("--ledger", str(home / "a.sqlite"), *arguments, code=code)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServeProcess]:
    """A server for phones too."""
    run(tmp_path, "import", CASE)
    with ServeProcess(tmp_path / "a.sqlite", "--host", "0.0.0.0") as server:  # noqa: S104  what is tested
        yield server


def test_it_prints_its_address_and_shows_new_events(server: ServeProcess, tmp_path: Path) -> None:
    assert "For phones on this network: http://" in server.output.readline()
    assert "breach" in server.page()
    run(tmp_path, "import", str(FIXTURES / "build-up" / "ending-shared.json"))
    clean = "?game=build-up&verdict=clean"
    wait_until(lambda: server.page(clean).count('class="card game"') == 1, "what was recorded meanwhile was audited")


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    run(tmp_path, "import", CASE)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        command = [sys.executable, "-m", "ledger", "--ledger", str(tmp_path / "a.sqlite"), "serve", "--port", str(port)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 2
    assert f"cannot use port {port}" in process.stderr


def test_a_link_lets_its_holder_record_and_nobody_else(tmp_path: Path) -> None:
    record_id = run(tmp_path, "new", "build-up", "Ana", "Ben").strip()
    output = run(tmp_path, "link", record_id[:6], "--address", "http://table.lan:8000/")
    assert f"Watch: http://table.lan:8000/g/{record_id}\n" in output
    match = re.search(rf"Record: http://table\.lan:8000/r/{record_id}#(\S+)", output)
    assert match
    with SqliteStore(tmp_path / "a.sqlite") as store:
        assert questions.roles(store, record_id, key_digest(match[1]))
        assert not questions.roles(store, record_id, key_digest(match[1] + "x"))
    assert match[1].encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_a_link_has_the_port_of_the_server_that_runs(server: ServeProcess, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as store:
        (record_id,) = store.ids()
    assert f":{server.port}/g/{record_id}\n" in run(tmp_path, "link", record_id)
    assert server.stop() == 0
    assert not (tmp_path / "a.sqlite.serving").exists()
    later = run(tmp_path, "link", record_id)
    assert f":8000/g/{record_id}\n" in later
    assert "no server of this ledger is running" in later


def test_a_ledger_that_is_not_there_is_made_to_record_in(tmp_path: Path) -> None:
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
