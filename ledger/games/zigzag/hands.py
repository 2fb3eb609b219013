"""Proves from a whole record of Zigzag what the players held.

Source: the rules' README, "Proof from the whole record".
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.games.zigzag.state import AFTER, BEGINS, SEATS, Rules
from ledger.games.zigzag.state import Hand as HandOnTable
from ledger.record.events import Bid, Deal, Over, Pass, Play
from ledger.record.tiles import full
from ledger.rules.evidence import Act, Hand, Shared, prove
from ledger.rules.game import Step

OUT_OF_HANDS = frozenset((Deal, Over, Play))
"""The events that show what a hand held."""
Plays = tuple[list[Act], list[Act], list[Act]]
"""The plays of one hand by seat."""


def holdings(steps: Sequence[Step]) -> dict[int, Any]:
    """By seq of each play, what the whole record proves about the player's hand; and `BEGINS` for a call during play
    that was the first of the next hand.
    """
    rules: Rules = steps[0].after.rules
    plays: dict[int, Plays] = {}
    ends: dict[int, HandOnTable] = {}
    for step in steps:
        event, before, after, hand = step.event, step.before, step.after, step.after.hand
        if type(event) not in OUT_OF_HANDS or hand.stray or before.ended:
            continue
        number = after.begun
        ends[number] = hand
        if type(event) is Play and hand.plays is not before.hand.plays:
            tile = event.tile.bit if hand.played != before.hand.played else 0
            if number not in plays:
                plays[number] = ([], [], [])
            plays[number][rules.seat[event.player]].append(Act(step.seq, tile, plays=True))
    evidence = prove(shared(rules, ends[number], played) for number, played in plays.items())
    return {seq: of_player for (seq, _seat), of_player in evidence.items()} | dict.fromkeys(early_calls(steps), BEGINS)


def early_calls(steps: Sequence[Step]) -> Iterator[int]:
    """The seqs of the bids and passes during play with which, as the next call shows, the next hand began."""
    ahead = -1
    for step in steps:
        if type(step.event) is not Bid and type(step.event) is not Pass:
            continue
        before, after = step.before, step.after
        if after.hand.ahead is not None and after.hand.ahead is not before.hand.ahead:
            ahead = step.seq
        elif before.hand.ahead is not None and after.begun > before.begun and after.bidder == before.hand.ahead[0]:
            yield ahead


def shared(rules: Rules, hand: HandOnTable, plays: Plays) -> Shared:
    """The three hands of a deal, as the record has them after the last play."""
    astray = 1 << hand.over if hand.over is not None and hand.over >= 0 else 0
    if hand.contractor is not None and hand.dealt[hand.contractor] & astray:
        astray = 0
    hands = []
    for seat in range(SEATS):
        size, whole, tiles = rules.share, bool(hand.whole >> seat & 1), hand.dealt[seat] & ~astray
        if seat == hand.contractor or hand.dealt[seat] & astray:
            # This hand has the tile over.  The record may not say which tile it is, or may give it to another player.
            size, whole = size + rules.over, whole and hand.over is not None
        if not whole:
            # A tile that is also written in a whole hand is not known to be in this one.
            tiles &= ~sum([hand.dealt[other] for other in AFTER[seat][:2] if hand.whole >> other & 1])
        # A hand that was written down too small may have one tile more.
        hands.append(Hand(seat, 0, size, tiles, whole and tiles.bit_count() >= size, acts=plays[seat]))
    return Shared(hands, full(rules.largest), room=rules.over if hand.contractor is None else 0)
