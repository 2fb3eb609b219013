"""Where the server of a ledger listens: a file beside the ledger says it while the server runs, for `link`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 1.0
"""Seconds in which a server on this machine must take a connection."""


def note_of(ledger: str | Path) -> Path:
    """The file with the address of a ledger's server."""
    return Path(f"{ledger}.serving")


@contextmanager
def noted(ledger: str | Path, host: str, port: int) -> Iterator[None]:
    """Notes the address while the server runs.  A ledger that is no file, or in a read-only folder, gets no note."""
    file, text = note_of(ledger), f"{host} {port}\n"
    if not Path(ledger).is_file():
        yield
        return
    with suppress(OSError):
        file.write_text(text, "utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            if file.read_text("utf-8") == text:  # else another server of this ledger has begun since
                file.unlink()


def listens_at(ledger: str | Path) -> tuple[str, int] | None:
    """The host and the port of the ledger's server; None if no server is known, or it does not answer any more."""
    try:
        host, port = note_of(ledger).read_text("utf-8").split()
        name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared with, not bound
        socket.create_connection((name, int(port)), PATIENCE).close()
    except (OSError, ValueError):
        return None
    return host, int(port)
