"""How the benchmarks measure: cases in turn, CPU time, and ratios with their spread.

A busy or slow machine affects all cases of a round alike, so the ratio of two cases in one round says more than either
figure.  The tables show the median of those ratios, with the least and the greatest.
"""

import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import NamedTuple

Figures = dict[str, list[float]]
"""The rates of each case per second, one for each round."""


class Case(NamedTuple):
    """A call to time, with a name and the number of things that it processes."""

    name: str
    count: int
    run: Callable[[], object]


class Ratio(NamedTuple):
    """Two cases compared: the rate of `of` as a multiple of that of `to` or, as a `cost`, its time."""

    of: str
    to: str
    goal: str = ""
    cost: bool = False


def cpu() -> float:
    """The CPU seconds of this process and of the children that it has waited for."""
    return sum(part.ru_utime + part.ru_stime for part in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def by_turns(cases: Sequence[Case], rounds: int, clock: Callable[[], float] = cpu) -> Figures:
    """Runs each case once a round, after one round that does not count."""
    figures: Figures = {case.name: [] for case in cases}
    for turn in range(rounds + 1):
        for case in cases:
            begin = clock()
            case.run()
            taken = clock() - begin
            if turn:
                figures[case.name].append(case.count / taken)
    return figures


def one_by_one(cases: Sequence[Case], rounds: int, each: int) -> Figures:
    """Runs each case `each` times a round, alternating the cases; the figure of a round is the median elapsed time.

    For cases that wait for the disk.  If permitted, this process runs at the highest priority, so that no wait for a
    busy core counts.
    """
    figures: Figures = {case.name: [] for case in cases}
    with _first():
        for turn in range(rounds + 1):
            taken: dict[str, list[float]] = {case.name: [] for case in cases}
            for _ in range(each):
                for case in cases:
                    begin = time.perf_counter()
                    case.run()
                    taken[case.name].append(time.perf_counter() - begin)
            for name, times in taken.items() if turn else ():
                figures[name].append(1 / statistics.median(times))
    return figures


@contextmanager
def _first() -> Iterator[None]:
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)


@contextmanager
def serving(ledger: Path) -> Iterator[tuple[int, int]]:
    """A server on a ledger until the end of the `with`, or of this program: its process id and its port."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    command = [sys.executable, "-u", "-m", "ledger", "--ledger", str(ledger), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port, "the server did not start"
        try:
            yield process.pid, int(port[1])
        finally:
            process.terminate()


def head(title: str, unit: str) -> None:
    """Prints the head of a table."""
    print(f"\n### {title}\n")
    print(f"| case | {unit} | against | {unit} | ratio | goal |\n| --- | --- | --- | --- | --- | --- |")


def row(figures: Figures, ratio: Ratio) -> None:
    """Prints a row if both cases were measured."""
    if ratio.of not in figures or ratio.to not in figures:
        return
    pairs = list(zip(figures[ratio.of], figures[ratio.to], strict=True))
    found = [to / of if ratio.cost else of / to for of, to in pairs]
    rates = [f"{statistics.median(figures[name]):,.0f}" for name in (ratio.of, ratio.to)]
    print(f"| {ratio.of} | {rates[0]} | {ratio.to} | {rates[1]} | {spread(found)} | {ratio.goal} |")


def spread(values: Sequence[float]) -> str:
    """A median with its least and greatest."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"
