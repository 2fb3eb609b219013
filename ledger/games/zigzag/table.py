"""The table of Zigzag: what one event does to it."""

from operator import add, sub

from msgspec.structs import replace

from ledger.games.zigzag import bidding
from ledger.games.zigzag import state as s
from ledger.games.zigzag.piles import agreeing, last_to_player, to_pile, with_ways
from ledger.games.zigzag.scoring import added, earned_by, greatest_score
from ledger.record.events import ACTS, Bid, Correctable, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.record.tiles import full, mask
from ledger.rules.game import Evolve, by_event
from ledger.rules.turns import Turn, after_act, after_pass_in_breach

# ── Between two hands ──────────────────────────────────────────────────────────────────────────────────


def begin(state: s.Zigzag, *, stray: bool = False) -> s.Zigzag:
    """The game at the beginning of the next hand, before the bidding."""
    return replace(
        state,
        hand=s.Hand(phase="bidding", turn=bidding.first_bidder(state), stray=stray),
        begun=state.begun + 1,
        thrown_in=state.thrown_in and stray,
    )


# A hand that the table left too early is over anyway, and counts as a hand played.
def leave(state: s.Zigzag) -> s.Zigzag:
    """The game after the table has left the hand, whether it was played out or not."""
    hand = state.hand
    if hand.phase == "over":
        return state
    if hand.stray:
        return replace(state, hand=s.Hand(), begun=state.begun - 1)
    if bidding.all_passed(hand):
        return thrown_in(state, hand)
    return finish(state, replace(hand, phase="over", left=True), early=True)


# A score that was called too early does not end a hand that goes on.
def resume(state: s.Zigzag) -> s.Zigzag:
    """The game when play goes on in a hand that was scored before its last tile."""
    earned = state.likely or state.earned or (0, 0, 0)
    return replace(
        state,
        hand=replace(state.hand, phase="play", left=False),
        totals=tuple(map(sub, state.totals, earned)),
        counted=state.counted - 1,
        earned=None,
        likely=None,
    )


def thrown_in(state: s.Zigzag, hand: s.Hand) -> s.Zigzag:
    """The game after all have passed."""
    hand = replace(hand, phase="over", turn=Turn())
    state = replace(state, hand=hand, earned=(0, 0, 0), thrown_in=True, likely=None, unsure=not state.totals_known)
    return ending(replace(state, counted=state.counted + 1)) if state.rules.thrown_counts else state


def finish(state: s.Zigzag, hand: s.Hand, *, early: bool = False) -> s.Zigzag:
    """The game after a hand, with its scores."""
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
        reach=(max(state.totals) if sure else state.reach) + (max(earned) if most is None else most),
        counted=state.counted + 1,
    )
    return ending(state)


def ending(state: s.Zigzag) -> s.Zigzag:
    """The game; it has ended if the last hand of the game is over."""
    if state.hand.phase != "over" or state.hand.left:
        return state
    ended = is_last(state)
    return state if ended == state.ended else replace(state, ended=ended)


def is_last(state: s.Zigzag) -> bool:
    """Whether the game certainly ends with the last hand that was counted."""
    return (state.totals_known or state.rules.hands is not None) and s.reached(state)


# ── Dealing ────────────────────────────────────────────────────────────────────────────────────────────────


def on_deal(state: s.Zigzag, event: Deal) -> s.Zigzag:
    """The tiles are in the player's hand."""
    if not s.of_this_hand(state, event):
        state = begin(leave(state))
    rules, hand, seat = state.rules, state.hand, state.rules.seat[event.player]
    if s.contradicts(rules, hand, seat, event):
        return state  # the first deal stands
    tiles, mine = mask(event.tiles) & full(rules.largest), hand.dealt[seat]
    others = [hand.dealt[other] for other in s.AFTER[seat][:2]]
    # If a tile is in another hand too, or is not in the set, the whole hand is not known.
    sound = tiles.bit_count() == len(event.tiles) and not tiles & (others[0] | others[1])
    whole = hand.whole | 1 << seat if sound and not event.partial else hand.whole
    return replace(state, hand=replace(hand, dealt=added(hand.dealt, seat, tiles & ~mine), whole=whole))


# In the double-6 and double-9 sets one tile is over, and goes to the contractor.
def on_over(state: s.Zigzag, event: Over) -> s.Zigzag:
    """Somebody has the tile over."""
    rules, hand = state.rules, state.hand
    if not rules.over or hand.phase == "over" or hand.over is not None:
        return state
    seat, tile = rules.seat[event.player], event.tile
    hand = bidding.contractor_acts(hand, seat)
    taken = hand.dealt[0] | hand.dealt[1] | hand.dealt[2] | hand.played
    if tile.high > rules.largest or tile.bit & taken:
        return replace(state, hand=replace(hand, over=s.UNKNOWN, whole=hand.whole & ~(1 << seat)))
    # If another player than the contractor takes it, it is unknown who holds how many tiles.
    whole = hand.whole if seat == hand.contractor else 0
    return replace(state, hand=replace(hand, over=tile.index, dealt=added(hand.dealt, seat, tile.bit), whole=whole))


# ── Bidding ────────────────────────────────────────────────────────────────────────────────────────────────


def on_speech(state: s.Zigzag, event: Bid | Pass) -> s.Zigzag:
    """A bid or a pass: in the bidding, or out of place in the play."""
    if bidding.begins_next(state, event):
        ahead = state.hand.ahead
        state = begin(leave(state))
        if ahead is not None:
            state = call(state, *ahead)
    hand, seat = state.hand, state.rules.seat[event.player]
    bid = event.bid if type(event) is Bid else None
    if bidding.spoken_twice(hand, seat, bid):
        return state
    if hand.phase == "play":
        # If the player who bids first in the next hand has called, the next call shows whether that hand has begun.
        state = passed_in_play(state, seat) if bid is None else state
        ahead = (seat, bid) if bidding.first_bidder(state).seat == seat else None
        return replace(state, hand=replace(state.hand, ahead=ahead))
    if bidding.closed_to(hand, seat):
        return passed_in_play(state, seat) if bid is None else state
    return call(state, seat, bid)


# Each player speaks once; the highest bidder is the contractor; if all pass, the hand is thrown in.
def call(state: s.Zigzag, seat: int, bid: int | None) -> s.Zigzag:
    """A player has bid, or passed."""
    hand = state.hand
    if not hand.spoke:
        state = replace(state, bidder=seat, missed_bidder=s.passed_over(hand, seat))
    if bid is not None and bid > hand.highest:
        hand = replace(hand, highest=bid, contractor=seat, rival=s.passed_over(hand, seat))
    hand = replace(
        hand,
        turn=after_act(hand.turn, seat, lambda speaker: s.NEXT[speaker]),
        calls=hand.calls + 1,
        spoke=hand.spoke | 1 << seat,
        skipped=s.with_skipped(hand, s.passed_over(hand, seat)),
        said=bid,
        last=seat,
    )
    if not bidding.all_called(hand):
        return replace(state, hand=hand)
    if hand.contractor is None:
        return thrown_in(state, hand)
    return replace(state, hand=replace(hand, turn=Turn(hand.contractor)))


# The contractor may name a highest number, and a direction with it; a ranking in breach changes nothing.
def on_rank(state: s.Zigzag, event: Rank) -> s.Zigzag:
    """The order of the numbers for this hand."""
    seat = state.rules.seat[event.player]
    hand = bidding.contractor_acts(state.hand, seat)
    if bidding.may_rank(state, seat, event.high):
        hand = replace(hand, rank=(event.high, event.direction == "reverse"))
    return replace(state, hand=hand)


# ── Playing ────────────────────────────────────────────────────────────────────────────────────────────────


# Nobody passes during play; a player who does may still play a tile at once.
def passed_in_play(state: s.Zigzag, seat: int) -> s.Zigzag:
    """A player passes instead of playing a tile."""
    hand = state.hand
    turn = after_pass_in_breach(hand.turn, seat, lambda player: s.following(hand, hand.played, player))
    skipped = s.with_skipped(hand, s.passed_over(hand, seat))
    return replace(state, hand=replace(hand, turn=turn, skipped=skipped))


# Each player plays one tile to the pile, clockwise, until all tiles are played.
def on_play(state: s.Zigzag, event: Play) -> s.Zigzag:
    """The tile is in the centre, and the pile is taken if it does not cover."""
    rules, seat, tile = state.rules, state.rules.seat[event.player], event.tile
    if s.played_twice(state.hand, seat, tile.index):
        return state
    if state.hand.left and not tile.bit & state.hand.played:
        state = resume(state)
    elif state.hand.phase == "over":
        state = begin(state, stray=state.begun > 0)
    hand = lead(state, seat) if state.hand.phase == "bidding" else state.hand
    known = tile.high <= rules.largest and not tile.bit & hand.played
    played = hand.played | tile.bit if known else hand.played
    due = s.passed_over(hand, seat)
    ways, fresh = to_pile(rules, hand, tile.index if known else s.UNKNOWN, seat, due)
    after = replace(
        hand,
        turn=after_play(rules, hand, played, seat),
        skipped=s.with_skipped(hand, due),
        played=played,
        plays=added(hand.plays, seat, 1),
        last=seat,
        top=tile.index,
        piles=ways[0],
        fresh=fresh,
        told=hand.told & ~fresh,
        ahead=None,
    )
    if len(ways) > 1 or hand.ways:
        after = with_ways(after, ways)
    return replace(state, hand=after) if s.unplayed(rules, after) > 0 else finish(state, last_to_player(rules, after))


def after_play(rules: s.Rules, hand: s.Hand, played: int, seat: int) -> Turn:
    """Whose turn it is after a seat has played, given the tiles played in the hand."""
    turn = after_act(hand.turn, seat, lambda player: s.following(hand, played, player))
    after = s.NEXT[seat]
    if turn.seat == after or not s.played_out(hand, played, after):
        return turn
    # A hand that was written down too small may have a tile left, and so may one whose tile somebody else played.
    dealt = hand.dealt[after].bit_count()
    return replace(turn, also=(*turn.also, after)) if dealt < rules.share or hand.plays[after] < dealt else turn


def lead(state: s.Zigzag, seat: int) -> s.Hand:
    """The current hand as its play begins with this seat."""
    hand = state.hand
    if bidding.bid_out(hand):
        hand = bidding.contractor_acts(hand, seat)
        return replace(hand, phase="play", turn=Turn(hand.contractor), rival=None)
    # A player who has not spoken may have made the highest bid.
    contractor = hand.contractor if bidding.may_lead(hand, seat) else None
    hand = bidding.contractor_acts(replace(hand, contractor=contractor), seat)
    return replace(hand, phase="play", turn=Turn(), rival=None)


# ── Claims change only what is not certain ─────────────────────────────────────────────────────────────────


# A take changes no piles.  Each pile is claimed once, and if a tile is unknown, the claim counts.
def on_take(state: s.Zigzag, event: Take) -> s.Zigzag:
    """The table says who took a pile."""
    hand, seat = state.hand, state.rules.seat[event.player]
    if (hand.ways or hand.piles.unknown != (0, 0, 0)) and s.may_be_told(hand, seat):
        hand = agreeing(state.rules, hand, seat, event)
    return replace(state, hand=replace(hand, told=hand.told | 1 << seat))


# A claim changes only what is unknown.  A score of the hand shows that the hand is over.
def on_score(state: s.Zigzag, event: Score) -> s.Zigzag:
    """The table calls the points of a hand, or the totals."""
    if s.scores_the_hand(state, event):
        state = leave(state)
    if event.scope == "hand":
        likely = state.likely
        if likely is None or state.hand.phase != "over":
            return state
        earned = as_said(state.rules, event, likely)
        totals = tuple(total - was + now for total, was, now in zip(state.totals, likely, earned, strict=True))
        return ending(replace(state, earned=earned, likely=None, totals=totals))
    if state.totals_known:
        return state
    return ending(replace(state, totals=as_said(state.rules, event, state.totals), likely=None, unsure=False))


def as_said(rules: s.Rules, event: Score, points: tuple[int, ...]) -> tuple[int, ...]:
    """Points by seat as called, and `points` for the players whom the claim does not name."""
    return tuple([event.points.get(player, was) for player, was in zip(rules.players, points, strict=True)])


def on_result(state: s.Zigzag, _event: Result) -> s.Zigzag:
    """The table says that the game has ended; if the totals are unknown, that counts."""
    over = leave(state) if state.hand.phase == "play" and not state.hand.stray else state
    return replace(over, ended=True) if s.may_have_ended(over) else state


go_on: Evolve[s.Zigzag] = by_event({
    Deal: on_deal, Bid: on_speech, Pass: on_speech, Rank: on_rank, Over: on_over, Play: on_play, Take: on_take,
    Score: on_score, Result: on_result,
})  # fmt: skip
"""The table after an event that does not come too late."""


def evolve(state: s.Zigzag, event: Correctable) -> s.Zigzag:
    """The table after an event."""
    # Play may go on in a hand that was scored too early, so nothing but such a play shows that the game had not ended.
    resumes = type(event) is Play and not event.tile.bit & state.hand.played
    if state.hand.left and type(event) in ACTS and not resumes and is_last(state):
        return replace(state, ended=True, past=True)
    return go_on(state, event)
