"""Ziggurat by hand: the base, the levels and the ends."""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random

import pytest
from msgspec.structs import replace

from ledger.audit.auditor import audit
from ledger.audit.replay import advance, steps
from ledger.audit.review import Review
from ledger.games.ziggurat import GAME
from ledger.games.ziggurat.base import windows_around, windows_with
from ledger.games.ziggurat.state import Ziggurat, places
from ledger.play.simulate import any_options, simulate, slips
from ledger.record import codec
from ledger.record.events import Aside, Close, Correctable, Deal, Pass, Place, Result, Score
from ledger.record.grid import DRAWN, ROW
from ledger.record.record import effective
from ledger.record.tiles import Tile, full, mask, members
from ledger.rules.evidence import Evidence
from ledger.rules.turns import following, who_holds
from sheets import a_open, grave, report, review

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


# ---- Ziggurat: one slip of a player or of the recorder is one finding; and conclusions from hidden hands.


FULL = """
A 0-1 a6-b6
B 0-2 c6-d6
A 0-4 a5-b5
B 0-5 c5-d5
A 0-6 a4-b4
B 1-1 c4-d4
A 1-2 a3-b3
B 1-3 c3-d3"""
"""A base of four rows, each filled by two dominoes."""
SECOND = """
A 1-4 a6-b6 L2
B 1-5 c6-d6 L2
A 1-6 a5-b5 L2
B 2-2 c5-d5 L2
A 2-3 a4-b4 L2
B 2-4 c4-d4 L2
A 2-5 a3-b3 L2
B 2-6 c3-d3 L2"""
"""And a level that covers it."""
DRAWN_4X4 = "Options: window = drawn\n"

SLIPS = {
    "the first domino lies outside the square that was drawn, and the game goes on": (
        DRAWN_4X4 + "\nA 0-1 d6-e6\nB 0-2 c6-c5\nA 0-3 a6-b6", [(1, "ziggurat.base.window", "breach")],
    ),
    "two dominoes lie outside the square that was drawn": (
        DRAWN_4X4 + "\nA 0-1 c6-d6\nB 0-2 e6-f6\nA 0-3 e5-f5",
        [(2, "ziggurat.base.window", "breach"), (3, "ziggurat.base.window", "breach")],
    ),
    "a gap outside the square that was drawn is no gap as well": (
        DRAWN_4X4 + "\nA 0-1 b6-b5\nB 0-2 a5--a5", [(2, "ziggurat.base.window", "breach")],
    ),
    "a gap is certain already by a half that lies outside": (
        DRAWN_4X4 + "\nA 0-1 d6-e6\nB 0-2 c6-c5\nA 0-3 d5-d4\nB 0-4 b6-b5\nA 0-5 a5-a4",
        [(1, "ziggurat.base.window", "breach")],
    ),
    "a gap is not left twice": (
        DRAWN_4X4 + "\nA 0-1 b6-b5\nB 0-2 a5-a4\nA 0-3 c6-c5\nB 0-4 d5-d4", [(2, "ziggurat.base.no-gaps", "breach")],
    ),
    "level 2 is begun after a gap": (
        DRAWN_4X4 + "\nA 0-1 b6-b5\nB 0-2 a5-a4\nA 0-3 b6-b5 L2\nB 0-4 a5-a4 L2",
        [(2, "ziggurat.base.no-gaps", "breach"), (3, "ziggurat.level.finish", "breach")],
    ),
    "level 2 is begun when a window is filled, whatever lies outside": (
        FULL + "\nA 3-3 e6-f6\nB 1-5 a6-b6 L2\nA 1-6 c6-d6 L2", [(9, "ziggurat.base.window", "breach")],
    ),
    "a level begun too soon leaves the one below open": (
        FULL + SECOND.replace("c6-d6 L2", "a6-b6 L3", 1).replace("A 1-6", "A 3-3 c6-d6 L2\nB 1-6", 1)
        .replace("\nB 2-2", "\nA 2-2").replace("\nA 2-3", "\nB 2-3").replace("\nB 2-4", "\nA 2-4")
        .replace("\nA 2-5", "\nB 2-5").replace("\nB 2-6", "\nA 2-6"),
        [(10, "ziggurat.level.finish", "breach")],
    ),
    "a finished level is closed, also when a higher one was begun too soon": (
        FULL + "\nA 1-4 a6-b6 L2\nB 1-5 a6-b6 L3\nA 1-6 e6-f6",
        [(10, "ziggurat.level.finish", "breach"), (11, "ziggurat.level.closed", "breach")],
    ),
    "a point too many": ("\nA 1-2 a6-b6 =1", [(1, "ziggurat.base.score", "breach")]),
    "a square of a domino is in use": (BASE + "\nA 5-5 c5-d5", [(3, "ziggurat.occupied", "impossible")]),
    "both squares of a domino are in use": (BASE + "\nA 5-5 a6-b6", [(3, "ziggurat.occupied", "impossible")]),
    "the squares that it would cover are covered": (
        FULL + "\nA 1-4 a6-b6 L2\nB 1-5 a6-b6 L2", [(10, "ziggurat.occupied", "impossible")],
    ),
    "an act is written twice": (BASE + "\nB 2-5 c6-c5\nA 3-3 d6-d5", [(3, "tiles.once", "impossible")]),
    "an act is written twice, the other way round": (
        BASE + "\nB 5-2 c5-c6\nA 3-3 d6-d5", [(3, "tiles.once", "impossible")],
    ),
    "a domino of another set is written twice": (
        "\nA 7-7 a6-b6\nA 7-7 a6-b6\nB 1-2 a5-b5",
        [(1, "tiles.in-set", "impossible"), (2, "tiles.once", "impossible")],
    ),
    "what lies beside a domino that nobody knows is not judged": (
        "\nA 7-7 a6-b6 =0\nB 1-2 c6-d6 =1\nA 3-3 c5-d5 =0\ntotal: A 0, B 1", [(1, "tiles.in-set", "impossible")],
    ),
    "what lies on a domino that nobody knows is not judged, what lies on that one is": (
        FULL.replace("A 0-1", "A 0-7") + SECOND.replace("a6-b6 L2", "a6-b6 L2 =4")
        + "\nA 1-0 a6-b6 L3 =3\nB 3-3 a4-b4 L3 =1",
        [(1, "tiles.in-set", "impossible"), (18, "ziggurat.build.score", "breach")],
    ),
    "nobody knows how many points a domino scored that nobody knows": (
        "\nA 1-2 a6-b6\nB 1-2 c6-d6\ntotal: A 0, B 1\nA 3-3 a5-b5\ntotal: A 0, B 1", [(2, "tiles.once", "impossible")],
    ),
    "it cannot have scored as many": (
        "\nA 1-2 a6-b6\nB 1-2 c6-d6\ntotal: A 0, B 3",
        [(2, "tiles.once", "impossible"), (3, "ziggurat.win", "breach")],
    ),
    "a player passes and then acts": (BASE + "\nA passes\nA 3-3 d6-d5\nB 4-4 b5-a5", [(3, "ziggurat.turn", "breach")]),
    "a player passes, and the next one acts": (BASE + "\nA passes\nB 3-3 d6-d5", [(3, "ziggurat.turn", "breach")]),
    "two acts are in each other's place": (
        "\nB 2-5 c6-c5\nA 1-2 a6-b6\nA 3-3 d6-d5\nB 4-4 b5-a5", [(1, "ziggurat.turn", "breach")],
    ),
    "an act is forgotten": (BASE + "\nB 3-3 d6-d5\nA 4-4 b5-a5\nB 5-5 a4-b4", [(3, "ziggurat.turn", "breach")]),
    "the points of a domino and the total": (
        "\nA 1-2 a6-b6 =0\nB 2-5 c6-c5 =2\ntotal: A 0, B 2\nA 3-3 d6-d5\ntotal: B 2",
        [(2, "ziggurat.base.score", "breach")],
    ),
    "a total that carries an error on, and is put right": (
        "\nA 1-2 a6-b6\nB 2-5 c6-c5\ntotal: B 3\nA 3-3 d6-d5\ntotal: B 3\nB 4-4 b5-a5\ntotal: B 1\ntotal: B 3",
        [(3, "ziggurat.win", "breach"), (8, "ziggurat.win", "breach")],
    ),
    "a hand that is said twice": ("\nA has 0-0 1-1\nA has 0-0 1-1", [(1, "ziggurat.setup.deal", "breach")]),
    "a hand that was written in part": (
        "\nA has 0-0 1-1 ...\nA has 0-0 1-1 2-2", [(2, "ziggurat.setup.deal", "breach")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_reported_once(slip: str) -> None:
    lines, expected = SLIPS[slip]
    assert sorted(finding for finding in grave(HEAD + lines) if finding[2] != "unproven") == sorted(expected)


def test_a_base_with_a_breach_goes_on_until_a_window_is_filled() -> None:
    reviewed = review(HEAD + DRAWN_4X4 + "\nA 0-1 d6-e6\nB 0-2 c6-c5")
    assert not reviewed.report.finished
    assert reviewed.steps[-1].after.level == 1
    assert GAME.choices
    assert GAME.choices(reviewed.steps[-1].after)


def test_in_cut_up_such_a_base_is_complete_when_no_domino_fits_in_the_window() -> None:
    rows = FULL.replace("\nB 1-3 c3-d3", "\nB 1-3 c2-b2")  # on (1, 4) and (2, 4): outside
    options = "Options: window = drawn, cut_up = yes\n"
    assert (8, "ziggurat.base.window", "breach") in grave(HEAD + options + rows)
    assert (9, "ziggurat.level.finish", "breach") in grave(HEAD + options + rows + "\nA 3-3 a6-b6 L2")
    upright = FULL.replace("\nB 1-3 c3-d3", "\nB 1-3 d3-d2")  # half of it fills (3, 3), and (2, 3) is a gap
    assert not [f for f in grave(HEAD + options + upright + "\nA 3-3 a6-b6 L2") if f[0] == 9 and f[2] == "breach"]


def test_the_winner_may_depend_on_an_unknown_domino() -> None:
    table = FULL.replace("A 0-1", "A 0-7") + "\nA 1-4 a6-b6 L2"
    state = review(HEAD + table).steps[-1].after
    ended = replace(state, ended=True, scores=(3, 4), unsure=(2, 0), placed=(14, 14))
    win = next(clause for clause in GAME.clauses if clause.id == "ziggurat.win")
    for winners, fits in ((("ana",), True), (("ben",), True), (("ana", "ben"), True), ((), False)):
        assert bool(win.faults(ended, Result(winners), ended)) != fits
    sure = replace(ended, unsure=(0, 0))
    assert win.faults(sure, Result(("ana",)), sure)


def findings_in(deals: str) -> list[tuple[int, str, str]]:
    """What is found in a record of these deals for four players."""
    return grave("Game: ziggurat\nPlayers: A Ana, B Ben, C Cy, D Dee\n" + deals)


def test_a_hand_of_the_wrong_size_accuses_its_own_player_alone() -> None:
    seven = ["0-0 0-1 0-2 0-3 0-4 0-5 0-6", "1-1 1-2 1-3 1-4 1-5 1-6 2-2", "2-3 2-4 2-5 2-6 3-3 3-4 3-5"]
    right = "\n".join(["", *(f"{letter} has {tiles}" for letter, tiles in zip("ABC", seven, strict=True))])
    assert findings_in(right) == []
    large = right.replace("0-6", "0-6 3-6")
    assert findings_in(large) == [(1, "ziggurat.setup.deal", "breach")]
    assert findings_in(right.replace(" 2-2", "")) == [(2, "ziggurat.setup.deal", "breach")]
    assert findings_in(right.replace("0-6", "...")) == []
    assert findings_in(right + "\nB has 1-1 1-2 ...\nB has 1-1 1-2 1-3 1-4 1-5 1-6 2-2") == []
    assert findings_in(right + "\nB has 1-1 1-2 1-3 1-4 1-5 1-6 6-6") == [(4, "ziggurat.setup.deal", "breach")]
    assert findings_in(right + "\nB has 1-1 1-2") == [(4, "ziggurat.setup.deal", "breach")]


def test_a_hand_is_the_rest_of_the_set() -> None:
    first = " ".join(str(tile) for tile in members(full(6))[:14])
    dealt = HEAD + f"\nA has {first}"
    assert report(dealt + "\nA 0-0 a6-b6\nB 6-6 a5-b5").verdict == "clean"
    assert (3, "tiles.held", "breach") in grave(dealt + "\nA 0-0 a6-b6\nB 1-1 a5-b5")
    in_part = HEAD + f"\nA has {first} ...".replace(" 3-3 0-4", "")
    assert [f[1:] for f in grave(in_part + "\nA 0-0 a6-b6\nB 6-6 a5-b5")] == [("tiles.held", "unproven")]


def test_if_a_tile_is_dealt_twice_its_holder_is_unknown() -> None:
    tiles = [str(tile) for tile in members(full(6))]
    deals = HEAD + f"\nA has {' '.join(tiles[:14])}\nB has {' '.join(tiles[13:27])}"
    duplicate = (2, "tiles.once", "impossible")
    assert grave(deals) == [duplicate]
    for plays in (f"\nA {tiles[27]} a6-b6\nB {tiles[13]} a5-b5", f"\nA {tiles[13]} a6-b6\nB {tiles[27]} a5-b5"):
        assert [finding for finding in grave(deals + plays) if finding[2] != "unproven"] == [duplicate]
    assert (3, "tiles.held", "breach") in grave(deals + f"\nA {tiles[20]} a6-b6")


def test_a_player_without_tiles_by_count_may_still_act() -> None:
    findings_by_seed = []
    for seed in range(12):
        events = list(simulate(GAME, seed, {}, players=4).events)
        places_ = [index for index, event in enumerate(events) if type(event) is Place]
        index = places_[-6]
        next_player = events[places_[-5]].player
        events[index] = replace(events[index], player=next_player, points=None)
        events = [event for event in events if type(event) not in (Score, Result, Close)]
        findings_by_seed.append([(f.clause, f.verdict) for f in audit(GAME, codec.check(events)).findings])
    assert all(len(findings) == 2 for findings in findings_by_seed)
    assert {clause for findings in findings_by_seed for clause, _verdict in findings} == {"ziggurat.turn", "tiles.held"}


@pytest.mark.parametrize("seed", range(20))
def test_conclusions_about_hands_hold_for_every_possible_hand(seed: int) -> None:
    """Counts the hands that fit the deals: every way to divide the unknown tiles among the free places of the hands."""
    random = Random(seed)
    options, players, _edition = any_options(GAME, random)
    events = [event for event in simulate(GAME, seed, options, players=players).events if type(event) is not Aside]
    share_kept, answers = random.random(), set()
    for index, event in enumerate(events):
        if type(event) is Deal:
            tiles = tuple(tile for tile in event.tiles if random.random() < share_kept)
            in_full = random.random() < 0.4
            events[index] = event if in_full else replace(event, tiles=tiles, partial=True)
    record = codec.check(events)
    opening = GAME.opening(record.opening)
    state = GAME.start(opening)
    dealt = {e.player: mask(e.tiles) for e in events if type(e) is Deal}
    slots = {player: state.rules.share - tiles.bit_count() for player, tiles in dealt.items()}
    dealt_tiles = sum(dealt.values())
    unknown = full(state.rules.largest) & ~dealt_tiles
    steps_ = list(steps(GAME, opening, effective(record.events).entries))
    assert GAME.holdings
    expected: dict[int, Evidence] = {}
    for player in opening.players:
        open_plays = []
        for step in steps_:
            if type(step.event) is Place and step.event.player == player:
                answer = held_in(dealt[player], slots[player], unknown, step.event.tile)
                answers.add(answer)
                if answer is None:
                    open_plays.append(step.seq)
        if open_plays:
            expected[open_plays[0]] = Evidence(unproved=len(open_plays))
    assert answers <= {True, None}
    assert GAME.holdings(steps_) == expected


def held_in(dealt: int, slots: int, unknown: int, tile: Tile) -> bool | None:
    """Whether every possible hand has the tile: True for all, False for none, None for some.

    A possible hand is its `dealt` tiles and `slots` of the `unknown` tiles.
    """
    if not unknown & tile.bit:
        return bool(dealt & tile.bit)
    unknown_others = unknown.bit_count() - 1
    holding, lacking = comb(unknown_others, slots - 1) if slots else 0, comb(unknown_others, slots)
    if unknown_others < 9:
        hands_that_fit = list(combinations(members(unknown), slots))
        holding = sum(tile.bit & mask(hand) != 0 for hand in hands_that_fit)
        lacking = len(hands_that_fit) - holding
    return None if holding and lacking else bool(holding)


def test_an_audit_of_many_acts_takes_time_in_proportion() -> None:
    """Impossible dominoes, unknown tiles, and long rows of passes: the table stays bounded."""
    opening = a_open(GAME)
    first, second = (player.id for player in opening.players)
    acts: list[Correctable] = [Place(first, Tile.t9_9, (2 * n - 900, 0), "e", 1) for n in range(900)]
    acts += [event for n in range(500) for event in (Pass(second), Place(first, Tile.t0_0, (0, 0), "e", 1))]
    last = list(steps(GAME, GAME.opening(opening), effective([opening, *acts]).entries))[-1].after
    assert last.ended
    assert len(last.misnamed) == 28
