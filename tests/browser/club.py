"""A club as the tests know it: a real server on a ledger of its own, and the phones of those who come."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from ledger import catalog
from ledger.events import Open
from ledger.record import Record
from ledger.recorder import Recorder, key_digest, new_key
from ledger.stores.beside import Key
from ledger.stores.sqlite import SqliteStore

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Club:
    """A real server on a ledger of its own, which can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "club.sqlite"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self, *more: str) -> None:
        serve = ["serve", "--port", str(self.port), *more]
        command = [sys.executable, "-m", "ledger.cli", "--ledger", str(self.path), *serve]
        with SqliteStore(self.path):
            pass
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def read(self, record_id: str) -> Record:
        with SqliteStore(self.path) as store:
            return store.read(record_id)

    def open(self, opening: Open) -> tuple[str, str]:
        """A game that was begun: the recorder's link, and the record's id."""
        key = new_key()
        with SqliteStore(self.path) as store:
            record_id = Recorder(store, find_game=catalog.find).open(opening)
            store.keep_key(Key(record_id, key_digest(key)))
        return f"{self.address}/r/{record_id}#{key}", record_id
