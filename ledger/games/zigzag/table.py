"""The table of Zigzag: what one event does to it.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import add, sub
from typing import Any

from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.games.zigzag.piles import agreeing, laid, last_taken, with_ways
from ledger.games.zigzag.scoring import added, earned_by, greatest_score
from ledger.games.zigzag.state import (
    AFTER,
    ALL,
    NEXT,
    SEATS,
    UNKNOWN,
    Hand,
    Piles,
    Rules,
    Zigzag,
    all_called,
    all_passed,
    begins_next,
    bid_out,
    closed_to,
    contradicts,
    first_bidder,
    following,
    may_be_told,
    may_have_ended,
    may_lead,
    may_rank,
    of_this_hand,
    played_out,
    played_twice,
    reached,
    scores_the_hand,
    spoken_twice,
    unplayed,
)
from ledger.tiles import full, mask
from ledger.turns import Turn, after_act, after_pass_in_breach

# ── Dealing ────────────────────────────────────────────────────────────────────────────────────────────────


# A deal written twice, or a part and then the whole, is one deal.
def on_deal(state: Zigzag, event: Deal) -> Zigzag:
    """The tiles are in the player's hand."""
    if not of_this_hand(state, event):
        state = begin(leave(state))
    rules, hand, seat = state.rules, state.hand, state.rules.seat[event.player]
    if contradicts(rules, hand, seat, event):
        return state  # the first deal stands
    tiles, mine = mask(event.tiles) & full(rules.largest), hand.dealt[seat]
    others = [hand.dealt[other] for other in AFTER[seat][:2]]
    # A tile that is in another hand too, or that the set does not have, leaves a hand that is not known whole.
    sound = tiles.bit_count() == len(event.tiles) and not tiles & (others[0] | others[1])
    whole = hand.whole | 1 << seat if sound and not event.partial else hand.whole
    return replace(state, hand=replace(hand, dealt=added(hand.dealt, seat, tiles & ~mine), whole=whole))


# In the double 6 and double 9 sets one tile is over, and goes to the contractor.
def on_over(state: Zigzag, event: Over) -> Zigzag:
    """Somebody has the tile over."""
    rules, hand = state.rules, state.hand
    if not rules.over or hand.phase == "over" or hand.over is not None:
        return state
    seat, tile = rules.seat[event.player], event.tile
    hand = contractor_acts(hand, seat)
    taken = hand.dealt[0] | hand.dealt[1] | hand.dealt[2] | hand.played
    if tile.high > rules.largest or tile.bit & taken:
        return replace(state, hand=replace(hand, over=UNKNOWN, whole=hand.whole & ~(1 << seat)))
    # If another takes it than the contractor, nobody knows any more who holds how many.
    whole = hand.whole if seat == hand.contractor else 0
    return replace(state, hand=replace(hand, over=tile.index, dealt=added(hand.dealt, seat, tile.bit), whole=whole))


# ── Bidding ────────────────────────────────────────────────────────────────────────────────────────────────


def on_speech(state: Zigzag, event: Bid | Pass) -> Zigzag:
    """A bid or a pass: in the bidding, or out of place in the play."""
    if begins_next(state, event):
        passed, first = state.hand.passing, first_bidder(state).seat
        state = begin(leave(state))
        if passed and first is not None:
            state = call(state, first, None)
    hand, seat = state.hand, state.rules.seat[event.player]
    bid = event.bid if type(event) is Bid else None
    if spoken_twice(hand, seat, bid):
        return state
    if hand.phase == "play" or closed_to(hand, seat):
        return passed_in_play(state, seat) if bid is None else state
    return call(state, seat, bid)


# Each speaks once; the highest bidder is the contractor, and if all pass the hand is thrown in.
def call(state: Zigzag, seat: int, bid: int | None) -> Zigzag:
    """A player has bid, or passed."""
    hand = state.hand
    if not hand.spoke:
        state = replace(state, bidder=seat, missed_bidder=passed_over(hand, seat))
    if bid is not None and bid > hand.highest:
        hand = replace(hand, highest=bid, contractor=seat, rival=passed_over(hand, seat))
    hand = replace(
        hand,
        turn=after_act(hand.turn, seat, lambda speaker: NEXT[speaker]),
        calls=hand.calls + 1,
        spoke=hand.spoke | 1 << seat,
        skipped=with_skipped(hand, passed_over(hand, seat)),
        said=bid,
        last=seat,
    )
    if not all_called(hand):
        return replace(state, hand=hand)
    return (
        thrown_in(state, hand)
        if hand.contractor is None
        else replace(state, hand=replace(hand, turn=Turn(hand.contractor)))
    )


def passed_over(hand: Hand, seat: int) -> int | None:
    """The seat that was passed over when this one acts, if one was."""
    turn = hand.turn
    return None if turn.seat == seat or turn.allows(seat) else turn.seat


def with_skipped(hand: Hand, due: int | None) -> int:
    """The seats (bits) that were passed over, this one too."""
    return hand.skipped if due is None else hand.skipped | 1 << due


# The contractor may name a highest number, and a direction with it; what is named in breach changes nothing.
def on_rank(state: Zigzag, event: Rank) -> Zigzag:
    """The order of the numbers for this hand."""
    seat = state.rules.seat[event.player]
    hand = contractor_acts(state.hand, seat)
    if may_rank(state, seat, event.high):
        hand = replace(hand, rank=(event.high, event.direction == "reverse"))
    return replace(state, hand=hand)


def contractor_acts(hand: Hand, seat: int) -> Hand:
    """The hand when a seat acts as its contractor before the lead: then the bidding is over.

    Whose the highest bid was is known then, and the only one who had not spoken was passed over.
    """
    if bid_forgotten(hand, seat):
        return replace(hand, contractor=seat, rival=None, highest=UNKNOWN, skipped=hand.skipped | 1 << seat)
    if hand.phase != "bidding" or not may_lead(hand, seat):
        return hand
    skipped = hand.skipped | (ALL & ~hand.spoke if hand.calls == SEATS - 1 else 0)
    return replace(hand, contractor=seat, rival=None, skipped=skipped)


def bid_forgotten(hand: Hand, seat: int) -> bool:
    """Whether a seat acts as the contractor although its bid, and no other, was not written."""
    return hand.phase == "bidding" and hand.calls == SEATS - 1 and not (hand.spoke | hand.skipped) >> seat & 1


# ── Playing ────────────────────────────────────────────────────────────────────────────────────────────────


# Nobody passes in the play; who does may play a tile at once all the same.
def passed_in_play(state: Zigzag, seat: int) -> Zigzag:
    """A player passes instead of playing a tile."""
    hand = state.hand
    turn = after_pass_in_breach(hand.turn, seat, lambda player: following(hand, hand.played, player))
    passing = unplayed(state.rules, hand) <= 2 and first_bidder(state).seat == seat
    skipped = with_skipped(hand, passed_over(hand, seat))
    return replace(state, hand=replace(hand, turn=turn, skipped=skipped, passing=passing))


# Each plays one tile to the pile, clockwise, until all tiles are played.
def on_play(state: Zigzag, event: Play) -> Zigzag:
    """The tile lies in the centre, and the pile goes where it belongs."""
    rules, seat, tile = state.rules, state.rules.seat[event.player], event.tile
    if played_twice(state.hand, seat, tile.index):
        return state
    if state.hand.left and not tile.bit & state.hand.played:
        state = resume(state)
    elif state.hand.phase == "over":
        state = begin(state, stray=state.begun > 0)
    hand = lead(state, seat) if state.hand.phase == "bidding" else state.hand
    known = tile.high <= rules.largest and not tile.bit & hand.played
    played = hand.played | tile.bit if known else hand.played
    due = passed_over(hand, seat)
    ways, fresh = to_pile(rules, hand, tile.index if known else UNKNOWN, seat, due)
    after = replace(
        hand,
        turn=after_play(rules, hand, played, seat),
        skipped=with_skipped(hand, due),
        played=played,
        plays=added(hand.plays, seat, 1),
        last=seat,
        top=tile.index,
        piles=ways[0],
        fresh=fresh,
        told=hand.told & ~fresh,
        passing=False,
    )
    if len(ways) > 1 or hand.ways:
        after = with_ways(after, ways)
    return replace(state, hand=after) if unplayed(rules, after) > 0 else finish(state, last_to_player(rules, after))


def after_play(rules: Rules, hand: Hand, played: int, seat: int) -> Turn:
    """Whose turn it is when a seat has played, and these tiles lie on the table."""
    turn = after_act(hand.turn, seat, lambda player: following(hand, played, player))
    after = NEXT[seat]
    if turn.seat == after or not played_out(hand, played, after):
        return turn
    # A hand that was written too small may have a tile left, and so may a hand whose tile somebody else played.
    dealt = hand.dealt[after].bit_count()
    return replace(turn, also=(*turn.also, after)) if dealt < rules.share or hand.plays[after] < dealt else turn


def to_pile(rules: Rules, hand: Hand, tile: int, seat: int, due: int | None) -> tuple[list[Piles], int]:
    """The ways in which the piles may lie when a seat has played a tile, and the seats (bits) that took one now.

    A tile played out of order may have been written for the wrong player, in place of the one who was `due`.
    """
    ways, fresh = list[Piles](), 0
    for piles in hand.all_piles if hand.ways else (hand.piles,):
        for way in laid(rules, hand, piles, tile, seat):
            ways.append(way)
            if due is not None:
                ways.append(replace(way, by=due))
            if way.taken is not piles.taken and way.taker is not None:
                fresh |= 1 << way.taker
    return ways, fresh


def last_to_player(rules: Rules, hand: Hand) -> Hand:
    """The hand when its last tile was played: its player takes it with the tiles that it covers."""
    ways, fresh = list[Piles](), hand.fresh
    for piles in hand.all_piles:
        ways.append(last_taken(rules, hand, piles))
        fresh |= 0 if piles.by is None else 1 << piles.by
    return with_ways(replace(hand, phase="over", turn=Turn(), fresh=fresh, told=hand.told & ~fresh), ways)


# The highest bidder leads.
def lead(state: Zigzag, seat: int) -> Hand:
    """The hand on the table when its play begins with this seat."""
    hand = state.hand
    if bid_out(hand):
        hand = contractor_acts(hand, seat)
        return replace(hand, phase="play", turn=Turn(hand.contractor), rival=None)
    # Who has not spoken may have bid more than anybody else.
    contractor = hand.contractor if may_lead(hand, seat) else None
    hand = contractor_acts(replace(hand, contractor=contractor), seat)
    return replace(hand, phase="play", turn=Turn(), rival=None)


# A take changes no piles.  Each pile is claimed once, and where nobody knows a tile, the claim holds.
def on_take(state: Zigzag, event: Take) -> Zigzag:
    """The table says who took a pile."""
    hand, seat = state.hand, state.rules.seat[event.player]
    if (hand.ways or hand.piles.unknown != (0, 0, 0)) and may_be_told(hand, seat):
        hand = agreeing(state.rules, hand, seat, event)
    return replace(state, hand=replace(hand, told=hand.told | 1 << seat))


# ── Hands begin and end ────────────────────────────────────────────────────────────────────────────────────


def begin(state: Zigzag, *, stray: bool = False) -> Zigzag:
    """The game when the next hand has begun, before anybody has spoken in it."""
    return replace(
        state,
        hand=Hand(phase="bidding", turn=first_bidder(state), stray=stray),
        begun=state.begun + 1,
        thrown_in=state.thrown_in and stray,
    )


# A hand that the table left too early is over all the same, and counts as a hand played.
def leave(state: Zigzag) -> Zigzag:
    """The game when the table has left the hand, whether it was played out or not."""
    hand = state.hand
    if hand.phase == "over":
        return state
    if hand.stray:
        return replace(state, hand=Hand(), begun=state.begun - 1)
    if all_passed(hand):
        return thrown_in(state, hand)
    return finish(state, replace(hand, phase="over", left=True), early=True)


def in_the_middle(rules: Rules, hand: Hand) -> bool:
    """Whether a hand lacks more tiles than somebody may have forgotten to write."""
    return unplayed(rules, hand) > 2


# A score that was said too early does not end a hand that goes on.
def resume(state: Zigzag) -> Zigzag:
    """The game when play goes on in a hand that was scored before its last tile."""
    earned = state.likely or state.earned or (0, 0, 0)
    return replace(
        state,
        left=state.left - in_the_middle(state.rules, state.hand),
        hand=replace(state.hand, phase="play", left=False),
        totals=tuple(map(sub, state.totals, earned)),
        counted=state.counted - 1,
        earned=None,
        likely=None,
    )


# If all pass, the hand is thrown in and scored for nobody.
def thrown_in(state: Zigzag, hand: Hand) -> Zigzag:
    """The game when all have passed."""
    hand = replace(hand, phase="over", turn=Turn())
    state = replace(state, hand=hand, earned=(0, 0, 0), thrown_in=True, likely=None, unsure=not state.totals_known)
    return count(state) if state.rules.thrown_counts else state


def finish(state: Zigzag, hand: Hand, *, early: bool = False) -> Zigzag:
    """The game when a hand has been played, and what it scored."""
    earned = earned_by(state.rules, last_to_player(state.rules, hand) if early else hand)
    most = greatest_score(state.rules, hand, early=early)
    known, sure = most is None, state.totals_known
    state = replace(
        state,
        hand=hand,
        totals=tuple(map(add, state.totals, earned)),
        earned=earned if known else None,
        likely=None if known else earned,
        thrown_in=False,
        unsure=not sure,
        left=state.left + (early and in_the_middle(state.rules, hand)),
        reach=(max(state.totals) if sure else state.reach) + (max(earned) if most is None else most),
    )
    return count(state)


# The game ends after the hand in which a total reaches the target, or after the fixed number of hands.
def count(state: Zigzag) -> Zigzag:
    """The game with one more hand that counts."""
    return ending(replace(state, counted=state.counted + 1))


def ending(state: Zigzag) -> Zigzag:
    """The game, ended if a hand is over after which it ends."""
    if state.hand.phase != "over" or state.hand.left:
        return state
    ended = (state.totals_known or state.rules.hands is not None) and reached(state)
    return state if ended == state.ended else replace(state, ended=ended)


# ── Claims that hold where nobody knows better ─────────────────────────────────────────────────────────────


# A claim changes nothing but what nobody knows.  A score of the hand says that the hand is over.
def on_score(state: Zigzag, event: Score) -> Zigzag:
    """The table says points of a hand, or the totals."""
    if scores_the_hand(state, event):
        state = leave(state)
    if event.scope == "hand":
        return earned_as_said(state, event) if state.likely is not None and state.hand.phase == "over" else state
    return state if state.totals_known else totals_as_said(state, event)


def earned_as_said(state: Zigzag, event: Score) -> Zigzag:
    """The game with the points of its last hand as the table says them."""
    likely = state.likely or (0, 0, 0)
    earned = as_said(state.rules, event, likely)
    totals = tuple(total - was + now for total, was, now in zip(state.totals, likely, earned, strict=True))
    return ending(replace(state, earned=earned, likely=None, totals=totals))


def totals_as_said(state: Zigzag, event: Score) -> Zigzag:
    """The game with the totals as the table says them."""
    totals = as_said(state.rules, event, state.totals)
    return ending(replace(state, totals=totals, likely=None, unsure=False))


def as_said(rules: Rules, event: Score, points: tuple[int, ...]) -> tuple[int, ...]:
    """Points by seat as a claim says them, and these for players whom it does not name."""
    return tuple([event.points.get(player, was) for player, was in zip(rules.players, points, strict=True)])


def on_result(state: Zigzag, _event: Result) -> Zigzag:
    """The table says that the game has ended: where nobody knows the totals, that holds."""
    return replace(state, ended=True) if may_have_ended(state) else state


EVOLVE: Mapping[type, Any] = {
    Deal: on_deal, Bid: on_speech, Pass: on_speech, Rank: on_rank, Over: on_over, Play: on_play, Take: on_take,
    Score: on_score, Result: on_result,
}  # fmt: skip


def evolve(state: Zigzag, event: Correctable) -> Zigzag:
    """The table after an event."""
    on = EVOLVE.get(type(event))
    after: Zigzag = on(state, event) if on else state
    return after
