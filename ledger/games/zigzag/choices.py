"""What can happen at a table of Zigzag: the legal acts, the shuffle, the claims that follow."""

from collections.abc import Hashable, Sequence
from random import Random
from typing import Literal

from ledger.games.zigzag.bidding import all_called, bid_out, first_bidder, lowest_bid, may_rank
from ledger.games.zigzag.piles import capture
from ledger.games.zigzag.scoring import taken_by
from ledger.games.zigzag.state import AFTER, SEATS, Zigzag, held_by_all
from ledger.record.events import Bid, Correctable, Deal, Event, Over, Pass, Play, Rank, Result, Score, Take
from ledger.record.tiles import Tile, full, members, size, union
from ledger.rules.game import Ending
from ledger.rules.shared_clauses import by_player, deal_out, greatest


def choices(state: Zigzag) -> Sequence[Correctable]:
    """The legal acts now, the modest bids first."""
    rules, hand = state.rules, state.hand
    if state.ended:
        return ()
    if hand.phase == "over" or (hand.phase == "bidding" and not all_called(hand)):
        turn = (first_bidder(state) if hand.phase == "over" else hand.turn).seat
        speakers = range(SEATS) if turn is None else (turn,)
        bids = range(lowest_bid(rules, hand), rules.total + 1)
        calls = list[Correctable]()
        for player in [rules.players[seat] for seat in speakers]:
            calls += [Pass(player), *(Bid(player, bid) for bid in bids)]
        return calls
    seat = hand.turn.seat
    if seat is None:
        return ()
    player = rules.players[seat]
    plays = [Play(player, tile) for tile in members(_may_hold(state, seat))]
    if not may_rank(state, seat, 0):
        return plays
    ways: tuple[Literal["regular", "reverse"], ...] = ("regular", "reverse")
    return [*[Rank(player, high, way) for high in range(rules.largest + 1) for way in ways], *plays]


def _may_hold(state: Zigzag, seat: int) -> int:
    """The tiles that a seat may still play: its hand if it is written down, else all that nobody else has shown."""
    hand = state.hand
    mine = hand.dealt[seat] & ~hand.played
    written = hand.dealt[seat].bit_count()
    if hand.whole >> seat & 1 or written >= held_by_all(state.rules, hand)[seat]:
        return mine
    return full(state.rules.largest) & ~hand.played & ~union(hand.dealt[other] for other in AFTER[seat][:2])


def all_open(state: Zigzag) -> bool:
    """Whether a contract is being played, and every tile is in a hand that is written down."""
    rules, hand = state.rules, state.hand
    if hand.phase != "play" or hand.contractor is None or hand.ways or hand.unclear:
        return False
    dealt, every = hand.dealt, full(rules.largest)
    once = union(dealt) == every and sum([tiles.bit_count() for tiles in dealt]) == size(rules.largest)
    return once and not hand.played & ~every and hand.played.bit_count() == sum(hand.plays)


def position(state: Zigzag, _seat: int) -> Hashable:
    """All that decides how a hand goes on: what was played, the pile and whose it is, and whose turn."""
    hand = state.hand
    pile = hand.piles.pile
    worth = capture(state.rules, hand, pile).points if state.rules.points else len(pile)
    return hand.played, worth, pile[-1:], hand.piles.by, hand.turn.seat, hand.rank


ENDING = Ending[Zigzag](
    plays=18,
    is_open=all_open,
    key=position,
    worth=lambda state, seat: taken_by(state.rules, state.hand.piles, seat),
    goal=lambda state: (state.hand.contractor or 0, state.hand.highest),
    unit=lambda state: "point" if state.rules.points else "tile",
)


def tray(state: Zigzag, kind: type[Event], seat: int) -> Sequence[Tile]:
    """The tiles that a seat may hold, for a play; those not dealt in this hand, for a deal and for the tile over."""
    if kind is Play:
        return members(_may_hold(state, seat))
    hand = state.hand
    known = 0 if hand.phase == "over" else hand.dealt[0] | hand.dealt[1] | hand.dealt[2] | hand.played
    return members(full(state.rules.largest) & ~known)


def chance(state: Zigzag, random: Random) -> Sequence[Correctable]:
    """The hands that are not dealt yet, before the bidding; the tile over when the bidding is done."""
    rules, hand = state.rules, state.hand
    if state.ended:
        return ()
    dealt = (0, 0, 0) if hand.phase == "over" else hand.dealt
    waiting = [player for player, tiles in zip(rules.players, dealt, strict=True) if not tiles]
    if waiting and (hand.phase == "over" or (hand.phase == "bidding" and not hand.calls)):
        return deal_out(waiting, tray(state, Deal, 0), rules.share, random)
    if bid_out(hand) and rules.over and hand.over is None:
        left = full(rules.largest) & ~(hand.dealt[0] | hand.dealt[1] | hand.dealt[2])
        if left.bit_count() == 1:
            return [Over(rules.players[hand.contractor], members(left)[0])]  # type: ignore[index]  # it is bid out
    return ()


def claims(before: Zigzag, act: Correctable, after: Zigzag) -> Sequence[Correctable]:
    """An act and what a careful table says after it: who takes the pile, the hand's score, the result."""
    rules = after.rules
    calls = [act]
    if type(act) is Play:
        piles = after.hand.piles
        had = before.hand.piles.taken if before.begun == after.begun else (0, 0, 0)
        took = [seat for seat in range(SEATS) if piles.taken[seat] != had[seat]]
        # The last pile of a hand is taken last.
        for seat in sorted(took, key=lambda seat: seat == piles.taker):
            for pile in piles.captures[seat]:
                tiles, points = (None, pile.points) if rules.points else (pile.tiles, None)
                calls.append(Take(rules.players[seat], tiles, points))
    over = after.hand.phase == "over" and (before.hand.phase != "over" or after.begun != before.begun)
    if over and after.earned is not None:
        if not after.thrown_in:
            calls.append(Score("hand", by_player(rules.players, after.earned)))
        calls.append(Score("game", by_player(rules.players, after.totals)))
    if after.ended and not before.ended:
        calls.append(Result(tuple(rules.players[seat] for seat in greatest(after.totals))))
    return calls
