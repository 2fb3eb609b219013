"""The play of a hand of Zigzag: what is laid on the pile, who takes it, and what the hand scores."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Correctable, Play, Take
from ledger.games.zigzag.numbers import covers, worths
from ledger.games.zigzag.state import AFTER, SEATS, Hand, Rules, following, held_by_all, played_in_all

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
    turn, holds, left = hand.turn, held_by_all(rules, hand), played_in_all(rules, hand) - hand.played.bit_count()
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
            turn = AFTER[seat][0]
            if plays[turn] >= holds[turn]:
                turn = following(holds, plays, seat)
        elif type(event) is not Take or not took(captures, seats[event.player], event):
            break
    else:
        behind = len(events)
    if left <= 0 and last is not None:
        captures = (*captures, (last, len(pile), points))
        taken[last] += len(pile)
        worth[last] += points
        pile, turn = [], None
    hand = Hand(
        "play" if left > 0 else "over", turn, hand.spoke, hand.highest, hand.contractor, hand.over, hand.rank,
        hand.dealt, hand.whole, played, tuple(plays), tuple(pile), last, captures, tuple(taken), tuple(worth),
        hand.scored,
    )  # fmt: skip
    return hand, behind


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
