"""The claims of a table of Zigzag: they change only what is not certain.

Source: the clause page of Zigzag; the rules' README, "One slip, one finding".
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.games.zigzag.between_hands import ending, leave
from ledger.games.zigzag.piles import agreeing
from ledger.games.zigzag.state import Rules, Zigzag, may_be_told, may_have_ended, scores_the_hand
from ledger.record.events import Result, Score, Take


# A take changes no piles.  Each pile is claimed once, and if a tile is unknown, the claim counts.
def on_take(state: Zigzag, event: Take) -> Zigzag:
    """The table says who took a pile."""
    hand, seat = state.hand, state.rules.seat[event.player]
    if (hand.ways or hand.piles.unknown != (0, 0, 0)) and may_be_told(hand, seat):
        hand = agreeing(state.rules, hand, seat, event)
    return replace(state, hand=replace(hand, told=hand.told | 1 << seat))


# A claim changes only what is unknown.  A score of the hand shows that the hand is over.
def on_score(state: Zigzag, event: Score) -> Zigzag:
    """The table calls the points of a hand, or the totals."""
    if scores_the_hand(state, event):
        state = leave(state)
    if event.scope == "hand":
        likely = state.likely if state.hand.phase == "over" else None
        return state if likely is None else earned_as_said(state, event, likely)
    return state if state.totals_known else totals_as_said(state, event)


def earned_as_said(state: Zigzag, event: Score, likely: tuple[int, ...]) -> Zigzag:
    """The game with the points of its last hand as called, in place of the `likely` ones."""
    earned = as_said(state.rules, event, likely)
    totals = tuple(total - was + now for total, was, now in zip(state.totals, likely, earned, strict=True))
    return ending(replace(state, earned=earned, likely=None, totals=totals))


def totals_as_said(state: Zigzag, event: Score) -> Zigzag:
    """The game with the totals as called."""
    totals = as_said(state.rules, event, state.totals)
    return ending(replace(state, totals=totals, likely=None, unsure=False))


def as_said(rules: Rules, event: Score, points: tuple[int, ...]) -> tuple[int, ...]:
    """Points by seat as called, and `points` for the players whom the claim does not name."""
    return tuple([event.points.get(player, was) for player, was in zip(rules.players, points, strict=True)])


def on_result(state: Zigzag, _event: Result) -> Zigzag:
    """The table says that the game has ended; if the totals are unknown, that counts."""
    over = leave(state) if state.hand.phase == "play" and not state.hand.stray else state
    return replace(over, ended=True) if may_have_ended(over) else state
