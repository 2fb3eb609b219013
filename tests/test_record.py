"""Corrections: nothing is overwritten, and one function computes the result."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.record.events import (
    ABOUT_RECORDS,
    CORRECTIONS,
    Amend,
    AnyEvent,
    Bid,
    Insert,
    Note,
    Open,
    Pass,
    Play,
    Player,
    Retract,
    Void,
)
from ledger.record.record import Entry, Record, as_written, effective
from ledger.record.tiles import named
from soup import correction, event

OPEN = Open("zigzag", players=(Player(id="ana"), Player(id="ben"), Player(id="cy")))
BID, PASS, PLAY = Bid("ana", 12), Pass("ben"), Play("ana", named("2-2"))


def entries_of(*events: object) -> list[Entry]:
    """The effective events after the opening."""
    return list(effective((OPEN, *events)).entries[1:])  # type: ignore[arg-type]


def test_without_corrections_every_event_is_at_its_seq() -> None:
    assert entries_of(BID, PASS) == [Entry(1, BID), Entry(2, PASS)]


def test_a_retracted_event_is_gone_and_the_others_keep_their_seqs() -> None:
    assert entries_of(BID, PASS, PLAY, Retract(2, "x")) == [Entry(1, BID), Entry(3, PLAY)]


def test_an_amended_event_keeps_its_place_and_seq() -> None:
    assert entries_of(BID, PASS, Amend(1, Bid("ana", 13), "x")) == [Entry(1, Bid("ana", 13)), Entry(2, PASS)]


def test_an_inserted_event_stands_before_the_one_it_names_under_its_own_seq() -> None:
    assert entries_of(BID, PLAY, Insert(2, PASS, "x")) == [Entry(1, BID), Entry(3, PASS), Entry(2, PLAY)]


def test_two_inserts_before_one_event_stand_in_the_order_of_their_recording() -> None:
    entries = entries_of(BID, PLAY, Insert(2, PASS, "x"), Insert(2, Pass("cy"), "x"))
    assert [entry.seq for entry in entries] == [1, 3, 4, 2]


def test_an_insert_can_be_corrected_too_and_may_stand_before_a_retracted_event() -> None:
    assert entries_of(BID, PLAY, Insert(2, PASS, "x"), Amend(3, Pass("cy"), "x")) == [
        Entry(1, BID), Entry(3, Pass("cy")), Entry(2, PLAY),
    ]  # fmt: skip
    assert entries_of(BID, PASS, Retract(1, "x"), Insert(1, PLAY, "x")) == [Entry(4, PLAY), Entry(2, PASS)]


def test_the_last_correction_holds() -> None:
    assert entries_of(BID, Amend(1, Bid("ana", 13), "x"), Amend(1, Bid("ana", 14), "x")) == [Entry(1, Bid("ana", 14))]


def test_the_history_says_what_was_and_what_is() -> None:
    changes = effective((OPEN, BID, Amend(1, PASS, "x"), Retract(1, "y"), Insert(1, PLAY, "z"))).changes
    assert [(c.seq, c.target, c.was, c.now) for c in changes] == [
        (2, 1, BID, PASS), (3, 1, PASS, None), (4, 4, None, PLAY),
    ]  # fmt: skip


@given(st.integers(0, 2**32))
def test_nothing_is_lost_and_nothing_is_there_twice(seed: int) -> None:
    random = Random(seed)
    players = ("ana", "ben", "cy")
    events = [OPEN, *(event(random.choice((Bid, Pass, Play, Note)), players, random) for _ in range(9))]
    events += [correction(len(events), (Bid, Pass), players, random) for _ in range(random.randrange(8))]
    result = effective(events)  # type: ignore[arg-type]
    seqs = [entry.seq for entry in result.entries]
    assert len(seqs) == len(set(seqs))
    gone = {change.target for change in result.changes if change.now is None}
    failed = {slip.seq for slip in result.slips}
    added = {seq for seq, event_ in enumerate(events) if isinstance(event_, Insert) and seq not in failed}
    plain = {seq for seq, event_ in enumerate(events) if type(event_) not in ABOUT_RECORDS}
    assert set(seqs) == (plain | added) - gone
    assert len(result.changes) + len(result.slips) == sum(type(event_) in CORRECTIONS for event_ in events)
    # Insertions keep the order in which they were recorded.
    assert [seq for seq in seqs if seq in plain] == sorted(plain - gone)


def test_inserts_equal_insertions_into_a_list() -> None:
    random = Random(5)
    for _ in range(50):
        events: list[AnyEvent] = [OPEN, *(Note(str(n)) for n in range(random.randint(1, 6)))]
        order = list(range(len(events)))
        for seq in range(len(events), len(events) + random.randint(0, 40)):
            before = random.choice(order[1:])
            events.append(Insert(before, Note(str(seq)), "x"))
            order.insert(order.index(before), seq)
        assert list(effective(events).seqs) == order


def test_a_long_chain_of_inserts_has_an_order() -> None:
    events = (OPEN, Note("0"), *(Insert(seq - 1, Note(str(seq)), "x") for seq in range(2, 5000)))
    assert list(effective(events).seqs) == [0, *range(4999, 0, -1)]


def test_the_opening_is_the_last_amended_one_of_the_same_game() -> None:
    here, newer = replace(OPEN, place="Here"), replace(OPEN, place="There", rules="2")
    assert Record((OPEN, BID)).opening is OPEN
    assert Record((OPEN, Amend(0, here, "x"), BID)).opening == here
    assert Record((OPEN, Amend(0, newer, "x"), Amend(0, here, "x"))).opening == here
    assert Record((OPEN, Amend(0, newer, "x"), Amend(0, here, "x"))).rules == "2"
    assert Record((OPEN, Amend(0, replace(OPEN, game="build-up"), "x"))).opening == OPEN
    assert Record((OPEN, Amend(0, replace(OPEN, card=True), "x"))).opening == OPEN
    assert Record((OPEN, BID, Amend(1, Bid("ana", 13), "x"))).opening == OPEN


def test_a_record_is_set_aside_until_it_is_brought_back() -> None:
    aside, back = Void("x"), Void("x", undo=True)
    assert (Record((OPEN, BID)).void, Record((OPEN, aside, BID)).void) == (None, aside)
    assert (Record((OPEN, aside, back)).void, Record((OPEN, aside, back, aside)).void) == (None, aside)


def test_as_first_written_there_are_no_corrections() -> None:
    written = as_written(
        (OPEN, BID, Amend(1, Bid("ana", 13), "x"), PASS, Insert(3, PLAY, "x"), Retract(3, "x"), Void("x"))
    )
    assert (written.events, written.changes, written.slips) == ((OPEN, BID, PASS), (), ())
    assert [entry.seq for entry in written.entries] == [0, 1, 3]


@pytest.mark.parametrize(("events", "words"), [
    ((Retract(3, "x"),), "There is no earlier move 3 to correct"),
    ((Amend(2, BID, "x"),), "There is no earlier move 2 to correct"),
    ((Insert(0, BID, "x"),), "Nothing happened before the opening"),
    ((Insert(9, BID, "x"),), "There is no earlier move 9 to correct"),
    ((Retract(1, "x"), Retract(1, "x")), "Move 1 was deleted already: record it again instead"),
    ((Retract(1, "x"), Amend(2, BID, "x")), "Move 2 is a correction itself: record what really happened instead"),
    (
        (Amend(0, replace(OPEN, game="build-up"), "x"),),
        "A record cannot become one of another game: begin a new record instead",
    ),
    (
        (Amend(0, replace(OPEN, card=True), "x"),),
        "A record cannot become a score card, or cease to be one: begin a new record instead",
    ),
])  # fmt: skip
def test_a_correction_that_changes_nothing_says_why(events: tuple[AnyEvent, ...], words: str) -> None:
    slips = effective((OPEN, BID, *events)).slips
    assert [(slip.seq, slip.reason) for slip in slips] == [(1 + len(events), words)]
