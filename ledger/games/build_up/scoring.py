"""The scores of Build Up, hand by hand, and the standing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.games.build_up.numbers import PIPS, SET, UNKNOWN, Laid, describe, points_on_top
from ledger.games.build_up.state import BuildUp, all_hands_played, hands_played
from ledger.record.events import Score
from ledger.record.tiles import TILES, members
from ledger.rules.game import Points, Standing
from ledger.rules.shared_clauses import greatest

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


def scores_the_hand(state: BuildUp, event: Score) -> bool:
    """Whether a claim shows that the current hand is over: its points, or totals with the points of this hand."""
    if state.phase != "play" or not state.hand.acted or event.scope == "hand":
        return state.phase == "play" and state.hand.acted
    points, vague = points_on_top(state.stacks, len(state.totals))
    changed = False
    for seat, player in enumerate(state.rules.players):
        total = state.totals[seat]
        claimed = event.points.get(player, total)
        more = claimed - points[seat] - (total if state.rules.cumulative else 0)
        if player in event.points and not 0 <= more <= vague[seat] + state.vague[seat]:
            return False
        changed = changed or claimed != total
    return changed


def mistakable(state: BuildUp, seat: int, more: Mapping[int, int]) -> frozenset[tuple[int, int]]:
    """The stacks, by place and height, on which one misnamed tile, or one on the wrong stack, explains a seat's points.

    `more` is how much more was called than the tiles on top count, by seat.
    """
    stacks, marks = state.stacks, set[tuple[int, int]]()
    unseen = [members(SET & ~(laid | used)) for laid, used in zip(state.laid, state.used, strict=True)]
    unseen_with = {(owner, tile.pips): Laid(tile.index, owner) for owner, tiles in enumerate(unseen) for tile in tiles}
    everybody, alone = range(len(unseen)), (seat,)
    for place, pile in enumerate(stacks):
        top, pips = pile[-1], PIPS[pile[-1].index]
        # A change concerns the owners of both tiles, the seat among them, and makes up the difference of each.
        owners = everybody if top.owner == seat else alone
        needed = [(owner, more.get(owner, 0) + pips * (owner == top.owner)) for owner in owners]
        if any(_explains(seat, more, [(top, unseen_with[other])]) for other in needed if other in unseen_with):
            marks.add((place, len(pile)))
        # The top tile may really lie on another stack.
        elif len(pile) > 1:
            below = pile[-2]
            gone = {owner: -more.get(owner, 0) for owner in (everybody if below.owner == seat else alone)}
            if below.owner in gone:
                gone[below.owner] += PIPS[below.index]
            others = [o[-1] for o in stacks if PIPS[o[-1].index] == gone.get(o[-1].owner) and o is not pile]
            if any(_explains(seat, more, [(top, below), (other, top)]) for other in others):
                marks.add((place, len(pile)))
    return frozenset(marks)


def _explains(seat: int, more: Mapping[int, int], changes: Sequence[tuple[Laid, Laid]]) -> bool:
    """Whether these changes of tiles on top, from one to another, make up these differences of the seats concerned."""
    points_ = dict.fromkeys([tile.owner for change in changes for tile in change], 0)
    for old, new in changes:
        points_[old.owner] -= PIPS[old.index]
        points_[new.owner] += PIPS[new.index]
    return bool(points_.get(seat)) and all(more.get(owner, 0) == new for owner, new in points_.items())


# The highest total over all hands wins; equal totals share the win.
def standing(state: BuildUp) -> Standing:
    """The totals of the hands played; the greatest wins when the last hand is over."""
    finished = all_hands_played(state)
    return Standing(finished, state.totals, greatest(state.totals) if finished else ())
