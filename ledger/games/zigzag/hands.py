"""What a whole record of Zigzag proves about the hands behind its plays.

Source: the rules' README, "Proof from the whole record".
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Deal, Over, Play
from ledger.evidence import Evidence, Hand, Shared, prove
from ledger.game import Step
from ledger.games.zigzag.state import AFTER, SEATS, Rules
from ledger.games.zigzag.state import Hand as HandOnTable
from ledger.tiles import full

Plays = dict[int, list[tuple[int, int, int]]]
"""By the number of a hand, its plays: (seq, seat, the tile as a bit, or 0 if nobody knows which it was)."""


def holdings(steps: Sequence[Step]) -> dict[int, Evidence]:
    """By seq of each play, what the whole record proves about the player's hand."""
    rules: Rules = steps[0].after.rules
    plays: Plays = {}
    ends: dict[int, HandOnTable] = {}
    for seq, event, before, after in steps:
        hand = after.hand
        if type(event) not in (Deal, Over, Play) or hand.stray or before.ended:
            continue
        ends[after.begun] = hand
        if type(event) is Play and hand.plays is not before.hand.plays:
            tile = event.tile.bit if hand.played != before.hand.played else 0
            plays.setdefault(after.begun, []).append((seq, rules.seat[event.player], tile))
    evidence = prove(shared(rules, ends[number], played) for number, played in plays.items())
    return {seq: found for (seq, _seat), found in evidence.items()}


def shared(rules: Rules, hand: HandOnTable, plays: Sequence[tuple[int, int, int]]) -> Shared:
    """The three hands of a deal, as the record has them when it was played."""
    astray = 1 << hand.over if hand.over is not None and hand.over >= 0 else 0
    if hand.contractor is not None and hand.dealt[hand.contractor] & astray:
        astray = 0
    hands = []
    for seat in range(SEATS):
        size, whole, tiles = rules.share, bool(hand.whole >> seat & 1), hand.dealt[seat] & ~astray
        if seat == hand.contractor or hand.dealt[seat] & astray:
            # Here is the tile over; nobody need have written which it is, and it may have been written for another.
            size, whole = size + rules.over, whole and hand.over is not None
        if not whole:
            # A tile that is written in a whole hand too is not known to be in this one.
            tiles &= ~sum([hand.dealt[other] for other in AFTER[seat][:2] if hand.whole >> other & 1])
        # A hand that was written too small may have one tile more.
        hands.append(Hand(seat, 0, size, tiles, whole and tiles.bit_count() >= size, acts=[]))
    for seq, seat, tile in plays:
        hands[seat].play(seq, tile)
    return Shared(hands, full(rules.largest), room=rules.over if hand.contractor is None else 0)
