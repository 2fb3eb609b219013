"""How a table of Zigzag looks: the pile in the centre, the piles taken, the three hands."""

from collections.abc import Sequence

from ledger.games.zigzag.bidding import all_called, first_bidder
from ledger.games.zigzag.scoring import taken_by
from ledger.games.zigzag.state import SEATS, UNKNOWN, Zigzag, held_by_all
from ledger.record.scene import Goal, Hand, Pile, Row, Scene, Seat, hand_title
from ledger.record.sentences import who
from ledger.record.tiles import TILES, members
from ledger.rules.game import Tally


def _left(state: Zigzag, seat: int) -> int:
    """How many tiles a seat still holds."""
    hand, rules = state.hand, state.rules
    if hand.phase == "over":
        return 0
    return max(0, held_by_all(rules, hand)[seat] - hand.plays[seat])


def tally(state: Zigzag) -> Sequence[Tally]:
    """Where the tiles of the hand are; between two hands all are with those who took them."""
    hand, rules = state.hand, state.rules
    whole = SEATS * rules.share + rules.over
    if not state.begun:
        return (Tally("not yet dealt", whole),)
    taken, pile = sum(hand.piles.taken), len(hand.piles.pile)
    if hand.phase == "over" and not taken:
        return (Tally("thrown in", whole),)
    held = sum(_left(state, seat) for seat in range(SEATS))
    return (
        Tally("taken", taken),
        Tally("in the centre", pile),
        Tally("in hands", held),
        Tally("over", max(0, whole - taken - pile - held)),
    )


def scene(state: Zigzag) -> Scene:
    """The table as data."""
    rules, hand = state.rules, state.hand
    seats = tuple(
        Seat(rules.players[seat], state.totals[seat], hand.turn.seat == seat, _word(state, seat))
        for seat in range(SEATS)
    )
    known = tuple(TILES[index] for index in hand.piles.pile if index != UNKNOWN)
    pile = Pile("pile", known, (None,) * len(known), hidden=len(hand.piles.pile) - len(known))
    taken = tuple(Pile(who(seat), hidden=hand.piles.taken[seat]) for seat in range(SEATS))
    areas = (Row("in the centre", (pile,)), Row("taken", taken))
    hands = tuple(_hand(state, seat) for seat in range(SEATS)) if hand.phase != "over" else ()
    return Scene(seats, areas, hands, _status(state), _goal(state), _taken(state))


def _goal(state: Zigzag) -> Goal | None:
    """The contract, once everybody has spoken."""
    rules, hand = state.rules, state.hand
    if hand.phase == "over" or hand.contractor is None or not _has_contract(state):
        return None
    took = taken_by(rules, hand.piles, hand.contractor)
    return Goal(hand.contractor, hand.highest, took, "points" if rules.points else "tiles")


def _has_contract(state: Zigzag) -> bool:
    """Whether the hand, which may be over, has a bid and everybody has spoken."""
    hand = state.hand
    return hand.contractor is not None and hand.highest >= 0 and all_called(hand)


def _taken(state: Zigzag) -> tuple[int, ...]:
    """What each seat took, in what the bids count; nothing without a contract."""
    if not _has_contract(state):
        return ()
    return tuple(taken_by(state.rules, state.hand.piles, seat) for seat in range(SEATS))


def _hand(state: Zigzag, seat: int) -> Hand:
    known = members(state.hand.dealt[seat] & ~state.hand.played)
    return Hand(seat, known, max(0, _left(state, seat) - len(known)))


def _word(state: Zigzag, seat: int) -> str:
    hand = state.hand
    if hand.phase == "over":
        return ""
    words = [f"bid {hand.highest}"] if hand.contractor == seat else []
    count = taken_by(state.rules, hand.piles, seat)
    return ", ".join(words + ([f"took {count}"] if count else []))


def _status(state: Zigzag) -> str:
    hand, rules = state.hand, state.rules
    if state.ended:
        return "Game over"
    if hand.phase == "over":
        bidder = first_bidder(state).seat
        first = f" · {who(bidder)} bids first" if bidder is not None else ""
        return f"Deal hand {state.begun + 1}{first}"
    named = f", {hand.rank[0]} highest{' in reverse' if hand.rank[1] else ''}" if hand.rank else ""
    title = hand_title(state.begun, rules.hands)
    # Each player speaks once; then the contractor leads.
    if hand.phase == "bidding" and hand.contractor is not None and all_called(hand):
        return f"{title}{named} · {who(hand.contractor)} leads"
    act = "bid" if hand.phase == "bidding" else "play"
    turn = f" · {who(hand.turn.seat)} to {act}" if hand.turn.seat is not None else ""
    return f"{title}, {hand.phase}{named}{turn}"
