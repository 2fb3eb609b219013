"""What a whole record of Zigzag proves about the hands behind its plays.

Source: the rules' README, "Proof from the whole record".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.events import Deal, Over, Play
from ledger.game import Step
from ledger.games.zigzag.state import SEATS, Rules
from ledger.holdings import Hand, Proof, prove
from ledger.tiles import full, mask


def holdings(steps: Sequence[Step]) -> dict[int, Proof]:
    """By seq of each play, what the whole record proves about the player's hand."""
    hands: dict[tuple[int, int], Hand] = {}
    rules: Rules = steps[0].after.rules
    for seq, event, before, after in steps:
        if before.ended or not (type(event) is Play or type(event) is Deal or type(event) is Over):
            continue
        seat = rules.seat[event.player]
        place = (after.begun, seat)
        hand = hands.get(place)
        if hand is None:
            hand = hands[place] = Hand(seat, after.begun, rules.share)
        if type(event) is Play:
            hand.acts.append((seq, event.tile.bit))
            if seat == after.hand.contractor:
                hand.size = rules.share + rules.over
        elif type(event) is Deal:
            hand.written |= mask(event.tiles)
            hand.whole = hand.whole or not event.partial
        elif type(event) is Over:
            hand.written |= event.tile.bit
            hand.size = rules.share + 1
    compare_hands(hands, rules)
    return prove(hands.values(), full(rules.largest))


def compare_hands(hands: Mapping[tuple[int, int], Hand], rules: Rules) -> None:
    """Writes into each hand what the other two of its deal show, with one set among the three."""
    for (number, seat), hand in hands.items():
        if hand.plain:
            continue
        others = [hands[number, other] for other in range(SEATS) if other != seat and (number, other) in hands]
        for other in others:
            hand.foreign |= other.written
            hand.gone |= other.played
        if hand.whole and hand.size > rules.share and hand.written.bit_count() == rules.share:
            # The tile over went to this player, and nobody wrote down which it was.
            hand.whole = False
