"""A game of Zigzag as it stands: the state, and who is to speak or to play as far as the record has come.

A hand goes through three phases: *bidding*, *play*, and *over*, in which the next hand has not begun.  It begins
with the first deal, bid, pass or play after the last one's end; nobody writes that down.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ledger.events import Bid, Deal, Over, Pass, Play, Rank, Result, Score, Take
from ledger.game import Opening, State
from ledger.games.zigzag.numbers import worths
from ledger.tiles import size

SEATS = 3
ALL = 0b111
"""Every seat, as bits."""
AFTER = ((1, 2, 0), (2, 0, 1), (0, 1, 2))
"""By seat, the seats clockwise from the next one."""
NEXT = (1, 2, 0)
"""By seat, the next one clockwise."""
EVENTS = (Deal, Bid, Pass, Rank, Over, Play, Take, Score, Result)
"""The acts and claims of the game."""


class Rules(Struct, frozen=True, gc=False):
    """An opening as the game uses it.

    `share` tiles are dealt to each, `over` (0 or 1) is left; `total` is all there is to take in a hand.
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
Captures = tuple[tuple[int, int, int], ...]
"""Who took a pile (a seat), how many tiles it had, and what they are worth."""


class Hand(Struct, frozen=True, gc=False):
    """One hand: its bidding, its play, and how many tiles were taken.

    `turn` is the seat that should act, None where nobody knows.  `spoke` has a bit for each seat that bid or passed,
    `highest` the highest bid so far (-1: none) and `contractor` its bidder.  `dealt` are the tiles that the record
    puts in each hand, `whole` has a bit for each seat whose hand is written whole.  `played` are the tiles on the
    table in this hand, `plays` how many by each seat.  `pile` lies in the centre, `last` played on it; `captures` are
    (seat, tiles, points) of the last play.  `scored`: somebody said its score while it was going on.
    """

    phase: Phase = "over"
    turn: int | None = None
    spoke: int = 0
    highest: int = -1
    contractor: int | None = None
    over: int | None = None
    rank: tuple[int, bool] | None = None
    dealt: tuple[int, ...] = (0, 0, 0)
    whole: int = 0
    played: int = 0
    plays: tuple[int, ...] = (0, 0, 0)
    pile: tuple[int, ...] = ()
    last: int | None = None
    captures: Captures = ()
    taken: tuple[int, ...] = (0, 0, 0)
    worth: tuple[int, ...] = (0, 0, 0)
    scored: bool = False


class Zigzag(State, frozen=True, gc=False):
    """A game: the totals by seat, how many hands have `begun` and `counted`, and the hand on the table.

    `bidder` began the bidding of the hand on the table (or of the last one), `earned` are the points of the last
    hand that is over, `thrown_in` whether all passed in it.  `broken`: a hand was left before it was played out, so
    what it would have scored is not known, and no rule can end the game any more.
    """

    rules: Rules
    hand: Hand = Hand()
    totals: tuple[int, ...] = (0, 0, 0)
    begun: int = 0
    counted: int = 0
    bidder: int | None = None
    earned: tuple[int, ...] | None = None
    thrown_in: bool = False
    broken: bool = False


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
            target=None if options["hands"] is not None else options["target"],
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


# ── Who has what, and who is next ──────────────────────────────────────────────────────────────────────────


def held_by_all(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """How many tiles each seat has in a hand, played ones included."""
    share, contractor = rules.share, hand.contractor
    holds = [share, share, share]
    if hand.whole:
        holds = [hand.dealt[seat].bit_count() if hand.whole >> seat & 1 else share for seat in range(SEATS)]
    if contractor is not None and rules.over:
        holds[contractor] += 1
    return tuple(holds)


def following(holds: Sequence[int], plays: Sequence[int], seat: int) -> int | None:
    """The next seat clockwise that still has a tile to play, when each holds and has played so many."""
    for after in AFTER[seat]:
        if plays[after] < holds[after]:
            return after
    return None


def silent(spoke: int, seat: int) -> int | None:
    """The next seat clockwise that has not spoken."""
    for after in AFTER[seat]:
        if not spoke >> after & 1:
            return after
    return None


def bid_out(hand: Hand) -> bool:
    """Whether all have spoken and somebody is to play alone, but has not begun."""
    return hand.phase == "bidding" and hand.spoke == ALL and hand.contractor is not None


def unnamed(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor is to name the ranking, and has not."""
    return rules.ranking and hand.rank is None


def lowest_bid(rules: Rules, hand: Hand) -> int:
    """The lowest bid that may be made now: it is higher than the last, and at least the lowest allowed."""
    return max(rules.least, hand.highest + 1) if hand.phase == "bidding" else rules.least


# The player to the left of the last first bidder bids first; after a hand thrown in a ruling may keep the bidder.
def first_bidder(state: Zigzag) -> int | None:
    """Who begins the bidding of the next hand; None where the record leaves it open."""
    if state.bidder is None:
        return state.rules.first
    return state.bidder if state.thrown_in and state.rules.same_bidder else (state.bidder + 1) % SEATS


def played_in_all(rules: Rules, hand: Hand) -> int:
    """How many tiles are played in a hand: all that were dealt, and the one over."""
    if hand.whole == ALL:
        first, second, third = hand.dealt
        dealt = first.bit_count() + second.bit_count() + third.bit_count()
        return dealt + rules.over if hand.over is None else dealt
    return SEATS * rules.share + rules.over
