"""The command `domino-ledger` as programs that start warm: forked from one process that has imported it.

`start` starts that process; `CLIENT` is a short program that has it run a command in the client's place: with its
arguments, its folder, its variables, its input and its outputs, and ends with its exit status.  A `Process` is a
server without output, which a test may kill.
"""

import atexit
import gc
import importlib
import marshal
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, NoReturn

CLIENT = """import marshal, os, sys, _socket
place, *arguments = sys.argv[1:]
order = marshal.dumps((arguments, os.getcwd(), dict(os.environ)))
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect(place)
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(order)
server.shutdown(_socket.SHUT_WR)
server.recv(4)
os._exit((server.recv(1) or b"\\xff")[0])
"""
"""It imports nothing that is not built in: Python starts it in ten milliseconds."""
WARM = hasattr(os, "fork")
GAMES = ("build-up", "domino-ziggurat", "ziggurat", "zigzag")
FIRST = (
    *("/", "/new", "/r/", "/kept", "/on-this-phone", "/referee", "/rules"),
    *("/record.js", "/worker.js", "/kept.js", "/on-this-phone.js", "/replay.js"),
    *(f"/rules/{game}" for game in GAMES),
    *(f"/rules/{game}/picture.svg{at}" for game in GAMES for at in ("", "?at=1", "?at=2")),
    *("/r/game", "/api/v1/records/game/screen", "/g/game"),
)
"""The pages, the scripts and the pictures that every phone with a service worker fetches, and a game's pages."""
SILENT: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Process:
    """A server, which has answered for `FIRST` in the process that it is forked from."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "ledger", *arguments]
        self._cold = None if WARM else subprocess.Popen(command, **SILENT)
        self._pid = 0 if self._cold else _forked(arguments)

    def kill(self) -> None:
        """Kills it, and waits until it is gone."""
        if self._cold:
            self._cold.kill()
            self._cold.wait()
        elif self._pid:
            with suppress(ProcessLookupError):
                while True:
                    os.kill(self._pid, signal.SIGKILL)
                    time.sleep(0.001)
            self._pid = 0


def _forked(arguments: tuple[str, ...]) -> int:
    """The id of a server."""
    with socket.socket(socket.AF_UNIX) as server, Path(os.devnull).open("r+b") as null:
        server.connect(str(start(os.environ.get("PYTHONPATH", ""), "pages")))
        socket.send_fds(server, [b"."], [null.fileno()] * 3)
        server.sendall(marshal.dumps((arguments, str(Path.cwd()), dict(os.environ))))
        server.shutdown(socket.SHUT_WR)
        return int.from_bytes(server.recv(4), sys.byteorder)


@cache
def start(_path: str = "", *pages: str) -> Path:
    """Starts the process that commands are forked from, and returns where its clients find it.

    With another PYTHONPATH, and so with other plug-ins, it is another process.
    """
    place = Path(mkdtemp(prefix="domino-commands-")) / "place"
    command = [sys.executable, __file__, str(place), *pages]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1), "it listens"
    atexit.register(process.communicate)
    return place


def _listen(place: Path) -> None:
    """Runs a command for each client until this program's input ends; then those that still run end, too."""
    os.setpgrp()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()
        os.write(1, b".")
        while listener in select([listener, 0], [], [])[0]:
            client, _address = listener.accept()
            if not os.fork():
                listener.close()
                _run(client)
            client.close()


def _run(client: socket.socket) -> NoReturn:
    """Runs the command of a client in this process, which ends with it."""
    status = 1
    try:
        _byte, streams, _flags, _address = socket.recv_fds(client, 1, 3)
        with client.makefile("rb") as order:
            arguments, folder, variables = marshal.loads(order.read())  # noqa: S302  from a test
        client.sendall(os.getpid().to_bytes(4, sys.byteorder))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        time.tzset()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))
        sys.argv = ["domino-ledger", *arguments]
        try:
            importlib.import_module("ledger.cli").main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        with suppress(OSError):  # nobody waits for the end of a server
            client.sendall(bytes([status & 255]))
        os._exit(status)


def _answer_first(folder: Path) -> None:
    """Loads the games, compiles templates, draws and packs what all phones get: once for all servers."""
    from jinja2 import FileSystemBytecodeCache

    import compiled_addresses
    from ledger.games import catalog
    from ledger.keep.recorder import Recorder
    from ledger.play.simulate import simulate
    from ledger.stores.store import SqliteStore
    from viewer.app import Viewer, create_app

    for module in ("viewer.commands", "viewer.server.clean_stop", "waitress"):
        importlib.import_module(module)
    compiled_addresses.share()
    Viewer.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(folder))}
    with SqliteStore(folder / "a.sqlite") as store:
        Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), "game")
    app = create_app(lambda: SqliteStore(folder / "a.sqlite"))
    visitor = app.test_client()
    for path in FIRST:
        visitor.get(path, headers={"Accept-Encoding": "gzip"}).get_data()
    app.extensions["served"].ledgers.close()


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    sys.path.append(str(Path(__file__).parent))
    for module, _help in importlib.import_module("ledger.cli").COMMANDS.values():
        importlib.import_module(module)
    with TemporaryDirectory() as folder:
        if sys.argv[2:]:
            _answer_first(Path(folder))
        gc.freeze()  # so that a command copies less of the memory that it shares with this process
        _listen(Path(sys.argv[1]))
    os.killpg(0, signal.SIGKILL)
