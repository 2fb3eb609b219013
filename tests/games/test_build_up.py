"""Build Up: one slip of a player or of the recorder is one finding."""

import os
from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import sheets
from golden import FIXTURES, review_of
from ledger.audit.auditor import Report, audit
from ledger.audit.replay import steps
from ledger.games.build_up import GAME, hands
from ledger.games.build_up.numbers import UNKNOWN, Laid, covers, has_unknown_top, stack_for
from ledger.games.build_up.state import BuildUp, holds, in_hand
from ledger.games.build_up.table import contradicts
from ledger.games.catalog import find
from ledger.notation import read
from ledger.play.simulate import simulate
from ledger.record.events import CLAIMS, AnyEvent, Aside, Deal, Draw, Layout, Open, Pass, Score, Stack
from ledger.record.record import Record, effective
from ledger.record.tiles import TILES, Tile, named
from ledger.rules.evidence import Evidence, Shared
from ledger.rules.game import GRAVE, Finding
from sheets import grave, of, report, review

Events = list[AnyEvent]


@cache
def simulated(seed: int = 5, players: int = 2) -> tuple[AnyEvent, ...]:
    """A whole game with every hand recorded."""
    return simulate(GAME, seed, players=players).events


def events(seed: int = 5, *, hidden: bool = False, players: int = 2) -> Events:
    """The same game as a list, without the deals if `hidden`."""
    return [event for event in simulated(seed, players) if not (hidden and type(event) is Deal)]


def place(recorded: Events, kind: type, number: int = 0) -> int:
    """The place of the event of this type with that number."""
    return [seq for seq, event in enumerate(recorded) if type(event) is kind][number]


def report_of(recorded: Events) -> Report:
    """The audit of these events."""
    return audit(GAME, of(*recorded))


def grave_of(recorded: Events) -> list[tuple[int, str, str]]:
    """Seq, clause and verdict of each breach and each impossible event."""
    return [(f.seq, f.clause, f.verdict) for f in report_of(recorded).findings if f.verdict in ("breach", "impossible")]


def states(recorded: Events) -> list[BuildUp]:
    """The state after each event."""
    record = of(*recorded)
    return [step.after for step in steps(GAME, GAME.opening(record.opening), effective(record.events).entries)]


BOTH = pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])


# ── Unknown tiles ──────────────────────────────────────────────────────────────────────────────────────────


@BOTH
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["7-7", "a tile played before"])
def test_a_tile_named_wrongly_is_one_finding(seed: int, name: str, hidden: bool) -> None:
    slip = events(seed, hidden=hidden)
    seq = place(slip, Stack, 9)
    before = next(e for e in slip if type(e) is Stack and e.player == slip[seq].player)  # type: ignore[union-attr]
    slip[seq] = replace(slip[seq], tile=named("7-7") if name == "7-7" else before.tile)
    clause = "tiles.in-set" if name == "7-7" else "tiles.once"
    assert grave_of(slip) == [(seq, clause, "impossible")]
    assert report_of(slip).finished


def test_the_points_of_an_unknown_tile_count_as_claimed_if_possible() -> None:
    slip = events()
    score = place(slip, Score)
    last = max(seq for seq in range(score) if type(slip[seq]) is Stack)
    honest, player, stack = report_of(slip).scores, slip[last].player, slip[last].stack  # type: ignore[union-attr]
    slip[last] = replace(slip[last], tile=named("7-7"))
    covered = any(type(e) is Stack and e.stack == stack for e in slip[last + 1 :])
    assert not covered or report_of(slip).scores == honest
    assert grave_of(slip) == [(last, "tiles.in-set", "impossible")]
    points = dict(slip[score].points)  # type: ignore[union-attr]
    slip[score] = replace(slip[score], points=points | {player: points[player] + 13})
    assert (score, "build-up.score", "breach") in grave_of(slip)


COVERED = """Game: build-up\nPlayers: A Ana, B Ben
A lays 0-3 1-3 2-2 3-3 5-6 1-6\nB lays 0-1 1-4 0-0 5-5 4-6 2-5\nA draws 6-6\nB draws 0-2
A 6-6 on 5\nB 7-7 on 5\nA 0-4 on 5\nB 0-2 on 9\nA {last} on 5"""


@pytest.mark.parametrize(("last", "expected"), [("4-5", []), ("0-2", [(9, "build-up.cover.tile", "breach")])])
def test_a_tile_on_an_unknown_tile_is_not_judged(last: str, expected: list[object]) -> None:
    findings = sheets.grave(COVERED.format(last=last))
    assert (6, "tiles.in-set", "impossible") in findings
    assert [f for f in findings if f[1].startswith("build-up.cover")] == expected


@BOTH
def test_the_very_same_act_twice_in_a_row_changes_nothing(hidden: bool) -> None:
    for kind, clause in ((Stack, "tiles.once"), (Draw, "tiles.once"), (Layout, "tiles.once")):
        slip = events(hidden=hidden)
        seq = place(slip, kind)
        slip.insert(seq, slip[seq])
        assert grave_of(slip) == [(seq + 1, clause, "impossible")]
        assert replace(states(slip)[seq], last=None) == replace(states(slip)[seq + 1], last=None)


@BOTH
def test_a_tile_named_twice_in_a_layout_is_a_stack_with_an_unknown_tile(hidden: bool) -> None:
    slip = events(hidden=hidden)
    seq = place(slip, Layout)
    tiles = slip[seq].tiles  # type: ignore[union-attr]
    slip[seq] = replace(slip[seq], tiles=(*tiles[:5], tiles[0]))
    assert grave_of(slip) == [(seq, "tiles.once", "impossible")]
    stacks = states(slip)[place(slip, Draw)].stacks
    assert len(stacks) == 12
    assert stacks[5][0].index == 28


# ── Deals ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_deal_written_twice_is_one_deal_at_once_and_later_in_the_hand() -> None:
    for later in (1, 2, 5, 9):
        slip = events()
        seq = place(slip, Deal, 2)
        slip.insert(seq + later, slip[seq])
        assert report_of(slip).verdict == "clean"


def test_a_part_and_then_the_whole_is_one_deal() -> None:
    for number in range(8):
        slip = events()
        seq = place(slip, Deal, number)
        part = replace(slip[seq], tiles=slip[seq].tiles[:2], partial=True)  # type: ignore[union-attr]
        assert report_of([*slip[:seq], part, *slip[seq:]]).verdict == "clean"


def test_a_deal_that_contradicts_the_first_is_reported_once() -> None:
    slip = events()
    seq = place(slip, Deal)
    first, layout = slip[seq].tiles, states(slip)[seq].laid[0]  # type: ignore[union-attr]
    new_tile = next(tile for tile in map(named, ("0-1", "0-2", "1-2", "1-3", "2-3", "0-5", "1-5", "2-6"))
                 if not tile.bit & layout and tile not in first)  # fmt: skip
    slip.insert(seq + 1, replace(slip[seq], tiles=(*first[:5], new_tile)))
    assert [(f[0], f[1]) for f in grave_of(slip) if f[1] != "build-up.setup.first"] == [(seq + 1, "build-up.hand.size")]


def test_a_deal_after_an_act_begins_the_next_hand() -> None:
    slip = events()
    seq = place(slip, Deal, 2)
    assert states(slip)[seq].hand.number == 1


def test_a_hand_of_the_wrong_size_accuses_only_its_own_player() -> None:
    slip = events()
    seq = place(slip, Deal, 2)
    slip[seq] = replace(slip[seq], tiles=slip[seq].tiles[:5])  # type: ignore[union-attr]
    (finding,) = [f for f in report_of(slip).findings if f.clause == "build-up.hand.size"]
    assert (finding.seq, finding.player, finding.claimed) == (seq, slip[seq].player, 5)  # type: ignore[union-attr]


# ── Turns and passes ───────────────────────────────────────────────────────────────────────────────────────


@BOTH
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ruling", ["blocked", "all-pass"])
def test_a_player_who_passes_with_a_tile_that_fits_may_play_at_once(seed: int, ruling: str, hidden: bool) -> None:
    for number in (1, 8, 18):
        slip = [e for e in simulate(GAME, seed, {"hand_end": ruling}, players=2).events
                if not (hidden and type(e) is Deal)]  # fmt: skip
        seq = place(slip, Stack, number)
        slip.insert(seq, Pass(player=slip[seq].player))  # type: ignore[union-attr]
        assert grave_of(slip) in ([(seq, "build-up.pass", "breach")], [])  # no breach if it fitted only after a breach


@BOTH
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_acts_in_each_other_s_place_are_one_finding(players: int, hidden: bool) -> None:
    tried = 0
    for seed in range(12):
        slip = events(seed, hidden=hidden, players=players)
        for number in (2, 9):
            seq = place(slip, Stack, number)
            first, second = slip[seq], slip[seq + 1]
            if type(second) is not Stack or first.player == second.player or first.stack == second.stack:  # type: ignore[union-attr]
                continue
            tried += 1
            swapped = [*slip[:seq], second, first, *slip[seq + 2 :]]
            assert [f for f in grave_of(swapped) if f[1] != "build-up.pass"] == [(seq, "build-up.turn", "breach")]
    assert tried > 5


def test_a_pass_out_of_turn_is_only_out_of_turn() -> None:
    slip = events()
    seq = place(slip, Stack, 4)
    out_of_turn = next(p for p in ("ana", "ben") if p != slip[seq].player)  # type: ignore[union-attr]
    slip.insert(seq, Pass(player=out_of_turn))
    assert grave_of(slip) == [(seq, "build-up.turn", "breach")]


@BOTH
def test_a_pass_of_a_player_without_tiles_is_no_breach_and_changes_nothing(hidden: bool) -> None:
    tried = 0
    for seed in range(30):
        slip = events(seed, hidden=hidden, players=3)
        for seq, state in enumerate(states(slip)):
            empty = [seat for seat in range(3) if state.hand.sizes[seat] <= state.hand.plays[seat]]
            if state.phase == "play" and state.hand.acted and empty and not state.others:
                passes = [*slip[: seq + 1], Pass(player=state.rules.players[empty[0]])]
                tried += 1
                assert [f for f in grave_of(passes) if f[0] == seq + 1] == []
                assert replace(states(passes)[-1], last=None) == replace(state, last=None)
                break
    assert tried > 3


# ── The end of a hand ──────────────────────────────────────────────────────────────────────────────────────


def test_a_hand_that_the_table_left_too_early_counts_as_a_hand_played() -> None:
    slip = events()
    seq = place(slip, Score)
    last = max(at for at in range(seq) if type(slip[at]) is Stack)
    del slip[last]
    clauses = [f[1] for f in grave_of(slip)]
    assert clauses.count("build-up.hand.end") == 1
    assert "record.unfinished" not in clauses


@BOTH
def test_after_the_end_only_the_first_act_is_reported(hidden: bool) -> None:
    slip = events(hidden=hidden)
    end = next(seq for seq, state in enumerate(states(slip)) if state.ended)
    hand = [e for e in slip[place(slip, Draw, -1) + 1 :] if type(e) in (Deal, Stack, Aside, Score)][:20]
    with_hand = [*slip[: end + 1], *hand, *slip[end + 1 : -1]]
    assert [f for f in grave_of(with_hand) if f[0] > end] == [(end + 1, "record.after-end", "breach")]


def settled(change: Callable[[Events, int], None]) -> tuple[list[Finding], Report, int]:
    """A hidden game with a row of passes in the middle of its first hand, changed after it; the place of the row."""
    slip = events(3, hidden=True)
    seq = place(slip, Stack, 5)
    first = slip[seq].player  # type: ignore[union-attr]
    slip[seq:seq] = [Pass(player=first), Pass(player="ben" if first == "ana" else "ana")]
    change(slip, seq)
    report = report_of(slip)
    return [f for f in report.findings if f.verdict in ("breach", "impossible")], report, seq


def test_a_row_of_passes_is_not_the_end_if_the_score_comes_later() -> None:
    findings, report, seq = settled(lambda _slip, _seq: None)
    assert {(f.seq, f.clause) for f in findings} <= {(seq, "build-up.pass"), (seq + 1, "build-up.pass")}
    assert report.scores == report_of(events(3)).scores
    assert report.finished


def test_points_counted_at_a_row_that_was_not_the_end_are_taken_back() -> None:
    rows = ("row-of-passes-not-the-end", "row-of-passes-in-the-last-hand", "row-of-passes-shifts-no-hand")
    for name in (*rows, "hand-end-broken"):
        review = review_of(FIXTURES / "build-up" / f"{name}.json")
        assert review.opening.options["total"] == "cumulative" or name == rows[0]
        if name != rows[0]:
            sums = [sum(s.reason.points for s in review.scored if s.reason.player == seat) for seat in (0, 1)]
            assert sums == list(review.report.scores.values())


def test_a_row_of_passes_is_the_end_if_the_score_comes_next() -> None:
    def score(slip: Events, seq: int) -> None:
        del slip[seq + 2 :]
        slip.append(Score(scope="hand", points={}))

    findings, report, _seq = settled(score)
    assert {f.clause for f in findings} <= {"build-up.pass"}
    assert sum(report.scores.values()) > 0


def test_until_it_is_decided_the_state_keeps_both_ways() -> None:
    slip = events(3, hidden=True)
    seq = place(slip, Stack, 5)
    first = slip[seq].player  # type: ignore[union-attr]
    slip[seq:seq] = [Pass(player=first), Pass(player="ben" if first == "ana" else "ana")]
    all_states = states(slip[: seq + 3])
    assert [len(state.others) for state in all_states[seq:]] == [0, 1, 1]
    row = all_states[seq + 1]
    assert (row.phase, row.others[0].phase) == ("over", "play")
    after = all_states[seq + 2]
    assert (after.hand.number, after.others[0].hand.number) == (1, 0)


def test_a_row_of_passes_in_the_last_hand_ends_the_game_unless_somebody_plays_on() -> None:
    claims = (Deal, Aside, Score)
    slip = [e for e in simulate(GAME, 14, {"hands": (6, 6, 4)}, players=2).events if type(e) not in claims][:-2]
    seq = place(slip, Stack, -3)
    first = slip[seq].player  # type: ignore[union-attr]
    row = [Pass(player=first), Pass(player="ben" if first == "ana" else "ana")]
    assert report_of([*slip[:seq], *row]).finished
    went_on = report_of([*slip[:seq], *row, *slip[seq:]])
    assert went_on.finished
    assert "record.after-end" not in {f.clause for f in went_on.findings}


# ── The first turn ─────────────────────────────────────────────────────────────────────────────────────────

LAYOUTS = [
    Layout(player="ana", tiles=tuple(map(named, ("0-3", "1-3", "2-2", "3-3", "5-6", "1-6")))),
    Layout(player="ben", tiles=tuple(map(named, ("0-1", "1-4", "0-0", "5-5", "4-6", "2-5")))),
]


def draws(*tiles: str, stay: bool) -> Events:
    """An opening, layouts, and draws by Ana and Ben in turn."""
    opening = replace(simulated()[0], options={"tied_tiles": "kept"} if stay else {})
    players = ("ana", "ben")
    return [opening, *LAYOUTS, *[Draw(player=players[n % 2], tile=named(t)) for n, t in enumerate(tiles)]]


@pytest.mark.parametrize("stay", [False, True])
def test_a_tied_tile_goes_back_or_stays(stay: bool) -> None:
    tie = draws("2-4", "0-6", "2-4", "1-2", stay=stay)
    assert grave_of(tie) == ([(5, "tiles.once", "impossible")] if stay else [])
    assert report_of(tie).rulings == {"tied_tiles": "kept" if stay else "back"}
    hand = Deal(player="ana", tiles=tuple(map(named, ("4-5", "0-5", "1-2", "0-2", "6-6", "3-4"))))
    without = [*draws("2-4", "0-6", "4-5", "1-5", stay=stay), hand]
    assert grave_of(without) == ([(7, "build-up.setup.first", "breach")] if stay else [])


def test_without_a_tie_the_ruling_on_tied_tiles_is_not_named() -> None:
    assert report_of(draws("2-4", "0-5", stay=False)).rulings == {}


def test_nobody_draws_twice_in_a_round() -> None:
    twice = draws("2-4", stay=False)
    twice.append(Draw(player="ana", tile=named("6-6")))
    assert grave_of(twice) == [(4, "build-up.setup.first", "breach")]


# ── Rulings ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_ruling_on_totals_is_named_as_soon_as_a_second_hand_is_scored() -> None:
    game = events()
    for number, named_ in ((0, False), (2, True)):
        assert ("total" in report_of(game[: place(game, Score, number) + 1]).rulings) is named_


@BOTH
@pytest.mark.parametrize("seed", range(4))
def test_a_ruling_that_is_not_named_makes_no_difference(seed: int, hidden: bool) -> None:
    game = events(seed, hidden=hidden)
    for length in range(6, len(game), 9):
        report = report_of(game[:length])
        for option in GAME.rulings:
            if option.name in report.rulings:
                continue
            for value in option.values:
                opening = replace(game[0], options={option.name: value})
                ruled = report_of([opening, *game[1:length]])
                assert replace(ruled, rulings={}, record="") == replace(report, rulings={}, record=""), option.name


# ---- Build Up by hand: stacks, passes and the proof that a pass was legal or not.


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


def test_the_table_is_planned_before_a_tile_lies() -> None:
    for players, text in ((2, "A Ana, B Ben"), (3, "A Ana, B Ben, C Cy")):
        plan = review(f"Game: build-up\nPlayers: {text}\n\n").scene(0).plan
        ends = [6 * n for n in range(1, players + 1)]
        rows = [(f"stacks {end - 5} to {end}", tuple(str(n) for n in range(end - 5, end + 1))) for end in ends]
        assert plan.rows[:-1] == tuple(rows)
        assert len(plan.rows[-1][1]) == players


# ---- Build Up: the audit's conclusions about hidden hands, compared with every hand that the player may have had.


SET = set(TILES[:28])
FEW = 3000
"""The most hands that are checked one by one; more are counted."""


def hidden(seed: int) -> tuple[list[AnyEvent], Random]:
    """A game, cut off at a random place, with some hands recorded, some in part and some not at all."""
    random = Random(seed)
    share = random.choice((0, 0.4, 0.8))
    events: list[AnyEvent] = []
    for event in simulate(GAME, seed % 40, players=random.choice((2, 2, 3))).events:
        if type(event) is not Deal or random.random() < share:
            part = type(event) is Deal and random.random() < 0.3
            events.append(replace(event, tiles=event.tiles[:3], partial=True) if part else event)  # type: ignore[union-attr]
    acts = [place for place, event in enumerate(events) if type(event) is Stack]
    return events[: random.choice(acts)], random


def last(events: list[AnyEvent]) -> BuildUp:
    """The state after these events."""
    record = of(*events)
    return [step.after for step in steps(GAME, GAME.opening(record.opening), effective(record.events).entries)][-1]


def may_hold(events: list[AnyEvent], state: BuildUp, seat: int) -> tuple[set[Tile], set[Tile], int]:
    """The tiles that a player certainly has now, those possible in the rest of the hand, and the size of that rest."""
    player = state.rules.players[seat]
    elsewhere: set[Tile] = set()
    by_hand: dict[int, set[Tile]] = {}
    drawn = set[Tile]()
    before = [*steps(GAME, GAME.opening(of(*events).opening), effective(tuple(events)).entries)]
    for step in before:
        event, number = step.event, max(0, step.after.hand.number)
        if getattr(event, "player", None) != player:
            continue
        if type(event) is Layout:
            elsewhere |= as_in_the_set(event.tiles)
        elif type(event) is Draw:
            drawn = as_in_the_set((event.tile,))  # the tiles of a tied draw are returned
        elif type(event) in (Deal, Aside):
            by_hand.setdefault(number, set()).update(as_in_the_set(event.tiles))  # type: ignore[union-attr]
        elif type(event) is Stack:
            by_hand.setdefault(number, set()).update(as_in_the_set((event.tile,)))
    by_hand.setdefault(0, set()).update(drawn)
    in_this_hand = by_hand.get(state.hand.number, set())
    in_other_hands = set().union(*[tiles for number, tiles in by_hand.items() if number != state.hand.number])
    laid = {step.event.tile for step in before if type(step.event) is Stack and step.event.player == player}
    slots = state.rules.hands[state.hand.number] - len(in_this_hand)
    return in_this_hand - as_in_the_set(laid), SET - elsewhere - in_other_hands - in_this_hand, slots


def as_in_the_set(tiles: object) -> set[Tile]:
    """Tiles as in the set, whichever half is written first."""
    return {TILES[tile.index] for tile in tiles}  # type: ignore[attr-defined]


def can_they(state: BuildUp, certain: set[Tile], possible: set[Tile], slots: int) -> bool | None:
    """Whether all of these hands can play (True), none (False), or some (None)."""
    tops = [TILES[stack[-1].index] for stack in state.stacks]
    fits = {tile for tile in SET if any(covers(tile, top, state.rules.equal_on_double) for top in tops)}
    if comb(len(possible), slots) <= FEW:
        answers = {bool((certain | set(rest)) & fits) for rest in combinations(sorted(possible, key=str), slots)}
    else:
        none = 0 if certain & fits else comb(len(possible - fits), slots)
        answers = ({False} if none else set()) | ({True} if none < comb(len(possible), slots) else set())
    return answers.pop() if len(answers) == 1 else None


VERDICT = {True: ["breach"], False: [], None: ["unproven"]}


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_a_pass_is_a_breach_just_where_every_hand_can_play(seed: int) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for number in range(seed, seed + 50):
        events, _random = hidden(number)
        state = last(events)
        if state.phase != "play" or not state.hand.acted or state.others or state.hand.turn.seat is None:
            continue
        seat = state.hand.turn.seat
        player = state.rules.players[seat]
        answer = can_they(state, *may_hold(events, state, seat))
        findings = audit(GAME, of(*events, Pass(player=player))).findings
        passed = [f.verdict for f in findings if f.clause == "build-up.pass" and f.seq == len(events)]
        assert passed == VERDICT[answer], number
        answers[answer] += 1
    assert answers[True] > 10


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_a_hand_is_scored_too_early_just_where_somebody_can_play_whatever_they_hold(seed: int) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for number in range(seed, seed + 50):
        events, _random = hidden(number)
        state = last(events)
        if state.phase != "play" or not state.hand.acted or state.others or state.hand.passed:
            continue
        holding = [seat for seat in range(len(state.totals)) if state.hand.plays[seat] < state.hand.sizes[seat]]
        can_play = [can_they(state, *may_hold(events, state, seat)) for seat in holding]
        answer = True if True in can_play else None if None in can_play else False
        findings = audit(GAME, of(*events, Score(scope="hand", points={}))).findings
        assert [f.verdict for f in findings if f.clause == "build-up.hand.end"] == VERDICT[answer], number
        answers[answer] += 1
    assert answers[True] > 10


# Whether the tiles were left over from the hand on the table or from the one before, nobody can say.
@pytest.mark.parametrize("plays", [1, 2, 3])
def test_an_aside_written_in_the_next_hand_accuses_nobody_of_anything_before_it(plays: int) -> None:
    count = 0
    for seed in range(40_011, 40_121, 6):
        events = [event for event in simulate(GAME, seed, players=2).events if type(event) is not Deal]
        for place, event in enumerate(events):
            later = [n for n, act in enumerate(events) if n > place and type(act) is Stack][:plays]
            if type(event) is not Aside or len(later) < plays:
                continue
            late = [*events[:place], *events[place + 1 : later[-1] + 1], event, *events[later[-1] + 1 :]]
            findings = audit(GAME, of(*late)).findings
            assert not [finding for finding in findings if finding.seq < place and finding.verdict in GRAVE], (
                seed,
                place,
            )
            count += 1
    assert count > 30


def test_an_audit_works_out_once_what_hidden_hands_prove(monkeypatch) -> None:
    proofs, prove = list[object](), hands.prove

    def counted(groups: list[Shared]) -> dict[tuple[int, int], Evidence]:
        proofs.append(groups)
        return prove(groups)

    monkeypatch.setattr(hands, "prove", counted)
    audit(GAME, of(*[event for event in simulate(GAME, 5, players=2).events if type(event) is not Deal]))
    assert len(proofs) == 1


# ---- Points of a hand of Build Up that are called wrong: once for each mistake, in however many hands it counts.


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


# ---- Who may pass in Build Up: only a player who cannot play, or anybody, as the ruling `passing` says.


AnyEvents = list[Any]
ACTS = (Layout, Draw, Deal, Stack, Pass)
PASSING = "build-up.pass"
SLIPS = int(os.environ.get("DOMINO_SLIPS", "1"))


def free_game(seed: int, options: dict[str, Any] | None = None, *, hidden: bool = False) -> AnyEvents:
    """A game of players who pass as they like, with or without its hands."""
    record = simulate(GAME, seed, {"passing": "free", **(options or {})}, players=2 + seed % 2)
    return [event for event in record.events if not (hidden and type(event) in (Deal, Aside))]


def report_under(events: AnyEvents, **options: Any) -> Report:
    """The audit of these events under other options."""
    opening = replace(events[0], options={**events[0].options, **options})
    return audit(GAME, Record((opening, *events[1:])))


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_anybody_passes_where_the_ruling_says_so(hidden: bool) -> None:
    breaches = 0
    for seed in range(12):
        events = free_game(seed, hidden=hidden)
        free, stuck = report_under(events), report_under(events, passing="stuck")
        assert free.finished
        assert free.verdict in ("clean", "unproven") if hidden else free.verdict == "clean"
        assert not [finding for finding in free.findings if finding.clause == "build-up.pass"]
        accused = [finding for finding in stuck.findings if finding.clause == "build-up.pass"]
        breaches += len(accused)
        for one in (free, stuck) if accused else ():
            assert "passing" in one.rulings
        assert "hand_end" not in free.rulings
    assert breaches > 3


def test_how_a_hand_ends_says_nothing_where_anybody_may_pass() -> None:
    for seed in range(6):
        events = free_game(seed)
        assert report_under(events, hand_end="all-pass") == report_under(events, hand_end="blocked")


def test_only_passes_of_all_who_hold_tiles_end_a_hand() -> None:
    games = [[event for event in free_game(seed) if type(event) in (Open, *ACTS)] for seed in range(8)]
    by_passes = [events for events in games if type(events[-1]) is Pass]
    assert by_passes
    for events in by_passes:
        assert report_under(events).finished
        assert not report_under(events[:-1]).finished


@pytest.mark.parametrize("late", [False, True], ids=["forgotten", "late"])
def test_a_play_proves_nothing_about_a_pass_if_the_hand_may_have_ended_between_them(late: bool) -> None:
    shown = 0
    for seed in range(6 * SLIPS):
        events = simulate(GAME, 70_000 + seed, players=2 + (seed % 4 == 0)).events
        truth = [event for event in events if type(event) is not Deal and (seed % 2 or type(event) not in CLAIMS)]
        for place in (place for place, event in enumerate(truth) if type(event) is Aside):
            following = next((at for at in range(place, len(truth)) if type(truth[at]) is Stack), None)
            slip = list(truth)
            if late and following:
                slip[place], slip[following] = slip[following], slip[place]
            else:
                del slip[place]
            findings = report_under(slip).findings
            assert all(finding.seq >= place for finding in findings if finding.verdict in GRAVE)
            shown += any(finding.clause == PASSING and finding.verdict == "unproven" for finding in findings)
    assert shown


def test_a_play_rules_out_a_way_in_which_its_player_had_no_tile() -> None:
    record, seen = simulate(GAME, 1, players=3), 0
    for step in steps(GAME, GAME.opening(record.opening), effective(record.events).entries):
        if type(state := step.after) is not BuildUp or state.phase != "play":
            continue
        for seat, player in enumerate(state.rules.players):
            out = not holds(state, seat)
            elsewhere = next(tile for tile in TILES if not tile.bit & in_hand(state, seat))
            assert contradicts(state, Stack(player=player, tile=elsewhere, stack=1)) is out
            seen += out
    assert seen > 1


def test_how_a_hand_ends_matters_as_soon_as_nobody_can_play() -> None:
    stuck = 0
    for seed in range(8):
        record = simulate(GAME, seed, {"hand_end": "all-pass"}, players=2)
        events: AnyEvents = [event for event in record.events if type(event) not in CLAIMS]
        first = next(at for at, event in enumerate(events) if type(event) is Stack)
        second = next(at for at, event in enumerate(events) if type(event) is Deal and at > first)
        last = max(at for at, event in enumerate(events[:second]) if type(event) is Stack)
        if any(type(event) is Pass for event in events[last:second]):
            stuck += 1
            assert "hand_end" not in report_under(events[:last]).rulings
            assert "hand_end" in report_under(events[: last + 1]).rulings
    assert stuck > 1
