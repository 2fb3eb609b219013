"""The address that `link` prints: where phones find the ledger's server."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ledger.stores.sqlite import SqliteStore
from viewer import phone_links
from viewer.server.whereabouts import note_of


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
    monkeypatch.setattr(phone_links, "own_address", lambda: "192.168.7.7")
    with socket.create_server(("127.0.0.1", 0)) as server, SqliteStore(tmp_path / "a.sqlite") as store:
        port = server.getsockname()[1]
        if host:
            note_of(store.path).write_text(f"{host} {port}")
        assert phone_links.serving_base(store) == f"{found}:{port if host else phone_links.PORT}"
    printed = capsys.readouterr()
    assert (printed.out, said in printed.err, bool(printed.err)) == ("", True, bool(said))
