"""How many taps a move takes on a phone, by the page's own logic, over games from seeds: `taps.mjs`."""

import sys

import pytest

from ledger.games import catalog
from ledger.play.simulate import simulate
from node import needs_node
from taps_table import astray, counted, steps_of, touches

GAMES = {
    "ziggurat": ("ziggurat", {}, None, range(16), True, (1.85, 1.85)),
    "ziggurat, no hands": ("ziggurat", {}, None, range(16), False, (1.9, 1.9)),
    "ziggurat, double 12": ("ziggurat", {"set": 12}, None, (0,), True, (2.2, 1.95)),
    "ziggurat, double 12, no hands": ("ziggurat", {"set": 12}, None, (0,), False, (2.6, 2.05)),
    "gale 1.1": ("domino-ziggurat", {}, "1.1", (3, 13), True, (1.45, 1.45)),
    "build-up": ("build-up", {}, None, (0, 1), True, (1.75, 1.75)),
    "build-up, no hands": ("build-up", {}, None, (0, 1), False, (1.8, 1.8)),
    "zigzag": ("zigzag", {"hands": 3}, None, (0,), True, (1.1, 1.1)),
    "zigzag, no hands": ("zigzag", {"hands": 3}, None, (0,), False, (1.45, 1.2)),
}
"""Rule set, options, edition, the seeds, whether hands are written down, and the most taps for an act on average:
without and with slides, which name a tile in one touch.

They are for a screen of 360 x 640, where nothing is scrolled.
"""


LAST = {"ziggurat": [1], "ziggurat, double 12": [3], "build-up": [6, 6, 6, 1], "zigzag": [1, 1, 1]}
"""How many taps each hand of the player takes who is dealt to last: what is left, without those that are over."""


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_a_move_takes_few_taps_and_no_tile_is_turned_afterwards(name: str) -> None:
    game, options, edition, seeds, hands, most = GAMES[name]
    records = [simulate(catalog.find(game), seed, options, edition=edition) for seed in seeds]
    games = [steps_of(record, hands=hands) for record in records]
    assert touches(games, hands=hands, slides=False) <= most[0]
    assert touches(games, hands=hands, slides=True) <= most[1]
    if name in LAST:
        (taps,) = counted(games[:1], hands=True, slides=False)
        deals = [(step["act"], n) for step, n in zip(games[0], taps, strict=True) if step["act"]["type"] == "deal"]
        last = deals[-1][0]["player"]
        assert [count for act, count in deals if act["player"] == last] == LAST[name]
        assert sum(taps) <= 295


@needs_node
@pytest.mark.parametrize("name", ["ziggurat", "ziggurat, double 12", "gale 1.1", "gale 2"])
def test_fewer_than_one_tile_in_200_lands_elsewhere_than_meant(name: str) -> None:
    game, options, edition, seeds = {**GAMES, "gale 2": ("domino-ziggurat", {}, "2", (7, 8))}[name][:4]
    games = [
        steps_of(simulate(catalog.find(game), seed, options, edition=edition), hands=False) for seed in list(seeds)[:6]
    ]
    for scatter in (4, 6, 8):
        (wrong, tried), (before, _) = (astray(games, scatter, quick=quick) for quick in (False, True))
        sys.stdout.write(f"{name}, {scatter} px: {wrong} of {tried} elsewhere, by quick taps {before}\n")
        assert wrong < tried / 200 or scatter > 6
        assert before > 3 * wrong  # the trial sees the fault
