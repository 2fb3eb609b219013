"""Simulated games for the benchmarks, the same in every run."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from random import Random

from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.events import ACTS, Take
from ledger.record.record import Record
from ledger.stores.sqlite import SqliteStore


def records(name: str, events: int) -> list[Record]:
    """Simulated games of one rule set, some `events` in all."""
    game, found, total, seed = catalog.find(name), list[Record](), 0, 0
    while total < events:
        options, players, edition = any_options(game, Random(seed))
        found.append(simulate(game, seed, options, players=players, edition=edition))
        total += len(found[-1].events)
        seed += 1
    return found


def quiet(made: list[Record]) -> list[Record]:
    """The same games as most tables write them: without the takers of the piles, which follow from the rules."""
    return [codec.check([event for event in record.events if type(event) is not Take]) for record in made]


def moves(made: list[Record]) -> int:
    """The number of acts by players, which chess programs call plies."""
    return sum(type(event) in ACTS for record in made for event in record.events)


def events(made: list[Record]) -> int:
    """The number of events."""
    return sum(len(record.events) for record in made)


def archive(made: list[Record], path: Path, count: int | None = None) -> Path:
    """An archive of these records, or of `count`: the same again and again."""
    lines = [codec.encode(record) + b"\n" for record in made]
    with path.open("wb") as out:
        out.writelines(islice(cycle(lines), len(lines) if count is None else count))
    return path


def ledger(made: list[Record], path: Path) -> Path:
    """A ledger of these records."""
    with SqliteStore(path) as store:
        store.append_records((f"r{number:09}", record.events) for number, record in enumerate(made))
    return path


def large(count: int, path: Path, length: int = 12) -> Path:
    """A ledger of `count` short records, each the beginning of a game."""
    short = [codec.check(record.events[:length]) for record in records("zigzag", 20_000)]
    numbers = iter(range(count))
    with SqliteStore(path) as store:
        while some := list(islice(numbers, 10_000)):
            store.append_records((f"r{number:09}", short[number % len(short)].events) for number in some)
    return path
