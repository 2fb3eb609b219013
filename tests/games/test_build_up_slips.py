"""Build Up: one slip of a player or of the recorder is one finding."""

from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace

import sheets
from golden import FIXTURES, review_of
from ledger.audit.auditor import Report, audit
from ledger.audit.replay import steps
from ledger.games.build_up.state import BuildUp
from ledger.games.catalog import find
from ledger.play.simulate import simulate
from ledger.record.events import AnyEvent, Aside, Deal, Draw, Layout, Pass, Score, Stack
from ledger.record.record import effective
from ledger.record.tiles import named
from ledger.rules.game import Finding
from sheets import of

GAME = find("build-up")
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


def grave(recorded: Events) -> list[tuple[int, str, str]]:
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
    assert grave(slip) == [(seq, clause, "impossible")]
    assert report_of(slip).finished


def test_the_points_of_an_unknown_tile_count_as_claimed_if_possible() -> None:
    slip = events()
    score = place(slip, Score)
    last = max(seq for seq in range(score) if type(slip[seq]) is Stack)
    honest, player, stack = report_of(slip).scores, slip[last].player, slip[last].stack  # type: ignore[union-attr]
    slip[last] = replace(slip[last], tile=named("7-7"))
    covered = any(type(e) is Stack and e.stack == stack for e in slip[last + 1 :])
    assert not covered or report_of(slip).scores == honest
    assert grave(slip) == [(last, "tiles.in-set", "impossible")]
    points = dict(slip[score].points)  # type: ignore[union-attr]
    slip[score] = replace(slip[score], points=points | {player: points[player] + 13})
    assert (score, "build-up.score", "breach") in grave(slip)


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
        assert grave(slip) == [(seq + 1, clause, "impossible")]
        assert replace(states(slip)[seq], last=None) == replace(states(slip)[seq + 1], last=None)


@BOTH
def test_a_tile_named_twice_in_a_layout_is_a_stack_with_an_unknown_tile(hidden: bool) -> None:
    slip = events(hidden=hidden)
    seq = place(slip, Layout)
    tiles = slip[seq].tiles  # type: ignore[union-attr]
    slip[seq] = replace(slip[seq], tiles=(*tiles[:5], tiles[0]))
    assert grave(slip) == [(seq, "tiles.once", "impossible")]
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
    assert [(f[0], f[1]) for f in grave(slip) if f[1] != "build-up.setup.first"] == [(seq + 1, "build-up.hand.size")]


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
        assert grave(slip) in ([(seq, "build-up.pass", "breach")], [])  # no breach if it fitted only after a breach


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
            assert [f for f in grave(swapped) if f[1] != "build-up.pass"] == [(seq, "build-up.turn", "breach")]
    assert tried > 5


def test_a_pass_out_of_turn_is_only_out_of_turn() -> None:
    slip = events()
    seq = place(slip, Stack, 4)
    out_of_turn = next(p for p in ("ana", "ben") if p != slip[seq].player)  # type: ignore[union-attr]
    slip.insert(seq, Pass(player=out_of_turn))
    assert grave(slip) == [(seq, "build-up.turn", "breach")]


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
                assert [f for f in grave(passes) if f[0] == seq + 1] == []
                assert replace(states(passes)[-1], last=None) == replace(state, last=None)
                break
    assert tried > 3


# ── The end of a hand ──────────────────────────────────────────────────────────────────────────────────────


def test_a_hand_that_the_table_left_too_early_counts_as_a_hand_played() -> None:
    slip = events()
    seq = place(slip, Score)
    last = max(at for at in range(seq) if type(slip[at]) is Stack)
    del slip[last]
    clauses = [f[1] for f in grave(slip)]
    assert clauses.count("build-up.hand.end") == 1
    assert "record.unfinished" not in clauses


@BOTH
def test_after_the_end_only_the_first_act_is_reported(hidden: bool) -> None:
    slip = events(hidden=hidden)
    end = next(seq for seq, state in enumerate(states(slip)) if state.ended)
    hand = [e for e in slip[place(slip, Draw, -1) + 1 :] if type(e) in (Deal, Stack, Aside, Score)][:20]
    with_hand = [*slip[: end + 1], *hand, *slip[end + 1 : -1]]
    assert [f for f in grave(with_hand) if f[0] > end] == [(end + 1, "record.after-end", "breach")]


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
    assert grave(tie) == ([(5, "tiles.once", "impossible")] if stay else [])
    assert report_of(tie).rulings == {"tied_tiles": "kept" if stay else "back"}
    hand = Deal(player="ana", tiles=tuple(map(named, ("4-5", "0-5", "1-2", "0-2", "6-6", "3-4"))))
    without = [*draws("2-4", "0-6", "4-5", "1-5", stay=stay), hand]
    assert grave(without) == ([(7, "build-up.setup.first", "breach")] if stay else [])


def test_without_a_tie_the_ruling_on_tied_tiles_is_not_named() -> None:
    assert report_of(draws("2-4", "0-5", stay=False)).rulings == {}


def test_nobody_draws_twice_in_a_round() -> None:
    twice = draws("2-4", stay=False)
    twice.append(Draw(player="ana", tile=named("6-6")))
    assert grave(twice) == [(4, "build-up.setup.first", "breach")]


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
