"""A fast way through the faultless part of a record of Zigzag; `table` alone says what an event does.

Each function consumes a run of events with plain variables instead of a state for each, and stops before the first
event that it is not sure of.  Without this file an audit says the same but takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score, Take
from ledger.games.zigzag import bidding_clauses, clauses, options
from ledger.games.zigzag.between_hands import begin, finish
from ledger.games.zigzag.hands import holdings
from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.piles import taken as with_taken
from ledger.games.zigzag.scoring import made_with_more
from ledger.games.zigzag.state import (
    AFTER,
    ALL,
    EVENTS,
    NEXT,
    SEATS,
    UNKNOWN,
    Capture,
    Hand,
    Piles,
    Rules,
    Zigzag,
    may_be_told,
    start,
    unplayed,
)
from ledger.games.zigzag.table import evolve
from ledger.strides import Leap, Stride, leaps
from ledger.tiles import full, mask
from ledger.turns import Turn


def run(state: Zigzag, events: Sequence[Correctable], index: int, touched: set[str]) -> tuple[Zigzag, int]:
    """The state after the longest faultless run, and the index of the first event that it did not consume."""
    return leaps(LEAPS, (), state, events, index, touched)


def deals(state: Zigzag, events: Sequence[Correctable], first: int, _touched: set[str]) -> tuple[Zigzag, int]:
    """Whole hands of the right size, before the bidding, of tiles that are in no other place."""
    if state.hand.phase == "play" or (state.hand.phase == "bidding" and state.hand.spoke):
        return state, first
    rules, fresh = state.rules, state.hand.phase == "over"
    hand = Hand() if fresh else state.hand
    dealt, whole = list(hand.dealt), hand.whole
    unseen = full(rules.largest) & ~(dealt[0] | dealt[1] | dealt[2])
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
    """Bids and passes in turn.  Each bid is legal and touches no ruling.  It stops before the last of three passes."""
    hand = state.hand
    if hand.phase != "bidding" or not plain(hand.turn) or hand.skipped:
        return state, first
    rules, bidder = state.rules, state.bidder
    turn, spoke, highest, contractor = hand.turn.seat, hand.spoke, hand.highest, hand.contractor
    least, bid, last, count = max(rules.least, 1), hand.said, hand.last, hand.calls
    for index in range(first, len(events)):
        event = events[index]
        if spoke == ALL or (type(event) is not Bid and type(event) is not Pass):
            break
        seat = rules.seat[event.player]
        if seat != turn:
            break
        after = spoke | 1 << seat
        if type(event) is Bid:
            if not (highest < event.bid <= rules.total and least <= event.bid):
                break
            highest = bid = event.bid
            contractor = seat
        elif after == ALL and contractor is None:
            break
        else:
            bid = None
        if not spoke:
            bidder = seat
        spoke, last = after, seat
        turn = NEXT[seat] if spoke != ALL else contractor
        count += 1
    else:
        index = len(events)
    if index == first:
        return state, first
    hand = replace(
        hand, turn=Turn(turn), calls=count, spoke=spoke, highest=highest, contractor=contractor, said=bid, last=last
    )
    missed = state.missed_bidder if state.hand.spoke else None
    return replace(state, hand=hand, bidder=bidder, missed_bidder=missed), index


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
    hand = state.hand
    first, second, third = hand.dealt
    unseen = full(state.rules.largest) & ~(first | second | third | hand.played)
    if hand.phase == "over" or not event.tile.bit & unseen or any(clauses.deal.faults(state, event, state)):
        return state, index
    return evolve(state, event), index + 1


def plays(state: Zigzag, events: Sequence[Correctable], first: int, touched: set[str]) -> tuple[Zigzag, int]:
    """Tiles played in turn from hands that are written down, and the takes that say who took which pile."""
    rules, hand, piles = state.rules, state.hand, state.hand.piles
    leads = hand.phase == "bidding" and hand.spoke == ALL and hand.contractor is not None and hand.rival is None
    if not (leads or hand.phase == "play") or not plain(hand.turn) or not known(hand):
        return state, first
    seats, over = rules.seat, covers(rules.largest, hand.rank)
    values, whole = worths(rules.largest, hand.rank, rules.by_rank), hand.whole
    turn, last, taker, taken, worth = hand.turn.seat, piles.by, piles.taker, list(piles.taken), list(piles.worth)
    tiles_of, points_of = lasts(piles)
    # The seat that took a pile with the last tile (-1: none), and by seat whether the table has claimed its last pile.
    fresh, told = hand.fresh.bit_length() - 1, [hand.told & 1, hand.told >> 1 & 1, hand.told >> 2]
    # `laid` are the tiles that came on the piles, `every` is how many there are when the hand is over; the last
    # `lying` of them are the pile, worth `points`.
    laid, lying, points = list(piles.pile), len(piles.pile), sum([values[tile] for tile in piles.pile])
    top, before = over[laid[-1]] if laid else -1, unplayed_tiles(rules, hand)
    held, every = list(before), len(laid) + unplayed(rules, hand)
    for index in range(first, len(events)):
        event = events[index]
        if type(event) is Play:
            tile, seat = event.tile, seats[event.player]
            bit, number = tile.bit, tile.index
            if seat != turn or not bit & held[seat] or event.end:
                break
            if bit & top:
                lying += 1
                points += values[number]
                fresh = -1
            else:
                assert last is not None  # noqa: S101  somebody played the pile
                tiles_of[last], points_of[last] = lying, points
                taken[last] += lying
                worth[last] += points
                taker, lying, points, fresh, told[last] = last, 1, values[number], last, 0
            held[seat] ^= bit
            laid.append(number)
            top, last, turn = over[number], seat, NEXT[seat]
            if not held[turn]:
                turn = next_seat(whole, held, seat) if len(laid) < every else None
        elif type(event) is Take and len(laid) < every:
            seat, count, value = seats[event.player], event.tiles, event.points
            wrong = (count is not None and count != tiles_of[seat]) or (value is not None and value != points_of[seat])
            if wrong or (told[seat] and seat != fresh):
                break
            told[seat] = 1
        else:
            break
    else:
        index = len(events)
    if index == first:
        return state, first
    captures = last_taken(piles, taken, tiles_of, points_of)
    after = Piles(tuple(laid[-lying:]), captures, tuple(taken), tuple(worth), piles.unknown, taker, last)
    played = [tiles ^ rest for tiles, rest in zip(before, held, strict=True)]
    hand = after_plays(hand, played, after, turn, fresh, told)
    return settle(state, with_last_pile(hand, points) if len(laid) == every else hand, touched), index


def after_plays(
    hand: Hand, played: Sequence[int], piles: Piles, turn: int | None, fresh: int, told: Sequence[int]
) -> Hand:
    """The hand when each seat has played these tiles, and the table told of these piles."""
    took, said = 1 << fresh if fresh >= 0 else 0, told[0] | told[1] << 1 | told[2] << 2
    if not any(played):
        return replace(hand, fresh=took, told=said)
    plays = [count + tiles.bit_count() for count, tiles in zip(hand.plays, played, strict=True)]
    return Hand(
        "play", Turn(turn), hand.calls, hand.spoke, hand.skipped, hand.highest, hand.contractor, hand.said, None,
        hand.over, hand.rank, hand.dealt, hand.whole, hand.played | sum(played), tuple(plays), piles.by,
        piles.pile[-1], piles, (), False, took, said,
    )  # fmt: skip


def last_taken(
    piles: Piles, taken: Sequence[int], tiles: Sequence[int], points: Sequence[int]
) -> tuple[tuple[Capture, ...], ...]:
    """By seat, what it took last when it has `taken` so much: what it took before, or the last pile of this run."""
    return tuple([
        before if taken[seat] == piles.taken[seat] else (Capture(tiles[seat], points[seat]),)
        for seat, before in enumerate(piles.captures)
    ])  # fmt: skip


def with_last_pile(hand: Hand, points: int) -> Hand:
    """The hand when the player of its last tile took it with the tiles that it covers, worth these `points`."""
    seat: Any = hand.last
    took, fresh = Capture(len(hand.piles.pile), points), hand.fresh | 1 << seat
    with_it = hand.piles.captures[seat] if fresh == hand.fresh else ()
    piles = with_taken(hand.piles, seat, took, (*with_it, took))
    return replace(hand, phase="over", turn=Turn(), piles=piles, fresh=fresh, told=hand.told & ~fresh)


def was_taken(event: Take, tiles: int, points: int) -> bool:
    """Whether a take names this number of tiles and points, if it names any."""
    said, worth = event.tiles, event.points
    return (said is None or said == tiles) and (worth is None or worth == points)


def lasts(piles: Piles) -> tuple[list[int], list[int]]:
    """By seat, the tiles and the points of the last pile that it took; -1 if there is none, or more than one."""
    if piles.taker is None:
        return [-1] * SEATS, [-1] * SEATS
    one = [captures[0] if len(captures) == 1 else Capture(-1, -1) for captures in piles.captures]
    return [pile.tiles for pile in one], [pile.points for pile in one]


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


def known(hand: Hand) -> bool:
    """Whether every tile that was played in a hand is known, and there is only one way in which the piles lie."""
    piles = hand.piles
    if hand.stray or hand.unclear or hand.ways or piles.unknown != (0, 0, 0) or UNKNOWN in piles.pile:
        return False
    if piles.by not in (None, hand.last):
        return False
    # Two seats can have taken a pile with the last tile only if a hand goes on after it was over.
    if hand.fresh & (hand.fresh - 1):
        return False
    # The tile over may have been written for a player who did not get it.
    over = 1 << hand.over if hand.over is not None and hand.over != UNKNOWN else 0
    return not over or (hand.contractor is not None and bool(hand.dealt[hand.contractor] & over))


def unplayed_tiles(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """The tiles that each seat has left, if they are written down; none if the record contradicts itself."""
    (first, second, third), played = hand.dealt, hand.played
    if first & second or (first | second) & third:
        return (0, 0, 0)
    for seat, dealt in enumerate(hand.dealt):
        size, played_by = rules.share + (seat == hand.contractor and hand.over is not None), hand.plays[seat]
        count, gone = dealt.bit_count(), (dealt & played).bit_count()
        # Somebody else may have played a tile of this hand, or its player may have played a tile that is not in it.
        if hand.whole >> seat & 1:
            agrees = count == size and gone == played_by
        else:
            agrees = count <= size and count - gone <= size - played_by
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
    """The true points of a hand that is over, or the true totals then."""
    event: Any = events[index]
    if state.hand.phase != "over" or state.earned is None or not state.totals_known:
        return state, index
    clause = clauses.score if event.scope == "hand" else clauses.win
    return state, index + (not any(clause.faults(state, event, state)))


LEAPS: Mapping[type, Leap] = {
    Deal: deals, Bid: calls, Pass: calls, Rank: ranking, Over: tile_over, Play: plays, Take: takes, Score: scores,
}  # fmt: skip
"""By the type of event that a run begins with, the function that consumes the run."""

STRIDE: Stride[Zigzag] = Stride(
    run,
    vouches=frozenset(
        {
            EVENTS,
            (),  # nothing may close a game after its end
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
            options.LOWER_END,
            options.ALL_PASS,
            options.ALL_PASS_COUNTS,
            options.MIN_BID,
            options.BID_CAP,
            options.MADE_SCORES,
        }
    ),
)
