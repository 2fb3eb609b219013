"""The scores of Build Up, hand by hand, and the standing."""

from collections.abc import Mapping, Sequence

from ledger.games.build_up.numbers import MOST, PIPS, SET, UNKNOWN, WITH_PIPS, Laid, points_on_top
from ledger.games.build_up.state import BuildUp, all_hands_played, hands_played
from ledger.record.events import Score
from ledger.record.tiles import TILES
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
                because = f"{TILES[top.index]} ({PIPS[top.index]} pips) on top of stack {number}"
                reasons.append(Points(top.owner, TILES[top.index].pips, SCORE, because))
    if not before.others or not after.rules.cumulative:
        return reasons
    # What was counted after a row of passes that did not end the hand is taken back.
    now = [sum([reason.points for reason in reasons if reason.player == seat]) for seat in range(len(after.totals))]
    wrong = [new - old - points_ for new, old, points_ in zip(after.totals, before.totals, now, strict=True)]
    because = "the hand went on after a row of passes"
    return [*reasons, *(Points(seat, points, HAND_END, because) for seat, points in enumerate(wrong) if points)]


def scores_the_hand(state: BuildUp, event: Score) -> bool:
    """Whether a claim shows that the current hand is over: its points, or totals with the points of this hand."""
    if state.phase != "play" or not state.hand.acted or event.scope == "hand" or state.hand.first is None:
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


# If the points of the hand before are called late, they are not the points of this one.
def scores_unplayed(state: BuildUp, event: Score) -> bool:
    """Whether a claim counts a hand that was dealt or laid out, but in which no play has been recorded so far."""
    begun = all(state.laid if state.phase == "setup" else state.hand.dealt) and not state.hand.acted
    if event.scope != "hand" or state.phase == "over" or not begun:
        return False
    earned = dict(zip(state.rules.players, state.earned or (), strict=False))
    return any(earned.get(player) != called for player, called in event.points.items())


def mistakable(state: BuildUp, seat: int, more: Mapping[int, int]) -> frozenset[tuple[int, int]]:
    """The stacks, by place and height, on which one misnamed tile, or one on the wrong stack, explains a seat's points.

    `more` is how much more was called than the tiles on top count, by seat.
    """
    unseen = [SET & ~(laid | used) for laid, used in zip(state.laid, state.used, strict=True)]
    difference = more.get(seat, 0)
    # Whether a tile of this colour may lie where another is named, and a tile of another colour where one of this is.
    mine = _has(unseen[seat], difference)
    theirs = any(_has(tiles, more.get(owner, 0)) for owner, tiles in enumerate(unseen) if owner != seat)
    tops: dict[tuple[int, int], int] = {}
    for pile in state.stacks:
        key = pile[-1].owner, PIPS[pile[-1].index]
        tops[key] = tops.get(key, 0) + 1
    marks = []
    for place, pile in enumerate(state.stacks):
        top = pile[-1]
        pips = PIPS[top.index]
        # A change concerns the owners of both tiles, the seat among them, and makes up the difference of each.
        if top.owner == seat:
            misnamed = _has(unseen[seat], pips + difference) or (theirs and pips == -difference)
        else:
            misnamed = mine and more.get(top.owner, 0) == -pips
        if misnamed or (len(pile) > 1 and _may_lie_elsewhere(pile, seat, len(unseen), more, tops)):
            marks.append((place, len(pile)))
    return frozenset(marks)


def _has(tiles: int, pips: int) -> bool:
    """Whether one of these tiles has this number of pips."""
    return 0 <= pips <= MOST and bool(tiles & WITH_PIPS[pips])


def _may_lie_elsewhere(
    pile: Sequence[Laid], seat: int, seats: int, more: Mapping[int, int], tops: Mapping[tuple[int, int], int]
) -> bool:
    """Whether it makes up the differences if the top tile of a pile really covers another pile.

    `tops` counts the tiles on top, by owner and pips.
    """
    top, below = pile[-1], pile[-2]
    uncovered = PIPS[below.index]
    for owner in range(seats) if below.owner == seat else (seat,):
        covered = (uncovered if owner == below.owner else 0) - more.get(owner, 0)
        others = tops.get((owner, covered), 0) - ((owner, covered) == (top.owner, PIPS[top.index]))
        if (
            others
            and (owner == below.owner or more.get(below.owner, 0) == uncovered)
            and (top.owner in (owner, below.owner) or not more.get(top.owner, 0))
        ):
            return True
    return False


def standing(state: BuildUp) -> Standing:
    """The totals of the hands played; the greatest wins when the last hand is over."""
    finished = all_hands_played(state)
    return Standing(finished, state.totals, greatest(state.totals) if finished else ())
