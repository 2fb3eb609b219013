"""The address that `link` prints: where phones find the ledger's server."""

import socket
from pathlib import Path
from typing import Self

import pytest

from ledger.stores.store import SqliteStore
from viewer import commands


@pytest.mark.parametrize(
    ("host", "found", "said"),
    [
        ("127.0.0.1", "http://127.0.0.1", "phones cannot reach the server"),
        ("localhost", "http://localhost", "phones cannot reach the server"),
        ("0.0.0.0", "http://192.168.7.7", ""),  # noqa: S104  written down, not bound
        ("", "http://192.168.7.7", "no server of this ledger is running"),
    ],
)
def test_where_phones_find_the_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    host: str,
    found: str,
    said: str,
) -> None:
    monkeypatch.setattr(commands, "own_address", lambda: "192.168.7.7")
    with socket.create_server(("127.0.0.1", 0)) as server, SqliteStore(tmp_path / "a.sqlite") as store:
        port = server.getsockname()[1]
        if host:
            commands.note_of(store.path).write_text(f"{host} {port}")
        assert commands.serving_base(store.path) == f"{found}:{port if host else commands.PORT}"
    printed = capsys.readouterr()
    assert (printed.out, said in printed.err, bool(printed.err)) == ("", True, bool(said))


@pytest.mark.parametrize("host", ["::1", "localhost", "192.168.7.7"])
def test_an_address_of_the_new_network_stands_in_brackets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr("viewer.commands.listens_at", lambda _path: (host, 8123))
    with SqliteStore(tmp_path / "a.sqlite") as store:
        name = "[::1]" if host == "::1" else host
        assert commands.serving_base(store.path) == f"http://{name}:8123"


@pytest.mark.parametrize("network", [True, False])
def test_a_machine_without_a_network_has_the_address_that_only_it_reaches(
    monkeypatch: pytest.MonkeyPatch, network: bool
) -> None:
    class Probe:
        def __init__(self, *kind: object) -> None:
            assert kind == (socket.AF_INET, socket.SOCK_DGRAM)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def connect(self, _address: object) -> None:
            if not network:
                raise OSError

        def getsockname(self) -> tuple[str, int]:
            return "192.168.7.7", 1

    with monkeypatch.context() as patch:
        patch.setattr("viewer.commands.socket.socket", Probe)
        assert commands.own_address() == ("192.168.7.7" if network else "127.0.0.1")
