"""Between the hands of Zigzag: one ends and is counted, and the next begins.

Source: the clause page of Zigzag; the rule document, at pagat.com/invented/zigzag.html.
"""

from __future__ import annotations

from operator import add, sub

from msgspec.structs import replace

from ledger.games.zigzag.bidding import all_passed, first_bidder
from ledger.games.zigzag.piles import last_to_player
from ledger.games.zigzag.scoring import earned_by, greatest_score
from ledger.games.zigzag.state import Hand, Zigzag, reached
from ledger.record.events import ACTS, Correctable, Play
from ledger.rules.turns import Turn


def begin(state: Zigzag, *, stray: bool = False) -> Zigzag:
    """The game at the beginning of the next hand, before the bidding."""
    return replace(
        state,
        hand=Hand(phase="bidding", turn=first_bidder(state), stray=stray),
        begun=state.begun + 1,
        thrown_in=state.thrown_in and stray,
    )


# A hand that the table left too early is over anyway, and counts as a hand played.
def leave(state: Zigzag) -> Zigzag:
    """The game after the table has left the hand, whether it was played out or not."""
    hand = state.hand
    if hand.phase == "over":
        return state
    if hand.stray:
        return replace(state, hand=Hand(), begun=state.begun - 1)
    if all_passed(hand):
        return thrown_in(state, hand)
    return finish(state, replace(hand, phase="over", left=True), early=True)


# A score that was called too early does not end a hand that goes on.
def resume(state: Zigzag) -> Zigzag:
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


# If all pass, the hand is thrown in and scored for nobody.
def thrown_in(state: Zigzag, hand: Hand) -> Zigzag:
    """The game after all have passed."""
    hand = replace(hand, phase="over", turn=Turn())
    state = replace(state, hand=hand, earned=(0, 0, 0), thrown_in=True, likely=None, unsure=not state.totals_known)
    return ending(replace(state, counted=state.counted + 1)) if state.rules.thrown_counts else state


def finish(state: Zigzag, hand: Hand, *, early: bool = False) -> Zigzag:
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


# The game ends after the hand in which a total reaches the target, or after the fixed number of hands.
def ending(state: Zigzag) -> Zigzag:
    """The game; it has ended if the last hand of the game is over."""
    if state.hand.phase != "over" or state.hand.left:
        return state
    ended = is_last(state)
    return state if ended == state.ended else replace(state, ended=ended)


def is_last(state: Zigzag) -> bool:
    """Whether the game certainly ends with the last hand that was counted."""
    return (state.totals_known or state.rules.hands is not None) and reached(state)


# Play may go on in a hand that was scored too early, so nothing but such a play shows that the game had not ended.
def goes_past(state: Zigzag, event: Correctable) -> bool:
    """Whether an act comes after a hand that was left too early, and was the last of the game."""
    resumes = type(event) is Play and not event.tile.bit & state.hand.played
    return state.hand.left and type(event) in ACTS and not resumes and is_last(state)
