"""What a server does in the background: audits, the tables of a club, and causes of mistakes."""

import logging
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


def test_new_records_are_audited_counted_and_explained(store: TemporaryStore) -> None:
    stop: Any = Stop(5)
    background.keep_auditing(store.reopen, stop)
    assert not questions.unaudited(store)
    assert explained(store) == 2
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


def test_an_error_is_logged_and_the_next_audit_is_tried_after_a_pause(
    store: TemporaryStore, caplog: pytest.LogCaptureFixture
) -> None:
    stop, stores = Stop(4), iter([None, store])
    refused: Any = stop

    def open_store() -> SqliteStore:
        if (found := next(stores)) is None:
            raise NotForNow("the disk is full")
        return found.reopen()

    with caplog.at_level(logging.ERROR, "domino-ledger"):
        background.keep_auditing(open_store, refused)
    assert [entry.message for entry in caplog.records] == ["new events cannot be audited now"]
    assert "the disk is full" in caplog.text
    assert stop.waits[0] == background.PAUSE
    assert not questions.unaudited(store)
