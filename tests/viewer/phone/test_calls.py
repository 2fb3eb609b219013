"""What the recorder offers to be called in one tap: the points of a placement, and the claims after a move."""

import pytest
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import ACTS, Place, Score, Take
from ledger.record.record import Record
from viewer.phone.recorder_view import RecorderView, recorder_view


def acts_only(record: Record) -> Record:
    """The record without its claims."""
    events = (replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS))
    return Record((record.opening, *events))


def shown(record: Record) -> RecorderView:
    return recorder_view(Review(record, "x"))


def test_the_points_of_a_placement_are_counted_and_called() -> None:
    record = acts_only(simulate(catalog.find("ziggurat"), 2))
    scoring = 0
    for count in range(4, len(record.events)):
        part = Record(record.events[:count])
        placed = shown(part).parts.placed
        assert placed is not None
        assert placed.called is None
        scoring += placed.counted > 0
        last = part.events[-1]
        assert isinstance(last, Place)
        called = shown(Record((*part.events[:-1], replace(last, points=7)))).parts.placed
        assert called is not None
        assert (called.counted, called.called) == (placed.counted, 7)
    assert scoring


@pytest.mark.parametrize(("game", "claim", "options"), [("build-up", Score, {}), ("zigzag", Take, {"hands": 3})])
def test_claims_are_offered_after_their_move_until_they_are_recorded(
    game: str, claim: type, options: dict[str, int]
) -> None:
    record = simulate(catalog.find(game), 2, options)
    at = next(n for n, event in enumerate(record.events) if isinstance(event, claim))
    before, after = shown(Record(record.events[:at])), shown(Record(record.events[: at + 1]))
    assert [replace(call, when=None) for call in before.calls] == [replace(record.events[at], when=None)]
    assert not any(isinstance(call, claim) for call in after.calls)
    assert not shown(Record(record.events[: at - 1])).calls
    assert not shown(record).calls  # the game is over: the result is called
