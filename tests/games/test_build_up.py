"""Build Up by hand: stacks, passes and the proof that a pass was legal or not."""

import pytest

from ledger.audit.auditor import audit
from ledger.games.build_up.numbers import UNKNOWN, Laid, describe, has_unknown_top, stack_for
from ledger.games.catalog import find
from ledger.notation import read
from ledger.record.tiles import named
from sheets import grave, report, review

HEAD = "Game: build-up\nPlayers: A Ana, B Ben\n"
LAID = "\nA lays 0-3 1-3 2-2 3-3 5-6 1-6\nB lays 0-1 1-4 0-0 5-5 4-6 2-5"
DRAWN = LAID + "\nA draws 6-6\nB draws 0-2"

TOO_FEW_PIPS = LAID.replace("3-3", "6-4") + "\nA draws 6-6\nB draws 3-5\nA 6-6 on 10\nB 3-5 on 4"
ON_A_DOUBLE = DRAWN + "\nA 6-6 on 10\nB 2-4 on 4"


def test_the_sentence_of_a_breach_says_what_people_ask() -> None:
    (finding,) = [f for f in review(HEAD + TOO_FEW_PIPS).report.findings if f.verdict == "breach"]
    assert all(word in finding.message for word in ("3-5", "stack 4", "8", "4-6", "10"))


TIED = HEAD + LAID + "\nA draws 3-6\nB draws 4-5"


@pytest.mark.parametrize(
    ("sheet", "noted"),
    [
        (TIED + "\nA 4-5 on 6", [5]),
        (TIED + "\nB 3-6 on 6\nA 4-5 on 6", [5]),
        (TIED + "\nA draws 2-4\nB draws 1-2\nA 4-5 on 6", []),
        (TIED + "\nA draws 2-4\nA 4-5 on 6", []),
        (TIED.replace("4-5", "4-6") + "\nB 4-5 on 6", []),
        (HEAD + LAID + "\nA 4-5 on 6", []),
    ],
)
def test_a_tied_draw_that_nobody_draws_again_is_a_note(sheet: str, noted: list[int]) -> None:
    notes = [f for f in report(sheet).findings if f.clause == "build-up.setup.first" and f.verdict == "note"]
    assert [finding.seq for finding in notes] == noted


def test_equal_is_enough_on_a_tile_and_not_on_a_double() -> None:
    assert [f for f in grave(HEAD + DRAWN + "\nA 6-6 on 10\nB 0-4 on 2") if f[2] == "breach"] == []
    equal = HEAD + "Options: tile_on_double = equal-or-more\n" + ON_A_DOUBLE
    assert [f for f in grave(equal) if f[2] == "breach"] == []


def test_equal_doubles_are_a_breach_between_colours_and_impossible_in_one() -> None:
    assert (5, "build-up.cover.double-on-double", "breach") in grave(
        HEAD + LAID + "\nA draws 5-5\nB draws 0-2\nA 5-5 on 10"
    )
    assert (5, "tiles.once", "impossible") in grave(HEAD + LAID + "\nA draws 3-3\nB draws 0-2\nA 3-3 on 4") or (
        3, "tiles.once", "impossible",
    ) in grave(HEAD + LAID + "\nA draws 3-3")  # fmt: skip


def test_a_pass_is_proved_by_a_later_play_of_the_same_hand() -> None:
    later = report(HEAD + LAID + "\nA 6-6 on 10\nB passes\nA 4-4 on 3\nB 5-6 on 6")
    (finding,) = [f for f in later.findings if f.clause == "build-up.pass"]
    assert (finding.seq, finding.verdict) == (4, "breach")
    assert "5-6" in finding.message


def test_a_pass_is_a_breach_where_whatever_the_player_holds_fits() -> None:
    counted = report(HEAD + LAID + "\nA 6-6 on 10\nB passes\nA 4-4 on 3")
    (finding,) = [f for f in counted.findings if f.clause == "build-up.pass"]
    assert (finding.verdict, finding.message) == (
        "breach",
        "ben passes, but can play: whatever ben holds, a tile fits",
    )


LOW = """
A lays 5-6 4-6 5-5 3-6 6-6 4-5\nB lays 5-6 4-6 5-5 3-6 6-6 4-5\nA draws 4-4\nB draws 0-1
A has 4-4 3-3 2-2 1-1 0-0 0-1\nB has 0-1 0-2 0-3 0-4 1-2 1-3
A 4-4 on 1\nB passes\nA 3-3 on 2\nB passes"""
"""A hand without a tile that fits, and passes that change nothing."""


def test_a_pass_is_looked_at_again_where_another_tile_of_that_hand_is_set_aside() -> None:
    record = read(HEAD + LOW + "\nB aside 1-1")
    game = find(record.opening.game)
    report_ = audit(game, record)
    assert [(f.seq, f.clause) for f in report_.findings] == [(8, "build-up.pass"), (10, "build-up.pass")]


def test_a_hand_is_scored_tile_by_tile() -> None:
    """Each player's own tiles on top count, those of the layout too."""
    from golden import FIXTURES, review_of

    whole_game = review_of(FIXTURES / "build-up" / "ending-hands-empty.json")
    first = min(scored.seq for scored in whole_game.scored)
    tops = [scored.reason for scored in whole_game.scored if scored.seq == first]
    totals = [sum(reason.points for reason in tops if reason.player == seat) for seat in (0, 1)]
    assert totals == [29, 58]
    assert len(tops) == 12
    assert all("stack" in reason.because for reason in tops)


@pytest.mark.parametrize("players", ["A Ana, B Ben, C Cy", "A Ana, B Ben, C Cy, D Dee"])
def test_more_players_lay_out_more_stacks(players: str) -> None:
    lays = "".join(f"\n{player[0]} lays 0-3 1-3 2-2 3-3 5-6 1-6" for player in players.split(", "))
    game = review(f"Game: build-up\nPlayers: {players}\n{lays}")
    assert game.report.verdict == "clean"
    assert sum(len(area.piles) for area in game.scene().areas) == 6 * len(players.split(", "))  # type: ignore[union-attr]


def test_a_tile_fits_the_first_stack_that_it_may_cover_and_unknown_tiles_take_none() -> None:
    index = {text: named(text).index for text in ("1-1", "2-1", "3-0", "6-5")}
    table = [0] * UNKNOWN
    table[index["2-1"]] = table[index["3-0"]] = named("6-5").bit
    stacks = tuple((Laid(number, 0),) for number in (index["1-1"], UNKNOWN, index["2-1"], index["3-0"]))
    assert (stack_for(table, stacks, named("6-5")), stack_for(table, stacks, named("6-6"))) == (3, None)
    assert has_unknown_top(stacks)
    assert not has_unknown_top(stacks[2:])
    assert (describe(UNKNOWN), describe(index["6-5"])) == ("a tile that nobody knows", "5-6 (11 pips)")


def test_the_table_is_planned_before_a_tile_lies() -> None:
    for players, text in ((2, "A Ana, B Ben"), (3, "A Ana, B Ben, C Cy")):
        plan = review(f"Game: build-up\nPlayers: {text}\n\n").scene(0).plan
        ends = [6 * n for n in range(1, players + 1)]
        rows = [(f"stacks {end - 5} to {end}", tuple(str(n) for n in range(end - 5, end + 1))) for end in ends]
        assert plan.rows[:-1] == tuple(rows)
        assert len(plan.rows[-1][1]) == players
