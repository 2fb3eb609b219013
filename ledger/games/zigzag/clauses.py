"""What Zigzag demands, clause by clause, and why it scores what it scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Bid, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.game import Clause, Fault, Points, Standing, Step
from ledger.games.zigzag.play import earned_by, took
from ledger.games.zigzag.state import (
    ALL,
    SEATS,
    Rules,
    Zigzag,
    bid_out,
    first_bidder,
    lowest_bid,
    unnamed,
)
from ledger.holdings import Hand, Proof, prove
from ledger.tiles import TILES, full, mask

Faults = Iterable[Fault]


def moment(before: Zigzag, _event: Play, after: Zigzag) -> str:
    """In which moment a play comes: whether one begins the play, which the bidding must allow, or goes on with it.

    *stuck* leaves the pile as it is: no table could have shown it.  *last* ends the hand.
    """
    if before.hand.phase != "play":
        return "lead"
    hand = after.hand
    if hand.played == before.hand.played:
        return "stuck"
    return "last" if hand.phase == "over" else "on"


# ── Dealing ────────────────────────────────────────────────────────────────────────────────────────────────


# All tiles are dealt evenly; in the double 6 and double 9 sets one is over, and it goes to the contractor.
def deal(before: Zigzag, event: Deal | Over, _after: Zigzag, _proof: Proof | None) -> Faults:
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


def elsewhere(before: Zigzag, event: Deal | Over | Play) -> Iterator[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    hand, rules = before.hand, before.rules
    if hand.phase == "over" or (type(event) is Deal and hand.phase == "play"):
        return
    yield hand.played, "was played in this hand already"
    if type(event) is Play:
        return
    for seat, dealt in enumerate(hand.dealt):
        mine = seat == rules.seat[event.player]
        # What is said twice of one hand (a part, then the whole) agrees with itself.
        if not mine or (type(event) is Over and not hand.over):
            yield dealt, f"was dealt to {rules.players[seat]}"


# ── Bidding ────────────────────────────────────────────────────────────────────────────────────────────────


# The first bidder speaks first, then clockwise, each exactly once.
def bid_order(before: Zigzag, event: Bid | Pass | Play, _after: Zigzag, _proof: Proof | None) -> Faults:
    rules, hand = before.rules, before.hand
    seat = rules.seat[event.player]
    if type(event) is Play:
        if hand.phase == "bidding" and hand.spoke != ALL:
            silent = [rules.players[s] for s in range(SEATS) if not hand.spoke >> s & 1]
            return [Fault(f"play begins before {' and '.join(silent)} spoke", silent)]
        return NOTHING
    if hand.phase == "play":
        if type(event) is Bid and not hand.scored:
            return [Fault("the bidding is over, the hand is being played", claimed=event.bid)]
        return NOTHING
    if hand.phase == "bidding" and hand.spoke == ALL:
        return [Fault("everybody has spoken already", claimed=event.bid)] if type(event) is Bid else NOTHING
    if hand.phase == "bidding" and hand.spoke >> seat & 1:
        return [Fault(f"{event.player} has spoken already, everybody speaks once")]
    if hand.phase == "bidding" and hand.spoke:
        return _expect(rules, hand.turn, seat)
    return _expect(rules, rules.first, seat) if before.bidder is None else NOTHING


def _expect(rules: Rules, turn: int | None, seat: int) -> Faults:
    if turn is None or turn == seat:
        return NOTHING
    who, actor = rules.players[turn], rules.players[seat]
    return [Fault(f"it was {who}'s turn, not {actor}'s", who, actor)]


# A bid is a whole number of at least the lowest one and higher than the last bid.  There is no upper limit: a bid
# above all there is to take is only remarked on, unless a ruling caps it.
def bid_raise(before: Zigzag, event: Bid, _after: Zigzag, _proof: Proof | None) -> Faults:
    rules, hand = before.rules, before.hand
    highest, least = hand.highest if hand.phase == "bidding" else -1, lowest_bid(rules, hand)
    if event.bid < least:
        why = f"the last bid was {highest}" if highest >= rules.least else f"the lowest bid is {rules.least}"
        return [Fault(f"{event.player} bids {event.bid}, but {why}", f"at least {least}", event.bid)]
    if event.bid > rules.total:
        said = f"{event.player} bids {event.bid}, more than the {rules.total} there are to take"
        if rules.cap is None:
            return [Fault(said, claimed=event.bid, verdict="note")]
        return [Fault(said, f"at most {rules.cap}", event.bid)]
    return NOTHING


# The highest bidder is the contractor and leads.
def contract(before: Zigzag, event: Play, _after: Zigzag, _proof: Proof | None) -> Faults:
    hand, rules = before.hand, before.rules
    if not bid_out(hand):
        return NOTHING
    contractor = rules.players[hand.contractor]  # type: ignore[index]  # there is one when the bidding is out
    if event.player == contractor:
        return NOTHING
    return [Fault(f"{contractor} is the contractor and leads, not {event.player}", contractor, event.player)]


# Where the ranking is named, the contractor and nobody else names it, after the bidding and before the lead.
def rank(before: Zigzag, event: Rank | Play, _after: Zigzag, _proof: Proof | None) -> Faults:
    rules, hand = before.rules, before.hand
    contractor = rules.players[hand.contractor] if hand.contractor is not None else None
    if type(event) is Play:
        if unnamed(rules, hand) and bid_out(hand):
            return [Fault(f"{contractor} has not named the ranking before the lead", "a ranking")]
        return NOTHING
    assert type(event) is Rank  # noqa: S101  the clause judges no other
    if not rules.ranking:
        return [Fault("nobody names a ranking in this game", claimed=event.high)]
    if not bid_out(hand):
        return [Fault("the ranking is named after the bidding and before the lead", claimed=event.high)]
    if event.player != contractor:
        return [Fault(f"{contractor}, the contractor, names the ranking", contractor, event.player)]
    if hand.rank is not None:
        return [Fault("the ranking was named already", hand.rank[0], event.high)]
    if not 0 <= event.high <= rules.largest:
        return [Fault(f"the double-{rules.largest} set has no {event.high}", f"0 to {rules.largest}", event.high)]
    return NOTHING


# If all pass, the hand is thrown in: nobody plays it.
def all_pass(before: Zigzag, event: Play, _after: Zigzag, _proof: Proof | None) -> Faults:
    if before.hand.phase == "over" and before.thrown_in:
        return [Fault(f"all passed, so there is no contractor, but {event.player} plays the {event.tile}")]
    return NOTHING


# The player to the left of the last first bidder bids first.
def next_hand(before: Zigzag, event: Bid | Pass, _after: Zigzag, _proof: Proof | None) -> Faults:
    hand = before.hand
    fresh = hand.phase == "over" or (hand.phase == "play" and hand.scored)
    if before.bidder is None or not (fresh or (hand.phase == "bidding" and not hand.spoke)):
        return NOTHING
    turn = first_bidder(before) if fresh else hand.turn
    faults = list(_expect(before.rules, turn, before.rules.seat[event.player]))
    return [Fault(f"{fault.expected} bids first in this hand, not {fault.claimed}", fault.expected, fault.claimed)
            for fault in faults]  # fmt: skip


# ── Playing ────────────────────────────────────────────────────────────────────────────────────────────────


# Clockwise, one tile each, whoever takes the pile; nobody passes.
def turn(before: Zigzag, event: Play | Pass, _after: Zigzag, _proof: Proof | None) -> Faults:
    hand, rules = before.hand, before.rules
    if type(event) is Pass:
        if (hand.phase == "play" and not hand.scored) or (hand.phase == "bidding" and hand.spoke == ALL):
            return [Fault(f"{event.player} passes instead of playing a tile")]
        return NOTHING
    return NOTHING if hand.turn is None else _expect(rules, hand.turn, rules.seat[event.player])


# Whoever played the tile before one that does not cover it takes all tiles before; the last tile of a hand is taken
# by its player, with those that it covers.
def take(before: Zigzag, event: Take, _after: Zigzag, _proof: Proof | None) -> Faults:
    rules, captures = before.rules, before.hand.captures
    if took(captures, rules.seat[event.player], event):
        return NOTHING
    if not captures:
        said = "no pile was taken" if before.hand.pile else "nothing was played"
        return [Fault(f"{event.player} is said to take a pile, but {said}", 0, event.tiles)]
    seat = rules.seat[event.player]
    mine = [capture for capture in captures if capture[0] == seat]
    if not mine:
        takers = " and ".join(rules.players[capture[0]] for capture in captures)
        return [Fault(f"{takers} takes the pile, not {event.player}", takers, event.player)]
    _taker, tiles, points = mine[0]
    # Two piles in one turn may be said together or one by one.
    sizes: tuple[int, ...] = (tiles,)
    values: tuple[int, ...] = (points,)
    if len(mine) > 1:
        sizes, values = (tiles, mine[1][1]), (points, mine[1][2])
        tiles, points = sum(sizes), sum(values)
    faults = []
    if event.tiles is not None and event.tiles != tiles and event.tiles not in sizes:
        faults.append(Fault(f"{event.player} takes {tiles} tiles, not {event.tiles}", tiles, event.tiles))
    if event.points is not None and event.points != points and event.points not in values:
        faults.append(Fault(f"the pile is worth {points}, not {event.points}", points, event.points))
    return faults


# A hand is played until every tile dealt has been played.
def hand_end(before: Zigzag, event: Deal | Score | Play, _after: Zigzag, _proof: Proof | None) -> Faults:
    hand, rules = before.hand, before.rules
    left = SEATS * rules.share + rules.over - hand.played.bit_count()
    if isinstance(event, Play):
        if hand.phase == "over" and not before.thrown_in and before.begun:
            return [Fault(f"the hand was over when {event.player} played the {event.tile}")]
        return NOTHING
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
# missing (`table` holds the sum).
def score(before: Zigzag, event: Score, _after: Zigzag, _proof: Proof | None) -> Faults:
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
    who = rules.players[hand.contractor]
    what = "points" if rules.points else "tiles"
    took = (hand.worth if rules.points else hand.taken)[hand.contractor]
    made = "made it" if took >= hand.highest else f"missed it by {hand.highest - took}"
    because = f"{who} bid {hand.highest}, took {took} {what} and {made}"
    return [Points(seat, n, "zigzag.score", because) for seat, n in enumerate(earned_by(rules, hand)) if n]


# The greatest total wins; equal totals share the win.
def standing(state: Zigzag) -> Standing:
    """The totals of finished hands; the greatest wins when the game has ended."""
    return Standing(state.ended, state.totals, common.greatest(state.totals) if state.ended else ())


def win(before: Zigzag, event: Score | Result, _after: Zigzag, _proof: Proof | None) -> Faults:
    players = before.rules.players
    if type(event) is Score:
        totals = common.by_player(players, before.totals)
        return common.compare_points(event, totals, "the total") if event.scope == "game" else NOTHING
    assert type(event) is Result  # noqa: S101  the clause judges no other
    if not before.ended and _has_an_end(before.rules):
        return NOTHING
    most = max(before.totals)
    winners = [players[seat] for seat in common.greatest(before.totals)]
    return common.compare_winners(event, winners, f"{most} is the greatest total")


def _has_an_end(rules: Rules) -> bool:
    """Without a target and without a number of hands a game goes on until the table stops."""
    return rules.target is not None or rules.hands is not None


# After the hand in which a total reaches the target, or after the fixed number of hands, the game is over.
def end(before: Zigzag, event: object, _after: Zigzag, _proof: Proof | None) -> Faults:
    rules = before.rules
    if type(event) is not Result:
        if before.ended and not before.past:
            return [Fault("the game had ended when this was recorded")]
        return NOTHING
    if before.ended or not _has_an_end(rules):
        return NOTHING
    if before.broken:
        missing = "a hand was left before it was played out"
    elif rules.hands is not None:
        missing = f"{rules.hands - before.counted} of {rules.hands} hands are still to be played"
    else:
        missing = f"no total has reached {rules.target}"
    return [Fault(f"a result is claimed, but {missing}", missing, list(event.winners))]


# ── What the record proves about hands ─────────────────────────────────────────────────────────────────────


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
    _share(hands, rules)
    return prove(hands.values(), full(rules.largest))


def _share(hands: Mapping[tuple[int, int], Hand], rules: Rules) -> None:
    """What the three hands of a deal tell of each other, with one set among them."""
    for (number, seat), hand in hands.items():
        if hand.plain:
            continue
        others = [hands[number, s] for s in range(SEATS) if s != seat and (number, s) in hands]
        for other in others:
            hand.foreign |= other.written
            hand.gone |= other.played
        if hand.whole and hand.size > rules.share and hand.written.bit_count() == rules.share:
            # The tile over went to this player, and nobody wrote down which it was.
            hand.whole = False


CLAUSES: tuple[Clause[Zigzag], ...] = (
    common.in_set((Deal, Over, Play), lambda state: state.rules.largest, at=("lead", "stuck")),
    common.once((Deal, Over, Play), elsewhere, at=("lead", "stuck")),
    Clause("zigzag.end", "The game ends after the hand in which a total reaches the target, or after the fixed number "
           "of hands; no act comes after that and no result before.", (*ACTS, Result), end, late=True),
    Clause("zigzag.deal", "Every player is dealt the same number of tiles; the tile over, in the sets that have one, "
           "goes to the contractor.", (Deal, Over), deal),
    Clause("zigzag.next-hand", "The player to the left of the last first bidder bids first.", (Bid, Pass), next_hand),
    Clause("zigzag.bid.order", "The first bidder speaks first, then clockwise, each exactly once.",
           (Bid, Pass, Play), bid_order, at=("lead",)),
    Clause("zigzag.bid.raise", "A bid is higher than the last one and at least the lowest allowed.", (Bid,), bid_raise),
    Clause("zigzag.contract", "The highest bidder is the contractor and leads.", (Play,), contract,
           at=("lead",)),
    Clause("zigzag.rank", "Where rankings are named, the contractor names one of the set's numbers after the bidding "
           "and before the lead; elsewhere nobody does.", (Rank, Play), rank, at=("lead",)),
    Clause("zigzag.all-pass", "If all pass, the hand is thrown in and nobody plays.", (Play,), all_pass,
           at=("lead",)),
    Clause("zigzag.hand.end", "A hand is played until every tile dealt has been played.",
           (Deal, Score, Play), hand_end, at=("lead",)),
    Clause("zigzag.turn", "Play goes clockwise, one tile each, and nobody passes.", (Play, Pass), turn,
           at=("on", "last")),
    Clause("zigzag.play", "Any tile in hand may be played; this is never a breach of its own."),
    common.held((Play,)),
    Clause("zigzag.cover", "A tile covers the one before when they share an end and its other end ranks higher; "
           "zigzag.take judges what follows from it."),
    Clause("zigzag.take", "A covering tile stays on the pile; otherwise the player of the tile before takes all before "
           "it, and the last tile of a hand goes to its player with those that it covers.", (Take,), take),
    Clause("zigzag.score", "The contractor scores the bid if they took that much; otherwise each opponent scores the "
           "bid plus what was missing.", (Score,), score),
    Clause("zigzag.win", "The greatest total wins; equal totals share the win.", (Score, Result), win),
)  # fmt: skip
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
