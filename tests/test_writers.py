"""Many writers and bad connections: each place is taken once and in order, and nothing sent twice is stored twice.

`DOMINO_APPENDS` says how often each of 16 programs writes, `DOMINO_RETRIES` how many histories of one record with bad
answers are played; `make torture` asks for 1,000 and 10,000.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple
from uuid import uuid4

import msgspec
import pytest

import writers
from ledger import tree_head
from ledger.errors import IdReused, LedgerError, UnknownRecord, WrongVersion
from ledger.events import AnyEvent, Note, Open, Player
from ledger.stores import open_ledger
from ledger.stores.contract import Store
from ledger.stores.memory import MemoryStore
from postgres import Server

APPENDS = int(os.environ.get("DOMINO_APPENDS", "20"))
RETRIES = int(os.environ.get("DOMINO_RETRIES", "300"))
WRITERS = 16
SEED = 29
OPENING = Open("zigzag", players=tuple(Player(id=name) for name in "abc"))

SHARED = ("sqlite", "postgres")
"""The stores that several programs write to."""


def address_of(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """The address of a new ledger of that kind, as `writers.opened` knows it."""
    if kind == "sqlite":
        return str(folder / "a.sqlite")
    server: Server = request.getfixturevalue("postgres")
    return server.made(f"domino-{uuid4().hex[:12]}")


class Won(NamedTuple):
    """An append that was acknowledged to a program."""

    version: int
    sent: int
    answered: int
    name: str
    number: int
    begun: int
    first: int


def raced(address: str, folder: Path) -> tuple[list[Won], int]:
    """The answers to 16 programs that all wrote as fast as they could, and how often one waited too long."""
    names = [f"w{number}" for number in range(WRITERS)]
    found, waited = list[Won](), 0
    with ExitStack() as stack:
        racers = []
        for name in names:
            command = [sys.executable, writers.__file__, address, name, str(APPENDS)]
            out = stack.enter_context((folder / name).open("w"))
            racer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE, text=True)
            racers.append(stack.enter_context(racer))
            stack.callback(racer.kill)  # if another one fails
        for racer in racers:
            assert racer.stderr is not None
            assert racer.stderr.readline() == "ready\n"
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write("go\n")
            racer.stdin.flush()
        for racer in racers:
            complaints = racer.communicate()[1]
            assert racer.returncode == 0, complaints
            waited += complaints.count("waited")
    for name in names:
        for line in (folder / name).read_text().splitlines():
            sent, answered, version, number, begun, first = map(int, line.split())
            found.append(Won(version, sent, answered, name, number, begun, first))
    return sorted(found), waited


@pytest.mark.parametrize("kind", SHARED)
def test_sixteen_writers_win_each_version_once_and_in_order(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = address_of(kind, tmp_path, request)
    with writers.opened(address) as store:
        store.append(writers.RECORD, 0, [OPENING])
        won, waited = raced(address, tmp_path)
        events = store.read(writers.RECORD).events
        assert tree_head.check(store).corruptions == ()
    slowest = max(each.answered - each.begun for each in won) / 1e9
    overtaken = max(each.version - each.first - 1 for each in won)
    report = (
        f"{len(won)} appends of {WRITERS} writers, {waited} waited in vain, the slowest {slowest:.2f} s, {overtaken=}"
    )
    print(report)  # noqa: T201  shown where it fails
    assert not waited
    # In between the others go on, each a few times at most: the one that has waited longest goes first.
    assert overtaken < 6 * WRITERS
    # Each version once, and no gap: the opening is the first.
    assert [each.version for each in won] == list(range(2, 2 + WRITERS * APPENDS))
    assert [event.text for event in events[1:] if isinstance(event, Note)] == [f"{e.name}/{e.number}" for e in won]
    for name in {each.name for each in won}:
        assert [each.number for each in won if each.name == name] == list(range(APPENDS))
    # An event acknowledged before another was sent has an earlier place.
    latest = 0
    for each in won:
        assert each.answered > latest, each
        latest = max(latest, each.sent)


class Sent(NamedTuple):
    """A request of a client."""

    expected: int
    events: tuple[Note, ...]
    ids: tuple[str, ...] | None


class Model:
    """The expected record: the events in order, and the event sent with each id."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = [OPENING]
        self.ids: dict[str, tuple[int, str]] = {}

    def answer(self, sent: Sent) -> int | type[LedgerError]:
        """The expected answer of a store; afterwards the events are there."""
        events, ids, expected = sent.events, sent.ids, sent.expected
        if ids is not None:
            known = [self.ids.get(each) for each in ids]
            if len(set(ids)) < len(ids) or any(
                had and had[1] != event.text for had, event in zip(known, events, strict=True)
            ):
                return IdReused
            old = [had[0] for had in known if had]
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
        self.random, self.past, self.numbers = random, list[Sent](), iter(range(10**6))
        self.seen = 1

    def next(self, stands: int) -> tuple[str, Sent]:
        """The next request, and the kind of mistake in it, for a record of this length."""
        kinds = ["new", "new", "stale", "bare"]
        if any(sent.ids for sent in self.past):
            kinds += ["again", "again", "later", "split", "joined", "other", "mixed", "twice"]
        kind = self.random.choice(kinds)
        sent: Sent = getattr(self, f"_{kind}")(stands)
        self.past.append(sent)
        return kind, sent

    def _new(self, _stands: int) -> Sent:
        numbers = [next(self.numbers) for _ in range(self.random.randint(1, 3))]
        notes = tuple(Note(f"note {number}") for number in numbers)
        return Sent(self.seen, notes, tuple(f"id-{number:08}" for number in numbers))

    def _stale(self, stands: int) -> Sent:
        return self._new(stands)._replace(expected=self.random.randint(1, stands + 2))

    def _bare(self, stands: int) -> Sent:
        return self._new(stands)._replace(ids=None, expected=stands)

    def _old(self) -> Sent:
        return self.random.choice([sent for sent in self.past if sent.ids])

    def _again(self, _stands: int) -> Sent:
        return self._old()

    def _later(self, _stands: int) -> Sent:
        """The same, with another time and another version."""
        old = self._old()
        when = f"2026-11-20T20:00:{self.random.randint(10, 59)}Z"
        stamped = tuple(msgspec.structs.replace(note, when=when) for note in old.events)
        return old._replace(expected=self.seen, events=stamped)

    def _split(self, _stands: int) -> Sent:
        """A part of a batch, from its beginning or from its middle."""
        old = self._old()
        since = self.random.randrange(len(old.events))
        until = self.random.randint(since + 1, len(old.events))
        return Sent(old.expected, old.events[since:until], (old.ids or ())[since:until])

    def _joined(self, stands: int) -> Sent:
        """A batch with a new event after it."""
        old, new = self._old(), self._new(stands)
        return Sent(old.expected, old.events + new.events, (old.ids or ()) + (new.ids or ()))

    def _mixed(self, stands: int) -> Sent:
        """A new event with a batch after it."""
        old, new = self._old(), self._new(stands)
        return Sent(self.seen, new.events + old.events, (new.ids or ()) + (old.ids or ()))

    def _other(self, stands: int) -> Sent:
        """An old id with a different event."""
        old, new = self._old(), self._new(stands)
        return Sent(self.random.choice((old.expected, self.seen, stands)), new.events[:1], (old.ids or ())[:1])

    def _twice(self, stands: int) -> Sent:
        """Two events with one id."""
        new, more = self._new(stands), self._new(stands)
        ids = new.ids or ()
        return Sent(stands, new.events + more.events[:1], (*ids, ids[0]))


def answered(store: Store, record: str, sent: Sent) -> int | type[LedgerError]:
    """The answer of the store."""
    try:
        return store.append(record, sent.expected, sent.events, sent.ids)
    except (IdReused, WrongVersion, UnknownRecord) as error:
        return type(error)


def played(store: Store, record: str, random: Random) -> None:
    """One history of a record: the store gives the same answers as the model, and has the same events."""
    store.append(record, 0, [OPENING])
    model, client = Model(), Client(random)
    for _ in range(random.randint(5, 20)):
        kind, sent = client.next(len(model.events))
        known = {had: text for had, (_seq, text) in model.ids.items()}
        expected, found = model.answer(sent), answered(store, record, sent)
        assert found == expected, (kind, sent)
        # Whatever the model says of it.
        pairs: Sequence[tuple[str, Note]] = list(zip(sent.ids or (), sent.events, strict=False))
        if kind == "twice" or any(known.get(event_id, event.text) != event.text for event_id, event in pairs):
            assert found is IdReused
        if random.random() < 0.7:  # otherwise the answer is lost
            client.seen = len(model.events)
    events = store.read(record).events
    assert list(events) == model.events
    texts = [event.text for event in events if isinstance(event, Note)]
    assert len(texts) == len(set(texts)) == len(events) - 1  # nothing twice


@pytest.fixture(params=("memory", *SHARED))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    with open_ledger(address_of(request.param, tmp_path, request)) as made:
        yield made


def test_a_repeated_request_is_stored_once(store: Store) -> None:
    print(f"seed {SEED}")  # noqa: T201  shown where it fails
    for number in range(RETRIES):
        played(store, f"r{number}", Random(f"{SEED}/{number}"))
    assert len(store.ids()) == RETRIES
