"""Zigzag by hand: what people say at the table, and what the rules say to that."""

from __future__ import annotations

import pytest

from ledger.games.zigzag import GAME
from ledger.tiles import full, members
from sheets import grave, report, review

HEAD = "Game: zigzag\nPlayers: A Ana, B Ben, C Cy\nOptions: first_bidder = A"
BIDS = "\nA bids 12\nB passes\nC passes"
EXAMPLE = BIDS + "\nA 2-2\nB 2-5\nC 4-5\nA 4-7\nB 4-8\nC 6-8\nA 3-5\n"

WRONG = {
    "a bid no higher than the last": ("\nA bids 12\nB bids 12", [(2, "zigzag.bid.raise", "breach")]),
    "a bid of nothing": ("\nA bids 0", [(1, "zigzag.bid.raise", "breach")]),
    "a bid out of turn": ("\nB bids 3", [(1, "zigzag.bid.order", "breach")]),
    "a bid twice": ("\nA bids 3\nB passes\nA bids 4", [(3, "zigzag.bid.order", "breach")]),
    "the wrong leader": (BIDS + "\nB 2-5", [(4, "zigzag.contract", "breach")]),
    "a lead with nobody's contract": ("\nA passes\nB passes\nC passes\nA 2-2", [(4, "zigzag.all-pass", "breach")]),
    "a turn taken by another": (BIDS + "\nA 2-2\nC 4-5", [(5, "zigzag.turn", "breach")]),
    "a pass where a tile is to be played": (BIDS + "\nA 2-2\nB passes", [(5, "zigzag.turn", "breach")]),
    "an order named without a ranking": ("\nA bids 12\nB passes\nC passes\nA ranks 6 regular",
                                         [(4, "zigzag.rank", "breach")]),
    "five said instead of six": (EXAMPLE + "C takes 5", [(11, "zigzag.take", "breach")]),
    "taken by who did not cover": (EXAMPLE + "B takes 6", [(11, "zigzag.take", "breach")]),
    "points of a hand that goes on": (EXAMPLE + "hand: A 12", [(11, "zigzag.hand.end", "breach")]),
    "a result of a game that goes on": (EXAMPLE + "result: A", [(11, "zigzag.end", "breach")]),
    "the same tile again": (EXAMPLE + "B 6-8", [(11, "tiles.once", "impossible")]),
    "a tile of another set": (EXAMPLE + "B 9-9", [(11, "tiles.in-set", "impossible")]),
    "a tile that is not in the hand": (
        "\nA has 2-2 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 1-1 1-2 1-3 1-4 1-5" + BIDS + "\nA 5-5",
        [(5, "tiles.held", "breach")],
    ),
    "a hand too small": ("\nA has 2-2 0-0", [(1, "zigzag.deal", "breach")]),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_breach_is_found_at_its_event_by_its_clause(what: str) -> None:
    played, found = WRONG[what]
    assert [finding for finding in grave(HEAD + played) if finding[2] != "unproven"] == found


def test_the_example_of_play() -> None:
    found = review(HEAD + EXAMPLE + "C takes 6\nB 0-1\nA takes 1\nC 1-1\n")
    assert [f for f in found.report.findings if f.verdict == "breach"] == []
    assert [(s.reason.player, s.seq) for s in found.scored] == []
    assert found.scene().status


def test_a_tile_that_was_dealt_to_two_and_played_by_both_is_there_once() -> None:
    hands = "\nA has 2-2 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 1-1 1-2 1-3 1-4 1-5"
    hands += "\nB has 2-2 1-6 1-7 1-8 2-3 2-4 2-5 2-6 2-7 2-8 3-3 3-4 3-5 3-6 3-7"
    assert grave(HEAD + hands + BIDS + "\nA 2-2\nB 2-2") == [
        (2, "tiles.once", "impossible"), (7, "tiles.once", "impossible"),
    ]  # fmt: skip


def test_a_bid_beyond_all_there_is_is_only_noted() -> None:
    found = report(HEAD + "\nA bids 46")
    assert (found.verdict, [f.verdict for f in found.findings]) == ("clean", ["note"])
    capped = report(HEAD.replace("= A", "= A, bid_cap = total") + "\nA bids 46")
    assert [f.clause for f in capped.findings if f.verdict == "breach"] == ["zigzag.bid.raise"]


def test_a_ranking_is_named_by_the_contractor_before_the_lead() -> None:
    ranked = HEAD.replace("= A", "= A, ranking = yes")
    assert grave(ranked + BIDS + "\nA ranks 6 reverse\nA 2-2")[:-1] == []
    assert (4, "zigzag.rank", "breach") in grave(ranked + BIDS + "\nA 2-2")
    assert (4, "zigzag.rank", "breach") in grave(ranked + BIDS + "\nB ranks 6 reverse")
    assert (4, "zigzag.rank", "breach") in grave(ranked + BIDS + "\nA ranks 9 regular")


def test_the_double_eight_set_is_worth_120_points() -> None:
    assert sum(tile.low for tile in members(full(8))) == 120


@pytest.mark.parametrize(("largest", "each", "over"), [(6, 9, 1), (7, 12, 0), (8, 15, 0), (9, 18, 1)])
def test_the_set_is_dealt_out_whole(largest: int, each: int, over: int) -> None:
    tiles = [str(tile) for tile in members(full(largest))]
    hands = [" ".join(tiles[n * each : (n + 1) * each]) for n in range(3)]
    head = HEAD.replace("= A", f"= A, set = {largest}")
    dealt = "".join(f"\n{who} has {hand}" for who, hand in zip("ABC", hands, strict=True))
    assert grave(head + dealt) == []
    assert len(tiles) == 3 * each + over
    if over:
        assert grave(head + dealt + f"\nA bids 1\nB passes\nC passes\nA over {tiles[-1]}") == []
        assert grave(head + dealt + f"\nA bids 1\nB passes\nC passes\nB over {tiles[-1]}") == [
            (7, "zigzag.deal", "breach")
        ]


def test_the_target_is_250_where_points_are_played_for() -> None:
    opening = review(HEAD.replace("= A", "= A, scoring = points")).opening
    assert opening.options["target"] == 250
    assert review(HEAD).opening.options["target"] == 100


def test_it_is_for_three() -> None:
    assert GAME.seats == "three players"
