"""Work on very many things over any executor of `concurrent.futures`: here, in processes, or on a cluster of machines.

`processes` and `cluster` give a `Run`, which yields each thing with its result, in order, and works on a few ahead.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ledger import __version__
from ledger.record.errors import LedgerError, NotForNow

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""The most things per process that are in progress, or finished and waiting for earlier ones."""
LARGE = 3_000_000
"""From this many bytes of input on, compressed or not, there is a process for each core."""
PATIENCE = 20
"""Seconds to wait for an answer from a cluster's scheduler."""


class Run(Protocol):
    """Calls a function of a module with each thing, and yields the thing with the result, in the same order."""

    def __call__(self, work: Callable[[T], R], things: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Raises what the function raises."""


def fitting_jobs(size: int) -> int:
    """How many processes so many bytes of input get: one, or one for each core."""
    return cores() if size >= LARGE else 1


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def here(work: Callable[[T], R], things: Iterable[T]) -> Iterator[tuple[T, R]]:
    """The `Run` of this process alone."""
    for thing in things:
        yield thing, work(thing)


@contextmanager
def processes(jobs: int) -> Iterator[Run]:
    """The `Run` of that many processes of this machine.

    Raises LedgerError if one is killed.
    """
    if jobs == 1:
        yield here
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    executor = ProcessPoolExecutor(jobs, get_context("spawn"), begin_worker)
    # A terminal sends Ctrl+C to all processes: these ignore it from their first moment on, and this one ends them.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _ in range(jobs):
        executor.submit(int)
    signal.signal(signal.SIGINT, handler)
    try:
        yield partial(_over, executor, AHEAD * jobs)
    except BrokenProcessPool:
        raise LedgerError(
            "a process was killed, most often because memory ran out: begin again with fewer --jobs"
        ) from None
    except BaseException:
        for process in active_children():
            process.kill()  # else this one would wait for what they have in hand
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Run]:
    """The `Run` of the Dask cluster with its scheduler at that address.

    Raises NotForNow without the package for it; LedgerError if no cluster is there, if a worker has another program or
    other games, or if the cluster gives up.
    """
    try:
        from distributed import CancelledError, Client, KilledWorker
    except ImportError as error:
        raise NotForNow("a cluster needs an extra: pip install 'domino-ledger[cluster]'") from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise LedgerError(f"{address}: no cluster answers: {error}; an address is like tcp://127.0.0.1:8786") from None
    with client:
        _agree(client, address)
        jobs = sum(client.nthreads().values())
        try:
            yield partial(_over, client.get_executor(pure=False), AHEAD * jobs)
        except KilledWorker as error:
            raise LedgerError(f"the cluster gave up: {error}") from None
        except CancelledError:
            raise LedgerError("the cluster is gone") from None


def _over(executor: "Executor", ahead: int, work: Callable[[T], R], things: Iterable[T]) -> Iterator[tuple[T, R]]:
    """What a `Run` does over an executor; at most `ahead` things are in progress, or finished and not yet yielded."""
    rest, waiting = iter(things), deque[tuple[T, "Future[R]"]]()
    while True:
        waiting += ((thing, executor.submit(work, thing)) for thing in islice(rest, ahead - len(waiting)))
        if not waiting:
            return
        thing, future = waiting.popleft()
        yield thing, future.result()


def begin_worker(nice: int = 0) -> None:
    """Runs first in each process: it ignores Ctrl+C, and ends when its parent is gone, however that ended.

    `nice` is how much it gives way to others, on systems that know that.
    """
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def program() -> str:
    """The program here and its games, in words: the version, and the revision of each game's rules."""
    from ledger.games import catalog

    return f"{__version__} with {', '.join(f'{game.name} {game.revision}' for game in catalog.games())}"


def _agree(client: Any, address: str) -> None:
    """Raises LedgerError unless there are workers, all with this program and its games."""

    def remote_program() -> str:
        # Sent by value, so it also runs on a worker without this program.
        try:
            from ledger.bulk.executors import program as remote

            return remote()
        except ImportError as error:
            return f"none ({error})"

    programs = client.run(remote_program)
    if not programs:
        raise LedgerError(f"{address}: the cluster has no workers")
    for worker, stamp in sorted(programs.items()):
        if stamp != program():
            raise LedgerError(f"{worker}: the worker's Domino Ledger is {stamp}; here it is {program()}")
