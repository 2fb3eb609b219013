"""`serve` as a process: it prints its address, shows new events, and ends on request."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from golden import FIXTURES
from ledger.keep.recorder import key_digest
from ledger.stores import questions
from ledger.stores.sqlite import SqliteStore
from waiting import PATIENCE, wait_until

CASE = str(FIXTURES / "zigzag" / "take-broken.json")


def run(home: Path, *arguments: str) -> str:
    """The command, on the ledger of this folder."""
    process = subprocess.run(
        [sys.executable, "-m", "ledger", "--ledger", str(home / "a.sqlite"), *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return process.stdout


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server for phones too: its process, its address and its output."""
    run(tmp_path, "import", CASE)
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ledger", "--ledger", str(tmp_path / "a.sqlite"), "serve", "--port", "0",
         "--host", "0.0.0.0"],  # noqa: S104  what is tested
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert process.stdout is not None
    first, second = process.stdout.readline(), process.stdout.readline()
    match = re.search(r"http://\S+", first)
    assert match
    yield process, match[0], first + second
    process.kill()
    process.wait()
    process.stdout.close()


def page(address: str) -> str:
    """The answer to a browser."""
    with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310  our own
        return str(answer.read().decode())


def test_it_prints_its_address_and_shows_new_events(
    server: tuple[subprocess.Popen[str], str, str], tmp_path: Path
) -> None:
    _process, address, output = server
    assert "For phones on this network: http://" in output
    assert "breach" in page(address)
    run(tmp_path, "import", str(FIXTURES / "build-up" / "ending-shared.json"))
    clean = f"{address}?game=build-up&verdict=clean"
    wait_until(lambda: page(clean).count('class="card game"') == 1, "what was recorded meanwhile was audited")


def test_it_ends_by_sigterm_and_frees_its_port(server: tuple[subprocess.Popen[str], str, str]) -> None:
    process, address, _output = server
    assert "Domino Ledger" in page(address)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", int(address.rstrip("/").rpartition(":")[2])))


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    run(tmp_path, "import", CASE)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        process = subprocess.run(
            [sys.executable, "-m", "ledger", "--ledger", str(tmp_path / "a.sqlite"), "serve", "--port", str(port)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
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


def test_a_link_has_the_port_of_the_server_that_runs(
    server: tuple[subprocess.Popen[str], str, str], tmp_path: Path
) -> None:
    process, address, _ = server
    port = address.rstrip("/").rpartition(":")[2]
    with SqliteStore(tmp_path / "a.sqlite") as store:
        (record_id,) = store.ids()
    assert f":{port}/g/{record_id}\n" in run(tmp_path, "link", record_id)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    assert not (tmp_path / "a.sqlite.serving").exists()
    later = subprocess.run(
        [sys.executable, "-m", "ledger", "--ledger", str(tmp_path / "a.sqlite"), "link", record_id],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f":8000/g/{record_id}\n" in later.stdout
    assert "no server of this ledger is running" in later.stderr


def test_a_ledger_that_is_not_there_is_made_to_record_in(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-u",
        "-m",
        "ledger",
        "--ledger",
        str(tmp_path / "new.sqlite"),
        "serve",
        "--port",
        "0",
    ]
    refused = subprocess.run([*command, "--read-only"], capture_output=True, text=True, check=False)
    assert refused.returncode == 3
    assert "there is no ledger" in refused.stderr
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[3]
    assert "Record a game" in page(address)
    process.terminate()
    assert process.wait(PATIENCE) == 0
    process.stdout.close()


def test_among_600_slow_clients_a_good_one_is_answered(server: tuple[subprocess.Popen[str], str, str]) -> None:
    _process, address, _output = server
    port = int(address.rsplit(":", 1)[1].strip("/"))
    half = b"POST /api/v1/records/x/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    with ExitStack() as open_:
        for number in range(600):
            slow = open_.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            slow.sendall(half if number % 2 else b"GET / HTTP/1.1\r\nHos")
        for _ in range(5):
            assert "Domino Ledger" in page(address)
        slow.setblocking(False)
        with pytest.raises(BlockingIOError):  # it is still open: the pages did not wait until it was given up
            slow.recv(1)
