"""A fast way through the faultless part of a record of Zigzag; `table` alone says what an event does.

Each function consumes a run of events with plain variables instead of a state for each, and stops before the first
event that it is not sure of.  Without this file an audit says the same but takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.games.zigzag import bidding_clauses, clauses, options
from ledger.games.zigzag.between_hands import finish, thrown_in
from ledger.games.zigzag.bidding import first_bidder
from ledger.games.zigzag.course import POINT, Course, last_piles, tables, taken_by_seat
from ledger.games.zigzag.hands import holdings
from ledger.games.zigzag.scoring import added, made_with_more
from ledger.games.zigzag.state import (
    AFTER,
    ALL,
    EVENTS,
    NEXT,
    SEATS,
    UNKNOWN,
    Hand,
    Rules,
    Zigzag,
    may_be_told,
    start,
    unplayed,
)
from ledger.games.zigzag.table import evolve
from ledger.record.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.record.tiles import full, mask
from ledger.rules.leaps import Frame, Leap, Stride, leaps
from ledger.rules.shared_clauses import are_by_player
from ledger.rules.turns import Turn


def run(state: Zigzag, events: Sequence[Correctable], index: int, touched: set[str]) -> tuple[Zigzag, int]:
    """The state after the longest faultless run, and the index of the first event that it did not consume."""
    return leaps(LEAPS, AFTER_END, state, events, index, touched)


def deals(state: Zigzag, events: Sequence[Correctable], first: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """Whole hands of the right size, before the bidding, of tiles that are in no other place."""
    if state.hand.phase == "play" or state.hand.left or (state.hand.phase == "bidding" and state.hand.spoke):
        return state, first
    rules, share, fresh = state.rules, state.rules.share, state.hand.phase == "over"
    hand = Hand("bidding", first_bidder(state)) if fresh else state.hand
    dealt, whole = list(hand.dealt), hand.whole
    unseen, index = full(rules.largest) & ~(dealt[0] | dealt[1] | dealt[2]), first
    for event in events[first : first + SEATS]:
        if type(event) is not Deal or event.partial or len(event.tiles) != share:
            break
        seat, tiles = rules.seat[event.player], mask(event.tiles)
        if dealt[seat] or tiles & unseen != tiles or tiles.bit_count() != share:
            break
        unseen ^= tiles
        dealt[seat] = tiles
        whole |= 1 << seat
        index += 1
    if index == first:
        return state, first
    hand = replace(hand, dealt=tuple(dealt), whole=whole)
    if fresh:
        return replace(state, hand=hand, begun=state.begun + 1, thrown_in=False), index
    return replace(state, hand=hand), index


def calls(state: Zigzag, events: Sequence[Correctable], first: int, touched: set[str]) -> tuple[Zigzag, int]:
    """Legal bids and passes in turn, up to the last of the hand."""
    hand, rules, index = state.hand, state.rules, first
    if hand.phase != "bidding" or not plain(hand.turn) or hand.skipped or hand.spoke == ALL:
        return state, first
    seat: Any = hand.turn.seat
    spoke, highest, contractor, last = hand.spoke, hand.highest, hand.contractor, hand.last
    for event in events[first : first + SEATS - spoke.bit_count()]:
        if (type(event) is not Bid and type(event) is not Pass) or event.player != rules.players[seat]:
            break
        if type(event) is Bid:
            if not (highest < event.bid <= rules.total and event.bid >= rules.least):
                break
            if not event.bid:
                touched.add("min_bid")
            highest, contractor = event.bid, seat
        spoke, last, seat, index = spoke | 1 << seat, seat, NEXT[seat], index + 1
    if index == first:
        return state, first
    last_call: Any = events[index - 1]
    after = replace(
        hand,
        turn=Turn(contractor if spoke == ALL else seat),
        calls=hand.calls + index - first,
        spoke=spoke,
        highest=highest,
        contractor=contractor,
        said=last_call.bid if type(last_call) is Bid else None,
        last=last,
    )
    if hand.spoke:
        called = replace(state, hand=after)
    else:
        called = replace(state, hand=after, bidder=hand.turn.seat, missed_bidder=None)
    if spoke == ALL and contractor is None:
        touched.update(("all_pass",) if rules.hands is None else ("all_pass", "all_pass_counts"))
        called = thrown_in(called, after)
    return called, index


def plain(turn: Turn) -> bool:
    """Whether it is certain whose turn it is."""
    return turn.seat is not None and turn.missed is None and not turn.also


def ranking(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The contractor names the order of the numbers."""
    event = events[index]
    if any(bidding_clauses.rank.faults(state, event, state)):
        return state, index
    return evolve(state, event), index + 1


def tile_over(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The contractor gets the tile over, which is in no other place."""
    event: Any = events[index]
    hand, rules, tile = state.hand, state.rules, event.tile
    (first, second, third), seat = hand.dealt, rules.seat[event.player]
    unseen = full(rules.largest) & ~(first | second | third | hand.played)
    if hand.phase == "over" or not tile.bit & unseen:
        return state, index
    if bid_for(hand) and seat == hand.contractor and rules.over and hand.over is None:
        with_it = replace(hand, over=tile.index, dealt=added(hand.dealt, seat, tile.bit))
        return replace(state, hand=with_it), index + 1
    if any(clauses.deal.faults(state, event, state)):
        return state, index
    return evolve(state, event), index + 1


def plays(state: Zigzag, events: Sequence[Correctable], first: int, touched: set[str]) -> tuple[Zigzag, int]:
    """Tiles played in turn from hands that are written down, and the takes that say who took which pile."""
    rules, hand, piles, turn = state.rules, state.hand, state.hand.piles, state.hand.turn.seat
    begins: Any = events[first]
    # Where hands are hidden, nothing is worked out in vain for each play.
    if turn is None or not begins.tile.bit & hand.dealt[turn] or not known(hand):
        return state, first
    players, seats, written, every = rules.players, rules.seat, unplayed_tiles(rules, hand), unplayed(rules, hand)
    held = list(written)
    covering, weights = tables(rules.largest, hand.rank, rules.by_rank)
    # These are explained in `Course`.  `covers_it` has, by index, whether a tile covers the one on top of the pile.
    won, last_of, taker, takes = taken_by_seat(piles), last_piles(hand), piles.taker, 0
    fresh, last = hand.fresh.bit_length() - 1, turn if piles.by is None else piles.by
    pile, covers_it = sum([weights[tile] for tile in piles.pile]), covering[piles.pile[-1] if piles.pile else -1]
    for event in events[first : first + 2 * every]:
        if type(event) is Play:
            tile, tiles = event.tile.index, held[turn]
            rest = tiles ^ event.tile.bit
            # Without a tile that was in the hand the number is less; one that was not makes it greater.
            if event.player != players[turn] or rest > tiles or event.end:
                break
            held[turn] = rest
            if covers_it[tile]:
                pile += weights[tile]
                fresh = -1
            else:
                won[last] += pile
                last_of[last] = pile
                pile = weights[tile]
                taker = fresh = last
            covers_it = covering[tile]
            last = turn
            turn = NEXT[turn]
        # After the last tile of the hand, nobody holds any.
        elif type(event) is Take and held[turn]:
            seat = seats[event.player]
            claimed = last_of[seat] if seat != fresh else abs(last_of[seat])
            if (
                claimed <= 0
                or (event.tiles != claimed % POINT and event.tiles is not None)
                or (event.points != claimed // POINT and event.points is not None)
            ):
                break
            last_of[seat] = -claimed
            takes += 1
        else:
            break
    laid = [tiles ^ rest for tiles, rest in zip(written, held, strict=True)]
    count = sum(laid).bit_count()
    if not count:
        return state, first
    index = first + count + takes
    course = Course(hand, laid, won, last_of, taker, fresh, last, pile)
    if count == every:
        return settle(state, course.to_end(events[index - 1]), touched), index
    tiles_laid = [event.tile.index for event in events[first:index] if type(event) is Play]
    return settle(state, course.so_far(tiles_laid, next_seat(hand.whole, held, last)), touched), index


def was_taken(event: Take, tiles: int, points: int) -> bool:
    """Whether a take names this number of tiles and points, if it names any."""
    tiles_called, points_called = event.tiles, event.points
    return tiles_called in (None, tiles) and points_called in (None, points)


def settle(state: Zigzag, hand: Hand, touched: set[str]) -> Zigzag:
    """The game after some plays; it is scored if the last of them ended the hand."""
    rules = state.rules
    if rules.points and hand.rank is not None and hand.piles.taken != state.hand.piles.taken:
        touched.add("lower_end")
    if hand.phase != "over":
        return replace(state, hand=hand)
    if made_with_more(rules, hand):
        touched.add("made_scores")
    return finish(state, hand)


def bid_for(hand: Hand) -> bool:
    """Whether everybody has spoken, and it is certain who is the contractor, who leads."""
    return hand.phase == "bidding" and hand.spoke == ALL and hand.contractor is not None and hand.rival is None


def known(hand: Hand) -> bool:
    """Whether a tile may be played now and it is certain by whom, and in which way the piles lie, of known tiles."""
    piles = hand.piles
    if not (hand.phase == "play" or bid_for(hand)) or not plain(hand.turn):
        return False
    if hand.stray or hand.unclear or hand.ways or piles.unknown != (0, 0, 0) or UNKNOWN in piles.pile:
        return False
    if piles.by != (hand.last if piles.pile else None):
        return False
    # Two seats can have taken a pile with the last tile only if a hand goes on after it was over.
    if hand.fresh & (hand.fresh - 1):
        return False
    # The tile over may have been written for a player who did not get it.
    over = 1 << hand.over if hand.over is not None and hand.over != UNKNOWN else 0
    return not over or (hand.contractor is not None and bool(hand.dealt[hand.contractor] & over))


def unplayed_tiles(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """The tiles that each seat has left, if they are written down; none if the record contradicts itself."""
    (first, second, third), played, share = hand.dealt, hand.played, rules.share
    if first & second or (first | second) & third:
        return (0, 0, 0)
    over = -1 if hand.over is None else hand.contractor
    for seat, dealt in enumerate(hand.dealt):
        size = share + 1 if seat == over else share
        count, gone, plays = dealt.bit_count(), (dealt & played).bit_count(), hand.plays[seat]
        # Somebody else may have played a tile of this hand, or its player may have played a tile that is not in it.
        if hand.whole >> seat & 1:
            agrees = count == size and gone == plays
        else:
            agrees = count <= size and count - gone <= size - plays
        if not agrees:
            return (0, 0, 0)
    return (first & ~played, second & ~played, third & ~played)


def next_seat(whole: int, held: Sequence[int], seat: int) -> int | None:
    """The next seat clockwise; it skips a seat whose whole hand is written down and played."""
    for after in AFTER[seat]:
        if held[after] or not whole >> after & 1:
            return after
    return None


def takes(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """A take that says who took which pile."""
    event: Any = events[index]
    hand, seat = state.hand, state.rules.seat[event.player]
    captures = hand.piles.captures[seat]
    sure = not hand.ways and hand.piles.unknown == (0, 0, 0) and may_be_told(hand, seat)
    if not sure or len(captures) != 1 or not was_taken(event, captures[0].tiles, captures[0].points):
        return state, index
    return replace(state, hand=replace(hand, told=hand.told | 1 << seat)), index + 1


def scores(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The true points of a hand that is over, and the true totals then."""
    if state.hand.phase != "over" or state.earned is None or not state.totals_known:
        return state, index
    players = state.rules.players
    for event in events[index : index + 2]:
        if type(event) is not Score:
            break
        if not are_by_player(event.points, players, state.earned if event.scope == "hand" else state.totals):
            break
        index += 1
    return state, index


def result(state: Zigzag, events: Sequence[Correctable], index: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """The true winners of a game that has ended."""
    return state, index + (state.ended and not clauses.win.faults(state, events[index], state))


LEAPS: Mapping[type, Leap] = {
    Deal: deals, Bid: calls, Pass: calls, Rank: ranking, Over: tile_over, Play: plays, Take: takes, Score: scores,
    Result: result,
}  # fmt: skip
"""By the type of event that a run begins with, the function that consumes the run."""

AFTER_END = (scores, result)
"""The leaps that are still made after the end of the game."""

STRIDE: Stride[Zigzag] = Stride(
    run,
    Frame(EVENTS),
    vouches=frozenset(
        {
            start,
            evolve,
            holdings,
            clauses.once,
            clauses.in_set,
            clauses.end,
            clauses.deal,
            bidding_clauses.next_hand,
            bidding_clauses.bid_order,
            bidding_clauses.bid_raise,
            bidding_clauses.contract,
            bidding_clauses.rank,
            bidding_clauses.all_pass,
            clauses.hand_end,
            clauses.turn,
            clauses.held,
            clauses.take,
            clauses.score,
            clauses.win,
            clauses.hands,
            options.lower_end,
            options.all_pass,
            options.all_pass_counts,
            options.min_bid,
            options.bid_cap,
            options.made_scores,
        }
    ),
)
