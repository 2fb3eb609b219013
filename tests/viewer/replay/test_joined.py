"""A game told as it was played: a tile and the pile it gave away are one step; an end that is none gets no tick."""

from typing import Literal

import pytest
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.events import Close, Take
from viewer.replay.move_list import Rows
from viewer.replay.score_strip import strips
from viewer.replay.story import Story


def test_a_pile_that_is_taken_belongs_to_the_tile_that_was_played_before() -> None:
    story = Story(Review(simulate(catalog.find("zigzag"), 3)))
    rows, steps = Rows(story), story.review.steps
    assert len(story.joined) > 20
    for place in story.joined:
        line, before = story.lines[place], story.lines[place - 1]
        event = steps[place].event
        assert type(event) is Take
        assert not line.findings
        taker = story.names[story.review.opening.seat(event.player)]
        assert f">· {taker} takes {event.tiles}</span>" in rows.cells(before)
        assert taker in rows.aloud(before)
        assert story.shown(place) == place - 1
    hidden = [item for item in rows.items() if " hidden" in item.partition(">")[0]]
    assert len(hidden) == len(story.joined)


def test_a_hand_is_headed_by_its_contract() -> None:
    story = Story(Review(simulate(catalog.find("zigzag"), 3)))
    bids = {f"{story.names[goal.seat]} bid {goal.bid}" for scene in map(story.review.scene, range(len(story.lines)))
            if (goal := scene.goal)}  # fmt: skip
    assert {chapter.contract for chapter in story.chapters} - {""} == bids
    assert any(f"· {bid}</h3>" in item for bid in bids for item in Rows(story).items())


@pytest.mark.parametrize("why", ["abandoned", "finished"])
def test_a_game_that_was_not_finished_gets_no_tick_and_nobody_is_next(why: Literal["abandoned", "finished"]) -> None:
    record = simulate(catalog.find("ziggurat"), 3)
    story = Story(Review(replace(record, events=(*record.events[:15], Close(why=why)))))
    assert "ic-check" not in Rows(story).cells(story.lines[-1])
    assert (strips(story)[-1].turns, strips(story)[-1].next_) == ((), "")
    assert strips(story)[-2].turns
    whole = Story(Review(record))
    assert "ic-check" in Rows(whole).cells(whole.lines[-1])
