"""`python -m tests.bench.club RECORDS`: what the pages of a club cost, and what importing an archive of its size costs.

The archive is imported once, as the command does it, beside `executemany` of its rows into the same table.  Then each
page is asked for by a new process: as the first page that it answers, once more, and after a correction of an old
game, before and after that game is audited again.  The figures are CPU.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import msgspec

from ledger.keep.importing import Importer
from ledger.keep.stored_audits import audit_of, refresh
from ledger.record import chain, codec
from ledger.record.events import ACTS, Retract
from ledger.record.record import Record
from ledger.stores.connection import PRAGMAS
from ledger.stores.event_log import _INSERT, encode
from ledger.stores.sqlite import SqliteStore
from tests.bench import made
from tests.bench.measure import cpu

PEOPLE, EVENTS = 60, 40
"""People and occasions of the club."""
POOL = {"zigzag": 20_000, "ziggurat": 20_000, "build-up": 20_000}
"""How many events of each game are simulated; these games are then repeated with other people and on other days."""
PAGES = (
    "/players",
    "/players/Person%201",
    "/statistics",
    "/statistics/zigzag",
    "/statistics/ziggurat",
    "/events",
    "/events/Evening%201",
)
AT_ONCE = 1000
"""Records that are imported by both ways in turn."""


def records(count: int) -> Iterator[Record]:
    """So many records of a club, all different."""
    pool = [record for name, events in POOL.items() for record in made.records(name, events)]
    random = Random(1)
    random.shuffle(pool)
    for number in range(count):
        game = pool[number % len(pool)]
        opening = game.opening
        people = random.sample(range(PEOPLE), len(opening.players))
        players = tuple(
            msgspec.structs.replace(one, name=f"Person {person}")
            for one, person in zip(opening.players, people, strict=True)
        )
        day = f"{2005 + number * 20 // count}-{random.randrange(12) + 1:02}-{random.randrange(28) + 1:02}"
        named = msgspec.structs.replace(opening, players=players, played=day, event=f"Evening {number % EVENTS}")
        yield codec.check([named, *game.events[1:]])


def bring_in(count: int, folder: Path) -> Path:
    """Imports an archive of so many records, beside its bare rows; prints the figures and returns the ledger."""
    ours, raw, position, outcomes = 0.0, 0.0, 0, Counter[str]()
    with SqliteStore(folder / "raw.sqlite"):
        pass
    bare = sqlite3.connect(folder / "raw.sqlite", isolation_level=None)
    for pragma in PRAGMAS:
        bare.execute(pragma).fetchall()
    with SqliteStore(folder / "club.sqlite") as store:
        importer, waiting = Importer(store, audit_of), records(count)
        while some := list(islice(waiting, AT_ONCE)):
            rows = []
            for number, record in enumerate(some):
                bodies = encode(record.events).bodies
                for seq, (body, link) in enumerate(zip(bodies, chain.links(bodies), strict=True)):
                    position += 1
                    rows.append((position, f"{position - seq:09}-{number}", seq, None, None, body, link))
            begin = cpu()
            bare.execute("BEGIN IMMEDIATE")
            bare.executemany(_INSERT, rows)
            bare.execute("COMMIT")
            raw += cpu() - begin
            begin = cpu()
            outcomes.update(imported.outcome for imported in importer.run(some))
            ours += cpu() - begin
    bare.close()
    (folder / "raw.sqlite").unlink()
    with closing(sqlite3.connect(folder / "club.sqlite")) as found:
        views = {
            view: found.execute(f"SELECT count(*) FROM {view}").fetchone()[0]  # noqa: S608  constants
            for view in ("games", "results", "players", "findings", "rules")
        }
    print(f"{dict(outcomes)}, {position:,} events; rows of the views: {views}")
    print(f"import: {position / ours:,.0f} events/s of CPU; executemany: {position / raw:,.0f}; ratio {raw / ours:.3f}")
    return folder / "club.sqlite"


def ask(path: Path, page: str) -> None:
    """Prints what a page costs in this process, in milliseconds of CPU."""
    from viewer.app import create_app

    client = create_app(lambda: SqliteStore(path)).test_client()
    client.get("/about")

    def cost() -> str:
        begin = cpu()
        answer = client.get(page)
        taken = cpu() - begin
        assert answer.status_code == 200, (page, answer.status)
        return f"{taken * 1000:.0f}"

    figures = [cost(), cost()]
    with SqliteStore(path) as store:
        record_id = store.ids()[10 + PAGES.index(page)]
        last = max(seq for seq, event in store.events(record_id) if type(event) in ACTS)
        store.append(record_id, store.version(record_id), [Retract(last, why="a slip")])
        figures.append(cost())
        list(refresh(store))
    figures.append(cost())
    print(f"| {page} | {' | '.join(figures)} |", flush=True)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=int, help="how many")
    parser.add_argument("--page", nargs=2, metavar=("LEDGER", "PAGE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.page:
        ask(Path(arguments.page[0]), arguments.page[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        path = bring_in(arguments.records, Path(folder))
        print(
            "\n| page | first | again | an old game was corrected | and audited |\n| --- | --- | --- | --- | --- |",
            flush=True,
        )
        for page in PAGES:
            subprocess.run([sys.executable, "-m", __spec__.name, "0", "--page", path, page], check=True)


if __name__ == "__main__":
    main()
