"""A bulk audit on a Dask cluster: chunks go to its workers, results come back in the order of the input.

If a worker is lost, the scheduler gives its chunk to another one, from the beginning.  The workers read the files
themselves, so they need them under the same names, and they need access to the ledger's database.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from ledger import __version__
from ledger.bulk.chunks import Chunk, LedgerChunk, Position, Task
from ledger.bulk.crew import Done
from ledger.bulk.work import Format, Result, audit_chunk, read_lines
from ledger.games import catalog
from ledger.keep.sources import FileChunk
from ledger.record.errors import LedgerError, NotForNow

try:
    import distributed
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend
except ImportError as error:
    raise NotForNow("a cluster needs an extra: pip install 'domino-ledger[cluster]'") from error

PATIENCE = 20
"""Seconds to wait for an answer from the scheduler."""
AHEAD = 3
"""The most chunks per thread of the cluster that are in progress, or finished and waiting for earlier ones."""


class Cluster:
    """The cluster with its scheduler at that address.  Use it in a `with`.

    Raises LedgerError if there is none, or if a worker does not run exactly the same program with the same games.
    """

    def __init__(self, address: str) -> None:
        client: Any = distributed.Client  # it has no types
        try:
            # A client that fails over the form of its address would wait for itself at the end.
            scheme, place = parse_address(address)
            get_backend(scheme)
            parse_host_port(place)
            self._client = client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LedgerError(
                f"{address}: no cluster answers: {error}; an address is like tcp://127.0.0.1:8786"
            ) from None
        try:
            _agree(self._client, address)
        except BaseException:
            self._client.close()
            raise

    def run(self, tasks: Iterator[Task], format_: Callable[[], Format]) -> Iterator[Done]:
        """Yields each task with its results, in the order of the tasks; holds only a few at a time.

        Raises NotForNow for a ledger in a file, and LedgerError if the cluster gives up.
        """
        counting, working, line = deque[tuple[Task, Any]](), deque[tuple[Task, Any]](), 1
        most = AHEAD * max(1, sum(self._client.nthreads().values()))
        stamp = program()
        while True:
            while len(counting) < most and (task := next(tasks, None)) is not None:
                counting.append((task, self._count(task.chunk)))
            while counting and len(working) < most:
                task, count = counting.popleft()
                if count is not None:
                    task, line = _with_line(task, line, self._result(count))
                future = self._client.submit(_work, task.chunk, format_(), stamp, pure=False)
                working.append((task, future))
            if not working:
                return
            task, future = working.popleft()
            yield task, self._result(future)

    def _count(self, chunk: Chunk) -> Any:
        if isinstance(chunk, LedgerChunk):
            raise NotForNow(
                "a cluster cannot read a ledger: `export` its records to a file, or audit it here with --jobs"
            )
        if not isinstance(chunk, FileChunk) or chunk.end is None:
            return None
        # Counting comes before the audits: each needs the number of its first line.
        return self._client.submit(_lines, chunk, pure=False, priority=10)

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except distributed.KilledWorker as error:
            raise LedgerError(f"the cluster gave up: {error}") from None
        except distributed.CancelledError:
            raise LedgerError("the cluster is gone") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._client.close()


@cache
def program() -> str:
    """A stamp of this program and its games: the version, a digest of its source, the rules."""
    digest, home = sha256(), Path(__file__).parents[1]
    for path in sorted(home.rglob("*.py")):
        digest.update(path.relative_to(home).as_posix().encode() + b"\n" + path.read_bytes())
    rules = ", ".join(f"{game.name} {game.revision}" for game in catalog.games())
    return f"{__version__} ({digest.hexdigest()[:12]}) with {rules}"


def _agree(client: Any, address: str) -> None:
    def remote_program() -> str:
        # Sent by value, so it also runs on a worker without this program, or with an older one.
        try:
            from ledger.bulk.cluster import program as remote  # noqa: PLC0415  on the worker

            return remote()
        except ImportError as error:
            return f"none ({error})"

    expected = program()
    stamps = client.run(remote_program)
    if not stamps:
        raise LedgerError(f"{address}: the cluster has no workers")
    for worker, stamp in sorted(stamps.items()):
        if stamp != expected:
            raise LedgerError(f"{worker}: the worker's Domino Ledger is {stamp}; here it is {expected}")


def _with_line(task: Task, line: int, lines: int) -> tuple[Task, int]:
    """The task with the number of its first line, and the number of the line after it."""
    chunk = task.chunk
    assert isinstance(chunk, FileChunk)  # noqa: S101  only these are counted
    first_line = chunk.line or line
    after = Position(task.after.source, task.after.at, first_line + lines)
    return Task(chunk._replace(line=first_line), after, task.done), first_line + lines


def _lines(chunk: FileChunk) -> int:
    return read_lines(chunk).count(b"\n")


def _work(chunk: Chunk, format_: Format, stamp: str) -> list[Result]:
    if program() != stamp:
        raise LedgerError(f"a worker that joined later has Domino Ledger {program()}; here it is {stamp}")
    return audit_chunk(chunk, format_)
