"""The recorder: stamps, corrections, undo, and refusals."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from ledger.games.catalog import find
from ledger.keep import recorder as recorders
from ledger.keep.recorder import Recorder
from ledger.record import clock
from ledger.record.chain import fingerprint, record_digest
from ledger.record.codec import decode, encode
from ledger.record.errors import IdReused, NotARecord, NotForNow, UnknownGame, WrongVersion
from ledger.record.events import (
    Amend,
    AnyEvent,
    Bid,
    Close,
    Confirm,
    Insert,
    Lift,
    Note,
    Open,
    Pass,
    Place,
    Play,
    Retract,
)
from ledger.record.record import Corrections, Record, effective
from ledger.record.tiles import named
from ledger.stores import event_log
from sheets import OPENING, PLAYERS
from temporary import TemporaryStore


@pytest.fixture
def recorder() -> Recorder:
    ticks = iter(range(10, 60))
    return Recorder(TemporaryStore(), clock=lambda: f"2026-11-20T10:00:{next(ticks)}.000Z", find_game=find)


def test_every_event_is_stamped_with_its_time_and_its_recorder(recorder: Recorder) -> None:
    name = recorder.open(OPENING, by="dee")
    assert recorder.append(name, Bid("ana", 3), by="dee") == 2
    opening, bid = recorder.store.read(name).events
    assert (opening.when, opening.by) == ("2026-11-20T10:00:10.000Z", "dee")
    assert (bid.when, bid.by) == ("2026-11-20T10:00:11.000Z", "dee")
    assert len(name) == 10


@pytest.mark.parametrize(
    ("microseconds", "time"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_000_999, "1970-01-01T00:00:01.000Z"),
        (1_001_000, "1970-01-01T00:00:01.001Z"),
        (1_708_905_599_999_999, "2024-02-25T23:59:59.999Z"),
        (1_708_905_600_050_000, "2024-02-26T00:00:00.050Z"),
    ],
)
def test_the_time_of_recording_is_utc_to_the_millisecond(
    microseconds: int, time: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime(1970, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5.5))) + timedelta(microseconds=microseconds)
    monkeypatch.setattr(clock, "now", lambda: moment)
    assert recorders.now() == time


def test_a_retry_is_harmless(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    assert recorder.append(name, Bid("ana", 3), expected=1, event_id="x") == 2
    assert recorder.append(name, Bid("ana", 3), expected=1, event_id="x") == 2
    with pytest.raises(WrongVersion):
        recorder.append(name, Pass("ben"), expected=1, event_id="y")


def test_events_that_the_game_does_not_have_are_refused(recorder: Recorder) -> None:
    with pytest.raises(UnknownGame):
        recorder.open(Open("canasta", players=PLAYERS))
    with pytest.raises(NotARecord, match="three players"):
        recorder.open(Open("zigzag", players=PLAYERS[:2]))
    name = recorder.open(OPENING)
    with pytest.raises(NotForNow, match="has no lift"):
        recorder.append(name, Lift("ana", named("1-2")))
    with pytest.raises(NotForNow, match="has no place"):
        recorder.correct(name, Amend(0, Place("ana", named("1-2"), (0, 0), "e", 1), "no"))


def test_a_breach_is_recorded_like_anything_else(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Play("cy", named("0-0")))
    assert recorder.store.version(name) == 2


def test_corrections_lose_nothing(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    for event in (Bid("ana", 3), Pass("ben"), Pass("cy"), Play("ana", named("2-2"))):
        recorder.append(name, event)
    recorder.correct(name, Amend(1, Bid("ana", 5), "misheard"))
    recorder.correct(name, Insert(4, Pass("ana"), "forgotten"))
    recorder.correct(name, Retract(2, "tapped twice"))
    events = recorder.store.read(name).events
    assert [type(event) for event in events[5:]] == [Amend, Insert, Retract]
    assert [entry.seq for entry in effective(events).entries] == [0, 1, 3, 6, 4]
    assert decode(encode(recorder.store.read(name))) == recorder.store.read(name)


def test_a_correction_of_nothing_is_refused(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Bid("ana", 3))
    with pytest.raises(NotForNow, match="no earlier move"):
        recorder.correct(name, Retract(9, "?"))
    recorder.correct(name, Retract(1, "slip"))
    with pytest.raises(NotForNow, match="deleted already"):
        recorder.correct(name, Amend(1, Pass("ana"), "?"))
    with pytest.raises(NotForNow, match="a correction itself"):
        recorder.correct(name, Retract(2, "?"))
    assert recorder.store.version(name) == 3


def test_a_record_is_closed_and_imported_whole(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Close("abandoned"))
    record = recorder.store.read(name)
    assert isinstance(record.events[-1], Close)
    copy = recorder.import_record(record)
    assert recorder.store.read(copy) == record
    assert copy != name


def test_without_an_expected_version_an_append_never_conflicts() -> None:
    class Busy(TemporaryStore):
        """A store to which another program writes twice before each append."""

        def append(self, record_id: str, expected: int | None, *events: Any) -> int:
            for _ in range(2 if self.version(record_id) else 0):
                super().append(record_id, None, [Pass("ben")])
            return super().append(record_id, expected, *events)

    recorder = Recorder(Busy())
    recorder.open(OPENING, "r")
    assert recorder.append("r", Pass("ana")) == 4
    with pytest.raises(WrongVersion):
        recorder.append("r", Pass("ana"), expected=4)


def test_an_opening_is_amended_to_one_that_the_game_can_read(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    with pytest.raises(NotARecord, match="no option"):
        recorder.correct(name, Amend(0, Open("zigzag", players=PLAYERS, options={"colour": "red"}), "?"))
    assert recorder.store.version(name) == 1


class CountingStore(TemporaryStore):
    """A store that counts the events read and the batches written."""

    read_events = batches = 0

    def read(self, record_id: str, upto: int | None = None) -> Record:
        record = super().read(record_id, upto)
        self.read_events += len(record.events)
        return record

    def append(self, *arguments: Any) -> int:
        self.batches += 1
        return super().append(*arguments)


def ids(count: int, first: int = 0) -> list[str]:
    return [f"entry-{number:06}" for number in range(first, first + count)]


def test_a_batch_reads_its_record_once_and_is_written_at_once() -> None:
    store = CountingStore()
    recorder = Recorder(store, find_game=find)
    name, versions = recorder.open(OPENING), list[int]()
    store.batches = 0
    assert recorder.append_entries(name, 1, [Note(f"note {n}") for n in range(500)], ids(500), versions) == 501
    assert versions == list(range(2, 502))
    assert (store.read_events, store.batches) == (0, 1), "a note needs nothing of the record"
    assert recorder.append_entries(name, 501, [Pass("ana")], ids(1, 500), []) == 502
    assert store.read_events == 1, "a move needs to know its game, which the opening says"
    assert recorder.append_entries(name, 502, [Retract(1, "x"), Note("y")], ids(2, 501), []) == 504
    assert store.read_events == 1 + 502


def test_many_corrections_in_one_batch_cost_as_much_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    additions = 0
    add = Corrections.add

    def count_and_add(corrections: Corrections, event: AnyEvent) -> None:
        nonlocal additions
        additions += 1
        add(corrections, event)

    recorder = Recorder(TemporaryStore(), find_game=find)
    name, size, batch = recorder.open(OPENING), 300, 100
    recorder.append_entries(name, 1, [Note(str(n)) for n in range(size)], ids(size), [])
    monkeypatch.setattr(Corrections, "add", count_and_add)
    events: list[AnyEvent] = [Retract(n + 1, "x") for n in range(batch)]
    events += [Amend(n + batch + 1, Note("new"), "x") for n in range(batch)]
    events += [Insert(n + batch + 1, Note("before"), "x") for n in range(batch)]
    assert recorder.append_entries(name, size + 1, events, ids(3 * batch, size), []) == 1 + size + 3 * batch
    assert additions < 3 * (size + len(events)), "each event is read a few times, not once for each correction"


def test_a_batch_with_confirmations_and_amended_openings_is_checked_event_by_event(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    amend = Amend(0, Open("zigzag", players=PLAYERS, place="There"), "x", when="2026-11-20T10:00:00.000Z")
    digest = record_digest((*recorder.store.read(name).events, amend))
    batch: list[AnyEvent] = [amend, Confirm("ana", digest.hex()), Confirm("ben", fingerprint(digest))]
    assert recorder.append_entries(name, 1, batch, ids(3), []) == 4
    with pytest.raises(NotForNow, match="has changed since"):
        recorder.append_entries(name, 4, [Note("x"), Confirm("cy", digest.hex())], ids(2, 3), versions := [])
    assert versions == [5]
    with pytest.raises(NotForNow, match="cannot become one of another game"):
        recorder.append_entries(name, 5, [Amend(0, Open("build-up", players=PLAYERS), "x")], ids(1, 5), [])


def test_a_batch_is_stored_up_to_the_refused_event(recorder: Recorder) -> None:
    name, versions = recorder.open(OPENING), list[int]()
    with pytest.raises(NotForNow, match="has no lift"):
        recorder.append_entries(
            name, 1, [Bid("ana", 3), Pass("ben"), Lift("ana", named("1-2")), Pass("cy")], ids(4), versions
        )
    assert (versions, recorder.store.version(name)) == ([2, 3], 3)
    with pytest.raises(NotARecord, match="dee"):
        recorder.append_entries(name, 3, [Pass("cy"), Pass("dee"), Pass("cy")], ids(3, 10), versions := [])
    assert (versions, recorder.store.version(name)) == ([4], 4)
    with pytest.raises(NotForNow, match="deleted already"):
        recorder.append_entries(name, 4, [Retract(1, "x"), Retract(1, "y")], ids(2, 20), versions := [])
    assert (versions, recorder.store.version(name)) == ([5], 5)
    with pytest.raises(IdReused):
        recorder.append_entries(name, 5, [Note("a"), Note("b")], ["entry-a1", "entry-a1"], versions := [])
    assert (versions, recorder.store.version(name)) == ([6], 6)


def test_a_batch_that_was_stored_in_part_can_be_sent_again(recorder: Recorder) -> None:
    name, events = recorder.open(OPENING), [Note(str(n)) for n in range(6)]
    recorder.append_entries(name, 1, events[:2], ids(2), [])
    assert recorder.append_entries(name, 1, events, ids(6), versions := []) == 7
    assert versions == [2, 3, 4, 5, 6, 7]
    assert recorder.append_entries(name, 1, events, ids(6), versions := []) == 7
    assert versions == [2, 3, 4, 5, 6, 7]
    with pytest.raises(WrongVersion):
        recorder.append_entries(name, 5, [Note("late")], ["entry-late"], versions := [])
    assert versions == []


def test_a_full_record_takes_no_more_events(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MOST_EVENTS", 4)
    name = recorder.open(OPENING)
    with pytest.raises(NotARecord, match="a record has at most 4 events: begin another record"):
        recorder.append_entries(name, 1, [Note(str(n)) for n in range(6)], ids(6), versions := [])
    assert versions == [2, 3, 4]
    with pytest.raises(NotARecord, match="at most 4 events"):
        recorder.import_record(Record((OPENING, *(Note(str(n)) for n in range(4)))))
