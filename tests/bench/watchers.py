"""`python -m tests.bench.watchers`: do many watchers slow the recorder down?

A real server; 400 watchers of one game, each with their own stream; and a recorder of another game, whose entries are
timed from sending to acknowledgement.  Runs with and without the watchers alternate, so that the machine's noise is in
both; the tables show the spread beside the medians.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import secrets
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import open_event, simulate
from ledger.record import codec
from ledger.record.events import ACTS
from ledger.stores.beside import Key
from ledger.stores.sqlite import SqliteStore

WATCHERS, ROUNDS, ENTRIES = 400, 5, 60


def _watch(port: int, record_id: str, count: int, pipe: Connection) -> None:
    """Holds `count` streams open, and reads them."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(f"GET /g/{record_id}/live?from=1 HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        selector.register(stream, selectors.EVENT_READ)
    open_, told = set(), 0
    while True:
        for key, _mask in selector.select(0.2):
            text = key.fileobj.recv(65536)  # type: ignore[union-attr]  # a socket
            told += text.count(b"event: version")
            if b"retry" in text:
                open_.add(key.fd)
        if len(open_) == count and not pipe.closed and pipe.poll():
            if pipe.recv() == "end":
                return
            pipe.send((len(open_), told))


@contextmanager
def _watching(port: int, record_id: str, count: int) -> Iterator[Connection]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_watch, args=(port, record_id, count, theirs), daemon=True)
    process.start()
    ours.send("how many")
    print("streams open, moves sent so far:", ours.recv())
    yield ours
    ours.send("end")
    process.join()


def _record(port: int, path: Path) -> list[float]:
    """Records the first entries of a new game; returns the seconds from sending each to its acknowledgement."""
    game = catalog.find("build-up")
    key = new_key()
    with SqliteStore(path) as store:
        record_id = Recorder(store).open(open_event(game, {}))
        store.put([Key(record_id, key_digest(key))])
    acts = [event for event in simulate(game, 3).events if isinstance(event, ACTS)][:ENTRIES]
    server = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    taken = []
    for expected, act in enumerate(acts, 1):
        entry = {"id": secrets.token_hex(16), "event": json.loads(codec.encode_event(act))}
        body = json.dumps({"expected": expected, "entries": [entry]})
        begin = time.perf_counter()
        server.request("POST", f"/api/v1/records/{record_id}/events", body, headers)
        answer = server.getresponse()
        answer.read()
        taken.append(time.perf_counter() - begin)
        assert answer.status == 200, answer.status
        time.sleep(0.01)  # nobody taps without a pause
    return taken


def _line(name: str, taken: list[float]) -> str:
    parts = statistics.quantiles(taken, n=20)
    return f"| {name} | {1000 * statistics.median(taken):.1f} | {1000 * parts[0]:.1f} to {1000 * parts[-1]:.1f} |"


def main() -> None:
    """Runs it, and prints a table."""
    folder = Path(tempfile.mkdtemp())
    path = folder / "a.sqlite"
    with SqliteStore(path) as store:
        watched = Recorder(store).open(open_event(catalog.find("zigzag"), {}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ledger.cli", "--ledger", str(path), "serve", "--port", str(port)]
    server = subprocess.Popen([*command, "--watchers", str(WATCHERS + 20)], stdout=subprocess.DEVNULL)
    time.sleep(3)
    alone: list[float] = []
    full: list[float] = []
    try:
        _record(port, path)
        for _ in range(ROUNDS):
            alone += _record(port, path)
            with _watching(port, watched, WATCHERS):
                full += _record(port, path)
    finally:
        server.terminate()
        server.wait()
    print("\n| watchers | ms to the acknowledgement, median | 5 % to 95 % |\n| --- | --- | --- |")
    print(_line("none", alone))
    print(_line(f"{WATCHERS} on another game", full))


if __name__ == "__main__":
    main()
