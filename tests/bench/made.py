"""Simulated games for the benchmarks, the same in every run."""

from pathlib import Path
from random import Random

from ledger.games import catalog
from ledger.play.simulate import any_options, simulate
from ledger.record import codec
from ledger.record.events import ACTS, Deal, Take
from ledger.record.record import Record
from ledger.stores.store import SqliteStore


def games(name: str, events: int) -> list[Record]:
    """Simulated games of one rule set, some `events` in all; every hand lies open."""
    game, found, total, seed = catalog.find(name), list[Record](), 0, 0
    while total < events:
        options, players, edition = any_options(game, Random(seed))
        found.append(simulate(game, seed, options, players=players, edition=edition))
        total += len(found[-1].events)
        seed += 1
    return found


def records(name: str, events: int) -> list[Record]:
    """The same games; every other one has hidden hands, as people record them."""
    found = games(name, events)
    found[::2] = hidden(found[::2])
    return found


def hidden(made: list[Record]) -> list[Record]:
    """The same games without the hands that were dealt."""
    return [codec.check([event for event in record.events if type(event) is not Deal]) for record in made]


def quiet(made: list[Record]) -> list[Record]:
    """The same games as most tables write them: without the takers of the piles, which follow from the rules."""
    return [codec.check([event for event in record.events if type(event) is not Take]) for record in made]


def moves(made: list[Record]) -> int:
    """The number of acts by players, which chess programs call plies."""
    return sum(type(event) in ACTS for record in made for event in record.events)


def ledger(made: list[Record], path: Path) -> Path:
    """A ledger of these records."""
    with SqliteStore(path) as store:
        store.append_records((f"r{number:09}", record.events) for number, record in enumerate(made))
    return path
