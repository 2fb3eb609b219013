"""The one writer: stamps, corrections, undo, and what it refuses."""

from __future__ import annotations

import pytest

from ledger.catalog import find
from ledger.codec import decode, encode
from ledger.errors import NotARecord, NotForNow, UnknownGame, WrongVersion
from ledger.events import Amend, Bid, Close, Insert, Lift, Open, Pass, Place, Play, Player, Retract
from ledger.record import Record, effective
from ledger.recorder import Recorder
from ledger.stores.memory import MemoryStore
from ledger.tiles import named

PLAYERS = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben", "Cy"))
OPENING = Open("zigzag", players=PLAYERS)


@pytest.fixture
def recorder() -> Recorder:
    ticks = iter(range(10, 60))
    return Recorder(MemoryStore(), clock=lambda: f"2026-11-20T10:00:{next(ticks)}.000Z", find_game=find)


def test_every_event_is_stamped_with_its_time_and_its_recorder(recorder: Recorder) -> None:
    name = recorder.open(OPENING, by="dee")
    assert recorder.append(name, Bid("ana", 3), by="dee") == 2
    opened, bid = recorder.store.read(name).events
    assert (opened.when, opened.by) == ("2026-11-20T10:00:10.000Z", "dee")
    assert (bid.when, bid.by) == ("2026-11-20T10:00:11.000Z", "dee")
    assert len(name) == 10


def test_a_retry_is_harmless(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    assert recorder.append(name, Bid("ana", 3), expected=1, event_id="x") == 2
    assert recorder.append(name, Bid("ana", 3), expected=1, event_id="x") == 2
    with pytest.raises(WrongVersion):
        recorder.append(name, Pass("ben"), expected=1, event_id="y")


def test_what_the_game_does_not_know_is_refused(recorder: Recorder) -> None:
    with pytest.raises(UnknownGame):
        recorder.open(Open("canasta", players=PLAYERS))
    with pytest.raises(NotARecord, match="three players"):
        recorder.open(Open("zigzag", players=PLAYERS[:2]))
    name = recorder.open(OPENING)
    with pytest.raises(NotForNow, match="knows no lift"):
        recorder.append(name, Lift("ana", named("1-2")))
    with pytest.raises(NotForNow, match="knows no place"):
        recorder.amend(name, 0, Place("ana", named("1-2"), (0, 0), "e", 1), "no")


def test_a_breach_is_recorded_like_anything_else(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Play("cy", named("0-0")))
    assert recorder.store.version(name) == 2


def test_corrections_lose_nothing(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    for event in (Bid("ana", 3), Pass("ben"), Pass("cy"), Play("ana", named("2-2"))):
        recorder.append(name, event)
    recorder.amend(name, 1, Bid("ana", 5), "misheard")
    recorder.insert(name, 4, Pass("ana"), "forgotten")
    recorder.retract(name, 2, "tapped twice")
    events = recorder.store.read(name).events
    assert [type(event) for event in events[5:]] == [Amend, Insert, Retract]
    assert [entry.seq for entry in effective(events).entries] == [0, 1, 3, 6, 4]
    assert decode(encode(recorder.store.read(name))) == recorder.store.read(name)


def test_a_correction_of_nothing_is_refused(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Bid("ana", 3))
    with pytest.raises(NotForNow, match="not recorded before"):
        recorder.retract(name, 9, "?")
    recorder.retract(name, 1, "slip")
    with pytest.raises(NotForNow, match="retracted already"):
        recorder.amend(name, 1, Pass("ana"), "?")
    with pytest.raises(NotForNow, match="a correction itself"):
        recorder.retract(name, 2, "?")
    assert recorder.store.version(name) == 3


def test_undo_takes_back_the_last_that_still_stands(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.append(name, Bid("ana", 3))
    recorder.append(name, Pass("ben"))
    assert (recorder.undo(name), recorder.undo(name)) == (2, 1)
    with pytest.raises(NotForNow, match="nothing to undo"):
        recorder.undo(name)
    assert len(effective(recorder.store.read(name).events).entries) == 1


def test_a_record_is_closed_and_imported_whole(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    recorder.close(name, "abandoned")
    record = recorder.store.read(name)
    assert isinstance(record.events[-1], Close)
    copy = recorder.import_record(record)
    assert recorder.store.read(copy) == record
    many = list(recorder.import_records([record] * 3))
    assert [recorder.store.read(each) for each in many] == [record] * 3
    assert len({name, copy, *many}) == 5


def test_an_import_stops_at_what_is_no_record_and_keeps_what_came_before(recorder: Recorder) -> None:
    good, bad = Record((OPENING,)), Record((OPENING, Pass("dee")))
    importing = recorder.import_records([good, good, bad, good])
    told = [next(importing), next(importing)]
    with pytest.raises(NotARecord, match="dee"):
        next(importing)
    assert recorder.store.ids() == tuple(told)


def test_who_does_not_mind_others_is_never_behind() -> None:
    class Busy(MemoryStore):
        """Somebody else writes between any two calls, twice."""

        others = 2

        def version(self, record_id: str) -> int:
            seen = super().version(record_id)
            if self.others:
                self.others -= 1
                super().append(record_id, seen, [Pass("ben")])
            return seen

    recorder = Recorder(Busy())
    recorder.open(OPENING, "r")
    assert recorder.append("r", Pass("ana")) == 4
    recorder.store.others = 1  # type: ignore[attr-defined]
    with pytest.raises(WrongVersion):
        recorder.append("r", Pass("ana"), expected=3)


def test_an_opening_is_amended_to_one_that_the_game_can_read(recorder: Recorder) -> None:
    name = recorder.open(OPENING)
    with pytest.raises(NotARecord, match="no option"):
        recorder.amend(name, 0, Open("zigzag", players=PLAYERS, options={"colour": "red"}), "?")
    assert recorder.store.version(name) == 1
