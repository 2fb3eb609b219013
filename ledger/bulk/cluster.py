"""A bulk audit by a Dask cluster: the chunks go to its workers, the results come back in the order of the input.

The scheduler gives a chunk whose worker was lost to another one, from the beginning.  Files are read by the workers,
which must find them under the same names; so must they reach a ledger's database at its address.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from ledger import __version__, catalog
from ledger.bulk.crew import Done
from ledger.bulk.plan import Chunk, File, Part, Place, Task
from ledger.bulk.work import Form, Told, within, work
from ledger.errors import LedgerError, NotForNow
from ledger.stores import is_address

try:
    import distributed
except ImportError as error:
    raise NotForNow("a cluster needs an extra: pip install 'domino-ledger[cluster]'") from error

PATIENCE = 20
"""Seconds to wait for an answer of the scheduler."""
AHEAD = 3
"""Chunks for each thread of the cluster that may be begun, or done and waiting for those before them."""


class Cluster:
    """The cluster whose scheduler is at that address.  Use it in a `with`.

    Raises LedgerError where there is none, or where a worker is not the very same program with the same games.
    """

    def __init__(self, address: str) -> None:
        connected: Any = distributed.Client  # it does not tell its types
        try:
            self._client = connected(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LedgerError(f"{address}: no cluster answers there: {error}") from None
        try:
            _agree(self._client, address)
        except BaseException:
            self._client.close()
            raise

    def run(self, tasks: Iterator[Task], form: Callable[[], Form]) -> Iterator[Done]:
        """Each task with what came of it, in the order of the tasks; only some are held at a time.

        Raises NotForNow for a ledger that is one machine's, and LedgerError where the cluster gives up.
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
                    task, line = _numbered(task, line, self._result(count))
                future = self._client.submit(_work, task.chunk, form(), stamp, pure=False)
                working.append((task, future))
            if not working:
                return
            task, future = working.popleft()
            yield task, self._result(future)

    def _count(self, chunk: Chunk) -> Any:
        if isinstance(chunk, Part) and not is_address(chunk.ledger):
            raise NotForNow("a ledger in a file is one machine's: audit it with --jobs, or `copy` it into PostgreSQL")
        if not isinstance(chunk, File) or chunk.end is None:
            return None
        # Before the audits: without the number of its first line none can begin.
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
    """What tells this program and its games from another version: the version, a digest of its text, the rules."""
    digest, home = sha256(), Path(__file__).parents[1]
    for path in sorted(home.rglob("*.py")):
        digest.update(path.relative_to(home).as_posix().encode() + b"\n" + path.read_bytes())
    rules = ", ".join(f"{game.name} {game.revision}" for game in catalog.games())
    return f"{__version__} ({digest.hexdigest()[:12]}) with {rules}"


def _agree(client: Any, address: str) -> None:
    def there() -> str:
        # It travels by value, and so also to a worker that has no such program, or an older one.
        try:
            from ledger.bulk.cluster import program as told  # noqa: PLC0415  as said

            return told()
        except ImportError as error:
            return f"none ({error})"

    own = program()
    found = client.run(there)
    if not found:
        raise LedgerError(f"{address}: the cluster has no workers")
    for worker, said in sorted(found.items()):
        if said != own:
            raise LedgerError(f"{worker}: the worker's Domino Ledger is {said}; here it is {own}")


def _numbered(task: Task, line: int, lines: int) -> tuple[Task, int]:
    """The task with the number of its first line, and that of the line after it."""
    chunk = task.chunk
    assert isinstance(chunk, File)  # noqa: S101  only its lines are counted
    first = chunk.line or line
    after = Place(task.after.source, task.after.at, first + lines)
    return Task(chunk._replace(line=first), after, task.behind), first + lines


def _lines(chunk: File) -> int:
    return within(chunk).count(b"\n")


def _work(chunk: Chunk, form: Form, stamp: str) -> list[Told]:
    if program() != stamp:
        raise LedgerError(f"a worker that came later has Domino Ledger {program()}; here it is {stamp}")
    return work(chunk, form)
