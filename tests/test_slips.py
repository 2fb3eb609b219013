"""One slip, one finding: a finished game with exactly one slip, and the number of findings that it may cause.

The bounds are those of the conformance records (fixtures/conformance/README.md); the rule is "One slip, one finding" in
the rules.  Every game here can be played again: the message of a test that fails has its seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from ledger.audit import forgotten
from ledger.audit import slips as prices
from ledger.audit.auditor import audit
from ledger.audit.repairs import Retraction
from ledger.audit.trials import Trials
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.codec import check
from ledger.record.events import (
    AnyEvent,
)
from ledger.record.record import Record
from ledger.rules.game import GRAVE
from misplaced import act_forgotten, not_in_set, tile_twice, tiles_exchanged, wrong_level, wrong_place, wrong_stack
from sheets import review
from slips import (
    BUILD_UP,
    EVERY,
    GALE,
    TURNS,
    ZIGGURAT,
    ZIGZAG,
    Events,
    Plant,
    Table,
    act_twice,
    acts_swapped,
    after_end,
    deal_twice,
    draws_swapped,
    extra_pass,
    hidden,
    layout_twice,
    part_then_whole,
    pass_in_a_row,
    quiet,
    total_carried,
    wrong_claim,
    wrong_player,
)

SEEDS = {"domino-ziggurat": (3, 7, 8, 10, 13), "build-up": range(40)}
"""The seeds of the games, if not the first eight: for the puzzle, games that are solved quickly; for Build Up more
games, since some slips are possible in only a few."""


class Slip(NamedTuple):
    """A kind of slip: how it is put into a record, and how many findings it may cause in each game that can have it.

    `silent` are the games that make no claims then, since those before and after the slip would follow from it.
    `hands` tells whether it is planted in records with hands, without, or in both.
    """

    plant: Plant
    most: Mapping[str, int]
    silent: Sequence[str] = ()
    hands: Sequence[str] = ("open", "hidden")


SLIPS = {
    "wrong-claim": Slip(wrong_claim, dict.fromkeys(EVERY, 1)),
    "total-carried": Slip(total_carried, dict.fromkeys(TURNS, 1)),
    "act-twice": Slip(act_twice, dict.fromkeys(EVERY, 1)),
    "extra-pass": Slip(extra_pass, dict.fromkeys(TURNS, 1)),
    "wrong-player": Slip(wrong_player, {ZIGGURAT: 2, ZIGZAG: 2, BUILD_UP: 3}, (ZIGGURAT, ZIGZAG)),
    "acts-swapped": Slip(acts_swapped, dict.fromkeys(TURNS, 1), (ZIGZAG,)),
    "draws-swapped": Slip(draws_swapped, {GALE: 0}),
    "act-forgotten": Slip(act_forgotten, dict.fromkeys(EVERY, 2), (ZIGGURAT, ZIGZAG)),
    "tile-twice": Slip(tile_twice, dict.fromkeys(EVERY, 1), (ZIGZAG,)),
    "not-in-set": Slip(not_in_set, dict.fromkeys(EVERY, 1), (ZIGZAG,)),
    "tiles-exchanged": Slip(tiles_exchanged, {ZIGZAG: 2}, (ZIGZAG,), ("open",)),
    "tiles-exchanged-unseen": Slip(tiles_exchanged, {ZIGZAG: 0}, (ZIGZAG,), ("hidden",)),
    "wrong-place": Slip(wrong_place, {GALE: 3}),
    "wrong-level": Slip(wrong_level, {ZIGGURAT: 3, GALE: 3}, (ZIGGURAT,)),
    "wrong-stack": Slip(wrong_stack, {BUILD_UP: 1}),
    "deal-twice": Slip(deal_twice, dict.fromkeys(TURNS, 0), hands=("open",)),
    "part-then-whole": Slip(part_then_whole, dict.fromkeys(TURNS, 0), hands=("open",)),
    "layout-twice": Slip(layout_twice, {BUILD_UP: 1}),
    "after-end": Slip(after_end, dict.fromkeys(TURNS, 1)),
    "pass-in-a-row": Slip(pass_in_a_row, {BUILD_UP: 1}, hands=("hidden",)),
}
"""Domino Ziggurat has no turns, deals or passes, and the hand lies open.  Tiles are exchanged only in Zigzag:
elsewhere another tile breaks the rules of its place as well."""

CASES = [
    pytest.param(kind, name, hands, id=f"{name}-{kind}-{hands}")
    for kind, slip in SLIPS.items()
    for name in slip.most
    for hands in slip.hands
    if name != GALE or hands == "open"
]


@cache
def finished_game(name: str, seed: int) -> Record | None:
    """A simulated game, if it came to its end."""
    game = catalog.find(name)
    record = simulate(game, seed)
    return record if audit(game, record).finished else None


def records_with_slips(kind: str, name: str, hands: str) -> Iterator[tuple[int, Record]]:
    """Finished games with one slip of a kind, each with its seed."""
    slip, game = SLIPS[kind], catalog.find(name)
    for seed in SEEDS.get(name, range(8)):
        record = finished_game(name, seed)
        if record is None:
            continue
        events: Events = list(record.events)
        if name in slip.silent:
            events = quiet(events)
        if hands == "hidden" and kind != "pass-in-a-row":
            events = hidden(events)
        for attempt in range(2):
            slipped: list[AnyEvent] | None = slip.plant(Table(game, events, Random(f"{kind}/{seed}/{attempt}")))
            if slipped is not None:
                yield seed, check(slipped)


@pytest.mark.parametrize(("kind", "name", "hands"), CASES)
def test_one_slip_makes_no_more_findings_than_it_must(kind: str, name: str, hands: str) -> None:
    game, most, count = catalog.find(name), SLIPS[kind].most[name], 0
    for seed, record in records_with_slips(kind, name, hands):
        count += 1
        grave = [f for f in audit(game, record).findings if f.verdict in ("impossible", "breach")]
        assert len(grave) <= most, f"{name}, seed {seed}: {[(f.seq, f.clause, f.message) for f in grave]}"
    assert count, "no game has a place for this slip"


def test_likelier_slips_are_tried_first() -> None:
    order = (
        prices.DUPLICATE, prices.A_PASS, prices.SWAPPED, prices.A_PIP, prices.A_CLAIM, prices.NUMBER, prices.TURNED,
        prices.ASKED_TILE, prices.NEVER, prices.STACK, prices.ANOTHER_NUMBER, prices.ANOTHER_TILE,
        prices.ANOTHER_OF_A_HAND, prices.NO_HAND,
    )  # fmt: skip
    assert list(order) == sorted(set(order))
    assert (prices.BESIDE, prices.NEXT_SEAT, prices.SEAT) == (prices.A_PIP, prices.A_CLAIM, prices.TURNED)
    assert prices.A_PIP_OF_A_HAND == prices.ANOTHER_NUMBER
    assert forgotten.NEAR * forgotten.PER_ACT > forgotten.FORGOTTEN > prices.TURNED


@pytest.mark.parametrize("doubled", [1, 2, 3])
def test_an_act_right_after_the_same_act_is_likeliest_too_much(doubled: int) -> None:
    acts = ["A 5-1 b2-c2 L1", "B 1-1 b3-c3 L1", "A 1-2 b4-c4 L1"]
    acts.insert(doubled, acts[doubled - 1])
    game = review("Game: ziggurat\nPlayers: A = Ana, B = Ben\n\n" + "\n".join(acts) + "\n")
    findings = [finding for finding in game.report.findings if finding.verdict in GRAVE]
    trials = Trials(game)
    tried = list(prices.slips(trials, findings, trials.places[findings[0].seq]))
    too_much = [slip for slip in tried if [type(correction) for correction in slip.corrections] == [Retraction]]
    assert too_much[0] == min(tried, key=lambda slip: slip.price)
    assert {slip.price for slip in too_much[:1]} == {prices.DUPLICATE}
    assert [correction.seq for correction in too_much[0].corrections] == [doubled + 1]
    assert all(slip.price > prices.DUPLICATE for slip in too_much[1:])
