"""Power cuts while a ledger is made, written to and closed: acknowledged events are complete and in their places.

`DOMINO_CUTS` is the number of cuts; `make torture` uses 300.  Each `DOMINO_SEED` gives another series of cuts.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

import power
from ledger.proof import log_head
from ledger.record.errors import Corrupt
from ledger.record.events import Note, Open, Player
from ledger.stores import connection, questions, schema
from ledger.stores.beside import Key
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore

CUTS = int(os.environ.get("DOMINO_CUTS", "20"))
SEED = int(os.environ.get("DOMINO_SEED", "17"))
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
MOST_ACTS = (150, 1200)
"""It takes 60 to 90 acts to make a ledger and 7 to 40 to append, so many cuts happen while it is made."""


class Batch(NamedTuple):
    """Events stored together: their record, the version before them, and their texts."""

    record: str
    version: int
    texts: tuple[str, ...]


class Writer:
    """A program that writes to a ledger until the power fails, and remembers what was acknowledged."""

    def __init__(self, path: Path, random: Random, checkpoints: Sequence[int] = (1, 8, 100, 1000)) -> None:
        self.path, self.random, self.checkpoints = path, random, checkpoints
        self.acknowledged, self.keys = list[Batch](), list[bytes]()
        self.pending: Batch | None = None
        self._numbers = count()

    def write(self, disk: power.Disk) -> None:
        """Opens the ledger, appends to it and closes it, again and again.  It ends when the power is off."""
        self.pending = None
        try:
            while True:
                with power.PoweredStore(self.path, disk, self.random.choice(self.checkpoints)) as store:
                    for _ in range(self.random.randint(1, 40)):
                        self._append(store, disk)
        except Exception:
            # SQLite may report a cut as any error.  Without a cut there must be none.
            if not disk.off:
                raise

    def _append(self, store: SqliteStore, disk: power.Disk) -> None:
        number, record = next(self._numbers), self.random.choice("rst")
        texts = tuple(f"{number}-{part}" * self.random.choice((1, 1, 90)) for part in range(1 + number % 3))
        version = store.version(record)
        self.pending = Batch(record, version, texts)
        events = [Note(text) for text in texts]
        store.append(record, version, events if version else [OPENING, *events])
        disk.check_power()  # if the power is off, there was no answer
        self.acknowledged.append(self.pending)
        self.pending = None
        if number % 5 == 0:
            key = self.random.randbytes(32)
            store.put([Key(record, key)])
            disk.check_power()
            self.keys.append(key)


def missing_events(path: Path, writer: Writer) -> Iterator[Batch | bytes | str]:
    """The acknowledged events that are missing.  Any other problem is an error."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    try:
        SqliteStore(path).close()
    except Corrupt as error:  # nothing is left, and the high-water mark shows it
        yield str(error)
        yield from writer.acknowledged
        return
    with SqliteStore(path) as store:
        # The high-water mark shows the loss; nothing else may be corrupt.
        corruptions = log_head.check(store).corruptions
        assert all("events are gone" in corruption.reason for corruption in corruptions)
        yield from (corruption.reason for corruption in corruptions)
        rows = store.find(Query())
        events_by_record = {record_id: record.events for record_id, record in questions.records(store)}
        assert {row.id: row.events for row in rows} == {name: len(events) for name, events in events_by_record.items()}
        store.rebuild()
        assert store.find(Query()) == rows
        texts = {
            name: [e.text if isinstance(e, Note) else None for e in events] for name, events in events_by_record.items()
        }
        for batch in writer.acknowledged:
            if not is_complete(batch, texts):
                yield batch
        yield from (key for key in writer.keys if not any(questions.roles(store, name, key) for name in "rst"))
        # Only what was sent, and only complete batches.
        sent = [*writer.acknowledged, writer.pending] if writer.pending else writer.acknowledged
        whole = sum(len(batch.texts) + (not batch.version) for batch in sent if is_complete(batch, texts))
        assert whole == sum(map(len, texts.values()))


def is_complete(batch: Batch, texts: dict[str, list[str | None]]) -> bool:
    """Whether a batch is complete and in its place."""
    at = batch.version or 1
    return texts.get(batch.record, [])[at : at + len(batch.texts)] == list(batch.texts)


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Puts the surviving files into a real folder; the high-water mark is on another disk, which had no power cut."""
    for path in folder.iterdir():
        if path.suffix != ".head":
            path.unlink()
    for name, content in files.items():
        Path(name).write_bytes(content)


@pytest.fixture(autouse=True)
def schema_by_apsw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the schema through the connection of a powered store."""
    real, statements = schema.bring_up_to_date, power.statements()

    def bring_up_to_date(db: sqlite3.Connection) -> None:
        if isinstance(db, sqlite3.Connection):
            real(db)
            return
        for statement, parameters in statements:
            db.execute(statement, parameters).fetchall()

    monkeypatch.setattr(schema, "bring_up_to_date", bring_up_to_date)


def test_acknowledged_events_survive_a_power_cut(tmp_path: Path) -> None:
    print(f"seed {SEED}")  # noqa: T201  shown where it fails
    random, path = Random(SEED), tmp_path / "a.sqlite"
    files: dict[str, bytes] = {}
    writer, total = Writer(path, random), 0
    for cut in range(CUTS):
        if random.random() < 0.4:
            # A new ledger; otherwise the surviving one continues, and its recovery may be cut off too.
            files, writer = {}, Writer(path, random)
            (tmp_path / "a.sqlite.head").unlink(missing_ok=True)
        with power.powered(f"cut{cut}", files, random.randint(1, random.choice(MOST_ACTS))) as disk:
            before = len(writer.acknowledged)
            writer.write(disk)
            files = disk.survivors(random)
        write_files(files, tmp_path)
        assert list(missing_events(path, writer)) == [], f"cut {cut}"
        total += len(writer.acknowledged) - before
        if writer.pending:
            # It may have been stored without an acknowledgement, and then it must stay.
            with SqliteStore(path) as store:
                is_stored = store.version(writer.pending.record) > writer.pending.version
            if is_stored:
                writer.acknowledged.append(writer.pending)
    print(f"{CUTS} cuts, {total} acknowledged")  # noqa: T201  as above
    assert total > 3 * CUTS


def test_a_ledger_that_synchronises_less_loses_acknowledged_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same cuts on a ledger that synchronises less: without losses here the test above would prove nothing."""
    pragmas = [entry for entry in connection.PRAGMAS if "synchronous" not in entry and "autocheckpoint" not in entry]
    less = ("PRAGMA synchronous = NORMAL", *pragmas, "PRAGMA wal_autocheckpoint = 1000")
    monkeypatch.setattr(connection, "PRAGMAS", less)
    random, path = Random(SEED), tmp_path / "a.sqlite"
    corrupt = missing = notices = 0
    for cut in range(CUTS):
        writer = Writer(path, random, [1000])
        (tmp_path / "a.sqlite.head").unlink(missing_ok=True)
        with power.powered(f"less{cut}", {}, random.randint(1, random.choice(MOST_ACTS))) as disk:
            writer.write(disk)
            files = disk.survivors(random)
        write_files(files, tmp_path)
        losses = list(missing_events(path, writer))
        batches = [entry for entry in losses if isinstance(entry, Batch)]
        corrupt += bool(batches)
        missing += len(batches)
        noticed = any(isinstance(entry, str) for entry in losses)
        assert noticed or not batches  # the high-water mark has seen every loss of events
        notices += noticed
    print(f"{corrupt} of {CUTS} cuts lost {missing} acknowledged batches, the high-water mark saw {notices}")  # noqa: T201  as above
    assert corrupt > CUTS / 10
