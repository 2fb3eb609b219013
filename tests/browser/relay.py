"""A relay between a phone and a server, which can be slow, hang, or answer like a proxy whose server is down."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep

STATUS = {"sick": b"502 Bad Gateway", "refuses": b"413 Content Too Large"}
ANSWER = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 10\r\nConnection: close\r\n\r\n<h1>No</h1>"
SLOW = 0.4
"""How many seconds each packet takes through a slow relay."""


class Relay:
    """`mode` is "ok", "slow", "hangs" (takes connections, never answers), "sick" (answers 502) or "refuses" (413).

    In the mode "holds" what comes waits until `release`, which lets all of it through.
    """

    def __init__(self, server: int) -> None:
        self.mode = "ok"
        self._server = server
        self._open: list[socket.socket] = []
        self._released = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def turn(self, mode: str) -> None:
        """Behaves otherwise from now on, for open connections too."""
        self.mode = mode
        self._released.clear()
        while self._open:
            with self._open.pop() as end, suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """The server gets what was held, and all that comes."""
        self.mode = "ok"
        self._released.set()

    def close(self) -> None:
        self.turn("closed")
        self._released.set()  # no thread waits any longer
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                self._open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        if self.mode == "hangs":
            return
        if self.mode == "holds":
            self._released.wait()
        with client, suppress(OSError):
            if status := STATUS.get(self.mode):
                client.recv(65536)
                client.sendall(ANSWER % status)
                return
            with socket.create_connection(("127.0.0.1", self._server)) as server:
                self._open.append(server)
                threading.Thread(target=self._pump, args=(client, server), daemon=True).start()
                self._pump(server, client)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self.mode == "slow":
                    sleep(SLOW)
                sink.sendall(data)
        _shut(source, sink)


def _shut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relay(server: int) -> Iterator[Relay]:
    """A relay to a port of this machine."""
    one = Relay(server)
    yield one
    one.close()
