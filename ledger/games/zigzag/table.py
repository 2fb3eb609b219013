"""The table of Zigzag: what one event does to it.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score
from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.scoring import added, earned_by
from ledger.games.zigzag.state import (
    ALL,
    Captures,
    Hand,
    Rules,
    Zigzag,
    first_bidder,
    following,
    held_by_all,
    played_in_all,
    silent,
)
from ledger.tiles import Tile, full, mask


def begin(state: Zigzag) -> Zigzag:
    """The game when the next hand has begun, before anybody has spoken in it."""
    return replace(
        state,
        hand=Hand(phase="bidding", turn=first_bidder(state)),
        begun=state.begun + 1,
        thrown_in=False,
        broken=state.broken or state.hand.phase != "over",
    )


# The tiles are dealt out before the bidding.  A second deal to a player, once somebody has spoken, begins a new hand.
def on_deal(state: Zigzag, event: Deal) -> Zigzag:
    """The tiles are in the player's hand."""
    seat, hand = state.rules.seat[event.player], state.hand
    if hand.phase != "bidding" or (hand.spoke and hand.dealt[seat]):
        state = begin(state)
        hand = state.hand
    fresh = mask(event.tiles) & full(state.rules.largest) & ~hand.dealt[seat]
    whole = hand.whole if event.partial else hand.whole | 1 << seat
    return replace(state, hand=replace(hand, dealt=added(hand.dealt, seat, fresh), whole=whole))


def on_speech(state: Zigzag, event: Bid | Pass) -> Zigzag:
    """A bid or a pass: a call in the bidding, and out of place in the play."""
    if state.hand.phase == "over" or (state.hand.phase == "play" and state.hand.scored):
        state = begin(state)
    hand = state.hand
    if hand.phase == "play":
        return passed_over(state, event) if type(event) is Pass else state
    return state if hand.spoke == ALL else call(state, event)


def passed_over(state: Zigzag, event: Pass) -> Zigzag:
    """A pass in the play is a breach; the turn goes on to the next player all the same."""
    rules, hand = state.rules, state.hand
    turn = following(held_by_all(rules, hand), hand.plays, rules.seat[event.player])
    return replace(state, hand=replace(hand, turn=turn))


# Each speaks once; the highest bidder is the contractor, and if all pass the hand is thrown in.
def call(state: Zigzag, event: Bid | Pass) -> Zigzag:
    """A player has bid or passed."""
    seat, hand = state.rules.seat[event.player], state.hand
    if not hand.spoke:
        state = replace(state, bidder=seat)
    spoke, highest, contractor = hand.spoke | 1 << seat, hand.highest, hand.contractor
    if type(event) is Bid and spoke != hand.spoke and event.bid > highest:
        highest, contractor = event.bid, seat
    if spoke == ALL and contractor is None:
        return finish(state, replace(hand, phase="over", spoke=spoke, turn=None), (0, 0, 0), thrown_in=True)
    turn = contractor if spoke == ALL else silent(spoke, seat)
    return replace(state, hand=replace(hand, spoke=spoke, highest=highest, contractor=contractor, turn=turn))


def on_rank(state: Zigzag, event: Rank) -> Zigzag:
    """The order of the numbers for this hand; the first one that is named holds."""
    hand = state.hand
    if hand.rank is not None or hand.phase == "over" or not 0 <= event.high <= state.rules.largest:
        return state
    return replace(state, hand=replace(hand, rank=(event.high, event.direction == "reverse")))


def on_over(state: Zigzag, event: Over) -> Zigzag:
    """The tile over is in the player's hand."""
    hand = state.hand
    if hand.phase == "over" or hand.over is not None or event.tile.high > state.rules.largest:
        return state
    seat = state.rules.seat[event.player]
    dealt = added(hand.dealt, seat, event.tile.bit & ~hand.dealt[seat])
    # A whole hand stays whole, but `held_by_all` counts the tile over by itself.
    whole = hand.whole & ~(1 << seat)
    return replace(state, hand=replace(hand, over=event.tile.index, dealt=dealt, whole=whole))


# Each plays one tile to the pile, clockwise, until all tiles are played.
def on_play(state: Zigzag, event: Play) -> Zigzag:
    """The tile lies in the centre, and the pile goes where it belongs."""
    if state.hand.phase == "over":
        state = begin(state)
    rules, hand, seat, tile = state.rules, state.hand, state.rules.seat[event.player], event.tile
    plays = added(hand.plays, seat, 1)
    turn = following(held_by_all(rules, hand), plays, seat)
    if tile.high > rules.largest or tile.bit & hand.played:
        # No table could have shown this tile: nothing lies there that was not there before.
        return replace(state, hand=replace(hand, phase="play", plays=plays, turn=turn, captures=()))
    pile, captures, taken, worth = to_pile(rules, hand, tile)
    hand = Hand(
        "play", turn, hand.spoke, hand.highest, hand.contractor, hand.over, hand.rank, hand.dealt, hand.whole,
        hand.played | tile.bit, plays, pile, seat, captures, taken, worth, hand.scored,
    )  # fmt: skip
    if hand.played.bit_count() < played_in_all(rules, hand):
        return replace(state, hand=hand)
    hand = take_last(rules, hand)
    return finish(state, hand, earned_by(rules, hand))


# A covering tile stays on the pile; otherwise the player of the tile before takes all before it.
def to_pile(rules: Rules, hand: Hand, tile: Tile) -> tuple[tuple[int, ...], Captures, tuple[int, ...], tuple[int, ...]]:
    """The pile after a tile, who captured what, and the tiles and points taken so far by seat."""
    if not hand.pile or tile.bit & covers(rules.largest, hand.rank)[hand.pile[-1]]:
        return (*hand.pile, tile.index), (), hand.taken, hand.worth
    seat, tiles, points = capture(rules, hand)
    return (tile.index,), ((seat, tiles, points),), added(hand.taken, seat, tiles), added(hand.worth, seat, points)


def capture(rules: Rules, hand: Hand) -> tuple[int, int, int]:
    """The pile as the player of its top tile takes it: the seat, how many tiles, and what they are worth."""
    assert hand.last is not None  # noqa: S101  somebody played the pile
    values = worths(rules.largest, hand.rank, rules.by_rank)
    return hand.last, len(hand.pile), sum([values[index] for index in hand.pile])


# The player of the hand's last tile takes it with the tiles that it covers.
def take_last(rules: Rules, hand: Hand) -> Hand:
    """The hand when its last tile was played: over, and nothing is left in the centre."""
    seat, tiles, points = last = capture(rules, hand)
    return replace(
        hand,
        phase="over",
        turn=None,
        pile=(),
        captures=(*hand.captures, last),
        taken=added(hand.taken, seat, tiles),
        worth=added(hand.worth, seat, points),
    )


# The game ends after the hand in which a total reaches the target, or after the fixed number of hands.
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


# A claim changes nothing but where the next hand begins: a score of the hand says that the hand is over.
def on_score(state: Zigzag, event: Score) -> Zigzag:
    """The table scores the hand while it is going on."""
    if event.scope == "hand" and state.hand.phase == "play":
        return replace(state, hand=replace(state.hand, scored=True))
    return state


EVOLVE: Mapping[type, Any] = {
    Deal: on_deal, Bid: on_speech, Pass: on_speech, Rank: on_rank, Over: on_over, Play: on_play, Score: on_score,
}  # fmt: skip


def evolve(state: Zigzag, event: Correctable) -> Zigzag:
    """The table after an act."""
    on = EVOLVE.get(type(event))
    after: Zigzag = on(state, event) if on else state
    return after
