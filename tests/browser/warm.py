"""Servers that start warm: forked from one process that has imported everything they need.

Run as a program, this file is that process.  It reads a line of JSON for each order, and answers with an id.
"""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

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
    """The command `domino-ledger`, without its output."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "ledger", *arguments]
        self._cold = None if WARM else subprocess.Popen(command, **SILENT)
        self._path = os.environ.get("PYTHONPATH", "")
        self._pid = 0 if self._cold else _order(self._path, "start", arguments)

    def kill(self) -> None:
        """Kills it, and waits until it is gone."""
        if self._cold:
            self._cold.kill()
            self._cold.wait()
        else:
            _order(self._path, "kill", self._pid)


@cache
def _parent(_path: str) -> subprocess.Popen[str]:
    """The process that servers with this PYTHONPATH, and so with its plug-ins, are forked from.

    When its input ends, it ends and kills them.
    """
    return subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _order(path: str, name: str, details: object) -> int:
    """The id of the process that was started or killed."""
    parent = _parent(path)
    assert parent.stdin is not None
    assert parent.stdout is not None
    parent.stdin.write(json.dumps([name, details]) + "\n")
    parent.stdin.flush()
    return int(parent.stdout.readline())


def _fork_servers() -> None:
    running: set[int] = set()
    for line in sys.stdin:
        name, details = json.loads(line)
        if name == "start":
            pid = os.fork()
            if not pid:
                _run(details)
            running.add(pid)
        elif (pid := details) in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            running.remove(pid)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _run(arguments: list[str]) -> NoReturn:
    """Runs the command in this process, which ends with it."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    # This process has read its orders there, and a stream that was read cannot take another encoding.
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115  it stays open
    try:
        importlib.import_module("ledger.cli").cli(arguments, prog_name="domino-ledger")
    finally:
        os._exit(1)


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    sys.path.append(str(Path(__file__).parents[1]))
    for module in ("ledger.cli", "viewer.app", "viewer.commands", "viewer.server.clean_stop", "waitress"):
        importlib.import_module(module)
    from jinja2 import FileSystemBytecodeCache

    import compiled_addresses
    from ledger.games import catalog
    from ledger.keep.recorder import Recorder
    from ledger.play.simulate import simulate
    from ledger.stores.store import SqliteStore
    from viewer.app import Viewer, create_app

    compiled_addresses.share()
    with TemporaryDirectory() as folder:
        Viewer.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(folder)}
        # The first answers load the games, compile templates, draw and pack what all phones get: once for all servers.
        ledger = Path(folder) / "a.sqlite"
        with SqliteStore(ledger) as store:
            Recorder(store).import_record(simulate(catalog.find("ziggurat"), 3), "game")
        app = create_app(lambda: SqliteStore(ledger))
        visitor = app.test_client()
        for path in FIRST:
            visitor.get(path, headers={"Accept-Encoding": "gzip"}).get_data()
        app.extensions["served"].ledgers.close()
        gc.freeze()  # so that a server copies less of the memory that it shares with this process
        _fork_servers()
