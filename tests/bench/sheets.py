"""The audit of a score sheet, compared with that of the same record as JSON: the whole command, with its start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from ledger import notation
from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.record import Record
from tests.bench.measure import Case, Ratio, as_installed, by_turns, head, row


def main(folder: Path, _events: int, rounds: int) -> None:
    """Prints the table."""
    environment = as_installed(folder)
    records = dict(_records())
    cases = []
    for name, record in records.items():
        json, sheet = folder / f"{name}.json", folder / f"{name}.sheet"
        json.write_bytes(codec.encode_lines(record))
        sheet.write_text(notation.write(record), "utf-8")
        cases += [Case(f"{name}: {path.suffix[1:]}", 1, _audit(path, environment)) for path in (json, sheet)]
    figures = by_turns(cases, rounds)
    head("A sheet beside JSON: the whole command `audit`", "audits/s of CPU")
    for name in records:
        row(figures, Ratio(f"{name}: sheet", f"{name}: json", cost=True))


def _records() -> Iterator[tuple[str, Record]]:
    """A simulated game of each edition of each game, by its name and number of events."""
    for name in catalog.built_in():
        game = catalog.find(name)
        for edition in game.editions or (None,):
            options, players, _edition = any_options(game, Random(1))
            record = simulate(game, 1, options, players=players, edition=edition)
            yield " ".join(filter(None, (name, edition, f"({len(record.events)} events)"))), record


def _audit(path: Path, environment: dict[str, str]) -> Callable[[], object]:
    command = [sys.executable, "-m", "ledger", "audit", str(path)]
    return lambda: subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
