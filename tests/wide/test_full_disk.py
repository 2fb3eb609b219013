"""A full disk: the writer gets an error, nothing is half written, readers go on; so does the writer once there is room.

Three ways to be full: SQLite's limit on pages, the system's limit on the size of a file, and a small disk.
"""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import NamedTuple

import msgspec
import pytest

import power
import writers
from ledger.proof import log_head
from ledger.record.errors import Corrupt, IdReused, LedgerError, UnknownRecord, WrongVersion
from ledger.record.events import AnyEvent, Note, Open, Player
from ledger.stores import connection, open_ledger, questions, schema
from ledger.stores.beside import Key
from ledger.stores.connection import Connection
from ledger.stores.query import Audit, Query, Summary
from ledger.stores.store import SqliteStore

SEED = 23
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))
REASON = "nothing was written: (database or disk is full|disk I/O error)"
KEY = b"k" * 32
LONG = [Note("y" * 2000)] * 50


class Filler:
    """A writer that remembers the acknowledged events and those refused for lack of space."""

    def __init__(self, path: Path) -> None:
        self.path, self.random = path, Random(SEED)
        self.events: list[Open | Note] = [OPENING]
        self.refused: list[Note] = []
        self.number = 0

    def append(self, store: SqliteStore) -> None:
        """Appends a few notes.  Raises LedgerError for lack of space, and remembers them for another try."""
        if not self.refused:
            self.number += 1
            long = self.random.choice((10, 300, 2000))
            self.refused = [Note(f"{self.number}/{part} ".ljust(long, "x")) for part in range(1 + self.number % 3)]
        keys = [event.text[:12] for event in self.refused]
        assert store.append("r", len(self.events), self.refused, keys) == len(self.events) + len(self.refused)
        self.events += self.refused
        self.refused = []

    def fill(self, store: SqliteStore) -> None:
        """Appends until the disk is full.  Then raises LedgerError."""
        for _ in range(1000):
            self.append(store)

    def check_contents(self, store: SqliteStore) -> None:
        """Checks that exactly the acknowledged events are there."""
        assert list(store.read("r").events) == self.events
        assert [(row.id, row.events) for row in store.find(Query())] == [("r", len(self.events))]


def check_recovery(path: Path, less: Callable[[SqliteStore], None], more: Callable[[SqliteStore], None]) -> None:
    """Fills the space that `less` leaves, three times, with one store that is not opened again."""
    filler = Filler(path)
    with SqliteStore(path) as store, SqliteStore(path) as reader:
        store.append("r", 0, [OPENING])
        for checkpoint in (1000, 1, 20):
            # The limit on the journal decides whether this file or the ledger's runs out of space.
            store.connection.db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
            filler.append(store)
            less(store)
            with pytest.raises(LedgerError, match=REASON):
                filler.fill(store)
            assert filler.refused
            batch = [(f"new{n}", [OPENING, *LONG]) for n in range(4)]
            with pytest.raises(LedgerError, match=REASON):
                store.append_records(batch)
            for ledger in (store, reader):
                filler.check_contents(ledger)
            with SqliteStore(path) as second:
                filler.check_contents(second)
                with pytest.raises(LedgerError, match=REASON):
                    second.append("r", second.version("r"), LONG * 20)
            more(store)
            for _ in range(10):
                filler.append(store)
            for ledger in (store, reader):
                filler.check_contents(ledger)
        store.put([Key("r", KEY)])
        store.note_audits([Audit("r", len(filler.events), Summary("clean", finished=False))])
        assert questions.roles(reader, "r", KEY)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with SqliteStore(path) as store:
        assert log_head.check(store).corruptions == ()
        filler.check_contents(store)


def test_a_ledger_that_may_have_no_more_pages(tmp_path, monkeypatch) -> None:
    connect, limit = Connection._connect, [1_000_000]

    def bounded(self: Connection) -> sqlite3.Connection:
        # The limit applies to one connection, so a later one needs it too.
        db = connect(self)
        db.execute(f"PRAGMA max_page_count = {limit[0]}")
        return db

    def bound(store: SqliteStore, pages: int) -> None:
        limit[0] = pages
        store.connection.db.execute(f"PRAGMA max_page_count = {pages}")

    def less(store: SqliteStore) -> None:
        bound(store, store.connection.db.execute("PRAGMA page_count").fetchone()[0] + 20)

    monkeypatch.setattr(Connection, "_connect", bounded)
    check_recovery(tmp_path / "a.sqlite", less, lambda store: bound(store, 1_000_000))


def check_with_limited_files(path: Path) -> None:
    """Limits the size of every file of this process, so a test runs it in a process of its own."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

    def less(_store: SqliteStore) -> None:
        largest = max(file.stat().st_size for file in path.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 50_000, limit))

    def more(_store: SqliteStore) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    check_recovery(path, less, more)


def test_a_ledger_whose_files_may_not_grow(tmp_path) -> None:
    program = "import sys, pathlib, test_full_disk; test_full_disk.check_with_limited_files(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path / "a.sqlite")]
    folder = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": str(folder.parent)}
    process = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env, check=False)
    assert process.returncode == 0, process.stderr


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of two megabytes, in memory."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        process = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk: {error}")
    if process.returncode:
        pytest.skip(f"no small disk, which takes root's rights: {process.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_ledger_on_a_disk_that_fills_up(small_disk: Path) -> None:
    stuff = small_disk / "stuff"

    check_recovery(small_disk / "a.sqlite", lambda _store: fill_disk(stuff, 100_000), lambda _store: stuff.unlink())


def fill_disk(stuff: Path, free: int) -> None:
    """Fills the disk from outside, except for a little."""
    with stuff.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            out.truncate(out.tell() - free)


def test_a_ledger_is_made_and_opened_when_there_is_room_for_it(small_disk: Path) -> None:
    stuff = small_disk / "stuff"
    for free in (0, 20_000, 50_000, 80_000):
        fill_disk(stuff, free)
        with pytest.raises(LedgerError, match=r"full|disk I/O error|unable to open"):
            SqliteStore(small_disk / "a.sqlite")
    stuff.unlink()
    with SqliteStore(small_disk / "a.sqlite") as store:
        assert store.append("r", 0, [OPENING]) == 1
        assert log_head.check(store).corruptions == ()
    # A ledger that was closed has no write-ahead log, so reading it needs no room for the log's index.
    fill_disk(stuff, 0)
    with SqliteStore(small_disk / "a.sqlite") as store:
        assert store.read("r").events == (OPENING,)
        with pytest.raises(LedgerError, match="nothing was written"):
            store.append("r", 1, LONG)


@pytest.mark.parametrize(
    ("free", "reason"), [(0, "the disk is full"), (1 << 20, "attempt to write a readonly database")]
)
def test_a_log_whose_index_cannot_grow_is_on_a_full_disk(tmp_path, monkeypatch, free: int, reason: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=free))
    with (
        SqliteStore(tmp_path / "a.sqlite") as store,
        pytest.raises(LedgerError, match=f"nothing was written: {reason}"),
        store.connection.writing(),
    ):
        raise sqlite3.OperationalError("attempt to write a readonly database")


# ---- Programs that are killed while they write: acknowledged events are complete and in their places.
# `DOMINO_KILLS` is the number of kills; `make torture` uses 500.


KILLS = int(os.environ.get("DOMINO_KILLS", "12"))
KILL_SEED = 11
WRITER = """
import sys
from ledger.record.errors import WrongVersion
from ledger.record.events import Note
from ledger.stores.store import SqliteStore
path, name = sys.argv[1:]
with SqliteStore(path) as store:
    print("ready", flush=True)
    number = 0
    while True:
        number += 1
        events = [Note(f"{name}-{number}-{part}") for part in range(1 + number % 3)]
        while True:
            try:
                version = store.append("r", store.version("r"), events, [f"{name}-{number}-{part:04}" for part in range(len(events))])
                break
            except WrongVersion:
                continue
        print(version, *(event.text for event in events), flush=True)
"""  # noqa: E501  a program of its own


def acknowledged_before_kill(path: Path, seconds: float, names: list[str]) -> list[str]:
    """The lines in which writers reported stored events, the first writer one at least, before all were killed."""
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in names]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    assert writers[0].stdout is not None
    first = writers[0].stdout.readline()
    time.sleep(seconds)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    outputs = [first, *(writer.communicate()[0] for writer in writers)]
    # A line that the kill cut off acknowledged nothing.
    return [line for text in outputs for line in text.splitlines(keepends=True) if line.endswith("\n")]


def count_stored(store: SqliteStore, acknowledged: list[str]) -> int:
    """The number of acknowledged events in the store; each must have the place that was reported."""
    events = store.read("r").events
    count = 0
    for line in acknowledged:
        version, *texts = line.split()
        place = int(version) - len(texts)
        for at, text in enumerate(texts, place):
            event = events[at]
            assert isinstance(event, Note)
            assert event.text == text
            count += 1
    return count


def test_acknowledged_events_survive_a_kill(tmp_path) -> None:
    random = Random(KILL_SEED)
    path = tmp_path / "a.sqlite"
    with SqliteStore(path) as store:
        store.append("r", 0, [Open("zigzag", players=tuple(Player(id=name) for name in "abc"))])
    acknowledged: list[str] = []
    for run in range(KILLS):
        acknowledged += acknowledged_before_kill(path, random.uniform(0.01, 0.15), [f"w{run}", f"v{run}"])
        with SqliteStore(path) as store:
            events = store.read("r").events
            count_stored(store, acknowledged[-50:])
            assert store.version("r") == len(events)
        if run % 10 == 0 or run == KILLS - 1:
            db = sqlite3.connect(path)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            db.close()
    with SqliteStore(path) as store:
        count = count_stored(store, acknowledged)
        events = store.read("r").events
    texts = [event.text for event in events if isinstance(event, Note)]
    assert len(texts) == len(set(texts)) == len(events) - 1  # nothing twice
    # At most the current batch of each killed writer was stored without an acknowledgement.
    assert count <= len(texts) <= count + 2 * 3 * KILLS
    assert count > KILLS


# ---- Many writers and bad connections: each place is taken once and in order, and nothing sent twice is stored twice.
# `DOMINO_APPENDS` is the number of writes of each of 16 programs, `DOMINO_RETRIES` the number of made-up histories of a
# record with lost answers; `make torture` uses 1,000 and 10,000.


APPENDS = int(os.environ.get("DOMINO_APPENDS", "10"))
RETRIES = int(os.environ.get("DOMINO_RETRIES", "60"))
WRITERS = 16
WRITERS_SEED = 29


class Append(NamedTuple):
    """An append that was acknowledged to a program."""

    version: int
    sent: int
    answered: int
    name: str
    number: int
    begun: int
    first: int


def race(address: str, folder: Path) -> tuple[list[Append], int]:
    """The answers to 16 programs that all wrote as fast as they could, and how often one waited too long."""
    names = [f"w{number}" for number in range(WRITERS)]
    appends = list[Append]()
    command = [sys.executable, writers.__file__, address, str(folder), str(APPENDS), *names]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as racers:
        assert racers.stderr is not None
        try:
            assert [racers.stderr.readline() for _ in names] == [b"ready\n"] * WRITERS
            complaints = racers.communicate(b"!" * WRITERS)[1].decode()
        except BaseException:
            os.killpg(racers.pid, signal.SIGKILL)
            raise
    assert racers.returncode == 0, complaints
    waited = complaints.count("waited")
    for name in names:
        for line in (folder / name).read_text().splitlines():
            sent, answered, version, number, begun, first = map(int, line.split())
            appends.append(Append(version, sent, answered, name, number, begun, first))
    return sorted(appends), waited


def test_sixteen_writers_win_each_version_once_and_in_order(tmp_path) -> None:
    address = str(tmp_path / "a.sqlite")
    with open_ledger(address) as store:
        store.append(writers.RECORD, 0, [OPENING])
        appends, waited = race(address, tmp_path)
        events = store.read(writers.RECORD).events
        assert log_head.check(store).corruptions == ()
    slowest = max(append.answered - append.begun for append in appends) / 1e9
    overtaken = max(append.version - append.first - 1 for append in appends)
    report = f"{len(appends)} appends of {WRITERS} writers, {waited} waited in vain, {slowest=:.2f} s, {overtaken=}"
    print(report)  # noqa: T201  shown where it fails
    assert not waited
    # In between the others go on, each a few times at most: the one that has waited longest goes first.
    assert overtaken < 6 * WRITERS
    # Each version once, and no gap: the opening is the first.
    assert [append.version for append in appends] == list(range(2, 2 + WRITERS * APPENDS))
    assert [event.text for event in events[1:] if isinstance(event, Note)] == [f"{e.name}/{e.number}" for e in appends]
    for name in {append.name for append in appends}:
        assert [append.number for append in appends if append.name == name] == list(range(APPENDS))
    # An event acknowledged before another was sent has an earlier place.
    latest = 0
    for append in appends:
        assert append.answered > latest, append
        latest = max(latest, append.sent)


class Request(NamedTuple):
    """A request of a client."""

    expected: int
    events: tuple[Note, ...]
    ids: tuple[str, ...] | None


class Model:
    """The expected record: the events in order, and the event sent with each id."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = [OPENING]
        self.ids: dict[str, tuple[int, str]] = {}

    def answer(self, request: Request) -> int | type[LedgerError]:
        """The expected answer of a store; afterwards the events are there."""
        events, ids, expected = request.events, request.ids, request.expected
        if ids is not None:
            known = [self.ids.get(id_) for id_ in ids]
            if len(set(ids)) < len(ids) or any(
                stored and stored[1] != event.text for stored, event in zip(known, events, strict=True)
            ):
                return IdReused
            old = [stored[0] for stored in known if stored]
            if any(known[len(old) :]):
                return IdReused  # something new before something old
            if len(old) == len(events):
                return max(old) + 1
            if old:
                events, ids, expected = events[len(old) :], ids[len(old) :], max(old) + 1
        if expected != len(self.events):
            return WrongVersion
        for event, event_id in zip(events, ids or [None] * len(events), strict=True):
            if event_id is not None:
                self.ids[event_id] = (len(self.events), event.text)
            self.events.append(event)
        return len(self.events)


class Client:
    """A client on a bad connection that repeats requests, often wrongly."""

    def __init__(self, random: Random) -> None:
        self.random, self.past, self.numbers = random, list[Request](), iter(range(10**6))
        self.seen = 1

    def next(self, length: int) -> tuple[str, Request]:
        """The next request, and the kind of mistake in it, for a record of this length."""
        kinds = ["new", "new", "stale", "bare"]
        if any(request.ids for request in self.past):
            kinds += ["again", "again", "later", "split", "joined", "other", "mixed", "twice"]
        kind = self.random.choice(kinds)
        request: Request = getattr(self, f"_{kind}")(length)
        self.past.append(request)
        return kind, request

    def _new(self, _length: int) -> Request:
        numbers = [next(self.numbers) for _ in range(self.random.randint(1, 3))]
        notes = tuple(Note(f"note {number}") for number in numbers)
        return Request(self.seen, notes, tuple(f"id-{number:08}" for number in numbers))

    def _stale(self, length: int) -> Request:
        return self._new(length)._replace(expected=self.random.randint(1, length + 2))

    def _bare(self, length: int) -> Request:
        return self._new(length)._replace(ids=None, expected=length)

    def _old(self) -> Request:
        return self.random.choice([sent for sent in self.past if sent.ids])

    def _again(self, _length: int) -> Request:
        return self._old()

    def _later(self, _length: int) -> Request:
        """The same, with another time and another version."""
        old = self._old()
        when = f"2026-11-20T20:00:{self.random.randint(10, 59)}Z"
        stamped = tuple(msgspec.structs.replace(note, when=when) for note in old.events)
        return old._replace(expected=self.seen, events=stamped)

    def _split(self, _length: int) -> Request:
        """A part of a batch, from its beginning or from its middle."""
        old = self._old()
        since = self.random.randrange(len(old.events))
        until = self.random.randint(since + 1, len(old.events))
        return Request(old.expected, old.events[since:until], (old.ids or ())[since:until])

    def _joined(self, length: int) -> Request:
        """A batch with a new event after it."""
        old, new = self._old(), self._new(length)
        return Request(old.expected, old.events + new.events, (old.ids or ()) + (new.ids or ()))

    def _mixed(self, length: int) -> Request:
        """A new event with a batch after it."""
        old, new = self._old(), self._new(length)
        return Request(self.seen, new.events + old.events, (new.ids or ()) + (old.ids or ()))

    def _other(self, length: int) -> Request:
        """An old id with a different event."""
        old, new = self._old(), self._new(length)
        return Request(self.random.choice((old.expected, self.seen, length)), new.events[:1], (old.ids or ())[:1])

    def _twice(self, length: int) -> Request:
        """Two events with one id."""
        new, more = self._new(length), self._new(length)
        ids = new.ids or ()
        return Request(length, new.events + more.events[:1], (*ids, ids[0]))


def answer_of(store: SqliteStore, record: str, request: Request) -> int | type[LedgerError]:
    """The answer of the store."""
    try:
        return store.append(record, request.expected, request.events, request.ids)
    except (IdReused, WrongVersion, UnknownRecord) as error:
        return type(error)


def check_history(store: SqliteStore, record: str, random: Random) -> None:
    """One history of a record: the store gives the same answers as the model, and has the same events."""
    store.append(record, 0, [OPENING])
    model, client = Model(), Client(random)
    for _ in range(random.randint(5, 20)):
        kind, request = client.next(len(model.events))
        known = {id_: text for id_, (_seq, text) in model.ids.items()}
        expected, answer = model.answer(request), answer_of(store, record, request)
        assert answer == expected, (kind, request)
        # A check that does not rely on the model.
        pairs: Sequence[tuple[str, Note]] = list(zip(request.ids or (), request.events, strict=False))
        if kind == "twice" or any(known.get(event_id, event.text) != event.text for event_id, event in pairs):
            assert answer is IdReused
        if random.random() < 0.7:  # otherwise the answer is lost
            client.seen = len(model.events)
    events = store.read(record).events
    assert list(events) == model.events
    texts = [event.text for event in events if isinstance(event, Note)]
    assert len(texts) == len(set(texts)) == len(events) - 1  # nothing twice


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    with open_ledger(str(tmp_path / "a.sqlite")) as ledger:
        yield ledger


def test_a_repeated_request_is_stored_once(store: SqliteStore) -> None:
    print(f"seed {WRITERS_SEED}")  # noqa: T201  shown where it fails
    for number in range(RETRIES):
        check_history(store, f"r{number}", Random(f"{WRITERS_SEED}/{number}"))
    assert len(store.ids()) == RETRIES


# ---- Power cuts while a ledger is made, written to and closed: acknowledged events are complete and in their places.
# `DOMINO_CUTS` is the number of cuts; `make torture` uses 300.  Each `DOMINO_SEED` gives another series of cuts.


CUTS = int(os.environ.get("DOMINO_CUTS", "20"))
CUT_SEED = int(os.environ.get("DOMINO_SEED", "17"))
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
        assert [one.reason for one in corruptions if " gone: it had " not in one.reason] == []
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


@pytest.fixture
def schema_by_apsw(monkeypatch) -> None:
    """Makes the schema through the connection of a powered store."""
    real, statements = schema.bring_up_to_date, power.statements()

    def bring_up_to_date(db: sqlite3.Connection) -> None:
        if isinstance(db, sqlite3.Connection):
            real(db)
            return
        for statement, parameters in statements:
            db.execute(statement, parameters).fetchall()

    monkeypatch.setattr(schema, "bring_up_to_date", bring_up_to_date)


@pytest.mark.usefixtures("schema_by_apsw")
def test_acknowledged_events_survive_a_power_cut(tmp_path) -> None:
    print(f"seed {CUT_SEED}")  # noqa: T201  shown where it fails
    random, path = Random(CUT_SEED), tmp_path / "a.sqlite"
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


@pytest.mark.usefixtures("schema_by_apsw")
def test_a_ledger_that_synchronises_less_loses_acknowledged_events(tmp_path, monkeypatch) -> None:
    """The same cuts on a ledger that synchronises less: without losses here the test above would prove nothing."""
    pragmas = [entry for entry in connection.PRAGMAS if "synchronous" not in entry and "autocheckpoint" not in entry]
    less = ("PRAGMA synchronous = NORMAL", *pragmas, "PRAGMA wal_autocheckpoint = 1000")
    monkeypatch.setattr(connection, "PRAGMAS", less)
    random, path = Random(CUT_SEED), tmp_path / "a.sqlite"
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
