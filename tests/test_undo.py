"""What Undo takes back: always what was done last, corrections too, backwards to the opening."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from ledger.audit.slip.causes import WHY
from ledger.games.catalog import find
from ledger.keep.recorder import Fitting, Recorder
from ledger.keep.undo import TAKEN_BACK, undoable
from ledger.record.errors import NotForNow
from ledger.record.events import Amend, AnyEvent, Bid, Close, Confirm, Insert, Note, Open, Pass, Retract
from ledger.record.record import Entry, Record, effective
from sheets import PLAYERS
from temporary import TemporaryStore

OPENING = Open("zigzag", players=PLAYERS, when="2026-11-20T20:00:00Z")
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
    "the opening": [Amend(0, replace(OPENING, place="the kitchen"), "a slip")],
    "delete with the reason of Undo": [Retract(2, TAKEN_BACK)],
    "a note": [Note("tea")],
}


@pytest.mark.parametrize("case", CORRECTIONS)
def test_undo_takes_back_the_corrections_and_then_the_acts(case: str) -> None:
    events: list[AnyEvent] = [OPENING, *BIDS]
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
    events: list[AnyEvent] = [OPENING, *BIDS, *(replace(event, when="2026-11-20T20:30:00Z") for event in moved)]
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
    events: list[AnyEvent] = [OPENING, *BIDS, *together]
    before = standing(events[:6])
    assert undoable(events, 1)[0].seqs == (6, 7)
    take_back(events)
    assert standing(events) == before
    take_back(events)
    assert standing(events) == before[:-1]
    apart = [together[0], replace(together[1], when="2026-11-20T20:31:00Z")]
    assert [undo.seqs for undo in undoable([OPENING, *BIDS, *apart], 2)] == [(7,), (6,)]


def test_a_deletion_and_an_insertion_at_different_times_are_two_things() -> None:
    events: list[AnyEvent] = [
        OPENING,
        *BIDS,
        Retract(4, "a slip", when="2026-11-20T20:30:00Z"),
        Insert(2, Pass("ana"), "a slip"),
    ]
    assert [undo.seqs for undo in undoable(events, 3)] == [(7,), (6,), (5,)]


def test_what_is_done_after_an_undo_is_taken_back_first() -> None:
    events: list[AnyEvent] = [OPENING, *BIDS, Retract(2, "a slip")]
    take_back(events)
    events.append(Pass("cy"))
    take_back(events)
    assert standing(events) == [standing([OPENING])[0], *BIDS]
    take_back(events)
    assert standing(events)[1:] == BIDS[:-1]


def test_a_confirmation_is_not_taken_back_and_a_close_once() -> None:
    events: list[AnyEvent] = [OPENING, *BIDS, Close("abandoned"), Confirm("ana", "9f2c41d0")]
    assert undoable(events, 1)[0].corrections == (Retract(6, TAKEN_BACK),)
    for why in (TAKEN_BACK, "we play on"):  # a deleted close is never put back
        assert undoable([*events, Retract(6, why)], 1)[0].corrections == (Retract(5, TAKEN_BACK),)
        assert undoable([*events, Note("tea"), Retract(6, why)])[1].corrections == (Retract(5, TAKEN_BACK),)


def test_a_correction_that_changes_nothing_is_nothing_to_take_back() -> None:
    events: list[AnyEvent] = [OPENING, *BIDS, Retract(40, "a slip")]
    assert undoable(events, 1)[0].corrections == (Retract(5, TAKEN_BACK),)
    assert undoable([OPENING]) == ()
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
    events: list[AnyEvent] = [OPENING]
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
    name = recorder.open(OPENING)
    for event in BIDS:
        recorder.append(name, event)
    recorder.correct(name, Retract(2, "a slip"))
    assert [recorder.undo(name).seqs for _ in range(6)] == [(6,), (5,), (4,), (3,), (2,), (1,)]
    with pytest.raises(NotForNow, match="nothing to undo"):
        recorder.undo(name)


def test_what_one_proposal_changed_comes_back_with_one_undo() -> None:
    proposal = [
        Amend(0, replace(OPENING, options={"set": 9}), WHY), Retract(2, WHY), Amend(3, Bid("cy", 8), WHY),
        Insert(4, Pass("ben"), WHY), Retract(5, WHY),
    ]  # fmt: skip
    together: list[AnyEvent] = [replace(event, when="2026-11-20T20:30:00Z") for event in proposal]
    events: list[AnyEvent] = [OPENING, *BIDS, *together]
    before = standing(events[:6])
    assert [undo.seqs for undo in undoable(events, 2)] == [(6, 7, 8, 9, 10), (5,)]
    take_back(events)
    assert standing(events) == before
    take_back(events)
    assert standing(events) == before[:-1]
    later = [*together[:3], *(replace(event, when="2026-11-20T20:31:00Z") for event in together[3:])]
    assert [undo.seqs for undo in undoable([OPENING, *BIDS, *later], 2)] == [(9, 10), (6, 7, 8)]
