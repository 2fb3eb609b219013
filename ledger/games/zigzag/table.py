"""The table of Zigzag: its state, and what an event does to it.

A hand goes through three phases: *bidding*, *play*, and *over*, in which the next hand has not begun.  It begins
with the first deal, bid, pass or play after the last one's end; nobody writes that down.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Bid, Correctable, Deal, Over, Pass, Play, Rank, Score, Take
from ledger.game import Opening, State
from ledger.games.zigzag.numbers import covers, worths
from ledger.tiles import full, mask, members, size

SEATS = 3
ALL = 0b111
"""Every seat, as bits."""
_AFTER = ((1, 2, 0), (2, 0, 1), (0, 1, 2))
"""By seat, the seats clockwise from the next one."""


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


class Hand(Struct, frozen=True, gc=False):
    """One hand: its bidding, its play, and how many tiles were taken.

    `turn` is the seat that should act, None where nobody knows.  `spoke` has a bit for each seat that bid or passed,
    `highest` the highest bid so far (-1: none) and `contractor` its bidder.  `dealt` are the tiles that the record
    puts in each hand, `whole` has a bit for each seat whose hand is written whole.  `played` are the tiles on the
    table in this hand, `plays` how many by each seat.  `pile` lies in the centre, `last` played on it; `captures` are
    (seat, tiles, points) of the last play.  `scored`: somebody said its score while it was going on.
    """

    phase: Literal["bidding", "play", "over"] = "over"
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
    captures: tuple[tuple[int, int, int], ...] = ()
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
    total = sum(tile.low for tile in members(full(largest))) if by_points else size(largest)
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


# ── What an event does ─────────────────────────────────────────────────────────────────────────────────────


def _holds(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """How many tiles each seat has in a hand, played ones included."""
    dealt = [hand.dealt[seat].bit_count() if hand.whole >> seat & 1 else rules.share for seat in range(SEATS)]
    if hand.contractor is not None:
        dealt[hand.contractor] += rules.over
    return tuple(dealt)


def _next(holds: Sequence[int], plays: Sequence[int], seat: int) -> int | None:
    """The next seat clockwise that still has a tile to play, when each holds and has played so many."""
    for following in _AFTER[seat]:
        if plays[following] < holds[following]:
            return following
    return None


def _silent(spoke: int, seat: int) -> int | None:
    """The next seat clockwise that has not spoken."""
    for following in _AFTER[seat]:
        if not spoke >> following & 1:
            return following
    return None


def bid_out(hand: Hand) -> bool:
    """Whether all have spoken and somebody is to play alone, but has not begun."""
    return hand.phase == "bidding" and hand.spoke == ALL and hand.contractor is not None


def unnamed(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor is to name the ranking, and has not."""
    return rules.ranking and hand.rank is None


def lowest_bid(rules: Rules, hand: Hand) -> int:
    """The lowest bid that may be made now: it is higher than the last, and at least the lowest allowed."""
    return max(rules.least, (hand.highest if hand.phase == "bidding" else -1) + 1)


# The player to the left of the last first bidder bids first; after a hand thrown in a ruling may keep the bidder.
def first_bidder(state: Zigzag) -> int | None:
    """Who begins the bidding of the next hand; None where the record leaves it open."""
    if state.bidder is None:
        return state.rules.first
    return state.bidder if state.thrown_in and state.rules.same_bidder else (state.bidder + 1) % SEATS


def _begin(state: Zigzag) -> Zigzag:
    """The next hand, before anybody has spoken."""
    return replace(
        state,
        hand=Hand(phase="bidding", turn=first_bidder(state)),
        begun=state.begun + 1,
        thrown_in=False,
        broken=state.broken or state.hand.phase != "over",
    )


def _on_deal(state: Zigzag, event: Deal) -> Zigzag:
    seat = state.rules.seat[event.player]
    hand = state.hand
    if hand.phase != "bidding" or (hand.spoke and hand.dealt[seat]):
        state = _begin(state)
        hand = state.hand
    dealt = _with(hand.dealt, seat, hand.dealt[seat] | (mask(event.tiles) & full(state.rules.largest)))
    whole = hand.whole if event.partial else hand.whole | 1 << seat
    return replace(state, hand=replace(hand, dealt=dealt, whole=whole))


def _on_speech(state: Zigzag, event: Bid | Pass) -> Zigzag:
    hand = state.hand
    if hand.phase == "over" or (hand.phase == "play" and hand.scored):
        state = _begin(state)
        hand = state.hand
    seat = state.rules.seat[event.player]
    if hand.phase == "play":
        # A pass in the play, or a bid: out of place.  A pass is that player's turn all the same.
        turn = _next(_holds(state.rules, hand), hand.plays, seat) if type(event) is Pass else hand.turn
        return replace(state, hand=replace(hand, turn=turn))
    if hand.spoke == ALL:
        return state
    bidder = seat if not hand.spoke else state.bidder
    spoke = hand.spoke | 1 << seat
    highest, contractor = hand.highest, hand.contractor
    if type(event) is Bid and event.bid > highest and not hand.spoke >> seat & 1:
        highest, contractor = event.bid, seat
    turn = _silent(spoke, seat) if spoke != ALL else contractor
    hand = replace(hand, spoke=spoke, highest=highest, contractor=contractor, turn=turn)
    state = replace(state, hand=hand, bidder=bidder)
    return _over(state, (0, 0, 0), thrown_in=True) if spoke == ALL and contractor is None else state


def _on_rank(state: Zigzag, event: Rank) -> Zigzag:
    hand = state.hand
    if hand.rank is not None or hand.phase == "over" or not 0 <= event.high <= state.rules.largest:
        return state
    return replace(state, hand=replace(hand, rank=(event.high, event.direction == "reverse")))


def _on_over(state: Zigzag, event: Over) -> Zigzag:
    hand = state.hand
    if hand.phase == "over" or hand.over is not None or event.tile.high > state.rules.largest:
        return state
    seat = state.rules.seat[event.player]
    dealt = _with(hand.dealt, seat, hand.dealt[seat] | event.tile.bit)
    # A whole hand stays whole, but `_holds` counts the tile over by itself.
    whole = hand.whole & ~(1 << seat)
    return replace(state, hand=replace(hand, over=event.tile.index, dealt=dealt, whole=whole))


def _on_play(state: Zigzag, event: Play) -> Zigzag:
    rules = state.rules
    if state.hand.phase == "over":
        state = _begin(state)
    hand = state.hand
    seat = rules.seat[event.player]
    if event.tile.high > rules.largest or event.tile.bit & hand.played:
        plays = _with(hand.plays, seat, hand.plays[seat] + 1)
        turn = _next(_holds(rules, hand), plays, seat)
        return replace(state, hand=replace(hand, phase="play", plays=plays, turn=turn, captures=()))
    hand, _ = lay(rules, hand, (event,), 0)
    return settled(state, hand)


# Whoever plays the hand's last tile takes it, with those that it covers.
def settled(state: Zigzag, hand: Hand) -> Zigzag:
    """The game with the hand as it is after a play, and over if that was its last."""
    rules, seat = state.rules, hand.last
    if hand.played.bit_count() < _tiles(rules, hand):
        return replace(state, hand=hand)
    assert seat is not None  # noqa: S101  somebody played
    tiles, points = len(hand.pile), sum([worths(rules.largest, hand.rank, rules.by_rank)[index] for index in hand.pile])
    hand = replace(
        hand,
        pile=(),
        captures=(*hand.captures, (seat, tiles, points)),
        taken=_with(hand.taken, seat, hand.taken[seat] + tiles),
        worth=_with(hand.worth, seat, hand.worth[seat] + points),
    )
    return _over(replace(state, hand=hand), earned_by(rules, hand))


# A covering tile stays on the pile; otherwise whoever played the tile before takes all before it.
def lay(
    rules: Rules, hand: Hand, events: Sequence[Correctable], place: int, *, strictly: bool = False
) -> tuple[Hand, int]:
    """Lays tiles that are not on the table yet: the hand afterwards, and the place of the first event that it leaves.

    Strictly, it leaves what follows the hand's last tile, and that of which there is something to be said: a play out
    of turn or of a tile that is not written in the hand, a take that was not so.
    """
    seats, over, values = rules.seat, covers(rules.largest, hand.rank), worths(rules.largest, hand.rank, rules.by_rank)
    turn, holds, left = hand.turn, _holds(rules, hand), _tiles(rules, hand) - hand.played.bit_count()
    pile, last, played, plays = list(hand.pile), hand.last, hand.played, list(hand.plays)
    captures, taken, worth = hand.captures, list(hand.taken), list(hand.worth)
    held = [dealt & ~played for dealt in hand.dealt]
    top, points = over[pile[-1]] if pile else -1, sum([values[index] for index in pile])
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is Play:
            tile, seat = event.tile, seats[event.player]
            bit, index = tile.bit, tile.index
            if strictly and (not left or seat != turn or not bit & held[seat]):
                break
            if bit & top:
                pile.append(index)
                points += values[index]
                captures = ()
            else:
                assert last is not None  # noqa: S101  somebody played the pile
                captures = ((last, len(pile), points),)
                taken[last] += len(pile)
                worth[last] += points
                pile, points = [index], values[index]
            top, last = over[index], seat
            left -= 1
            played |= bit
            held[seat] ^= bit
            plays[seat] += 1
            # Clockwise, whoever still has a tile.
            for turn in _AFTER[seat]:
                if plays[turn] < holds[turn]:
                    break
            else:
                turn = None
        elif type(event) is not Take or not took(captures, seats[event.player], event):
            break
    else:
        behind = len(events)
    hand = Hand(
        "play", turn, hand.spoke, hand.highest, hand.contractor, hand.over, hand.rank, hand.dealt, hand.whole, played,
        tuple(plays), tuple(pile), last, captures, tuple(taken), tuple(worth), hand.scored,
    )  # fmt: skip
    return hand, behind


def took(captures: Sequence[tuple[int, int, int]], seat: int, event: Take) -> bool:
    """Whether that seat took one pile, and that one, as it is said."""
    if len(captures) != 1:
        return False
    taker, tiles, points = captures[0]
    said, worth = event.tiles, event.points
    return seat == taker and (said is None or said == tiles) and (worth is None or worth == points)


def _tiles(rules: Rules, hand: Hand) -> int:
    """How many tiles are played in a hand: all that were dealt, and the one over."""
    if hand.whole == ALL:
        first, second, third = hand.dealt
        dealt = first.bit_count() + second.bit_count() + third.bit_count()
        return dealt + rules.over if hand.over is None else dealt
    return SEATS * rules.share + rules.over


# The contractor scores the bid when they took at least that; otherwise each opponent scores the bid plus what was
# missing, or half of it rounded up where the penalty is shared.
def earned_by(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """What a hand that was played out scores, by seat."""
    contractor = hand.contractor
    if contractor is None:
        return (0, 0, 0)
    took = (hand.worth if rules.points else hand.taken)[contractor]
    if took >= hand.highest:
        return _with((0, 0, 0), contractor, took if rules.scores_taken else hand.highest)
    penalty = hand.highest + hand.highest - took
    if rules.split:
        penalty = (penalty + 1) // 2
    return tuple(0 if seat == contractor else penalty for seat in range(SEATS))


def made_with_more(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor took more than was bid."""
    return hand.contractor is not None and (hand.worth if rules.points else hand.taken)[hand.contractor] > hand.highest


def _over(state: Zigzag, earned: tuple[int, ...], thrown_in: bool = False) -> Zigzag:
    rules = state.rules
    totals = tuple(map(add, state.totals, earned))
    counted = state.counted + (not thrown_in or rules.thrown_counts)
    if rules.hands is not None:
        ended = counted >= rules.hands
    else:
        ended = rules.target is not None and max(totals) >= rules.target
    return replace(
        state,
        hand=replace(state.hand, phase="over", turn=None),
        totals=totals,
        counted=counted,
        earned=earned,
        thrown_in=thrown_in,
        ended=ended and not state.broken,
    )


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _on_score(state: Zigzag, event: Score) -> Zigzag:
    # A claim changes nothing but where the next hand begins: who scores a hand says that it is over.
    if event.scope == "hand" and state.hand.phase == "play":
        return replace(state, hand=replace(state.hand, scored=True))
    return state


_EVOLVE: Mapping[type, Any] = {
    Deal: _on_deal, Bid: _on_speech, Pass: _on_speech, Rank: _on_rank, Over: _on_over, Play: _on_play, Score: _on_score,
}  # fmt: skip


def evolve(state: Zigzag, event: Correctable) -> Zigzag:
    """The table after an act."""
    on = _EVOLVE.get(type(event))
    after: Zigzag = on(state, event) if on else state
    return after
