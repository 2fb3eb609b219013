"""Writing: many records at once, and one move that reaches the disk before it is acknowledged."""

import os
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

from ledger.games import catalog
from ledger.keep.importing import Importer
from ledger.keep.recorder import Recorder
from ledger.play.simulate import open_event
from ledger.record import chain, codec
from ledger.record.events import ACTS
from ledger.record.record import Record
from ledger.stores.connection import PRAGMAS
from ledger.stores.event_log import _INSERT, EventRow, encode
from ledger.stores.store import SqliteStore
from tests.bench import made
from tests.bench.measure import Case, Ratio, by_turns, head, one_by_one, row

MOVE, FILE, ROW = "one durable move", "append and fdatasync", "one row in SQLite, the same table"
IMPORT, RAW = "bulk import", "executemany of ready rows, the same table"
WHOLE = "import as the command does it"


def main(folder: Path, events: int, rounds: int) -> None:
    """Prints the tables."""
    _bulk(folder, made.records("zigzag", 4 * events), rounds)
    _move(folder, made.records("zigzag", 20_000), rounds)


def _bulk(folder: Path, records: list[Record], rounds: int) -> None:
    numbers, rows = count(), _rows(records)

    def fresh(name: str) -> Path:
        return folder / f"{name}-{next(numbers)}.sqlite"

    def ours() -> None:
        with SqliteStore(path := fresh("ours")) as store:
            store.append_records((f"r{number:09}", record.events) for number, record in enumerate(records))
        path.unlink()

    def whole() -> None:
        with SqliteStore(path := fresh("whole")) as store:
            for _ in Importer(store).run(records):
                pass
        path.unlink()

    def raw() -> None:
        db = _table(path := fresh("raw"))
        db.execute("BEGIN IMMEDIATE")
        db.executemany(_INSERT, rows)
        db.execute("COMMIT")
        db.close()
        path.unlink()

    cases = [Case(IMPORT, len(rows), ours), Case(WHOLE, len(rows), whole), Case(RAW, len(rows), raw)]
    figures = by_turns(cases, rounds)
    head("Import, Zigzag: checked, chained, listed, marked", "events/s of CPU")
    row(figures, Ratio(IMPORT, RAW))
    row(figures, Ratio(WHOLE, RAW))


def _table(path: Path) -> sqlite3.Connection:
    """A new ledger, opened without the store, to write to its table by hand."""
    with SqliteStore(path):
        pass
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        db.execute(pragma).fetchall()
    return db


def _rows(records: list[Record]) -> list[EventRow]:
    rows: list[EventRow] = []
    for number, record in enumerate(records):
        bodies = encode(record.events).bodies
        for seq, (body, link) in enumerate(zip(bodies, chain.links(bodies), strict=True)):
            rows.append((len(rows) + 1, f"r{number:09}", seq, None, None, body, link))
    return rows


def _move(folder: Path, records: list[Record], rounds: int) -> None:
    acts = [event for record in records for event in record.events if isinstance(event, ACTS)]
    body = codec.encode_event(acts[0]) + b"\n"
    handle = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    db, numbers = _table(folder / "one.sqlite"), count(1)

    def plain() -> None:
        os.write(handle, body)
        os.fdatasync(handle)

    def bare() -> None:
        number = next(numbers)
        db.execute(_INSERT, (number, "r", number - 1, f"{number:032}", bytes(32), body, bytes(32)))

    with SqliteStore(folder / "moves.sqlite") as store:
        cases = [Case(MOVE, 1, _recording(store, acts)), Case(FILE, 1, plain), Case(ROW, 1, bare)]
        # In pairs: writes that one case leaves to the disk slow the next.
        figures = one_by_one(cases[:2], rounds, 100)
        more = one_by_one([cases[0], cases[2]], rounds, 50)
        least = one_by_one(cases[2:0:-1], rounds, 100)
    os.close(handle)
    db.close()
    head("One move: checked, chained, committed, marked", "a second, by the wall")
    row(figures, Ratio(MOVE, FILE, "≤ 1.5 times as long", cost=True))
    row(least, Ratio(ROW, FILE, cost=True))
    row(more, Ratio(MOVE, ROW, cost=True))


def _recording(store: SqliteStore, acts: list[ACTS]) -> Callable[[], object]:  # type: ignore[valid-type]  # a tuple of them
    """A recorder that appends an act whenever it is called, a few dozen to a game."""
    game = catalog.find("zigzag")
    recorder, waiting = Recorder(store, find_game=catalog.find), iter(acts * 100)
    state = {"record": "", "version": 0}

    def run() -> None:
        if state["version"] in (0, 60):
            state.update(record=recorder.open(open_event(game, {})), version=1)
        record, version = str(state["record"]), int(state["version"])
        name = f"{record}-{version:032}"
        state["version"] = recorder.append(record, next(waiting), expected=version, event_id=name)

    return run
