"""Many writers and bad connections: each place is taken once and in order, and nothing sent twice is stored twice.

`DOMINO_APPENDS` is the number of writes of each of 16 programs, `DOMINO_RETRIES` the number of made-up histories of a
record with lost answers; `make torture` uses 1,000 and 10,000.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

import writers
from ledger.proof import log_head
from ledger.record.errors import IdReused, LedgerError, UnknownRecord, WrongVersion
from ledger.record.events import AnyEvent, Note, Open, Player
from ledger.stores import open_ledger
from ledger.stores.store import SqliteStore

APPENDS = int(os.environ.get("DOMINO_APPENDS", "10"))
RETRIES = int(os.environ.get("DOMINO_RETRIES", "60"))
WRITERS = 16
SEED = 29
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))


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


def test_sixteen_writers_win_each_version_once_and_in_order(tmp_path: Path) -> None:
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
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_ledger(str(tmp_path / "a.sqlite")) as ledger:
        yield ledger


def test_a_repeated_request_is_stored_once(store: SqliteStore) -> None:
    print(f"seed {SEED}")  # noqa: T201  shown where it fails
    for number in range(RETRIES):
        check_history(store, f"r{number}", Random(f"{SEED}/{number}"))
    assert len(store.ids()) == RETRIES
