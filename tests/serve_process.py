"""`serve` as a process of its own."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Self
from urllib.request import urlopen

from waiting import PATIENCE


class ServeProcess:
    """A server on a ledger, at any free port, which has printed its address."""

    def __init__(self, path: Path, *options: str, **how: Any) -> None:
        self.path, self._errors = path, TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  closed in the end
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "ledger", "--ledger", str(path), "serve", "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=self._errors, text=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            **how,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.output = self.process.stdout
        line = self.output.readline()
        match = re.search(r"http://\S+:(\d+)/", line)
        assert match, line + self.errors()
        self.address, self.port = match[0], int(match[1])

    def errors(self) -> str:
        """What it has written to stderr."""
        self._errors.seek(0)
        return self._errors.read()

    def page(self, path: str = "") -> str:
        """The answer to a browser."""
        with urlopen(self.address + path, timeout=PATIENCE) as answer:  # noqa: S310  our own
            return str(answer.read().decode())

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Its status after a signal, once it has ended."""
        self.process.send_signal(sent)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.process.kill()
        self.process.wait()
        assert "Traceback" not in self.output.read() + self.errors()
        self.output.close()
        self._errors.close()
