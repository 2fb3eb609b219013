"""The recorder: stamps, corrections, undo, and refusals."""

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.audit.slip.causes import WHY
from ledger.games.catalog import find
from ledger.keep import recorder as recorders
from ledger.keep.recorder import Fitting, Recorder
from ledger.keep.stored_audits import refresh
from ledger.keep.undo import TAKEN_BACK, undoable
from ledger.record import clock
from ledger.record import events as e
from ledger.record.chain import fingerprint, record_digest
from ledger.record.codec import decode, encode
from ledger.record.errors import Corrupt, IdReused, LedgerError, NotARecord, NotForNow, UnknownGame, WrongVersion
from ledger.record.events import Amend, AnyEvent, Bid, Close, Confirm, Insert, Lift, Note, Open, Pass, Play, Retract
from ledger.record.record import Corrections, Entry, Record, effective
from ledger.record.tiles import named
from ledger.stores import end_mark, event_log, questions
from ledger.stores.beside import Alias
from ledger.stores.end_mark import EndMark, Mark
from ledger.stores.store import SqliteStore
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
def test_the_time_of_recording_is_utc_to_the_millisecond(microseconds: int, time: str, monkeypatch) -> None:
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
        recorder.correct(name, Amend(0, e.Place("ana", named("1-2"), (0, 0), "e", 1), "no"))


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


def test_many_corrections_in_one_batch_cost_as_much_as_few(monkeypatch) -> None:
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


def test_a_full_record_takes_no_more_events(recorder: Recorder, monkeypatch) -> None:
    monkeypatch.setattr(event_log, "MOST_EVENTS", 4)
    name = recorder.open(OPENING)
    with pytest.raises(NotARecord, match="a record has at most 4 events: begin another record"):
        recorder.append_entries(name, 1, [Note(str(n)) for n in range(6)], ids(6), versions := [])
    assert versions == [2, 3, 4]
    with pytest.raises(NotARecord, match="at most 4 events"):
        recorder.import_record(Record((OPENING, *(Note(str(n)) for n in range(4)))))


# ---- What Undo takes back: always what was done last, corrections too, backwards to the opening.


DATED = Open("zigzag", players=PLAYERS, when="2026-11-20T20:00:00Z")
BIDS = [Bid("ana", 3), Pass("ben"), Bid("cy", 9), Pass("ana"), Bid("ben", 12)]


def standing(events: list[AnyEvent]) -> list[AnyEvent]:
    """What happened at the table, without the times of recording."""
    return [replace(event, when=None, by=None) for event in effective(events).events]


def take_back(events: list[AnyEvent]) -> None:
    """Undo, as a phone does it: the corrections get a time."""
    (undo,) = undoable(events, 1)
    events += [replace(correction, when="2026-11-20T21:00:00Z", by="dee") for correction in undo.corrections]


CORRECTIONS: dict[str, list[AnyEvent]] = {
    "delete": [Retract(2, "a slip")],
    "delete the last": [Retract(5, "a slip")],
    "delete the first": [Retract(1, "a slip")],
    "change": [Amend(3, Bid("cy", 8), "a slip")],
    "change twice": [Amend(3, Bid("cy", 8), "a slip"), Amend(3, Bid("cy", 7), "a slip")],
    "insert": [Insert(3, Pass("cy"), "a slip")],
    "insert, and delete it": [Insert(3, Pass("cy"), "a slip"), Retract(6, "a slip")],
    "insert, and change it": [Insert(3, Pass("cy"), "a slip"), Amend(6, Bid("cy", 4), "a slip")],
    "delete two neighbours": [Retract(3, "a slip"), Retract(2, "a slip")],
    "delete two neighbours, the first first": [Retract(2, "a slip"), Retract(3, "a slip")],
    "insert before what is then deleted": [Insert(3, Pass("cy"), "a slip"), Retract(3, "a slip")],
    "insert before what was deleted": [Retract(3, "a slip"), Insert(3, Pass("cy"), "a slip")],
    "change, and delete": [Amend(2, Bid("ben", 5), "a slip"), Retract(2, "a slip")],
    "the opening": [Amend(0, replace(DATED, place="the kitchen"), "a slip")],
    "delete with the reason of Undo": [Retract(2, TAKEN_BACK)],
    "a note": [Note("tea")],
}


@pytest.mark.parametrize("case", CORRECTIONS)
def test_undo_takes_back_the_corrections_and_then_the_acts(case: str) -> None:
    events: list[AnyEvent] = [DATED, *BIDS]
    states = [standing(events[:length]) for length in range(1, len(events) + 1)]
    for correction in CORRECTIONS[case]:
        events.append(correction)
        states.append(standing(events))
    for state in reversed(states[:-1]):
        take_back(events)
        assert standing(events) == state
    assert undoable(events) == ()


def test_what_is_moved_comes_back_with_one_undo() -> None:
    moved = [Retract(4, "a slip"), Insert(2, Pass("ana"), "a slip")]
    events: list[AnyEvent] = [DATED, *BIDS, *(replace(event, when="2026-11-20T20:30:00Z") for event in moved)]
    before = standing(events[:6])
    assert standing(events) != before
    assert undoable(events, 1)[0].seqs == (6, 7)
    take_back(events)
    assert standing(events) == before
    take_back(events)
    assert standing(events) == before[:-1]
    take_back(events)
    assert standing(events) == before[:-2]


def test_what_is_swapped_comes_back_with_one_undo() -> None:
    swap = [Amend(2, Bid("cy", 9), "a slip"), Amend(3, Pass("ben"), "a slip")]
    together = [replace(event, when="2026-11-20T20:30:00Z") for event in swap]
    events: list[AnyEvent] = [DATED, *BIDS, *together]
    before = standing(events[:6])
    assert undoable(events, 1)[0].seqs == (6, 7)
    take_back(events)
    assert standing(events) == before
    take_back(events)
    assert standing(events) == before[:-1]
    apart = [together[0], replace(together[1], when="2026-11-20T20:31:00Z")]
    assert [undo.seqs for undo in undoable([DATED, *BIDS, *apart], 2)] == [(7,), (6,)]


def test_a_deletion_and_an_insertion_at_different_times_are_two_things() -> None:
    events: list[AnyEvent] = [
        DATED,
        *BIDS,
        Retract(4, "a slip", when="2026-11-20T20:30:00Z"),
        Insert(2, Pass("ana"), "a slip"),
    ]
    assert [undo.seqs for undo in undoable(events, 3)] == [(7,), (6,), (5,)]


def test_what_is_done_after_an_undo_is_taken_back_first() -> None:
    events: list[AnyEvent] = [DATED, *BIDS, Retract(2, "a slip")]
    take_back(events)
    events.append(Pass("cy"))
    take_back(events)
    assert standing(events) == [standing([DATED])[0], *BIDS]
    take_back(events)
    assert standing(events)[1:] == BIDS[:-1]


def test_a_confirmation_is_not_taken_back_and_a_close_once() -> None:
    events: list[AnyEvent] = [DATED, *BIDS, Close("abandoned"), Confirm("ana", "9f2c41d0")]
    assert undoable(events, 1)[0].corrections == (Retract(6, TAKEN_BACK),)
    for why in (TAKEN_BACK, "we play on"):  # a deleted close is never put back
        assert undoable([*events, Retract(6, why)], 1)[0].corrections == (Retract(5, TAKEN_BACK),)
        assert undoable([*events, Note("tea"), Retract(6, why)])[1].corrections == (Retract(5, TAKEN_BACK),)


def test_a_correction_that_changes_nothing_is_nothing_to_take_back() -> None:
    events: list[AnyEvent] = [DATED, *BIDS, Retract(40, "a slip")]
    assert undoable(events, 1)[0].corrections == (Retract(5, TAKEN_BACK),)
    assert undoable([DATED]) == ()
    assert [undo.seqs for undo in undoable(events, 2)] == [(5,), (4,)]


def random_step(random: Random, events: list[AnyEvent]) -> list[AnyEvent]:
    """Something that a person does: an act, a note, a correction of any event, a move; at a time of its own."""
    when = f"2026-11-20T20:{len(events) // 60:02}:{len(events) % 60:02}Z"
    return [replace(event, when=when) for event in _random_events(random, effective(events).entries[1:])]


def _random_events(random: Random, entries: Sequence[Entry]) -> list[AnyEvent]:
    bid = Bid(random.choice(("ana", "ben", "cy")), random.randrange(40))
    if not entries or random.random() < 0.4:
        return [random.choice([bid, Note("tea"), Pass("ben")])]
    entry, other = random.choice(entries), random.choice(entries)
    seq, moved = entry.seq, Insert(other.seq, replace(entry.event, when=None, by=None), "a slip")
    choices = [[Retract(seq, "a slip")], [Amend(seq, bid, "a slip")], [Insert(seq, bid, "a slip")]]
    return random.choice([*choices, [Retract(seq, "a slip"), moved]])


@pytest.mark.parametrize("seed", range(40))
def test_undo_goes_back_through_every_state(seed: int) -> None:
    random = Random(seed)
    events: list[AnyEvent] = [DATED]
    states = [standing(events)]
    for _ in range(60):
        if len(states) > 1 and random.random() < 0.35:
            take_back(events)
            states.pop()
            assert standing(events) == states[-1]
        else:
            for event in random_step(random, events):
                Fitting(lambda *_: Record(tuple(events)), find).add(event)
                events.append(event)
            states.append(standing(events))
    assert len(undoable(events)) == len(states) - 1
    while len(states) > 1:
        take_back(events)
        states.pop()
        assert standing(events) == states[-1]


def test_a_ledger_takes_back_in_the_same_order() -> None:
    recorder = Recorder(TemporaryStore(), find_game=find)
    name = recorder.open(DATED)
    for event in BIDS:
        recorder.append(name, event)
    recorder.correct(name, Retract(2, "a slip"))
    assert [recorder.undo(name).seqs for _ in range(6)] == [(6,), (5,), (4,), (3,), (2,), (1,)]
    with pytest.raises(NotForNow, match="nothing to undo"):
        recorder.undo(name)


def test_what_one_proposal_changed_comes_back_with_one_undo() -> None:
    proposal = [
        Amend(0, replace(DATED, options={"set": 9}), WHY), Retract(2, WHY), Amend(3, Bid("cy", 8), WHY),
        Insert(4, Pass("ben"), WHY), Retract(5, WHY),
    ]  # fmt: skip
    together: list[AnyEvent] = [replace(event, when="2026-11-20T20:30:00Z") for event in proposal]
    events: list[AnyEvent] = [DATED, *BIDS, *together]
    before = standing(events[:6])
    assert [undo.seqs for undo in undoable(events, 2)] == [(6, 7, 8, 9, 10), (5,)]
    take_back(events)
    assert standing(events) == before
    take_back(events)
    assert standing(events) == before[:-1]
    later = [*together[:3], *(replace(event, when="2026-11-20T20:31:00Z") for event in together[3:])]
    assert [undo.seqs for undo in undoable([DATED, *BIDS, *later], 2)] == [(9, 10), (6, 7, 8)]


# ---- The next move of a record: a writer need not read the record again if nobody else has written since its last
# move.


NAMELESS = Open("zigzag", players=tuple(e.Player(id=name) for name in ("ana", "ben", "cy")))


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    """A ledger with a record, to which this object has added a move."""
    with SqliteStore(tmp_path / "l.sqlite") as store:
        store.append("r", 0, [NAMELESS])
        store.append("r", 1, [Bid("ana", 3)], ["1"])
        yield store


def intact(store: SqliteStore) -> bool:
    """Whether the list fits the events, and the high-water mark is the newest."""
    mark = store.connection.mark.read()
    return not list(store.differences()) and not store.loss() and mark is not None and mark.size == store.size()


def test_the_next_move_does_not_read_the_record(store: SqliteStore) -> None:
    read = list[str]()
    store.connection.db.set_trace_callback(read.append)
    store.append("r", 2, [Pass("ben")], ["2"])
    store.append("r", 3, [Note("no id")])
    store.connection.db.set_trace_callback(None)
    assert not [text for text in read if "body" in text and text.startswith("SELECT")]
    assert intact(store)


def test_what_another_has_written_is_read(store: SqliteStore) -> None:
    with SqliteStore(store.path) as other:
        other.append("r", 2, [Pass("ben")])
        with pytest.raises(WrongVersion):
            store.append("r", 2, [Pass("cy")])
        store.append("r", 3, [Pass("cy")])
        list(refresh(other))
        assert questions.unaudited(store) == ()
        store.append("r", 4, [Bid("ana", 4)])
        assert questions.unaudited(store) == ("r",)
    assert intact(store)


def test_what_this_object_has_written_besides_is_read(store: SqliteStore) -> None:
    list(refresh(store))
    store.append("r", 2, [Pass("ben")])
    assert questions.unaudited(store) == ("r",)
    store.put([Alias("Anna", "Ana")])
    store.append("r", 3, [Pass("cy")])
    store.append("s", 0, [NAMELESS])
    store.append("r", 4, [Bid("ana", 4)])
    assert intact(store)


def test_a_move_that_comes_again_is_not_added_twice(store: SqliteStore) -> None:
    assert store.append("r", 2, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 2, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 3, [Pass("ben")], ["2"]) == 3
    assert store.append("r", 3, [Bid("ana", 3)], ["1"]) == 2
    with pytest.raises(IdReused):
        store.append("r", 3, [Pass("cy")], ["2"])
    with pytest.raises(IdReused):
        store.append("r", 3, [Pass("cy")], ["3", "4"])
    assert store.append("r", 3, [Pass("cy")], ["3"]) == 4
    assert intact(store)


def test_a_move_of_nobody_is_refused(store: SqliteStore) -> None:
    with pytest.raises(NotARecord):
        store.append("r", 2, [Pass("dan")])
    store.append("r", 2, [Pass("ben")])
    assert intact(store)


def test_a_move_that_was_not_committed_is_not_remembered(store: SqliteStore) -> None:
    def refuse(action: int, word: str | None, *_: object) -> int:
        return sqlite3.SQLITE_DENY if (action, word) == (sqlite3.SQLITE_TRANSACTION, "COMMIT") else sqlite3.SQLITE_OK

    store.connection.db.set_authorizer(refuse)
    with pytest.raises(LedgerError, match="nothing was written"):
        store.append("r", 2, [Pass("ben")])
    store.connection.db.set_authorizer(None)
    assert store.append("r", 2, [Pass("cy")]) == 3
    assert intact(store)


def test_a_mark_that_was_read_damaged_is_not_written(store: SqliteStore) -> None:
    path = store.connection.mark.path
    contents = path.read_bytes()
    path.write_bytes(bytes(len(contents)))
    assert "cannot be read" in store.loss()
    with pytest.raises(Corrupt, match="the high-water mark cannot be read"):
        store.append("r", 2, [Pass("ben")])
    path.write_bytes(contents)
    store.append("r", 2, [Pass("ben")])
    assert intact(store)


def test_a_mark_that_could_not_be_written_catches_up(store: SqliteStore, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(end_mark, "write_at", fail)
    store.append("r", 2, [Pass("ben")])
    monkeypatch.undo()
    assert not intact(store)
    store.append("r", 3, [Pass("cy")])
    assert intact(store)


def test_without_a_turn_the_mark_follows_too(store: SqliteStore, monkeypatch) -> None:
    """Another writer may be frozen in its turn, and a third one may write meanwhile."""
    write = store.connection.mark.write

    def after_another(mark: Mark) -> None:
        with SqliteStore(store.path) as other:
            other.append("r", 3, [Pass("cy")])
        write(mark)

    monkeypatch.setattr(store.connection.mark, "write", after_another)
    monkeypatch.setattr(EndMark, "take_turn", lambda *_arguments: None)
    store.append("r", 2, [Pass("ben")])
    assert intact(store)
