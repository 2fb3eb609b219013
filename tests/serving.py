"""A server for tests: the viewer on its own port."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Flask
from waitress import create_server


@contextmanager
def serving(app: Flask, threads: int) -> Iterator[str]:
    """Serves the application during the block, at this address."""
    server = create_server(app, host="127.0.0.1", port=0, threads=threads, asyncore_use_poll=True)

    def run() -> None:
        with suppress(OSError):  # its sockets are closed while it still runs
            server.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.task_dispatcher.shutdown()
        server.close()
        thread.join(5)
