"""A client that keeps many connections open does not block the others."""

from __future__ import annotations

import re
import resource
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
from viewer.server.connections import network
from waiting import PATIENCE

CASE = str(FIXTURES / "zigzag" / "take-broken.json")
IDLE = 1300
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
"""The beginning of a request."""


class ServerProcess:
    """`serve` as a process with a limit of open files."""

    def __init__(self, home: Path, files: int) -> None:
        command = [sys.executable, "-u", "-m", "ledger.cli", "--ledger", str(home / "a.sqlite")]
        subprocess.run([*command, "import", CASE], check=True, capture_output=True)
        self.errors = home / "errors"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*command, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=errors, text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),  # noqa: PLW1509
            )  # fmt: skip
        assert self.process.stdout is not None
        port = re.search(r":(\d+)/", self.process.stdout.readline())
        assert port
        self.port = int(port[1])

    def page(self) -> bytes:
        """A page, as a normal client gets it."""
        with urlopen(f"http://127.0.0.1:{self.port}/games", timeout=PATIENCE) as answer:
            assert answer.status == 200
            return bytes(answer.read())


@pytest.fixture
def room_for_clients() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < IDLE + 500:
        pytest.skip("too few files may be opened here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, IDLE + 500), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("room_for_clients")
@pytest.mark.parametrize(("files", "half"), [(256, HALF), (1024, b""), (4096, b""), (4096, HALF)])
def test_idle_connections_of_one_client_do_not_block_others(tmp_path: Path, files: int, half: bytes) -> None:
    server = ServerProcess(tmp_path, files)
    try:
        page = server.page()
        with ExitStack() as connections:
            for _ in range(IDLE):
                idle = connections.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
                idle.sendall(half)
            for _ in range(5):
                assert server.page() == page
            idle.setblocking(False)
            with pytest.raises(BlockingIOError):  # it is still open: the pages did not wait until it was given up
                idle.recv(1)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        assert server.errors.stat().st_size < 2000, server.errors.read_text()[:3000]
    finally:
        server.process.kill()
        server.process.wait()
        assert server.process.stdout is not None
        server.process.stdout.close()


@pytest.mark.parametrize(
    ("address", "client"),
    [
        (("192.0.2.7", 5), "192.0.2.7"), (("::ffff:192.0.2.7", 5, 0, 0), "192.0.2.7"), ("", "unknown"),
        (None, "unknown"),
        (("2001:db8:1:2::1", 5, 0, 0), "2001:db8:1:2::/64"), (("fe80::1%eth0", 5, 0, 0), "fe80::/64"),
    ],
)  # fmt: skip
def test_a_client_is_its_address_or_its_network(address: object, client: str) -> None:
    assert network(address) == client
