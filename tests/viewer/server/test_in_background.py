"""What a server does in the background: audits, the tables of a club, and causes of mistakes."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ledger.examples.season import season
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import refresh
from ledger.record.errors import NotForNow
from ledger.stores import questions
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer import background
from viewer.server.context import Ledgers, Served
from waiting import wait_until

MISTAKEN = [example for example in season() if example.id == "emepc5cc5y"]
CLEAN = season()[:2]


class Stop:
    """An event that is set after so many waits; it keeps how long each was."""

    def __init__(self, waits: int) -> None:
        self.left, self.waits = waits, list[float]()

    def is_set(self) -> bool:
        return self.left <= 0

    def wait(self, seconds: float) -> bool:
        self.left, self.waits = self.left - 1, [*self.waits, seconds]
        return self.is_set()


@pytest.fixture
def store() -> TemporaryStore:
    store = TemporaryStore()
    for number, example in enumerate((*CLEAN, *MISTAKEN, *MISTAKEN)):
        Recorder(store).import_record(example.record, f"number{number:04}")
    return store


def explained(store: SqliteStore) -> int:
    return 2 - len(questions.unexplained(store, 10))


class Quick(threading.Event):
    """An event for which nobody waits long; it keeps how long each wait was meant to be."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = list[float]()

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0)
        return super().wait(0.001)


@contextmanager
def at_work(*open_stores: Callable[[], SqliteStore], rest: float = 0) -> Iterator[Quick]:
    """The work of a server on these ledgers in the background."""
    stop, served = Quick(), {str(number): Served(Ledgers(each)) for number, each in enumerate(open_stores)}
    with background.at_work(served, stop, rest):
        yield stop
        stop.set()


def test_new_records_are_audited_counted_and_explained(store: TemporaryStore) -> None:
    with at_work(store.reopen) as stop:
        wait_until(lambda: not questions.unaudited(store) and explained(store) == 2, "all is explained")
    assert stop.waits[0] == background.PAUSE == 1


def test_a_stop_ends_the_audits_after_the_record_at_hand(store: TemporaryStore) -> None:
    stop: Any = Stop(0)
    background.audit_waiting(store, stop)
    assert len(questions.unaudited(store)) == 3


def test_causes_wait_while_a_record_waits_for_its_audit(store: TemporaryStore) -> None:
    for _ in refresh(store):
        pass
    Recorder(store).import_record(season()[5].record, "new0000000")
    stop: Any = Stop(9)
    background.explain_waiting(store, stop)
    assert explained(store) == 1
    assert stop.waits == []
    for _ in refresh(store):
        pass
    background.explain_waiting(store, stop)
    assert explained(store) == 2
    # It rests as long as it worked.
    assert all(0 <= seconds < 60 for seconds in stop.waits)
    assert len(stop.waits) == 1


def test_an_error_is_logged_and_the_next_ledger_and_audit_are_tried(store: TemporaryStore, caplog) -> None:
    full = 3

    def open_store() -> SqliteStore:
        nonlocal full
        full -= 1
        if full >= 0:
            raise NotForNow("the disk is full")
        return store.reopen()

    other = TemporaryStore()
    Recorder(other).import_record(CLEAN[0].record)
    with caplog.at_level(logging.ERROR, "domino-ledger"), at_work(open_store, other.reopen):
        wait_until(lambda: not questions.unaudited(store) and not questions.unaudited(other), "both are audited")
    assert [entry.message for entry in caplog.records] == ["new events cannot be audited now"] * 3
    assert "the disk is full" in caplog.text


def test_it_rests_as_many_times_as_long_as_it_has_worked(store: TemporaryStore) -> None:
    with at_work(store.reopen, rest=1e9) as stop:
        wait_until(lambda: max(stop.waits, default=0) > 1000, "it rests")


def test_a_ledger_that_cannot_be_written_is_left_alone(store: TemporaryStore, caplog) -> None:
    def open_store() -> SqliteStore:
        opened = store.reopen()
        opened.connection.read_only = True
        return opened

    with at_work(open_store) as stop:
        wait_until(lambda: len(stop.waits) > 8, "it has looked a few times")
    assert len(questions.unaudited(store)) == 4
    assert not caplog.records
