"""How long a league waits for the audit of its archive: whole commands by the wall, each on files of 10,000 games.

Both sides are processes of their own, and their start counts.  The audit has no option, so it takes all cores, and
writes a report for each game; the programs for chess take one core and write nothing.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import cycle, islice
from pathlib import Path

from ledger.bulk.executors import cores
from ledger.record.record import Record
from tests.bench import made, peers
from tests.bench.measure import Case, Ratio, as_installed, by_turns, head, row

GAMES = 10_000
GOALS = {"zigzag": "≥ 20", "domino-ziggurat": "≥ 17", "build-up": "≥ 11.5", "ziggurat": "≥ 9"}
"""The audit beside python-chess, on two cores."""
BESIDE_EXTRACT = {"zigzag": "≥ 0.7"}
"""The same beside pgn-extract."""


def main(folder: Path, found: Mapping[str, list[Record]], rounds: int) -> None:
    """Prints the table.  `found` are games of each rule set, which are repeated."""
    environment = as_installed(folder)
    cases = [_audit(name, found[name], folder, environment) for name in GOALS]
    figures = by_turns([*cases, *peers.chess_commands(folder, GAMES, environment)], rounds // 2 + 1, time.perf_counter)
    head(f"`audit --json` of {GAMES:,} games with no option, {cores()} cores", "moves/s by the wall")
    for name, case in zip(GOALS, cases, strict=True):
        row(figures, Ratio(case.name, peers.READ_GAMES, GOALS[name]))
        row(figures, Ratio(case.name, peers.EXTRACT_GAMES, BESIDE_EXTRACT.get(name, "")))


def _audit(name: str, records: list[Record], folder: Path, environment: dict[str, str]) -> Case:
    """The command on the same games again and again."""
    archive = made.archive(records, folder / f"{name}.league.ndjson", GAMES)
    moves = sum(islice(cycle([made.moves([record]) for record in records]), GAMES))
    command = [sys.executable, "-m", "ledger", "audit", "--json", str(archive)]

    def run() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)

    return Case(f"{name}, {archive.stat().st_size / 1e6:.0f} MB", moves, run)
