"""The play of a hand of Zigzag: what is laid on the pile, who takes it, and what the hand scores."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Correctable, Play, Take
from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.state import NEXT, SEATS, Hand, Phase, Rules, following, held_by_all, played_in_all, written

Capture = tuple[int, int, int]
"""The seat that took a pile, how many tiles it was, and what they are worth."""


# A covering tile stays on the pile; otherwise whoever played the tile before takes all before it.  Whoever plays the
# hand's last tile takes it, with those that it covers.
def lay(
    rules: Rules, hand: Hand, events: Sequence[Correctable], place: int, *, strictly: bool = False
) -> tuple[Hand, int]:
    """Lays tiles that are not on the table yet: the hand afterwards, and the place of the first event that it leaves.

    Strictly, it leaves what follows the hand's last tile, and that of which there is something to be said: a play out
    of turn or of a tile that is not written in the hand, a take that was not so.
    """
    seats, over, values = rules.seat, covers(rules.largest, hand.rank), worths(rules.largest, hand.rank, rules.by_rank)
    turn, last, captures, taken, worth = hand.turn, hand.last, hand.captures, list(hand.taken), list(hand.worth)
    # Of all that was played so far the pile is the end.
    laid, lying, points = list(hand.pile), len(hand.pile), sum([values[index] for index in hand.pile])
    top, holds = over[laid[-1]] if laid else -1, held_by_all(rules, hand)
    had = written(hand, holds) if strictly else (0, 0, 0)
    held = list(had)
    for behind in range(place, len(events)):
        event = events[behind]
        if type(event) is Play:
            tile, seat = event.tile, seats[event.player]
            bit, index = tile.bit, tile.index
            if strictly and (seat != turn or not bit & held[seat]):
                break
            if bit & top:
                lying += 1
                points += values[index]
                captures = ()
            else:
                assert last is not None  # noqa: S101  somebody played the pile
                captures = ((last, lying, points),)
                taken[last] += lying
                worth[last] += points
                lying, points = 1, values[index]
            top, last, turn = over[index], seat, NEXT[seat]
            held[seat] ^= bit
            laid.append(index)
        elif type(event) is not Take or not took(captures, seats[event.player], event):
            break
    else:
        behind = len(events)
    if behind == place or last is None:
        return hand, place
    played, plays = hand.played, list(hand.plays)
    for seat in range(SEATS):
        own = had[seat] ^ held[seat]
        played |= own
        plays[seat] += own.bit_count()
    phase: Phase = "play"
    turn = following(holds, plays, last)
    if played.bit_count() >= played_in_all(rules, hand):
        captures = (*captures, (last, lying, points))
        taken[last] += lying
        worth[last] += points
        phase, turn, laid = "over", None, []
    return Hand(
        phase, turn, hand.spoke, hand.highest, hand.contractor, hand.over, hand.rank, hand.dealt, hand.whole, played,
        tuple(plays), tuple(laid[-lying:]), last, captures, tuple(taken), tuple(worth), hand.scored,
    ), behind  # fmt: skip


def took(captures: Sequence[Capture], seat: int, event: Take) -> bool:
    """Whether that seat took one pile, and that one, as it is said."""
    if len(captures) != 1:
        return False
    taker, tiles, points = captures[0]
    said, worth = event.tiles, event.points
    return seat == taker and (said is None or said == tiles) and (worth is None or worth == points)


def added(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """These values by seat, with so much more for one of them."""
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


# The contractor scores the bid when they took at least that; otherwise each opponent scores the bid plus what was
# missing, or half of it rounded up where the penalty is shared.
def earned_by(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """What a hand that was played out scores, by seat."""
    contractor = hand.contractor
    if contractor is None:
        return (0, 0, 0)
    took = (hand.worth if rules.points else hand.taken)[contractor]
    if took >= hand.highest:
        return added((0, 0, 0), contractor, took if rules.scores_taken else hand.highest)
    penalty = hand.highest + hand.highest - took
    if rules.split:
        penalty = (penalty + 1) // 2
    return tuple([0 if seat == contractor else penalty for seat in range(SEATS)])


def made_with_more(rules: Rules, hand: Hand) -> bool:
    """Whether the contractor took more than was bid."""
    return hand.contractor is not None and (hand.worth if rules.points else hand.taken)[hand.contractor] > hand.highest
