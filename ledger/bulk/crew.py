"""Processes that work on the chunks of a large input and return results in the order of the input.

Each process has one chunk at a time, and the crew keeps it until the result is back.  So nothing is lost if a process
is killed, most often by the system when memory runs out: another process gets its chunk, from the beginning.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, cast

from ledger.bulk.chunks import Task
from ledger.bulk.work import Format, Result, audit_chunk, close_all
from ledger.keep.sources import MUCH
from ledger.record.errors import LedgerError
from ledger.record.later import later

with later():
    from multiprocessing import get_context
    from multiprocessing.connection import Connection, wait
    from multiprocessing.process import BaseProcess
    from traceback import format_exc

R = TypeVar("R")
Work = Callable[[Any, Format], list[R]]
"""What a process does with a chunk: one result for each record in it."""
AHEAD = 4
"""The most chunks per process that are in progress, or finished and waiting for earlier ones."""
TRIES = 3
"""How often the process of one chunk may be killed."""

LARGE = 20_000_000
"""From this many bytes of records on, a second process more than makes up for its start, even on a busy machine."""
LARGE_FOR_COPIES = MUCH
"""The same for a copy of this process, which starts at once."""

Done = tuple[Task, list[Result]]


def fitting_jobs(weight: int, *, forks: bool = False) -> int:
    """How many processes an input of about `weight` bytes of records is worth: one, or one for each core.

    `forks`: as in `Crew`.
    """
    return cores() if weight >= (LARGE_FOR_COPIES if forks and _has_one_thread() else LARGE) else 1


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def alone(tasks: Iterator[Task], format_: Callable[[], Format]) -> Iterator[Done]:
    """Runs the tasks in this process, without a crew."""
    with _rare_gc():
        for task in tasks:
            yield task, audit_chunk(task.chunk, format_())


class Crew(Generic[R]):
    """A number of processes that do some work on chunks.  Use it in a `with`: they end with the block, and at once if
    it raises.

    `work` is a function of a module.  At most `ahead` chunks per process are in progress or wait for earlier ones.
    With `forks`, processes begin as copies of this one where that is safe, and need no start of their own.  The work
    must then open no database: a copy may not use one that this process has open.
    """

    def __init__(self, jobs: int, work: Work[R], ahead: int = AHEAD, *, forks: bool = False) -> None:
        self._work, self._ahead, self._forks = work, ahead, forks
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, int]] = {}
        self._most = jobs

    def run(self, tasks: Iterator[Task], format_: Callable[[], Format]) -> Iterator[tuple[Task, list[R]]]:
        """Yields each task with its results, in the order of the tasks; holds only a few at a time.

        `format_` is called for each chunk when it is handed out.  Raises LedgerError or OSError for a chunk that cannot
        be read, and LedgerError for one whose process is killed again and again.
        """
        waiting, results_by_number, retries = dict[int, Task](), dict[int, list[R]](), deque[int]()
        kills, started, finished, has_more = dict[int, int](), 0, 0, True
        while True:
            while len(self._busy) < self._most and (
                retries or (has_more and started < finished + self._ahead * self._most)
            ):
                if retries:
                    number = retries.popleft()
                else:
                    task = next(tasks, None)
                    if task is None:
                        has_more = False
                        continue
                    number, waiting[started], started = started, task, started + 1
                self._give(number, waiting[number], format_())
            # Each process has its next chunk now, and works while these results are written.
            if finished in results_by_number:
                while finished in results_by_number:
                    yield waiting.pop(finished), results_by_number.pop(finished)
                    finished += 1
                continue
            if not self._busy:
                return
            for number, results in self._collect():
                if results is None:
                    kills[number] = kills.get(number, 0) + 1
                    if kills[number] == TRIES:
                        raise LedgerError(
                            f"{_where(waiting[number])}: the process was killed {TRIES} times; out of memory?"
                        )
                    retries.append(number)
                else:
                    results_by_number[number] = results

    def _give(self, number: int, task: Task, format_: Format) -> None:
        worker = self._idle.pop() if self._idle else self._worker()
        self._busy[worker.pipe] = worker, number
        try:
            worker.pipe.send((task.chunk, format_))
        except BrokenPipeError:
            return  # it was killed while idle; `_collect` notices

    def _worker(self) -> _Worker:
        forks = self._forks and _has_one_thread()
        return _Worker(self._work, [*self._busy, *(worker.pipe for worker in self._idle)] if forks else None)

    def _collect(self) -> list[tuple[int, list[R] | None]]:
        """The numbers of finished chunks with their results, or None for a chunk whose process was killed."""
        finished: list[tuple[int, list[R] | None]] = []
        for pipe in cast("list[Connection]", wait(list(self._busy))) if self._busy else ():
            worker, number = self._busy.pop(pipe)
            try:
                results, error = worker.pipe.recv()
            except (EOFError, ConnectionResetError):
                worker.end(at_once=True)
                finished.append((number, None))
                continue
            self._idle.append(worker)
            if error is not None:
                raise error
            finished.append((number, results))
        return finished

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        workers = [*self._idle, *(worker for worker, _number in self._busy.values())]
        for worker in workers:
            worker.pipe.close()
        for worker in workers:
            worker.end(at_once=kind is not None)


class _Worker:
    """One process, and the pipe to it.  It is a copy of this one if `others`, the pipes to the others, are given."""

    def __init__(self, work: Work[Any], others: Sequence[Connection] | None) -> None:
        context: Any = get_context("spawn" if others is None else "fork")
        pipes: tuple[Any, Any] = context.Pipe()  # Windows has a type of its own, with the same methods
        self.pipe: Connection = pipes[0]
        worker_pipe: Connection = pipes[1]
        copied = () if others is None else (*others, self.pipe)
        self._process: BaseProcess = context.Process(target=_serve, args=(worker_pipe, work, copied), daemon=True)
        with _block_ctrl_c():
            self._process.start()
        worker_pipe.close()

    def kill(self) -> None:
        """Kills it."""
        self._process.kill()

    def end(self, *, at_once: bool) -> None:
        """Ends the process: at once, or after it has closed its files."""
        self.pipe.close()
        if not at_once:
            self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
        self._process.join()


def _has_one_thread() -> bool:
    """Whether a copy of this process is safe to use: it has no other threads, nor the frameworks of macOS."""
    try:
        return sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


@contextmanager
def _block_ctrl_c() -> Iterator[None]:
    """Makes processes that start inside the block ignore Ctrl+C: all get it, and the parent ends the others."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _rare_gc() -> Iterator[None]:
    """Makes garbage collection rare: an audit has no reference cycles, and looking for them takes 10 % of its time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _serve(pipe: Connection, work: Work[Any], copied: Sequence[Connection]) -> None:
    """Runs in each process: takes chunks and returns results until the pipe is closed.

    `copied` are the other ends of this pipe and of earlier ones, in a copy of the main process.  While one is open
    here, its process does not see that the main one is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in copied:
        end.close()
    try:
        with _rare_gc():
            while True:
                chunk, format_ = pipe.recv()
                pipe.send(_result(work, chunk, format_))
    except (EOFError, OSError):
        close_all()


def _result(work: Work[R], chunk: Any, format_: Format) -> tuple[list[R], Exception | None]:
    try:
        return work(chunk, format_), None
    except (LedgerError, OSError) as error:
        return [], error
    except Exception:  # noqa: BLE001  a bug of ours: the parent shows it, with its traceback
        return [], RuntimeError(f"in a process of this command:\n{format_exc()}")


def _where(task: Task) -> str:
    chunk = task.chunk
    where = getattr(chunk, "source", None) or getattr(chunk, "path", None) or getattr(chunk, "ledger", "")
    return f"{where}, before {task.after.line if getattr(chunk, 'line', 0) else task.after.at}"
