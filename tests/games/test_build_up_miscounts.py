"""Points of a hand of Build Up that are called wrong: once for each mistake, in however many hands it counts."""

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import Report, audit
from ledger.games.build_up import GAME
from ledger.play.simulate import simulate
from ledger.record.events import AnyEvent, Aside, Deal, Layout, Score, Stack
from ledger.record.record import Record
from ledger.record.tiles import TILES

BOTH = pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])


def report_of(events: list[AnyEvent]) -> Report:
    """The report on these events."""
    return audit(GAME, Record(tuple(events)))


@BOTH
@pytest.mark.parametrize("total", ["cumulative", "last-hand"])
def test_points_that_a_misnamed_tile_moves_are_reported_once_as_long_as_it_lies_there(total: str, hidden: bool) -> None:
    lasting = 0
    for seed in range(12):
        game = [
            e
            for e in simulate(GAME, seed, {"total": total, "hands": (6, 6, 4)}).events
            if not (hidden and type(e) is Deal)
        ]
        ends = [seq for seq, event in enumerate(game) if type(event) is Score and event.scope == "hand"]
        named_ever = {(e.player, e.tile.index) for e in game if type(e) is Stack}
        named_ever |= {(e.player, tile.index) for e in game if type(e) in (Layout, Deal, Aside) for tile in e.tiles}
        for seq, event in enumerate(game[: ends[0]]):
            # Nothing covers it any more, so it counts in every hand.
            if type(event) is not Stack or any(type(e) is Stack and e.stack == event.stack for e in game[seq + 1 :]):
                continue
            free = [t for t in TILES[:28] if (event.player, t.index) not in named_ever and t.pips != event.tile.pips]
            slip = [*game[:seq], replace(event, tile=free[0]), *game[seq + 1 :]] if free else game
            scores = [f for f in report_of(slip).findings if f.clause == "build-up.score" and f.verdict == "breach"]
            assert [f.seq for f in scores] == ends[: len(scores)][:1]
            lasting += bool(scores)
    assert lasting > 3


@BOTH
@pytest.mark.parametrize("total", ["cumulative", "last-hand"])
@pytest.mark.parametrize("hands", [(0, 1), (1, 2), (2, 3), (0, 1, 2, 3)])
def test_the_same_miscount_in_two_hands_is_two_findings(total: str, hidden: bool, hands: tuple[int, ...]) -> None:
    game = [e for e in simulate(GAME, 5, {"total": total}).events if not (hidden and type(e) is Deal)]
    ends = [seq for seq, event in enumerate(game) if type(event) is Score and event.scope == "hand"]
    for hand in hands:
        score = game[ends[hand]]
        game[ends[hand]] = replace(score, points=score.points | {"ana": score.points["ana"] + 40})
    assert [f.seq for f in report_of(game).findings if f.clause == "build-up.score"] == [ends[hand] for hand in hands]
