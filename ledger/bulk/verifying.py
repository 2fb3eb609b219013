"""Verifies a large ledger in several processes: one reads the log from end to end, the others audit the records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

from ledger.bulk.chunks import LedgerChunk, Plan, Position, Task
from ledger.bulk.crew import Crew, fitting_jobs
from ledger.bulk.work import Format, opened
from ledger.keep.stored_audits import compare_audits
from ledger.proof.tree_head import CheckResult, TreeHead, check
from ledger.stores.contract import Difference

ALL = 1 << 40
"""The log takes as long to read as most audits do, so these need not wait for it."""


class LogChunk(NamedTuple):
    """The whole log of the ledger at that path or address, and a tree head that it is compared with."""

    ledger: str
    against: TreeHead | None


def verify_chunk(chunk: LogChunk | LedgerChunk, _format: Format) -> list[CheckResult | Difference | None]:
    """The check of a log; or for each record of a chunk how its stored audit differs from a new one, or None."""
    if isinstance(chunk, LogChunk):
        return [check(opened(chunk.ledger), chunk.against)]
    return list(compare_audits(opened(chunk.ledger), chunk.openings))


def fitting_crew(ledger: str) -> int:
    """How many processes the ledger at that path or address is worth."""
    try:
        with closing(Plan(ledger, ())) as plan:
            return fitting_jobs(plan.weight)
    except Exception:  # noqa: BLE001  a damaged file can raise anything, and the check says what is wrong
        return 1


def verify(ledger: str, against: TreeHead | None, jobs: int) -> Iterator[CheckResult | Difference | None]:
    """Verifies a ledger in that many processes: yields the check of its log, then a difference or None for each record.

    Raises LedgerError or OSError for a ledger that cannot be read.
    """
    with closing(Plan(ledger, ())) as plan, Crew(jobs, verify_chunk, ALL) as crew:
        for _task, results in crew.run(_tasks(plan, against), Format):
            yield from results


def _tasks(plan: Plan, against: TreeHead | None) -> Iterator[Task]:
    whole: Any = LogChunk(plan.ledger, against)
    yield Task(whole, Position(), 0)
    yield from plan.tasks(Position())
