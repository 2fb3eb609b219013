"""Processes that work on the chunks of a bulk audit, and the results in the order of the input.

Each process has one chunk at a time, which is kept here until its result is.  So a process that is killed (most often
by the system, for want of memory) takes nothing with it: its chunk is given to another, from the beginning.
"""

from __future__ import annotations

import gc
import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Self, cast

from ledger.bulk.plan import Chunk, Task
from ledger.bulk.work import Form, Told, let_go, work
from ledger.errors import LedgerError

AHEAD = 4
"""Chunks for each process that may be begun, or done and waiting for those before them."""
TRIES = 3
"""How often a chunk may take its process with it."""

Done = tuple[Task, list[Told]]


def alone(tasks: Iterator[Task], form: Callable[[], Form]) -> Iterator[Done]:
    """The same as a crew, in this process."""
    with _calm():
        for task in tasks:
            yield task, work(task.chunk, form())


class Crew:
    """So many processes.  Use it in a `with`: they end with it, at once if it is left by an exception."""

    def __init__(self, jobs: int) -> None:
        self._idle: list[_Hand] = []
        self._busy: dict[Connection, tuple[_Hand, int]] = {}
        self._most = jobs

    def run(self, tasks: Iterator[Task], form: Callable[[], Form]) -> Iterator[Done]:
        """Each task with what came of it, in the order of the tasks; only some are held at a time.

        `form` is asked for each chunk when it is given out.  Raises LedgerError or OSError for a chunk that cannot be
        read, and LedgerError for one whose process is killed again and again.
        """
        held, done, again = dict[int, Task](), dict[int, list[Told]](), deque[int]()
        tried, given, told, more = dict[int, int](), 0, 0, True
        while True:
            while len(self._busy) < self._most and (again or (more and given < told + AHEAD * self._most)):
                if again:
                    number = again.popleft()
                else:
                    task = next(tasks, None)
                    if task is None:
                        more = False
                        continue
                    number, held[given], given = given, task, given + 1
                self._give(number, held[number], form())
            if not self._busy and told == given:
                return
            for number, result in self._finished():
                if result is None:
                    tried[number] = tried.get(number, 0) + 1
                    if tried[number] == TRIES:
                        raise LedgerError(
                            f"{_where(held[number])}: the process was killed {TRIES} times; out of memory?"
                        )
                    again.append(number)
                else:
                    done[number] = result
            while told in done:
                yield held.pop(told), done.pop(told)
                told += 1

    def _give(self, number: int, task: Task, form: Form) -> None:
        hand = self._idle.pop() if self._idle else _Hand()
        self._busy[hand.pipe] = hand, number
        try:
            hand.pipe.send((task.chunk, form))
        except BrokenPipeError:
            return  # it was killed while it waited; that is seen when its answer is asked for

    def _finished(self) -> list[tuple[int, list[Told] | None]]:
        """What the processes that are done say: the number of the chunk and its result, None from one that is dead."""
        found: list[tuple[int, list[Told] | None]] = []
        for pipe in cast("list[Connection]", wait(list(self._busy))) if self._busy else ():
            hand, number = self._busy.pop(pipe)
            try:
                result, error = hand.pipe.recv()
            except (EOFError, ConnectionResetError):
                hand.end(at_once=True)
                found.append((number, None))
                continue
            self._idle.append(hand)
            if error is not None:
                raise error
            found.append((number, result))
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        hands = [*self._idle, *(hand for hand, _number in self._busy.values())]
        for hand in hands:
            hand.pipe.close()
        for hand in hands:
            hand.end(at_once=kind is not None)


class _Hand:
    """One process, and the pipe to it."""

    def __init__(self) -> None:
        # Not forked: a copy of a process that has threads or a database open is good for nothing.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _deaf():
            self._process.start()
        theirs.close()

    def kill(self) -> None:
        """Ends it without a word."""
        self._process.kill()

    def end(self, *, at_once: bool) -> None:
        """Ends it, once it has let go of what it holds open, or at once."""
        self.pipe.close()
        if not at_once:
            self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
        self._process.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """What is started meanwhile does not hear Ctrl+C: the terminal sends it to all, and the one who gave out the work
    ends the others.
    """
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _calm() -> Iterator[None]:
    """An audit leaves no circles behind, so that to look for them as often as Python does costs a tenth of its time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _serve(pipe: Connection) -> None:
    """The life of a process: chunks in, results out, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with _calm():
            while True:
                chunk, form = pipe.recv()
                pipe.send(_result(chunk, form))
    except (EOFError, OSError):
        let_go()


def _result(chunk: Chunk, form: Form) -> tuple[list[Told], Exception | None]:
    try:
        return work(chunk, form), None
    except (LedgerError, OSError) as error:
        return [], error
    except Exception:  # noqa: BLE001  a fault of ours: it is told where somebody sees it, with its place
        return [], RuntimeError(f"in a process of the audit:\n{traceback.format_exc()}")


def _where(task: Task) -> str:
    chunk = task.chunk
    where = getattr(chunk, "source", None) or getattr(chunk, "path", None) or getattr(chunk, "ledger", "")
    return f"{where}, before {task.after.line if getattr(chunk, 'line', 0) else task.after.at}"
