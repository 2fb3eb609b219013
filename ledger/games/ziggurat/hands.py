"""Proves from the whole record of a game of Ziggurat what its players held."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Place
from ledger.evidence import Evidence, Hand, Shared, prove
from ledger.game import Step
from ledger.games.ziggurat.state import Ziggurat
from ledger.tiles import full, size


def holdings(steps: Sequence[Step]) -> dict[int, Evidence]:
    """By seq of each placement, what the whole record proves about the player's hand."""
    if not any(type(step.event) is Place for step in steps):
        return {}
    last: Ziggurat = steps[-1].after
    rules = last.rules
    hands = [Hand(seat, 0, last.sizes[seat], tiles, acts=[]) for seat, tiles in enumerate(last.dealt)]
    for seq, event, before, after in steps:
        # A domino without a place was not played, and neither was one whose act is written twice.
        if type(event) is Place and after.placed is not before.placed:
            known = after.lies is not before.lies
            hands[rules.seat[event.player]].play(seq, event.tile.bit if known else 0)
    # The remaining tiles are outside, known or not.
    over = size(rules.largest) - rules.share * len(hands) - last.aside.bit_count()
    group = Shared(hands, full(rules.largest), last.aside, max(0, over))
    return {seq: evidence for (seq, _seat), evidence in prove([group]).items()}
