"""Ziggurat by hand: the base, the levels and the ends."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from ledger.audit.replay import advance
from ledger.audit.review import Review
from ledger.games.ziggurat import GAME
from ledger.games.ziggurat.base import windows_around, windows_with
from ledger.games.ziggurat.state import Ziggurat, places
from ledger.play.simulate import any_options, simulate, slips
from ledger.record.events import Correctable, Place
from ledger.record.grid import DRAWN, ROW
from ledger.record.tiles import full, members
from ledger.rules.turns import following, who_holds
from sheets import grave, report, review

HEAD = "Game: ziggurat\nPlayers: A Ana, B Ben\n"
BASE = "\nA 1-2 a6-b6\nB 2-5 c6-c5"


def test_a_gap_that_can_never_be_filled_is_a_breach_but_in_cut_up() -> None:
    shut = "\nA 1-2 b6-b5\nB 2-5 a5-a4\nA 3-3 a3-b3\nB 4-4 c3-d3"
    assert (2, "ziggurat.base.no-gaps", "breach") in grave(HEAD + "Options: window = drawn\n" + shut)
    assert not [f for f in grave(HEAD + "Options: cut_up = yes, window = drawn\n" + shut) if "no-gaps" in f[1]]


def test_a_base_play_scores_one_for_each_square_with_an_equal_neighbour() -> None:
    reviewed = review(HEAD + "\nA 1-2 -a6-a6 =0\nB 2-5 b6-b5 =1\nA 1-5 -a5-a5 =2\nB 3-3 -a4-a4 =0\ntotal: A 2, B 1")
    assert reviewed.report.scores == {"ana": 2, "ben": 1}
    assert reviewed.report.verdict == "unproven"
    assert [(s.seq, s.reason.player, s.reason.points) for s in reviewed.scored if s.reason.points] == [
        (2, 1, 1), (3, 0, 1), (3, 0, 1),
    ]  # fmt: skip


def test_touching_at_a_corner_is_a_ruling() -> None:
    corner = "\nA 1-2 a6-b6\nB 3-3 c5-c4"
    assert grave(HEAD + "Options: touch = corner\n" + corner)[-1][1] != "ziggurat.base.touch"


@pytest.mark.parametrize(
    ("largest", "players", "share"), [(6, 2, 14), (9, 2, 27), (12, 2, 45), (6, 4, 7), (9, 4, 13), (12, 4, 22)]
)
def test_the_set_is_dealt_evenly(largest: int, players: int, share: int) -> None:
    tiles = [str(tile) for tile in members(full(largest))]
    seats = ", ".join(
        f"{letter} {name}" for letter, name in zip("ABCD"[:players], ("Ana", "Ben", "Cy", "Dee"), strict=False)
    )
    deals = "".join(f"\n{'ABCD'[n]} has {' '.join(tiles[n * share : (n + 1) * share])}" for n in range(players))
    head = f"Game: ziggurat\nPlayers: {seats}\nOptions: set = {largest}\n"
    assert report(head + deals).verdict == "clean"
    assert len(tiles) - players * share in (0, 1, 3)


def test_a_domino_set_aside_is_not_played() -> None:
    findings = grave("Game: ziggurat\nPlayers: A Ana, B Ben\nOptions: set = 9\n\naside 0-0\nA 0-0 a6-b6")
    assert findings[0][0] == 2
    assert findings[0][2] in ("breach", "impossible")


def tried() -> Iterator[tuple[Ziggurat, Correctable]]:
    """States of simulated games, each with an event that was played there or could wrongly be played."""
    for seed in range(12):
        random = Random(seed)
        options, players, _edition = any_options(GAME, random)
        record = simulate(GAME, seed, options, players=players)
        for step in Review(record).steps:
            yield step.before, step.event
            if isinstance(step.event, Place) and step.event.level > 2:
                # Outside the building and a level too low: a slip that the game itself does not generate.
                yield step.before, replace(step.event, at=(step.event.at[0] + 9, 0), level=step.event.level - 1)
            if random.random() < 0.25:
                wrong = slips(GAME, record.events, step.seq, step.before, random)
                yield from ((step.before, slip) for slip in wrong)


def test_an_event_that_leaves_the_table_unchanged_is_always_impossible() -> None:
    count = 0
    for before, event in tried():
        after = advance(GAME, before, event)
        if type(event) is Place and not before.ended and after.levels is before.levels:
            count += 1
            assert any(
                clause.verdict == "impossible" and Place in clause.on and clause.faults(before, event, after)
                for clause in GAME.clauses
            )
    assert count > 20


def test_a_level_is_finished_when_it_has_no_place() -> None:
    levels = 0
    for before, event in tried():
        after = advance(GAME, before, event)
        if after.level > 1 and after.level - 1 not in after.left:
            levels += 1
            assert after.finished == (not list(places(after, after.level)))
    assert levels > 100


def test_a_base_lies_in_each_window_that_holds_its_squares() -> None:
    corner = DRAWN
    assert windows_around([corner, corner + 3, corner + 3 * ROW]) == (corner,)
    assert windows_around([corner, corner + 2, corner + 3 * ROW]) == (corner - 1, corner)
    assert len(windows_around([corner])) == 16
    assert windows_with((corner - 1, corner), corner + 3, corner + 2) == (corner,)
    assert windows_with((corner,), corner + 4, corner + 3) == ()
    assert len(windows_with((), corner, corner + 1)) == 12


def test_a_player_whose_hand_is_empty_is_skipped_and_at_the_end_nobody_follows() -> None:
    assert following(who_holds((2, 2, 2), (1, 1, 1)), 3) == (1, 2, 0)
    assert following(who_holds((2, 2, 2), (1, 2, 1)), 3) == (2, 2, 0)
    assert following(who_holds((2, 2, 2), (2, 1, 2)), 3) == (1, 1, 1)
    assert following(who_holds((2, 2), (2, 2)), 2) == (None, None)
