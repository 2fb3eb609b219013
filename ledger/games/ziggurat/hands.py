"""What the whole record of a game of Ziggurat proves about the hands of its players."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Aside, Deal, Place
from ledger.game import Step
from ledger.games.ziggurat.state import Ziggurat
from ledger.holdings import Hand, Proof, prove
from ledger.tiles import full, mask


def holdings(steps: Sequence[Step]) -> dict[int, Proof]:
    """By seq of each placement, what the whole record proves about the player's hand."""
    if Place not in {type(step[1]) for step in steps}:
        return {}
    last: Ziggurat = steps[-1].after
    # The state also knows what was dealt at steps that are left out here; tiles of no such set are in the events alone.
    rules, whole, aside = last.rules, last.whole, last.aside
    hands = [Hand(seat, 0, rules.share, tiles, bool(whole >> seat & 1)) for seat, tiles in enumerate(last.dealt)]
    for seq, event, before, _after in steps:
        if before.ended:
            continue
        if type(event) is Place:
            hands[rules.seat[event.player]].acts.append((seq, event.tile.bit))
        elif type(event) is Deal:
            hands[rules.seat[event.player]].written |= mask(event.tiles)
        elif type(event) is Aside:
            aside |= mask(event.tiles)
    doubtful = [hand for hand in hands if not hand.plain]
    for hand in doubtful:
        hand.foreign = aside
        for other in hands:
            if other is not hand:
                hand.foreign |= other.written
                hand.gone |= other.played
    return prove(doubtful, full(rules.largest)) if doubtful else {}
