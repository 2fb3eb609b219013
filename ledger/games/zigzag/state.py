"""The state of a game of Zigzag, and the questions that the rules ask about it.

A hand has three phases: *bidding*, *play*, and *over*, before the next hand begins.  A hand begins with the first
deal, bid, pass or play after the end of the last one; no event says so.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from ledger.record.events import Deal, Score
from ledger.record.tiles import full, mask, members, named, size
from ledger.rules.game import Opening, State
from ledger.rules.turns import Turn

SEATS = 3
ALL = 0b111
"""Every seat, as bits."""
AFTER = ((1, 2, 0), (2, 0, 1), (0, 1, 2))
"""By seat, the other seats clockwise, the next one first."""
NEXT = (1, 2, 0)
"""By seat, the next one clockwise."""
UNKNOWN = -1
"""In place of a tile's index: an unknown tile."""
BEGINS = "begins"
"""The evidence about a bid or a pass during play, if the next call shows that the next hand began with it."""


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it.

    `share` tiles are dealt to each player, `over` (0 or 1) is left; `total` is all there is to take in a hand.
    """

    players: tuple[str, ...]
    seat: dict[str, int]
    largest: int
    share: int
    over: int
    points: bool
    split: bool
    ranking: bool
    by_rank: bool
    target: int | None
    hands: int | None
    first: int | None
    same_bidder: bool
    thrown_counts: bool
    least: int
    cap: int | None
    total: int
    scores_taken: bool


Phase = Literal["bidding", "play", "over"]


class Capture(Struct, frozen=True, gc=False):
    """A pile that somebody took: its number of tiles, what they are worth, and how many of them are unknown.

    `points` leaves out unknown tiles.
    """

    tiles: int
    points: int
    unknown: int = 0


class Piles(Struct, frozen=True, gc=False):
    """The `pile` in the centre, as the indices of its tiles, who played its top tile (`by`), and what was taken.

    By seat: `captures` are the piles taken last (one, or two that came with one tile), `taken` counts tiles, `worth`
    points, `unknown` the tiles of unknown worth.  `taker` took the last pile of all.
    """

    pile: tuple[int, ...] = ()
    captures: tuple[tuple[Capture, ...], ...] = ((), (), ())
    taken: tuple[int, ...] = (0, 0, 0)
    worth: tuple[int, ...] = (0, 0, 0)
    unknown: tuple[int, ...] = (0, 0, 0)
    taker: int | None = None
    by: int | None = None


class Hand(Struct, frozen=True, gc=False):
    """One hand: its bidding, its play, and what was taken.

    - `turn` is whose turn it is.  `calls` counts the bids and passes, `spoke` has a bit for each seat that bid or
      passed, `skipped` for each whose turn was skipped.  `highest` is the highest bid so far (-1: none), `contractor`
      its bidder; `rival` is the seat that was due instead, if any, and may have made that bid.  `said` is the last bid
      (None: the last call was a pass).
    - `over` is the tile over, once somebody took it; `rank` is the order that the contractor named.
    - `dealt` are the tiles that the record puts in each hand, `whole` has a bit for each hand that is completely
      written down.
    - `played` are the known tiles that were played, `plays` counts all by seat, unknown ones included.  `last` is the
      seat that acted last, `top` the tile that was played last, as it was named.
    - `piles` are the piles as they lie.  If a tile is unknown, there may be other `ways` in which they lie; `unclear`:
      these are too many to follow.
    - `fresh` has a bit for each seat that took a pile with the last tile, `told` for each whose last pile the table
      has claimed.
    - `left`: the hand was scored before its last tile was played.  If play goes on anyway, so does the hand.
    - `ahead`: the player who bids first in the next hand has just bid or passed, although tiles are left: the seat, and
      the bid (None: a pass).
    - `stray`: the hand began with a play, right after the last hand.
    """

    phase: Phase = "over"
    turn: Turn = Turn()
    calls: int = 0
    spoke: int = 0
    skipped: int = 0
    highest: int = -1
    contractor: int | None = None
    said: int | None = None
    rival: int | None = None
    over: int | None = None
    rank: tuple[int, bool] | None = None
    dealt: tuple[int, ...] = (0, 0, 0)
    whole: int = 0
    played: int = 0
    plays: tuple[int, ...] = (0, 0, 0)
    last: int | None = None
    top: int | None = None
    piles: Piles = Piles()
    ways: tuple[Piles, ...] = ()
    unclear: bool = False
    fresh: int = 0
    told: int = 0
    left: bool = False
    ahead: tuple[int, int | None] | None = None
    stray: bool = False

    @property
    def all_piles(self) -> tuple[Piles, ...]:
        """Every way in which the piles may lie."""
        return (self.piles, *self.ways)


class Zigzag(State, frozen=True, gc=False):
    """A game: the totals by seat, how many hands have `begun` and were `counted`, and the current hand.

    `bidder` began the bidding of the current (or last) hand, instead of `missed_bidder` if it was somebody else's turn.
    `earned` are the points of the last finished hand; `thrown_in`: all passed in it.

    If it is unknown what the last hand scored, `earned` is None and `likely` are its likely points; `unsure`: that is
    so for an earlier hand.  The table's claim then counts.  Until there is one, `totals` are only likely, too, and no
    total is greater than `reach`.
    """

    rules: Rules
    hand: Hand = Hand()
    totals: tuple[int, ...] = (0, 0, 0)
    begun: int = 0
    counted: int = 0
    bidder: int | None = None
    missed_bidder: int | None = None
    earned: tuple[int, ...] | None = None
    thrown_in: bool = False
    likely: tuple[int, ...] | None = None
    unsure: bool = False
    reach: int = 0

    @property
    def totals_known(self) -> bool:
        """Whether the totals are certain."""
        return not self.unsure and self.likely is None


def start(opening: Opening) -> Zigzag:
    """The table before the first hand."""
    options = opening.options
    largest = options["set"]
    share, over = divmod(size(largest), SEATS)
    by_points = options["scoring"] == "points"
    total = sum(worths(largest, None, False)) if by_points else size(largest)
    seat = {player: i for i, player in enumerate(opening.players)}
    return Zigzag(
        rules=Rules(
            players=opening.players,
            seat=seat,
            largest=largest,
            share=share,
            over=over,
            points=by_points,
            split=options["split_penalty"],
            ranking=options["ranking"],
            by_rank=options["lower_end"] == "rank",
            target=options["target"],
            hands=options["hands"],
            first=None if options["first_bidder"] is None else seat[options["first_bidder"]],
            same_bidder=options["all_pass"] == "same",  # noqa: S105  a ruling, not a word of entry
            thrown_counts=options["all_pass_counts"],
            least=options["min_bid"],
            cap=total if options["bid_cap"] == "total" else None,
            total=total,
            scores_taken=options["made_scores"] == "taken",
        )
    )


# ── The hands ──────────────────────────────────────────────────────────────────────────────────────────────


def held_by_all(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """How many tiles each seat has in a hand, played ones included."""
    share, contractor = rules.share, hand.contractor
    holds = [share, share, share]
    if hand.whole:
        holds = [hand.dealt[seat].bit_count() if hand.whole >> seat & 1 else share for seat in range(SEATS)]
    if rules.over and contractor is not None:
        # A hand that is completely written down includes the tile over as soon as that is written down, too.
        holds[contractor] += not hand.whole >> contractor & 1 or hand.over is None or hand.over == UNKNOWN
    return tuple(holds)


# All tiles of the set are dealt out, even if a hand was written down too large or too small.
def unplayed(rules: Rules, hand: Hand) -> int:
    """How many tiles of a hand are not played yet, by count."""
    return SEATS * rules.share + rules.over - sum(hand.plays)


def may_be_told(hand: Hand, seat: int) -> bool:
    """Whether a take of this seat may be about its last pile: it was not claimed before this tile was played."""
    bit = 1 << seat
    return not hand.told & bit or bool(hand.fresh & bit)


def played_twice(hand: Hand, seat: int, tile: int) -> bool:
    """Whether this seat played the last tile, and this is the same tile again."""
    return hand.top == tile and hand.last == seat


def following(hand: Hand, played: int, seat: int) -> int | None:
    """The next seat clockwise after these tiles; it skips a seat that has played its whole written hand."""
    for after in AFTER[seat]:
        if not played_out(hand, played, after):
            return after
    return None


def played_out(hand: Hand, played: int, seat: int) -> bool:
    """Whether the whole hand of a seat is written down and played."""
    return bool(hand.whole >> seat & 1) and not hand.dealt[seat] & ~played


def passed_over(hand: Hand, seat: int) -> int | None:
    """The seat that is skipped if this one acts, or None."""
    turn = hand.turn
    return None if turn.seat == seat or turn.allows(seat) else turn.seat


def with_skipped(hand: Hand, due: int | None) -> int:
    """The seats (bits) that were skipped, with this one added."""
    return hand.skipped if due is None else hand.skipped | 1 << due


# A deal written twice, or a part and then the whole, is one deal.
def of_this_hand(state: Zigzag, event: Deal) -> bool:
    """Whether a deal belongs to the current hand and does not begin the next one."""
    hand, seat = state.hand, state.rules.seat[event.player]
    if hand.phase == "over" or hand.stray:
        return False
    if hand.phase == "bidding" and (not hand.spoke or not hand.dealt[seat]):
        return True
    mine, tiles = hand.dealt[seat], mask(event.tiles)
    if hand.phase == "bidding":
        return 4 * (mine & tiles).bit_count() >= 3 * len(event.tiles)
    again = bool(mine) and (not tiles & ~mine or not mine & ~tiles)
    over = mine & (1 << hand.over) if hand.over is not None and hand.over != UNKNOWN else 0
    # A part and the whole of a hand are one deal if the whole has what the player played of it.
    return again and (tiles | over == mine or ((tiles | over) & hand.played).bit_count() == hand.plays[seat])


def contradicts(rules: Rules, hand: Hand, seat: int, event: Deal) -> bool:
    """Whether a deal and those before it have more tiles together than a hand."""
    mine = hand.dealt[seat]
    return bool(mine) and (mine | mask(event.tiles)).bit_count() > max(rules.share, mine.bit_count())


# The scores show it, too.
def scores_the_hand(state: Zigzag, event: Score) -> bool:
    """Whether a claim shows that the current hand is over: its score, or totals with the points of such a hand."""
    hand = state.hand
    if hand.phase != "play" or event.scope == "hand":
        return hand.phase == "play"
    if hand.contractor is None or not state.totals_known:
        return False
    totals = zip(state.rules.players, state.totals, strict=True)
    more = [event.points.get(player, total) - total for player, total in totals]
    bid, by_contractor = hand.highest, more.pop(hand.contractor)
    if any(more):
        # Both opponents score the same, and more than the bid, or than half of it.
        return not by_contractor and more[0] == more[1] and bid < more[0] * (1 + state.rules.split) <= 2 * bid + 1
    return by_contractor > 0 and (by_contractor == bid or (state.rules.scores_taken and by_contractor > bid))


# ── The end ────────────────────────────────────────────────────────────────────────────────────────────────


def has_an_end(rules: Rules) -> bool:
    """Whether a rule ends the game; without a target or a number of hands, it goes on until the table stops."""
    return rules.target is not None or rules.hands is not None


def reached(state: Zigzag) -> bool:
    """Whether the number of hands, or a possible total, is one at which the game ends."""
    rules = state.rules
    if rules.hands is not None:
        return state.counted >= rules.hands
    return rules.target is not None and (max(state.totals) if state.totals_known else state.reach) >= rules.target


def may_have_ended(state: Zigzag) -> bool:
    """Whether the game has ended, or may have, since some points are unknown."""
    return state.ended or (state.hand.phase == "over" and reached(state))


# ── The order of the numbers ───────────────────────────────────────────────────────────────────────────


@lru_cache
def ranks(largest: int, rank: tuple[int, bool] | None) -> tuple[int, ...]:
    """The rank of each number, greatest highest.

    Without a named order, a number ranks as itself.  In the double-8 set, the order from high to low is
    6 5 4 3 2 1 0 8 7 for "6 regular", and 6 7 8 0 1 2 3 4 5 for "6 reverse".
    """
    if rank is None:
        return tuple(range(largest + 1))
    high, reverse = rank
    numbers = largest + 1
    if reverse:
        return tuple(largest - (value - high) % numbers for value in range(numbers))
    return tuple((value - high + largest) % numbers for value in range(numbers))


# A tile covers the one before it when the two share an end and its other end ranks higher than the other's.
@lru_cache
def covers(largest: int, rank: tuple[int, bool] | None) -> tuple[int, ...]:
    """For each tile's index, the mask of the tiles that cover it."""
    order = ranks(largest, rank)
    table = []
    for under in members(full(largest)):
        bits = 0
        for end, other in ((under.first, under.second), (under.second, under.first)):
            for value in range(largest + 1):
                if order[value] > order[other]:
                    bits |= named(f"{end}-{value}").bit
        table.append(bits)
    return tuple(table)


# A taken tile is worth the spots on its lower end; the ruling says lower by spots or by the named order.
@lru_cache
def worths(largest: int, rank: tuple[int, bool] | None, by_rank: bool) -> tuple[int, ...]:
    """The worth of each tile, by index."""
    if not by_rank:
        return tuple(tile.low for tile in members(full(largest)))
    order = ranks(largest, rank)
    return tuple(min(tile.low, tile.high, key=order.__getitem__) for tile in members(full(largest)))
