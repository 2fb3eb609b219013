"""Large inputs: several processes, memory that does not grow, and a million records compared with a thousand."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count, cycle
from pathlib import Path
from random import Random

from ledger.audit.review import Review
from ledger.keep.sources import review
from ledger.record import codec
from ledger.record.events import Note
from ledger.record.record import Record
from ledger.stores.questions import last_opening, read_checked, split
from ledger.stores.sqlite import SqliteStore
from tests.bench import made
from tests.bench.measure import Case, Ratio, by_turns, head, row

AUDIT = """
import re, sys
from pathlib import Path
from ledger.cli import cli
cli(sys.argv[1:], standalone_mode=False)
print(re.search("VmHWM:.*?([0-9]+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
"""


def audit(*arguments: str | Path) -> int:
    """Runs the command in its own process; returns its peak memory in KiB."""
    command = [sys.executable, "-c", AUDIT, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, text=True)
    return int(done.stderr.split()[-1])


def main(folder: Path, events: int, rounds: int) -> None:
    """Prints the tables that take seconds."""
    records = made.records("zigzag", events)
    records *= 1 + 300 // len(records)
    few, many = made.archive(records, folder / "few.ndjson"), made.archive(records * 10, folder / "many.ndjson")
    # Large enough that the start of the processes hardly counts.
    large, total = made.archive(records * 30, folder / "large.ndjson"), made.moves(records) * 30
    jobs = [Case(f"{n} process{'es' * (n > 1)}", total, _audit("--jobs", str(n), large)) for n in (2, 1)]
    figures = by_turns(jobs, max(1, rounds // 2))
    walls = by_turns(jobs, max(1, rounds // 2), time.perf_counter)
    head("Two processes beside one, Zigzag: what dividing the work costs", "moves/s of CPU")
    row(figures, Ratio("2 processes", "1 process"))
    head(f"The same on {os.cpu_count()} cores that may be busy otherwise", "moves/s by the wall")
    row(walls, Ratio("2 processes", "1 process"))
    print("\n### Memory of an audit\n\n| records | MiB at the most |\n| --- | --- |")
    for path, times in ((few, 1), (many, 10)):
        for form in ("--json",), ("-o", folder / "reports.ndjson.zst"):
            most = audit("audit", *form, path)
            print(f"| {len(records) * times:,} ({form[0]}) | {most / 1024:.1f} |")


def _audit(*arguments: str | Path) -> Callable[[], object]:
    return lambda: audit("audit", "--json", *arguments)


def large(folder: Path, records: int, rounds: int) -> None:
    """Prints the table that takes minutes: the cost of a record among a million."""
    begin = time.perf_counter()
    made.large(records, folder / "large.sqlite")
    taken = time.perf_counter() - begin
    made.large(1000, folder / "small.sqlite")
    size = (folder / "large.sqlite").stat().st_size
    print(f"\n{records:,} records of 12 events were made in {taken:.0f} s, and take {size / 1e9:.2f} GB.")
    with SqliteStore(folder / "large.sqlite") as big, SqliteStore(folder / "small.sqlite") as small:
        cases = [*_cases(small, "1,000", 1000), *_cases(big, f"{records:,}", records)]
        figures = by_turns(cases, rounds)
    head("A record among many", "a second of CPU")
    for case in cases[: len(cases) // 2]:
        what = case.name.partition(" of ")[0]
        row(figures, Ratio(f"{what} of {records:,}", case.name, cost=True))
    begin = time.perf_counter()
    most = audit("--ledger", folder / "large.sqlite", "audit", "-o", folder / "large.ndjson.zst")
    taken = time.perf_counter() - begin
    print(
        f"\nAll of them audited in {taken:.0f} s on {os.cpu_count()} cores, {most / 1024:.0f} MiB in the first process."
    )


def _cases(store: SqliteStore, name: str, records: int) -> list[Case]:
    from viewer.app import create_app

    random, numbers = Random(7), count()
    # Ranges from the whole ledger, equally many for both.
    parts = list(split(store, range(1, last_opening(store) + 1), 200))
    parts = [random.choice(parts) for _ in range(10)]
    ids = cycle([f"r{random.randrange(records):09}" for _ in range(400)])
    versions: dict[str, int] = {}
    client = create_app(lambda: store).test_client()

    def audit_() -> None:
        for part in parts:
            for record_id, record in read_checked(store, part):
                assert isinstance(record, Record)
                found = review(record_id, record)
                assert isinstance(found, Review)
                assert found.report

    def append() -> None:
        for _ in range(200):
            record_id = next(ids)
            version = versions.get(record_id) or store.version(record_id)
            versions[record_id] = store.append(record_id, version, [Note(f"{next(numbers)}")])

    def read() -> None:
        for _ in range(400):
            assert codec.encode(store.read(next(ids)))

    def front() -> None:
        assert client.get("/").status_code == 200

    return [
        Case(f"audit of {name}", 2000, audit_),
        Case(f"append to one of {name}", 200, append),
        Case(f"read one of {name}", 400, read),
        Case(f"front page of {name}", 1, front),
    ]
