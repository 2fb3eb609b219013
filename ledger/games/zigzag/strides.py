"""A fast way through the faultless part of a record of Zigzag; `table` alone says what an event does.

Each function goes over a run of events with plain variables instead of a state for each, and stops before the first
event that it is not sure of.  Without this file an audit says the same and takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score, Take
from ledger.games.zigzag import clauses, options
from ledger.games.zigzag.hands import holdings
from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.scoring import earned_by, made_with_more
from ledger.games.zigzag.state import (
    ALL,
    EVENTS,
    NEXT,
    SEATS,
    Hand,
    Zigzag,
    bid_out,
    following,
    held_by_all,
    played_in_all,
    silent,
    start,
    unnamed,
)
from ledger.games.zigzag.table import begin, evolve, finish
from ledger.strides import Leap, Stride, leaps
from ledger.tiles import full, mask


def run(state: Zigzag, events: Sequence[Correctable], index: int, touched: set[str]) -> tuple[Zigzag, int]:
    """The state after the longest faultless run, and the index of the first event that it did not consume."""
    return leaps(LEAPS, (), state, events, index, touched)


def deals(state: Zigzag, events: Sequence[Correctable], first: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """Whole hands of the right size, before anybody has spoken, of tiles that are nowhere else."""
    if state.hand.phase == "play" or (state.hand.phase == "bidding" and state.hand.spoke):
        return state, first
    rules, fresh = state.rules, state.hand.phase == "over"
    hand = Hand() if fresh else state.hand
    dealt, whole = list(hand.dealt), hand.whole
    unseen = full(rules.largest) & ~(hand.played | dealt[0] | dealt[1] | dealt[2])
    for index in range(first, len(events)):
        event = events[index]
        if type(event) is not Deal:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if event.partial or dealt[seat] or tiles & ~unseen:
            break
        if not tiles.bit_count() == len(event.tiles) == rules.share:
            break
        unseen &= ~tiles
        dealt[seat] = tiles
        whole |= 1 << seat
    else:
        index = len(events)
    if index == first:
        return state, first
    if fresh:
        state = begin(state)
    return replace(state, hand=replace(state.hand, dealt=tuple(dealt), whole=whole)), index


def calls(state: Zigzag, events: Sequence[Correctable], first: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """Bids and passes in turn, each bid a sound one on which no ruling rests; not the last of three passes."""
    hand = state.hand
    if hand.phase != "bidding":
        return state, first
    rules, bidder = state.rules, state.bidder
    turn, spoke, highest, contractor = hand.turn, hand.spoke, hand.highest, hand.contractor
    least = max(rules.least, 1)
    for index in range(first, len(events)):
        event = events[index]
        if spoke == ALL or (type(event) is not Bid and type(event) is not Pass):
            break
        seat = rules.seat[event.player]
        if seat != turn:
            break
        after = spoke | 1 << seat
        if type(event) is Bid:
            bid = event.bid
            if not (highest < bid <= rules.total and least <= bid):
                break
            highest, contractor = bid, seat
        elif after == ALL and contractor is None:
            break
        if not spoke:
            bidder = seat
        spoke = after
        turn = silent(spoke, seat) if spoke != ALL else contractor
    else:
        index = len(events)
    if index == first:
        return state, first
    hand = replace(hand, spoke=spoke, highest=highest, contractor=contractor, turn=turn)
    return replace(state, hand=hand, bidder=bidder), index


def ranking(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The contractor names the order of the numbers."""
    event = events[index]
    if any(clauses.rank.faults(state, event, state)):
        return state, index
    return evolve(state, event), index + 1


def tile_over(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The contractor gets the tile over, which is nowhere else."""
    event: Any = events[index]
    hand = state.hand
    first, second, third = hand.dealt
    unseen = full(state.rules.largest) & ~(first | second | third | hand.played)
    if hand.phase == "over" or not event.tile.bit & unseen or any(clauses.deal.faults(state, event, state)):
        return state, index
    return evolve(state, event), index + 1


def plays(state: Zigzag, events: Sequence[Correctable], first: int, touched: set[str]) -> tuple[Zigzag, int]:
    """Tiles played in turn out of written hands, and the takes that say who took which pile."""
    rules, hand = state.rules, state.hand
    if hand.turn is None or not (hand.phase == "play" or (bid_out(hand) and not unnamed(rules, hand))):
        return state, first
    seats, over = rules.seat, covers(rules.largest, hand.rank)
    values = worths(rules.largest, hand.rank, rules.by_rank)
    turn, last, captures, taken, worth = hand.turn, hand.last, hand.captures, list(hand.taken), list(hand.worth)
    # `laid` are all tiles played so far; the last `lying` of them are the pile, worth `points`.
    laid, lying, points = list(hand.pile), len(hand.pile), sum([values[tile] for tile in hand.pile])
    top, holds = over[laid[-1]] if laid else -1, held_by_all(rules, hand)
    before = unplayed(hand, holds)
    held = list(before)
    for index in range(first, len(events)):
        event = events[index]
        if type(event) is Play:
            tile, seat = event.tile, seats[event.player]
            bit, number = tile.bit, tile.index
            if seat != turn or not bit & held[seat]:
                break
            if bit & top:
                lying += 1
                points += values[number]
                captures = ()
            else:
                assert last is not None  # noqa: S101  somebody played the pile
                captures = ((last, lying, points),)
                taken[last] += lying
                worth[last] += points
                lying, points = 1, values[number]
            top, last, turn = over[number], seat, NEXT[seat]
            held[seat] ^= bit
            laid.append(number)
        elif type(event) is not Take or not clauses.is_true(captures, seats[event.player], event):
            break
    else:
        index = len(events)
    if index == first or last is None:
        return state, first
    played, count = hand.played, list(hand.plays)
    for seat in range(SEATS):
        gone = before[seat] ^ held[seat]
        played |= gone
        count[seat] += gone.bit_count()
    ended = played.bit_count() >= played_in_all(rules, hand)
    if ended:
        captures = (*captures, (last, lying, points))
        taken[last] += lying
        worth[last] += points
    hand = Hand(
        "over" if ended else "play", None if ended else following(holds, count, last), hand.spoke, hand.highest,
        hand.contractor, hand.over, hand.rank, hand.dealt, hand.whole, played, tuple(count),
        () if ended else tuple(laid[-lying:]), last, captures, tuple(taken), tuple(worth), hand.scored,
    )  # fmt: skip
    return settle(state, hand, touched), index


def settle(state: Zigzag, hand: Hand, touched: set[str]) -> Zigzag:
    """The game after some plays, and scored if the last of them ended the hand."""
    rules = state.rules
    if rules.points and hand.rank is not None and hand.taken != state.hand.taken:
        touched.add("lower_end")
    if hand.phase != "over":
        return replace(state, hand=hand)
    if made_with_more(rules, hand):
        touched.add("made_scores")
    return finish(state, hand, earned_by(rules, hand))


def unplayed(hand: Hand, holds: Sequence[int]) -> tuple[int, ...]:
    """The tiles that each seat has left, where they are written; none where what is written cannot all be true."""
    (first, second, third), played, plays = hand.dealt, hand.played, hand.plays
    if first & second or (first | second) & third:
        return (0, 0, 0)
    left = (first & ~played, second & ~played, third & ~played)
    more = [tiles.bit_count() > holds[seat] - plays[seat] for seat, tiles in enumerate(left)]
    return (0, 0, 0) if True in more else left


def takes(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """A take that says who took which pile."""
    event: Any = events[index]
    return state, index + clauses.is_true(state.hand.captures, state.rules.seat[event.player], event)


def scores(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The true points of a hand that is over, or the true totals then."""
    event: Any = events[index]
    if state.hand.phase != "over" or state.earned is None:
        return state, index
    clause = clauses.score if event.scope == "hand" else clauses.win
    return state, index + (not any(clause.faults(state, event, state)))


LEAPS: Mapping[type, Leap] = {
    Deal: deals, Bid: calls, Pass: calls, Rank: ranking, Over: tile_over, Play: plays, Take: takes, Score: scores,
}  # fmt: skip
"""By the type of event that a run begins with, the function that goes over the run."""

STRIDE: Stride[Zigzag] = Stride(
    run,
    vouches=frozenset(
        {
            EVENTS,
            (),  # nothing may close a game after its end
            start,
            evolve,
            holdings,
            clauses.in_set,
            clauses.once,
            clauses.end,
            clauses.deal,
            clauses.next_hand,
            clauses.bid_order,
            clauses.bid_raise,
            clauses.contract,
            clauses.rank,
            clauses.all_pass,
            clauses.hand_end,
            clauses.turn,
            clauses.held,
            clauses.take,
            clauses.score,
            clauses.win,
            options.LOWER_END,
            options.ALL_PASS,
            options.ALL_PASS_COUNTS,
            options.MIN_BID,
            options.BID_CAP,
            options.MADE_SCORES,
        }
    ),
)
