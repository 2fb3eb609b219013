"""What Zigzag demands, clause by clause, and why it scores what it scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Bid, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.game import Clause, Fault, Points, Standing, clause
from ledger.games.zigzag.scoring import earned_by
from ledger.games.zigzag.state import (
    ALL,
    SEATS,
    Captures,
    Rules,
    Zigzag,
    bid_out,
    first_bidder,
    lowest_bid,
    unnamed,
)
from ledger.tiles import TILES

Faults = Iterable[Fault]


# ── Tiles ──────────────────────────────────────────────────────────────────────────────────────────────────


def largest(state: Zigzag) -> int:
    """The largest half in the set."""
    return state.rules.largest


def elsewhere(before: Zigzag, event: Deal | Over | Play) -> Iterable[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    hand, rules = before.hand, before.rules
    if hand.phase == "over" or (type(event) is Deal and hand.phase == "play"):
        return ()
    played = (hand.played, "was played in this hand already")
    if type(event) is Play:
        return (played,)
    dealt = [
        (hand.dealt[seat], f"was dealt to {rules.players[seat]}")
        for seat in range(SEATS)
        # What is written twice of one hand (a part, then the whole) agrees with itself.
        if seat != rules.seat[event.player] or (type(event) is Over and not hand.over)
    ]
    return (played, *dealt)


in_set = common.in_set((Deal, Over, Play), largest)
once = common.once((Deal, Over, Play), elsewhere)
held = common.held((Play,))


# ── Dealing ────────────────────────────────────────────────────────────────────────────────────────────────


# All tiles are dealt evenly; in the double 6 and double 9 sets one is over, and it goes to the contractor.
@clause(
    "zigzag.deal",
    "Every player is dealt the same number of tiles; the tile over, in the sets that have one, goes to the contractor.",
    Deal,
    Over,
)
def deal(before: Zigzag, event: Deal | Over, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if isinstance(event, Deal):
        return common.compare_deal(event, rules.share)
    if not rules.over:
        return [Fault(f"no tile is over in a double-{rules.largest} set", claimed=str(event.tile))]
    if hand.over is not None:
        return [Fault("the tile over was taken already", str(TILES[hand.over]), str(event.tile))]
    if hand.contractor is None or hand.spoke != ALL:
        return [Fault("the tile over goes to the contractor, and there is none yet", claimed=event.player)]
    contractor = rules.players[hand.contractor]
    if event.player != contractor:
        return [Fault(f"the tile over goes to {contractor}, the contractor", contractor, event.player)]
    return NOTHING


# ── Bidding ────────────────────────────────────────────────────────────────────────────────────────────────


# The player to the left of the last first bidder bids first.
@clause("zigzag.next-hand", "The player to the left of the last first bidder bids first.", Bid, Pass)
def next_hand(before: Zigzag, event: Bid | Pass, _after: Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    fresh = hand.phase == "over" or (hand.phase == "play" and hand.scored)
    if before.bidder is None or not (fresh or (hand.phase == "bidding" and not hand.spoke)):
        return NOTHING
    seat = first_bidder(before) if fresh else hand.turn
    if seat is None or seat == before.rules.seat[event.player]:
        return NOTHING
    bidder = before.rules.players[seat]
    return [Fault(f"{bidder} bids first in this hand, not {event.player}", bidder, event.player)]


# The first bidder speaks first, then clockwise, each exactly once.
@clause("zigzag.bid.order", "The first bidder speaks first, then clockwise, each exactly once.", Bid, Pass, Play)
def bid_order(before: Zigzag, event: Bid | Pass | Play, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if type(event) is Play:
        if hand.phase != "bidding" or hand.spoke == ALL:
            return NOTHING
        silent = [rules.players[seat] for seat in range(SEATS) if not hand.spoke >> seat & 1]
        return [Fault(f"play begins before {' and '.join(silent)} spoke", silent)]
    if hand.phase == "play":
        if type(event) is Bid and not hand.scored:
            return [Fault("the bidding is over, the hand is being played", claimed=event.bid)]
        return NOTHING
    if hand.phase == "bidding" and hand.spoke == ALL:
        return [Fault("everybody has spoken already", claimed=event.bid)] if type(event) is Bid else NOTHING
    if hand.phase == "bidding" and hand.spoke >> rules.seat[event.player] & 1:
        return [Fault(f"{event.player} has spoken already, everybody speaks once")]
    if hand.phase == "bidding" and hand.spoke:
        return expect(rules, hand.turn, event.player)
    return expect(rules, rules.first, event.player) if before.bidder is None else NOTHING


def expect(rules: Rules, seat: int | None, player: str) -> Faults:
    """A fault if it is the turn of a certain seat, and somebody else acts."""
    if seat is None or rules.players[seat] == player:
        return NOTHING
    return [Fault(f"it was {rules.players[seat]}'s turn, not {player}'s", rules.players[seat], player)]


# A bid is a whole number of at least the lowest one and higher than the last bid.  There is no upper limit: a bid
# above all there is to take is only remarked on, unless a ruling caps it.
@clause("zigzag.bid.raise", "A bid is higher than the last one and at least the lowest allowed.", Bid)
def bid_raise(before: Zigzag, event: Bid, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    highest, least = hand.highest if hand.phase == "bidding" else -1, lowest_bid(rules, hand)
    if event.bid < least:
        why = f"the last bid was {highest}" if highest >= rules.least else f"the lowest bid is {rules.least}"
        return [Fault(f"{event.player} bids {event.bid}, but {why}", f"at least {least}", event.bid)]
    if event.bid > rules.total:
        message = f"{event.player} bids {event.bid}, more than the {rules.total} there are to take"
        if rules.cap is None:
            return [Fault(message, claimed=event.bid, verdict="note")]
        return [Fault(message, f"at most {rules.cap}", event.bid)]
    return NOTHING


# The highest bidder is the contractor and leads.
@clause("zigzag.contract", "The highest bidder is the contractor and leads.", Play)
def contract(before: Zigzag, event: Play, _after: Zigzag, _evidence: object) -> Faults:
    hand, rules = before.hand, before.rules
    if hand.phase != "bidding" or hand.spoke != ALL or hand.contractor is None:
        return NOTHING
    contractor = rules.players[hand.contractor]
    if event.player == contractor:
        return NOTHING
    return [Fault(f"{contractor} is the contractor and leads, not {event.player}", contractor, event.player)]


# Where the ranking is named, the contractor and nobody else names it, after the bidding and before the lead.
@clause(
    "zigzag.rank",
    "Where rankings are named, the contractor names one of the set's numbers after the bidding and before the lead; "
    "elsewhere nobody does.",
    Rank,
    Play,
)
def rank(before: Zigzag, event: Rank | Play, _after: Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if isinstance(event, Play):
        if hand.phase == "bidding" and unnamed(rules, hand) and bid_out(hand):
            contractor = rules.players[hand.contractor]  # type: ignore[index]  # it is bid out
            return [Fault(f"{contractor} has not named the ranking before the lead", "a ranking")]
        return NOTHING
    if not rules.ranking:
        return [Fault("nobody names a ranking in this game", claimed=event.high)]
    if not bid_out(hand):
        return [Fault("the ranking is named after the bidding and before the lead", claimed=event.high)]
    contractor = rules.players[hand.contractor]  # type: ignore[index]  # it is bid out
    if event.player != contractor:
        return [Fault(f"{contractor}, the contractor, names the ranking", contractor, event.player)]
    if hand.rank is not None:
        return [Fault("the ranking was named already", hand.rank[0], event.high)]
    if not 0 <= event.high <= rules.largest:
        return [Fault(f"the double-{rules.largest} set has no {event.high}", f"0 to {rules.largest}", event.high)]
    return NOTHING


# If all pass, the hand is thrown in: nobody plays it.
@clause("zigzag.all-pass", "If all pass, the hand is thrown in and nobody plays.", Play)
def all_pass(before: Zigzag, event: Play, _after: Zigzag, _evidence: object) -> Faults:
    if before.hand.phase == "over" and before.thrown_in:
        return [Fault(f"all passed, so there is no contractor, but {event.player} plays the {event.tile}")]
    return NOTHING


# ── Playing ────────────────────────────────────────────────────────────────────────────────────────────────


# Clockwise, one tile each, whoever takes the pile; nobody passes.
@clause("zigzag.turn", "Play goes clockwise, one tile each, and nobody passes.", Play, Pass)
def turn(before: Zigzag, event: Play | Pass, _after: Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    if type(event) is Play:
        return expect(before.rules, hand.turn, event.player) if hand.phase == "play" else NOTHING
    if (hand.phase == "play" and not hand.scored) or (hand.phase == "bidding" and hand.spoke == ALL):
        return [Fault(f"{event.player} passes instead of playing a tile")]
    return NOTHING


play = Clause[Zigzag]("zigzag.play", "Any tile in hand may be played; this is never a breach of its own.")

cover = Clause[Zigzag](
    "zigzag.cover",
    "A tile covers the one before when they share an end and its other end ranks higher; "
    "zigzag.take judges what follows from it.",
)


# Whoever played the tile before one that does not cover it takes all tiles before; the last tile of a hand is taken
# by its player, with those that it covers.
@clause(
    "zigzag.take",
    "A covering tile stays on the pile; otherwise the player of the tile before takes all before it, and the last tile "
    "of a hand goes to its player with those that it covers.",
    Take,
)
def take(before: Zigzag, event: Take, _after: Zigzag, _evidence: object) -> Faults:
    rules, captures = before.rules, before.hand.captures
    if is_true(captures, rules.seat[event.player], event):
        return NOTHING
    if not captures:
        why = "no pile was taken" if before.hand.pile else "nothing was played"
        return [Fault(f"{event.player} is said to take a pile, but {why}", 0, event.tiles)]
    seat = rules.seat[event.player]
    mine = [(tiles, points) for taker, tiles, points in captures if taker == seat]
    if not mine:
        takers = " and ".join(rules.players[taker] for taker, _tiles, _points in captures)
        return [Fault(f"{takers} takes the pile, not {event.player}", takers, event.player)]
    # Two piles in one turn may be written together or one by one.
    sizes, values = [tiles for tiles, _points in mine], [points for _tiles, points in mine]
    tiles, points = sum(sizes), sum(values)
    faults = []
    if event.tiles not in (None, tiles, *sizes):
        faults.append(Fault(f"{event.player} takes {tiles} tiles, not {event.tiles}", tiles, event.tiles))
    if event.points not in (None, points, *values):
        faults.append(Fault(f"the pile is worth {points}, not {event.points}", points, event.points))
    return faults


def is_true(captures: Captures, seat: int, event: Take) -> bool:
    """Whether one pile was taken, and that seat took it as the claim says."""
    if len(captures) != 1:
        return False
    taker, tiles, points = captures[0]
    return seat == taker and event.tiles in (None, tiles) and event.points in (None, points)


# A hand is played until every tile dealt has been played.
@clause("zigzag.hand.end", "A hand is played until every tile dealt has been played.", Deal, Score, Play)
def hand_end(before: Zigzag, event: Deal | Score | Play, _after: Zigzag, _evidence: object) -> Faults:
    hand, rules = before.hand, before.rules
    if isinstance(event, Play):
        if hand.phase == "over" and not before.thrown_in and before.begun:
            return [Fault(f"the hand was over when {event.player} played the {event.tile}")]
        return NOTHING
    left = SEATS * rules.share + rules.over - hand.played.bit_count()
    if isinstance(event, Score):
        going = hand.phase == "play" or (hand.phase == "bidding" and hand.spoke) or before.earned is None
        if event.scope == "hand" and going:
            return [Fault(f"the hand is scored with {left} tiles unplayed", "every tile played", f"{left} left")]
        return NOTHING
    seat = rules.seat[event.player]
    early = hand.phase == "play" or (hand.phase == "bidding" and hand.spoke and hand.dealt[seat])
    if early and not hand.scored:
        return [Fault(f"the next hand is dealt with {left} tiles unplayed", "every tile played", f"{left} left")]
    return NOTHING


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# The contractor scores the bid when they took at least that; otherwise each opponent scores the bid and what was
# missing (`scoring` adds it up).
@clause(
    "zigzag.score",
    "The contractor scores the bid if they took that much; otherwise each opponent scores the bid plus what was "
    "missing.",
    Score,
)
def score(before: Zigzag, event: Score, _after: Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    between = hand.phase == "over" or (hand.phase == "bidding" and not hand.spoke)
    if event.scope != "hand" or before.earned is None or not between:
        return NOTHING
    return common.compare_points(event, common.by_player(before.rules.players, before.earned), "the hand's points")


def points(before: Zigzag, _event: object, after: Zigzag) -> Sequence[Points]:
    """The reasons for what a hand scored, at the event that ended it."""
    if after.begun == before.begun and after.hand.phase == before.hand.phase:
        return ()
    hand, rules = after.hand, after.rules
    if hand.phase != "over" or hand.contractor is None:
        return ()
    contractor = rules.players[hand.contractor]
    what = "points" if rules.points else "tiles"
    took = (hand.worth if rules.points else hand.taken)[hand.contractor]
    made = "made it" if took >= hand.highest else f"missed it by {hand.highest - took}"
    because = f"{contractor} bid {hand.highest}, took {took} {what} and {made}"
    return [Points(seat, n, "zigzag.score", because) for seat, n in enumerate(earned_by(rules, hand)) if n]


def standing(state: Zigzag) -> Standing:
    """The totals of finished hands; the greatest wins when the game has ended."""
    return Standing(state.ended, state.totals, common.greatest(state.totals) if state.ended else ())


# The greatest total wins; equal totals share the win.
@clause("zigzag.win", "The greatest total wins; equal totals share the win.", Score, Result)
def win(before: Zigzag, event: Score | Result, _after: Zigzag, _evidence: object) -> Faults:
    players = before.rules.players
    if isinstance(event, Score):
        totals = common.by_player(players, before.totals)
        return common.compare_points(event, totals, "the total") if event.scope == "game" else NOTHING
    if not before.ended and has_an_end(before.rules):
        return NOTHING
    winners = [players[seat] for seat in common.greatest(before.totals)]
    return common.compare_winners(event, winners, f"{max(before.totals)} is the greatest total")


def has_an_end(rules: Rules) -> bool:
    """Whether a rule ends the game; without a target and a number of hands it goes on until the table stops."""
    return rules.target is not None or rules.hands is not None


# After the hand in which a total reaches the target, or after the fixed number of hands, the game is over.
@clause(
    "zigzag.end",
    "The game ends after the hand in which a total reaches the target, or after the fixed number of hands; no act "
    "comes after that and no result before.",
    *ACTS,
    Result,
)
def end(before: Zigzag, event: object, _after: Zigzag, _evidence: object) -> Faults:
    if before.ended:
        late = type(event) is not Result and not before.past
        return [Fault("the game had ended when this was recorded")] if late else NOTHING
    rules = before.rules
    if not isinstance(event, Result) or not has_an_end(rules):
        return NOTHING
    if before.broken:
        missing = "a hand was left before it was played out"
    elif rules.hands is not None:
        missing = f"{rules.hands - before.counted} of {rules.hands} hands are still to be played"
    else:
        missing = f"no total has reached {rules.target}"
    return [Fault(f"a result is claimed, but {missing}", missing, list(event.winners))]


CLAUSES: tuple[Clause[Zigzag], ...] = (
    in_set,
    once,
    end,
    deal,
    next_hand,
    bid_order,
    bid_raise,
    contract,
    rank,
    all_pass,
    hand_end,
    turn,
    play,
    held,
    cover,
    take,
    score,
    win,
)
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
