"""Deals a shuffled set of dominoes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ledger.record.events import Deal
from ledger.record.tiles import Tile


def deal_out(players: Sequence[str], tiles: Sequence[Tile], share: int, random: Random) -> Sequence[Deal]:
    """A hand of `share` of these tiles for each of these players; no hand at all if there are too few tiles."""
    if len(tiles) < share * len(players):
        return ()
    shuffled = list(tiles)
    random.shuffle(shuffled)
    hands = [shuffled[n * share : (n + 1) * share] for n in range(len(players))]
    return [
        Deal(player, tuple(sorted(hand, key=lambda tile: tile.index)))
        for player, hand in zip(players, hands, strict=True)
    ]
