"""The command `domino-ledger` as programs that start warm: forked from one process that has imported it.

`start` starts that process; `CLIENT` is a short program that has it run a command in the client's place: with its
arguments, its folder, its variables, its input and its outputs, and ends with its exit status.
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
from functools import cache
from pathlib import Path
from select import select
from tempfile import mkdtemp
from typing import NoReturn

CLIENT = """import marshal, os, sys, _socket
place, *arguments = sys.argv[1:]
order = marshal.dumps((arguments, os.getcwd(), dict(os.environ)))
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect(place)
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(order)
server.shutdown(_socket.SHUT_WR)
os._exit((server.recv(1) or b"\\xff")[0])
"""
"""It imports nothing that is not built in: Python starts it in ten milliseconds."""


@cache
def start() -> Path:
    """Starts the process that commands are forked from, and returns where its clients find it."""
    place = Path(mkdtemp(prefix="domino-commands-")) / "place"
    process = subprocess.Popen([sys.executable, __file__, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1), "it listens"
    atexit.register(process.communicate)
    return place


def _listen(place: Path) -> None:
    """Runs a command for each client until this program's input ends."""
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
        client.sendall(bytes([status & 255]))
        os._exit(status)


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    for module, _help in importlib.import_module("ledger.cli").COMMANDS.values():
        importlib.import_module(module)
    gc.freeze()  # so that a command copies less of the memory that it shares with this process
    _listen(Path(sys.argv[1]))
