"""Proves from the whole record of a game of Ziggurat what its players held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.games.ziggurat.state import Ziggurat
from ledger.record.events import Place
from ledger.record.tiles import full, size
from ledger.rules.evidence import Evidence, Hand, Shared, prove
from ledger.rules.game import Step


def holdings(steps: Sequence[Step]) -> dict[int, Evidence]:
    """By seq of each placement, what the whole record proves about the player's hand."""
    last: Ziggurat = steps[-1].after
    rules, dealt = last.rules, last.dealt
    if all_dealt(steps, rules.seat, dealt):
        return {}
    hands = [Hand(seat, 0, last.sizes[seat], tiles, acts=[]) for seat, tiles in enumerate(dealt)]
    for step in steps:
        event, before, after = step.event, step.before, step.after
        # A domino without a place was not played, and neither was one whose act is written twice.
        if type(event) is Place and after.placed is not before.placed:
            known = after.lies is not before.lies
            hands[rules.seat[event.player]].play(step.seq, event.tile.bit if known else 0)
    # The remaining tiles are outside, known or not.
    over = size(rules.largest) - rules.share * len(hands) - last.aside.bit_count()
    group = Shared(hands, full(rules.largest), last.aside, max(0, over))
    return {seq: evidence for (seq, _seat), evidence in prove([group]).items()}


def all_dealt(steps: Sequence[Step], seats: Mapping[str, int], dealt: Sequence[int]) -> bool:
    """Whether every domino was laid by a player to whom it was dealt, so that nothing is left to prove."""
    for step in steps:
        event = step.event
        if type(event) is Place:
            unknown = step.after.lies is step.before.lies
            if unknown or not event.tile.bit & dealt[seats[event.player]]:
                return False
    return True
