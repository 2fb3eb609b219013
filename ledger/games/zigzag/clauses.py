"""The clauses of Zigzag, and the reasons for its points."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ledger.games.zigzag import bidding
from ledger.games.zigzag import state as s
from ledger.games.zigzag.piles import is_true, together
from ledger.games.zigzag.state import Hand as HandOnTable
from ledger.record.events import ACTS, Bid, Deal, Open, Over, Pass, Play, Rank, Result, Score, Take
from ledger.record.sentences import PLAYER, who
from ledger.record.tiles import TILES, full, mask
from ledger.record.words import plural
from ledger.rules import shared_clauses
from ledger.rules.evidence import Act, Hand, Shared, prove
from ledger.rules.game import Clause, Fault, Step, clause, in_order
from ledger.rules.shared_clauses import NOTHING, Faults

# ── The bidding ────────────────────────────────────────────────────────────────────────────────────────


@clause("zigzag.next-hand", "The player to the left of the last first bidder bids first.", Bid, Pass)
def next_hand(before: s.Zigzag, event: Bid | Pass, _after: s.Zigzag, _evidence: object) -> Faults:
    if before.bidder is None or not opens_the_bidding(before, event):
        return NOTHING
    first = bidding.first_bidder(before) if bidding.begins_next(before, event) else before.hand.turn
    if first.seat is None or before.hand.ahead or first.allows(before.rules.seat[event.player]):
        return NOTHING
    bidder = before.rules.players[first.seat]
    return [Fault("{expected} bids first in this hand, not {player}", bidder, event.player)]


def opens_the_bidding(state: s.Zigzag, event: Bid | Pass) -> bool:
    """Whether a bid or a pass is the first of a hand."""
    return bidding.begins_next(state, event) or (state.hand.phase == "bidding" and not state.hand.spoke)


# The clauses about the bidding and the end of a hand have nothing to say about a tile played in between.
def is_not_in_play(before: s.Zigzag, event: object, _after: s.Zigzag) -> bool:
    """Whether an event is anything but a tile played during the play of a hand."""
    return before.hand.phase != "play" or type(event) is not Play


@clause(
    "zigzag.bid.order",
    "The first bidder speaks first, then clockwise, each exactly once.",
    Bid, Pass, Play, when=is_not_in_play, lesson=True,
)  # fmt: skip
def bid_order(before: s.Zigzag, event: Bid | Pass | Play, _after: s.Zigzag, evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if isinstance(event, Play):
        # Skipped players were reported before.
        silent = [rules.players[seat] for seat in range(s.SEATS) if not (hand.spoke | hand.skipped) >> seat & 1]
        out = bool(silent) and (hand.phase != "over" or not before.begun)
        return [Fault("Play begins before {expected} bid or passed", silent)] if out else NOTHING
    if evidence is s.BEGINS:
        return NOTHING
    if opens_the_bidding(before, event):
        return expect(rules, rules.first, event.player) if before.bidder is None else NOTHING
    seat = rules.seat[event.player]
    twice = bidding.spoken_twice(hand, seat, event.bid if isinstance(event, Bid) else None)
    if not twice and (hand.phase == "play" or bidding.closed_to(hand, seat)):
        over = "the hand is being played" if hand.phase == "play" else "everybody has spoken"
        return [Fault(f"The bidding is over: {over}", claimed=event.bid)] if isinstance(event, Bid) else NOTHING
    if bidding.may_call(hand, seat) and not twice:
        return NOTHING
    if hand.spoke >> seat & 1:
        return [Fault("{player} has already bid or passed, and everybody does so once")]
    return expect(rules, hand.turn.seat, event.player)


# There is no upper limit: a bid above all there is to take only gets a note, unless a ruling caps it.
@clause("zigzag.bid.raise", "A bid is higher than the last one and at least the lowest allowed.", Bid, lesson=True)
def bid_raise(before: s.Zigzag, event: Bid, _after: s.Zigzag, _evidence: object) -> Faults:
    rules, hand, seat = before.rules, before.hand, before.rules.seat[event.player]
    going = hand.phase == "bidding" and not bidding.closed_to(hand, seat)
    if not bidding.begins_next(before, event) and not going:
        return NOTHING  # the bidding is over
    if (
        going
        and hand.spoke >> seat & 1
        and (not bidding.may_call(hand, seat) or bidding.spoken_twice(hand, seat, event.bid))
    ):
        return NOTHING  # this player has bid already
    highest, least = hand.highest if going else -1, bidding.lowest_bid(rules, hand)
    if event.bid < least:
        why = f"the last bid was {highest}" if highest >= 0 else f"the lowest bid is {rules.least}"
        return [Fault(f"{PLAYER} bids {event.bid}, but {why}", f"at least {least}", event.bid)]
    if event.bid > rules.total:
        message = f"{PLAYER} bids {event.bid}, more than the {rules.total} there are to take"
        if rules.cap is None:
            return [Fault(message, claimed=event.bid, verdict="note")]
        return [Fault(message, f"at most {rules.cap}", event.bid)]
    return NOTHING


@clause("zigzag.contract", "The highest bidder is the contractor and leads.", Play, when=is_not_in_play)
def contract(before: s.Zigzag, event: Play, _after: s.Zigzag, _evidence: object) -> Faults:
    hand, rules = before.hand, before.rules
    if hand.phase != "bidding" or hand.contractor is None or not bidding.bid_out(hand):
        return NOTHING
    if bidding.may_lead(hand, rules.seat[event.player]):
        return NOTHING
    contractor = rules.players[hand.contractor]
    return [Fault("{expected} is the contractor and leads, not {player}", contractor, event.player)]


@clause(
    "zigzag.rank",
    "Where rankings may be named, the contractor may name one of the set's numbers, once, after the bidding and before "
    "the lead; in other games nobody names one.",
    Rank,
)
def rank(before: s.Zigzag, event: Rank, _after: s.Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if not rules.ranking:
        return [Fault("Nobody names a ranking in this game", claimed=event.high)]
    if not bidding.bid_out(hand) or hand.contractor is None:
        return [Fault("A ranking is named after the bidding and before the lead", claimed=event.high)]
    contractor = rules.players[hand.contractor]
    if not bidding.may_lead(hand, rules.seat[event.player]):
        return [Fault("Only {expected}, the contractor, may name a ranking", contractor, event.player)]
    if hand.rank is not None:
        return [Fault("The ranking was named already", hand.rank[0], event.high)]
    if not 0 <= event.high <= rules.largest:
        return [Fault(f"The double-{rules.largest} set has no {event.high}", f"0 to {rules.largest}", event.high)]
    return NOTHING


@clause("zigzag.all-pass", "If all pass, the hand is thrown in and nobody plays.", Play, when=is_not_in_play)
def all_pass(before: s.Zigzag, event: Play, _after: s.Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    if not (bidding.all_passed(hand) or (hand.phase == "over" and before.thrown_in)):
        return NOTHING
    return [Fault(f"{PLAYER} plays the {event.tile}, but all passed, so nobody is the contractor")]


def expect(rules: s.Rules, seat: int | None, player: str) -> Faults:
    """A fault if another player than this seat's acts; None expects nobody in particular."""
    if seat is None or rules.players[seat] == player:
        return NOTHING
    return [Fault("It was {expected}'s turn, not {claimed}'s", rules.players[seat], player)]


# ── Tiles ──────────────────────────────────────────────────────────────────────────────────────────────────


def elsewhere(before: s.Zigzag, event: Deal | Over | Play) -> Iterable[shared_clauses.Elsewhere]:
    """The tiles that are already in another place."""
    hand, rules = before.hand, before.rules
    seat = rules.seat[event.player]
    if type(event) is Play:
        if s.played_twice(hand, seat, event.tile.index):
            return ((event.tile.bit, "was recorded twice in a row"),)
        return () if hand.phase == "over" else ((hand.played, "was played in this hand already"),)
    if type(event) is Deal:
        if not s.of_this_hand(before, event):
            return ()
        return [(hand.dealt[other], f"was dealt to {who(other)}") for other in range(s.SEATS) if other != seat]
    if not rules.over or hand.phase == "over":
        return ()
    over = 1 << hand.over if hand.over is not None and hand.over != s.UNKNOWN else 0
    dealt = [(hand.dealt[other] & ~over, f"was dealt to {who(other)}") for other in range(s.SEATS)]
    return [(hand.played, "was played in this hand already"), *dealt, (over, "is the tile over, and was taken already")]


# A tile that is among those played now, and was not before, is of the set and was nowhere else.  So are all tiles of a
# deal that makes a hand whole.
def may_be_impossible(before: s.Zigzag, event: Deal | Over | Play, after: s.Zigzag) -> bool:
    """Whether an event is anything but a play of a tile that now lies on the table, or a deal of a sound hand."""
    if type(event) is Play:
        return not event.tile.bit & after.hand.played & ~before.hand.played
    whole = after.hand.whole
    return type(event) is Over or not whole or (whole == before.hand.whole and after.begun == before.begun)


once = shared_clauses.once((Deal, Over, Play), elsewhere, may_be_impossible)
in_set = shared_clauses.in_set((Deal, Over, Play), lambda state: state.rules.largest, may_be_impossible)


# ── Dealing ────────────────────────────────────────────────────────────────────────────────────────────────


@clause(
    "zigzag.deal",
    "Every player is dealt the same number of tiles; the tile over, in the sets that have one, goes to the contractor.",
    Deal,
    Over,
)
def deal(before: s.Zigzag, event: Deal | Over, _after: s.Zigzag, _evidence: object) -> Faults:
    if isinstance(event, Deal):
        return dealt(before, event)
    rules, hand = before.rules, before.hand
    if not rules.over:
        return [Fault(f"A double-{rules.largest} set has no tile over", claimed=str(event.tile))]
    if hand.over is not None:
        first = None if hand.over == s.UNKNOWN else str(TILES[hand.over])
        return [Fault("The tile over was taken already", first, str(event.tile))]
    if not bidding.bid_out(hand) and hand.phase != "play":
        return [Fault("The tile over goes to the contractor, and there is none yet", claimed=event.player)]
    if hand.contractor is None or bidding.may_lead(hand, rules.seat[event.player]):
        return NOTHING
    contractor = rules.players[hand.contractor]
    return [Fault("The tile over goes to {expected}, the contractor", contractor, event.player)]


def dealt(before: s.Zigzag, event: Deal) -> Faults:
    """The faults of a deal: a wrong size, or a contradiction to an earlier deal of the same hand."""
    rules, hand, seat = before.rules, before.hand, before.rules.seat[event.player]
    mine = hand.dealt[seat] if s.of_this_hand(before, event) else 0
    if mine and not mask(event.tiles) & ~mine:
        return NOTHING
    if mine and s.contradicts(rules, hand, seat, event):
        both = (mine | mask(event.tiles)).bit_count()
        message = f"{PLAYER}'s hand was written down twice, with {both} tiles in all instead of {rules.share}"
        return [Fault(message, rules.share, both)]
    return shared_clauses.compare_deal(event, rules.share)


# ── The end, and playing ───────────────────────────────────────────────────────────────────────────────────


# The tiles are counted as they were played.
@clause(
    "zigzag.hand.end",
    "A hand is played until every tile dealt has been played.",
    Deal, Bid, Pass, Score, Play, Result, when=is_not_in_play,
)  # fmt: skip
def hand_end(
    before: s.Zigzag, event: Deal | Bid | Pass | Score | Play | Result, after: s.Zigzag, evidence: object
) -> Faults:
    hand = before.hand
    if isinstance(event, Result):
        return left_early(before, "A result was called") if hand.phase == "play" and after.ended else NOTHING
    if isinstance(event, Play):
        if hand.phase == "over" and before.begun and not before.thrown_in and after.hand.stray:
            return [Fault(f"The hand was already over when {PLAYER} played the {event.tile}")]
        return NOTHING
    if isinstance(event, Score):
        early = event.scope == "hand" and (not before.begun or (before.begun == 1 and hand.phase == "bidding"))
        return left_early(before, "The hand is scored") if early or s.scores_the_hand(before, event) else NOTHING
    if isinstance(event, Deal):
        goes_on = hand.phase == "over" or bidding.all_passed(hand) or s.of_this_hand(before, event)
        return NOTHING if goes_on else left_early(before, "The next hand is dealt")
    begins = evidence is s.BEGINS or (
        hand.phase == "play" and hand.ahead is None and bidding.begins_next(before, event)
    )
    return left_early(before, "The next hand begins") if begins else NOTHING


def left_early(before: s.Zigzag, what: str) -> Faults:
    """The fault of leaving a hand before its last tile; a stray tile after the last hand is not one."""
    if before.hand.stray:
        return NOTHING
    left = s.unplayed(before.rules, before.hand)
    message = f"{what}, but {plural(left, 'tile')} {'is' if left == 1 else 'are'} still to be played"
    return [Fault(message, "every tile played", f"{left} left")]


@clause(
    "zigzag.end",
    "The game ends after the hand in which a total reaches the target, or after the fixed number of hands; no act "
    "comes after that and no result before.",
    *ACTS,
    Result,
    when=is_not_in_play,
)
def end(before: s.Zigzag, event: object, after: s.Zigzag, _evidence: object) -> Faults:
    # The game has not ended as long as a hand is played.
    if not isinstance(event, Result):
        return [Fault("The game was already over")] if after.past and not before.past else NOTHING
    rules = before.rules
    if not s.has_an_end(rules) or s.may_have_ended(after):
        return NOTHING
    if rules.hands is not None:
        left = rules.hands - before.counted
        missing = f"{left} of {plural(rules.hands, 'hand')} {'is' if left == 1 else 'are'} still to be played"
    else:
        missing = f"no total has reached {rules.target}"
    return [Fault(f"A result was called, but {missing}", missing, list(event.winners))]


@clause("zigzag.turn", "Play goes clockwise, one tile each, and nobody passes.", Play, Pass, lesson=True)
def turn(before: s.Zigzag, event: Play | Pass, _after: s.Zigzag, evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    if isinstance(event, Play):
        if hand.phase != "play" or hand.turn.allows(rules.seat[event.player]):
            return NOTHING
        return expect(rules, hand.turn.seat, event.player)
    seat = rules.seat[event.player]
    playing = hand.phase == "play" or (hand.phase == "bidding" and bidding.closed_to(hand, seat))
    if (
        not playing
        or evidence is s.BEGINS
        or bidding.begins_next(before, event)
        or bidding.spoken_twice(hand, seat, None)
    ):
        return NOTHING
    return [Fault("{player} passes instead of playing a tile")]


play = Clause[s.Zigzag]("zigzag.play", "Any tile in hand may be played; this is never a breach of its own.")

held = shared_clauses.held((Play,))

cover = Clause[s.Zigzag](
    "zigzag.cover",
    "A tile covers the one before when they share an end and its other end ranks higher; "
    "who takes the pile depends on it.",
)


# A take is about the last pile that the player took in the hand.
@clause(
    "zigzag.take",
    "A covering tile stays on the pile; otherwise the player of the tile before takes all before it, and the last tile "
    "of a hand goes to its player with those that it covers.",
    Take,
    lesson=True,
)
def take(before: s.Zigzag, event: Take, _after: s.Zigzag, _evidence: object) -> Faults:
    rules, hand = before.rules, before.hand
    seat, piles = rules.seat[event.player], hand.piles
    anew = s.may_be_told(hand, seat)
    if hand.unclear or (anew and is_true(rules, piles.captures[seat], event)):
        return NOTHING
    if anew and any(is_true(rules, way.captures[seat], event) for way in hand.ways):
        return NOTHING
    if piles.taker is None:
        why = "no pile was taken" if piles.pile else "nothing was played"
        return [Fault(f"{PLAYER} claims a pile, but {why}", 0, event.tiles)]
    taker = rules.players[piles.taker]
    mine = piles.captures[seat]
    if seat == piles.taker and not anew:
        return [Fault("{player} claims a pile, but has taken none since the last claim", 0,
                      event.tiles)]  # fmt: skip
    if seat != piles.taker and (not mine or not anew or is_true(rules, piles.captures[piles.taker], event)):
        return [Fault("{expected} took the last pile, not {player}", taker, event.player)]
    pile, tiles, points = together(mine), {p.tiles for p in mine}, {p.points for p in mine}
    faults = []
    if event.tiles not in (None, pile.tiles, *tiles):
        message = f"{PLAYER} took {plural(pile.tiles, 'tile')}, not {event.tiles}"
        if not event.tiles:
            message = f"{PLAYER} claims a pile of no tiles, but the last one they took has {plural(pile.tiles, 'tile')}"
        faults.append(Fault(message, pile.tiles, event.tiles))
    if event.points not in (None, pile.points, *points):
        message = f"The pile is worth {plural(pile.points, 'point')}, not {event.points}"
        faults.append(Fault(message, pile.points, event.points))
    return faults


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


@clause(
    "zigzag.score",
    "The contractor scores the bid if they took that much; otherwise each opponent scores the bid plus what was "
    "missing.",
    Score,
)
def score(before: s.Zigzag, event: Score, _after: s.Zigzag, _evidence: object) -> Faults:
    hand = before.hand
    going = hand.phase == "play" and not hand.stray
    if event.scope != "hand" or before.earned is None or going:
        return NOTHING
    return shared_clauses.compare_points(
        event, shared_clauses.by_player(before.rules.players, before.earned), "points in this hand"
    )


@clause("zigzag.win", "The highest total wins; equal totals share the win.", Score, Result)
def win(before: s.Zigzag, event: Score | Result, _after: s.Zigzag, _evidence: object) -> Faults:
    players = before.rules.players
    if not before.totals_known or (isinstance(event, Score) and event.scope == "hand"):
        return NOTHING
    if isinstance(event, Score):
        if s.scores_the_hand(before, event) and not before.hand.stray:
            return NOTHING
        return shared_clauses.compare_points(event, shared_clauses.by_player(players, before.totals), "total")
    if not before.ended and s.has_an_end(before.rules):
        return NOTHING
    winners = [players[seat] for seat in shared_clauses.greatest(before.totals)]
    return shared_clauses.compare_winners(event, winners, f"{max(before.totals)} is the highest total")


@clause(
    "zigzag.hands",
    "A fixed number of hands should be a multiple of 3, so that all begin the bidding equally often; it is advice, "
    "never a breach.",
    Open,
    verdict="note",
)
def hands(before: s.Zigzag, _event: Open, _after: s.Zigzag, _evidence: object) -> Faults:
    number = before.rules.hands
    if number is None or number % s.SEATS == 0:
        return NOTHING
    multiple = f"a multiple of {s.SEATS}"
    message = (
        f"{plural(number, 'hand is', 'hands are')} not {multiple}, so not everybody begins the bidding equally often"
    )
    return [Fault(message, multiple, number)]


CLAUSES = in_order(globals())


# ── What the whole record proves about the hands ───────────────────────────────────────────────────────


OUT_OF_HANDS = frozenset((Deal, Over, Play))
"""The events that show what a hand held."""
Plays = tuple[list[Act], list[Act], list[Act]]
"""The plays of one hand by seat."""


def holdings(steps: Sequence[Step]) -> dict[int, Any]:
    """By seq of each play, what the whole record proves about the player's hand; and `BEGINS` for a call during play
    that was the first of the next hand.
    """
    rules: s.Rules = steps[0].after.rules
    plays: dict[int, Plays] = {}
    ends: dict[int, HandOnTable] = {}
    for step in steps:
        event, before, after, hand = step.event, step.before, step.after, step.after.hand
        if type(event) not in OUT_OF_HANDS or hand.stray or before.ended:
            continue
        number = after.begun
        ends[number] = hand
        if type(event) is Play and hand.plays is not before.hand.plays:
            tile = event.tile.bit if hand.played != before.hand.played else 0
            if number not in plays:
                plays[number] = ([], [], [])
            plays[number][rules.seat[event.player]].append(Act(step.seq, tile, plays=True))
    evidence = prove(shared(rules, ends[number], played) for number, played in plays.items())
    return {seq: of_player for (seq, _seat), of_player in evidence.items()} | dict.fromkeys(
        early_calls(steps), s.BEGINS
    )


def early_calls(steps: Sequence[Step]) -> Iterator[int]:
    """The seqs of the bids and passes during play with which, as the next call shows, the next hand began."""
    ahead = -1
    for step in steps:
        if type(step.event) is not Bid and type(step.event) is not Pass:
            continue
        before, after = step.before, step.after
        if after.hand.ahead is not None and after.hand.ahead is not before.hand.ahead:
            ahead = step.seq
        elif before.hand.ahead is not None and after.begun > before.begun and after.bidder == before.hand.ahead[0]:
            yield ahead


def shared(rules: s.Rules, hand: HandOnTable, plays: Plays) -> Shared:
    """The three hands of a deal, as the record has them after the last play."""
    astray = 1 << hand.over if hand.over is not None and hand.over >= 0 else 0
    if hand.contractor is not None and hand.dealt[hand.contractor] & astray:
        astray = 0
    hands = []
    for seat in range(s.SEATS):
        size, whole, tiles = rules.share, bool(hand.whole >> seat & 1), hand.dealt[seat] & ~astray
        if seat == hand.contractor or hand.dealt[seat] & astray:
            # This hand has the tile over.  The record may not say which tile it is, or may give it to another player.
            size, whole = size + rules.over, whole and hand.over is not None
        if not whole:
            # A tile that is also written in a whole hand is not known to be in this one.
            tiles &= ~sum([hand.dealt[other] for other in s.AFTER[seat][:2] if hand.whole >> other & 1])
        # A hand that was written down too small may have one tile more.
        hands.append(Hand(seat, 0, size, tiles, whole and tiles.bit_count() >= size, acts=plays[seat]))
    return Shared(hands, full(rules.largest), room=rules.over if hand.contractor is None else 0)
