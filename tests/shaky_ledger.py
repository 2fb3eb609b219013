"""A server whose disk is lost, or replaced by an older copy, on command: for trials of what phones make of that.

It prints its port.  POST /control takes `{"do": …}`: `empty` gives it an empty ledger, `backup` keeps a copy and
`restore` puts the last one in the ledger's place, `killed` starts the program anew; `truth` answers with the links and
the notes of a record, all and those that nobody took back, and `check` with what is corrupt.
"""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from socketserver import ThreadingMixIn
from tempfile import mkdtemp
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from ledger.keep.recorder import key_digest
from ledger.proof.log_head import check
from ledger.record.events import AnyEvent, Note
from ledger.record.record import effective
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from viewer.app import create_app

MEMORY = Path("/dev/shm")  # noqa: S108  a disk is not what is tried here
"""Where there is such a place, no ledger waits for a disk."""


def texts(events: Iterable[AnyEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Note)]


class Shaky:
    """The application, with a ledger that can be replaced."""

    def __init__(self) -> None:
        self.folder, self.number, self.owner = (
            Path(mkdtemp(prefix="domino-ledger-shaky-", dir=MEMORY if MEMORY.is_dir() else None)),
            0,
            "",
        )
        self.private = False
        self.path = self.backed_up = Path()
        self.empty("", private=False)

    def begin(self) -> None:
        """Starts the program, as after a crash."""
        self.app = create_app(lambda: SqliteStore(self.path), private=self.private)

    def new_path(self) -> Path:
        self.number += 1
        return self.folder / f"{self.number}.sqlite"

    def empty(self, owner: str, *, private: bool) -> None:
        self.path, self.owner, self.private = self.new_path(), owner, private
        with SqliteStore(self.path) as store:
            if owner:
                store.put([Key("", key_digest(owner), "owner")])
        self.begin()

    def backup(self) -> None:
        self.backed_up = self.new_path()
        with SqliteStore(self.path) as store:
            store.connection.copy_to(self.backed_up)

    def restore(self) -> None:
        self.path = self.new_path()
        with SqliteStore(self.backed_up) as store:
            store.connection.copy_to(self.path)
        self.begin()

    def control(self, order: dict[str, Any]) -> Any:
        what = order["do"]
        if what == "empty":
            self.empty(order.get("owner", self.owner), private=order.get("private", self.private))
        elif what == "truth":
            with SqliteStore(self.path) as store:
                log = list(store.log(of=order["record"]))
                record = store.read(order["record"]) if log else None
                return {
                    "links": [entry.link.hex() for entry in log],
                    "notes": texts(record.events) if record else [],
                    "standing": texts(effective(record.events).events) if record else [],
                }
        elif what == "check":
            with SqliteStore(self.path) as store:
                return [str(corruption) for corruption in check(store).corruptions]
        else:
            {"backup": self.backup, "restore": self.restore, "killed": self.begin}[what]()
        return {}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/control":
            return self.app(environ, start_response)
        order = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        body = json.dumps(self.control(order)).encode()
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    server = make_server("127.0.0.1", 0, Shaky(), server_class=_Server, handler_class=_Quiet)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
