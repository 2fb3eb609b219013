"""Audit and replay of each rule set, compared with the least that they could cost and with similar programs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ledger.audit.replay import steps
from ledger.bulk.auditing import Format, Input, Task, audit_task
from ledger.games import catalog
from ledger.record import codec
from ledger.record.record import Record, effective
from ledger.stores import questions
from ledger.stores.questions import last_opening, read_checked, split
from ledger.stores.sqlite import SqliteStore
from tests.bench import made, peers, walls
from tests.bench.measure import Case, Ratio, by_turns, head, row

ZIGZAG = "zigzag"
GOALS = {ZIGZAG: "≥ 10.6", "domino-ziggurat": "≥ 9.2", "build-up": "≥ 6.0", "ziggurat": "≥ 4.7"}
"""An audit on one core beside python-chess."""


def audited(ledger: Path, names: list[str]) -> int:
    """Does what `audit --json` does, without printing; returns the number of records."""
    chunks = Input(str(ledger), names).chunks()
    return sum(len(audit_task(Task(chunk, Format(), done))) for chunk, done in chunks)


def main(folder: Path, events: int, rounds: int) -> None:
    """Prints the tables."""
    found = {name: made.records(name, events) for name in catalog.built_in()}
    said = {f"{ZIGZAG}, each pile said": found[ZIGZAG]}
    found = {**found, ZIGZAG: made.quiet(found[ZIGZAG]), **said}
    cases = [case for name, records in found.items() for case in _cases(name, records, folder)]
    figures = by_turns([*cases, *peers.chess_cases(folder), *peers.spiel_cases()], rounds)
    head("Audit, replay", "moves/s of CPU")
    for name in found:
        row(figures, Ratio(f"{name}: audit of an archive", f"{name}: read and decode"))
        row(figures, Ratio(f"{name}: audit of a ledger with its chain", f"{name}: rows, decoded"))
    for name in found:
        archive, ledger = f"{name}: audit of an archive", f"{name}: audit of a ledger with its chain"
        row(figures, Ratio(archive, peers.READ_GAME, GOALS.get(name, "")))
        row(figures, Ratio(ledger, peers.READ_GAME))
        row(figures, Ratio(archive, peers.SPIEL))
        row(figures, Ratio(archive, peers.EXTRACT))
    walls.main(folder, found, rounds)
    _replay(found[ZIGZAG], folder, rounds)


def _cases(name: str, records: list[Record], folder: Path) -> list[Case]:
    archive, ledger = made.archive(records, folder / f"{name}.ndjson"), made.ledger(records, folder / f"{name}.sqlite")
    count = made.moves(records)

    def floor() -> None:
        with archive.open("rb") as lines:
            for line in lines:
                codec.decode(line)

    def rows() -> None:
        with SqliteStore(ledger) as store:
            for _ in questions.records(store):
                pass

    return [
        Case(f"{name}: read and decode", count, floor),
        Case(f"{name}: rows, decoded", count, rows),
        Case(f"{name}: audit of an archive", count, lambda: audited(ledger, [str(archive)])),
        Case(f"{name}: audit of a ledger with its chain", count, lambda: audited(ledger, [])),
    ]


def _replay(records: list[Record], folder: Path, rounds: int) -> None:
    """Prints the table.  Both programs have opened their database before."""
    peer = peers.sourced(folder / "replay.eventsourcing.sqlite", 60, 50)
    with SqliteStore(made.ledger(records, folder / "replay.sqlite")) as store:
        here = _replays(store, made.events(records))
        figures = by_turns([*here, *([peer.get()] if peer else [])], rounds)
    head("Replay from SQLite, Zigzag", "events/s of CPU")
    for case, goal in zip(here, ("", ""), strict=True):
        row(figures, Ratio(case.name, peers.GET, goal))


def _replays(store: SqliteStore, events: int) -> list[Case]:
    """From the rows of each record to its last state."""
    game = catalog.find(ZIGZAG)

    def replayed(read: Callable[[], Iterable[Record]]) -> Callable[[], None]:
        def run() -> None:
            for record in read():
                opening, left = game.opening(record.opening), effective(record.events, record.by_type)
                deque(steps(game, opening, left.entries), maxlen=0)

        return run

    def with_chain() -> Iterator[Record]:
        for part in split(store, range(1, last_opening(store) + 1), 200):
            for _id, found in read_checked(store, part):
                assert isinstance(found, Record)
                yield found

    def one_by_one() -> Iterator[Record]:
        return (store.read(id_) for id_ in store.ids())

    return [
        Case("replay of each record to its end", events, replayed(one_by_one)),
        Case("the same, all with their chains", events, replayed(with_chain)),
    ]
