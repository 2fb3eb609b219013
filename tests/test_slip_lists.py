"""Slips that touch many events: one cause, its sentence, one tap; nobody who was right is accused."""

import json
import re
from functools import cache

import msgspec
import pytest
from click.testing import CliRunner

from golden import FIXTURES, review_of
from ledger.audit.report_in_a_sentence import summary
from ledger.audit.reports import text
from ledger.audit.review import Review
from ledger.audit.slip.causes import ALIKE, Amendment, Cause, InsertionForm
from ledger.audit.slip.slip_search import KINDS as TABLE
from ledger.audit.slip.slip_search import causes, corrected, explain
from ledger.cli import cli
from ledger.keep.stored_audits import audit_in, explain_stored, refresh, stored_causes
from ledger.record.events import CLAIMS, Play, Score, actor
from ledger.record.record import Record
from ledger.stores.store import SqliteStore
from planted_slips import LISTED, Planted, plant
from sheets import review as review_of_sheet
from slip_trials import explained, wrong
from temporary import TemporaryStore

ASKING = """Game: zigzag
Players: A = Ana, B = Ben, C = Cy

A bids 3
B passes
C passes
A 0-0
C 1-1
A 2-2
B 3-3
"""
"""Ben's first tile was forgotten."""
HIDDEN = """Game: build-up
Players: A = Ana, B = Ben

A lays 0-3 1-3 2-2 3-3 5-6 1-6
B lays 0-1 1-4 0-0 5-5 4-6 2-5
A has 6-6 4-4 1-5 2-3 2-4 0-6
A 6-6 on 10
B passes
A 4-4 on 3
B 5-6 on 6
"""
"""Ben passed although he held the 5-6; the others of his tiles nobody knows."""
GAMES = ("ziggurat", "domino-ziggurat", "build-up", "zigzag")


@cache
def of_kind(kind: str) -> list[Planted]:
    """A record of each game with such a slip that shows."""
    found = []
    for game in GAMES:
        planted = (plant(game, kind, seed) for seed in range(6))
        found += [one for one in planted if one and wrong(one.record)][:1]
    return found


@pytest.mark.parametrize("kind", LISTED)
def test_a_slip_that_touches_many_events_is_one_mistake(kind: str) -> None:
    results = [trial for slip in of_kind(kind) if (trial := explained("", kind, 0, slip))]
    assert results
    hard = kind == "tiles-far-apart"  # how far apart they may be, no budget reaches
    assert sum(result.clears for result in results) >= len(results) - hard
    assert sum(result.causes == 1 for result in results) >= len(results) - hard
    assert sum(bool(result.innocent) for result in results) <= hard
    assert sum(bool(result.true) for result in results) >= len(results) - (kind in ("tiles-far-apart", "pass-for-move"))


def test_a_miscounted_score_is_corrected_with_the_totals_that_carry_it() -> None:
    for record, truth, _seq in of_kind("score-carried"):
        review = Review(record)
        explain(review)
        (cause,) = review.report.causes or ()
        amended = [one for one in cause.repairs[0].corrections if isinstance(one, Amendment)]
        assert {type(one.event) for one in amended} <= set(CLAIMS)
        assert corrected(record, amended).events[: len(truth)] != truth
        assert not wrong(corrected(record, amended))
        assert summary(review).startswith("One mistake")
        if len(amended) > 1:
            assert "after it were changed to match" in cause.repairs[0].message
        (row,) = audit_in(review).causes or ()
        assert (row.player, row.miscount) == (None, 1)


def test_a_miscount_is_nobodys_before_anybody_has_looked_for_its_cause() -> None:
    record = of_kind("score-carried")[0].record
    store = TemporaryStore()
    store.append("r", 0, record.events)
    list(refresh(store))
    assert store.rows("SELECT player, miscount FROM cause") == [(None, 1)]
    list(explain_stored(store, 9))
    assert store.rows("SELECT player, miscount FROM cause") == [(None, 1)]


def test_totals_are_plural_in_sentences() -> None:
    first = next(slip.record for slip in of_kind("score-carried") if slip.record.opening.game == "zigzag")
    events = [event for event in first.events if not (type(event) is Score and event.scope == "hand")]
    messages = [repair.message for cause in causes(Review(Record(tuple(events)))) for repair in cause.repairs]
    assert any(message.startswith("If the totals at move") and " were " in message for message in messages)
    assert not any("totals" in message.split(",")[0] and " was " in message.split(",")[0] for message in messages)


def test_of_two_slips_each_is_named() -> None:
    """An act twice, and much later one of a wrong seat: what clears the first says nothing of the second."""
    both = found = 0
    for seed in range(12):
        first = plant("zigzag", "act-twice", seed)
        place = max(n for n, event in enumerate(first.record.events) if type(event) is Play) if first else 0
        if first is None or place < first.seq + 12:
            continue
        event, players = first.record.events[place], first.record.opening.players
        other = next(one.id for one in players if one.id != actor(event))
        wrong_seat = msgspec.structs.replace(event, player=other)  # type: ignore[type-var]  # a play
        record = Record((*first.record.events[:place], wrong_seat, *first.record.events[place + 1 :]))
        said, found = causes(Review(record)), found + 1
        made = [one for cause in said if cause.repairs for one in cause.repairs[0].made()]
        both += len(said) == 2 and not wrong(corrected(record, made))
    assert found >= 3
    assert both >= 0.6 * found  # the last tile of a game leaves little to tell its seat from


def test_among_equal_tiles_the_audit_asks() -> None:
    review = review_of_sheet(ASKING)
    explain(review)
    asked = [repair for cause in review.report.causes or () for repair in cause.repairs if repair.choices]
    assert asked
    repair = asked[0]
    (form,) = repair.corrections
    assert isinstance(form, InsertionForm)
    assert (form.event.type, form.event.player) == ("play", "ben")
    assert len(repair.choices) > 1
    assert "A tile of Ben's was forgotten before move" in repair.message.replace("\u2068", "").replace("\u2069", "")
    assert "which one?" in repair.message
    plain = json.loads(msgspec.json.encode(repair))
    assert plain["corrections"][0]["event"] == {"type": "play", "player": "ben"}
    for number in range(len(repair.choices)):
        assert wrong(corrected(review.record, repair.made(number))) < wrong(review.record)


def test_the_keyboard_records_no_tile_that_nobody_knows(tmp_path) -> None:
    ledger = str(tmp_path / "a.sqlite")
    with SqliteStore(ledger) as store:
        store.append_records([("asking", review_of_sheet(ASKING).record.events)])
        before = store.read("asking")
    told = CliRunner().invoke(cli, ["--ledger", ledger, "record", "asking"], input="audit\n").output
    asking = re.search(r"fix (\d+): .* which one\?", told)
    assert asking
    typed = CliRunner().invoke(cli, ["--ledger", ledger, "record", "asking"], input=f"fix {asking[1]}\n")
    assert "nobody knows what was forgotten: insert it as it was played" in typed.output
    with SqliteStore(ledger) as store:
        assert store.read("asking") == before


def test_a_pass_was_written_for_no_tile_of_a_hand_that_nobody_knows() -> None:
    review = review_of_sheet(HIDDEN)
    assert len(wrong(review.record)) == 1
    corrections = [one for cause in causes(review) for repair in cause.repairs for one in repair.corrections]
    assert not [one for one in corrections if isinstance(one, Amendment) and hasattr(one.event, "tile")]


def test_a_ledger_keeps_what_is_asked() -> None:
    review = review_of_sheet(ASKING)
    explain(review)
    store = TemporaryStore()
    store.append("r", 0, review.record.events)
    list(refresh(store))
    list(explain_stored(store, 9))
    assert stored_causes(store, "r") == review.report.causes


def test_many_findings_alike_are_one_line_and_nobodys() -> None:
    review = review_of(FIXTURES / "zigzag" / "record-event-broken.json")
    findings = review.report.findings * (ALIKE + 1)
    assert findings
    alike = Cause(tuple(range(len(review.report.findings))), (), alike=True)
    review.explain((alike,))
    assert "look like one slip" in summary(review)
    assert "  These look like one slip." in list(text(review)) or len(alike.findings) == 1
    (row,) = audit_in(review).causes or ()
    assert row.player is None


def test_a_kind_is_a_function_beside_its_sentence() -> None:
    names = [kind.candidates.__name__ for kind in TABLE]
    assert len(names) == len(set(names))
    assert all(kind.condition.__name__.endswith("_in_words") for kind in TABLE)
