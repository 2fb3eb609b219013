"""An archive of 50,000 games, audited with no option: are all cores at work, and is the report that of one process?"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from hashlib import file_digest
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from ledger.games import catalog
from ledger.record import codec
from tests.bench import made
from tests.bench.measure import as_installed, cpu, spread

GAMES = 50_000
GOAL = "≥ 1.7"


class Taken(NamedTuple):
    """What an audit took: seconds of CPU in all its processes, and by the wall."""

    cpu: float
    wall: float


def main(folder: Path, events: int, rounds: int) -> None:
    """Prints the table, and whether the reports are the same."""
    archive = folder / "archive.ndjson"
    _make(archive, events)
    all_cores, alone = folder / "all-cores.ndjson", folder / "alone.ndjson"
    environment = as_installed(folder)
    taken = [_audit(environment, archive, all_cores) for _ in range(max(1, rounds // 2))]
    one = _audit(environment, archive, alone, "--jobs", "1")
    print(f"\n### Audit of {GAMES:,} games, {archive.stat().st_size / 1e6:,.0f} MB, on {os.cpu_count()} cores\n")
    print("| case | CPU, s | wall, s | CPU ÷ wall | goal |\n| --- | --- | --- | --- | --- |")
    columns = [spread(values) for values in zip(*taken, strict=True)]
    print(f"| no option | {' | '.join(columns)} | {spread([each.cpu / each.wall for each in taken])} | {GOAL} |")
    print(f"| `--jobs 1` | {one.cpu:.2f} | {one.wall:.2f} | {one.cpu / one.wall:.2f} | |")
    same = _digest(all_cores) == _digest(alone)
    print(f"\nThe {all_cores.stat().st_size:,} bytes of the report are {'the same' if same else 'NOT THE SAME'}.")
    print(f"Load of the machine: {os.getloadavg()[0]:.1f}.")


def _make(archive: Path, events: int) -> None:
    """Writes simulated games of every rule set in turn, the same ones again and again."""
    games = [
        cycle([codec.encode(record) + b"\n" for record in made.records(name, events)]) for name in catalog.built_in()
    ]
    with archive.open("wb") as out:
        out.writelines(islice((next(lines) for lines in cycle(games)), GAMES))


def _audit(environment: dict[str, str], archive: Path, report: Path, *options: str) -> Taken:
    """Runs the command, its output in a file."""
    before, begin = cpu(), time.perf_counter()
    with report.open("wb") as out:
        command = [sys.executable, "-m", "ledger", "audit", "--json", *options, str(archive)]
        subprocess.run(command, stdout=out, env=environment, check=True)
    return Taken(cpu() - before, time.perf_counter() - begin)


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").digest()
