"""The scores of Build Up, hand by hand, and the standing."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.common import greatest
from ledger.game import Points, Standing
from ledger.games.build_up.numbers import UNKNOWN, describe
from ledger.games.build_up.state import BuildUp, all_hands_played, hands_played
from ledger.tiles import TILES

SCORE = "build-up.score"
HAND_END = "build-up.hand.end"
"""The clauses that the reasons for points cite."""


def points(before: BuildUp, _event: object, after: BuildUp) -> Sequence[Points]:
    """The reasons for what a hand scored, stack by stack, at the event that ended it."""
    reasons = []
    over = after.phase == "over" and (before.phase != "over" or before.hand.number != after.hand.number)
    if over or (before.phase == after.phase == "play" and hands_played(after) > hands_played(before)):
        for number, pile in enumerate(after.stacks, 1):
            top = pile[-1]
            if top.index != UNKNOWN:
                because = f"{describe(top.index)} on top of stack {number}"
                reasons.append(Points(top.owner, TILES[top.index].pips, SCORE, because))
    return [*reasons, *_taken_back(before, reasons, after)] if before.others and after.rules.cumulative else reasons


def _taken_back(before: BuildUp, reasons: Sequence[Points], after: BuildUp) -> Sequence[Points]:
    """Takes back what was counted after a row of passes that did not end the hand."""
    now = [sum([reason.points for reason in reasons if reason.player == seat]) for seat in range(len(after.totals))]
    wrong = [new - old - points_ for new, old, points_ in zip(after.totals, before.totals, now, strict=True)]
    because = "the hand went on after a row of passes"
    return [Points(seat, difference, HAND_END, because) for seat, difference in enumerate(wrong) if difference]


# The highest total over all hands wins; equal totals share the win.
def standing(state: BuildUp) -> Standing:
    """The totals of the hands played; the greatest wins when the last hand is over."""
    finished = all_hands_played(state)
    return Standing(finished, state.totals, greatest(state.totals) if finished else ())
