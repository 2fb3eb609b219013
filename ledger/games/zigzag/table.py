"""The table of Zigzag: what an event does to a game as it stands.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score
from ledger.games.zigzag.play import added, earned_by, lay
from ledger.games.zigzag.state import (
    ALL,
    Hand,
    Rules,
    Zigzag,
    first_bidder,
    following,
    held_by_all,
    lowest_above,
    silent,
)
from ledger.tiles import full, mask


def next_hand(state: Zigzag) -> Hand:
    """The next hand, before anybody has spoken."""
    return Hand(phase="bidding", turn=first_bidder(state))


def begin(state: Zigzag, hand: Hand) -> Zigzag:
    """The game when the next hand has begun."""
    return replace(
        state,
        hand=hand,
        begun=state.begun + 1,
        thrown_in=False,
        broken=state.broken or state.hand.phase != "over",
    )


def _on_deal(state: Zigzag, event: Deal) -> Zigzag:
    hand = state.hand
    if hand.phase != "bidding" or (hand.spoke and hand.dealt[state.rules.seat[event.player]]):
        state = begin(state, next_hand(state))
    hand, _ = hand_out(state.rules, state.hand, (event,), 0)
    return replace(state, hand=hand)


def hand_out(
    rules: Rules, hand: Hand, events: Sequence[Correctable], place: int, *, strictly: bool = False
) -> tuple[Hand, int]:
    """Deals: the hand afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that of which there is something to be said: all but a whole hand of the right size to somebody
    who has none, of tiles that are nowhere else.
    """
    dealt, whole = list(hand.dealt), hand.whole
    every = full(rules.largest)
    unseen = every & ~(hand.played | dealt[0] | dealt[1] | dealt[2])
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is not Deal:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if strictly and (event.partial or dealt[seat] or tiles & ~unseen):
            break
        if strictly and not tiles.bit_count() == len(event.tiles) == rules.share:
            break
        unseen &= ~tiles
        dealt[seat] |= tiles & every
        if not event.partial:
            whole |= 1 << seat
    else:
        behind = len(events)
    return replace(hand, dealt=tuple(dealt), whole=whole), behind


def _on_speech(state: Zigzag, event: Bid | Pass) -> Zigzag:
    hand = state.hand
    if hand.phase == "over" or (hand.phase == "play" and hand.scored):
        state = begin(state, next_hand(state))
        hand = state.hand
    if hand.spoke == ALL and hand.phase == "bidding":
        return state
    if hand.phase == "play":
        # A pass in the play, or a bid: out of place.  A pass is that player's turn all the same.
        seat, holds = state.rules.seat[event.player], held_by_all(state.rules, hand)
        turn = following(holds, hand.plays, seat) if type(event) is Pass else hand.turn
        return replace(state, hand=replace(hand, turn=turn))
    return speak(state, (event,), 0)[0]


# Each speaks once; whoever bids highest is the contractor, and if all pass the hand is thrown in.
def speak(state: Zigzag, events: Sequence[Correctable], place: int, *, strictly: bool = False) -> tuple[Zigzag, int]:
    """Bids and passes before the play: the game afterwards, and the place of the first event that it leaves.

    Strictly, it leaves that of which there is something to be said, or which rests on a ruling: what is said out of
    turn, a bid too low or of nothing or above all there is to take, the last of three passes.
    """
    rules, hand, bidder = state.rules, state.hand, state.bidder
    turn, spoke, highest, contractor = hand.turn, hand.spoke, hand.highest, hand.contractor
    for behind in range(place, len(events)):
        event = events[behind]
        if spoke == ALL or (type(event) is not Bid and type(event) is not Pass):
            break
        seat, bid = rules.seat[event.player], event.bid if type(event) is Bid else None
        after = spoke | 1 << seat
        if strictly and seat != turn:
            break
        if strictly and bid is None and after == ALL and contractor is None:
            break
        if strictly and bid is not None and not max(lowest_above(rules, highest), 1) <= bid <= rules.total:
            break
        if not spoke:
            bidder = seat
        if bid is not None and bid > highest and after != spoke:
            highest, contractor = bid, seat
        spoke = after
        turn = silent(spoke, seat) if spoke != ALL else contractor
    else:
        behind = len(events)
    if spoke == ALL and contractor is None:
        hand = replace(hand, phase="over", spoke=spoke, turn=None)
        return finish(replace(state, bidder=bidder), hand, (0, 0, 0), thrown_in=True), behind
    hand = replace(hand, spoke=spoke, highest=highest, contractor=contractor, turn=turn)
    return replace(state, hand=hand, bidder=bidder), behind


def _on_rank(state: Zigzag, event: Rank) -> Zigzag:
    hand = state.hand
    if hand.rank is not None or hand.phase == "over" or not 0 <= event.high <= state.rules.largest:
        return state
    return replace(state, hand=replace(hand, rank=(event.high, event.direction == "reverse")))


def _on_over(state: Zigzag, event: Over) -> Zigzag:
    hand = state.hand
    if hand.phase == "over" or hand.over is not None or event.tile.high > state.rules.largest:
        return state
    seat = state.rules.seat[event.player]
    dealt = added(hand.dealt, seat, event.tile.bit & ~hand.dealt[seat])
    # A whole hand stays whole, but `held_by_all` counts the tile over by itself.
    whole = hand.whole & ~(1 << seat)
    return replace(state, hand=replace(hand, over=event.tile.index, dealt=dealt, whole=whole))


def _on_play(state: Zigzag, event: Play) -> Zigzag:
    rules = state.rules
    if state.hand.phase == "over":
        state = begin(state, next_hand(state))
    hand, seat, tile = state.hand, rules.seat[event.player], event.tile
    if tile.high > rules.largest or tile.bit & hand.played:
        plays = added(hand.plays, seat, 1)
        turn = following(held_by_all(rules, hand), plays, seat)
        return replace(state, hand=replace(hand, phase="play", plays=plays, turn=turn, captures=()))
    hand, _ = lay(rules, hand, (event,), 0)
    return settled(state, hand)


def settled(state: Zigzag, hand: Hand) -> Zigzag:
    """The game with the hand as it is after a play, and scored if that was its last."""
    return finish(state, hand, earned_by(state.rules, hand)) if hand.phase == "over" else replace(state, hand=hand)


def finish(state: Zigzag, hand: Hand, earned: tuple[int, ...], *, thrown_in: bool = False) -> Zigzag:
    """The game when a hand is over, and what it scored."""
    rules = state.rules
    totals = tuple(map(add, state.totals, earned))
    counted = state.counted + (not thrown_in or rules.thrown_counts)
    if rules.hands is not None:
        ended = counted >= rules.hands
    else:
        ended = rules.target is not None and max(totals) >= rules.target
    return replace(
        state,
        hand=hand,
        totals=totals,
        counted=counted,
        earned=earned,
        thrown_in=thrown_in,
        ended=ended and not state.broken,
    )


def _on_score(state: Zigzag, event: Score) -> Zigzag:
    # A claim changes nothing but where the next hand begins: who scores a hand says that it is over.
    if event.scope == "hand" and state.hand.phase == "play":
        return replace(state, hand=replace(state.hand, scored=True))
    return state


_EVOLVE: Mapping[type, Any] = {
    Deal: _on_deal, Bid: _on_speech, Pass: _on_speech, Rank: _on_rank, Over: _on_over, Play: _on_play, Score: _on_score,
}  # fmt: skip


def evolve(state: Zigzag, event: Correctable) -> Zigzag:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Zigzag = on(state, event) if on else state
    return after
